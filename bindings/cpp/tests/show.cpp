// What a stream shows: no secret, a filter in one line. Sizes of 0, results in the shape of std::expected, hashes and
// numbers as keys.
#include "check.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace {

template <class T>
std::string shown(const T& what) {
    std::ostringstream out;
    out << what;
    return out.str();
}

constexpr lately::secret telling{1234567890123456789U, 0xABCDEF0123456789U};

bool tells(const std::string& text) {
    return text.find(std::to_string(telling.lo)) != std::string::npos ||
           text.find(std::to_string(telling.hi)) != std::string::npos;
}

TEST(no_stream_shows_a_secret) {
    const auto request = lately::options::last(1000).keyed(true).secret(telling);
    const lately::filter filter(request);
    CHECK(!tells(shown(telling)) && !tells(shown(request)) && !tells(shown(filter)) && !tells(shown(filter.secret())));
    CHECK(!tells(shown(lately::load_options().secret(telling).memory(5))));
    EQUAL(std::string("lately::options(kind = window_table, window_keys = 1000, keyed = 1, secret = (secret))"), shown(request));
    EQUAL(std::string("lately::load_options(memory = 5, new_memory = 6, secret = (secret))"),
          shown(lately::load_options().secret(telling).memory(5).new_memory(6)));
}

TEST(a_filter_is_one_line) {
    lately::filter filter(lately::options::last(1000));
    const lately::shared_filter shared(lately::options::last(1000));
    const std::string line = shown(filter);
    EQUAL(std::size_t{0}, line.find("lately::filter(window-table, window 1000 keys, "));
    EQUAL(std::string::npos, line.find('\n'));
    EQUAL(line, shown(shared));
    EQUAL(line, "lately::filter(" + std::string(filter.describe().text) + ")");
    filter.close();
    EQUAL(std::string("lately::filter(CLOSED)"), shown(filter));
    EQUAL(lately::status::closed, filter.try_describe().code());
    EQUAL(std::string("duplicate"), shown(lately::verdict::duplicate));
    EQUAL(std::string("TICK"), shown(lately::status::tick));
    EQUAL(std::string("window_ns"), shown(lately::field::window_ns));
}

// 4 << 30 is 0 in 32 bits, and would be a filter without a limit.
TEST(a_size_of_zero_does_not_fit) {
    using namespace std::chrono_literals;
    const auto refused = [](const lately::options& request, lately::field option) {
        lately::failure why;
        const auto made = lately::filter::try_new(request, &why);
        CHECK(!made);
        EQUAL(lately::status::option, why.code);
        EQUAL(option, why.field);
        CHECK(std::string(why.message).find(" = 0") != std::string::npos && std::string(why.message).find(": ") != std::string::npos);
        CHECK(std::string(why.message).find("; leave it out if you have none") != std::string::npos);
    };
    refused(lately::options::last(5).memory(0), lately::field::memory);
    refused(lately::options::last(0), lately::field::window_keys);
    refused(lately::options::window(0s), lately::field::window_ns);
    refused(lately::options(lately::kind{3}).capacity(0), lately::field::capacity);
    refused(lately::options::window(1s).lease(0s), lately::field::lease_ns);
    refused(lately::options::window(1s).lease(1s).max_claims(0), lately::field::max_claims);
    EQUAL(lately::status::option, lately::load_options().memory(0).unfit().code);
    EQUAL(lately::status::option, lately::load_options().new_memory(0).unfit().code);
    CHECK(static_cast<bool>(lately::filter::try_new(lately::options::last(5).memory(0).memory(1 << 20))));
}

// A number that is none comes of a cast, such as from a file of settings.
TEST(errors_name_choices_and_not_the_numbers_of_c) {
    const auto says = [](const lately::options& request, lately::field option, const std::string& want) {
        lately::failure why;
        CHECK(!lately::filter::try_new(request, &why));
        EQUAL(lately::status::option, why.code);
        EQUAL(option, why.field);
        EQUAL(want, std::string(why.message));
    };
    const auto last = [] { return lately::options::last(5); };
    const std::string kinds = "must be one of time_limited, age_partitioned, tiny_set, quotient, window_table";
    says(lately::options(lately::kind{}), lately::field::kind, "kind = 0: " + kinds);
    says(last().kind(lately::kind{6}), lately::field::kind, "kind = 6: " + kinds);
    says(last().clock(lately::clock_source{6}), lately::field::clock,
         "clock = 6: must be one of system, manual_ns, manual_us, manual_ms, manual_s");
    says(last().repeat(lately::repeat{3}), lately::field::repeat, "repeat = 3: must be one of refresh, keep_first");
    says(last().on_limit(lately::on_limit{9}), lately::field::on_limit,
         "on_limit = 9: must be one of forget_oldest, raise_error_rate");
    says(last().variant(lately::variant{5}), lately::field::variant, "variant = 5: must be one of qht, qhtd, qqht, qqhtd");
    says(last().on_limit(lately::on_limit::raise_error_rate), lately::field::on_limit,
         "on_limit = raise_error_rate: cannot be combined with window_keys");
    says(lately::options::window(std::chrono::seconds(5)).on_limit(lately::on_limit::raise_error_rate),
         lately::field::on_limit,
         "on_limit = raise_error_rate: must be forget_oldest; the kind time-limited keeps the window and raises the error rate");
    says(last().k(3), lately::field::k, "k = 3: window_table does not take this option");
    says(last().error_rate(std::nan("")), lately::field::error_rate, "error_rate = NaN: must be above 0 and at most 0.5");
    const auto set = [] { return lately::options(lately::kind::tiny_set).capacity(9); };
    const std::string none = ": tiny_set does not take this option";
    says(set().variant(lately::variant::qqhtd), lately::field::variant, "variant = qqhtd" + none);
    says(set().repeat(lately::repeat::keep_first), lately::field::repeat, "repeat = keep_first" + none);
    says(set().clock(lately::clock_source::manual_ns), lately::field::clock, "clock = manual(nanoseconds)" + none);
    CHECK(static_cast<bool>(lately::filter::try_new(last().repeat(lately::repeat{3}).repeat(lately::repeat::refresh))));
    CHECK(static_cast<bool>(lately::filter::try_new(last().clock(lately::clock_source{}))));
    EQUAL(std::string("keep_first"), std::string(lately::name(lately::repeat::keep_first)));
    EQUAL(std::string(), std::string(lately::name(lately::variant{5})));
}

TEST(a_stream_shows_choices_by_name) {
    EQUAL(std::string("age_partitioned"), shown(lately::kind::age_partitioned));
    EQUAL(std::string("manual_ns"), shown(lately::clock_source::manual_ns));
    EQUAL(std::string("raise_error_rate"), shown(lately::on_limit::raise_error_rate));
    EQUAL(std::string("7"), shown(lately::kind{7}));
    const auto request = lately::options(lately::kind::quotient).variant(lately::variant::qqhtd).repeat(
        lately::repeat::keep_first);
    EQUAL(std::string("lately::options(kind = quotient, repeat = keep_first, variant = qqhtd)"), shown(request));
}

TEST(a_result_gives_its_value_to_be_used_as_expected_does) {
    auto made = lately::filter::try_new(lately::options::window(std::chrono::minutes(10)));
    EQUAL(lately::verdict::new_, made->observe("order-17"));
    EQUAL(lately::verdict::duplicate, (*made).observe("order-17"));
    EQUAL(lately::verdict::new_, made.value().observe("order-18"));
    CHECK(!lately::filter::try_new(lately::options::last(-1)).value_or(lately::filter()));
    const auto chained = made.and_then([](lately::filter& filter) { return filter.try_observe("order-18"); });
    EQUAL(lately::verdict::duplicate, *chained);
    EQUAL(lately::verdict::new_, *made.transform([](lately::filter& filter) { return filter.observe("order-19"); }));
    lately::filter taken = std::move(*made);
    EQUAL(lately::verdict::duplicate, taken.observe("order-19"));
    static_assert(std::is_same_v<decltype(*made), lately::filter&>);
    static_assert(std::is_same_v<decltype(made.value()), lately::filter&>);
    static_assert(std::is_same_v<decltype(made.operator->()), lately::filter*>);
    static_assert(std::is_same_v<decltype(*std::as_const(made)), const lately::filter&>);
    static_assert(std::is_same_v<decltype(std::as_const(made).value()), const lately::filter&>);
    static_assert(std::is_same_v<decltype(*std::move(made)), lately::filter&&>);
    lately::filter claims(lately::options::window(std::chrono::minutes(10)).lease(std::chrono::seconds(30)));
    EQUAL(lately::verdict::new_, claims.try_claim("a").transform([](auto claim) { return claim.verdict; }).value());
}

TEST(results_are_compared_and_chained) {
    using lately::result;
    using lately::status;
    const result<int> two = 2;
    const result<int> none = status::clock;
    CHECK(two.has_value() && two && two.error() == status::ok && two.code() == status::ok && !none && !none.has_value());
    CHECK(none.value_or(7) == 7 && two.value_or(7) == 2 && none.error() == status::clock);
    EQUAL(status::clock, thrown([&] { (void)none.value(); }).code());
    static_assert(std::is_same_v<result<int>::value_type, int> && std::is_same_v<result<int>::error_type, status>);
    CHECK(two == two && two == result<int>(2) && two == 2 && two != 3 && two != none);
    CHECK(none == none && none == status::clock && none != result<int>(status::tick));
    const auto half = [](int n) { return n % 2 == 0 ? result<int>(n / 2) : result<int>(status::option); };
    EQUAL(1, two.and_then(half).value());
    CHECK(two.and_then(half).and_then(half).error() == status::option);
    CHECK(none.and_then(half).error() == status::clock);
    EQUAL(std::string("22"), two.transform([](int n) { return std::to_string(n) + "2"; }).value());
    CHECK(none.transform([](int n) { return n + 0.5; }).error() == status::clock);
    const auto as_number = [](status code) { return result<int>(static_cast<int>(code)); };
    EQUAL(2, two.or_else(as_number).value());
    EQUAL(static_cast<int>(status::clock), none.or_else(as_number).value());
    // What is only moved goes through a chain.
    const auto size = lately::filter::try_new(lately::options::last(5))
                          .and_then([](lately::filter&& filter) { return result<lately::filter>(std::move(filter)); })
                          .transform([](const lately::filter& filter) { return filter.stats().items; });
    EQUAL(std::uint64_t{0}, size.value());
}

/** A request by two users: one names a temporary, which must live as long as its name; one changes what it has. */
TEST(a_named_request_does_not_dangle) {
    const auto& named = lately::options::window(std::chrono::minutes(10)).memory(64 << 20).seed(7);
    const auto& loaded = lately::load_options().memory(5).secret({1, 2});
    auto&& raw = lately::options::last(5).error_rate(1e-4).raw();
    lately::options kept = lately::options::tiny_set(100);
    lately::options& same = kept.removable(true).seed(9);
    EQUAL(std::uint64_t{64 << 20}, named.raw().memory);
    EQUAL(std::uint64_t{7}, named.raw().seed);
    EQUAL(std::uint64_t{2}, loaded.raw().secret_hi);
    EQUAL(std::uint64_t{5}, raw.window_keys);
    CHECK(&same == &kept && kept.raw().removable == 1 && kept.raw().seed == 9);
    static_assert(!std::is_reference_v<decltype(lately::options::last(5).memory(7))>);
    static_assert(!std::is_reference_v<decltype(lately::load_options().memory(7))>);
    CHECK(static_cast<bool>(lately::filter::try_new(named)));
}

#if defined(__cpp_lib_span)
TEST(spans_go_in_and_come_out) {
    lately::filter filter(lately::options::last(50));
    const std::uint64_t numbers[] = {1, 2, 1};
    lately::verdict verdicts[3] = {};
    filter.observe_many(lately::u64s(std::span<const std::uint64_t>(numbers)), std::span<lately::verdict>(verdicts));
    const std::span<lately::verdict> seen = lately::array_view<lately::verdict>(verdicts);
    CHECK(seen.size() == 3 && seen[2] == lately::verdict::duplicate);
}
#endif

TEST_BOTH(numbers_are_keys_of_8_bytes) {
    handle filter(lately::options::last(1000));
    const std::vector<std::uint64_t> numbers = {7, 0x0102030405060708, 7}, ticks(3);
    const std::vector<lately::verdict> want = {lately::verdict::new_, lately::verdict::new_, lately::verdict::duplicate};
    CHECK(filter.observe_many(lately::u64s(numbers)) == want);
    EQUAL(lately::verdict::duplicate, filter.contains(lately::le64(0x0102030405060708)));
    filter.clear();
    filter.insert_many(lately::u64s(numbers));
    CHECK(filter.contains_many(lately::u64s(numbers)) == std::vector<lately::verdict>(3, lately::verdict::duplicate));
    EQUAL(lately::status::clock, filter.try_insert_many(lately::u64s(numbers, ticks)).code);
    EQUAL(lately::status::offsets, filter.try_insert_many(lately::u64s(numbers, {ticks.data(), 2})).code);
}

} // namespace
