/* A batch as the lines of vectors.txt have it, as slices and as a column. */
#ifndef BATCH_LINE_H
#define BATCH_LINE_H

#include "script.h"

#define BATCH_MOST 16

typedef struct {
    size_t count;
    const uint64_t *times; /* NULL: none */
    uint64_t ticks[BATCH_MOST];
    lately_slice slices[BATCH_MOST];
    uint8_t bytes[1024];
    int32_t small[BATCH_MOST + 1];
    int64_t large[BATCH_MOST + 1];
    uint8_t bits[8];
} batch_line;

/* Puts one key behind the others. An absent key has bytes, too, which nothing may read. */
static inline void add_key(batch_line *b, const char *word, size_t bit) {
    size_t end = (size_t)b->large[b->count], place = bit + b->count;
    int absent = strcmp(word, "null") == 0;
    size_t len = unhex(absent ? "616263" : word, b->bytes + end);
    b->slices[b->count].data = len == 0 ? NULL : b->bytes + end;
    b->slices[b->count].len = len;
    if (absent) {
        b->bits[place / 8] = (uint8_t)(b->bits[place / 8] & ~(1u << (place % 8)));
    }
    b->count++;
    b->small[b->count] = (int32_t)(end + len);
    b->large[b->count] = (int64_t)(end + len);
}

static inline void add_ticks(batch_line *b, char *words) {
    size_t i = 0;
    if (strcmp(words, "-") == 0) {
        return;
    }
    b->times = b->ticks;
    for (char *word = strtok(words, ","); word != NULL && i < BATCH_MOST; word = strtok(NULL, ",")) {
        b->ticks[i++] = number_of(word);
    }
}

/* Ticks and keys, which are taken apart, `before` bytes behind the beginning of the buffer and `bit` bits behind that of the
 * bitmap. Bits of no key are 1. */
static inline void read_batch(batch_line *b, char *ticks, char *keys, size_t before, size_t bit) {
    memset(b, 0, sizeof *b);
    memset(b->bits, 0xff, sizeof b->bits);
    b->small[0] = (int32_t)before;
    b->large[0] = (int64_t)before;
    add_ticks(b, ticks);
    for (char *word = strtok(keys, ","); word != NULL && b->count < BATCH_MOST; word = strtok(NULL, ",")) {
        add_key(b, word, bit);
    }
}

/* The column, with offsets of 32 or 64 bits; without a bitmap, if the word for its bit is -. */
static inline lately_keys column_of(const batch_line *b, uint64_t offset_bits, const char *bit) {
    const uint8_t *bits = strcmp(bit, "-") == 0 ? NULL : b->bits;
    size_t at = bits == NULL ? 0 : (size_t)number_of(bit);
    return offset_bits == 32 ? lately_keys_column32(b->bytes, sizeof b->bytes, b->small, bits, at, b->count)
                             : lately_keys_column64(b->bytes, sizeof b->bytes, b->large, bits, at, b->count);
}

#endif
