// The second time is a duplicate, or this program fails.
#include <lately.hpp>

int main() {
    lately::filter seen(lately::options::last(1000));
    const bool is_right =
        seen.observe("order-17") == lately::verdict::new_ && seen.observe("order-17") == lately::verdict::duplicate;
    return is_right ? 0 : 1;
}
