// lately::shared_filter among threads, and its holders. What one thread sees of it is tested where `filter` is.
#include "check.hpp"

#include <atomic>
#include <thread>

using namespace std::chrono_literals;
using lately::shared_filter;
using lately::verdict;

namespace {

constexpr std::uint64_t THREADS = 8;
constexpr std::uint64_t KEYS = 2000;
constexpr std::uint64_t AT_ONCE = 250;

// Runs `body` in every thread at once, each with its number, and waits for all.
template <class Body>
void together(Body body) {
    std::atomic<std::uint64_t> ready{0};
    std::vector<std::thread> all;
    for (std::uint64_t id = 0; id < THREADS; ++id) {
        all.emplace_back([&ready, body, id]() mutable {
            ++ready;
            while (ready < THREADS) {
                std::this_thread::yield();
            }
            body(id);
        });
    }
    for (std::thread& thread : all) {
        thread.join();
    }
}

// What the threads count: checks are not for several threads at once.
struct counts {
    std::atomic<std::uint64_t> new_count{0};
    std::atomic<std::uint64_t> failures{0};
    bool clears = false; // One of the threads does, and a clock that was cleared has no time until the next tick.

    void add(const lately::result<verdict>& result) {
        add(result.code());
        new_count += result && *result == verdict::new_ ? 1 : 0;
    }
    void add(lately::status code) {
        failures += code == lately::status::ok || (clears && code == lately::status::clock) ? 0 : 1;
    }
    template <class T>
    void add(const lately::result<T>& result) { add(result.code()); }
};

void one_by_one(shared_filter& seen, std::uint64_t first, counts& sum) {
    for (std::uint64_t key = first; key < first + AT_ONCE; ++key) {
        sum.add(seen.try_observe(lately::le64(key)));
    }
}

// All threads observe all keys. No key is new to two of them, and only a false duplicate is new to none. They begin
// every 250 keys together, so that no thread falls behind by a window.
void each_key_is_new_to_one(const shared_filter& seen) {
    counts sum;
    for (std::uint64_t first = 0; first < KEYS; first += AT_ONCE) {
        together([mine = seen, &sum, first](std::uint64_t) mutable { one_by_one(mine, first, sum); });
    }
    EQUAL(std::uint64_t{0}, sum.failures.load());
    CHECK(sum.new_count <= KEYS && sum.new_count + KEYS / 50 >= KEYS);
    const lately::stats stats = seen.stats();
    EQUAL(sum.new_count.load(), stats.new_count);
    EQUAL(THREADS * KEYS, stats.new_count + stats.duplicate_count);
}

// Writes the filter, which others use, and loads it.
lately::status restored(const shared_filter& seen) {
    const auto bytes = seen.try_snapshot();
    return bytes ? shared_filter::try_load(*bytes, 0s).code() : bytes.code();
}

// Every verb, with time that passes, clearing, copies, and holders that come and go.
void anything(shared_filter seen, std::uint64_t id, counts& sum) {
    verdict room[1];
    for (std::uint64_t i = 0; i < 500; ++i) {
        const auto key = lately::le64(i % 97);
        lately::batch batch;
        batch.push_back(key);
        shared_filter mine = seen;
        const auto now = i * 10ms;
        sum.add(mine.try_observe(key, now));
        sum.add(mine.try_observe(key));
        sum.add(mine.try_insert(key, now));
        sum.add(mine.try_contains(key));
        sum.add(mine.try_observe_many(batch, room).code);
        sum.add(mine.try_insert_many(batch).code);
        sum.add(mine.try_contains_many(batch, room).code);
        sum.add(mine.try_hash(key));
        sum.failures += mine.try_remove(key).code() == lately::status::unsupported ? 0 : 1;
        sum.failures += mine.try_secret().code() == lately::status::unsupported ? 0 : 1;
        sum.add(i % 16 == id ? mine.try_stats().code() : lately::status::ok);
        sum.add(i % 64 == id ? mine.try_copy().code() : lately::status::ok);
        sum.add(i % 64 == 8 + id ? mine.try_advance(now) : lately::status::ok);
        sum.add(i % 128 == 16 + id ? mine.try_clear() : lately::status::ok);
        sum.add(i % 128 == 24 + id ? mine.try_stats_reset() : lately::status::ok);
        sum.add(i % 64 == 32 + id ? restored(mine) : lately::status::ok);
        seen = mine;
    }
}

} // namespace

TEST(one_of_many_threads_on_one_key_gets_new) {
    each_key_is_new_to_one(begun<shared_filter>());
}

TEST(threads_may_share_one_object) {
    auto seen = begun<shared_filter>();
    counts sum;
    together([&seen, &sum](std::uint64_t) { one_by_one(seen, 0, sum); });
    CHECK(sum.failures == 0 && sum.new_count <= AT_ONCE && sum.new_count + AT_ONCE / 50 >= AT_ONCE);
}

TEST(every_verb_runs_while_any_other_runs) {
    const auto seen = begun<shared_filter>();
    counts sum;
    sum.clears = true;
    together([&](std::uint64_t id) { anything(seen, id, sum); });
    EQUAL(std::uint64_t{0}, sum.failures.load());
}

// The object that built the filter goes first; whichever thread is last frees.
TEST(each_thread_retains_its_own_handle) {
    for (int round = 0; round < 50; ++round) {
        counts sum;
        std::vector<std::thread> all;
        auto first = begun<shared_filter>();
        for (std::uint64_t id = 0; id < THREADS; ++id) {
            all.emplace_back([mine = first, &sum]() mutable {
                sum.add(mine.try_observe("last"));
                mine.close();
                sum.failures += mine.try_observe("last").code() == lately::status::closed ? 0 : 1;
            });
        }
        first.close();
        for (std::thread& thread : all) {
            thread.join();
        }
        CHECK(sum.failures == 0 && sum.new_count == 1);
    }
}

TEST(a_copied_object_is_the_same_filter) {
    auto one = begun<shared_filter>();
    shared_filter two = one;
    auto three = begun<shared_filter>();
    three = two;
    CHECK(one.get() == two.get() && two.get() == three.get());
    two.insert("a");
    EQUAL(verdict::duplicate, one.contains("a"));
    one.close();
    two = shared_filter();
    CHECK(!one && !two && three);
    EQUAL(verdict::duplicate, three.contains("a"));
    const shared_filter& same = three;
    three = same;
    EQUAL(verdict::duplicate, three.contains("a"));
    const shared_filter none = one;
    EQUAL(lately::status::closed, none.try_contains("a").code());
}

TEST(a_holder_passes_to_and_from_c) {
    const auto one = begun<shared_filter>();
    EQUAL(LATELY_OK, lately_filter_retain(one.get()));
    shared_filter two = shared_filter::adopt(one.get());
    two.insert("a");
    EQUAL(verdict::duplicate, one.contains("a"));
    lately_filter_free(two.release());
    EQUAL(verdict::duplicate, one.contains("a"));
}
