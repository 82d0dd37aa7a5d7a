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


def test_grid_of_grey_images_is_grey(tmp_path):
    path = tmp_path / "deep" / "grid.png"
    save_grid(torch.zeros(2, 1, 4, 4, dtype=torch.uint8), path)
    with Image.open(path) as picture:
        assert picture.mode == "L"
    assert [p.name for p in path.parent.iterdir()] == ["grid.png"]


def test_grid_places_images_row_by_row():
    images = torch.arange(6, dtype=torch.uint8).view(6, 1, 1, 1).expand(6, 3, 4, 5) * 40
    picture = grid(images, columns=3, gap=1)
    assert picture.size == (3 * 5 + 2, 2 * 4 + 1)
    assert picture.getpixel((6, 5)) == (160, 160, 160)  # second row, second image
    assert picture.getpixel((6, 4)) == (255, 255, 255)  # the gap above it
    assert picture.getpixel((5, 0)) == (255, 255, 255)
