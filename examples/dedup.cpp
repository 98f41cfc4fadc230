// Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
// and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
//
//     c++ -std=c++17 examples/dedup.cpp $(pkg-config --cflags --libs lately) -o dedup && ./dedup <records
#include <lately.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

int main() try {
    std::ios::sync_with_stdio(false);
    lately::filter seen(
        lately::options::time_limited(10s).clock(lately::clock_source::manual).error_rate(1e-3));
    std::chrono::milliseconds now = 0ms;
    for (std::string line; std::getline(std::cin, line);) {
        if (seen.observe_at(line, ++now) == lately::verdict::new_) {
            std::cout << line << '\n';
        }
    }
    const lately::stats stats = seen.stats();
    std::cout << "read=" << now.count() << " new=" << stats.news << " duplicate=" << stats.duplicates
              << " bytes=" << stats.bytes << '\n';
    return std::cin.bad() || !std::cout.flush() ? 1 : 0;
} catch (const lately::error& error) {
    std::cerr << "dedup: " << error.what() << '\n';
    return 1;
}
