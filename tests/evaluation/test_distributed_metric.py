"""The metric over two processes against one, with unequal and missing shares of the images."""

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import Tensor

from ganzoo.evaluation import FrechetDistance
from tests.evaluation.conftest import TinyExtractor

BATCH = 8


def noise(n: int, seed: int, high: int = 256) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, high, (n, 3, 8, 8), generator=generator).to(torch.uint8)


def updated(metric: FrechetDistance, images: Tensor, real: bool) -> None:
    for batch in images.split(BATCH):
        if len(batch):
            metric.update(batch, real=real)


CASES = (  # the two processes' real images, and their samples
    [[24, 40], [56, 8]],
    [[24, 13], [8, 29]],  # no whole number of batches
    [[64, 0], [40, 24]],  # one process has no real images
    [[64, 0], [64, 0]],  # nor any samples
)


def work(rank: int, file: str, out: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    values = []
    for shares in CASES:
        metric = FrechetDistance(TinyExtractor())
        for real, share in zip((True, False), shares, strict=True):
            images = noise(sum(share), int(real), 256 if real else 200)
            updated(metric, images.split(share)[rank], real)
        values.append(metric.compute())
    torch.save(torch.stack(values), f"{out}{rank}")
    dist.destroy_process_group()


@pytest.mark.slow
def test_two_processes_give_the_value_of_one(tmp_path):
    out = str(tmp_path / "value")
    both = mp.spawn(work, (str(tmp_path / "meet"), out), nprocs=2, join=False)
    assert both is not None
    ended = both.join(90) or both.join(1)  # the first returns when one of them has ended
    if not ended:
        for process in both.processes:
            process.kill()
    assert ended, "the processes wait for each other"
    found = [torch.load(f"{out}{rank}").tolist() for rank in range(2)]
    due = [alone(shares) for shares in CASES]
    assert found == [pytest.approx(due, rel=1e-9)] * 2


def alone(shares: list[list[int]]) -> float:
    metric = FrechetDistance(TinyExtractor())
    for real, share in zip((True, False), shares, strict=True):
        # in the processes' batches: a feature's last float32 digit depends on its neighbours
        for part in noise(sum(share), int(real), 256 if real else 200).split(share):
            updated(metric, part, real)
    return metric.compute().item()
