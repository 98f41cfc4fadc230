// The driver in C++: `list`, `run RIVAL WORKLOAD SEED FILE`, `documented RIVAL`.
#include "rivals.hpp"

#include <lately.hpp>

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

namespace field {

namespace {

class ours : public rival {
public:
    ours(const workload& load, double error) : filter_(options(load, error)), is_timed_(load.span > 0) {}

    bool observe(const key& one, std::uint64_t tick) override {
        const lately::bytes view(one.data(), one.size());
        const lately::verdict seen = is_timed_ ? filter_.observe(view, lately::tick::from_ns(tick)) : filter_.observe(view);
        return seen == lately::verdict::duplicate;
    }

private:
    static lately::options options(const workload& load, double error) {
        lately::options plain(lately::kind::window_table);
        plain.error_rate(error);
        if (load.span == 0) {
            return plain.window_keys(load.records);
        }
        return plain.window_ns(std::chrono::nanoseconds(load.span)).clock(lately::clock_source::manual_ns);
    }

    lately::filter filter_;
    bool is_timed_;
};

std::unique_ptr<rival> build_ours(const workload& load, double error) {
    return std::make_unique<ours>(load, error);
}

void nothing(const entry&) {}

std::uint64_t processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Shows records to a rival in 64 pieces; gives the processor time of the pieces alone, and looks at the bytes between them.
std::uint64_t show(rival& to, const workload& load, const std::vector<key>& all, std::uint64_t first, std::uint64_t end,
                   std::vector<unsigned char>& verdicts, std::uint64_t& peak) {
    std::uint64_t time = 0;
    const std::uint64_t piece = (end - first + 63) / 64;
    for (std::uint64_t at = first; at < end; at += piece) {
        const std::uint64_t stop = std::min(at + piece, end);
        const std::uint64_t begin = processor_time();
        for (std::uint64_t i = at; i < stop; i++) {
            verdicts[i] = to.observe(all[i], load.tick(i)) ? 1 : 0;
        }
        time += processor_time() - begin;
        peak = std::max(peak, allocated());
    }
    return time;
}

void write(const char* path, const workload& load, const std::vector<unsigned char>& verdicts) {
    std::vector<char> bits((load.counted + 7) / 8);
    for (std::uint64_t i = 0; i < load.counted; i++) {
        bits[i / 8] = static_cast<char>(bits[i / 8] | verdicts[load.warm + i] << i % 8);
    }
    std::ofstream file(path, std::ios::binary);
    file.write(bits.data(), static_cast<std::streamsize>(bits.size()));
    if (!file.flush()) {
        throw std::runtime_error(std::string(path) + ": cannot be written");
    }
}

void run(const entry& it, const workload& load, std::uint64_t seed, const char* path) {
    const std::vector<key> all = keys(load, seed);
    std::vector<unsigned char> verdicts(all.size());
    const std::uint64_t before = allocated();
    std::uint64_t peak = before;
    const std::unique_ptr<rival> one = it.build(load, it.error);
    show(*one, load, all, 0, load.warm, verdicts, peak);
    const std::uint64_t time = show(*one, load, all, load.warm, all.size(), verdicts, peak);
    const std::uint64_t settled = allocated();
    std::uint64_t wrong = 0, missed = 0;
    for (std::uint64_t i = load.warm; i < all.size(); i++) {
        wrong += i % 2 == 0 && verdicts[i] == 1 ? 1 : 0;
        missed += i % 2 == 1 && verdicts[i] == 0 ? 1 : 0;
    }
    write(path, load, verdicts);
    std::printf("{\"rival\":\"%s\",\"version\":\"%s\",\"workload\":\"%s\",\"seed\":%" PRIu64 ",\"stream\":\"%016" PRIx64
                "\",\"keys\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",\"peak_bytes\":%" PRIu64 ",\"settled_bytes\":%" PRIu64
                ",\"false\":%" PRIu64 ",\"missed\":%" PRIu64 ",\"clock\":\"%s\",\"late_ns\":0}\n",
                it.name, it.version.c_str(), load.name, seed, digest(all), load.counted, time, peak - before,
                settled - before, wrong, missed, load.span == 0 ? "none" : "manual");
}

void list() {
    for (const entry& it : entries()) {
        std::string loads;
        for (const workload& load : workloads) {
            if (load.span == 0 || it.is_timed) {
                loads += std::string(loads.empty() ? "\"" : ",\"") + load.name + "\"";
            }
        }
        std::printf("{\"rival\":\"%s\",\"version\":\"%s\",\"language\":\"C++\",\"workloads\":[%s],\"base\":\"%s\",\"error\":%g,"
                    "\"misses\":false,\"bytes\":\"given out by the allocator\",\"what\":\"%s\"}\n",
                    it.name, it.version.c_str(), loads.c_str(), it.base, it.error, it.what);
    }
}

entry find_entry(const std::string& name) {
    for (const entry& it : entries()) {
        if (name == it.name) {
            return it;
        }
    }
    throw std::invalid_argument("rival \"" + name + "\": `list` shows those that there are");
}

} // namespace

std::uint64_t allocated() {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

void print_figure(const entry& of, const std::string& what, const char* unit, double documented, double measured,
                  const char* law, double slack, const char* source) {
    std::printf("{\"rival\":\"%s\",\"what\":\"%s\",\"unit\":\"%s\",\"documented\":%.10g,\"measured\":%.10g,\"law\":\"%s\","
                "\"slack\":%.10g,\"source\":\"%s\"}\n",
                of.name, what.c_str(), unit, documented, measured, law, slack, source);
}

std::vector<entry> entries() {
    const std::string mine = std::string("lately ") + lately_version_string();
    const std::string core = "Bitcoin Core " BITCOIN_VERSION;
    const char* table = "the window table, not shared, one key a call";
    const char* rolling = "CRollingBloomFilter(N, rate), contains and then insert; a fixed tweak";
    return {
        {"lately-1e-6", mine, "lately-1e-6", 1e-6, true, table, build_ours, nothing},
        {"lately-1e-3", mine, "lately-1e-3", 1e-3, true, table, build_ours, nothing},
        {"bitcoin-1e-6", core, "lately-1e-6", 1e-6, false, rolling, bitcoin, bitcoin_documented},
        {"bitcoin-1e-3", core, "lately-1e-3", 1e-3, false, rolling, bitcoin, bitcoin_documented},
    };
}

} // namespace field

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "list") {
        field::list();
    } else if (words.size() == 5 && words[0] == "run") {
        const field::entry it = field::find_entry(words[1]);
        const field::workload& load = field::find(words[2]);
        if (load.span > 0 && !it.is_timed) {
            throw std::invalid_argument("workload \"" + words[2] + "\": " + words[1] + " has no window of time");
        }
        field::run(it, load, std::stoull(words[3]), words[4].c_str());
    } else if (words.size() == 2 && words[0] == "documented") {
        const field::entry it = field::find_entry(words[1]);
        it.documented(it);
    } else {
        throw std::invalid_argument("allowed are list, run RIVAL WORKLOAD SEED FILE, documented RIVAL");
    }
} catch (const std::exception& error) {
    std::cerr << "field: " << error.what() << '\n';
    return 1;
}
