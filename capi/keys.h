/** Keys back to back: key i is the bytes from `offsets[i]` up to, not including, `offsets[i + 1]`. */
static inline lately_keys lately_keys_packed(const void *bytes, size_t len, const uint64_t *offsets, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, NULL, 0, LATELY_KEYS_PACKED, 0 };
    return keys;
}
/** Keys where they lie. */
static inline lately_keys lately_keys_slices(const lately_slice *slices, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, slices, 0, NULL, NULL, 0, LATELY_KEYS_SLICES, 0 };
    return keys;
}
/** A column of Apache Arrow with offsets of 32 bits. `validity`, from bit `bit` on, is NULL if all keys are present. */
static inline lately_keys lately_keys_column32(const void *bytes, size_t len, const int32_t *offsets,
                                               const uint8_t *validity, size_t bit, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, validity, bit, LATELY_KEYS_COLUMN32, 0 };
    return keys;
}
/** The same with offsets of 64 bits. */
static inline lately_keys lately_keys_column64(const void *bytes, size_t len, const int64_t *offsets,
                                               const uint8_t *validity, size_t bit, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, validity, bit, LATELY_KEYS_COLUMN64, 0 };
    return keys;
}
/** Numbers: a key is the 8 bytes of one, the lowest first. */
static inline lately_keys lately_keys_u64s(const uint64_t *numbers, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, numbers, 0, NULL, NULL, 0, LATELY_KEYS_U64S, 0 };
    return keys;
}
/** Hashes of `lately_filter_hash` or `lately_hash64`. */
static inline lately_keys lately_keys_hashes(const uint64_t *hashes, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, hashes, 0, NULL, NULL, 0, LATELY_KEYS_HASHES, 0 };
    return keys;
}
