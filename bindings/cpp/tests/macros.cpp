// Names that are macros elsewhere: Unreal Engine (check, verify, ensure), Apple's AssertMacros.h (check, require, verify), X11 (None,
// Status, Bool, Success, Always), Windows (min, max, near, far, small, interface, IN, OUT, ERROR), Qt (emit, slots, signals, foreach) and
// Google's tests (CHECK, LOG). The standard headers are read before, as where these libraries are used; lately.hpp after, and used.
#include "standard_headers.hpp"

#include <cerrno>
#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#if __has_include(<expected>)
#include <expected>
#endif
#if __has_include(<format>)
#include <format>
#endif

#define check(expr) do { if (!(expr)) __builtin_trap(); } while (false)
#define require(assertion, label) do { if (!(assertion)) goto label; } while (false)
#define verify(expr) check(expr)
#define ensure(expr) (!!(expr))
#define require_noerr(code, label) require((code) == 0, label)
#define CHECK(expr) check(expr)
#define REQUIRE(expr) check(expr)
#define ASSERT(expr) check(expr)
#define VERIFY(expr) check(expr)
#define TEXT(quote) L##quote
#define LOG(level) 0
#define DEBUG 1
#define TRACE 1
#define INFO 1
#define WARN 1
#define ERROR 0
#define FATAL 3
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define Always 2
#define Unsorted 0
#define True 1
#define False 0
#define IN
#define OUT
#define OPTIONAL
#define near
#define far
#define small char
#define interface struct
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define major(device) ((device) >> 8)
#define minor(device) ((device) & 0xff)
#define unix 1
#define linux 1
#define emit
#define slots
#define signals public
#define foreach(x, all) for (x : all)
#define forever for (;;)
#define pascal
#define cdecl
#define BYTE unsigned char
#define ENABLED 1
#define DOMAIN 1
#define OVERFLOW 3
#define I _Complex_I
#include <lately.hpp>

int main() {
    using std::chrono::seconds;
    lately::shared_filter seen(lately::options::window(seconds(600)).lease(seconds(30)));
    lately::claim_guard guard(seen, "order-17");
    const bool works = guard.verdict() == lately::verdict::new_ && guard.commit() == lately::committed::in_time &&
                       seen.observe("order-17") == lately::verdict::duplicate;
    std::puts(works ? "ok" : "wrong");
    return works ? 0 : 1;
}
