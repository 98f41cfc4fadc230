// Batches of keys where they lie, slices and columns, give what single calls give, whatever the range is.
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

const std::vector<std::string> WORDS = {"one", "", "a word that is too long for a string to keep inside", "one", "three", ""};
const std::vector<verdict> WANT = {verdict::new_,      verdict::new_, verdict::new_,
                                   verdict::duplicate, verdict::new_, verdict::duplicate};

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

TEST_BOTH(slices_of_any_range_are_single_calls) {
    const auto again = [] { return begun<handle>(); };
    CHECK(WANT == again().observe_many(WORDS));
    CHECK(WANT == again().observe_many(std::list<std::string>(WORDS.begin(), WORDS.end())));
    CHECK(WANT == again().observe_many(std::vector<std::string_view>(WORDS.begin(), WORDS.end())));
    const char* literals[] = {"one", "two", "one"};
    CHECK((std::vector{verdict::new_, verdict::new_, verdict::duplicate}) == again().observe_many(literals));
    const std::vector<std::vector<unsigned char>> octets = {{1, 2}, {}, {1, 2}};
    CHECK((std::vector{verdict::new_, verdict::new_, verdict::duplicate}) == again().observe_many(octets));
    auto filter = begun<handle>();
    std::vector<verdict> room(WORDS.size());
    filter.insert_many(WORDS);
    filter.contains_many(WORDS, room);
    CHECK(room == std::vector<verdict>(WORDS.size(), verdict::duplicate));
    CHECK(filter.contains_many(std::array<std::string_view, 2>{"one", "two"}) ==
          (std::vector{verdict::duplicate, verdict::new_}));
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

TEST_BOTH(gathered_slices_have_ticks_and_are_used_again) {
    auto filter = begun<handle>();
    lately::slices slices;
    slices.push_back("a", 1s);
    slices.push_back("a", 5s);
    slices.push_back("a", 60s);
    const std::vector<verdict> want = {verdict::new_, verdict::duplicate, verdict::new_};
    CHECK(want == filter.observe_many(slices));
    EQUAL(std::uint64_t{60000000000}, filter.stats().clock);
    slices.clear();
    EQUAL(std::size_t{0}, slices.size());
    CHECK(filter.observe_many(slices).empty());
    slices.push_back("b");
    slices.push_back("c", 61s);
    EQUAL(lately::status::offsets, filter.try_insert_many(slices).code);
    slices.clear();
    slices.push_back("late", -1s);
    EQUAL(lately::status::tick, filter.try_insert_many(slices).code);
    const lately::slices moved = std::move(slices);
    EQUAL(std::size_t{1}, moved.size());
    lately::slices null;
    null.push_back("a");
    null.push_back(lately::bytes(nullptr, 3));
    std::vector<verdict> room(2);
    const auto refused = filter.try_observe_many(null, room);
    EQUAL(lately::status::null, refused.code);
    EQUAL(std::size_t{0}, refused.done);
    EQUAL(lately::status::offsets, filter.try_observe_many(null, {room.data(), 1}).code);
}

TEST_BOTH(a_column_has_offsets_of_either_width_and_absent_keys) {
    const std::vector<std::int32_t> small = {1, 3, 5, 5};
    const std::vector<std::int64_t> large = {1, 3, 5, 5};
    const std::array<unsigned char, 1> bits = {0b1010'1000}; // from bit 3 on: present, absent, present
    const auto again = [] { return begun<handle>(); };
    const std::vector<verdict> all = {verdict::new_, verdict::duplicate, verdict::new_};
    const std::vector<verdict> gap = {verdict::new_, verdict::absent_key, verdict::new_};
    CHECK(all == again().observe_many(lately::column("xabab", small)));
    CHECK(all == again().observe_many(lately::column("xabab", large)));
    CHECK(gap == again().observe_many(lately::column("xabab", small).validity(bits, 3)));
    CHECK(gap == again().observe_many(lately::column("xabab", large).validity(bits, 3)));
    auto filter = begun<handle>();
    filter.insert_many(lately::column("xabcd", small).validity(bits, 3));
    const std::vector<verdict> found = {verdict::duplicate, verdict::new_, verdict::duplicate};
    CHECK(found == filter.contains_many(lately::column("xabcd", small)));
    std::array<verdict, 3> room{};
    filter.contains_many(lately::column("xabcd", large).validity(bits, 3), room);
    EQUAL(verdict::absent_key, room[1]);
}

TEST_BOTH(a_refused_tick_stops_a_column_behind_its_absent_keys) {
    auto filter = begun<handle>(manual().max_step(1s));
    const std::vector<std::int32_t> offsets = {0, 1, 2, 3};
    const std::vector<std::uint64_t> ticks = {1000000000, 99000000000, 99000000000};
    const std::array<unsigned char, 1> bits = {0b101};
    std::vector<verdict> verdicts(3, verdict::duplicate);
    const auto column = lately::column("abc", offsets).validity(bits).at(ticks);
    const auto result = filter.try_observe_many(column, verdicts);
    EQUAL(lately::status::tick, result.code);
    EQUAL(std::size_t{2}, result.done);
    EQUAL(verdict::absent_key, verdicts[1]);
    EQUAL(verdict::duplicate, verdicts[2]);
    EQUAL(std::size_t{2}, filter.try_insert_many(column).done);
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
    std::ostringstream out;
    out << verdict::new_ << ", " << verdict::absent_key;
    EQUAL(std::string("new, absent key"), out.str());
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

TEST(slices_that_were_moved_from_are_as_good_as_cleared) {
    auto filter = begun<lately::filter>();
    lately::slices from;
    from.push_back("one", lately::tick(std::chrono::seconds(-1)));
    const lately::slices to = std::move(from);
    EQUAL(lately::status::tick, filter.try_insert_many(to).code);
    // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): that is what it is about.
    EQUAL(0U, from.size());
    from.push_back("one");
    CHECK(filter.observe_many(from) == std::vector<lately::verdict>{lately::verdict::new_});
    // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}
