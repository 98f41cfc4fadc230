// Runs every test that the other files list.
#include "check.hpp"

int main() {
    for (const auto& test : check::tests()) {
        const unsigned before = check::failures;
        try {
            test.run();
        } catch (const std::exception& error) {
            check::that(false, error.what(), test.name, 0);
        }
        std::printf("%s %s\n", check::failures == before ? "ok    " : "FAILED", test.name);
    }
    std::printf("%zu tests, %u checks, %u failed\n", check::tests().size(), check::count, check::failures);
    return check::failures == 0 && check::count > 0 ? 0 : 1;
}
