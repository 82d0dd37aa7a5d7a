"""The embedded dataset: drawn faces, labelled by their hair."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ganzoo.data.cache import Source
from ganzoo.data.datamodule import Images, at_least
from ganzoo.data.face_factors import draw_factors
from ganzoo.data.faces import paint_faces

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLE = 16  # faces whose pixels stand in the cache's key


class FaceImages(Images):
    """Faces drawn by formula; the label is the hair style, a place in ``HAIR_STYLES``.

    Args:
        image_shape: Channels (1 or 3), height and width.
        batch_size: Images in a batch, for each process.
        count: How many faces.
        faces_seed: Which faces: another seed gives none of the same.
        common: ``seed``, ``cache_dir`` and ``workers``, as in ``Images``.
    """

    name = "faces"

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        count: int = 4000,
        faces_seed: int = 0,
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, **common)
        self.count = at_least(1, count, "data.count")
        self.faces_seed = at_least(0, faces_seed, "data.faces_seed")

    def source(self) -> Source:
        factors = draw_factors(self.count, self.faces_seed)

        def read(begin: int, end: int) -> list[NDArray[np.uint8]]:
            some = {name: values[begin:end] for name, values in factors.items()}
            faces = paint_faces(some, self.image_shape[1:])
            return list(faces if self.image_shape[0] == 3 else grey(faces))

        # A sample of the pixels: so no cache outlives a change in how faces are drawn.
        sample = b"".join(face.tobytes() for face in read(0, min(_SAMPLE, self.count)))
        return Source(
            key={"seed": self.faces_seed, "sample": hashlib.sha256(sample).hexdigest()},
            names=[str(number) for number in range(self.count)],
            labels=factors["hair_style"].tolist(),
            read=read,
        )


def grey(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the luminance (N, 1, H, W) of colour images (N, 3, H, W), as Pillow computes it."""
    weights = np.array((19595, 38470, 7471), np.uint32)  # 0.299, 0.587, 0.114 in 1/65536
    levels = np.einsum("nchw,c->nhw", images.astype(np.uint32), weights)
    return ((levels + 0x8000) >> 16).astype(np.uint8)[:, None]
