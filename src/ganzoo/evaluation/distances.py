"""The Fréchet distance between two Gaussians, exact in float64."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Gaussian:
    """A mean and a root of a covariance, which is all that the distance needs of one side.

    Attributes:
        mean: (d,), float64.
        root: (k, d), float64, with ``root.T @ root`` the unbiased covariance.
        full_rank: whether the covariance is known to be positive definite; then k is d.
    """

    mean: Tensor
    root: Tensor
    full_rank: bool

    @classmethod
    def from_features(cls, features: Tensor) -> "Gaussian":
        """Return the Gaussian of features (n, d), n at least 2."""
        features = features.double()
        n, d = features.shape
        mean = features.mean(0)
        root = (features - mean) / (n - 1) ** 0.5
        # With few rows the centred features are the root, and nothing is squared.
        return cls(mean, root, False) if n <= d else cls._from_covariance(mean, root.T @ root, n)

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
        return cls._from_covariance(mean, covariance, n)

    @classmethod
    def _from_covariance(cls, mean: Tensor, covariance: Tensor, n: int) -> "Gaussian":
        d = len(mean)
        if n > d:
            lower, info = torch.linalg.cholesky_ex(covariance)
            if info == 0:
                return cls(mean, lower.T, True)
        values, vectors = torch.linalg.eigh(covariance)
        # Eigenvalues below the rounding of the largest are zeros: their roots, at 1e-8 each, would
        # add up to more than every other error.
        kept = values > values[-1] * d * torch.finfo(values.dtype).eps
        return cls(mean, (vectors[:, kept] * values[kept].sqrt()).T, False)

    def distance(self, other: "Gaussian") -> float:
        """Return the squared Fréchet distance |mu1 - mu2|^2 + tr(S1 + S2 - 2 (S1 S2)^(1/2)).

        With S1 = A^T A and S2 = B^T B, tr (S1 S2)^(1/2) is the sum of the singular values of A B^T,
        so that no root of a matrix is taken and nothing can become complex.

        Source: Dowson and Landau, The Fréchet distance between multivariate normal distributions,
        1982; Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, equation 6.
        """
        cross = self.root @ other.root.T
        if self.full_rank and other.full_rank:
            # A third of svdvals' time. It squares, which costs half the digits of the values
            # near zero; two full-rank sides have few of those.
            spectrum = torch.linalg.eigvalsh(cross @ cross.T).clamp_min(0).sqrt()
        else:
            spectrum = torch.linalg.svdvals(cross)
        means = (self.mean - other.mean).square().sum()
        spread = self.root.square().sum() + other.root.square().sum()
        # Two equal sides leave a rounding error of either sign; a distance has none below zero.
        return max((means + spread - 2 * spectrum.sum()).item(), 0.0)


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
