// The fixed price of a call from C++, in ns, compared with an empty C call through the same road. Nothing is asserted.
//   cpp_bench          about a second for each line
//   cpp_bench quick    that it runs
#include <lately.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t BATCH = 256;
using steady = std::chrono::steady_clock;

// Calls `step` until `wanted` has passed and prints the best of the rounds, in ns for each of its `keys`.
template <class Step>
void price(const char* what, std::size_t keys, steady::duration wanted, Step step) {
    constexpr int ROUND = 256;
    const auto end = steady::now() + wanted;
    double best = 1e300;
    do {
        const auto start = steady::now();
        for (int i = 0; i < ROUND; ++i) {
            step();
        }
        const std::chrono::duration<double, std::nano> took = steady::now() - start;
        best = std::min(best, took.count() / ROUND / static_cast<double>(keys));
    } while (steady::now() < end);
    std::printf("%-44s %8.1f ns\n", what, best);
}

} // namespace

int main(int arguments, char**) {
    const steady::duration wanted = arguments > 1 ? std::chrono::milliseconds(5) : std::chrono::seconds(1);
    const auto request = lately::options::time_limited(std::chrono::hours(1)).clock(lately::clock_source::manual_ns);
    lately::filter filter(request);
    filter.advance(std::chrono::seconds(0));
    lately::batch batch;
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i < BATCH; ++i) {
        batch.push_back(lately::le64(i));
        hashes.push_back(filter.hash(lately::le64(i)));
    }
    std::vector<lately::verdict> verdicts(BATCH);
    std::uint32_t sink = 0;
    std::uint8_t raw = 0;
    // Single calls and batches ask for the same keys, in turn.
    std::vector<std::array<std::uint8_t, 8>> keys;
    for (std::uint64_t i = 0; i < BATCH; ++i) {
        keys.push_back(lately::le64(i));
    }
    std::size_t turn = 0;
    const auto next = [&]() -> const std::array<std::uint8_t, 8>& { return keys[turn++ % BATCH]; };

    price("an empty call of C (lately_abi_version)", 1, wanted, [&] { sink += lately::abi_version(); });
    price("lately_filter_observe, from C", 1, wanted,
          [&] { sink += static_cast<std::uint32_t>(lately_filter_observe(filter.get(), next().data(), 8, LATELY_NOW, &raw)); });
    price("observe, throwing form", 1, wanted, [&] { sink += filter.observe(next()) == lately::verdict::new_ ? 1U : 0U; });
    price("try_observe, noexcept form", 1, wanted, [&] { sink += filter.try_observe(next()) ? 1U : 0U; });
    price("contains", 1, wanted, [&] { sink += filter.contains(next()) == lately::verdict::new_ ? 1U : 0U; });
    price("observe_many of 256, each key", BATCH, wanted, [&] { filter.observe_many(batch, verdicts); });
    price("observe_many of 256 hashes, each key", BATCH, wanted, [&] { filter.observe_many(lately::hashes(hashes), verdicts); });
    std::printf("(%u)\n", sink + static_cast<std::uint32_t>(raw));
    return 0;
}
