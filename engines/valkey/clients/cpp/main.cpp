// The client as a command. The words are those of the command in Python.
//     c++ -std=c++17 main.cpp $(pkg-config --cflags --libs hiredis) -o lately_shards
#include "lately_claims.hpp"

#include <iostream>
#include <string>

using namespace lately_shards;

static words lines() {
    words all;
    for (std::string line; std::getline(std::cin, line);) all.push_back(line);
    return all;
}

/// Compares the shard function with its vectors.
static void check() {
    for (auto& line : lines()) {
        if (line[0] == '#') continue;
        std::istringstream in(line);
        std::uint64_t shards, shard;
        std::string hex, item;
        in >> shards >> shard >> hex;
        for (std::size_t i = 0; hex != "-" && i < hex.size(); i += 2) item += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        if (shard_of(item, shards) != shard) throw std::runtime_error("wrong: " + line);
    }
}

static void run(redisContext* to, const std::string& verb, const std::string& name, std::uint64_t shards, const words& rest) {
    if (verb == "add") {
        for (auto answer : add(to, name, shards, rest.empty() ? 0 : std::stoull(rest[0]), lines())) std::cout << answer << '\n';
    } else if (verb == "commit" || verb == "abandon") {
        for (auto& item : lines()) {
            auto claimed = claim_item(to, name, shards, rest.empty() ? 0 : std::stoull(rest[0]), item);
            auto found = verb == "commit" && claimed.answer() == 1 ? claimed.commit() : "";
            std::cout << claimed.answer() << ' ' << found << '\n';
        }
    } else if (verb == "reserve") {
        reserve(to, name, shards, rest);
    } else if (verb == "grow") {
        grow(to, name, shards, std::stoull(rest.at(0)));
    } else {
        for (std::uint64_t i = 0; i < shards; i++) call(to, {{"UNLINK", key(name, shards, i)}});
    }
}

int main(int argc, char** argv) try {
    words args(argv + 1, argv + argc);
    if (args.at(0) == "check") return check(), 0;
    auto place = args[0].substr(args[0].find("://") + 3);
    auto colon = place.find(':');
    std::unique_ptr<redisContext, decltype(&redisFree)> to(
        redisConnect(place.substr(0, colon).c_str(), std::stoi(place.substr(colon + 1))), &redisFree);
    if (!to || to->err) throw std::runtime_error(to ? to->errstr : "no memory");
    run(to.get(), args.at(1), args.at(2), std::stoull(args.at(3)), words(args.begin() + 4, args.end()));
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
