// The vectors that every language reads, and what every language refuses: the files of tests/vectors.
#include "script.hpp"

#include <cstring>
#include <optional>

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

// The words of a list, "-" if there is none.
words listed(const std::string& word) { return word == "-" ? words() : script::split(word, ','); }

// VERB_slices TICKS KEYS: keys that stay where they are.
class in_slices {
public:
    explicit in_slices(const words& w) {
        for (const std::string& key : script::split(w[2], ',')) {
            keys_.push_back(unhex(key));
        }
        const words ticks = listed(w[1]);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            ticks.empty() ? slices_.push_back(keys_[i]) : slices_.push_back(keys_[i], tick(ticks[i]));
        }
    }
    const lately::slices& keys() const { return slices_; }

private:
    std::vector<std::string> keys_;
    lately::slices slices_;
};

// VERB_column OFFSET_BITS BEFORE BIT TICKS KEYS: an absent key has bytes, too, and a bit of no key is 1.
class in_column {
public:
    explicit in_column(const words& w) : values_(number(w[2]), '!'), bits_(9, 0xff) {
        const std::size_t bit = w[3] == "-" ? 0 : number(w[3]);
        const words keys = script::split(w[5], ',');
        for (std::size_t i = 0; i < keys.size(); ++i) {
            add_end();
            const std::size_t place = bit + i;
            if (keys[i] == "null") {
                bits_[place / 8] = static_cast<std::uint8_t>(bits_[place / 8] & ~(1U << place % 8));
            }
            values_ += keys[i] == "null" ? "absent" : unhex(keys[i]);
        }
        add_end();
        for (const std::string& tick : listed(w[4])) {
            ticks_.push_back(number(tick));
        }
        column_ = w[1] == "32" ? lately::column(values_, small_) : lately::column(values_, large_);
        column_ = w[3] == "-" ? *column_ : column_->validity(bits_, bit);
        column_ = ticks_.empty() ? *column_ : column_->at(ticks_);
    }
    const lately::column& keys() const { return *column_; }

private:
    void add_end() {
        small_.push_back(static_cast<std::int32_t>(values_.size()));
        large_.push_back(static_cast<std::int64_t>(values_.size()));
    }
    std::string values_;
    std::vector<std::int32_t> small_;
    std::vector<std::int64_t> large_;
    std::vector<std::uint8_t> bits_;
    std::vector<std::uint64_t> ticks_;
    std::optional<lately::column> column_;
};

// A digit for each key.
std::string answer(const std::vector<lately::verdict>& verdicts) {
    std::string digits;
    for (const lately::verdict verdict : verdicts) {
        digits += answer(verdict);
    }
    return digits;
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
    {"observe_slices", [](auto& s, const words& w) { return answer(s.filter.observe_many(in_slices(w).keys())); }},
    {"insert_slices", [](auto& s, const words& w) { return s.filter.insert_many(in_slices(w).keys()), nothing(); }},
    {"contains_slices", [](auto& s, const words& w) { return answer(s.filter.contains_many(in_slices(w).keys())); }},
    {"observe_column", [](auto& s, const words& w) { return answer(s.filter.observe_many(in_column(w).keys())); }},
    {"insert_column", [](auto& s, const words& w) { return s.filter.insert_many(in_column(w).keys()), nothing(); }},
    {"contains_column", [](auto& s, const words& w) { return answer(s.filter.contains_many(in_column(w).keys())); }},
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

// Checks every line of a file; how often each instruction was there.
template <class Filter>
std::map<std::string, unsigned> hold(const char* name) {
    state<Filter> s;
    std::map<std::string, unsigned> output;
    for (const std::string& line : script::lines(name)) {
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
