"""Trains the digit classifier whose features and classes judge generated digits.

UCI's 1,797 digits, plain and with MNIST's margin, and MNIST's first 5,000; a fifth is held out for
the error that is printed. Writes ``src/ganzoo/evaluation/extractors/digits.safetensors``.

    python benchmarks/digit_classifier.py
"""

import torch
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy, interpolate, pad

from ganzoo.data.arrays import DigitImages, Mnist5kImages
from ganzoo.evaluation.extractors.described import DIGITS_SIDE as SIDE
from ganzoo.evaluation.extractors.digits import WEIGHTS, network

STEPS = 3000


def sets():
    """Return images in [0, 1] and labels of each source, in a fixed shuffled order."""
    chosen = [
        DigitImages((1, 8, 8), 1),
        DigitImages((1, 28, 28), 1, framed=True),
        Mnist5kImages((1, 28, 28), 1),
    ]
    for data in chosen:
        data.setup()
        images = torch.from_numpy(data.images.copy()).float()
        images = interpolate(images, (SIDE, SIDE), mode="bilinear", antialias=True) / 255
        order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
        yield images[order], torch.from_numpy(data.labels.copy())[order]


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    parts = list(sets())
    held = [(x[: len(x) // 5], y[: len(y) // 5]) for x, y in parts]
    images = torch.cat([x[len(x) // 5 :] for x, _ in parts])
    labels = torch.cat([y[len(y) // 5 :] for _, y in parts])
    classifier = network()
    adam = torch.optim.Adam(classifier.parameters(), lr=2e-3, weight_decay=1e-4)
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(adam, STEPS)
    for _ in range(STEPS):
        rows = torch.randint(len(images), (128,))
        i, j = torch.randint(3, (2,)).tolist()
        batch = pad(images[rows], (1, 1, 1, 1))[:, :, i : i + SIDE, j : j + SIDE]
        loss = cross_entropy(classifier(batch), labels[rows], label_smoothing=0.05)
        adam.zero_grad()
        loss.backward()
        adam.step()
        fall.step()
    for name, (x, y) in zip(("digits", "digits framed", "mnist5k"), held, strict=True):
        with torch.no_grad():
            error = (classifier(x).argmax(1) != y).float().mean()
        print(f"{name}: {error:.1%} wrong of {len(y)} held out")
    save_file({key: value.half() for key, value in classifier.state_dict().items()}, WEIGHTS)


if __name__ == "__main__":
    main()
