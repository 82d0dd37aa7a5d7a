"""The probes: each looks at a span for a few kinds of findings."""

from ganzoo.doctor.probes.bounds import bounds
from ganzoo.doctor.probes.cuts import cuts
from ganzoo.doctor.probes.gradients import gradients
from ganzoo.doctor.probes.holdings import holdings, settings
from ganzoo.doctor.probes.norms import norms
from ganzoo.doctor.probes.outputs import outputs
from ganzoo.doctor.probes.penalties import penalties
from ganzoo.doctor.probes.reversals import reversals
from ganzoo.doctor.probes.shapes import shapes
from ganzoo.doctor.probes.signs import signs
from ganzoo.doctor.probes.supports import supports

PROBES = [
    holdings,
    settings,
    cuts,
    gradients,
    signs,
    shapes,
    outputs,
    penalties,
    reversals,
    bounds,
    supports,
    norms,
]
