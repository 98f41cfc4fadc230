// Memory that no machine has is an error. A program under a limit of memory: tests/unobtainable.rs.
#include "check.hpp"

namespace {

template <class handle>
void plans_that_no_machine_can_hold() {
    const auto vast = manual().capacity(std::uint64_t{1} << 48).memory(std::uint64_t{1} << 56);
    CHECK(lately::plan(vast).bytes > std::uint64_t{1} << 48);
    lately::failure why;
    EQUAL(lately::status::no_memory, handle::try_new(vast, &why).code());
    CHECK(why.message[0] != 0);
    EQUAL(lately::status::no_memory, thrown([&] { handle never(vast); }).code());
}

} // namespace

int main() {
    plans_that_no_machine_can_hold<lately::filter>();
    plans_that_no_machine_can_hold<lately::shared_filter>();
    std::printf("memory: %u checks, %u failed\n", check::count, check::failures);
    return check::failures == 0 ? 0 : 1;
}
