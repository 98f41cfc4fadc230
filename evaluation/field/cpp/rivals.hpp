// The rivals of this program: Bitcoin Core's rolling Bloom filter and lately, both behind one verb.
#pragma once

#include "stream.hpp"

#include <memory>
#include <string>
#include <vector>

namespace field {

struct rival {
    virtual ~rival() = default;
    // Whether `one` is called a duplicate; then it is remembered.
    virtual bool observe(const key& one, std::uint64_t tick) = 0;
};

struct entry {
    const char* name;
    std::string version;
    const char* base;
    double error;
    bool is_timed;
    const char* what;
    std::unique_ptr<rival> (*build)(const workload&, double error);
    void (*documented)(const entry&);
};

// Prints one documented figure.
void print_figure(const entry& of, const std::string& what, const char* unit, double documented, double measured,
                  const char* law, double slack, const char* source);

// Bytes that the allocator has given out.
std::uint64_t allocated();

std::vector<entry> entries();

// From bitcoin.cpp, which alone sees the headers of Bitcoin Core.
std::unique_ptr<rival> bitcoin(const workload& load, double error);
void bitcoin_documented(const entry& of);

} // namespace field
