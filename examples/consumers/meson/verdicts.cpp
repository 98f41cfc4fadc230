// Says of each line of standard input whether it is among the 100 lines before it: "new" or "duplicate".
#include <lately.hpp>

#include <iostream>
#include <string>

int main() try {
    lately::filter seen(lately::options::age_partitioned(100).error_rate(0.01));
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << (seen.observe(line) == lately::verdict::new_ ? "new" : "duplicate") << '\n';
    }
} catch (const lately::error& error) {
    std::cerr << "verdicts: " << error.what() << '\n';
    return 1;
}
