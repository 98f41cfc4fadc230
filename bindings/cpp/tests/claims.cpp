// Claims: the vectors of tests/vectors/claims.txt, whose first lines describe it; and the guard that abandons.
#include "script.hpp"

#include <stdexcept>

using namespace std::chrono_literals;
using lately::committed;
using lately::verdict;

namespace {

// A window of 60 s by a manual clock, whose claims last 10 s.
lately::options claiming() {
    return lately::options::window(60s).clock(lately::clock_source::manual_ns).lease(10s).max_claims(4);
}

using script::number;
using script::unhex;
using script::words;

lately::tick tick(const std::string& word) { return lately::tick::from_ns(number(word)); }

std::string claim_at(const lately::claimed& claim) {
    return ' ' + check::text(claim.verdict) + ' ' + std::to_string(claim.token);
}

std::string figures(const lately::stats& s) {
    std::string all;
    for (const std::uint64_t figure :
         {s.open_claims, s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count}) {
        all += ' ' + std::to_string(figure);
    }
    return all;
}

// What the filter answers to an instruction, and how many of its words are not answer; what fails throws.
template <class Filter>
std::pair<std::string, std::size_t> obey(Filter& filter, const words& w) {
    if (w[0] == "filter") {
        return {(filter = Filter(script::request(w, 1)), ""), w.size()};
    } else if (w[0] == "stats") {
        return {figures(filter.stats()), 1};
    } else if (w[0] == "abandon") {
        return {(filter.abandon(unhex(w[1]), number(w[2])), ""), 3};
    } else if (w[0] == "claim_at") {
        return {claim_at(filter.claim(unhex(w[2]), tick(w[1]))), 3};
    } else if (w[0] == "commit_at") {
        const lately::committed found = filter.commit(unhex(w[2]), number(w[3]), tick(w[1]));
        return {' ' + std::to_string(static_cast<int>(found)), 4};
    } else if (w[0] == "observe_at") {
        return {' ' + check::text(filter.observe(unhex(w[2]), tick(w[1]))), 3};
    }
    return {" no such instruction", 0};
}

// The words from `first` up to `end`, with spaces.
std::string joined(const words& w, std::size_t first, std::size_t end) {
    std::string all;
    for (std::size_t i = first; i < end; ++i) {
        all += (i == first ? "" : " ") + w[i];
    }
    return all;
}

// The line with what the library answers in place of its own answer.
template <class Filter>
std::string said(Filter& filter, const words& w) {
    if (w[0] != "fails") {
        const auto answer = obey(filter, w);
        return joined(w, 0, answer.second) + answer.first;
    }
    try {
        return "no failure, but" + obey(filter, words(w.begin() + 2, w.end())).first;
    } catch (const lately::error& error) {
        return std::string("fails ") + lately::name(error.code()) + ' ' + joined(w, 2, w.size());
    }
}

} // namespace

TEST_BOTH(vectors_of_claims_are_answered_as_in_every_language) {
    handle filter;
    std::map<std::string, unsigned> seen;
    for (const std::string& line : script::lines("claims.txt")) {
        const words w = script::split(line);
        EQUAL(line, said(filter, w));
        ++seen[w[0]];
    }
    for (const char* verb : {"filter", "stats", "abandon", "claim_at", "commit_at", "observe_at", "fails"}) {
        CHECK(seen[verb] > 3);
    }
}

TEST_BOTH(claims_need_a_lease_and_ticks_a_manual_clock) {
    auto filter = begun<handle>();
    EQUAL(lately::status::unsupported, filter.try_claim("a").code());
    EQUAL(lately::status::unsupported, filter.try_commit("a", 1).code());
    EQUAL(lately::status::unsupported, filter.try_abandon("a", 1));
    handle last(lately::options::last(100).lease(1h));
    EQUAL(verdict::new_, last.claim("a").verdict);
    EQUAL(lately::status::clock, last.try_claim("b", 1s).code());
    auto timed = begun<handle>(claiming());
    EQUAL(lately::status::tick, timed.try_claim("a", -1s).code());
    EQUAL(lately::status::tick, timed.try_commit("a", timed.claim("a").token, -1s).code());
    EQUAL(lately::status::claim, timed.try_abandon("b", 1));
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
