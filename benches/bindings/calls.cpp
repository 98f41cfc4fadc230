// What a call costs, in C++: as calls.c, which says what goes in and out.
#include <lately.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t KEYS = 1 << 16;
constexpr std::size_t BATCH = 256;

// The same numbers as keys of one length, back to back, and where each lies.
class stream {
public:
    void add(std::string_view key) {
        length_ = key.size();
        bytes_ += key;
        offsets_.push_back(bytes_.size());
    }
    std::string_view key(std::size_t i) const { return {bytes_.data() + i * length_, length_}; }
    lately::keys batch(std::size_t first, std::size_t size) const {
        return lately::keys(bytes_, {offsets_.data() + first, size + 1});
    }
    // Keys that lie anywhere, `size` of them for each call.
    std::vector<std::vector<std::string_view>> apart(std::size_t size) const {
        std::vector<std::vector<std::string_view>> all(KEYS / size);
        for (std::size_t i = 0; i < KEYS; ++i) {
            all[i / size].push_back(key(i));
        }
        return all;
    }

private:
    std::string bytes_;
    std::vector<std::uint64_t> offsets_ = {0};
    std::size_t length_ = 0;
};

struct streams {
    std::vector<std::uint64_t> words;
    stream pairs;
    stream texts;

    streams() {
        std::uint64_t state = 1;
        for (std::size_t i = 0; i < KEYS; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const std::uint64_t number = (state >> 33) % 40000;
            words.push_back(number);
            std::string pair;
            for (const std::uint8_t byte : lately::le64(number)) {
                pair += static_cast<char>(byte);
            }
            for (const std::uint8_t byte : lately::le64(~number)) {
                pair += static_cast<char>(byte);
            }
            pairs.add(pair);
            const std::string text = std::to_string(number);
            texts.add(std::string(40 - text.size(), '0') + text);
        }
    }
};

template <class Key>
std::uint64_t singles(Key observe) {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < KEYS; ++i) {
        seen += observe(i) == lately::verdict::duplicate ? 1U : 0U;
    }
    return seen;
}

template <class Batch>
std::uint64_t batches(std::size_t size, Batch observe) {
    std::uint64_t seen = 0;
    std::array<lately::verdict, BATCH> verdicts{};
    for (std::size_t i = 0; i < KEYS; i += size) {
        observe(i, lately::array_view<lately::verdict>(verdicts.data(), size));
        for (std::size_t j = 0; j < size; ++j) {
            seen += verdicts[j] == lately::verdict::duplicate ? 1U : 0U;
        }
    }
    return seen;
}

// This thread's CPU time, in nanoseconds; where the system has none, the process's.
double now() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
#else
    return static_cast<double>(std::clock()) * 1e9 / CLOCKS_PER_SEC;
#endif
}

// Prints what it took, for each key.
template <class Call>
std::uint64_t row(Call call) {
    const double start = now();
    const std::uint64_t seen = call();
    std::printf("%.3f ", (now() - start) / static_cast<double>(KEYS));
    return seen;
}

using apart = std::vector<std::vector<std::string_view>>;

template <class Filter>
std::uint64_t packed(Filter& filter, const stream& from, std::size_t size) {
    return row([&] {
        return batches(size, [&](std::size_t i, auto out) { filter.observe_many(from.batch(i, size), out); });
    });
}

template <class Filter>
std::uint64_t slices(Filter& filter, const apart& keys) {
    return row([&] {
        return batches(BATCH, [&](std::size_t i, auto out) { filter.observe_many(keys[i / BATCH], out); });
    });
}

template <class Filter>
std::uint64_t strings(Filter& filter, const stream& from) {
    return row([&] { return singles([&](std::size_t i) { return filter.observe(from.key(i)); }); });
}

// A filter for each row, and the calls of calls.c in its order.
template <class Filter>
class rows {
public:
    rows(const streams& from, const lately::options& request) : from_(from) {
        for (int i = 0; i < 9; ++i) {
            filters_.emplace_back(request);
        }
    }

    std::uint64_t play() {
        std::uint64_t seen = row([&] {
            return singles([&](std::size_t i) { return filters_[0].observe(lately::le64(from_.words[i])); });
        });
        seen += row([&] {
            return batches(BATCH, [&](std::size_t i, auto out) {
                const lately::array_view<const std::uint64_t> numbers(from_.words.data() + i, BATCH);
                filters_[1].observe_many(lately::u64s(numbers), out);
            });
        });
        seen += strings(filters_[2], from_.pairs) + packed(filters_[3], from_.pairs, 32);
        seen += packed(filters_[4], from_.pairs, BATCH) + slices(filters_[5], pairs_);
        seen += strings(filters_[6], from_.texts) + packed(filters_[7], from_.texts, BATCH);
        return seen + slices(filters_[8], texts_);
    }

private:
    const streams& from_;
    apart pairs_ = from_.pairs.apart(BATCH);
    apart texts_ = from_.texts.apart(BATCH);
    std::vector<Filter> filters_;
};

} // namespace

int main() {
    const streams from;
    const auto of_keys = lately::options::last(20000);
    const auto of_time = lately::options::window(std::chrono::hours(1));
    rows<lately::filter> keys(from, of_keys);
    rows<lately::shared_filter> shared_keys(from, of_keys);
    rows<lately::filter> time(from, of_time);
    rows<lately::shared_filter> shared_time(from, of_time);
    std::uint64_t duplicates = 0;
    while (std::getchar() != EOF) {
        duplicates += keys.play();
        duplicates += shared_keys.play();
        duplicates += time.play();
        duplicates += shared_time.play();
        std::uint32_t sum = 0;
        row([&] {
            for (std::size_t i = 0; i < KEYS; ++i) {
                sum += lately::abi_version();
            }
            return sum;
        });
        if (sum != KEYS * lately::abi_version()) {
            return 1;
        }
        std::printf("%llu\n", static_cast<unsigned long long>(duplicates));
        std::fflush(stdout);
    }
    return 0;
}
