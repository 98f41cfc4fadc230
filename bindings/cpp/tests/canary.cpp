// Programs that must fail, so that it is known that the watchmen see them: `canary leak`, `canary unread`, `canary check`.
#include "check.hpp"

int main(int, char** arguments) {
    const std::string which = arguments[1];
    if (which == "leak") {
        return begun<lately::filter>().release() == nullptr ? 1 : 0;
    }
    if (which == "unread") {
        return static_cast<int>(*lately::filter().try_observe("a"));
    }
    CHECK(which.empty());
    std::printf("%u checks, %u failed\n", check::count, check::failures);
    return 1;
}
