"""The hashes of docs/reference/format.md: XXH3 with a seed by the package of its authors' code, and SipHash under a secret.

SipHash is written from the paper "SipHash: a fast short-input PRF" (Aumasson, Bernstein 2012). Slow and short: it is here to be
read, and to be right where the library might be wrong.
"""

import functools
import struct

from xxhash import xxh3_64_intdigest as xxh3_64, xxh3_128_intdigest

WORD = (1 << 64) - 1


def rotate(x, by):
    return (x << by | x >> (64 - by)) & WORD


def xxh3_128(data, seed):
    """The low and the high word."""
    both = xxh3_128_intdigest(data, seed)
    return both & WORD, both >> 64


@functools.cache
def siphash(data, low, high, rounds, last_rounds):
    """SipHash of bytes under the words `low` and `high`, with that many rounds for a word and at the end."""
    v = sip_state(data, low, high, rounds, 0)
    return sip_end(v, 0xFF, 2, last_rounds)


@functools.cache
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
    whole = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for m in struct.unpack(f"<{len(whole) // 8}Q", whole):
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
