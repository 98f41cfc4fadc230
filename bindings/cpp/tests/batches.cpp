// Batches of every form, of bytes, hashes, slices and columns, give what single calls give, whatever the range is, and stop where
// those would fail.
#include "check.hpp"

#include <array>
#include <list>
#include <sstream>
#include <string_view>
#if defined(__cpp_lib_ranges)
#include <ranges>
#endif

using namespace std::chrono_literals;
using lately::verdict;

namespace {

const std::vector<std::string> WORDS = {"one", "", "a word that is too long for a string to keep inside", "one", "three", "", "one"};
const std::string TEXT = "one" + WORDS[2] + "onethreeone";
const std::vector<std::uint64_t> OFFSETS = {0, 3, 3, 54, 57, 62, 62, 65};
const std::vector<std::int32_t> SMALL(OFFSETS.begin(), OFFSETS.end());
const std::vector<std::int64_t> LARGE(OFFSETS.begin(), OFFSETS.end());

// A window that has every verb.
lately::options table() {
    return lately::options::window(10s).clock(lately::clock_source::manual_ns).error_rate(1e-9);
}

template <class Filter>
std::vector<std::uint64_t> hashed(const Filter& filter) {
    std::vector<std::uint64_t> hashes;
    for (const auto& word : WORDS) {
        hashes.push_back(filter.hash(word));
    }
    return hashes;
}

// Every verb on the keys of a form, against the same verbs on single keys.
template <class Filter, class Keys>
void are_single_calls(Keys&& keys) {
    auto single = begun<Filter>(table());
    auto many = begun<Filter>(table());
    std::vector<verdict> observed;
    std::vector<verdict> contained;
    std::vector<std::uint8_t> removed;
    for (const auto& word : WORDS) {
        observed.push_back(single.observe(word));
    }
    CHECK(many.observe_many(keys) == observed);
    for (const auto& word : WORDS) {
        removed.push_back(single.remove(word) ? 1 : 0);
    }
    CHECK(many.remove_many(keys) == removed && many.stats().removed == 4);
    many.insert_many(keys);
    std::vector<verdict> room(WORDS.size());
    many.contains_many(keys, room);
    CHECK(room == std::vector<verdict>(WORDS.size(), verdict::duplicate) && many.contains_many(keys) == room);
    for (const auto& word : WORDS) {
        EQUAL(verdict::duplicate, many.contains(word)); // in whichever form it was inserted
    }
    many.clear();
    many.advance(0s);
    many.observe_many(keys, room);
    CHECK(room == observed);
    many.remove_many(keys, removed);
    CHECK(many.contains_many(keys) == std::vector<verdict>(WORDS.size(), verdict::new_));
}

// Numbers as texts, each made when it is asked for, from a range that can only be passed over once, and not when it is const.
class made_once {
public:
    explicit made_once(int count) : count_(count) {}
    struct end_of {};
    struct iterator {
        using iterator_category = std::input_iterator_tag;
        using value_type = std::string;
        using difference_type = std::ptrdiff_t;
        using pointer = const std::string*;
        using reference = const std::string&;
        made_once* range;
        // A reference to what the next step overwrites.
        const std::string& operator*() const { return range->now_; }
        iterator& operator++() {
            ++range->at_;
            range->make();
            return *this;
        }
        bool operator!=(end_of) const { return range->at_ < range->count_; }
    };
    iterator begin() {
        make();
        return {this};
    }
    static end_of end() { return {}; }

private:
    void make() { now_ = "the text of number " + std::to_string(at_ % 3); }
    int count_;
    int at_ = 0;
    std::string now_;
};

} // namespace

TEST_BOTH(every_form_is_single_calls) {
    const auto hashes = hashed(begun<handle>(table()));
    are_single_calls<handle>(WORDS);
    are_single_calls<handle>(std::list<std::string>(WORDS.begin(), WORDS.end()));
    are_single_calls<handle>(std::vector<std::string_view>(WORDS.begin(), WORDS.end()));
    are_single_calls<handle>(lately::slices(WORDS));
    are_single_calls<handle>(lately::batch(WORDS));
    are_single_calls<handle>(lately::keys(TEXT, OFFSETS));
    are_single_calls<handle>(lately::column(TEXT, SMALL));
    are_single_calls<handle>(lately::column(TEXT, LARGE));
    are_single_calls<handle>(lately::hashes(hashes));
    auto filter = begun<handle>();
    const char* literals[] = {"one", "two", "one"};
    CHECK((std::vector{verdict::new_, verdict::new_, verdict::duplicate}) == filter.observe_many(literals));
    const std::vector<std::vector<unsigned char>> octets = {{1, 2}, {}, {1, 2}};
    CHECK((std::vector{verdict::new_, verdict::new_, verdict::duplicate}) == filter.observe_many(octets));
}

TEST_BOTH(keys_that_a_range_makes_on_the_way_are_copied) {
    auto filter = begun<handle>();
    made_once range(6);
    const std::vector<verdict> want = {verdict::new_,      verdict::new_,      verdict::new_,
                                       verdict::duplicate, verdict::duplicate, verdict::duplicate};
    CHECK(want == filter.observe_many(range));
    EQUAL(verdict::duplicate, filter.contains("the text of number 2"));
    std::istringstream words("x y x");
    struct {
        std::istream_iterator<std::string> from;
        std::istream_iterator<std::string> begin() { return from; }
        static std::istream_iterator<std::string> end() { return {}; }
    } stream{std::istream_iterator<std::string>(words)};
    CHECK((std::vector{verdict::new_, verdict::new_, verdict::duplicate}) == filter.observe_many(stream));
}

#if defined(__cpp_lib_ranges)
TEST_BOTH(views_are_ranges_also_when_only_they_change) {
    auto filter = begun<handle>();
    const auto long_ones = WORDS | std::views::filter([](const std::string& word) { return word.size() > 4; });
    auto changes = long_ones;
    EQUAL(std::size_t{2}, filter.observe_many(changes).size());
    const auto numbered = std::views::iota(0, 100) | std::views::transform([](int i) {
                              return "a number that is longer than a string keeps inside: " + std::to_string(i);
                          });
    const auto verdicts = filter.observe_many(numbered);
    EQUAL(std::size_t{100}, verdicts.size());
    for (int i = 0; i < 100; ++i) {
        EQUAL(verdict::new_, verdicts[static_cast<std::size_t>(i)]);
        EQUAL(verdict::duplicate, filter.contains("a number that is longer than a string keeps inside: " + std::to_string(i)));
    }
    const auto packed = std::views::iota(0, 9) | std::views::transform([](int i) { return lately::le64(static_cast<std::uint64_t>(i)); });
    filter.insert_many(packed);
    EQUAL(verdict::duplicate, filter.contains(lately::le64(8)));
}
#endif

// Keys with their ticks are observed, and leave the clock at the last one.
template <class Filter, class Keys>
void have_ticks(const Keys& keys) {
    auto filter = begun<Filter>();
    CHECK((std::vector{verdict::new_, verdict::duplicate, verdict::new_}) == filter.observe_many(keys));
    EQUAL(std::uint64_t{60000000000}, filter.stats().clock);
}

TEST_BOTH(each_key_has_its_tick) {
    const std::vector<std::uint64_t> hashes(3, lately::hash64("a"));
    const std::vector<std::uint64_t> ticks = {1000000000, 5000000000, 60000000000}, offsets = {0, 1, 2, 3};
    const std::vector<std::int32_t> small = {0, 1, 2, 3};
    lately::batch batch;
    lately::slices slices;
    for (const auto second : {1s, 5s, 60s}) {
        batch.push_back("a", second);
        slices.push_back("a", second);
    }
    have_ticks<handle>(batch);
    have_ticks<handle>(slices);
    have_ticks<handle>(lately::hashes(hashes, ticks));
    have_ticks<handle>(lately::keys("aaa", offsets, ticks));
    have_ticks<handle>(lately::column("aaa", small).at(ticks));
    auto filter = begun<handle>();
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
    const lately::error error = thrown([&] { (void)filter.observe_many(batch); });
    CHECK(error.code() == lately::status::tick && error.done() == 2);
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
    std::vector<std::uint8_t> flags(3);
    EQUAL(lately::status::offsets, filter.try_remove_many(WORDS, flags).code);
}

TEST_BOTH(columns_that_do_not_fit_are_refused) {
    auto filter = begun<handle>();
    const std::vector<std::int32_t> two = {0, 1, 2};
    const std::vector<std::int32_t> none;
    const std::vector<std::int32_t> below = {-1, 1, 2};
    const std::vector<std::uint64_t> tick = {1};
    const std::array<unsigned char, 1> bits = {0xff};
    std::vector<verdict> room(2);
    const auto code = [&](const lately::column& column) { return filter.try_observe_many(column, room).code; };
    EQUAL(lately::status::offsets, code(lately::column("ab", none)));
    EQUAL(lately::status::offsets, code(lately::column("ab", below)));
    EQUAL(lately::status::offsets, code(lately::column("a", two)));
    EQUAL(lately::status::offsets, code(lately::column("ab", two).at(tick)));
    EQUAL(lately::status::offsets, code(lately::column("ab", two).validity(bits, 7)));
    EQUAL(lately::status::offsets, code(lately::column("ab", two).validity(bits, SIZE_MAX)));
    EQUAL(lately::status::offsets, filter.try_contains_many(lately::column("ab", two), {room.data(), 1}).code);
    OK(code(lately::column("ab", two).validity(bits, 6)));
    handle closed;
    EQUAL(lately::status::closed, closed.try_observe_many(lately::column("ab", none), room).code);
    EQUAL(lately::status::closed, closed.try_observe_many(WORDS, room).code);
}

TEST_BOTH(absent_keys_have_their_verdict_and_are_not_observed) {
    const std::array<unsigned char, 2> bits = {0xbf, 0xfe}; // Bits 6 and 8 are 0: keys 1 and 3 from bit 5.
    const std::vector<verdict> want = {verdict::new_, verdict::absent_key, verdict::new_,      verdict::absent_key,
                                       verdict::new_, verdict::new_,       verdict::duplicate};
    for (const auto& all : {lately::column(TEXT, SMALL), lately::column(TEXT, LARGE)}) {
        auto filter = begun<handle>();
        CHECK(filter.observe_many(all.validity(bits, 5)) == want);
        EQUAL(std::uint64_t{5}, filter.stats().new_count + filter.stats().duplicate_count);
        CHECK(filter.contains_many(all.validity(bits, 5))[3] == verdict::absent_key);
    }
}

TEST_BOTH(no_keys_are_fine) {
    auto filter = begun<handle>();
    CHECK(filter.observe_many(lately::batch()).empty());
    CHECK(filter.observe_many(lately::u64s({})).empty());
    CHECK(filter.try_insert_many(lately::batch()));
    CHECK(filter.try_insert_many(lately::hashes({})));
    CHECK(filter.try_contains_many(lately::batch(), {}));
    EQUAL(lately::status::unsupported, filter.try_remove_many(lately::batch(), {}).code);
    CHECK(begun<handle>(table()).try_remove_many(lately::batch(), {}));
}

// What gathers keys: a batch copies them, slices do not.
template <class Gathered, class Filter>
void is_used_again() {
    auto filter = begun<Filter>();
    Gathered keys;
    keys.push_back("a");
    keys.push_back("b", 61s);
    EQUAL(lately::status::offsets, filter.try_insert_many(keys).code); // Either every key has a tick or none has.
    keys.clear();
    EQUAL(std::size_t{0}, keys.size());
    CHECK(filter.observe_many(keys).empty());
    keys.push_back("late", -1s);
    EQUAL(lately::status::tick, filter.try_insert_many(keys).code);
    keys.clear();
    keys.push_back("a");
    OK(filter.try_insert_many(keys).code);
    keys.clear();
    keys.push_back("late", -1s);
    const Gathered moved = std::move(keys);
    EQUAL(lately::status::tick, filter.try_insert_many(moved).code);
    // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): that is what it is about.
    EQUAL(std::size_t{0}, keys.size());
    CHECK(filter.observe_many(keys).empty());
    keys.push_back("one");
    keys.push_back("two");
    CHECK(filter.observe_many(keys) == std::vector<verdict>(2, verdict::new_));
    // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
    keys.clear();
    keys.push_back("a");
    keys.push_back(lately::bytes(nullptr, 3));
    std::vector<verdict> room(2);
    const auto refused = filter.try_observe_many(keys, room);
    EQUAL(lately::status::null, refused.code);
    EQUAL(std::size_t{0}, refused.done);
}

TEST_BOTH(gathered_keys_are_used_again_and_moved) {
    is_used_again<lately::batch, handle>();
    is_used_again<lately::slices, handle>();
}

#if defined(__cpp_lib_expected)
TEST_BOTH(a_result_is_an_expected) {
    auto filter = begun<handle>();
    const std::expected<verdict, lately::status> seen = filter.try_observe("a");
    CHECK(seen.has_value() && *seen == verdict::new_);
    handle closed;
    const std::expected<verdict, lately::status> none = closed.try_observe("a");
    CHECK(!none.has_value() && none.error() == lately::status::closed);
}
#endif
