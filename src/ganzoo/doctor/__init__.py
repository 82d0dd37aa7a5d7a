"""The doctor: names the cause of a failing GAN in anybody's code."""

from ganzoo.doctor.findings import DoctorError, Finding, Report
from ganzoo.doctor.lightning import GANDoctor
from ganzoo.doctor.preflight import preflight
from ganzoo.doctor.watching import Watch, watch

__all__ = ["DoctorError", "Finding", "GANDoctor", "Report", "Watch", "preflight", "watch"]
