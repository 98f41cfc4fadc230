// The test vectors that every language reads: tests/vectors/vectors.txt, described in its first lines.
#include "check.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace {

using words = std::vector<std::string>;

words split(const std::string& line) {
    std::istringstream in(line);
    words all;
    for (std::string word; in >> word;) {
        all.push_back(word);
    }
    return all;
}

std::string unhex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; hex != "-" && i < hex.size(); i += 2) {
        bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

std::string hex(std::uint64_t number) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
    return text;
}

std::uint64_t number(const std::string& word) { return std::stoull(word); }
lately::tick tick(const std::string& word) { return lately::tick::from_ns(number(word)); }
std::string answer(lately::verdict verdict) { return std::to_string(static_cast<int>(verdict)); }

std::chrono::duration<std::uint64_t, std::nano> ns(const std::string& word) {
    return std::chrono::duration<std::uint64_t, std::nano>(number(word));
}

lately::options request(const words& w) {
    return lately::options::time_limited(ns(w[1]))
        .clock(lately::clock_source::manual)
        .error_rate(std::stod(w[2]))
        .repeat(static_cast<lately::repeat>(number(w[3])))
        .on_limit(static_cast<lately::on_limit>(number(w[4])))
        .memory(number(w[5]))
        .max_step_ns(ns(w[6]))
        .seed(number(w[7]))
        .keyed(number(w[8]) == 1)
        .secret({number(w[9]), number(w[10])});
}

std::string figures(const lately::filter& filter) {
    const lately::stats s = filter.stats();
    std::ostringstream out;
    out << s.news << ' ' << s.duplicates << ' ' << s.late_ticks << ' ' << s.refused_ticks << ' ' << s.clock;
    return out.str();
}

using reader = std::string (*)(lately::filter&, const words&);

std::string nothing() { return {}; }

// What each instruction answers; "" where it has no answer.
const std::map<std::string, reader> READERS = {
    {"observe", [](lately::filter& f, const words& w) { return answer(f.observe(unhex(w[1]))); }},
    {"observe_at", [](lately::filter& f, const words& w) { return answer(f.observe_at(unhex(w[2]), tick(w[1]))); }},
    {"contains", [](lately::filter& f, const words& w) { return answer(f.contains(unhex(w[1]))); }},
    {"contains_at", [](lately::filter& f, const words& w) { return answer(f.contains_at(unhex(w[2]), tick(w[1]))); }},
    {"insert", [](lately::filter& f, const words& w) { return f.insert(unhex(w[1])), nothing(); }},
    {"insert_at", [](lately::filter& f, const words& w) { return f.insert_at(unhex(w[2]), tick(w[1])), nothing(); }},
    {"advance", [](lately::filter& f, const words& w) { return f.advance(tick(w[1])), nothing(); }},
    {"hash_of", [](lately::filter& f, const words& w) { return hex(f.hash(unhex(w[1]))); }},
    {"stats", [](lately::filter& f, const words&) { return figures(f); }},
    {"hash", [](lately::filter&, const words& w) { return hex(lately::hash64(unhex(w[2]), number(w[1]))); }},
    {"refused",
     [](lately::filter& f, const words& w) {
         return std::string(lately::name(f.try_observe_at(unhex(w[2]), tick(w[1])).code()));
     }},
    {"filter", [](lately::filter& f, const words& w) { return f = lately::filter(request(w)), nothing(); }},
};

bool ends_with(const std::string& line, const std::string& end) {
    return line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0;
}

} // namespace

TEST(the_vectors_of_every_language) {
    std::ifstream file(VECTORS);
    CHECK(file.is_open());
    lately::filter filter;
    std::map<std::string, unsigned> told;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        const words w = split(line);
        const std::string said = READERS.at(w[0])(filter, w);
        ++check::count;
        if (!said.empty() && !ends_with(line, " " + said)) {
            EQUAL(line, said);
            return;
        }
        ++told[w[0]];
    }
    for (const auto& reader : READERS) {
        CHECK(told[reader.first] > 0);
    }
}
