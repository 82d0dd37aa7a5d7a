"""Grids of images."""

import numpy as np
import torch
from PIL import Image

from ganzoo.pictures import grid, save_grid


def test_pixels_of_every_channel_arrive_where_they_belong():
    images = torch.randint(256, (5, 3, 4, 6), dtype=torch.uint8)
    pixels = np.asarray(grid(images, columns=2, gap=1))
    assert pixels.shape == (3 * 4 + 2, 2 * 6 + 1, 3)
    for index, image in enumerate(images):
        top, left = 5 * (index // 2), 7 * (index % 2)
        assert (pixels[top : top + 4, left : left + 6] == image.permute(1, 2, 0).numpy()).all()
    assert (pixels[10:, 6:] == 255).all(), "an empty place is white"


def test_fewer_images_than_columns_leave_no_empty_columns():
    assert grid(torch.zeros(2, 3, 4, 4, dtype=torch.uint8), columns=8, gap=2).size == (10, 4)


def test_small_pictures_are_enlarged_by_whole_pixels(tmp_path):
    images = torch.randint(256, (1, 3, 5, 60), dtype=torch.uint8)
    save_grid(images, tmp_path / "grid.png")
    with Image.open(tmp_path / "grid.png") as picture:
        pixels = np.asarray(picture)
    factor = pixels.shape[1] // 60
    assert factor > 1
    expected = images[0].permute(1, 2, 0).numpy().repeat(factor, 0).repeat(factor, 1)
    assert (pixels == expected).all()
