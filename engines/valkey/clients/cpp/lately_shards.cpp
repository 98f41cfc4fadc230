// One filter over the shards NAME:S:0 .. NAME:S:S-1 of one Valkey or Redis, with hiredis, which knows no clusters.
// The commands are those of the client in Python.
//     c++ -std=c++17 lately_shards.cpp $(pkg-config --cflags --libs hiredis) -o lately_shards
#include <hiredis.h>

#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using words = std::vector<std::string>;
using reply = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

/// Which shard an item belongs to: the same in every language.
std::uint64_t shard_of(const std::string& item, std::uint64_t shards) {
    std::uint64_t h = 0xCBF29CE484222325;
    for (unsigned char byte : item) h = (h ^ byte) * 0x100000001B3;
    h = (h ^ (h >> 32)) * 0x9E3779B97F4A7C15;
    return (h ^ (h >> 32)) % shards;
}

struct server {
    std::unique_ptr<redisContext, decltype(&redisFree)> context;

    server(const std::string& host, int port) : context(redisConnect(host.c_str(), port), &redisFree) {
        if (!context || context->err) throw std::runtime_error(context ? context->errstr : "no memory");
    }
    void send(const words& command) {
        std::vector<const char*> starts;
        std::vector<std::size_t> sizes;
        for (auto& word : command) starts.push_back(word.data()), sizes.push_back(word.size());
        redisAppendCommandArgv(context.get(), static_cast<int>(command.size()), starts.data(), sizes.data());
    }
    reply receive() {
        void* got = nullptr;
        if (redisGetReply(context.get(), &got) != REDIS_OK) throw std::runtime_error(context->errstr);
        reply answer(static_cast<redisReply*>(got), &freeReplyObject);
        if (answer->type == REDIS_REPLY_ERROR) throw std::runtime_error(answer->str);
        return answer;
    }
    reply call(const words& command) { return send(command), receive(); }
};

std::string key(const std::string& name, std::uint64_t shards, std::uint64_t i) {
    return name + ":" + std::to_string(shards) + ":" + std::to_string(i);
}

/// One pipelined command for each shard; the answers in the order of the items.
std::vector<long long> ask(server& to, const std::string& verb, const std::string& name, std::uint64_t shards, const words& items) {
    std::vector<std::vector<std::size_t>> places(shards);
    for (std::size_t i = 0; i < items.size(); i++) places[shard_of(items[i], shards)].push_back(i);
    for (std::uint64_t shard = 0; shard < shards; shard++) {
        words command{verb, key(name, shards, shard), "OF", std::to_string(shards), "ITEMS"};
        for (auto i : places[shard]) command.push_back(items[i]);
        if (!places[shard].empty()) to.send(command);
    }
    std::vector<long long> answers(items.size());
    for (auto& rows : places) {
        if (rows.empty()) continue;
        auto got = to.receive();
        for (std::size_t j = 0; j < rows.size() && j < got->elements; j++) answers[rows[j]] = got->element[j]->integer;
    }
    return answers;
}

/// 1 for each item that is new. While a filter grows, what its old shards know is not new; old 0: none.
std::vector<long long> add(server& to, const std::string& name, std::uint64_t shards, std::uint64_t old, const words& items) {
    auto seen = old ? ask(to, "LATELY.MEXISTS", name, old, items) : std::vector<long long>(items.size());
    auto answers = ask(to, "LATELY.MADD", name, shards, items);
    for (std::size_t i = 0; i < items.size(); i++) answers[i] *= 1 - seen[i];
    return answers;
}

void reserve(server& to, const std::string& name, std::uint64_t shards, const words& request) {
    for (std::uint64_t i = 0; i < shards; i++) {
        words command{"LATELY.RESERVE", key(name, shards, i)};
        command.insert(command.end(), request.begin(), request.end());
        for (auto word : {std::string("SHARD"), std::to_string(i), std::string("OF"), std::to_string(shards), std::string("NX")}) {
            command.push_back(word);
        }
        to.call(command);
    }
}

words split(const std::string& text) {
    std::istringstream in(text);
    return words(std::istream_iterator<std::string>(in), {});
}

/// The new shards, made as the old ones were.
void grow(server& to, const std::string& name, std::uint64_t old, std::uint64_t shards) {
    auto got = to.call({"LATELY.INFO", key(name, old, 0), "request"});
    std::string request(got->str, got->len);
    reserve(to, name, shards, split(request.substr(0, request.find(" SHARD "))));
}

words lines() {
    words all;
    for (std::string line; std::getline(std::cin, line);) all.push_back(line);
    return all;
}

int main(int argc, char** argv) try {
    words args(argv + 1, argv + argc);
    if (args.at(0) == "check") {
        for (auto& line : lines()) {
            if (line[0] == '#') continue;
            auto row = split(line);
            std::string item;
            for (std::size_t i = 0; row[2] != "-" && i < row[2].size(); i += 2) item += static_cast<char>(std::stoi(row[2].substr(i, 2), nullptr, 16));
            if (shard_of(item, std::stoull(row[0])) != std::stoull(row[1])) throw std::runtime_error("wrong: " + line);
        }
        return 0;
    }
    auto place = args.at(0).substr(args[0].find("://") + 3);
    server to(place.substr(0, place.find(':')), std::stoi(place.substr(place.find(':') + 1)));
    auto name = args.at(2);
    auto shards = std::stoull(args.at(3));
    words rest(args.begin() + 4, args.end());
    if (args[1] == "add") {
        for (auto answer : add(to, name, shards, rest.empty() ? 0 : std::stoull(rest[0]), lines())) std::cout << answer << '\n';
    } else if (args[1] == "reserve") {
        reserve(to, name, shards, rest);
    } else if (args[1] == "grow") {
        grow(to, name, shards, std::stoull(rest.at(0)));
    } else {
        for (std::uint64_t i = 0; i < shards; i++) to.call({"UNLINK", key(name, shards, i)});
    }
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
