// What the tests read in tests/vectors: lines of words, requests of OPTION=NUMBER, keys in hexadecimal.
#ifndef SCRIPT_HPP
#define SCRIPT_HPP

#include "check.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace script {

using words = std::vector<std::string>;

inline words split(const std::string& line, char at = ' ') {
    std::istringstream in(line);
    words all;
    for (std::string word; std::getline(in, word, at);) {
        all.push_back(word);
    }
    return all;
}

// The lines of a file that say something.
inline std::vector<std::string> lines(const std::string& name) {
    std::ifstream file(std::string(VECTORS) + "/" + name);
    CHECK(file.is_open());
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') {
            all.push_back(line);
        }
    }
    return all;
}

// SplitMix64.
inline std::uint64_t next(std::uint64_t& seed) {
    std::uint64_t z = seed += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

inline std::string hex(std::uint64_t number) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
    return text;
}

// Makes the key of one round of a run, in hexadecimal.
inline std::string next_key(std::uint64_t& seed) {
    const std::uint64_t one = next(seed) % 300, other = next(seed) % 300;
    const std::uint64_t n = one < other ? one : other;
    std::uint64_t digits = n;
    const std::string first = hex(next(digits));
    return n == 0 ? "-" : (first + hex(next(digits))).substr(0, 2 * (n % 12 + 1));
}

// Expands a run into lines of single calls, made from its seed. Any other line stays as it is.
inline std::vector<std::string> calls(const std::string& line) {
    const words w = split(line);
    if (w[0] != "run") {
        return {line};
    }
    std::vector<std::string> all;
    const words verbs = split(w[3], ',');
    std::uint64_t seed = std::stoull(w[1]), now = std::stoull(w[4]), asked = 0;
    for (std::uint64_t round = std::stoull(w[2]); round > 0; --round) {
        now += next(seed) % std::stoull(w[5]);
        const words joined = split(verbs[next(seed) % verbs.size()], '+');
        const std::uint64_t tick = now - (next(seed) % 16 == 0 ? next(seed) % std::stoull(w[6]) : 0);
        const std::string key = next_key(seed);
        for (const std::string& verb : joined) {
            const bool timed = verb.size() > 3 && verb.compare(verb.size() - 3, 3, "_at") == 0;
            all.push_back(verb + (timed ? ' ' + std::to_string(tick) : "") + ' ' + key);
            if (verb.compare(0, 6, "insert") != 0) {
                const int digit = std::stoi(w[7].substr(asked / 4, 1), nullptr, 16);
                all.back() += (digit >> (3 - asked++ % 4) & 1) != 0 ? " 1" : " 0";
            }
        }
    }
    CHECK(w[7].size() == (asked + 3) / 4);
    return all;
}

inline std::string unhex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; hex != "-" && i < hex.size(); i += 2) {
        bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

inline std::uint64_t number(const std::string& word) { return std::stoull(word); }

inline std::chrono::duration<std::uint64_t, std::nano> ns(const std::string& word) {
    return std::chrono::duration<std::uint64_t, std::nano>(number(word));
}

template <class Choice>
Choice choice(const std::string& word) {
    return static_cast<Choice>(number(word));
}

using setter = lately::options& (*)(lately::options&, const std::string&);

// How each option is said in C++, except the secret, whose two words are one.
inline const std::map<std::string, setter> SETTERS = {
    // <options>
    {"kind", [](auto& o, auto& w) -> auto& { return o.kind(choice<lately::kind>(w)); }},
    {"clock", [](auto& o, auto& w) -> auto& { return o.clock(choice<lately::clock_source>(w)); }},
    {"repeat", [](auto& o, auto& w) -> auto& { return o.repeat(choice<lately::repeat>(w)); }},
    {"on_limit", [](auto& o, auto& w) -> auto& { return o.on_limit(choice<lately::on_limit>(w)); }},
    {"window_ns", [](auto& o, auto& w) -> auto& { return o.window_ns(ns(w)); }},
    {"window_keys", [](auto& o, auto& w) -> auto& { return o.window_keys(number(w)); }},
    {"capacity", [](auto& o, auto& w) -> auto& { return o.capacity(number(w)); }},
    {"error_rate", [](auto& o, auto& w) -> auto& { return o.error_rate(std::stod(w)); }},
    {"miss_rate", [](auto& o, auto& w) -> auto& { return o.miss_rate(std::stod(w)); }},
    {"memory", [](auto& o, auto& w) -> auto& { return o.memory(number(w)); }},
    {"max_step_ns", [](auto& o, auto& w) -> auto& { return o.max_step(ns(w)); }},
    {"k", [](auto& o, auto& w) -> auto& { return o.k(number(w)); }},
    {"l", [](auto& o, auto& w) -> auto& { return o.l(number(w)); }},
    {"max_slices", [](auto& o, auto& w) -> auto& { return o.max_slices(number(w)); }},
    {"fill", [](auto& o, auto& w) -> auto& { return o.fill(std::stod(w)); }},
    {"variant", [](auto& o, auto& w) -> auto& { return o.variant(choice<lately::variant>(w)); }},
    {"fingerprint_bits", [](auto& o, auto& w) -> auto& { return o.fingerprint_bits(number(w)); }},
    {"semi_sort", [](auto& o, auto& w) -> auto& { return o.semi_sort(number(w) == 1); }},
    {"removable", [](auto& o, auto& w) -> auto& { return o.removable(number(w) == 1); }},
    {"block_bytes", [](auto& o, auto& w) -> auto& { return o.block_bytes(number(w)); }},
    {"chains", [](auto& o, auto& w) -> auto& { return o.chains(number(w)); }},
    {"load", [](auto& o, auto& w) -> auto& { return o.load(std::stod(w)); }},
    {"keyed", [](auto& o, auto& w) -> auto& { return o.keyed(number(w) == 1); }},
    {"seed", [](auto& o, auto& w) -> auto& { return o.seed(number(w)); }},
    {"age_bits", [](auto& o, auto& w) -> auto& { return o.age_bits(number(w)); }},
    {"lateness_ns", [](auto& o, auto& w) -> auto& { return o.lateness(ns(w)); }},
    {"lease_ns", [](auto& o, auto& w) -> auto& { return o.lease(ns(w)); }},
    {"max_claims", [](auto& o, auto& w) -> auto& { return o.max_claims(number(w)); }},
    // </options>
};

// The request of the words OPTION=NUMBER from word `first` on.
inline lately::options request(const words& all, std::size_t first) {
    lately::options options(lately::kind::time_limited);
    lately::secret secret{0, 0};
    for (std::size_t i = first; i < all.size(); ++i) {
        const words pair = split(all[i], '=');
        if (pair[0] == "secret_lo") {
            secret.lo = number(pair[1]);
        } else if (pair[0] == "secret_hi") {
            secret.hi = number(pair[1]);
        } else {
            SETTERS.at(pair[0])(options, pair[1]);
        }
    }
    return options.secret(secret);
}

} // namespace script

#endif
