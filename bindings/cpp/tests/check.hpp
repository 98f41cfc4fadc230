// What every C++ test uses: tests that list themselves, checks that continue after a failure, a closing line.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <lately.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace check {

struct test {
    const char* name;
    void (*run)();
};

inline std::vector<test>& tests() {
    static std::vector<test> all;
    return all;
}

inline unsigned count = 0;
inline unsigned failures = 0;

// Counts a condition; says where it failed.
inline void that(bool is_true, const char* what, const char* file, int line) {
    ++count;
    if (!is_true) {
        ++failures;
        std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
}

inline std::string text(lately::verdict verdict) { return std::to_string(static_cast<unsigned>(verdict)); }
inline std::string text(lately::status status) { return lately::name(status); }
inline std::string text(lately::field field) { return lately::name(field); }
inline std::string text(const std::string& value) { return value; }
template <class Number>
std::string text(Number number) { return std::to_string(number); }

// Counts an equality; says what was wanted and what came.
template <class Want, class Have>
void equal(const Want& want, const Have& have, const char* what, const char* file, int line) {
    that(want == have, what, file, line);
    if (!(want == have)) {
        std::fprintf(stderr, "    wanted %s, got %s\n", text(want).c_str(), text(have).c_str());
    }
}

// Lists a test before main.
struct listed {
    listed(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

} // namespace check

#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const check::listed name##_listed(#name, name);                                                             \
    static void name()
// A test of what both handles promise: `handle` is lately::filter the first time and lately::shared_filter the second.
#define TEST_BOTH(name)                                                                                                \
    template <class handle>                                                                                            \
    static void name();                                                                                                \
    static const check::listed name##_listed(#name, name<lately::filter>);                                             \
    static const check::listed name##_shared_listed(#name " (shared)", name<lately::shared_filter>);                   \
    template <class handle>                                                                                            \
    static void name()
#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define EQUAL(want, ...) check::equal(want, __VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
#define OK(...) EQUAL(lately::status::ok, __VA_ARGS__)

#if LATELY_HPP_EXCEPTIONS
// The error that a call throws; one of status::ok if it throws none.
template <class Call>
lately::error thrown(Call call) {
    try {
        call();
    } catch (const lately::error& error) {
        return error;
    }
    return lately::error(lately::failure{});
}
#endif

// A request for a window of 10 s and a manual clock.
inline lately::options manual() {
    return lately::options::time_limited(std::chrono::seconds(10)).clock(lately::clock_source::manual_ns);
}

// A filter whose clock has begun, at the origin, if it is a manual one.
template <class Filter>
Filter begun(Filter filter) {
    static_cast<void>(filter.try_advance(std::chrono::seconds(0)));
    return filter;
}
template <class Filter>
Filter begun(const lately::options& request = manual()) {
    return begun(Filter(request));
}

#endif
