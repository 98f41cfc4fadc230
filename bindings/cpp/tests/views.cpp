// A view of the elements whose keys are new: against a set, one by one as they are wanted, and with other views.
#include "check.hpp"

#if defined(__cpp_lib_ranges)

#include <list>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>

namespace {

struct order {
    std::string id;
    int amount;
};

std::vector<order> many() {
    std::vector<order> all;
    std::uint64_t state = 1;
    for (int i = 0; i < 5000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        all.push_back({"order-" + std::to_string((state >> 33) % 2000), i});
    }
    return all;
}

template <class handle>
handle of_the_last() {
    return handle(lately::options::last(100000));
}

} // namespace

TEST_BOTH(the_elements_that_a_view_passes_on_are_those_that_a_set_takes) {
    auto seen = of_the_last<handle>();
    const auto orders = many();
    std::set<std::string> set;
    std::vector<int> want;
    for (const order& one : orders) {
        if (set.insert(one.id).second) {
            want.push_back(one.amount);
        }
    }
    std::vector<int> got;
    for (const order& one : orders | lately::views::first(seen, &order::id)) {
        got.push_back(one.amount);
    }
    CHECK(want == got);
    EQUAL(std::uint64_t{5000}, seen.stats().new_count + seen.stats().duplicate_count);
    for (const order& one : orders | lately::views::first(seen, &order::id)) {
        CHECK(one.id.empty()); // All were seen.
    }
}

TEST_BOTH(a_view_observes_what_is_wanted_and_no_more) {
    auto seen = of_the_last<handle>();
    std::vector<std::string> words = {"a", "a", "b", "c"};
    auto view = words | lately::views::first(seen);
    EQUAL(std::uint64_t{0}, seen.stats().new_count);
    for (std::string& word : view | std::views::take(2)) {
        word += "!";
    }
    CHECK((words == std::vector<std::string>{"a!", "a", "b!", "c"}));
    EQUAL(lately::verdict::new_, seen.contains("c"));
    EQUAL(std::uint64_t{2}, seen.stats().new_count);
    EQUAL(std::uint64_t{1}, seen.stats().duplicate_count);
    std::vector<std::string> none;
    auto nothing = none | lately::views::first(seen);
    CHECK(nothing.begin() == nothing.end());
}

TEST_BOTH(a_view_composes_with_any_range_and_any_function_of_a_key) {
    auto seen = of_the_last<handle>();
    const std::string prefix = "user-";
    auto key = [&prefix](int number) { return prefix + std::to_string(number % 3); };
    auto view = std::views::iota(0, 10) | lately::views::first(seen, key) | std::views::transform([](int n) { return 10 * n; });
    std::vector<int> got;
    for (int n : view) {
        got.push_back(n);
    }
    CHECK((got == std::vector{0, 10, 20}));
    EQUAL(lately::verdict::duplicate, seen.contains("user-2"));
    std::istringstream text("x y x z");
    std::string said;
    for (const std::string& word : std::views::istream<std::string>(text) | lately::views::first(seen)) {
        said += word;
    }
    CHECK(said == "xyz");
    // An assignment copies the other view with its function.
    auto one = std::list<int>{1, 1, 7} | lately::views::first(seen, [&](int n) { return prefix + std::to_string(n); });
    auto other = std::move(one);
    one = std::move(other);
    got.assign(1, 0);
    for (int n : one) {
        got.push_back(n);
    }
    CHECK((got == std::vector{0, 7}));
    using view_type = decltype(one);
    static_assert(std::ranges::view<view_type> && std::ranges::input_range<view_type> && !std::ranges::forward_range<view_type>);
}

TEST_BOTH(an_error_of_a_view_is_thrown_where_it_is_met) {
    auto seen = begun<handle>();
    std::vector<std::string> words = {"a", "b"};
    auto view = words | lately::views::first(seen);
    auto it = view.begin();
    CHECK(*it == "a");
    seen.close();
    ++it;
    EQUAL(lately::status::closed, thrown([&] { static_cast<void>(it == view.end()); }).code());
}

#endif
