// The vectors of claims that every language with claims reads: tests/vectors/claims.txt, whose first lines describe it.
#include "script.hpp"

namespace {

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
