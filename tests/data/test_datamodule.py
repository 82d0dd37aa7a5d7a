"""What all datasets share, and the drawn faces as a dataset."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import pytorch_lightning as pl
import torch
from PIL import Image

from ganzoo.data import Images, datamodule, draw_faces
from ganzoo.data.datamodule import default_cache_dir
from ganzoo.data.faces import paint_faces


def faces(takes, **settings) -> Images:
    data = datamodule("faces", takes(), **{"count": 30, "workers": 1, **settings})
    data.prepare_data()
    data.setup()
    return data


def test_faces_are_the_drawn_ones(takes):
    data = faces(takes)
    images, factors = draw_faces(30, (12, 10))
    assert data.images.dtype == np.uint8
    assert np.array_equal(data.images, images.numpy())
    assert data.labels.tolist() == factors["hair_style"].tolist()
    other = faces(takes, faces_seed=1)
    assert np.array_equal(other.images, draw_faces(30, (12, 10), seed=1)[0].numpy())


def test_grey_faces_for_one_channel(takes):
    data = datamodule("faces", takes((1, 12, 10)), count=5)
    data.setup()
    colour, _ = draw_faces(5, (12, 10))
    by_pillow = [Image.fromarray(c.permute(1, 2, 0).numpy()).convert("L") for c in colour]
    assert np.array_equal(data.images[:, 0], np.stack([np.asarray(image) for image in by_pillow]))


def test_second_use_paints_a_sample_only(takes, monkeypatch):
    painted = []

    def paint(some, size):
        painted.append(len(some["scale"]))
        return paint_faces(some, size)

    monkeypatch.setattr("ganzoo.data.face_images.paint_faces", paint)
    faces(takes)
    assert sum(painted) == 16 + 30
    faces(takes)
    assert sum(painted) == 16 + 30 + 16


def test_changed_drawing_is_another_cache(takes, monkeypatch):
    before = faces(takes).fingerprint
    monkeypatch.setattr(
        "ganzoo.data.face_images.paint_faces",
        lambda some, size: np.zeros((len(some["scale"]), 3, *size), np.uint8),
    )
    changed = faces(takes)
    assert changed.fingerprint != before
    assert changed.images.max() == 0


def test_description_fits_into_json(takes):
    data = faces(takes)
    assert json.loads(json.dumps(data.describe())) == {
        "name": "faces", "split": None, "crop": None, "size": [12, 10], "channels": 3, "count": 30,
        "fingerprint": data.fingerprint,
    }  # fmt: skip


def test_reals_do_not_depend_on_the_seed_of_the_order(takes):
    first, second = faces(takes, seed=0), faces(takes, seed=9)
    assert first.fingerprint == second.fingerprint
    assert torch.equal(first.reals(30), second.reals(30))
    assert not torch.equal(
        first.train_dataloader().batch(0)[0], second.train_dataloader().batch(0)[0]
    )


def test_reals_that_do_not_overlap_share_no_image(takes):
    data = faces(takes)
    everything = data.reals(30)
    assert everything.dtype == torch.uint8
    assert torch.equal(torch.cat([data.reals(10), data.reals(20, offset=10)]), everything)
    assert len({image.numpy().tobytes() for image in everything}) == 30
    assert not np.array_equal(everything.numpy(), data.images), "shuffled"


@pytest.mark.parametrize(("n", "offset"), [(31, 0), (10, 21), (-1, 0), (1, -1)])
def test_reals_beyond_the_images_are_refused(takes, n, offset):
    with pytest.raises(ValueError, match=f"faces has 30 images: {n} from number {offset} on"):
        faces(takes).reals(n, offset)


class Recorder(pl.LightningModule):
    """Remembers the labels of what it is trained on."""

    def __init__(self, batches_seen: int = 0):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(()))
        self.batches_seen = batches_seen
        self.seen: list[list[int]] = []

    def training_step(self, batch, batch_idx):
        self.seen.append(batch[0][:, 0, 0, 0].tolist() + batch[1].tolist())
        return self.weight * 0

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


def trained(takes, steps: int, batches_seen: int = 0) -> list[list[int]]:
    trainer = pl.Trainer(
        max_steps=steps, accelerator="cpu", devices=1, logger=False, barebones=True
    )
    program = Recorder(batches_seen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Lightning's advice on loggers and worker counts
        trainer.fit(program, datamodule=datamodule("faces", takes(), count=30, workers=1))
    return program.seen


def test_trainer_goes_on_from_the_batches_seen(takes):
    whole = trained(takes, 12)
    assert len(whole) == 12
    assert whole == trained(takes, 5) + trained(takes, 7, batches_seen=5)


def test_processes_of_a_trainer_take_their_shares(takes, monkeypatch):
    data = faces(takes)
    for rank in range(2):
        module = type("Module", (), {"batches_seen": 3})()
        trainer = {"lightning_module": module, "global_rank": rank, "world_size": 2}
        monkeypatch.setattr(data, "trainer", type("Trainer", (), trainer)())
        stream = data.train_dataloader()
        assert (stream.start, stream.rank, stream.together) == (3, rank, 8)


@pytest.mark.parametrize(("name", "settings", "message"), [
    ("facez", {}, "no dataset 'facez'. Did you mean 'faces'\\? There are: faces, celeba, folder"),
    ("faces", {"cuont": 3}, "no setting of data faces 'cuont'. Did you mean 'count'\\?"),
    ("faces", {"root": "/x"}, "no setting of data faces 'root'.*faces_seed"),
    ("faces", {"image_shape": (1, 2, 3)}, "no setting of data faces 'image_shape'"),
    ("folder", {"cropp": 3}, "Did you mean 'crop'\\?"),
    ("faces", {"count": 0}, "data.count takes a whole number from 1 on, not 0"),
    ("faces", {"count": "many"}, "data.count takes a whole number from 1 on, not 'many'"),
    ("faces", {"workers": 0}, "data.workers takes a whole number from 1 on"),
    ("faces", {"seed": -1}, "data.seed takes a whole number from 0 on"),
    ("folder", {}, "folder: data.root is missing"),
    ("celeba", {}, "celeba: data.root is missing. Expected ROOT/celeba/img_align"),
    ("celeba", {"root": "x", "crop": 150}, "no data.crop '150'.*There are: full, 178"),
    ("celeba", {"root": "x", "split": "tests"}, "no data.split 'tests'. Did you mean 'test'"),
    ("celeba", {"root": "x", "on_bad_image": "skipp"}, "Did you mean 'skip'"),
])  # fmt: skip
def test_wrong_settings_end_in_one_line(takes, name, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        datamodule(name, takes(), **settings)
    assert "\n" not in str(caught.value)


def test_channels_other_than_grey_and_colour_are_refused(takes):
    with pytest.raises(ValueError, match="faces has 1 or 3 channels, and image_shape is"):
        datamodule("faces", takes((2, 8, 8)))


def test_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("GANZOO_CACHE", str(tmp_path / "own"))
    assert default_cache_dir() == tmp_path / "own"
    monkeypatch.delenv("GANZOO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_dir() == tmp_path / "ganzoo"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache_dir() == Path.home() / ".cache" / "ganzoo"


def test_cache_dir_is_used(takes, tmp_path, own_cache):
    faces(takes, cache_dir=tmp_path / "here")
    assert len(list((tmp_path / "here").iterdir())) == 2
    assert list(own_cache.iterdir()) == []
