"""The WGAN with a gradient penalty: as the article prints it, and fixed."""

from ganzoo.wgan_gp.claims import CLAIMS
from ganzoo.wgan_gp.faults import FAULTS
from ganzoo.wgan_gp.symptom import symptom

TOPOLOGIES = {"posted": FAULTS.fixed}

__all__ = ["CLAIMS", "FAULTS", "TOPOLOGIES", "symptom"]
