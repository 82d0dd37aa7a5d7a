"""The stream of batches."""

from itertools import chain, islice

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ganzoo.data import BatchStream


def numbered(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return images whose first pixel is their own number, and the numbers as labels."""
    images = np.zeros((count, 1, 2, 2), np.uint8)
    images[:, 0, 0, 0] = np.arange(count)
    return images, np.arange(count)


def labels(stream: BatchStream, batches: range) -> list[list[int]]:
    return [stream.batch(k)[1].tolist() for k in batches]


def test_batch_holds_images_and_their_labels():
    images, chosen = BatchStream(*numbered(50), batch_size=8).batch(3)
    assert images.dtype == torch.uint8
    assert images.shape == (8, 1, 2, 2)
    assert chosen.dtype == torch.int64
    assert images[:, 0, 0, 0].tolist() == chosen.tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 5), st.integers(0, 60))
def test_batch_depends_on_seed_and_number_alone(count, batch_size, seed, k):
    batch_size = min(batch_size, count)
    stream = BatchStream(*numbered(count), batch_size, seed)
    first = stream.batch(k)[1]
    list(islice(stream, 7))  # whatever was taken from it meanwhile
    again = BatchStream(*numbered(count), batch_size, seed, start=k)
    assert torch.equal(first, stream.batch(k)[1])
    assert torch.equal(first, next(iter(again))[1])


def test_stream_started_later_goes_on_exactly():
    whole = [chosen.tolist() for _, chosen in islice(BatchStream(*numbered(10), 3), 12)]
    later = [chosen.tolist() for _, chosen in islice(BatchStream(*numbered(10), 3, start=5), 7)]
    assert whole[5:] == later


def test_epoch_shows_no_image_twice_and_epochs_differ():
    stream = BatchStream(*numbered(13), batch_size=4, seed=2)
    epochs = [list(chain(*labels(stream, range(3 * e, 3 * e + 3)))) for e in range(6)]
    assert all(len(set(epoch)) == 12 for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 6
    assert set(chain(*epochs)) == set(range(13)), "what is left over must come up later"
    assert labels(stream, range(6)) != labels(BatchStream(*numbered(13), 4, seed=3), range(6))


def test_processes_share_each_batch():
    together = labels(BatchStream(*numbered(30), batch_size=6, seed=1), range(8))
    shares = [
        labels(BatchStream(*numbered(30), 2, seed=1, rank=rank, world_size=3), range(8))
        for rank in range(3)
    ]
    assert together == [list(chain(*parts)) for parts in zip(*shares, strict=True)]


def test_tensors_will_do():
    images, chosen = (torch.from_numpy(part) for part in numbered(9))
    assert BatchStream(images, chosen, 9).batch(0)[1].sort().values.tolist() == list(range(9))


@pytest.mark.parametrize(("batch_size", "world_size"), [(6, 1), (3, 2), (0, 1)])
def test_batch_that_cannot_be_filled_is_refused(batch_size, world_size):
    together = batch_size * world_size
    message = f"5 images cannot fill a batch of {together} .*lower model.batch_size"
    with pytest.raises(ValueError, match=message):
        BatchStream(*numbered(5), batch_size, world_size=world_size)
