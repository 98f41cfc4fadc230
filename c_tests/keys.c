/* What values are as the bytes of a key, in every language: tests/vectors/keys.txt. */
#include "script.h"

/* A number as a key: 8 bytes, the lowest first. */
static size_t put_number(uint64_t number, uint8_t *to) {
    for (unsigned byte = 0; byte < 8; byte++) {
        to[byte] = (uint8_t)(number >> (8 * byte));
    }
    return 8;
}

/* The 16 bytes of a UUID in the order of its text. */
static size_t put_uuid(const char *text, uint8_t *to) {
    char digits[33];
    size_t len = 0;
    for (; *text != 0 && len < 32; text++) {
        digits[len] = *text;
        len += *text != '-';
    }
    digits[len] = 0;
    return unhex(digits, to);
}

/* The bytes of a value such as int:7. */
static size_t put_value(const char *value, uint8_t *to) {
    const char *text = strchr(value, ':') + 1;
    if (strncmp(value, "str:", 4) == 0) {
        memcpy(to, text, strlen(text));
        return strlen(text);
    }
    if (strncmp(value, "int:", 4) == 0) {
        return put_number(number_of(text), to);
    }
    CHECK(strncmp(value, "uuid:", 5) == 0 || strncmp(value, "bytes:", 6) == 0);
    return value[0] == 'u' ? put_uuid(text, to) : unhex(text, to);
}

/* Several values as one key: for each its length and its bytes, or 8 bytes of 255 for a null. */
static size_t put_values(char **words, int count, uint8_t *to) {
    size_t len = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "null:") == 0) {
            len += put_number(UINT64_MAX, to + len);
        } else {
            size_t size = put_value(words[i], to + len + 8);
            len += put_number(size, to + len) + size;
        }
    }
    return len;
}

/* The verbs for numbers take the same key. */
static void expect_number(lately_filter *filter, const char *word, const uint8_t *key) {
    uint64_t number = number_of(word);
    const lately_keys keys = lately_keys_u64s(&number, 1);
    uint8_t verdict = UNTOUCHED;
    size_t done = 0;
    OK(lately_filter_insert_many(filter, &keys, NULL, &done));
    OK(lately_filter_contains(filter, key, 8, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
}

static void check_line(lately_filter *filter, const script *s) {
    uint8_t have[256], want[256];
    char digits[17];
    uint64_t hash = 0;
    int values = s->count - 2;
    char **words = (char **)s->words;
    size_t len = values == 1 ? put_value(words[0], have) : put_values(words, values, have);
    CHECK(len == unhex(words[values], want) && memcmp(have, want, len) == 0);
    OK(lately_filter_hash(filter, have, len, &hash));
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    if (!CHECK(strcmp(digits, words[values + 1]) == 0)) {
        fprintf(stderr, "    line %u\n", s->number);
    }
    if (values == 1 && strncmp(words[0], "int:", 4) == 0) {
        expect_number(filter, words[0] + 4, have);
    }
}

int main(void) {
    static script s;
    lately_options options = manual_options();
    lately_filter *filter = new_started(&options);
    FILE *file = script_open("keys.txt");
    unsigned lines = 0;
    while (script_next(&s, file)) {
        check_line(filter, &s);
        lines++;
    }
    fclose(file);
    CHECK(lines >= 20);
    lately_filter_free(filter);
    return check_done("keys");
}
