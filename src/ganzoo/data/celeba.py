"""CelebA's aligned faces, in whatever layout they were downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ganzoo.data.datamodule import ON_BAD_IMAGE, Images
from ganzoo.data.folder import file_source
from ganzoo.data.listing import Files, folder_files, zip_files
from ganzoo.names import known

if TYPE_CHECKING:
    from ganzoo.data.cache import Source

CROPS = ("full", "178", "160", "148", "140", "128", "108")
SPLITS = ("train", "valid", "test", "all")  # the first three as numbered in the partition file
_EXPECTED = (
    "Expected {root}/celeba/img_align_celeba/000001.jpg (torchvision's layout), "
    "a flat folder of JPEGs, or img_align_celeba.zip"
)


class CelebAImages(Images):
    """CelebA's 178 x 218 aligned faces; the label is 1 where the attribute Male is set.

    Labels are 0 where ``list_attr_celeba.txt`` is not beside the images.

    Args:
        image_shape: Channels (1 or 3), height and width.
        batch_size: Images in a batch, for each process.
        root: torchvision's root, the folder of the images, or the zip archive.
        crop: "full", or the side of a centred square. What remains is cut to the aspect of
            ``image_shape`` about its centre, and never stretched.
        split: "train", "valid", "test" by ``list_eval_partition.txt``, or "all". None: "train"
            where that file is, else "all".
        on_bad_image: "raise" names unusable images in one error, "skip" leaves them out.
        common: ``seed``, ``cache_dir`` and ``workers``, as in ``Images``.
    """

    name = "celeba"

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        root: str | Path | None = None,
        crop: str | int = "full",
        split: str | None = None,
        on_bad_image: str = "raise",
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, **common)
        if not root:
            raise ValueError(f"celeba: data.root is missing. {_EXPECTED.format(root='ROOT')}")
        self.root = Path(root).expanduser()
        self.crop = known(str(crop), CROPS, "data.crop")
        self.split = None if split is None else known(split, SPLITS, "data.split")
        self.on_bad_image = known(on_bad_image, ON_BAD_IMAGE, "data.on_bad_image")

    def source(self) -> Source:
        """Return the files of the split.

        Raises:
            FileNotFoundError: There are no images, or no partition file for the split asked for.
        """
        place, files = find_celeba(self.root)
        files = files.only(self._names_of_split(place, list(files.stamps)))
        male = read_male(place)
        labels = [male.get(_last(name), 0) for name in files.stamps]
        crop = None if self.crop == "full" else int(str(self.crop))
        return file_source(files, labels, self.image_shape, crop)

    def _names_of_split(self, place: Path, names: list[str]) -> list[str]:
        table = _beside(place, "list_eval_partition")
        split = self.split or ("all" if table is None else "train")
        if split == "all":
            return names
        if table is None:
            raise FileNotFoundError(
                f"celeba: data.split={split} needs list_eval_partition.txt beside {place}: "
                "put it there, or take data.split=all"
            )
        rows = map(str.split, table.read_text().replace(",", " ").splitlines())
        number = str(SPLITS.index(split))
        inside = {row[0] for row in rows if row[1:] == [number]}
        chosen = [name for name in names if _last(name) in inside]
        if not chosen:
            raise ValueError(f"celeba: {table} puts none of the {len(names)} images into {split}")
        return chosen


def find_celeba(root: Path) -> tuple[Path, Files]:
    """Return the folder or archive that holds the images, and the images.

    Raises:
        FileNotFoundError: There are none.
    """
    inner = "img_align_celeba"
    folders = (root / "celeba", root)
    for folder in (*(f / inner / inner for f in folders), *(f / inner for f in folders), root):
        if (files := folder_files(folder, deep=False)).stamps:
            return folder, files
    for archive in (root, *(folder / f"{inner}.zip" for folder in folders)):
        is_zip = archive.suffix.lower() == ".zip" and archive.is_file()
        if is_zip and (files := zip_files(archive)).stamps:
            return archive, files
    raise FileNotFoundError(f"celeba: no images under {root}. {_EXPECTED.format(root=root)}")


def read_male(place: Path) -> dict[str, int]:
    """Return 1 or 0 by file name from the attributes beside ``place``; nothing without the file."""
    table = _beside(place, "list_attr_celeba")
    if table is None:
        return {}
    rows = table.read_text().replace(",", " ").splitlines()
    head = next((number for number, row in enumerate(rows) if "Male" in row.split()), None)
    if head is None:
        raise ValueError(f"celeba: {table} has no column Male: it is not CelebA's attribute file")
    names = rows[head].split()
    # the first column, the file's name, has no name of its own in the .txt
    column = names.index("Male") + (names[0] != "image_id")
    cells = (row.split(maxsplit=column + 1) for row in rows[head + 1 :])
    return {row[0]: int(row[column] == "1") for row in cells if len(row) > column}


def _beside(place: Path, stem: str) -> Path | None:
    """Return the table next to the images or up to two folders above, as .txt or .csv."""
    for folder in (place, place.parent, place.parent.parent):
        for suffix in (".txt", ".csv"):
            if (table := folder / (stem + suffix)).is_file():
                return table
    return None


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1]
