"""The WGAN critic behind a gradient reversal, on images: as posted, as advised, and fixed."""

from ganzoo.reversal.claims import claims_about
from ganzoo.reversal.symptom import symptom
from ganzoo.wgan.faults import FAULTS

CLAIMS = claims_about("wgan")
TOPOLOGIES = {"posted": FAULTS.fixed}

__all__ = ["CLAIMS", "FAULTS", "TOPOLOGIES", "symptom"]
