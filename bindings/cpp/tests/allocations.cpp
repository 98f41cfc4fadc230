// The header allocates nothing in a call: every operator new of this program is counted.
#include "check.hpp"

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;

} // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* place = std::malloc(size == 0 ? 1 : size)) {
        return place;
    }
    throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

TEST_BOTH(no_verb_allocates) {
    handle filter(manual());
    lately::batch batch;
    lately::verdict verdicts[256];
    const auto round = [&] {
        batch.clear();
        for (std::uint64_t i = 0; i < 256; ++i) {
            (void)filter.observe(lately::le64(i));
            batch.push_back(lately::le64(i), lately::tick::from_ns(i));
        }
        filter.observe_batch(batch, verdicts);
        (void)filter.contains("a");
        filter.insert(std::string_view("b"));
        (void)filter.stats();
        (void)filter.try_remove("a");
        (void)filter.try_observe_at("a", std::chrono::seconds(-1));
        (void)handle::try_new(manual().k(-1));
    };
    round();
    const std::size_t before = allocations;
    round();
    EQUAL(before, allocations);
    const std::vector<lately::verdict> counted = filter.observe_batch(batch);
    CHECK(allocations > before);
}
