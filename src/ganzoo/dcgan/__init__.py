"""The CelebA GAN whose generator's gradient was always zero: as posted, as advised, and fixed."""

from ganzoo.dcgan.claims import CLAIMS
from ganzoo.dcgan.faults import FAULTS
from ganzoo.dcgan.radford import RadfordDCGAN
from ganzoo.dcgan.symptom import symptom

TOPOLOGIES = {"posted": FAULTS.fixed, "radford": RadfordDCGAN}

__all__ = ["CLAIMS", "FAULTS", "TOPOLOGIES", "symptom"]
