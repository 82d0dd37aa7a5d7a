"""The article's first GAN, in three forms: as it failed, as advised, and fixed."""

from ganzoo.mlp_gan.claims import CLAIMS
from ganzoo.mlp_gan.faults import FAULTS
from ganzoo.mlp_gan.symptom import symptom

TOPOLOGIES = {"posted": FAULTS.fixed}

__all__ = ["CLAIMS", "FAULTS", "TOPOLOGIES", "symptom"]
