/** As `lately_filter_observe`, with 1 in `first` for a key that was not seen, else 0. */
LATELY_NODISCARD static inline lately_status lately_filter_first(lately_filter *filter, const void *key, size_t len,
                                                                 uint64_t tick, uint8_t *first) {
    uint8_t verdict = LATELY_DUPLICATE;
    lately_status status = lately_filter_observe(filter, key, len, tick, first == NULL ? NULL : &verdict);
    if (status == LATELY_OK) {
        *first = verdict == LATELY_NEW;
    }
    return status;
}
