// Requests: what they ask for reaches the library, and what is wrong comes back with the option's name.
#include "check.hpp"

#include <cstring>
#include <type_traits>

using namespace std::chrono_literals;

namespace {

// What the library or the header says to a request that cannot be.
lately::failure refused(const lately::options& request) {
    lately::failure why;
    CHECK(!lately::filter::try_new(request, &why));
    lately::failure same;
    CHECK(!lately::try_plan(request, &same));
    EQUAL(std::string(why.message), std::string(same.message));
    return why;
}

void names(lately::field field, const lately::options& request, const char* part) {
    const lately::failure why = refused(request);
    EQUAL(lately::status::option, why.code);
    EQUAL(field, why.field);
    const std::string message = why.message;
    CHECK(message.find(lately::name(field)) == 0);
    if (message.find(part) == std::string::npos) {
        EQUAL(std::string(part), message);
    }
}

} // namespace

static_assert(!std::is_convertible_v<int, lately::detail::time_span>, "a window has a unit");
static_assert(!std::is_convertible_v<double, lately::detail::whole>, "a count is whole");

TEST(a_number_that_does_not_fit_is_named_and_not_clamped) {
    names(lately::field::k, manual().k(-1), "k = -1: must be 1 to 1023");
    names(lately::field::l, manual().l(std::uint64_t{1} << 32), "l = 4294967296: must be 1 to 1023");
    names(lately::field::memory, manual().memory(-5L), "memory = -5 bytes: must be 256 to 72057594037927936 bytes");
    names(lately::field::memory, manual().memory(0), "memory = 0 bytes: must be 256 to 72057594037927936 bytes; leave it out if you have none");
    names(lately::field::memory, lately::options(lately::kind::time_limited).memory(-5), "must be 1 to 18446744073709551615 bytes");
    names(lately::field::window_ns, manual().window_ns(-3min), "window_ns = -3 x 60/1 s: must be 1 to");
    names(lately::field::window_ns, manual().window_ns(std::chrono::hours(5124096)), "window_ns = 5124096 x 3600/1 s");
    names(lately::field::max_step_ns, manual().max_step(-1ns), "max_step_ns = -1 x 1/1000000000 s");
    names(lately::field::lateness_ns, manual().lateness(-1ns), "lateness_ns = -1 x 1/1000000000 s");
}

// The range of the message of a number that the library never gets is the one that the library has for the largest number.
template <class Set>
void has_the_range_of_the_library(lately::options request, lately::field field, Set set, std::uint64_t most) {
    const auto range = [&](const lately::options& asked) {
        const std::string message = refused(asked).message;
        return message.substr(message.find(": "));
    };
    lately::options negative = request, largest = request;
    set(negative, std::int64_t{-1});
    set(largest, most);
    EQUAL(field, negative.unfit().field);
    EQUAL(range(largest), range(negative));
    CHECK(range(negative).find("18446744073709551615") == std::string::npos);
    CHECK(range(negative).find("4294967295") == std::string::npos);
}

TEST(a_number_that_does_not_fit_has_the_range_of_the_library) {
    const std::uint64_t wide = UINT64_MAX, narrow = UINT32_MAX;
    const auto keys = lately::options::age_partitioned(1000), set = lately::options::tiny_set(1000);
    const auto window = lately::options::window(10s), cells = lately::options::quotient(4096);
    for (const auto& request : {manual(), keys, set, window, cells}) {
        has_the_range_of_the_library(request, lately::field::memory, [](auto& o, auto n) { o.memory(n); }, wide);
        has_the_range_of_the_library(request, lately::field::block_bytes, [](auto& o, auto n) { o.block_bytes(n); }, narrow);
        has_the_range_of_the_library(request, lately::field::chains, [](auto& o, auto n) { o.chains(n); }, narrow);
        has_the_range_of_the_library(request, lately::field::age_bits, [](auto& o, auto n) { o.age_bits(n); }, narrow);
        has_the_range_of_the_library(request, lately::field::max_slices, [](auto& o, auto n) { o.max_slices(n); }, narrow);
        has_the_range_of_the_library(request, lately::field::l, [](auto& o, auto n) { o.l(n); }, narrow);
        has_the_range_of_the_library(request, lately::field::fingerprint_bits,
                                     [](auto& o, auto n) { o.fingerprint_bits(n); }, narrow);
    }
    for (const auto& request : {manual(), set, window}) {
        has_the_range_of_the_library(request, lately::field::capacity, [](auto& o, auto n) { o.capacity(n); }, wide);
    }
    for (const auto& request : {keys, cells, lately::options::last(5)}) {
        has_the_range_of_the_library(request, lately::field::window_keys, [](auto& o, auto n) { o.window_keys(n); }, wide);
    }
    const auto late = lately::options::window(10s).clock(lately::clock_source::manual_ns).lateness(-1ns);
    EQUAL(std::string("lateness_ns = -1 x 1/1000000000 s: must be 0 to 34285714285 ns"), std::string(late.unfit().message));
}

TEST_BOTH(the_first_misfit_stays_until_it_is_mended) {
    names(lately::field::k, manual().k(-1).l(-2).memory(1 << 20), "k = -1");
    names(lately::field::k, manual().k(-1).k(-2), "k = -2");
    CHECK(handle::try_new(manual().memory(-1).memory(1 << 20)));
    EQUAL(lately::status::ok, manual().window_ns(-1s).window_ns(1s).unfit().code);
}

TEST(a_kind_may_be_asked_for_by_what_it_needs) {
    EQUAL(std::uint32_t{LATELY_KIND_AGE_PARTITIONED}, lately::options::age_partitioned(1000).raw().kind);
    EQUAL(std::uint64_t{1000}, lately::options::age_partitioned(1000).raw().window_keys);
    names(lately::field::window_keys, lately::options::age_partitioned(-1), "window_keys = -1");
    EQUAL(std::uint32_t{LATELY_KIND_TINY_SET}, lately::options::tiny_set(1000).raw().kind);
    EQUAL(std::uint64_t{1000}, lately::options::tiny_set(1000).raw().capacity);
    EQUAL(std::uint32_t{LATELY_KIND_QUOTIENT}, lately::options::quotient(4096).raw().kind);
    EQUAL(std::uint64_t{4096}, lately::options::quotient(4096).raw().memory);
}

TEST(a_plan_is_that_of_the_c_call) {
    const auto request = manual().capacity(100000).error_rate(1e-3);
    lately_plan_result want = LATELY_PLAN_RESULT_INIT;
    EQUAL(LATELY_OK, lately_plan(&request.raw(), &want, nullptr));
    const lately::plan_result have = lately::plan(request);
    CHECK(std::memcmp(&want, static_cast<const lately_plan_result*>(&have), sizeof want) == 0);
    CHECK(have.k > 0 && have.l > 0 && have.bytes > 100000 && have.error_rate_worst <= 1e-3);
    EQUAL(have.bytes, lately::try_plan(request)->bytes);
}

TEST(a_plan_that_cannot_be_throws) {
    EQUAL(lately::field::error_rate, thrown([] { (void)lately::plan(manual().error_rate(3)); }).field());
}
