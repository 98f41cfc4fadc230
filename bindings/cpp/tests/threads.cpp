// lately::shared_filter among threads, and its holders. What one thread sees of it is tested where `filter` is; every verb while any
// other runs, in c_tests/shared.c.
#include "check.hpp"

#include <atomic>
#include <thread>

using namespace std::chrono_literals;
using lately::shared_filter;
using lately::verdict;

namespace {

constexpr std::uint64_t THREADS = 8;
constexpr std::uint64_t KEYS = 250;

// Runs a copy of `body` in every thread at once, and waits for all.
template <class Body>
void together(Body body) {
    std::atomic<std::uint64_t> ready{0};
    std::vector<std::thread> all;
    for (std::uint64_t id = 0; id < THREADS; ++id) {
        all.emplace_back([&ready, body]() mutable {
            ++ready;
            while (ready < THREADS) {
                std::this_thread::yield();
            }
            body();
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

    void add(const lately::result<verdict>& result) {
        failures += result ? 0 : 1;
        new_count += result && *result == verdict::new_ ? 1 : 0;
    }
};

void observe_all(shared_filter& seen, counts& sum) {
    for (std::uint64_t key = 0; key < KEYS; ++key) {
        sum.add(seen.try_observe(lately::le64(key)));
    }
}

// No key is new to two threads, and only a false duplicate is new to none.
void is_new_to_one(const counts& sum, const lately::stats& stats) {
    CHECK(sum.failures == 0 && sum.new_count <= KEYS && sum.new_count + KEYS / 50 >= KEYS);
    EQUAL(sum.new_count.load(), stats.new_count);
    EQUAL(THREADS * KEYS, stats.new_count + stats.duplicate_count);
}

} // namespace

TEST(a_key_is_new_to_one_thread_of_many_each_with_its_copy_or_all_with_one) {
    auto copied = begun<shared_filter>(), one = begun<shared_filter>();
    counts by_copies, by_one;
    together([mine = copied, &by_copies]() mutable { observe_all(mine, by_copies); });
    together([&one, &by_one] { observe_all(one, by_one); });
    is_new_to_one(by_copies, copied.stats());
    is_new_to_one(by_one, one.stats());
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
