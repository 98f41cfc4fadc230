// A program without exceptions and without run-time types: the noexcept forms are all there.
#include "check.hpp"

#include <sstream>

using namespace std::chrono_literals;
using lately::verdict;

static_assert(LATELY_HPP_EXCEPTIONS == 0);

int main() {
    lately::failure why;
    auto made = lately::filter::try_new(manual().max_step(5s), &why);
    CHECK(made);
    lately::filter filter = *std::move(made);
    EQUAL(verdict::new_, *filter.try_observe("a", 0s));
    EQUAL(verdict::duplicate, filter.try_observe("a").value_or(verdict::new_));
    EQUAL(lately::status::ok, filter.try_advance(100s));
    EQUAL(lately::status::tick, filter.try_observe("a", 200s).code());
    lately::batch batch;
    batch.push_back("x");
    batch.push_back("x");
    verdict verdicts[2];
    CHECK(filter.try_observe_many(batch, verdicts));
    CHECK(verdicts[0] == verdict::new_ && verdicts[1] == verdict::duplicate);
    CHECK(!lately::filter::try_new(manual().error_rate(9), &why));
    EQUAL(lately::field::error_rate, why.field);
    CHECK(lately::try_plan(manual())->k > 0);
    std::stringstream stream;
    EQUAL(lately::status::ok, filter.try_write_snapshot(stream));
    EQUAL(*filter.try_snapshot_size(), stream.str().size());
    auto restored = lately::filter::try_read_snapshot(stream, 0s);
    CHECK(restored && *restored->try_snapshot() == *filter.try_snapshot());
    stream.setstate(std::ios::badbit);
    EQUAL(lately::status::io, lately::filter::try_read_snapshot(stream, 0s).code());
    EQUAL(lately::status::magic, lately::filter::try_load("no snapshot", 0s, {}, &why).code());
    EQUAL(std::string("IO"), std::string(lately::name(lately::status::io)));
    filter.close();
    EQUAL(lately::status::closed, filter.try_observe("a").code());
    std::printf("without exceptions: %u checks, %u failed\n", check::count, check::failures);
    return check::failures == 0 ? 0 : 1;
}
