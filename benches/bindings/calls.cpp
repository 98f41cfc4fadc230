// What a call costs, in C++: as calls.c, which says what goes in and out.
#include <lately.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t KEYS = 1 << 16;
constexpr std::size_t LENGTH = 16;
using key = std::array<std::uint8_t, LENGTH>;

struct stream {
    std::vector<key> keys;
    std::vector<std::uint64_t> offsets = {0};

    stream() {
        std::uint64_t state = 1;
        for (std::size_t i = 0; i < KEYS; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const std::uint64_t number = (state >> 33) % 40000;
            key bytes{};
            for (std::size_t b = 0; b < 8; ++b) {
                bytes[b] = static_cast<std::uint8_t>(number >> (8 * b));
                bytes[8 + b] = static_cast<std::uint8_t>(~number >> (8 * b));
            }
            keys.push_back(bytes);
            offsets.push_back((i + 1) * LENGTH);
        }
    }
};

template <class Filter>
std::uint64_t round(Filter& filter, const stream& from, std::size_t size) {
    std::uint64_t seen = 0;
    if (size == 1) {
        for (const key& one : from.keys) {
            seen += filter.observe(one) == lately::verdict::duplicate ? 1U : 0U;
        }
        return seen;
    }
    std::array<lately::verdict, 256> verdicts{};
    const lately::bytes all(from.keys.data()->data(), KEYS * LENGTH);
    for (std::size_t i = 0; i < KEYS; i += size) {
        const lately::keys keys(all, {from.offsets.data() + i, size + 1});
        filter.observe_batch(keys, {verdicts.data(), size});
        for (std::size_t j = 0; j < size; ++j) {
            seen += verdicts[j] == lately::verdict::duplicate ? 1U : 0U;
        }
    }
    return seen;
}

// Prints what it took, for each key.
template <class Call>
void cell(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    std::printf("%.3f ", took.count() / static_cast<double>(KEYS));
}

} // namespace

int main() {
    const stream from;
    const auto request = lately::options::last(20000).error_rate(1e-3);
    constexpr std::array<std::size_t, 3> sizes = {1, 32, 256};
    std::vector<lately::filter> filters;
    std::vector<lately::shared_filter> shared;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        filters.emplace_back(request);
        shared.emplace_back(request);
    }
    std::uint64_t duplicates = 0;
    while (std::getchar() != EOF) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            cell([&] { duplicates += round(filters[i], from, sizes[i]); });
        }
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            cell([&] { duplicates += round(shared[i], from, sizes[i]); });
        }
        std::uint32_t sum = 0;
        cell([&] {
            for (std::size_t i = 0; i < KEYS; ++i) {
                sum += lately::abi_version();
            }
        });
        if (sum != KEYS * lately::abi_version()) {
            return 1;
        }
        std::printf("%llu\n", static_cast<unsigned long long>(duplicates));
        std::fflush(stdout);
    }
    return 0;
}
