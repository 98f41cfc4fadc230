// One filter over the shards NAME:S:0 .. NAME:S:S-1 of one Valkey or Redis. Needs hiredis, which knows no clusters.
#pragma once
#include <hiredis.h>

#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lately_shards {
using words = std::vector<std::string>;
using reply = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

/// Which shard an item belongs to: the same in every language.
inline std::uint64_t shard_of(const std::string& item, std::uint64_t shards) {
    std::uint64_t h = 0xCBF29CE484222325;
    for (unsigned char byte : item) h = (h ^ byte) * 0x100000001B3;
    h = (h ^ (h >> 32)) * 0x9E3779B97F4A7C15;
    return (h ^ (h >> 32)) % shards;
}

/// An answer that is no error.
inline const redisReply* good(const redisReply* answer) {
    if (answer->type == REDIS_REPLY_ERROR) throw std::runtime_error(answer->str);
    return answer;
}

inline std::string key(const std::string& name, std::uint64_t shards, std::uint64_t shard) {
    return name + ":" + std::to_string(shards) + ":" + std::to_string(shard);
}

/// The answers to commands that are sent in one pipeline. An error is thrown when all of them are there.
inline std::vector<reply> call(redisContext* to, const std::vector<words>& commands) {
    for (auto& command : commands) {
        std::vector<const char*> starts;
        std::vector<std::size_t> sizes;
        for (auto& word : command) starts.push_back(word.data()), sizes.push_back(word.size());
        redisAppendCommandArgv(to, static_cast<int>(command.size()), starts.data(), sizes.data());
    }
    std::vector<reply> replies;
    while (replies.size() < commands.size()) {
        void* got = nullptr;
        if (redisGetReply(to, &got) != REDIS_OK) throw std::runtime_error(to->errstr);
        replies.emplace_back(static_cast<redisReply*>(got), &freeReplyObject);
    }
    for (auto& answer : replies) good(answer.get());
    return replies;
}

/// One command for each shard, in one pipeline; the answers in the order of the items. If an item or a shard
/// refuses, that is an error; the others are added all the same.
inline std::vector<long long> ask(redisContext* to, const std::string& verb, const std::string& name, std::uint64_t shards, const words& items) {
    std::map<std::uint64_t, std::vector<std::size_t>> places;
    std::vector<words> commands;
    std::vector<long long> answers(items.size());
    for (std::size_t i = 0; i < items.size(); i++) places[shard_of(items[i], shards)].push_back(i);
    for (auto& [shard, rows] : places) {
        commands.push_back({verb, key(name, shards, shard), "OF", std::to_string(shards), "ITEMS"});
        for (auto i : rows) commands.back().push_back(items[i]);
    }
    auto replies = call(to, commands);
    auto next = replies.begin();
    for (auto& [shard, rows] : places) {
        for (std::size_t j = 0; j < rows.size(); j++) answers[rows[j]] = good((*next)->element[j])->integer;
        ++next;
    }
    return answers;
}

/// 1 for each item that is new. While a filter grows from `old` shards, what those know is not new; old 0: none.
inline std::vector<long long> add(redisContext* to, const std::string& name, std::uint64_t shards, std::uint64_t old, const words& items) {
    auto seen = old ? ask(to, "LATELY.MEXISTS", name, old, items) : std::vector<long long>(items.size());
    auto answers = ask(to, "LATELY.MADD", name, shards, items);
    for (std::size_t i = 0; i < items.size(); i++) answers[i] *= 1 - seen[i];
    return answers;
}

/// Makes the shards, each with the words of a request such as WINDOW 600000.
inline void reserve(redisContext* to, const std::string& name, std::uint64_t shards, const std::string& request) {
    std::vector<words> commands;
    for (std::uint64_t i = 0; i < shards; i++) {
        std::istringstream in(request + " SHARD " + std::to_string(i) + " OF " + std::to_string(shards) + " NX");
        commands.push_back({"LATELY.RESERVE", key(name, shards, i)});
        for (std::string word; in >> word;) commands.back().push_back(word);
    }
    call(to, commands);
}

/// Makes the new shards as the old ones were made; then `add` with `old` for one window, then the old ones can go.
inline void grow(redisContext* to, const std::string& name, std::uint64_t old, std::uint64_t shards) {
    std::string request(call(to, {{"LATELY.INFO", key(name, old, 0), "request"}})[0]->str);
    reserve(to, name, shards, request.substr(0, request.find(" SHARD ")));
}
}  // namespace lately_shards
