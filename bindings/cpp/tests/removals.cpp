// Removal from a window of the default kind: at a tick, many keys at once, and the count of it in the statistics.
#include "check.hpp"

#include <string_view>

using namespace std::chrono_literals;
using lately::verdict;

namespace {

const std::vector<std::string> WORDS = {"one", "", "two", "one", "three"};

lately::options table() {
    return lately::options::window(10s).clock(lately::clock_source::manual_ns).error_rate(1e-9);
}

using flags = std::vector<std::uint8_t>;

} // namespace

TEST_BOTH(a_removal_is_judged_at_its_tick_and_moves_no_clock) {
    auto filter = begun<handle>(table());
    filter.insert_many(std::vector<std::string>{"a", "b", "c"});
    CHECK(filter.remove("a", 10s));
    CHECK(!filter.remove("b", 12s));
    CHECK(filter.remove("c") && !filter.remove("c"));
    EQUAL(verdict::new_, filter.contains("b"));
    const lately::stats stats = filter.stats();
    CHECK(stats.removed == 2 && stats.clock == 0 && stats.items == 0);
    EQUAL(verdict::new_, filter.observe("a"));
}

// Each form, with and without ticks, against single removals of a filter like it. A key that is given twice is there once.
TEST_BOTH(a_batch_is_so_many_single_removals) {
    const std::vector<std::uint64_t> offsets = {0, 3, 3, 6, 9, 14};
    const std::vector<std::int32_t> small = {0, 3, 3, 6, 9, 14};
    const std::string_view text = "onetwoonethree";
    const std::vector<std::uint64_t> ticks = {10'000'000'000, 1, 12'000'000'000, 3, 4};
    const auto filled = [] {
        auto filter = begun<handle>(table());
        filter.insert_many(std::vector<std::string>{"one", "", "two"});
        return filter;
    };
    std::vector<std::uint64_t> hashed;
    for (const std::string& word : WORDS) {
        hashed.push_back(filled().hash(word));
    }
    for (const bool timed : {false, true}) {
        auto single = filled();
        flags want;
        lately::slices slices;
        for (std::size_t i = 0; i < WORDS.size(); ++i) {
            const auto at = timed ? lately::tick::from_ns(ticks[i]) : lately::tick();
            want.push_back(single.remove(WORDS[i], at) ? 1 : 0);
            timed ? slices.push_back(WORDS[i], at) : slices.push_back(WORDS[i]);
        }
        CHECK((want == flags{1, 1, static_cast<std::uint8_t>(timed ? 0 : 1), 0, 0}));
        const auto removes = [&](const auto& keys) {
            auto filter = filled();
            CHECK(filter.remove_many(keys) == want);
            EQUAL(single.stats().removed, filter.stats().removed);
            CHECK(filter.snapshot() == single.snapshot());
        };
        removes(slices);
        removes(timed ? lately::keys(text, offsets, ticks) : lately::keys(text, offsets));
        removes(timed ? lately::hashes(hashed, ticks) : lately::hashes(hashed));
        if (!timed) {
            removes(lately::column(text, small));
        }
    }
    auto filter = filled();
    flags room(5, 7);
    filter.remove_many(WORDS, room);
    CHECK((room == flags{1, 1, 1, 0, 0}) && filter.stats().removed == 3);
}

TEST_BOTH(an_absent_key_is_not_there) {
    auto filter = begun<handle>(table());
    filter.insert_many(std::vector<std::string>{"", "a"});
    const std::vector<std::int32_t> offsets = {0, 0, 1};
    const std::vector<std::uint8_t> second = {2};
    CHECK((filter.remove_many(lately::column("a", offsets).validity(second)) == flags{0, 1}));
    EQUAL(verdict::duplicate, filter.contains(""));
}

TEST_BOTH(batches_of_removals_must_fit_and_be_of_a_filter_that_removes) {
    handle filter(table());
    flags room(2);
    EQUAL(lately::status::clock, filter.try_remove("a").code());
    EQUAL(lately::status::clock, filter.try_remove_many(WORDS, flags(5)).code);
    filter.advance(0s);
    EQUAL(lately::status::offsets, filter.try_remove_many(WORDS, room).code);
    CHECK(filter.try_remove_many(lately::batch(), {}));
    auto other = begun<handle>();
    EQUAL(lately::status::unsupported, other.try_remove_many(lately::batch(), {}).code);
    try {
        (void)other.remove_many(WORDS);
        CHECK(!"it removed");
    } catch (const lately::error& error) {
        CHECK(error.code() == lately::status::unsupported && error.done() == 0);
    }
}

TEST_BOTH(an_open_claim_survives_the_removal_of_its_key) {
    auto filter = begun<handle>(table().lease(5s));
    const lately::claimed claim = filter.claim("a");
    CHECK((filter.remove_many(std::vector<std::string>{"a"}) == flags{0}));
    CHECK(lately::committed::in_time == filter.commit("a", claim.token));
    CHECK((filter.remove_many(std::vector<std::string>{"a"}) == flags{1}));
    EQUAL(1U, filter.stats().removed);
}
