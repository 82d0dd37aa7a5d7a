"""The WGAN critic behind a gradient reversal, for domain adaptation: posted, advised, fixed."""

from ganzoo.adapt.examine import examine
from ganzoo.adapt.faults import FAULTS
from ganzoo.reversal.claims import claims_about
from ganzoo.reversal.symptom import symptom

CLAIMS = claims_about("adapt")
TOPOLOGIES = {"posted": FAULTS.fixed}

__all__ = ["CLAIMS", "FAULTS", "TOPOLOGIES", "examine", "symptom"]
