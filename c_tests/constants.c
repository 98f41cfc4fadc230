/* Every number that has both a macro and a function has one value; every status has its own name. */
#include "check.h"

/* The name of a status is that of its macro. */
#define NAMED(name) CHECK(strcmp(lately_status_name(LATELY_ERR_##name), #name) == 0)

static void versions_agree(void) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LATELY_VERSION_MAJOR, LATELY_VERSION_MINOR, LATELY_VERSION_PATCH);
    CHECK(strcmp(LATELY_VERSION_STRING, text) == 0);
    CHECK(strcmp(LATELY_VERSION_STRING, lately_version_string()) == 0);
    CHECK(LATELY_VERSION_NUMBER == lately_version_number());
    CHECK(LATELY_VERSION_NUMBER ==
          LATELY_VERSION_MAJOR * 1000000 + LATELY_VERSION_MINOR * 1000 + LATELY_VERSION_PATCH);
    CHECK(LATELY_ABI_VERSION == lately_abi_version());
}

static void statuses_have_their_names(void) {
    CHECK(strcmp(lately_status_name(LATELY_OK), "OK") == 0);
    NAMED(NULL);
    NAMED(STRUCT_SIZE);
    NAMED(OPTION);
    NAMED(OFFSETS);
    NAMED(UNSUPPORTED);
    NAMED(CLOCK);
    NAMED(TICK);
    NAMED(FULL);
    NAMED(POISONED);
    NAMED(CLOSED);
    NAMED(SHORT_BUFFER);
    NAMED(MAGIC);
    NAMED(VERSION);
    NAMED(CHECKSUM);
    NAMED(CORRUPT);
    NAMED(TOO_LARGE);
    NAMED(SECRET);
    NAMED(ELAPSED);
    NAMED(OPTIONS_DIFFER);
    NAMED(IO);
    NAMED(PANIC);
    NAMED(NO_MEMORY);
}

static void other_numbers_are_unknown(void) {
    static const int32_t others[] = {-1, 9, 99, 103, 209, 299, 301, 899, 902, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(strcmp(lately_status_name(others[i]), "UNKNOWN") == 0);
    }
}

/* The numbers that no function tells: they are the ABI, and never change. */
static void numbers_are_frozen(void) {
    CHECK(LATELY_NEW == 0 && LATELY_DUPLICATE == 1);
    CHECK(LATELY_OK == 0 && LATELY_ERR_NULL == 1 && LATELY_ERR_STRUCT_SIZE == 2 && LATELY_ERR_OPTION == 3);
    CHECK(LATELY_ERR_OFFSETS == 4 && LATELY_ERR_UNSUPPORTED == 5 && LATELY_ERR_CLOCK == 6 && LATELY_ERR_TICK == 7);
    CHECK(LATELY_ERR_FULL == 100 && LATELY_ERR_POISONED == 101 && LATELY_ERR_CLOSED == 102);
    CHECK(LATELY_ERR_SHORT_BUFFER == 200 && LATELY_ERR_MAGIC == 201 && LATELY_ERR_VERSION == 202);
    CHECK(LATELY_ERR_CHECKSUM == 203 && LATELY_ERR_CORRUPT == 204 && LATELY_ERR_TOO_LARGE == 205);
    CHECK(LATELY_ERR_SECRET == 206 && LATELY_ERR_ELAPSED == 207);
    CHECK(LATELY_ERR_PANIC == 900 && LATELY_ERR_NO_MEMORY == 901);
    CHECK(LATELY_CLOCK_SYSTEM == 1 && LATELY_CLOCK_MANUAL_NS == 2);
    CHECK(LATELY_REPEAT_REFRESH == 1 && LATELY_REPEAT_KEEP_FIRST == 2);
    CHECK(LATELY_ON_LIMIT_FORGET_OLDEST == 1 && LATELY_ON_LIMIT_RAISE_ERROR_RATE == 2);
    CHECK(LATELY_VARIANT_QHT == 1 && LATELY_VARIANT_QHTD == 2);
    CHECK(LATELY_VARIANT_QQHT == 3 && LATELY_VARIANT_QQHTD == 4);
}

int main(void) {
    versions_agree();
    statuses_have_their_names();
    other_numbers_are_unknown();
    numbers_are_frozen();
    return check_done("constants");
}
