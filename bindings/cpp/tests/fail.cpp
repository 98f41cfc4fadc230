// Programs that must not compile, one for each name: it fails with the words above it, and compiles once it is mended (-DMENDED).
// What is not convertible, and not copied, is asserted in keys.cpp, time.cpp, options.cpp, verbs.cpp and lifetime.cpp.
#include <lately.hpp>

#ifdef MENDED
#define WRONG(...)
#define RIGHT(...) __VA_ARGS__
#else
#define WRONG(...) __VA_ARGS__
#define RIGHT(...)
#endif

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
    // must fail with: (discards qualifiers|const)
#ifdef CONST_INSERT
    // A const filter has no verbs that change it.
    WRONG(read_only.insert("a");)
    RIGHT((void)read_only.contains("a");)
#endif
    // must fail with: (ignoring return value|nodiscard)
#ifdef IGNORED_VERDICT
    // A verdict may not be ignored: insert has none.
    WRONG(filter.observe("a");)
    RIGHT(filter.insert("a");)
#endif
    // must fail with: (ignoring return(ed)? value|nodiscard)
#ifdef IGNORED_STATUS
    // A status is looked at.
    WRONG(filter.try_insert("a");)
    RIGHT((void)filter.try_insert("a");)
#endif
    // must fail with: (ignoring return(ed)? value|nodiscard)
#ifdef IGNORED_RESULT
    // A result is looked at.
    WRONG(filter.try_observe("a");)
    RIGHT((void)filter.try_observe("a");)
#endif
    // must fail with: (ignoring return(ed)? value|nodiscard)
#ifdef IGNORED_BATCH
    // The outcome of a batch is looked at.
    WRONG(filter.try_insert_many(lately::batch());)
    RIGHT(filter.insert_many(lately::batch());)
#endif
    // must fail with: nodiscard
#ifdef IGNORED_REQUEST
    // A setter of a temporary returns the request.
    WRONG(lately::options::window(std::chrono::seconds(600)).k(3);)
    RIGHT(lately::options request = lately::options::window(std::chrono::seconds(600)); request.k(3);)
#endif
    // must fail with: has no member named .observe.|no member named .observe.
    // flags: -std=c++17 -fno-exceptions
#ifdef THROWING_FORM
    // A program without exceptions has the other form only.
    WRONG((void)filter.observe("a");)
    RIGHT((void)filter.try_observe("a");)
#endif
    // must fail with: lately.hpp needs C..17
    // flags: -std=c++14
#ifdef OLD_LANGUAGE
    // Nor what is older.
#endif
}
