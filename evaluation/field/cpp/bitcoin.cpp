// Bitcoin Core's CRollingBloomFilter: the last N keys that were inserted are found, the last 1.5 N at most.
#include "rivals.hpp"

#include <common/bloom.h>
#include <random.h>

#include <cmath>

// The filter draws its tweak from the node's generator, which gathers entropy from the whole machine. This one has none, so that a run
// can be repeated: the keys of a stream come from its seed.
FastRandomContext::FastRandomContext(bool) noexcept
    : requires_seed(false), rng(std::array<std::byte, ChaCha20::KEYLEN>{}) {}
void FastRandomContext::RandomSeed() noexcept {}

namespace field {

namespace {

constexpr unsigned keys_of_test = 50'000;

class rolling : public rival {
public:
    rolling(unsigned records, double error) : filter_(records, error) {}

    bool observe(const key& one, std::uint64_t) override {
        const bool found = filter_.contains(one);
        filter_.insert(one);
        return found;
    }

    bool contains(const key& one) const { return filter_.contains(one); }

private:
    CRollingBloomFilter filter_;
};

key of(std::uint64_t i) {
    key bytes{};
    const std::uint64_t value = split_mix(i);
    for (std::size_t byte = 0; byte < 8; byte++) {
        bytes[byte] = static_cast<unsigned char>(value >> (8 * byte));
    }
    return bytes;
}

// How many of the keys before `next`, the youngest first, are found without a gap.
std::uint64_t kept(const rolling& filter, std::uint64_t next) {
    std::uint64_t count = 0;
    while (count < next && filter.contains(of(next - 1 - count))) {
        count++;
    }
    return count;
}

// The share of keys that were never inserted and are found.
double wrong(const rolling& filter, std::uint64_t probes) {
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < probes; i++) {
        found += filter.contains(of((std::uint64_t{1} << 40) + i)) ? 1 : 0;
    }
    return static_cast<double>(found) / static_cast<double>(probes);
}

} // namespace

std::unique_ptr<rival> bitcoin(const workload& load, double error) {
    return std::make_unique<rolling>(static_cast<unsigned>(load.records), error);
}

void bitcoin_documented(const entry& it) {
    const char* source = "src/common/bloom.h: 3/(log(256)*log(2)) * log(1/fpRate) * nElements";
    const char* window = "src/common/bloom.h: true for the last N to 1.5*N inserted";
    const std::uint64_t before = allocated();
    rolling filter(keys_of_test, it.error);
    const auto bytes = static_cast<double>(allocated() - before);
    const double formula = 3 / (std::log(256) * std::log(2)) * std::log(1 / it.error) * keys_of_test;
    print_figure(it, "bytes for 50,000 keys", "bytes", formula, bytes, "about", 0.01 * formula, source);
    // It has most just before it empties a third, and least just after: every N / 2 keys.
    std::uint64_t least = UINT64_MAX, most = 0, next = 0;
    for (; next < 10 * keys_of_test; next++) {
        if (next >= 3 * keys_of_test && next % (keys_of_test / 2) <= 1) {
            const std::uint64_t now = kept(filter, next);
            least = now < least ? now : least;
            most = now > most ? now : most;
        }
        filter.observe(of(next), 0);
    }
    const double chance = 10; // keys that a false duplicate adds at the far end
    print_figure(it, "last keys that are found without a gap, least", "keys", keys_of_test, static_cast<double>(least),
                 "at least", 0, window);
    print_figure(it, "last keys that are found without a gap, most", "keys", 1.5 * keys_of_test,
                 static_cast<double>(most), "at most", chance, window);
    const std::uint64_t probes = it.error < 1e-4 ? 20'000'000 : 2'000'000;
    const double spread = std::sqrt(it.error / static_cast<double>(probes));
    print_figure(it, "new keys called duplicates when it is fullest", "share", it.error, wrong(filter, probes), "at most",
                 4 * spread, "src/common/bloom.h: constructed with a false-positive rate");
}

} // namespace field
