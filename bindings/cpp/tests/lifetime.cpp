// Owning a filter: moves, closing, handles of the C ABI. Run with AddressSanitizer too.
#include "check.hpp"

#include <type_traits>

using namespace std::chrono_literals;
using lately::filter;
using lately::shared_filter;
using lately::status;

namespace {

// Every verb of a filter that is closed.
template <class Filter>
void all_verbs_say_closed(Filter& closed) {
    const std::uint64_t offsets[] = {0, 1};
    const std::uint64_t seven[] = {7};
    const lately::hashes hashes(seven);
    lately::verdict verdicts[1];
    std::uint8_t removed[1];
    const lately::keys keys("a", offsets);
    EQUAL(status::closed, closed.try_observe("a").code());
    EQUAL(status::closed, closed.try_observe("a", -1s).code());
    EQUAL(status::closed, closed.try_insert("a"));
    EQUAL(status::closed, closed.try_contains("a").code());
    EQUAL(status::closed, closed.try_remove("a").code());
    EQUAL(status::closed, closed.try_observe_many(keys, verdicts).code);
    EQUAL(status::closed, closed.try_observe_many(lately::keys("", {}), verdicts).code);
    EQUAL(status::closed, closed.try_insert_many(keys).code);
    EQUAL(status::closed, closed.try_contains_many(keys, verdicts).code);
    EQUAL(status::closed, closed.try_remove_many(keys, removed).code);
    EQUAL(status::closed, closed.try_observe_many(hashes, {}).code);
    EQUAL(status::closed, closed.try_advance(1s));
    EQUAL(status::closed, closed.try_clear());
    EQUAL(status::closed, closed.try_copy().code());
    EQUAL(status::closed, closed.try_stats().code());
    EQUAL(status::closed, closed.try_stats_reset());
    EQUAL(status::closed, closed.try_hash("a").code());
    EQUAL(status::closed, closed.try_secret().code());
    EQUAL(status::closed, closed.try_snapshot_size().code());
    EQUAL(status::closed, closed.try_snapshot_write(removed).code());
    EQUAL(status::closed, closed.try_snapshot().code());
    EQUAL(status::closed, closed.try_claim("a").code());
    EQUAL(status::closed, closed.try_commit("a", 1).code());
    EQUAL(status::closed, closed.try_abandon("a", 1));
    EQUAL(status::closed, closed.try_observe_age("a").code());
}

void free_in_c(lately_filter* handle) { lately_filter_free(handle); }

} // namespace

static_assert(!std::is_copy_constructible_v<filter> && !std::is_copy_assignable_v<filter>);
static_assert(std::is_nothrow_copy_constructible_v<shared_filter> && std::is_nothrow_copy_assignable_v<shared_filter>);
static_assert(std::is_nothrow_move_constructible_v<filter> && std::is_nothrow_move_assignable_v<filter>);
static_assert(std::is_nothrow_move_constructible_v<shared_filter> && std::is_nothrow_move_assignable_v<shared_filter>);
static_assert(sizeof(filter) <= 16 && sizeof(shared_filter) <= 16, "a handle, and the unit of its clock");

TEST_BOTH(a_moved_filter_lives_on) {
    auto one = begun<handle>();
    one.insert("a");
    handle two = std::move(one);
    EQUAL(lately::verdict::duplicate, two.contains("a"));
    handle three;
    three = std::move(two);
    EQUAL(lately::verdict::duplicate, three.contains("a"));
    all_verbs_say_closed(one); // NOLINT(bugprone-use-after-move)
    all_verbs_say_closed(two); // NOLINT(bugprone-use-after-move)
    CHECK(!one && !two && three);
}

TEST_BOTH(a_closed_filter_throws_and_says_so) {
    auto closed = begun<handle>();
    closed.close();
    closed.close();
    all_verbs_say_closed(closed);
    const lately::error error = thrown([&] { (void)closed.observe("a"); });
    EQUAL(status::closed, error.code());
    EQUAL(std::string("observe: CLOSED: the filter was closed"), std::string(error.what()));
}

TEST_BOTH(a_filter_that_never_was_is_closed) {
    handle none;
    all_verbs_say_closed(none);
    handle adopted = handle::adopt(nullptr);
    all_verbs_say_closed(adopted);
}

TEST_BOTH(assigning_over_a_filter_frees_it) {
    auto one = begun<handle>();
    auto two = begun<handle>(manual().seed(1));
    two.insert("a");
    one = std::move(two);
    EQUAL(lately::verdict::duplicate, one.contains("a"));
    handle& same = one;
    one = std::move(same);
    std::swap(one, two);
    EQUAL(lately::verdict::duplicate, two.contains("a"));
}

TEST_BOTH(handles_pass_to_and_from_c) {
    auto one = begun<handle>();
    one.insert("a");
    CHECK(one.get() != nullptr);
    auto* in_c = one.release();
    CHECK(!one);
    handle two = handle::adopt(in_c);
    EQUAL(lately::verdict::duplicate, two.contains("a"));
    free_in_c(two.release());
}
