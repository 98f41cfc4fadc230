// Claims on the shards of lately_shards.hpp, made with LEASE: an item is stored when its work is done, and new again if it failed.
//
//     auto order = claim_item(to, "seen", 4, 0, "order-17");
//     if (order.answer() == 1) work(), order.commit();
#pragma once
#include "lately_shards.hpp"

namespace lately_shards {
/// An item that was claimed. Its end abandons what was not committed.
class claim {
public:
    claim(redisContext* to, std::string at, std::string item, const redisReply* answer)
        : to_(to), key_(std::move(at)), item_(std::move(item)), token_(answer->element[1]->str),
          answer_(answer->element[0]->integer), open_(answer_ == 1) {}
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;
    ~claim() {
        try {
            abandon();
        } catch (const std::exception&) {
            // Its lease will end it.
        }
    }

    /// 1 if it is yours, 0 if it was seen, 2 if another works on it.
    long long answer() const { return answer_; }

    /// Stores the item: IN-TIME, LATE after the lease, or ALREADY where another stored it. One that failed changes nothing.
    std::string commit() {
        std::string found = call(to_, {{"LATELY.COMMIT", key_, item_, token_}})[0]->str;
        open_ = false;
        return found;
    }

    /// The next claim of the item is 1. Does nothing to one that is not open.
    void abandon() {
        if (std::exchange(open_, false)) call(to_, {{"LATELY.ABANDON", key_, item_, token_}});
    }

private:
    redisContext* to_;
    std::string key_, item_, token_;
    long long answer_;
    bool open_;
};

/// Claims an item. While a filter grows from `old` shards, those are asked first: they know what is stored or claimed there;
/// old 0: none. If it has grown since, the new shards are asked.
inline claim claim_item(redisContext* to, const std::string& name, std::uint64_t shards, std::uint64_t old, const std::string& item) {
    std::uint64_t now = 0;
    for (auto of : {old, shards}) {
        if (of == 0) continue;
        auto at = key(name, of, shard_of(item, of));
        auto replies = call(to, {{"LATELY.CLAIM", at, item, "OF", std::to_string(of)}});
        now = grown(replies[0].get());
        if (now == 0) return claim(to, at, item, replies[0].get());
    }
    mark(to, name, shards, now);
    return claim_item(to, name, now, shards, item);
}
}  // namespace lately_shards
