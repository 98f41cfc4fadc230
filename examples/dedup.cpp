// Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
// and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
//
//     c++ -std=c++17 examples/dedup.cpp $(pkg-config --cflags --libs lately) -o dedup && ./dedup <records
#include <lately.hpp>

#include <iostream>
#include <string>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

using namespace std::chrono_literals;

// Windows would rewrite line ends, and end the input at a byte 26.
static void take_bytes_as_they_are() {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
}

int main() try {
    take_bytes_as_they_are();
    std::ios::sync_with_stdio(false);
    lately::filter seen(
        lately::options::window(10s).clock(lately::clock_source::manual_ms).error_rate(1e-3));
    std::chrono::milliseconds now = 0ms;
    for (std::string line; std::getline(std::cin, line);) {
        if (seen.observe(line, ++now) == lately::verdict::new_) {
            std::cout << line << '\n';
        }
    }
    const lately::stats stats = seen.stats();
    std::cout << "read=" << now.count() << " new=" << stats.new_count << " duplicate=" << stats.duplicate_count
              << " bytes=" << stats.bytes << '\n';
    return std::cin.bad() || !std::cout.flush() ? 1 : 0;
} catch (const lately::error& error) {
    std::cerr << "dedup: " << error.what() << '\n';
    return 1;
}
