// A million filters made, used and freed: memory stays where it was. Linux tells it in /proc/self/statm, Windows when it
// is asked.
#include "check.hpp"

#ifdef _WIN32
#include <windows.h>
// After it, which declares the types.
#include <psapi.h>
#else
#include <fstream>
#endif

namespace {

constexpr int ROUNDS = 1000000;

#ifdef _WIN32
// Pages of 4 KiB that only this process has, in memory or not: what a leak adds to.
long resident_pages() {
    PROCESS_MEMORY_COUNTERS counters{};
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? static_cast<long>(counters.PagefileUsage / 4096)
               : 0;
}
#else
long resident_pages() {
    std::ifstream statm("/proc/self/statm");
    long size = 0;
    long resident = 0;
    statm >> size >> resident;
    return resident;
}
#endif

} // namespace

int main() {
    const auto request = manual().k(4).l(3).fill(0.5);
    long before = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        lately::filter filter(request);
        (void)filter.observe("a", lately::tick(std::chrono::seconds(1)));
        lately::filter moved = std::move(filter);
        if (round % 2 == 0) {
            lately::filter copy = moved.copy();
            copy.close();
        }
        if (round == ROUNDS / 10) {
            before = resident_pages();
        }
    }
    const long after = resident_pages();
    std::printf("%d filters: %ld pages resident after a tenth, %ld at the end\n", ROUNDS, before, after);
    // A leak of one byte a filter would be over 200 pages.
    CHECK(before > 0 && after - before < 100);
    std::printf("%u checks, %u failed\n", check::count, check::failures);
    return check::failures == 0 ? 0 : 1;
}
