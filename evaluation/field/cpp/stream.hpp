// The workloads and their keys from a seed: the same as in evaluation/field/rust/src/stream.rs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace field {

using key = std::array<unsigned char, 8>;

struct workload {
    const char* name;
    std::uint64_t records;
    std::uint64_t span; // nanoseconds; 0: the last `records` records
    std::uint64_t reach;
    std::uint64_t warm;
    std::uint64_t counted;

    std::uint64_t tick(std::uint64_t i) const { return span == 0 ? i : i * span / records; }
};

constexpr std::array<workload, 5> workloads = {{
    {"last-2000", 2'000, 0, 1'000, 4'000, 20'000},
    {"last-50000", 50'000, 0, 25'000, 100'000, 2'000'000},
    {"last-1000000", 1'000'000, 0, 500'000, 2'000'000, 2'000'000},
    {"time-2000", 2'000, 200'000'000, 750, 4'000, 8'000},
    {"time-100000", 100'000, 4'000'000'000, 37'500, 200'000, 400'000},
}};

inline const workload& find(const std::string& name) {
    for (const workload& one : workloads) {
        if (name == one.name) {
            return one;
        }
    }
    throw std::invalid_argument("workload \"" + name + "\": allowed are last-2000 to time-100000");
}

inline std::uint64_t split_mix(std::uint64_t x) {
    std::uint64_t z = x + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// Which new key record `i` has: an even record is a new key, an odd one repeats one of the window.
inline std::uint64_t index(const workload& load, std::uint64_t seed, std::uint64_t i) {
    if (i % 2 == 0) {
        return i / 2;
    }
    const std::uint64_t fresh = (i + 1) / 2;
    const std::uint64_t reach = fresh < load.reach ? fresh : load.reach;
    return fresh - 1 - (split_mix((seed ^ 0x5555555555555555) + i) >> 33) % reach;
}

inline std::vector<key> keys(const workload& load, std::uint64_t seed) {
    std::vector<key> all(load.warm + load.counted);
    for (std::uint64_t i = 0; i < all.size(); i++) {
        const std::uint64_t value = split_mix(seed + index(load, seed, i));
        for (std::size_t byte = 0; byte < 8; byte++) {
            all[i][byte] = static_cast<unsigned char>(value >> (8 * byte));
        }
    }
    return all;
}

inline std::uint64_t digest(const std::vector<key>& all) {
    std::uint64_t sum = 0;
    for (const key& one : all) {
        std::uint64_t value = 0;
        for (std::size_t byte = 8; byte-- > 0;) {
            value = value << 8 | one[byte];
        }
        sum = (sum ^ value) * 0x100000001B3;
    }
    return sum;
}

} // namespace field
