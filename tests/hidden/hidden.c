/* A shared object that carries the archive inside: whatever the archive defines for others, it exports. */
#include "lately.h"

__attribute__((visibility("default"))) uint64_t hidden_hash(const void *bytes, size_t len);

uint64_t hidden_hash(const void *bytes, size_t len)
{
    return lately_hash64(bytes, len, 0);
}
