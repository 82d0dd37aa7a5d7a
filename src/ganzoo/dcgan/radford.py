"""The 64x64 DCGAN that everyone knows, trained by the fixed program's step: the reference."""

from typing import Any, ClassVar

from ganzoo.dcgan.fixed import FixedDCGAN
from ganzoo.dcgan.networks import RadfordCritic, RadfordGenerator


class RadfordDCGAN(FixedDCGAN):
    """Layers, weights and rates of Radford et al. 2016; images are 64x64."""

    scales: ClassVar = {
        "posted": {"generator_channels": 64, "critic_channels": 64, "batch_size": 128},
        "quick": {"generator_channels": 32, "critic_channels": 32},
    }
    settings = tuple(name for name in FixedDCGAN.settings if name != "seed_grid")
    learning_rate = 2e-4
    betas = (0.5, 0.999)
    penalty_weight = 0.0  # its BatchNorm stands where the posted topology has R1

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (3, 64, 64)

    def make_networks(self) -> tuple[Any, Any]:
        """Return the generator and the critic with weights from N(0, 0.02)."""
        return RadfordGenerator(self.generator_channels), RadfordCritic(self.critic_channels)
