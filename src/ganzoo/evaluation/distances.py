"""The Fréchet distance between two Gaussians, exact in float64."""

from functools import cached_property

import torch
from torch import Tensor


class Gaussian:
    """A mean and a covariance, or a root of it; the root is made only where it is needed.

    Args:
        mean: (d,), float64.
        covariance: (d, d), float64, unbiased; None where a root is given.
        root: (k, d), float64, with ``root.T @ root`` the covariance.
    """

    def __init__(
        self, mean: Tensor, covariance: Tensor | None = None, root: Tensor | None = None
    ) -> None:
        self.mean = mean
        self.covariance = covariance
        self._root = root

    @classmethod
    def from_features(cls, features: Tensor) -> "Gaussian":
        """Return the Gaussian of features (n, d), n at least 2."""
        features = features.double()
        n, d = features.shape
        mean = features.mean(0)
        root = (features - mean) / (n - 1) ** 0.5
        # With few rows the centred features are the root, and nothing is squared.
        return cls(mean, root=root) if n <= d else cls(mean, root.T @ root)

    @classmethod
    def from_sums(cls, n: int, total: Tensor, products: Tensor) -> "Gaussian":
        """Return the Gaussian of n feature rows.

        Args:
            n: number of rows, at least 2.
            total: their sum, (d,), float64.
            products: the sum of their outer products, (d, d), float64.
        """
        mean = total / n
        covariance = (products - n * torch.outer(mean, mean)) / (n - 1)
        if n > len(mean):
            return cls(mean, covariance)
        return cls(mean, root=eigen_root(covariance))

    @cached_property
    def factor(self) -> Tensor | None:
        """The covariance's upper Cholesky factor (d, d); None where it has none."""
        if self.covariance is None:
            return None
        lower, info = torch.linalg.cholesky_ex(self.covariance)
        return lower.T if info == 0 else None

    @cached_property
    def root(self) -> Tensor:
        """A root (k, d) of the covariance."""
        if self._root is not None:
            return self._root
        if self.factor is not None:
            return self.factor
        return eigen_root(self.covariance)  # pyright: ignore[reportArgumentType]

    def full_covariance(self) -> Tensor:
        """Return the covariance (d, d)."""
        return self.root.T @ self.root if self.covariance is None else self.covariance

    @property
    def variance(self) -> Tensor:
        """The trace of the covariance, a scalar."""
        if self.covariance is not None:
            return self.covariance.diagonal().sum()
        return self.root.square().sum()

    def distance(self, other: "Gaussian", roughly: bool = False) -> float:
        """Return the squared Fréchet distance |mu1 - mu2|^2 + tr(S1 + S2 - 2 (S1 S2)^(1/2)).

        Nothing here can become complex: see ``shared_spectrum``. This side's root is kept, so that
        the real one should be asked where it stays the same.

        Args:
            other: the Gaussian of the other side.
            roughly: whether six digits are enough where a side has not full rank, which is up to
                ten times as fast.

        Source: Dowson and Landau, The Fréchet distance between multivariate normal distributions,
        1982; Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, equation 6.
        """
        means = (self.mean - other.mean).square().sum()
        spread = self.variance + other.variance
        # Two equal sides leave a rounding error of either sign; a distance has none below zero.
        return max((means + spread - 2 * shared_spectrum(self, other, roughly).sum()).item(), 0.0)


def shared_spectrum(a: Gaussian, b: Gaussian, roughly: bool = False) -> Tensor:
    """Return the eigenvalues of (S1 S2)^(1/2), each zero or above.

    With S1 = A^T A and S2 = B^T B they are the singular values of A B^T, and the roots of the
    eigenvalues of the symmetric A S2 A^T. The second way takes a third of the time. It squares,
    which costs half the digits of values near zero: it is for two sides of full rank.
    """
    if roughly:
        if b.covariance is None:
            between = a.root @ b.root.T
            product = between @ between.T if len(a.root) < len(b.root) else between.T @ between
        else:
            product = a.root @ b.covariance @ a.root.T
        return torch.linalg.eigvalsh(product).clamp_min(0).sqrt()
    if a.factor is not None and b.covariance is not None:
        values = torch.linalg.eigvalsh(a.factor @ b.covariance @ a.factor.T)
        clear = values[0] > len(values) * torch.finfo(values.dtype).eps * values[-1]
        if clear or b.factor is not None:
            return values.clamp_min(0).sqrt()
    return torch.linalg.svdvals(a.root @ b.root.T)


def eigen_root(covariance: Tensor) -> Tensor:
    """Return a root (k, d) of a covariance of rank k."""
    values, vectors = torch.linalg.eigh(covariance)
    # Eigenvalues below the rounding of the largest are zeros: their roots, at 1e-8 each, would
    # add up to more than every other error.
    kept = values > values[-1] * len(values) * torch.finfo(values.dtype).eps
    return (vectors[:, kept] * values[kept].sqrt()).T


def frechet_distance(a: Tensor, b: Tensor) -> float:
    """Return the squared Fréchet distance of Gaussians fitted to two sets of features.

    Computed in float64 and exact for any number of rows, also fewer rows than columns. Of two
    samples of one distribution it is above zero, the more so the fewer rows there are: compare only
    distances at equal n.

    Args:
        a: features (n, d), any real dtype, finite, n at least 2.
        b: features (m, d), likewise.

    Returns:
        A finite number, zero or above, in the features' unit squared (infinite only where that
        square exceeds float64).

    Raises:
        ValueError: for non-finite features, another rank, unequal d, or fewer than two rows.

    Source: see :meth:`Gaussian.distance`.
    """
    a, b = _checked(a, "first"), _checked(b, "second")
    if a.shape[1] != b.shape[1]:
        raise ValueError(
            f"features have {a.shape[1]} and {b.shape[1]} columns: take both from one extractor"
        )
    # Scaled to one, so that squares of large or small features neither overflow nor vanish.
    scale = max(a.abs().max().item(), b.abs().max().item()) or 1.0
    distance = Gaussian.from_features(a / scale).distance(Gaussian.from_features(b / scale))
    return distance * scale * scale


def _checked(features: Tensor, side: str) -> Tensor:
    if features.ndim != 2 or features.shape[1] == 0:
        raise ValueError(
            f"{side} features have shape {tuple(features.shape)}: give one row per image, (n, d)"
        )
    if len(features) < 2:
        raise ValueError(
            f"{side} features have {len(features)} row(s): a covariance needs at least 2 images"
        )
    if not features.isfinite().all():
        bad = int((~features.isfinite()).any(1).sum())
        raise ValueError(
            f"{side} features hold NaN or infinity in {bad} of {len(features)} rows: "
            "look at those images and at the extractor's weights"
        )
    return features.double()
