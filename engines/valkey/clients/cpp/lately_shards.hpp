// One filter over the shards NAME:S:0 .. NAME:S:S-1 of one Valkey or Redis. Needs hiredis, which knows no clusters.
#pragma once
#include <hiredis.h>

#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
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

/// How many shards a filter has that has grown, if that is the answer; else 0.
inline std::uint64_t grown(const redisReply* answer) {
    std::string text(answer->type == REDIS_REPLY_ERROR ? answer->str : "");
    return text.rfind("GROWN ", 0) == 0 ? std::stoull(text.substr(6)) : 0;
}

/// The answers to commands that are sent in one pipeline. An error is thrown when all of them are there, except that of a
/// filter that has grown.
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
    for (auto& answer : replies) if (!grown(answer.get())) good(answer.get());
    return replies;
}

/// Answers, and how many shards there are if there are others by now; else 0.
using asked = std::pair<std::vector<long long>, std::uint64_t>;

/// One command for each shard, in one pipeline; the answers in the order of the items, -1 where the shard has grown. If an
/// item or a shard refuses, that is an error; the others are added all the same.
inline asked ask(redisContext* to, const std::string& verb, const std::string& name, std::uint64_t shards, const words& items) {
    std::map<std::uint64_t, std::vector<std::size_t>> places;
    std::vector<words> commands;
    asked result{std::vector<long long>(items.size(), -1), 0};
    for (std::size_t i = 0; i < items.size(); i++) places[shard_of(items[i], shards)].push_back(i);
    for (auto& [shard, rows] : places) {
        commands.push_back({verb, key(name, shards, shard), "OF", std::to_string(shards), "ITEMS"});
        for (auto i : rows) commands.back().push_back(items[i]);
    }
    auto replies = call(to, commands);
    auto next = replies.begin();
    for (auto& [shard, rows] : places) {
        const redisReply* answer = (*next++).get();
        if (auto now = grown(answer)) result.second = now;
        else for (std::size_t j = 0; j < rows.size(); j++) result.first[rows[j]] = good(answer->element[j])->integer;
    }
    return result;
}

/// The old shards take no more items: whatever they do not know by now can be new in the new ones alone.
inline void mark(redisContext* to, const std::string& name, std::uint64_t old, std::uint64_t shards) {
    std::vector<words> commands;
    for (std::uint64_t i = 0; i < old; i++) commands.push_back({"LATELY.GROW", key(name, old, i), std::to_string(shards)});
    call(to, commands);
}

/// 1 for each item that is new. While a filter grows from `old` shards, what those know is not new; old 0: none. If it has
/// grown since, the rest goes to the new shards.
inline std::vector<long long> add(redisContext* to, const std::string& name, std::uint64_t shards, std::uint64_t old, const words& items) {
    auto seen = old ? ask(to, "LATELY.MEXISTS", name, old, items).first : std::vector<long long>(items.size());
    auto [answers, now] = ask(to, "LATELY.MADD", name, shards, items);
    if (now) {
        mark(to, name, shards, now);
        words rest;
        for (std::size_t i = 0; i < items.size(); i++) if (answers[i] < 0) rest.push_back(items[i]);
        auto more = add(to, name, now, shards, rest);
        auto next = more.begin();
        for (auto& answer : answers) if (answer < 0) answer = *next++;
    }
    for (std::size_t i = 0; i < items.size(); i++) answers[i] *= 1 - seen[i];
    return answers;
}

/// Makes the shards, each with the words of a request such as WINDOW 600000.
inline void reserve(redisContext* to, const std::string& name, std::uint64_t shards, const words& request) {
    std::vector<words> commands;
    for (std::uint64_t i = 0; i < shards; i++) {
        commands.push_back({"LATELY.RESERVE", key(name, shards, i), "SHARD", std::to_string(i), "OF", std::to_string(shards), "NX"});
        commands.back().insert(commands.back().end(), request.begin(), request.end());
    }
    call(to, commands);
}

/// Makes the new shards as the old ones were made, each with its part of what is counted or measured, and marks the old
/// ones; then `add` with `old` for one window, then the old ones can go.
inline void grow(redisContext* to, const std::string& name, std::uint64_t old, std::uint64_t shards) {
    std::istringstream in(call(to, {{"LATELY.INFO", key(name, old, 0), "request"}})[0]->str);
    words request;
    for (std::string word, before; in >> word && word != "SHARD"; before = word) {
        bool parted = before == "CAPACITY" || before == "MEMORY" || before == "MAXCLAIMS";
        request.push_back(parted ? std::to_string((std::stoull(word) * old + shards - 1) / shards) : word);
    }
    reserve(to, name, shards, request);
    mark(to, name, old, shards);
}
}  // namespace lately_shards
