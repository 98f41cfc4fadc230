// Durations and dates as ticks, and the ends of time.
#include "check.hpp"

using namespace std::chrono_literals;
using lately::tick;

namespace {

template <class Duration>
using date = std::chrono::time_point<std::chrono::system_clock, Duration>;

} // namespace

TEST(durations_are_ticks) {
    static_assert(tick(1s).ns() == 1000000000 && tick(1s).in_range());
    EQUAL(std::uint64_t{5}, tick(5ns).ns());
    EQUAL(std::uint64_t{86400000000000}, tick(24h).ns());
    EQUAL(std::uint64_t{0}, tick(0h).ns());
    EQUAL(UINT64_MAX - 1, tick::from_ns(UINT64_MAX - 1).ns());
    CHECK(tick::from_ns(UINT64_MAX - 1).in_range() && !tick::from_ns(UINT64_MAX).in_range());
    CHECK(tick().is_now() && !tick::from_ns(UINT64_MAX).is_now());
}

TEST(dates_are_ticks_since_1970) {
    const auto day = date<std::chrono::hours>(std::chrono::hours(24 * 365));
    EQUAL(std::uint64_t{31536000000000000}, tick(day).ns());
    const auto now = std::chrono::system_clock::now();
    const auto want = std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
    EQUAL(static_cast<std::uint64_t>(want), tick(now).ns());
}

TEST(time_has_two_ends) {
    CHECK(!tick(-1ns).in_range());
    CHECK(!tick(date<std::chrono::seconds>(-1s)).in_range());
    // 2^64 - 1 ns is 18446744073.709551615 s: past the reach of signed nanoseconds, within that of milliseconds.
    CHECK(tick(date<std::chrono::seconds>(18446744073s)).in_range());
    CHECK(!tick(date<std::chrono::seconds>(18446744074s)).in_range());
    EQUAL(std::uint64_t{18446744073709000000u}, tick(18446744073709ms).ns());
    CHECK(!tick(18446744073710ms).in_range());
    CHECK(!tick(std::chrono::hours::max()).in_range());
    CHECK(!tick(std::chrono::hours::min()).in_range());
}

TEST_BOTH(a_moment_without_a_tick_is_refused_by_every_verb) {
    auto filter = begun<handle>();
    EQUAL(lately::status::tick, filter.try_observe("a", -1ns).code());
    EQUAL(lately::status::tick, filter.try_insert("a", -1ns));
    EQUAL(lately::status::tick, filter.try_contains("a", -1ns).code());
    EQUAL(lately::status::tick, filter.try_advance(-1ns));
    lately::batch batch;
    batch.push_back("a", 1s);
    batch.push_back("b", -1s);
    lately::verdict verdicts[2];
    EQUAL(lately::status::tick, filter.try_observe_many(batch, verdicts).code);
    EQUAL(lately::verdict::new_, filter.contains("a"));
    EQUAL(std::uint64_t{0}, filter.stats().clock);
}

TEST(duration_that_would_lose_time_is_no_tick) {
    using pico = std::chrono::duration<std::int64_t, std::pico>;
    static_assert(!std::is_convertible_v<std::chrono::duration<double>, tick>);
    static_assert(!std::is_convertible_v<pico, tick>);
    static_assert(!std::is_convertible_v<std::uint64_t, tick>);
    static_assert(!std::is_convertible_v<std::chrono::steady_clock::time_point, tick>);
    CHECK(std::is_convertible_v<std::chrono::minutes, tick>);
}
