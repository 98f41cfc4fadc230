// lately::shared_filter and its holders among threads. What one thread sees of it is tested where `filter` is; that a key is new to
// one thread, and every verb while any other runs, in c_tests/shared.c.
#include "check.hpp"

#include <atomic>
#include <thread>

using namespace std::chrono_literals;
using lately::shared_filter;
using lately::verdict;

namespace {

constexpr std::uint64_t THREADS = 8;

// What the threads count: checks are not for several threads at once.
struct counts {
    std::atomic<std::uint64_t> new_count{0};
    std::atomic<std::uint64_t> failures{0};

    void add(const lately::result<verdict>& result) {
        failures += result ? 0 : 1;
        new_count += result && *result == verdict::new_ ? 1 : 0;
    }
};

} // namespace

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
