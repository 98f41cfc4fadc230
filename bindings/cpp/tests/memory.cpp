// Memory that cannot be had is an error, and the program lives on: a plan that no machine can hold, and a limit on the
// address space as `ulimit -v` sets it.
#include "check.hpp"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace std::chrono_literals;
using lately::verdict;

namespace {

constexpr std::uint64_t MIB = 1 << 20;

std::uint64_t mapped_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t pages = 0;
    statm >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Limits the memory that this process may map from now on.
void allow(std::uint64_t more) {
    rlimit limit{};
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = mapped_bytes() + more;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

lately::options of(std::uint64_t bytes) { return lately::options::quotient(bytes); }

template <class handle>
void refused(const lately::options& request) {
    lately::failure why;
    EQUAL(lately::status::no_memory, handle::try_new(request, &why).code());
    CHECK(why.message[0] != 0);
    try {
        handle never(request);
        CHECK(!"it was built");
    } catch (const lately::error& error) {
        EQUAL(lately::status::no_memory, error.code());
    }
}

template <class handle>
void plans_that_no_machine_can_hold() {
    const auto vast = manual().capacity(std::uint64_t{1} << 48).memory(std::uint64_t{1} << 56);
    CHECK(lately::plan(vast).bytes > std::uint64_t{1} << 48);
    refused<handle>(vast);
}

// Under a limit of 32 MiB: neither a filter of 512 MiB nor a copy of one of 24 MiB, and the small ones continue.
template <class handle>
void under_a_limit() {
    handle first(of(24 * MIB));
    (void)first.observe("a");
    refused<handle>(of(512 * MIB));
    EQUAL(lately::status::no_memory, first.try_copy().code());
    EQUAL(verdict::duplicate, first.observe("a"));
    auto small = begun<handle>();
    EQUAL(verdict::new_, small.observe("a"));
    EQUAL(verdict::duplicate, small.copy().observe("a"));
}

} // namespace

int main() {
    plans_that_no_machine_can_hold<lately::filter>();
    plans_that_no_machine_can_hold<lately::shared_filter>();
    allow(32 * MIB);
    under_a_limit<lately::filter>();
    under_a_limit<lately::shared_filter>();
    std::printf("memory: %u checks, %u failed\n", check::count, check::failures);
    return check::failures == 0 ? 0 : 1;
}
