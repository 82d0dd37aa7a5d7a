"""Where in the user's own files something was called."""

import sys
from functools import cache
from pathlib import Path
from types import FrameType

HERE = str(Path(__file__).parent)
# whose lines a reader cannot change
LIBRARIES = ("/torch/", "/pytorch_lightning/", "/lightning/", "/lightning_fabric/")
LIBRARIES += ("/contextlib.py", "/functools.py", "<frozen", "<string>", "<eval_with_key>")


@cache
def is_library(file: str) -> bool:
    """Return whether a file belongs to a library or to the doctor, and not to the user."""
    path = file.replace("\\", "/")
    return file.startswith(HERE) or any(part in path for part in LIBRARIES)


def user_line(frame: FrameType | None = None) -> str:
    """Return "train.py:42" for the innermost frame of the user's own code; "" without one."""
    frame = frame or sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_library(file):
            return f"{Path(file).name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
