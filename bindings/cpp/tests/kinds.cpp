// Every kind of filter through every verb: the rows of tests/vectors/kinds.txt.
#include "script.hpp"

#include <cstring>
#include <set>

using lately::verdict;
using script::row;
using script::rows;

namespace {

// Runs a check on every row, and names the rows where it fails.
void each(void (*check)(const row&)) {
    CHECK(rows().size() >= 2);
    for (const row& row : rows()) {
        const unsigned before = check::failures;
        try {
            check(row);
        } catch (const lately::error& error) {
            EQUAL(std::string("no error"), std::string(error.what()));
        }
        if (check::failures != before) {
            std::fprintf(stderr, "    with %s\n", row.name.c_str());
        }
    }
}

// Keys of which many come again, some soon and some late.
std::vector<std::string> stream() {
    std::vector<std::string> keys;
    for (unsigned i = 0; i < 2000; ++i) {
        keys.push_back(std::to_string(i * i % 997));
    }
    return keys;
}

template <class Filter>
bool same_stats(const Filter& one, const Filter& other) {
    const lately::stats a = one.stats();
    const lately::stats b = other.stats();
    return std::memcmp(static_cast<const lately_stats*>(&a), static_cast<const lately_stats*>(&b),
                       sizeof(lately_stats)) == 0;
}

} // namespace

// They are numbered from 1.
TEST(every_kind_that_the_library_builds_has_a_row) {
    std::set<std::uint32_t> kinds;
    for (const row& row : rows()) {
        kinds.insert(row.request.raw().kind);
    }
    lately::failure why;
    for (std::uint32_t kind = 1; why.field != lately::field::kind; ++kind) {
        (void)lately::try_plan(lately::options(static_cast<lately::kind>(kind)), &why);
        EQUAL(kinds.count(kind) == 1, why.field != lately::field::kind);
    }
}

TEST_BOTH(the_plan_of_every_kind) {
    each([](const row& row) {
        const lately::plan_result plan = lately::plan(row.request);
        CHECK(plan.error_rate_worst > 0 && plan.error_rate_worst <= 0.5);
        CHECK(plan.error_rate_mean > 0 && plan.error_rate_mean <= plan.error_rate_worst);
        CHECK(plan.bits_per_key_peak >= plan.bits_per_key);
        CHECK(plan.slices + plan.blocks + plan.rows > 0 && plan.cache_lines_per_observe >= 1);
        CHECK(plan.bytes == 0 || plan.bytes == handle(row.request).stats().bytes);
    });
}

TEST_BOTH(a_key_is_new_once_in_every_kind) {
    each([](const row& row) {
        auto filter = begun<handle>(row.request);
        EQUAL(verdict::new_, filter.contains("a"));
        EQUAL(verdict::new_, filter.observe("a"));
        EQUAL(verdict::duplicate, filter.observe("a"));
        filter.insert("b");
        EQUAL(verdict::duplicate, filter.contains("b"));
        EQUAL(verdict::new_, *filter.try_observe(""));
        OK(filter.try_insert("c"));
        EQUAL(verdict::duplicate, *filter.try_contains("c"));
    });
}

TEST_BOTH(stats_of_every_kind) {
    each([](const row& row) {
        auto filter = begun<handle>(row.request);
        for (const char* key : {"a", "b", "a"}) {
            (void)filter.observe(key);
        }
        const lately::stats stats = filter.stats();
        EQUAL(std::uint64_t{2}, stats.new_count);
        EQUAL(std::uint64_t{1}, stats.duplicate_count);
        CHECK(stats.items == 2 || stats.items == 3); // some kinds store a duplicate again
        CHECK(stats.bytes > 0 && stats.bytes_peak >= stats.bytes);
        CHECK((row.is_exact || stats.error_rate > 0) && stats.error_rate < 0.5);
        filter.stats_reset();
        CHECK(filter.stats().new_count + filter.stats().duplicate_count == 0 && filter.stats().items == stats.items);
    });
}

TEST_BOTH(a_batch_is_single_calls_in_every_kind) {
    each([](const row& row) {
        auto single = begun<handle>(row.request);
        auto keys = begun<handle>(row.request);
        auto hashes = begun<handle>(row.request);
        std::vector<std::uint64_t> hashed;
        std::vector<verdict> want;
        for (const std::string& key : stream()) {
            want.push_back(single.observe(key));
            hashed.push_back(single.hash(key));
        }
        const lately::batch all(stream());
        CHECK(keys.observe_many(all) == want && hashes.observe_many(lately::hashes(hashed)) == want);
        CHECK(same_stats(single, keys) && same_stats(single, hashes));
        CHECK(single.stats().new_count > 400 && single.stats().duplicate_count > 1000);
        const std::vector<verdict> found(want.size(), verdict::duplicate);
        CHECK(keys.contains_many(all) == found && hashes.contains_many(lately::hashes(hashed)) == found);
    });
}

TEST_BOTH(insert_batches_store_in_every_kind) {
    each([](const row& row) {
        auto keys = begun<handle>(row.request);
        auto hashes = begun<handle>(row.request);
        keys.insert_many(lately::batch(std::vector<std::string>{"a", "", "bc"}));
        const std::uint64_t hashed[] = {keys.hash("a"), keys.hash(""), keys.hash("bc")};
        hashes.insert_many(lately::hashes(hashed));
        CHECK(same_stats(keys, hashes) && keys.stats().items == 3);
        EQUAL(verdict::duplicate, hashes.contains("bc"));
        EQUAL(verdict::new_, keys.contains("b"));
    });
}

TEST_BOTH(clear_and_copy_in_every_kind) {
    each([](const row& row) {
        auto filter = begun<handle>(row.request);
        auto fresh = begun<handle>(row.request);
        filter.insert_many(lately::batch(stream()));
        const handle copy = filter.copy();
        CHECK(same_stats(filter, copy));
        filter.clear();
        CHECK(same_stats(filter, fresh) && !same_stats(filter, copy));
        filter = begun(std::move(filter));
        CHECK(filter.observe_many(lately::batch(stream())) == fresh.observe_many(lately::batch(stream())));
        for (const std::string& key : stream()) {
            EQUAL(verdict::duplicate, copy.contains(key));
        }
    });
}

TEST_BOTH(remove_works_or_is_unsupported) {
    each([](const row& row) {
        auto filter = begun<handle>(row.request);
        filter.insert("a");
        const lately::result<bool> removed = filter.try_remove("a");
        EQUAL(row.removes ? lately::status::ok : lately::status::unsupported, removed.code());
        EQUAL(row.removes ? verdict::new_ : verdict::duplicate, filter.contains("a"));
        CHECK(!row.removes || (removed && *removed && !filter.remove("a")));
        EQUAL(std::uint64_t{row.is_exact ? 1u : 0u}, filter.stats().removed);
    });
}

TEST_BOTH(a_full_block_refuses_and_a_removal_makes_room) {
    each([](const row& row) {
        auto filter = begun<handle>(row.request);
        lately::status code = lately::status::ok;
        for (int i = 0; i < 2000 && code == lately::status::ok; ++i) {
            code = filter.try_insert("a");
        }
        const bool fills = row.removes && !row.is_exact;
        EQUAL(fills ? lately::status::full : lately::status::ok, code);
        if (fills) {
            const std::uint64_t held = filter.stats().items;
            CHECK(held > 20 && filter.remove("a") && filter.stats().items == held - 1);
            OK(filter.try_insert("a"));
        }
    });
}

TEST_BOTH(ticks_are_taken_or_refused) {
    each([](const row& row) {
        using std::chrono::seconds;
        const lately::status want = row.has_ticks ? lately::status::ok : lately::status::clock;
        auto filter = begun<handle>(row.request);
        EQUAL(want, filter.try_contains("a", seconds(1)).code());
        EQUAL(want, filter.try_insert("a", seconds(1)));
        EQUAL(want, filter.try_observe("a", seconds(2)).code());
        lately::batch batch;
        batch.push_back("a", seconds(3));
        EQUAL(want, filter.try_insert_many(batch).code);
        EQUAL(want, filter.try_advance(seconds(4)));
        EQUAL(std::uint64_t{row.has_ticks ? 4000000000u : 0u}, filter.stats().clock);
        EQUAL(row.has_ticks ? verdict::duplicate : verdict::new_, filter.contains("a"));
    });
}

TEST_BOTH(seeds_and_secrets_in_every_kind) {
    each([](const row& row) {
        lately::options request = row.request;
        const handle seeded(request.seed(42));
        EQUAL(lately::hash64("a", 42), seeded.hash("a"));
        EQUAL(lately::status::unsupported, seeded.try_secret().code());
        auto keyed = begun<handle>(request.keyed(true).secret({7, 9}));
        CHECK(keyed.secret().lo == 7 && keyed.secret().hi == 9);
        EQUAL(lately::status::unsupported, keyed.try_hash("a").code());
        EQUAL(verdict::new_, keyed.observe("a"));
        EQUAL(verdict::duplicate, keyed.observe("a"));
    });
}
