"""FID of one set of images by ganzoo and by four other packages, with one file of random weights.

    python -m pip install "ganzoo[inception]" pytorch-fid clean-fid
    python benchmarks/parity.py [images]

Writes benchmarks/parity.json. The weights of the reference cannot be had everywhere, and equality
does not need them: random ones, whose BatchNorm statistics fit images, take every image through the
same arithmetic. Each package reads the same PNG files or the same tensors, and is only told where
the weights are. Their distances are measured again from their own features by a float64 reference
(singular values), because with fewer images than features their eigenvalues lose six digits.
"""

import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from PIL import Image
from torch import nn

from ganzoo.data import draw_faces
from ganzoo.evaluation import extractor, frechet_distance

SIDE = 64


def random_weights(path):
    """Write weights for the 2015 Inception that keep the scale of images through all layers."""
    from torch_fidelity import feature_extractor_inceptionv3 as fidelity

    network = fidelity.FeatureExtractorInceptionV3
    with (
        mock.patch.object(fidelity, "load_state_dict_from_url", return_value={}),
        mock.patch.object(network, "load_state_dict"),
    ):
        torch.manual_seed(0)
        made = network("inception", ["2048"])
    for layer in made.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.momentum = None
            layer.reset_running_stats()
    made.train()
    made(draw_faces(16, (SIDE, SIDE), seed=2)[0])
    torch.save(made.eval().state_dict(), path)


def images(n):
    """Return two sets of images that differ: faces, and faces with noise."""
    faces, _ = draw_faces(2 * n, (SIDE, SIDE))
    noise = torch.Generator().manual_seed(1)
    grain = torch.randint(-30, 31, (n, 3, SIDE, SIDE), generator=noise)
    return faces[:n], (faces[n:] + grain).clamp(0, 255).to(torch.uint8)


def written(folder, batch):
    """Return the folder, with the images as PNG files."""
    folder.mkdir()
    for number, image in enumerate(batch.permute(0, 2, 3, 1).numpy()):
        Image.fromarray(image).save(folder / f"{number:05d}.png")
    return folder


def by_torch_fidelity(sides, weights):
    """Return torch-fidelity's features of each side."""
    from torch_fidelity.utils import create_feature_extractor

    network = create_feature_extractor(
        "inception-v3-compat", ["2048"], feature_extractor_weights_path=str(weights), cuda=False
    )
    return [torch.cat([network(b)[0] for b in side.split(32)]) for side in sides]


def by_torchmetrics(sides, weights, antialias):
    """Return torchmetrics' value, and the features that its network gives."""
    from torchmetrics.image.fid import FrechetInceptionDistance

    metric = FrechetInceptionDistance(
        2048, feature_extractor_weights_path=str(weights), antialias=antialias
    ).set_dtype(torch.float64)
    for real, side in zip((True, False), sides, strict=True):
        for batch in side.split(32):
            metric.update(batch, real=real)
    network = metric.inception.float()
    del network._dtype  # features in float32, as all others take them
    features = [torch.cat([network(b) for b in side.split(32)]) for side in sides]
    return float(metric.compute()), features


def by_pytorch_fid(folders, weights):
    """Return pytorch-fid's features of each side."""
    from pytorch_fid import fid_score, inception

    state = torch.load(weights, weights_only=True)
    with mock.patch.object(inception, "load_state_dict_from_url", return_value=state):
        network = inception.InceptionV3([3]).eval()
    return [
        torch.from_numpy(
            fid_score.get_activations(sorted(f.glob("*.png")), network, 32, num_workers=0)
        )
        for f in folders
    ]


def by_clean_fid(folders, weights, mode):
    """Return clean-fid's features of each side, through its own resizing."""
    from cleanfid import fid, inception_pytorch
    from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3

    if mode == "clean":
        # its network is a TorchScript of the same layers, which is not in any package
        state = FeatureExtractorInceptionV3(
            "inception", ["2048"], feature_extractor_weights_path=str(weights)
        )
        layers = nn.Sequential(*list(state.children())[:-1], nn.Flatten())

        def model(x):
            return layers((x - 128) / 128)

    else:
        state = torch.load(weights, weights_only=True)
        with mock.patch.object(inception_pytorch, "load_state_dict_from_url", return_value=state):
            network = inception_pytorch.InceptionV3([3], resize_input=False).eval()

        def model(x):
            return network(x / 255)[0].flatten(1)

    return [
        torch.from_numpy(
            fid.get_folder_features(
                str(f), model, num_workers=0, batch_size=32, device="cpu", mode=mode, verbose=False
            )
        )
        for f in folders
    ]


def ours(sides, name, weights):
    """Return ganzoo's features of each side."""
    network = extractor(name, weights)
    return [torch.cat([network(b) for b in side.split(32)]) for side in sides]


def row(protocol, package, mine, theirs):
    """Return how far apart two distances are, and the features that they are of."""
    value, other = frechet_distance(*mine), frechet_distance(*theirs)
    scale = max(float(f.abs().max()) for f in mine)
    apart = max(float((a - b).abs().max()) for a, b in zip(mine, theirs, strict=True)) / scale
    return {
        "protocol": protocol,
        "package": package,
        "ganzoo": value,
        "other": other,
        "relative": abs(value / other - 1),
        "features": apart,
    }


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    torch.set_grad_enabled(False)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        weights = folder / "weights.pth"
        random_weights(weights)
        sides = images(n)
        folders = [written(folder / w, b) for w, b in zip(("a", "b"), sides, strict=True)]
        tf = ours(sides, "inception_tf", weights)
        rows = [row("inception_tf", "torch-fidelity", tf, by_torch_fidelity(sides, weights))]
        value, features = by_torchmetrics(sides, weights, antialias=False)
        rows.append(row("inception_tf", "torchmetrics", tf, features))
        rows[-1]["its_own_value"] = value
        antialiased = ours(sides, "inception_torchmetrics", weights)
        value, features = by_torchmetrics(sides, weights, antialias=True)
        rows.append(row("inception_torchmetrics", "torchmetrics", antialiased, features))
        rows[-1]["its_own_value"] = value
        legacy = ours(sides, "legacy", weights)
        rows.append(row("legacy", "pytorch-fid", legacy, by_pytorch_fid(folders, weights)))
        found = by_clean_fid(folders, weights, "legacy_pytorch")
        rows.append(row("legacy", "clean-fid", legacy, found))
        clean = ours(sides, "clean", weights)
        rows.append(row("clean", "clean-fid", clean, by_clean_fid(folders, weights, "clean")))
    for found in rows:
        found["version"] = version(found["package"])
        print(json.dumps(found), flush=True)
    out = Path(__file__).with_suffix(".json")
    out.write_text(json.dumps({"images": n, "side": SIDE, "rows": rows}, indent=1) + "\n")
    assert np.isfinite([found["ganzoo"] for found in rows]).all()


if __name__ == "__main__":
    main()
