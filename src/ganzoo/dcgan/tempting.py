"""Forms of single pieces that neither the post nor its answer runs: donors for the catalogue."""

from collections.abc import Sequence

from torch import Tensor
from torch.optim import Adam, Optimizer

from ganzoo.dcgan.fixed import FixedDCGAN


class OwnOptimizersDCGAN(FixedDCGAN):
    """The repair that suggests itself: return the optimisers that the posted networks made."""

    def configure_optimizers(self) -> list[Optimizer]:
        first_layer = self.generator.project.parameters()  # all that existed when it was made
        return [
            Adam(first_layer, lr=self.learning_rate, betas=self.betas),
            Adam(self.critic.parameters(), lr=self.learning_rate, betas=self.betas),
        ]


class Lightning1DCGAN(FixedDCGAN):
    """The posted form of the step: Lightning 1 said which optimiser's turn it was."""

    def training_step(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, batch: Sequence[Tensor], batch_idx: int, optimizer_idx: int
    ) -> Tensor:
        fakes = self.generate(self.draw_latents(len(batch[0])))
        if optimizer_idx == 0:
            return self.generator_loss(fakes)
        return self.critic_loss(self.reals_in_range(batch[0]), fakes.detach())
