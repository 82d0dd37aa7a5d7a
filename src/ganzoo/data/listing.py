"""The image files of a folder or of a zip archive, in a fixed order."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ganzoo.data.pictures import SUFFIXES, BadImageError

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST = 2**29  # bytes of one file; beyond, it is no picture but an accident or an attack


@dataclass(frozen=True)
class Files:
    """Image files by name, relative to where they lie, sorted.

    Attributes:
        stamps: Size in bytes and time or checksum of each file.
        read: From a name to the bytes of the file.
    """

    stamps: dict[str, tuple[int, int]]
    read: Callable[[str], bytes]

    def load(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            BadImageError: It is too large for a picture, gone, forbidden, encrypted or damaged.
        """
        if self.stamps[name][0] > _LARGEST:
            raise BadImageError(f"{self.stamps[name][0]} bytes are too many")
        try:
            return self.read(name)
        except OSError as error:
            raise BadImageError(error.strerror or str(error)) from error
        except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
            raise BadImageError(str(error)) from error

    def only(self, names: list[str]) -> Files:
        """Return these files and no others."""
        return Files({name: self.stamps[name] for name in names}, self.read)


def folder_files(root: Path, deep: bool = True) -> Files:
    """Return the image files below a folder, or only in it; hidden ones and others left out."""
    stamps: dict[str, tuple[int, int]] = {}
    walked = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        again = real in walked  # a link leads in a circle
        walked.add(real)
        folders[:] = sorted(filter(_is_shown, folders)) if deep and not again else []
        inner = Path(folder).relative_to(root).as_posix()
        prefix = "" if inner == "." else inner + "/"
        for name in [] if again else filter(_is_image, names):
            if stamp := _stamp(f"{folder}/{name}"):
                stamps[prefix + name] = stamp
    return Files(dict(sorted(stamps.items())), lambda name: (root / name).read_bytes())


def zip_files(path: Path) -> Files:
    """Return the image files in a zip archive; they are read in memory, and never unpacked to disk.

    Raises:
        ValueError: The file is not a zip archive.
    """
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise ValueError(f"{path} is not a whole zip archive: copy or download it again") from error
    members = {member.filename: member for member in archive.infolist() if not member.is_dir()}
    names = sorted(name for name in members if _is_image(name))
    stamps = {name: (members[name].file_size, members[name].CRC) for name in names}
    return Files(stamps, archive.read)


def _is_shown(part: str) -> bool:
    return not part.startswith(".") and part != "__MACOSX"


def _is_image(name: str) -> bool:
    """Return whether a name has an image's ending and no hidden part."""
    return name.lower().endswith(SUFFIXES) and all(map(_is_shown, name.split("/")))


def _stamp(path: str) -> tuple[int, int] | None:
    """Return size and time of a file, (0, 0) for a broken link, None for pipes and the like."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return 0, 0  # listed all the same, so that reading it says what is wrong
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
