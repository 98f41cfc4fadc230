// What the files of tests/vectors do not have: the system's clock, ages and resets.
#include "check.hpp"

#include <type_traits>

using namespace std::chrono_literals;
using lately::verdict;

static_assert(!std::is_constructible_v<bool, verdict>, "half of the world means the opposite by true");

TEST_BOTH(the_systems_clock_is_the_default) {
    handle filter(lately::options::window(10min));
    EQUAL(verdict::new_, filter.observe("a"));
    EQUAL(verdict::duplicate, filter.observe("a"));
    EQUAL(lately::status::clock, filter.try_observe("a", 1s).code());
    EQUAL(lately::status::clock, filter.try_insert("a", 1s));
    EQUAL(lately::status::clock, filter.try_contains("a", 1s).code());
    EQUAL(lately::status::clock, filter.try_advance(1s));
    CHECK(filter.stats().clock > 0 && filter.first("b") && !filter.first("b"));
    const handle& only_read = filter;
    EQUAL(verdict::duplicate, only_read.contains("a"));
}

TEST_BOTH(an_age_lies_between_two_moments) {
    handle filter(lately::options::window(70s).clock(lately::clock_source::manual_ns));
    const lately::sighting first = filter.observe_age("a", 100s);
    EQUAL(verdict::new_, first.verdict);
    EQUAL(std::uint64_t{0}, first.age.at_least + first.age.at_most);
    const handle& only_read = filter;
    for (const lately::sighting& seen : {only_read.contains_age("a", 130s), filter.observe_age("a", 130s)}) {
        EQUAL(verdict::duplicate, seen.verdict);
        CHECK(0 < seen.age.at_least && seen.age.at_least <= 30000000000);
        CHECK(30000000000 <= seen.age.at_most && seen.age.at_most - seen.age.at_least <= 11000000000);
    }
    CHECK(filter.observe_age("a").age.at_most < 30000000000 && only_read.contains_age("a").age.at_least == 0);
    EQUAL(verdict::new_, only_read.try_contains_age("b")->verdict);
    EQUAL(verdict::new_, only_read.try_contains_age("b", 131s)->verdict);
    EQUAL(verdict::new_, filter.try_observe_age("b")->verdict);
    EQUAL(verdict::duplicate, filter.try_observe_age("b", 131s)->verdict);
    EQUAL(lately::status::tick, filter.try_observe_age("b", -1s).code());
    EQUAL(lately::status::tick, filter.try_contains_age("b", -1s).code());
}

TEST_BOTH(stats_are_reset) {
    auto filter = begun<handle>();
    (void)filter.observe("a");
    CHECK(filter.stats().reach() == 10s && filter.stats().new_count == 1);
    filter.stats_reset();
    EQUAL(std::uint64_t{0}, filter.try_stats()->new_count);
}

TEST(library_and_header_are_one_version) {
    EQUAL(std::string(LATELY_VERSION_STRING), std::string(lately::version_string()));
    EQUAL(std::uint32_t{LATELY_VERSION_NUMBER}, lately::version_number());
    EQUAL(std::uint32_t{LATELY_ABI_VERSION}, lately::abi_version());
}
