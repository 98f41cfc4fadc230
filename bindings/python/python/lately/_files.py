"""Files of filters: each is replaced as a whole, by one that is on the disk.

    path            the filter
    .lately-XXXX    the next one in its folder, until it is written, flushed to the disk, and takes the name

After a crash the file is the old one or the new one. The new one has the mode of the old one, and its owner and group as far
as this user may give them. If the path is a link, the file behind it is replaced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable


def replace(path: str | os.PathLike[str], write: Callable[[str], object]) -> None:
    """Replace a file by the one that ``write`` makes of an empty one."""
    path = os.path.realpath(os.fspath(path))
    expect_replaceable(path)
    draft = _draft(os.path.dirname(path))
    try:
        with contextlib.suppress(FileNotFoundError):
            _succeed(os.stat(path), draft)
        write(draft)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
    _sync_folder(os.path.dirname(path))


def expect_replaceable(path: str | os.PathLike[str]) -> None:
    """An error if the file is a place where something is mounted: no other file can take its name."""
    path = os.path.realpath(os.fspath(path))
    if path in _mounts():
        raise OSError(
            errno.EBUSY, "the file is mounted by itself, and a saved filter replaces it: mount its folder", path
        )


def expect_folder(path: str | os.PathLike[str]) -> None:
    """An error unless a file can be made there."""
    os.stat(os.path.join(os.path.dirname(os.path.realpath(os.fspath(path))), ""))


def _mounts() -> list[str]:
    """The places where something is mounted, of a system that lists them."""
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            return [_unescaped(line.split(b" ")[4]) for line in file]
    except OSError:
        return []


def _unescaped(name: bytes) -> str:
    """A name of the list: blanks and backslashes are written as octal numbers."""
    first, *parts = name.split(b"\\")
    return os.fsdecode(first + b"".join(bytes([int(part[:3], 8)]) + part[3:] for part in parts))


def _draft(folder: str) -> str:
    """An empty new file in a folder."""
    while True:
        path = os.path.join(folder, f".lately-{secrets.token_hex(8)}")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            continue
        return path


def _succeed(old: os.stat_result, draft: str) -> None:
    """Give the new file the owner, the group and the mode of the old one. Only root may give a file away."""
    if hasattr(os, "chown"):
        new = os.stat(draft)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            try:
                os.chown(draft, old.st_uid, old.st_gid)
            except OSError:
                with contextlib.suppress(OSError):
                    os.chown(draft, -1, old.st_gid)
    os.chmod(draft, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Flush the name to the disk. A folder that may not be read, or cannot be flushed, still has the file whole."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
        finally:
            os.close(handle)
