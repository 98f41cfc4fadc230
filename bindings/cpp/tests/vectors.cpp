// The vectors that every language reads, and what every language refuses: the files of tests/vectors.
#include "script.hpp"

#include <cstring>

namespace {

using script::hex;
using script::number;
using script::unhex;
using script::words;

lately::tick tick(const std::string& word) { return lately::tick::from_ns(number(word)); }
std::string answer(lately::verdict verdict) { return std::to_string(static_cast<int>(verdict)); }

template <class... Numbers>
std::string spaced(Numbers... numbers) {
    std::string all;
    ((all += std::to_string(numbers) + ' '), ...);
    all.pop_back();
    return all;
}

// The filter of the instructions.
template <class Filter>
struct state {
    lately::options request{lately::kind::time_limited};
    Filter filter;
};

template <class Filter>
std::string figures(const Filter& filter) {
    const lately::stats s = filter.stats();
    if (s.max_claims > 0) {
        return spaced(s.open_claims, s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count);
    }
    return spaced(s.new_count, s.duplicate_count, s.late_ticks, s.refused_ticks, s.clock, s.bytes, s.items, s.shifts,
                  s.rows_full, s.moved, s.stashed, s.max_lateness_ns, s.last_refused_tick);
}

std::string planned(const lately::options& request) {
    const lately::plan_result p = lately::plan(request);
    return spaced(p.bytes, p.k, p.l, p.slices, p.blocks, p.rows, p.window_keys, p.fingerprint_bits, p.chains,
                  p.block_bytes);
}

template <class Filter>
std::string build(state<Filter>& s, const words& w) {
    const lately::options request = script::request(w, 1);
    s.filter = Filter(request);
    s.request = request;
    return {};
}

template <class Filter>
std::string secret(const Filter& filter) {
    const lately::secret two = filter.secret();
    return spaced(two.lo, two.hi);
}

std::string claimed(const lately::claimed& claim) { return answer(claim.verdict) + ' ' + std::to_string(claim.token); }

template <class Filter>
using reader = std::string (*)(state<Filter>&, const words&);

std::string nothing() { return {}; }

// The answer of each instruction, "" if it has none; a failure throws.
template <class Filter>
const std::map<std::string, reader<Filter>> READERS = {
    {"observe", [](auto& s, const words& w) { return answer(s.filter.observe(unhex(w[1]))); }},
    {"observe_at", [](auto& s, const words& w) { return answer(s.filter.observe(unhex(w[2]), tick(w[1]))); }},
    {"contains", [](auto& s, const words& w) { return answer(s.filter.contains(unhex(w[1]))); }},
    {"contains_at", [](auto& s, const words& w) { return answer(s.filter.contains(unhex(w[2]), tick(w[1]))); }},
    {"insert", [](auto& s, const words& w) { return s.filter.insert(unhex(w[1])), nothing(); }},
    {"insert_at", [](auto& s, const words& w) { return s.filter.insert(unhex(w[2]), tick(w[1])), nothing(); }},
    {"remove", [](auto& s, const words& w) { return spaced(int{s.filter.remove(unhex(w[1]))}); }},
    {"advance", [](auto& s, const words& w) { return s.filter.advance(tick(w[1])), nothing(); }},
    {"clear", [](auto& s, const words&) { return s.filter.clear(), nothing(); }},
    {"copy", [](auto& s, const words&) { return s.filter = s.filter.copy(), nothing(); }},
    {"hash_of", [](auto& s, const words& w) { return hex(s.filter.hash(unhex(w[1]))); }},
    {"secret", [](auto& s, const words&) { return secret(s.filter); }},
    {"stats", [](auto& s, const words&) { return figures(s.filter); }},
    {"plan", [](auto& s, const words&) { return planned(s.request); }},
    {"hash", [](auto&, const words& w) { return hex(lately::hash64(unhex(w[2]), number(w[1]))); }},
    {"filter", build<Filter>},
    // claims.txt, whose figures are others
    {"claim_at", [](auto& s, const words& w) { return claimed(s.filter.claim(unhex(w[2]), tick(w[1]))); }},
    {"commit_at", [](auto& s, const words& w) { return spaced(int(s.filter.commit(unhex(w[2]), number(w[3]), tick(w[1])))); }},
    {"abandon", [](auto& s, const words& w) { return s.filter.abandon(unhex(w[1]), number(w[2])), nothing(); }},
};

bool ends_with(const std::string& line, const std::string& end) {
    return line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0;
}

// The line with what the library says in place of its own answer.
template <class Filter>
std::string said(state<Filter>& s, const std::string& line) {
    const words w = script::split(line);
    if (w[0] != "fails") {
        const std::string answer = READERS<Filter>.at(w[0])(s, w);
        return answer.empty() || ends_with(line, " " + answer) ? line : w[0] + " ... " + answer;
    }
    // Refused claims name no option.
    const bool names_option = READERS<Filter>.count(w[2]) == 0;
    const words rest(w.begin() + (names_option ? 3 : 2), w.end());
    try {
        (void)READERS<Filter>.at(rest[0])(s, rest);
        return "it does not fail";
    } catch (const lately::error& error) {
        const char* option = error.field() == lately::field::none ? "-" : error.field_name();
        std::string cause = std::string("fails ") + lately::name(error.code());
        if (names_option) {
            cause += std::string(" ") + option;
        }
        const bool named = option[0] == '-' || std::strstr(error.what(), option) != nullptr;
        for (const std::string& word : rest) {
            cause += ' ' + word;
        }
        return cause + (named ? "" : " without its name");
    }
}

// Checks every line of a file; how often each instruction was there. The batches at the end of each filter are left out:
// batches.cpp has them in every form, against single calls.
template <class Filter>
std::map<std::string, unsigned> hold(const char* name) {
    state<Filter> s;
    std::map<std::string, unsigned> output;
    bool is_behind_batches = false;
    for (const std::string& line : script::lines(name)) {
        const std::string verb = line.substr(0, line.find(' '));
        is_behind_batches = verb != "filter" && (is_behind_batches || ends_with(verb, "_slices"));
        if (is_behind_batches) {
            continue;
        }
        for (const std::string& call : script::calls(line)) {
            const std::string have = said(s, call);
            EQUAL(call, have);
            ++output[script::split(call)[0]];
        }
    }
    return output;
}

} // namespace

TEST_BOTH(the_vectors_of_every_language) {
    std::map<std::string, unsigned> output = hold<handle>("vectors.txt");
    for (const auto& [instruction, times] : hold<handle>("claims.txt")) {
        output[instruction] += times;
    }
    for (const auto& reader : READERS<handle>) {
        CHECK(output[reader.first] > 0);
    }
}

TEST_BOTH(what_is_refused_in_every_language) {
    CHECK(hold<handle>("errors.txt")["fails"] > 50);
}
