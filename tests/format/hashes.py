"""The hashes of docs/reference/format.md in plain Python: XXH3 of 64 and 128 bits with a seed, and SipHash under a secret.

Written from the specification of xxHash and from the paper "SipHash: a fast short-input PRF" (Aumasson, Bernstein 2012).
Slow and short: it is here to be read, and to be right where the library might be wrong.
"""

WORD = (1 << 64) - 1

P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MIX_1, MIX_2 = 0x165667919E3779F9, 0x9FB21C651E98DF25

# The 192 bytes that the specification calls the default secret. They are no secret.
PEPPER = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def word(data, at, size=8):
    """The little-endian number of `size` bytes at `at`."""
    return int.from_bytes(data[at : at + size], "little")


def words(data, at, count):
    return [word(data, at + 8 * i) for i in range(count)]


def rotate(x, by):
    return (x << by | x >> (64 - by)) & WORD


def folded(x, y):
    """Both halves of the product of 128 bits, one over the other."""
    product = x * y
    return product & WORD ^ product >> 64


def swapped(x, size):
    return int.from_bytes(x.to_bytes(size, "little"), "big")


def avalanche(x):
    x = (x ^ x >> 37) * MIX_1 & WORD
    return x ^ x >> 32


def older_avalanche(x):
    x = (x ^ x >> 33) * P64_2 & WORD
    x = (x ^ x >> 29) * P64_3 & WORD
    return x ^ x >> 32


def xxh3_64(data, seed=0):
    """XXH3-64 of bytes with a seed."""
    n = len(data)
    if n > 240:
        return of_many(data, seeded(seed))
    if n > 16:
        return avalanche(of_some(data, seed) & WORD)
    if n > 8:
        return of_16(data, seed)
    if n > 3:
        return of_8(data, seed)
    return of_3(data, seed)


def of_3(data, seed):
    n = len(data)
    if n == 0:
        return older_avalanche(seed ^ word(PEPPER, 56) ^ word(PEPPER, 64))
    packed = data[-1] | n << 8 | data[0] << 16 | data[n >> 1] << 24
    return older_avalanche(((word(PEPPER, 0, 4) ^ word(PEPPER, 4, 4)) + seed & WORD) ^ packed)


def of_8(data, seed):
    n = len(data)
    seed ^= swapped(seed & 0xFFFFFFFF, 4) << 32
    packed = word(data, n - 4, 4) | word(data, 0, 4) << 32
    x = ((word(PEPPER, 8) ^ word(PEPPER, 16)) - seed & WORD) ^ packed
    x = (x ^ rotate(x, 49) ^ rotate(x, 24)) * MIX_2 & WORD
    x = (x ^ (x >> 35) + n) * MIX_2 & WORD
    return x ^ x >> 28


def of_16(data, seed):
    n = len(data)
    low = ((word(PEPPER, 24) ^ word(PEPPER, 32)) + seed & WORD) ^ word(data, 0)
    high = ((word(PEPPER, 40) ^ word(PEPPER, 48)) - seed & WORD) ^ word(data, n - 8)
    return avalanche(n + swapped(low, 8) + high + folded(low, high) & WORD)


def of_some(data, seed):
    """17 to 240 bytes, before the last avalanche."""
    n = len(data)

    def mixed(at, pepper):
        low = word(data, at) ^ word(PEPPER, pepper) + seed & WORD
        high = word(data, at + 8) ^ word(PEPPER, pepper + 8) - seed & WORD
        return folded(low, high)

    total = n * P64_1
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            total += mixed(16 * i, 32 * i) + mixed(n - 16 - 16 * i, 32 * i + 16)
        return total
    total += sum(mixed(16 * i, 16 * i) for i in range(8))
    total = avalanche(total & WORD)
    total += sum(mixed(16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16))
    return total + mixed(n - 16, 119)


def seeded(seed):
    """The pepper of long inputs: every word of it shifted by the seed, up and down in turn."""
    turns = [(w + seed, w - seed)[i % 2] & WORD for i, w in enumerate(words(PEPPER, 0, 24))]
    return b"".join(w.to_bytes(8, "little") for w in turns)


def of_many(data, pepper):
    """Over 240 bytes: the sums, two by two."""
    return merged(sums_of(data, pepper), words(pepper, 11, 8), len(data) * P64_1)


def merged(sums, last, start):
    pairs = sum(folded(sums[i] ^ last[i], sums[i + 1] ^ last[i + 1]) for i in range(0, 8, 2))
    return avalanche(start + pairs & WORD)


def sums_of(data, pepper):
    """Eight sums, stripe by stripe of 64 bytes, stirred after every 16; the last stripe overlaps."""
    n = len(data)
    sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stirrer = words(pepper, 128, 8)
    salts = [words(pepper, 8 * i, 8) for i in range(16)]
    for stripe in range((n - 1) // 64):
        add_stripe(sums, words(data, 64 * stripe, 8), salts[stripe % 16])
        if stripe % 16 == 15:
            sums = [(x ^ x >> 47 ^ s) * P32_1 & WORD for x, s in zip(sums, stirrer)]
    add_stripe(sums, words(data, n - 64, 8), words(pepper, 121, 8))
    return sums


def xxh3_128(data, seed=0):
    """XXH3-128 of bytes with a seed: the low and the high word."""
    n = len(data)
    if n > 240:
        pepper = seeded(seed)
        sums = sums_of(data, pepper)
        return merged(sums, words(pepper, 11, 8), n * P64_1), merged(sums, words(pepper, 117, 8), ~(n * P64_2))
    if n > 16:
        low, high = pair_of_some(data, seed)
        mixed = low * P64_1 + high * P64_4 + (n - seed) * P64_2
        return avalanche(low + high & WORD), -avalanche(mixed & WORD) & WORD
    return (pair_of_16 if n > 8 else pair_of_8 if n > 3 else pair_of_3)(data, seed)


def pair_of_3(data, seed):
    n = len(data)
    if n == 0:
        flips = word(PEPPER, 64) ^ word(PEPPER, 72), word(PEPPER, 80) ^ word(PEPPER, 88)
        return tuple(older_avalanche(seed ^ flip) for flip in flips)
    low = data[-1] | n << 8 | data[0] << 16 | data[n >> 1] << 24
    turned = swapped(low, 4)
    high = (turned << 13 | turned >> 19) & 0xFFFFFFFF
    flips = (word(PEPPER, 0, 4) ^ word(PEPPER, 4, 4)) + seed, (word(PEPPER, 8, 4) ^ word(PEPPER, 12, 4)) - seed
    return older_avalanche(low ^ flips[0] & WORD), older_avalanche(high ^ flips[1] & WORD)


def pair_of_8(data, seed):
    n = len(data)
    seed ^= swapped(seed & 0xFFFFFFFF, 4) << 32
    packed = word(data, 0, 4) | word(data, n - 4, 4) << 32
    product = ((word(PEPPER, 16) ^ word(PEPPER, 24)) + seed & WORD ^ packed) * (P64_1 + (n << 2))
    low, high = product & WORD, product >> 64
    high = high + (low << 1) & WORD
    low ^= high >> 3
    low = (low ^ low >> 35) * MIX_2 & WORD
    return low ^ low >> 28, avalanche(high)


def pair_of_16(data, seed):
    n = len(data)
    low_flip = (word(PEPPER, 32) ^ word(PEPPER, 40)) - seed & WORD
    high_flip = (word(PEPPER, 48) ^ word(PEPPER, 56)) + seed & WORD
    first, last = word(data, 0), word(data, n - 8)
    product = (first ^ last ^ low_flip) * P64_1
    low, high = (product & WORD) + (n - 1 << 54) & WORD, product >> 64
    last ^= high_flip
    high = high + last + (last & 0xFFFFFFFF) * (P32_2 - 1) & WORD
    product = (low ^ swapped(high, 8)) * P64_2
    return avalanche(product & WORD), avalanche((product >> 64) + high * P64_2 & WORD)


def pair_of_some(data, seed):
    """17 to 240 bytes, before the last avalanches."""
    n, sums = len(data), [len(data) * P64_1, 0]

    def mix(one, other, pepper, seed=seed):
        for i, (here, there) in enumerate(((one, other), (other, one))):
            low = word(data, here) ^ word(PEPPER, pepper + 16 * i) + seed & WORD
            high = word(data, here + 8) ^ word(PEPPER, pepper + 16 * i + 8) - seed & WORD
            sums[i] = (sums[i] + folded(low, high) & WORD) ^ (word(data, there) + word(data, there + 8) & WORD)

    if n <= 128:
        for i in reversed(range((n - 1) // 32 + 1)):
            mix(16 * i, n - 16 - 16 * i, 32 * i)
        return sums
    for i in range(4):
        mix(32 * i, 32 * i + 16, 32 * i)
    sums[:] = map(avalanche, sums)
    for i in range(4, n // 32):
        mix(32 * i, 32 * i + 16, 32 * (i - 4) + 3)
    mix(n - 16, n - 32, 103, -seed & WORD)
    return sums


def add_stripe(sums, stripe, salt):
    for i in range(8):
        x = stripe[i] ^ salt[i]
        sums[i ^ 1] = sums[i ^ 1] + stripe[i] & WORD
        sums[i] = sums[i] + (x & 0xFFFFFFFF) * (x >> 32) & WORD


def siphash(data, low, high, rounds, last_rounds):
    """SipHash of bytes under the words `low` and `high`, with that many rounds for a word and at the end."""
    v = sip_state(data, low, high, rounds, 0)
    return sip_end(v, 0xFF, 2, last_rounds)


def siphash_128(data, low, high, rounds, last_rounds):
    """The same with a result of two words, the low and the high one."""
    v = sip_state(data, low, high, rounds, 0xEE)
    return sip_end(v, 0xEE, 2, last_rounds), sip_end(v, 0xDD, 1, last_rounds)


def sip_end(v, mark, at, rounds):
    v[at] ^= mark
    for _ in range(rounds):
        sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def sip_state(data, low, high, rounds, mark):
    v = [low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573]
    v[1] ^= mark
    full = len(data) // 8
    for m in words(data, 0, full) + [word(data, 8 * full) | (len(data) & 255) << 56]:
        v[3] ^= m
        for _ in range(rounds):
            sip_round(v)
        v[0] ^= m
    return v


def sip_round(v):
    half_round(v, 0, 1, 2, 3, 13, 16)
    half_round(v, 2, 1, 0, 3, 17, 21)


def half_round(v, a, b, c, d, left, right):
    """One half of the paper's figure: two additions, two turns; the sum at `a` is turned by 32 at its end."""
    v[a] = v[a] + v[b] & WORD
    v[c] = v[c] + v[d] & WORD
    v[b] = rotate(v[b], left) ^ v[a]
    v[d] = rotate(v[d], right) ^ v[c]
    v[a] = rotate(v[a], 32)
