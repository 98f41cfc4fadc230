"""What DUMP gives, taken apart and put together again: so that a change is not found by a checksum."""

import struct

import xxhash

MODULE, STRING, END = 7, 5, 0


def _table():
    table = []
    for n in range(256):
        crc = n
        for _ in range(8):
            # The polynomial of Jones, reflected.
            crc = (crc >> 1) ^ (0x95AC9329AC4BC9B5 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _table()


def crc64(data):
    crc = 0
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


def _length(data, at):
    first = data[at]
    if first < 0x40:
        return first, at + 1
    if first < 0x80:
        return ((first & 0x3F) << 8) | data[at + 1], at + 2
    if first == 0x80:
        return struct.unpack_from(">I", data, at + 1)[0], at + 5
    assert first == 0x81, "compressed: set rdbcompression to no"
    return struct.unpack_from(">Q", data, at + 1)[0], at + 9


def _written(length):
    if length < 0x40:
        return bytes([length])
    if length < 0x4000:
        return struct.pack(">H", 0x4000 | length)
    return b"\x80" + struct.pack(">I", length)


def apart(dump):
    """The bytes of the module's name and version, the request and the snapshot, the version of the format."""
    assert dump[0] == MODULE and crc64(dump[:-8]) == struct.unpack("<Q", dump[-8:])[0]
    at = 1 + 9
    head, strings = dump[:at], []
    while dump[at] == STRING:
        length, at = _length(dump, at + 1)
        strings.append(dump[at : at + length])
        at += length
    assert dump[at] == END and at + 11 == len(dump)
    # A server writes a snapshot in pieces, and reads it in any.
    return head, [strings[0], b"".join(strings[1:])], dump[at + 1 : -8]


def together(head, strings, version):
    body = head + b"".join(bytes([STRING]) + _written(len(s)) + s for s in strings) + bytes([END]) + version
    return body + struct.pack("<Q", crc64(body))


def sealed(snapshot):
    """The snapshot with the checksum that it should have."""
    return snapshot[:-8] + struct.pack("<Q", xxhash.xxh3_64_intdigest(snapshot[:-8]))
