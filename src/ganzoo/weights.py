"""The weights of a checkpoint, loaded into a program."""

from pathlib import Path

import torch

from ganzoo.program import Program


def load_weights(program: Program, path: Path) -> Program:
    """Load the weights and counters of a checkpoint into a program, and return it.

    Raises:
        FileNotFoundError, ValueError: no such file, or one of another program.
    """
    if not path.is_file():
        raise FileNotFoundError(f"checkpoint={path}: there is no such file")
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    try:
        program.load_state_dict(checkpoint["state_dict"])
        program.on_load_checkpoint(checkpoint)
    except (KeyError, RuntimeError) as error:
        first = str(error).splitlines()[0]
        raise ValueError(f"checkpoint={path} is not of {program.model_name}: {first}") from error
    return program
