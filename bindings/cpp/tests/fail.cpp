// Programs that must not compile, one for each name: it fails with the words above it, and compiles once it is mended (-DMENDED).
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
    // must fail with: use of deleted function|call to (implicitly-)?deleted|implicitly-deleted
#ifdef COPY
    // A filter does not copy by accident.
    WRONG(lately::filter other = filter; (void)other;)
    RIGHT(lately::filter other = filter.copy(); (void)other;)
#endif
    // must fail with: use of deleted function|overload resolution selected deleted|implicitly-deleted
#ifdef ASSIGN
    // Nor by assignment.
    WRONG(lately::filter other; other = filter;)
    RIGHT(lately::filter other; other = std::move(filter);)
#endif
    // must fail with: (discards qualifiers|const)
#ifdef CONST_INSERT
    // A const filter has no verbs that change it.
    WRONG(read_only.insert("a");)
    RIGHT((void)read_only.contains("a");)
#endif
    // must fail with: use of deleted function|deleted
#ifdef NULL_KEY
    // No key is not the empty key.
    WRONG(filter.insert(nullptr);)
    RIGHT(filter.insert(lately::bytes());)
#endif
    // must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
#ifdef INTEGER_KEY
    // An integer has no bytes before it is said which.
    WRONG(filter.insert(17);)
    RIGHT(filter.insert(lately::le64(17));)
#endif
    // must fail with: (could not convert|cannot convert|no viable conversion|not contextually convertible|contextually convertible)
#ifdef VERDICT_AS_BOOL
    // A verdict is no bool: half of the world means the opposite by true.
    WRONG(if (filter.observe("a")) {})
    RIGHT(if (filter.observe("a") == lately::verdict::duplicate) {})
#endif
    // must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
#ifdef BARE_TICK
    // A number has no unit.
    WRONG(filter.advance(5);)
    RIGHT(filter.advance(lately::tick::from_ns(5));)
#endif
    // must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
#ifdef FRACTION_TICK
    // Time is not rounded in silence.
    WRONG(filter.advance(std::chrono::duration<double>(0.5));)
    RIGHT(filter.advance(std::chrono::milliseconds(500));)
#endif
    // must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
#ifdef STEADY_TICK
    // The origin of a steady clock is not 1970.
    WRONG(filter.advance(std::chrono::steady_clock::now());)
    RIGHT(filter.advance(std::chrono::steady_clock::now().time_since_epoch());)
#endif
    // must fail with: no matching (member )?function
#ifdef NUMBER_WINDOW
    // A window has a unit.
    WRONG(lately::options::last(1000).window_ns(600);)
    RIGHT((void)lately::options::last(1000).window_ns(std::chrono::seconds(600));)
#endif
    // must fail with: no matching (member )?function
#ifdef FRACTION_OPTION
    // A count is whole.
    WRONG(lately::options::window(std::chrono::seconds(600)).k(3.5);)
    RIGHT((void)lately::options::window(std::chrono::seconds(600)).k(3).fill(0.5);)
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
