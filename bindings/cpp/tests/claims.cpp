// Claims: what the vectors do not have, and the guard that abandons.
#include "check.hpp"

#include <memory>
#include <stdexcept>

using namespace std::chrono_literals;
using lately::committed;
using lately::verdict;

namespace {

// A window of 60 s by a manual clock, whose claims last 10 s.
lately::options claiming() {
    return lately::options::window(60s).clock(lately::clock_source::manual_ns).lease(10s).max_claims(4);
}

} // namespace

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
        EQUAL(lately::status::tick, guard.try_commit(-1s).code());
        CHECK(committed::late == guard.commit(20s));
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
