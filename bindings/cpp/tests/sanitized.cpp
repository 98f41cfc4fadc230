// A program of threads that is built with ThreadSanitizer while the library is not: with the suppressions that the library ships, nothing
// is reported; with the argument `planted` a race of its own is.
#include <lately.hpp>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

int counter = 0;

void work(lately::shared_filter seen, int thread, bool planted) {
    for (int i = 0; i < 4000; ++i) {
        static_cast<void>(seen.try_observe("key " + std::to_string(i)));
        if (planted) {
            ++counter;
        }
        if (i % 100 == thread) {
            static_cast<void>(seen.try_snapshot());
            const auto claim = lately::claim_guard<lately::shared_filter>::try_claim(seen, "claim " + std::to_string(i));
            static_cast<void>(claim.has_value());
        }
    }
}

} // namespace

int main(int count, char**) {
    using std::chrono::seconds;
    const lately::shared_filter seen(lately::options::window(seconds(600)).lease(seconds(30)).memory(8 << 20));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back(work, seen, thread, count > 1);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::puts("done");
}
