"""Runs somebody's script under the doctor's eyes, for its first steps."""

import contextlib
import os
import runpy
import sys
from pathlib import Path
from typing import Any

from torch.optim import Optimizer

from ganzoo.doctor.findings import Report
from ganzoo.doctor.watching import Watch


class EnoughError(BaseException):
    """Ends a script whose first steps have been seen; nothing of the script's may catch it."""


def examine_script(path: str | Path, steps: int = 100) -> Report:
    """Return what the doctor finds in a script's first optimiser steps.

    The script runs as by ``python path``, with everything that it does before and between those
    steps; it is ended behind them.

    Raises:
        FileNotFoundError: no such script.
        RuntimeError: no optimiser stepped, or nothing in it looks like generator and critic.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"doctor={path}: no such script")
    looking = Watch()
    original = Optimizer.__init__

    def made(optimizer: Optimizer, *args: Any, **kwargs: Any) -> None:
        original(optimizer, *args, **kwargs)
        if optimizer not in looking.optimizers:
            looking.optimizers.append(optimizer)

    after = looking.after_step

    def counted(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        after(optimizer, args, kwargs)
        if looking.steps >= steps:
            raise EnoughError

    looking.after_step = counted
    Optimizer.__init__ = made  # pyright: ignore[reportAttributeAccessIssue]
    arguments, folder = sys.argv, str(path.resolve().parent)
    sys.argv = [str(path)]
    sys.path.insert(0, folder)
    error: BaseException | None = None
    try:
        with looking, contextlib.suppress(EnoughError):
            runpy.run_path(str(path), run_name="__main__")
    except Exception as raised:  # noqa: BLE001
        error = raised
    finally:
        Optimizer.__init__ = original
        sys.argv = arguments
        sys.path.remove(folder)
    if error is not None and not looking.findings:
        raise RuntimeError(f"{os.path.relpath(path)} stopped: {type(error).__name__}: {error}")
    if not looking.steps:
        raise RuntimeError(f"{path}: no optimiser of torch's stepped within it")
    if not (looking.generators and looking.critics):
        raise RuntimeError(
            f"{path}: in {looking.steps} steps no network was seen to read what another made; "
            "name them: ganzoo.doctor.watch(generator=..., critic=..., optimizers=[...])"
        )
    return looking.report()
