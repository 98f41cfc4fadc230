// Batches by bytes, by ranges and by hashes give what single calls give, and stop where those would fail.
#include "check.hpp"

#include <array>
#include <list>
#include <string_view>

using namespace std::chrono_literals;
using lately::verdict;

namespace {

const std::vector<std::string> WORDS = {"one", "", "two", "one", "three", "two", ""};

template <class Filter>
std::vector<verdict> one_by_one(Filter& filter) {
    std::vector<verdict> verdicts;
    for (const auto& word : WORDS) {
        verdicts.push_back(filter.observe(word));
    }
    return verdicts;
}

template <class Filter>
std::vector<std::uint64_t> hashed(const Filter& filter) {
    std::vector<std::uint64_t> hashes;
    for (const auto& word : WORDS) {
        hashes.push_back(filter.hash(word));
    }
    return hashes;
}

constexpr std::string_view TEXT = "onetwoonethreetwo";
const std::vector<std::uint64_t> OFFSETS = {0, 3, 3, 6, 9, 14, 17, 17};

} // namespace

TEST_BOTH(every_batch_equals_single_calls) {
    auto filter = begun<handle>();
    const auto want = one_by_one(filter);
    const auto hashes = hashed(filter);
    const auto again = [&] { return begun<handle>(); };
    CHECK(want == again().observe_many(lately::keys(TEXT, OFFSETS)));
    CHECK(want == again().observe_many(WORDS));
    CHECK(want == again().observe_many(lately::batch(WORDS)));
    CHECK(want == again().observe_many(lately::hashes(hashes)));
    CHECK(want == again().observe_many(std::list<std::string_view>(WORDS.begin(), WORDS.end())));
    std::array<verdict, 7> room{};
    again().observe_many(lately::keys(TEXT, OFFSETS), room);
    CHECK(want == std::vector<verdict>(room.begin(), room.end()));
    again().observe_many(lately::hashes(hashes), room);
    CHECK(want == std::vector<verdict>(room.begin(), room.end()));
}

TEST_BOTH(inserted_batches_are_found) {
    auto filter = begun<handle>();
    const auto hashes = hashed(filter);
    const std::vector<verdict> all(WORDS.size(), verdict::duplicate);
    const std::vector<verdict> none(WORDS.size(), verdict::new_);
    CHECK(filter.contains_many(WORDS) == none);
    CHECK(filter.contains_many(lately::hashes(hashes)) == none);
    filter.insert_many(WORDS);
    CHECK(filter.contains_many(lately::keys(TEXT, OFFSETS)) == all);
    filter = begun<handle>();
    filter.insert_many(lately::hashes(hashes));
    CHECK(filter.contains_many(WORDS) == all);
    filter = begun<handle>();
    filter.insert_many(lately::keys(TEXT, OFFSETS));
    CHECK(filter.contains_many(lately::hashes(hashes)) == all);
    std::vector<verdict> room(WORDS.size());
    filter.contains_many(lately::batch(WORDS), room);
    CHECK(room == all);
}

TEST_BOTH(each_key_has_its_tick) {
    auto filter = begun<handle>();
    lately::batch batch;
    batch.push_back("a", 1s);
    batch.push_back("a", 5s);
    batch.push_back("a", 60s);
    const std::vector<verdict> want = {verdict::new_, verdict::duplicate, verdict::new_};
    CHECK(want == filter.observe_many(batch));
    EQUAL(std::uint64_t{60000000000}, filter.stats().clock);
    const std::vector<std::uint64_t> hashes(3, filter.hash("a"));
    const std::vector<std::uint64_t> ticks = {1000000000, 5000000000, 60000000000};
    filter.clear();
    CHECK(want == filter.observe_many(lately::hashes(hashes, ticks)));
    filter.clear();
    CHECK(want == filter.observe_many(lately::keys("aaa", std::vector<std::uint64_t>{0, 1, 2, 3}, ticks)));
    filter.clear();
    filter.insert_many(batch);
    EQUAL(std::uint64_t{60000000000}, filter.stats().clock);
}

TEST_BOTH(a_refused_tick_stops_the_batch_there) {
    auto filter = begun<handle>(manual().max_step(1s));
    lately::batch batch;
    batch.push_back("a", 1s);
    batch.push_back("b", 2s);
    batch.push_back("c", 9s);
    std::vector<verdict> verdicts(3, verdict::duplicate);
    const lately::batch_result result = filter.try_observe_many(batch, verdicts);
    EQUAL(lately::status::tick, result.code);
    EQUAL(std::size_t{2}, result.done);
    CHECK(!result && verdicts[1] == verdict::new_ && verdicts[2] == verdict::duplicate);
    try {
        (void)filter.observe_many(batch);
        CHECK(!"it continued");
    } catch (const lately::error& error) {
        EQUAL(lately::status::tick, error.code());
        EQUAL(std::size_t{2}, error.done());
    }
    const auto inserted = filter.try_insert_many(batch);
    EQUAL(lately::status::tick, inserted.code);
    EQUAL(std::size_t{2}, inserted.done);
}

TEST_BOTH(arrays_that_do_not_fit_each_other_are_refused) {
    auto filter = begun<handle>();
    std::vector<verdict> verdicts(2);
    const std::vector<std::uint64_t> one = {1};
    const auto code = [&](const lately::keys& keys) { return filter.try_observe_many(keys, verdicts).code; };
    EQUAL(lately::status::offsets, code(lately::keys(TEXT, OFFSETS)));
    EQUAL(lately::status::offsets, code(lately::keys("ab", std::vector<std::uint64_t>{})));
    EQUAL(lately::status::offsets, code(lately::keys("ab", std::vector<std::uint64_t>{0, 2, 1})));
    EQUAL(lately::status::offsets, code(lately::keys("ab", std::vector<std::uint64_t>{0, 1, 3})));
    EQUAL(lately::status::offsets, code(lately::keys("ab", std::vector<std::uint64_t>{0, 1, 2}, one)));
    EQUAL(lately::status::offsets, code(lately::keys("ab", std::vector<std::uint64_t>{0, 1, 2}, {})));
    EQUAL(lately::status::offsets, filter.try_observe_many(lately::hashes(one), verdicts).code);
    EQUAL(lately::status::offsets, filter.try_insert_many(lately::hashes(one, OFFSETS)).code);
    EQUAL(lately::status::offsets, filter.try_insert_many(lately::keys("", {})).code);
    EQUAL(lately::status::offsets, filter.try_contains_many(lately::hashes(one), verdicts).code);
    EQUAL(lately::status::offsets, filter.try_contains_many(lately::keys("a", one), verdicts).code);
    EQUAL(std::uint64_t{0}, filter.stats().new_count);
    lately::batch mixed;
    mixed.push_back("a", 1s);
    mixed.push_back("b");
    EQUAL(lately::status::offsets, filter.try_observe_many(mixed, verdicts).code);
}

TEST_BOTH(no_keys_are_fine) {
    auto filter = begun<handle>();
    CHECK(filter.observe_many(lately::batch()).empty());
    CHECK(filter.observe_many(lately::u64s({})).empty());
    CHECK(filter.try_insert_many(lately::batch()));
    CHECK(filter.try_insert_many(lately::hashes({})));
    CHECK(filter.try_contains_many(lately::batch(), {}));
}

TEST_BOTH(a_batch_is_used_again) {
    auto filter = begun<handle>();
    lately::batch batch(WORDS);
    batch.push_back("late", -1s);
    EQUAL(std::size_t{8}, batch.size());
    batch.clear();
    EQUAL(std::size_t{0}, batch.size());
    batch.push_back("a");
    EQUAL(std::size_t{1}, filter.observe_many(batch).size());
}

TEST_BOTH(a_keyed_filter_takes_no_hashes) {
    auto filter = begun<handle>(manual().keyed(true));
    const std::vector<std::uint64_t> hashes = {1, 2};
    std::vector<verdict> verdicts(2);
    EQUAL(lately::status::unsupported, filter.try_observe_many(lately::hashes(hashes), verdicts).code);
    EQUAL(lately::status::unsupported, filter.try_insert_many(lately::hashes(hashes)).code);
    EQUAL(lately::status::unsupported, filter.try_contains_many(lately::hashes(hashes), verdicts).code);
    EQUAL(std::size_t{2}, filter.observe_many(std::vector<std::string>{"a", "b"}).size());
}

TEST_BOTH(ticks_need_a_manual_clock) {
    handle filter(lately::options::window(1min));
    lately::batch batch;
    batch.push_back("a", 1s);
    lately::verdict verdicts[1];
    EQUAL(lately::status::clock, filter.try_observe_many(batch, verdicts).code);
    EQUAL(lately::status::clock, filter.try_contains_many(batch, verdicts).code);
    EQUAL(lately::status::clock, filter.try_insert_many(batch).code);
}

TEST(a_batch_that_was_moved_from_is_as_good_as_cleared) {
    auto filter = begun<lately::filter>();
    lately::batch from;
    from.push_back("one", lately::tick(-1s));
    from.push_back("two", lately::tick(0s));
    const lately::batch to = std::move(from);
    EQUAL(2U, to.size());
    EQUAL(lately::status::tick, filter.try_insert_many(to).code);
    // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): that is what it is about.
    EQUAL(0U, from.size());
    CHECK(filter.observe_many(from).empty());
    from.clear();
    EQUAL(0U, from.size());
    const lately::batch again = std::move(from);
    EQUAL(0U, again.size());
    from.push_back("one");
    from.push_back("two");
    CHECK(filter.observe_many(from) == std::vector<verdict>(2, verdict::new_));
    // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}
