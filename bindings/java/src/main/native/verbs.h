/*
 * The verbs of one type of handle, as a table behind `void *`. lately_jni.c includes this file once for each type, with
 *   HANDLE            the type, such as lately_filter
 *   CALL(verb)        its function of that name, such as lately_filter_observe
 *   RETAIN(filter)    a further owner of the same filter, or the refusal of a type that has one owner only
 *   NAME(word)        what a name of this inclusion is made of
 * So every function of the glue is written once, and both types are called through the same lines.
 */

static lately_status NAME(create)(const lately_options *options, void **filter, lately_error *error)
{
    HANDLE *made = NULL;
    lately_status status = CALL(new)(options, &made, error);
    *filter = made;
    return status;
}

static lately_status NAME(copy)(const void *filter, void **copy)
{
    HANDLE *made = NULL;
    lately_status status = CALL(copy)(filter, &made);
    *copy = made;
    return status;
}

static lately_status NAME(retain)(void *filter)
{
    return RETAIN(filter);
}

static void NAME(free)(void *filter)
{
    CALL(free)(filter);
}

static lately_status NAME(advance)(void *filter, uint64_t tick)
{
    return CALL(advance)(filter, tick);
}

static lately_status NAME(clear)(void *filter)
{
    return CALL(clear)(filter);
}

static lately_status NAME(stats)(const void *filter, lately_stats *stats)
{
    return CALL(stats)(filter, stats);
}

static lately_status NAME(stats_reset)(void *filter)
{
    return CALL(stats_reset)(filter);
}

static lately_status NAME(secret)(const void *filter, uint64_t *lo, uint64_t *hi)
{
    return CALL(secret)(filter, lo, hi);
}

static lately_status NAME(hash)(const void *filter, const uint8_t *key, size_t len, uint64_t *hash)
{
    return CALL(hash)(filter, key, len, hash);
}

static lately_status NAME(snapshot_size)(const void *filter, size_t *size)
{
    return CALL(snapshot_size)(filter, size);
}

static lately_status NAME(snapshot_write)(const void *filter, uint8_t *buffer, size_t len, size_t *written)
{
    return CALL(snapshot_write)(filter, buffer, len, written);
}

static lately_status NAME(load)(const uint8_t *bytes, size_t len, int64_t elapsed_ns,
                                const lately_load_options *options, void **filter, lately_error *error)
{
    HANDLE *made = NULL;
    lately_status status = CALL(load)(bytes, len, elapsed_ns, options, &made, error);
    *filter = made;
    return status;
}

static lately_status NAME(act)(void *filter, jint verb, const uint8_t *key, size_t len, uint64_t tick,
                               uint8_t *answer)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe)(filter, key, len, answer);
    case dev_lately_Native_INSERT:
        return CALL(insert)(filter, key, len);
    case dev_lately_Native_CONTAINS:
        return CALL(contains)(filter, key, len, answer);
    case dev_lately_Native_REMOVE:
        return CALL(remove)(filter, key, len, answer);
    case dev_lately_Native_OBSERVE_AT:
        return CALL(observe_at)(filter, key, len, tick, answer);
    case dev_lately_Native_INSERT_AT:
        return CALL(insert_at)(filter, key, len, tick);
    case dev_lately_Native_CONTAINS_AT:
        return CALL(contains_at)(filter, key, len, tick, answer);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_age)(void *filter, jint verb, const uint8_t *key, size_t len, uint64_t tick,
                                   uint8_t *answer, lately_age *age)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_age)(filter, key, len, answer, age);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_age)(filter, key, len, answer, age);
    case dev_lately_Native_OBSERVE_AT:
        return CALL(observe_age_at)(filter, key, len, tick, answer, age);
    case dev_lately_Native_CONTAINS_AT:
        return CALL(contains_age_at)(filter, key, len, tick, answer, age);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_on_claim)(void *filter, jint verb, const uint8_t *key, size_t len, uint64_t tick,
                                        uint8_t *answer, uint64_t *token)
{
    switch (verb) {
    case dev_lately_Native_CLAIM:
        return CALL(claim)(filter, key, len, answer, token);
    case dev_lately_Native_COMMIT:
        return CALL(commit)(filter, key, len, *token, answer);
    case dev_lately_Native_ABANDON:
        return CALL(abandon)(filter, key, len, *token);
    case dev_lately_Native_CLAIM_AT:
        return CALL(claim_at)(filter, key, len, tick, answer, token);
    case dev_lately_Native_COMMIT_AT:
        return CALL(commit_at)(filter, key, len, *token, tick, answer);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_on_keys)(void *filter, jint verb, batch *b)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_batch)(filter, b->bytes, b->bytes_len, b->offsets, b->ticks, b->n, b->verdicts, &b->done);
    case dev_lately_Native_INSERT:
        return CALL(insert_batch)(filter, b->bytes, b->bytes_len, b->offsets, b->ticks, b->n, &b->done);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_batch)(filter, b->bytes, b->bytes_len, b->offsets, b->ticks, b->n, b->verdicts, &b->done);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_on_column)(void *filter, jint verb, batch *b)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_column)(filter, &b->column, b->ticks, b->n, b->verdicts, &b->done);
    case dev_lately_Native_INSERT:
        return CALL(insert_column)(filter, &b->column, b->ticks, b->n, &b->done);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_column)(filter, &b->column, b->ticks, b->n, b->verdicts, &b->done);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_hash)(void *filter, jint verb, uint64_t hash, uint64_t tick, uint8_t *answer)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_hash)(filter, hash, answer);
    case dev_lately_Native_INSERT:
        return CALL(insert_hash)(filter, hash);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_hash)(filter, hash, answer);
    case dev_lately_Native_OBSERVE_AT:
        return CALL(observe_hash_at)(filter, hash, tick, answer);
    case dev_lately_Native_INSERT_AT:
        return CALL(insert_hash_at)(filter, hash, tick);
    case dev_lately_Native_CONTAINS_AT:
        return CALL(contains_hash_at)(filter, hash, tick, answer);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(describe)(const void *filter, char *text, size_t len)
{
    return CALL(describe)(filter, text, len);
}

static lately_status NAME(act_on_hashes)(void *filter, jint verb, batch *b)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_hashes)(filter, b->words, b->ticks, b->n, b->verdicts, &b->done);
    case dev_lately_Native_INSERT:
        return CALL(insert_hashes)(filter, b->words, b->ticks, b->n, &b->done);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_hashes)(filter, b->words, b->ticks, b->n, b->verdicts, &b->done);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static lately_status NAME(act_on_words)(void *filter, jint verb, batch *b)
{
    switch (verb) {
    case dev_lately_Native_OBSERVE:
        return CALL(observe_u64s)(filter, b->words, b->ticks, b->n, b->verdicts, &b->done);
    case dev_lately_Native_INSERT:
        return CALL(insert_u64s)(filter, b->words, b->ticks, b->n, &b->done);
    case dev_lately_Native_CONTAINS:
        return CALL(contains_u64s)(filter, b->words, b->ticks, b->n, b->verdicts, &b->done);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

static const verbs NAME(verbs) = {
    .create = NAME(create),
    .copy = NAME(copy),
    .retain = NAME(retain),
    .free = NAME(free),
    .advance = NAME(advance),
    .clear = NAME(clear),
    .stats = NAME(stats),
    .describe = NAME(describe),
    .stats_reset = NAME(stats_reset),
    .secret = NAME(secret),
    .hash = NAME(hash),
    .snapshot_size = NAME(snapshot_size),
    .snapshot_write = NAME(snapshot_write),
    .load = NAME(load),
    .act = NAME(act),
    .act_age = NAME(act_age),
    .act_on_claim = NAME(act_on_claim),
    .act_on_keys = NAME(act_on_keys),
    .act_on_column = NAME(act_on_column),
    .act_on_hashes = NAME(act_on_hashes),
    .act_on_words = NAME(act_on_words),
    .act_hash = NAME(act_hash),
};

#undef HANDLE
#undef CALL
#undef RETAIN
#undef NAME
