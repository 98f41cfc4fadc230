"""Spans of time, sizes and secrets as people write them, as whole numbers. Nothing is rounded up or clamped."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from ._errors import Error

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_MOST = 2**64 - 1

TIMES = {
    "w": 604_800_000_000_000,
    "d": 86_400_000_000_000,
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1_000,
    "ns": 1,
}

_SIZES = {
    "": 1,
    "K": 1 << 10,
    "M": 1 << 20,
    "G": 1 << 30,
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
}

_PART = re.compile(r"([0-9]+)(?:\.([0-9]+))?([A-Za-z]*)")


def _scaled(whole: str, fraction: str | None, scale: int) -> int:
    """The number times ``scale``, cut to a whole number."""
    digits = fraction or ""
    ten: int = 10 ** len(digits)
    return int(whole + digits) * scale // ten


def out_of_range(name: str, value: object, bounds: str) -> str:
    """The message on a value that must be within these bounds."""
    return f"{name} = {value}: must be {bounds}"


def wrong_type(name: str, value: object, types: str) -> TypeError:
    """The error of a value that has none of these types."""
    return TypeError(f"{name} must be {types}, not {type(value).__name__}")


def nanoseconds(name: str, span: str | timedelta) -> int:
    """A span of time such as ``"10m"``, ``"1h30m"`` or a ``timedelta``."""
    if isinstance(span, timedelta):
        exact = (span.days * 86_400 + span.seconds) * 10**9 + span.microseconds * 1_000
        if 0 <= exact <= _MOST:
            return exact
        raise Error(out_of_range(name, span, "0 to 213503d"), "OPTION", name)
    if not isinstance(span, str):
        raise wrong_type(name, span, 'a str such as "10m" or a timedelta')
    ns = _span(span)
    if ns is None:
        bounds = "a number with ns, us, ms, s, m, h, d or w, such as 90s, 10m, 1.5h or 1h30m, at most 213503d"
        raise Error(out_of_range(name, repr(span), bounds), "OPTION", name)
    return ns


def _span(text: str) -> int | None:
    total, at, before = 0, 0, None
    while at < len(text) or at == 0:
        part = _PART.match(text, at)
        unit = TIMES.get(part[3]) if part else None
        if part is None or unit is None or (before is not None and unit >= before) or len(part[0]) > 60:
            return None
        total, at, before = total + _scaled(part[1], part[2], unit), part.end(), unit
    return total if total <= _MOST else None


def nanoseconds_of(clock: str | None) -> int:
    """The nanoseconds of a clock's unit; the system's clock counts them, and so does one that a filter does not have."""
    return TIMES.get(clock or "ns", 1)


def size(name: str, memory: str | int) -> int:
    """A number of bytes, or a text such as ``"64MiB"``."""
    if isinstance(memory, int) and not isinstance(memory, bool):
        return memory
    if not isinstance(memory, str):
        raise wrong_type(name, memory, 'an int of bytes or a str such as "64MiB"')
    part = _PART.fullmatch(memory)
    unit = _SIZES.get(part[3]) if part else None
    if part is None or unit is None or len(part[0]) > 60:
        bounds = "a number of bytes, alone or with K, M, G, KiB, MiB, GiB, KB, MB or GB, such as 64MiB"
        raise Error(out_of_range(name, repr(memory), bounds), "OPTION", name)
    return _scaled(part[1], part[2], unit)


def words(secret: bytes | str | None) -> tuple[int, int] | None:
    """The low and the high word of a secret of 16 bytes, or of 32 hexadecimal digits."""
    if secret is None:
        return None
    if isinstance(secret, str):
        if not re.fullmatch(r"[0-9A-Fa-f]{32}", secret):
            raise Error(f"secret has {len(secret)} characters: must be 32 hexadecimal digits", "SECRET", "secret")
        secret = bytes.fromhex(secret)
    if not isinstance(secret, bytes):
        raise wrong_type("secret", secret, "16 bytes or a str of 32 hexadecimal digits")
    if len(secret) != 16:
        raise Error(f"secret has {len(secret)} bytes: must be 16 bytes", "SECRET", "secret")
    return int.from_bytes(secret[:8], "little"), int.from_bytes(secret[8:], "little")
