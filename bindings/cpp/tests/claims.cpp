// A claim, its commit and its end, in both forms, and the guard that abandons.
#include "check.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;
using lately::committed;
using lately::verdict;

namespace {

// A window of 60 s by a manual clock, whose claims last 10 s.
lately::options claiming() {
    return lately::options::window(60s).clock(lately::clock_source::manual_ns).lease(10s).max_claims(4);
}

} // namespace

TEST_BOTH(claim_of_a_new_key_is_for_one_and_commit_stores_it) {
    auto filter = begun<handle>(claiming());
    const lately::claimed first = filter.claim("a", 1s);
    EQUAL(verdict::new_, first.verdict);
    CHECK(first.token != 0);
    const lately::claimed second = filter.claim("a");
    EQUAL(verdict::pending, second.verdict);
    EQUAL(std::uint64_t{0}, second.token);
    EQUAL(verdict::duplicate, filter.observe("a"));
    EQUAL(verdict::duplicate, filter.contains("a"));
    EQUAL(std::uint64_t{1}, filter.stats().open_claims);
    EQUAL(std::uint64_t{1}, filter.stats().pending);
    EQUAL(std::uint64_t{4}, filter.stats().max_claims);
    CHECK(committed::in_time == filter.commit("a", first.token));
    EQUAL(verdict::duplicate, filter.claim("a").verdict);
    CHECK(committed::already == filter.commit("a", first.token, 2s));
}

TEST_BOTH(abandon_leaves_no_trace) {
    auto filter = begun<handle>(claiming());
    const lately::claimed first = *filter.try_claim("a");
    filter.abandon("a", first.token);
    OK(filter.try_abandon("a", first.token));
    EQUAL(verdict::new_, filter.contains("a"));
    EQUAL(verdict::new_, filter.try_claim("a")->verdict);
}

TEST_BOTH(lease_of_exactly_its_length_is_open_and_a_nanosecond_later_over) {
    auto filter = begun<handle>(claiming());
    const lately::claimed first = filter.claim("a", 5s);
    EQUAL(verdict::pending, filter.claim("a", 15s).verdict);
    const lately::claimed second = *filter.try_claim("a", 15s + 1ns);
    EQUAL(verdict::new_, second.verdict);
    EQUAL(std::uint64_t{1}, filter.stats().expired_claims);
    CHECK(committed::late == filter.commit("a", first.token));
    CHECK(committed::already == *filter.try_commit("a", second.token));
}

TEST_BOTH(commit_after_the_lease_is_late) {
    auto filter = begun<handle>(claiming());
    const lately::claimed first = filter.claim("a", 5s);
    CHECK(committed::late == *filter.try_commit("a", first.token, 30s));
    EQUAL(verdict::duplicate, filter.contains("a", 90s));
}

TEST_BOTH(token_that_was_never_given_out_is_refused) {
    auto filter = begun<handle>(claiming());
    const lately::claimed first = filter.claim("a");
    EQUAL(lately::status::claim, filter.try_commit("b", first.token).code());
    EQUAL(lately::status::claim, filter.try_commit("a", 0).code());
    EQUAL(lately::status::claim, filter.try_abandon("a", first.token + 1));
    CHECK(committed::in_time == filter.commit("a", first.token));
}

TEST_BOTH(full_claims_refuse_and_change_nothing) {
    auto filter = begun<handle>(claiming());
    for (const char* key : {"a", "b", "c", "d"}) {
        EQUAL(verdict::new_, filter.claim(key).verdict);
    }
    EQUAL(lately::status::full, filter.try_claim("e").code());
    EQUAL(verdict::new_, filter.contains("e"));
    EQUAL(std::uint64_t{4}, filter.stats().open_claims);
    EQUAL(verdict::pending, filter.claim("a").verdict);
}

TEST_BOTH(claims_need_a_lease_and_ticks_a_manual_clock) {
    auto filter = begun<handle>();
    EQUAL(lately::status::unsupported, filter.try_claim("a").code());
    EQUAL(lately::status::unsupported, filter.try_commit("a", 1).code());
    EQUAL(lately::status::unsupported, filter.try_abandon("a", 1));
    handle last(lately::options::last(100).lease(1h));
    EQUAL(verdict::new_, last.claim("a").verdict);
    EQUAL(lately::status::clock, last.try_claim("b", 1s).code());
    const std::uint64_t one[] = {1};
    EQUAL(lately::status::unsupported, last.try_insert_many(lately::hashes(one)).code);
    auto timed = begun<handle>(claiming());
    EQUAL(lately::status::tick, timed.try_claim("a", -1s).code());
    EQUAL(lately::status::tick, timed.try_commit("a", timed.claim("a").token, -1s).code());
}

TEST(a_lease_and_a_number_of_claims_are_never_0) {
    lately::failure why;
    CHECK(!lately::filter::try_new(lately::options::window(1s).lease(0s), &why));
    EQUAL(lately::field::lease_ns, why.field);
    CHECK(!lately::filter::try_new(lately::options::window(1s).lease(1s).max_claims(0), &why));
    EQUAL(lately::field::max_claims, why.field);
    CHECK(!lately::filter::try_new(lately::options::window(1s).lease(2s), &why));
    EQUAL(lately::field::lease_ns, why.field);
}

TEST_BOTH(guard_abandons_unless_it_was_committed) {
    auto filter = begun<handle>(claiming());
    {
        const lately::claim_guard guard(filter, "a");
        EQUAL(verdict::new_, guard.verdict());
        EQUAL(verdict::pending, filter.claim("a").verdict);
        const lately::claim_guard other(filter, "a");
        EQUAL(verdict::pending, other.verdict());
    }
    EQUAL(std::uint64_t{0}, filter.stats().open_claims);
    {
        lately::claim_guard guard(filter, std::string("a"), 1s);
        EQUAL(verdict::new_, guard.verdict());
        CHECK(committed::in_time == guard.commit());
        EQUAL(lately::status::claim, guard.try_commit().code());
    }
    EQUAL(verdict::duplicate, filter.contains("a"));
    EQUAL(verdict::duplicate, lately::claim_guard(filter, "a").verdict());
}

TEST_BOTH(guard_abandons_at_an_exception) {
    auto filter = begun<handle>(claiming());
    try {
        const lately::claim_guard guard(filter, "a");
        throw std::runtime_error("the work failed");
    } catch (const std::runtime_error&) {
        EQUAL(verdict::new_, filter.claim("a").verdict);
    }
}

TEST_BOTH(guard_moves_and_is_released) {
    auto filter = begun<handle>(claiming());
    std::uint64_t token = 0;
    {
        auto made = lately::claim_guard<handle>::try_claim(filter, "a", 1s);
        lately::claim_guard<handle> moved(*std::move(made));
        lately::claim_guard<handle> assigned(filter, "b");
        assigned = std::move(moved);
        EQUAL(verdict::new_, filter.contains("b"));
        EQUAL(std::uint64_t{1}, filter.stats().open_claims);
        token = assigned.token();
        EQUAL(token, assigned.release());
    }
    EQUAL(verdict::pending, filter.claim("a").verdict);
    CHECK(committed::in_time == filter.commit("a", token));
    EQUAL(lately::status::null, lately::claim_guard<handle>::try_claim(filter, lately::bytes(nullptr, 3)).code());
}

TEST(guard_of_a_result_commits) {
    lately::shared_filter filter(lately::options::window(1h).lease(1min));
    auto guard = lately::claim_guard<lately::shared_filter>::try_claim(filter, "a");
    CHECK(guard && guard->verdict() == verdict::new_ && guard->commit() == committed::in_time);
    EQUAL(verdict::duplicate, filter.contains("a"));
}

TEST(guard_of_a_shared_filter_keeps_it_alive_and_ends_its_claim) {
    auto first = std::make_unique<lately::shared_filter>(lately::options::window(1h).lease(1min));
    lately::shared_filter witness = *first;
    lately::claim_guard kept(*first, "a");
    lately::claim_guard abandoned(*first, "b");
    first.reset();
    CHECK(committed::in_time == kept.commit());
    EQUAL(verdict::duplicate, witness.contains("a"));
    lately::claim_guard moved = std::move(abandoned);
    moved.abandon();
    EQUAL(verdict::new_, witness.claim("b").verdict);
    auto alone = std::make_unique<lately::shared_filter>(lately::options::window(1h).lease(1min));
    lately::claim_guard last(*alone, "c");
    alone->close();
    alone.reset();
    CHECK(committed::in_time == last.commit());
}

TEST(guard_that_moved_on_leaves_the_other_without_a_claim) {
    lately::shared_filter filter(lately::options::window(1h).lease(1min));
    lately::claim_guard a(filter, "a");
    lately::claim_guard b(filter, "b");
    a = std::move(b);
    EQUAL(verdict::new_, filter.claim("a").verdict);
    EQUAL(lately::status::claim, b.try_commit().code()); // NOLINT(bugprone-use-after-move)
    b.abandon();
    EQUAL(verdict::pending, filter.claim("b").verdict);
    CHECK(committed::in_time == a.commit());
}

TEST_BOTH(guard_commits_late) {
    auto filter = begun<handle>(claiming());
    lately::claim_guard guard(filter, "a", 1s);
    CHECK(committed::late == guard.commit(20s));
    EQUAL(std::uint64_t{1}, filter.stats().expired_claims);
}

TEST_BOTH(snapshot_keeps_an_open_claim_and_its_token) {
    auto filter = begun<handle>(claiming());
    const std::uint64_t token = filter.claim("a", 1s).token;
    handle loaded = handle::load(filter.snapshot(), 5s);
    EQUAL(verdict::pending, loaded.claim("a").verdict);
    CHECK(committed::in_time == loaded.commit("a", token));
    handle late = handle::load(filter.snapshot(), 11s);
    EQUAL(verdict::new_, late.claim("a").verdict);
}

TEST(of_many_threads_that_claim_one_key_exactly_one_gets_new) {
    lately::shared_filter filter(lately::options::window(1h).lease(1min));
    for (int round = 0; round < 50; ++round) {
        const std::string key = "key " + std::to_string(round);
        std::atomic<int> news{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&filter, &news, &key] {
                lately::claim_guard guard(filter, key);
                if (guard.verdict() == verdict::new_) {
                    ++news;
                    CHECK(committed::in_time == guard.commit());
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        EQUAL(1, news.load());
    }
}
