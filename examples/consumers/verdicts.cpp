// Says of each line of standard input whether it is among the 20 lines before it: "new" or "duplicate". The number of
// the line is its time.
#include <lately.hpp>

#include <chrono>
#include <iostream>
#include <string>

int main() try {
    const auto window = std::chrono::nanoseconds(20);
    lately::filter seen(lately::options::time_limited(window).clock(lately::clock_source::manual_ns).error_rate(0.2));
    std::chrono::nanoseconds now(0);
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << (seen.observe(line, now++) == lately::verdict::new_ ? "new" : "duplicate") << '\n';
    }
} catch (const lately::error& error) {
    std::cerr << "verdicts: " << error.what() << '\n';
    return 1;
}
