"""How a misspelt name is reported, by every door."""

import difflib
from collections.abc import Iterable


class UnknownNameError(ValueError, KeyError):
    """No such name; a KeyError too, as a mapping's ``in`` and ``get`` expect."""

    __str__ = ValueError.__str__  # KeyError's would put the sentence in quotes


def known(name: str, choices: Iterable[str], what: str) -> str:
    """Return ``name`` if it is among ``choices``; otherwise raise with the nearest choice.

    Raises:
        UnknownNameError: one line that names the thing, the nearest choice and all choices.
    """
    choices = list(choices)
    if name in choices:
        return name
    raise UnknownNameError(
        f"no {what} {name!r}.{near_miss(name, choices)} There are: {', '.join(choices)}"
    )


def near_miss(name: str, choices: Iterable[str]) -> str:
    """Return " Did you mean ...?" for the nearest choice, or nothing where none is near."""
    near = difflib.get_close_matches(str(name), list(choices), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
