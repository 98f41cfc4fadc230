// The golden files of tests/golden: read, answered as listed, written again and regenerated, byte for byte.
#include "script.hpp"

#include <fstream>
#include <iterator>

namespace {

const std::string ROOM = "../golden/0.1/";

// The lines of a table under its first one, which names the columns.
std::vector<script::words> table(const std::string& name, std::size_t columns) {
    std::vector<script::words> all;
    for (const std::string& line : script::lines(ROOM + name)) {
        all.push_back(script::split(line, '\t'));
        EQUAL(columns, all.back().size());
    }
    CHECK(all.size() > 20);
    all.erase(all.begin());
    return all;
}

std::vector<std::uint8_t> file(const std::string& name) {
    std::ifstream in(std::string(VECTORS) + "/" + ROOM + name + ".lately", std::ios::binary);
    CHECK(in.is_open());
    return {std::istreambuf_iterator<char>(in), {}};
}

// filters.tsv: how a file is made.
struct recipe {
    explicit recipe(const script::words& line)
        : name(line[0]), request(script::request(script::split(line[1]), 0)), keys(script::number(line[2])),
          calls(script::number(line[3])), start(script::number(line[4])), step(script::number(line[5])),
          removed(script::number(line[6])) {}

    template <class Handle>
    [[nodiscard]] Handle made() const {
        const bool timed = request.raw().clock == LATELY_CLOCK_MANUAL_NS;
        Handle filter(request);
        for (std::uint64_t i = 0; i < calls; ++i) {
            const auto key = lately::le64(i % keys);
            (void)(timed ? filter.observe(key, lately::tick::from_ns(start + i * step)) : filter.observe(key));
        }
        for (std::uint64_t i = 0; i < removed; ++i) {
            (void)filter.remove(lately::le64(i));
        }
        return filter;
    }

    // What loading it needs.
    [[nodiscard]] lately::load_options given() const {
        return lately::load_options().secret({request.raw().secret_lo, request.raw().secret_hi});
    }

    std::string name;
    lately::options request;
    std::uint64_t keys, calls, start, step, removed;
};

std::vector<recipe> recipes() {
    std::vector<recipe> all;
    for (const script::words& line : table("filters.tsv", 7)) {
        all.emplace_back(line);
    }
    return all;
}

const recipe& named(const std::vector<recipe>& all, const std::string& name) {
    for (const recipe& each : all) {
        if (each.name == name) {
            return each;
        }
    }
    CHECK(!"filters.tsv has it");
    return all.front();
}

} // namespace

TEST_BOTH(golden_files_are_regenerated) {
    for (const recipe& each : recipes()) {
        CHECK(each.made<handle>().snapshot() == file(each.name));
    }
}

TEST_BOTH(golden_files_are_written_again) {
    for (const recipe& each : recipes()) {
        const std::vector<std::uint8_t> bytes = file(each.name);
        CHECK(handle::load(bytes, std::chrono::nanoseconds(0), each.given()).snapshot() == bytes);
        std::ifstream in(std::string(VECTORS) + "/" + ROOM + each.name + ".lately", std::ios::binary);
        CHECK(handle::read_snapshot(in, std::chrono::nanoseconds(0), each.given()).snapshot() == bytes);
    }
}

TEST_BOTH(golden_files_answer_as_listed) {
    const std::vector<recipe> all = recipes();
    for (const script::words& line : table("answers.tsv", 3)) {
        const handle filter = handle::load(file(line[0]), script::ns(line[1]), named(all, line[0]).given());
        // A manual clock that had no tick yet has its first one here.
        const auto now = filter.try_contains("") ? lately::tick() : lately::tick(std::chrono::seconds(0));
        std::string answers;
        for (std::uint64_t i = 0; i < line[2].size(); ++i) {
            answers += filter.contains(lately::le64(i), now) == lately::verdict::duplicate ? '1' : '0';
        }
        EQUAL(line[2], answers);
    }
}
