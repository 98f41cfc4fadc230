// The header allocates nothing in a call: every operator new of this program is counted. And what it gathers survives that
// there is no memory: one of them fails on request.
#include "check.hpp"

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;
// The next one that fails; 0 is none.
std::size_t failing = 0;

} // namespace

// Never inlined: gcc would see malloc on one side of a pair and an operator on the other, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (allocations == failing) {
        throw std::bad_alloc();
    }
    if (void* place = std::malloc(size == 0 ? 1 : size)) {
        return place;
    }
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

TEST_BOTH(no_verb_allocates) {
    auto filter = begun<handle>();
    lately::batch batch;
    lately::verdict verdicts[256];
    const auto round = [&] {
        batch.clear();
        for (std::uint64_t i = 0; i < 256; ++i) {
            (void)filter.observe(lately::le64(i));
            batch.push_back(lately::le64(i), lately::tick::from_ns(i));
        }
        filter.observe_many(batch, verdicts);
        (void)filter.contains("a");
        filter.insert(std::string_view("b"));
        (void)filter.stats();
        (void)filter.try_remove("a");
        (void)filter.try_observe("a", std::chrono::seconds(-1));
        (void)handle::try_new(manual().k(-1));
    };
    round();
    const std::size_t before = allocations;
    round();
    EQUAL(before, allocations);
    const std::vector<lately::verdict> counted = filter.observe_many(batch);
    CHECK(allocations > before);
}

namespace {

// Adds a lost key, for which there is no memory at the allocation of this number, and then another one; whether it was lost.
template <class Add>
bool loses(std::size_t number, const Add& add) {
    failing = allocations + number;
    bool lost = false;
    try {
        add("lost");
    } catch (const std::bad_alloc&) {
        lost = true;
    }
    failing = 0;
    add("kept");
    return lost;
}

} // namespace

TEST(a_key_without_memory_leaves_a_batch_as_it_was) {
    const std::vector<lately::verdict> kept = {lately::verdict::duplicate};
    auto filter = begun<lately::filter>();
    filter.insert("kept");
    const auto now = lately::tick::from_ns(0);
    for (std::size_t number = 1; number <= 3; ++number) {
        lately::batch timed;
        CHECK(loses(number, [&](const char* key) { timed.push_back(key, now); }));
        CHECK(filter.observe_many(timed) == kept);
    }
    lately::batch plain;
    CHECK(loses(2, [&](const char* key) { plain.push_back(key); }));
    CHECK(filter.observe_many(plain) == kept);
    for (std::size_t number = 1; number <= 2; ++number) {
        lately::slices slices;
        CHECK(loses(number, [&](const char* key) { slices.push_back(key, now); }));
        CHECK(filter.observe_many(slices) == kept);
    }
}
