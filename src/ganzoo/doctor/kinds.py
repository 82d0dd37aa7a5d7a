"""All kinds of findings, the likeliest root of others first."""

from ganzoo.doctor.kind import Kind
from ganzoo.doctor.kinds_of_code import CODE
from ganzoo.doctor.kinds_of_inputs import INPUTS
from ganzoo.doctor.kinds_of_losses import LOSSES

KINDS: dict[str, Kind] = {**CODE, **LOSSES, **INPUTS}
