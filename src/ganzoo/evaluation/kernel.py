"""The kernel distance (KID): an unbiased estimate, with a standard error."""

from dataclasses import dataclass

import torch
from torch import Tensor

from ganzoo.evaluation.intervals import T_95
from ganzoo.evaluation.statistics import BLOCKS, dealt


@dataclass(frozen=True)
class KernelDistance:
    """The squared kernel distance of two samples.

    Attributes:
        value: mean over disjoint blocks; unbiased, so that it may be below zero.
        standard_error: of that mean, from the spread of the blocks, which are independent.
    """

    value: float
    standard_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the value."""
        half = T_95 * self.standard_error
        return self.value - half, self.value + half


def kernel_distance(a: Tensor, b: Tensor) -> KernelDistance:
    """Return the squared maximum mean discrepancy under the kernel (x . y / d + 1)^3.

    The samples are dealt into ten blocks. Unlike the usual random subsets, which overlap, blocks
    are independent, and their spread gives a true standard error.

    Args:
        a: features (n, d), any real dtype.
        b: features (m, d), likewise.

    Raises:
        ValueError: for fewer than 20 rows on either side, another rank, or unequal d.

    Source: Binkowski et al., Demystifying MMD GANs, 2018, section 4.
    """
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(f"features are {tuple(a.shape)} and {tuple(b.shape)}: give (n, d), (m, d)")
    if min(len(a), len(b)) < 2 * BLOCKS:
        raise ValueError(
            f"{len(a)} and {len(b)} rows: a standard error from {BLOCKS} blocks needs at least "
            f"{2 * BLOCKS} on each side"
        )
    a, b = a.double(), b.double()
    mine, theirs = dealt(len(a)), dealt(len(b))
    values = torch.stack(
        [unbiased_discrepancy(a[mine == k], b[theirs == k]) for k in range(BLOCKS)]
    )
    return KernelDistance(float(values.mean()), float(values.std() / BLOCKS**0.5))


def unbiased_discrepancy(x: Tensor, y: Tensor) -> Tensor:
    """Return the unbiased squared discrepancy of features (n, d) and (m, d), a scalar.

    Source: Gretton et al., A Kernel Two-Sample Test, 2012, equation 3.
    """
    n, m = len(x), len(y)
    same_x, same_y, cross = kernel(x, x), kernel(y, y), kernel(x, y)
    within_x = (same_x.sum() - same_x.diagonal().sum()) / (n * (n - 1))
    within_y = (same_y.sum() - same_y.diagonal().sum()) / (m * (m - 1))
    return within_x + within_y - 2 * cross.mean()


def kernel(x: Tensor, y: Tensor) -> Tensor:
    """Return the polynomial kernel of each pair of rows, (n, m)."""
    return (x @ y.T / x.shape[1] + 1) ** 3
