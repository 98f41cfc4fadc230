// Prints the lines of standard input that were not seen within the last ten minutes, in 64 MiB at most.
//     c++ -std=c++17 first_sightings.cpp $(pkg-config --cflags --libs lately) -o first_sightings
#include <lately.hpp>

#include <iostream>
#include <string>

int main() try {
    using namespace std::chrono_literals;
    lately::filter seen(lately::options::time_limited(10min).memory(64 << 20));
    for (std::string line; std::getline(std::cin, line);) {
        if (seen.observe(line) == lately::verdict::new_) {
            std::cout << line << '\n';
        }
    }
} catch (const lately::error& error) {
    std::cerr << "first_sightings: " << error.what() << '\n';
    return 1;
}
