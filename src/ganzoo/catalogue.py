"""What a fault is, and how faults are grafted onto a correct program."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from ganzoo.names import known
from ganzoo.program import Program

P = TypeVar("P", bound=Program)
Q = TypeVar("Q", bound=Program, contravariant=True)  # what sees a family sees each program of it


@dataclass(frozen=True, slots=True)
class Fault(Generic[Q]):
    """One mistake: prose for the reader, names for the machine.

    ``origin`` says where it stands: in the post, in its published answer, or elsewhere ("wild").
    A fault of kind "crash" stops the program on today's libraries; its oracle shows the error.
    """

    id: str
    origin: Literal["post", "answer", "wild"]
    kind: Literal["silent", "crash"]
    symptom: str  # what one sees
    cause: str  # why it happens
    source: str  # where it is written what is right
    takes: tuple[str, ...]  # the names whose faulty form ``donor`` holds
    donor: type
    oracle: Callable[[Q], None]  # raises AssertionError where the fault is present
    reports: tuple[str, ...] = ()  # addresses of public threads that tell of it

    def seen_in(self, program: Q) -> str:
        """Return what the oracle says of a program that has the fault, or nothing."""
        try:
            self.oracle(program)
        except AssertionError as error:
            return str(error)
        return ""


class Catalogue(Mapping[str, Fault[P]], Generic[P]):
    """The faults of one family by id, and the classes that hold none, the posted, the advised.

    Args:
        fixed: the correct class, onto which faults are grafted.
        buggy: the class as posted: all silent faults of origin "post" together.
        faults: the entries.
        advised: the class after the answer's remedies, where there is an answer.
        advised_ids: the faults that ``advised`` holds.

    Raises:
        ValueError: two faults share an id or, in one post or answer, a name, or a name is missing.
    """

    def __init__(
        self,
        fixed: type[P],
        buggy: type[Program],
        faults: Iterable[Fault[P]],
        advised: type[Program] | None = None,
        advised_ids: Iterable[str] = (),
    ) -> None:
        self.fixed = fixed
        self._faults: dict[str, Fault[P]] = {}
        owners: dict[tuple[str, str], str] = {}
        for fault in faults:
            if fault.id in self._faults:
                raise ValueError(f"two faults are called {fault.id!r}")
            self._faults[fault.id] = fault
            for name in fault.takes:
                owner = owners.setdefault((fault.origin, name), fault.id)
                # crash faults, and those seen elsewhere, are shown one at a time: no variant holds
                # two of them, so that they may share names
                alone = fault.origin == "wild" or "crash" in (fault.kind, self[owner].kind)
                if owner != fault.id and not alone:
                    raise ValueError(f"{fault.id!r} and {owner!r} both take {name!r}")
                if not (hasattr(fixed, name) and name in vars(fault.donor)):
                    raise ValueError(f"{fault.id!r} takes {name!r}, which one side lacks")
        posted = (id for id, f in self.items() if f.origin == "post" and f.kind == "silent")
        self.presets: dict[str, frozenset[str]] = {
            "fixed": frozenset(),
            "buggy": frozenset(posted),
        }
        self.classes: dict[str, type[Program]] = {"fixed": fixed, "buggy": buggy}
        if advised is not None:
            self.presets["advised"] = frozenset(self[id].id for id in advised_ids)
            self.classes["advised"] = advised

    def __getitem__(self, id: str) -> Fault[P]:
        return self._faults[known(id, self._faults, f"fault of {self.fixed.family}")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._faults)

    def __len__(self) -> int:
        return len(self._faults)

    def program_class(self, ids: Iterable[str]) -> type[Program]:
        """Return the variant's own class where ``ids`` are one variant's faults, else a graft."""
        wanted = frozenset(ids)
        for variant, preset in self.presets.items():
            if wanted == preset:
                return self.classes[variant]
        return self.graft(wanted)

    def graft(self, ids: Iterable[str]) -> type[P]:
        """Return the correct class with the named faults put in; with none, that class itself.

        Raises:
            ValueError: no such fault, or two of the faults replace the same name.
        """
        faults = [self[id] for id in sorted(set(ids))]
        if not faults:
            return self.fixed
        owners: dict[str, str] = {}
        body: dict[str, Any] = {}
        for fault in faults:
            for name in fault.takes:
                if owners.setdefault(name, fault.id) != fault.id:
                    both = f"{owners[name]!r} and {fault.id!r}"
                    raise ValueError(f"faults {both} both replace {name!r}: switch one off")
                body[name] = vars(fault.donor)[name]
        home = sys.modules[self.fixed.__module__]
        name = "__".join([self.fixed.__name__, *(fault.id for fault in faults)])
        if not hasattr(home, name):  # kept in its module, so that pickle finds it by name
            setattr(home, name, type(name, (self.fixed,), body | {"__module__": home.__name__}))
        return getattr(home, name)
