/* The second time is a duplicate, or this program fails. */
#include <lately.h>

int main(void)
{
    lately_options options = LATELY_OPTIONS_INIT;
    lately_filter *seen;
    uint8_t first, second;
    if (lately_options_last(&options, 1000) != LATELY_OK || lately_filter_new(&options, &seen, NULL) != LATELY_OK) {
        return 1;
    }
    int failed = lately_filter_observe(seen, "order-17", 8, LATELY_NOW, &first) != LATELY_OK
        || lately_filter_observe(seen, "order-17", 8, LATELY_NOW, &second) != LATELY_OK;
    lately_filter_free(seen);
    return failed || first != LATELY_NEW || second != LATELY_DUPLICATE;
}
