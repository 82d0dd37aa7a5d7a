"""The fixed program trains on photographs: the hundred faces that scikit-image ships."""

import json

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from PIL import Image

from ganzoo.conf_dir import conf_dir
from ganzoo.run import Run


@pytest.fixture
def photographs(tmp_path):
    skimage_data = pytest.importorskip("skimage.data")
    folder = tmp_path / "faces"
    folder.mkdir()
    faces = skimage_data.lfw_subset()[:100]  # of its 200 pictures the first half are faces
    for number, face in enumerate(faces):
        grey = Image.fromarray(np.uint8(face * 255))
        grey.save(folder / f"{number:03d}.jpg", quality=95)
    return folder


def test_fixed_program_trains_on_them(photographs, tmp_path):
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        config = compose(
            "config",
            overrides=[
                "model=fixed_dcgan",
                "data=folder",
                f"data.root={photographs}",
                f"data.cache_dir={tmp_path / 'cache'}",
                "model.generator_channels=8",
                "model.critic_channels=8",
                "budget.generator_steps=12",
                "evaluation=none",
                "trainer=cpu",
            ],
        )
    run = Run(config, tmp_path / "run")
    batch, _ = run.data.train_dataloader().batch(0)
    assert batch.shape == (8, 3, 66, 58)
    assert 0.1 < batch.float().div(255).std(0).mean() < 0.4  # photographs, not one grey
    run()
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert (results["status"], results["generator_steps"]) == ("finished", 12)
    assert results["data"]["count"] == 100
    assert results["symptom"]["present"] is False
    assert len(list((tmp_path / "run" / "samples").glob("averaged_*.png"))) == 2
