"""Anyone's images: a folder of files, and how files become a source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ganzoo.data.cache import Source
from ganzoo.data.datamodule import ON_BAD_IMAGE, Images, at_least
from ganzoo.data.listing import Files, folder_files
from ganzoo.data.pictures import SUFFIXES, BadImageError, picture
from ganzoo.names import known

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class FolderImages(Images):
    """All images below a folder; the first sub-folders, sorted, are the labels.

    Args:
        image_shape: Channels (1 or 3), height and width.
        batch_size: Images in a batch, for each process.
        root: The folder.
        crop: Side of a centred square to cut out first. None: the largest centred box that has the
            aspect of ``image_shape``.
        on_bad_image: "raise" names unusable images in one error, "skip" leaves them out.
        common: ``seed``, ``cache_dir`` and ``workers``, as in ``Images``.
    """

    name = "folder"

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        root: str | Path | None = None,
        crop: int | None = None,
        on_bad_image: str = "raise",
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, **common)
        if not root:
            raise ValueError("folder: data.root is missing: name the folder that holds the images")
        self.root = Path(root).expanduser()
        self.crop = None if crop is None else at_least(1, crop, "data.crop")
        self.on_bad_image = known(on_bad_image, ON_BAD_IMAGE, "data.on_bad_image")

    def source(self) -> Source:
        """Return the files below the root.

        Raises:
            FileNotFoundError: There is no such folder, or no image in it.
        """
        files = folder_files(self.root)
        if not files.stamps:
            missing = "no images under" if self.root.is_dir() else "there is no folder"
            raise FileNotFoundError(
                f"folder: {missing} {self.root}. Expected there, at any depth, files that end in "
                f"{', '.join(SUFFIXES)}; sub-folders become labels"
            )
        kinds = [name.split("/")[0] if "/" in name else "" for name in files.stamps]
        places = {kind: place for place, kind in enumerate(sorted(set(kinds)))}
        crop = self.crop if isinstance(self.crop, int) else None
        return file_source(files, [places[kind] for kind in kinds], self.image_shape, crop)


def file_source(
    files: Files, labels: list[int], shape: tuple[int, int, int], crop: int | None
) -> Source:
    """Return image files as a source of pixels."""
    names = list(files.stamps)

    def one(name: str) -> NDArray[np.uint8] | BadImageError:
        try:
            return picture(files.load(name), shape, crop)
        except BadImageError as bad:
            return bad

    def read(begin: int, end: int) -> list[NDArray[np.uint8] | BadImageError]:
        return [one(name) for name in names[begin:end]]

    key = {"crop": crop, "stamps": list(files.stamps.values())}
    return Source(key, names, labels, read)
