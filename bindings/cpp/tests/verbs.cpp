// Every verb on single keys and on the whole filter, in both forms.
#include "check.hpp"

using namespace std::chrono_literals;
using lately::verdict;

TEST_BOTH(observe_answers_and_stores) {
    auto filter = begun<handle>();
    EQUAL(verdict::new_, filter.observe("a"));
    EQUAL(verdict::duplicate, filter.observe("a"));
    EQUAL(verdict::new_, *filter.try_observe("b"));
    EQUAL(verdict::duplicate, *filter.try_observe("b"));
}

TEST_BOTH(the_systems_clock_is_the_default) {
    handle filter(lately::options::window(10min));
    EQUAL(verdict::new_, filter.observe("a"));
    EQUAL(verdict::duplicate, filter.observe("a"));
    EQUAL(lately::status::clock, filter.try_observe("a", 1s).code());
    EQUAL(lately::status::clock, filter.try_insert("a", 1s));
    EQUAL(lately::status::clock, filter.try_contains("a", 1s).code());
    EQUAL(lately::status::clock, filter.try_advance(1s));
    CHECK(filter.stats().clock > 0);
}

TEST_BOTH(a_window_passes) {
    auto filter = begun<handle>();
    EQUAL(verdict::new_, filter.observe("a", 0s));
    EQUAL(verdict::duplicate, filter.observe("a", 10s));
    EQUAL(verdict::duplicate, *filter.try_observe("a", 20s));
    EQUAL(verdict::new_, filter.observe("a", 60s));
}

TEST_BOTH(insert_stores_without_an_answer) {
    auto filter = begun<handle>();
    filter.insert("a");
    OK(filter.try_insert("b"));
    filter.insert("c", 1s);
    OK(filter.try_insert("d", 2s));
    for (const char* key : {"a", "b", "c", "d"}) {
        EQUAL(verdict::duplicate, filter.contains(key));
    }
    EQUAL(std::uint64_t{0}, filter.stats().new_count);
    EQUAL(std::uint64_t{2000000000}, filter.stats().clock);
}

TEST_BOTH(contains_changes_nothing) {
    auto filter = begun<handle>();
    filter.insert("a", 1s);
    const handle& only_read = filter;
    EQUAL(verdict::duplicate, only_read.contains("a"));
    EQUAL(verdict::new_, *only_read.try_contains("b"));
    EQUAL(verdict::new_, only_read.contains("a", 100s));
    EQUAL(verdict::duplicate, *only_read.try_contains("a", 2s));
    EQUAL(std::uint64_t{1000000000}, only_read.stats().clock);
    EQUAL(std::uint64_t{0}, only_read.stats().new_count + only_read.stats().duplicate_count);
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

TEST_BOTH(the_last_keys_have_ages_in_calls) {
    handle filter(lately::options::last(70).age_bits(3));
    EQUAL(verdict::new_, filter.observe("a"));
    EQUAL(verdict::new_, filter.observe("b"));
    const lately::age age = filter.contains_age("a").age;
    CHECK(age.at_least <= 2 && age.at_most >= 2);
    EQUAL(lately::status::clock, filter.try_contains_age("a", 1s).code());
    EQUAL(lately::status::clock, filter.try_observe_age("a", 1s).code());
}

TEST_BOTH(other_kinds_have_no_ages) {
    auto filter = begun<handle>();
    EQUAL(lately::status::unsupported, filter.try_observe_age("a").code());
    EQUAL(lately::status::unsupported, filter.try_observe_age("a", 1s).code());
    EQUAL(lately::status::unsupported, filter.try_contains_age("a").code());
    EQUAL(lately::status::unsupported, filter.try_contains_age("a", 1s).code());
    EQUAL(verdict::new_, filter.observe("a"));
}

TEST_BOTH(remove_is_not_for_windows) {
    auto filter = begun<handle>();
    filter.insert("a");
    EQUAL(lately::status::unsupported, filter.try_remove("a").code());
    try {
        filter.remove("a");
        CHECK(!"it removed");
    } catch (const lately::error& error) {
        EQUAL(lately::status::unsupported, error.code());
    }
}

TEST_BOTH(advance_and_clear) {
    auto filter = begun<handle>();
    filter.insert("a", 1s);
    filter.advance(100s);
    EQUAL(verdict::new_, filter.contains("a"));
    OK(filter.try_advance(99s));
    EQUAL(std::uint64_t{100000000000}, filter.stats().clock);
    filter.insert("b");
    filter.clear();
    EQUAL(std::uint64_t{0}, filter.stats().clock);
    EQUAL(lately::status::clock, filter.try_contains("b").code()); // It has had no tick.
    EQUAL(verdict::new_, filter.contains("b", 100s));
    OK(filter.try_clear());
}

TEST_BOTH(a_copy_lives_alone) {
    auto one = begun<handle>(manual().seed(5));
    one.insert("a", 3s);
    handle two = one.copy();
    auto three = one.try_copy();
    CHECK(three);
    two.insert("b");
    EQUAL(verdict::duplicate, two.contains("a"));
    EQUAL(verdict::new_, one.contains("b"));
    EQUAL(one.hash("x"), two.hash("x"));
    EQUAL(one.stats().clock, three->stats().clock);
    one.close();
    EQUAL(verdict::duplicate, two.contains("b"));
}

TEST_BOTH(stats_count_and_reset) {
    handle filter(manual().max_step(5s));
    (void)filter.observe("a", 10s);
    (void)filter.observe("a", 9s);
    EQUAL(lately::status::tick, filter.try_observe("b", 16s).code());
    const lately::stats stats = filter.stats();
    EQUAL(std::uint64_t{1}, stats.new_count);
    EQUAL(std::uint64_t{1}, stats.duplicate_count);
    EQUAL(std::uint64_t{1}, stats.late_ticks);
    EQUAL(std::uint64_t{1}, stats.refused_ticks);
    CHECK(stats.reach() == 10s && stats.bytes > 0 && stats.bytes_peak >= stats.bytes);
    filter.stats_reset();
    EQUAL(std::uint64_t{0}, filter.try_stats()->new_count);
    OK(filter.try_stats_reset());
}

TEST_BOTH(the_hash_is_the_frozen_one) {
    const auto filter = begun<handle>(manual().seed(42));
    EQUAL(lately::hash64("a", 42), filter.hash("a"));
    EQUAL(lately::hash64("a", 42), *filter.try_hash("a"));
}

TEST(library_and_header_are_one_version) {
    EQUAL(std::string(LATELY_VERSION_STRING), std::string(lately::version_string()));
    EQUAL(std::uint32_t{LATELY_VERSION_NUMBER}, lately::version_number());
    EQUAL(std::uint32_t{LATELY_ABI_VERSION}, lately::abi_version());
}
