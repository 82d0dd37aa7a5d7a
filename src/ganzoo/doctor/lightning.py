"""The doctor as a callback of Lightning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytorch_lightning as pl
from torch import nn

from ganzoo.doctor.findings import Finding, Report, found
from ganzoo.doctor.places import user_line
from ganzoo.doctor.watching import Watch

ROLE_NAMES = {"generator": ("generator",), "critic": ("critic", "discriminator")}


class GANDoctor(pl.Callback):
    """Watches a training by Lightning, by hand or automatic, and reports at its end.

    Args:
        generator: the name of the module's attribute, or several names; None: an attribute
            "generator" if there is one, else found by what the critic is shown.
        critic: likewise; None: "critic" or "discriminator", or found.
        on_error: "record", or "raise" at the first finding of severity "error".
        every: rounds between two examined ones, after the first.
        path: where ``findings.json`` is written at the end; None: nowhere.
        show: whether the report is printed at the end.

    Attributes:
        watch: the watch on the loop, once training began.
    """

    def __init__(
        self,
        generator: str | list[str] | None = None,
        critic: str | list[str] | None = None,
        on_error: Literal["record", "raise"] = "record",
        every: int = 100,
        path: str | Path | None = None,
        show: bool = False,
    ) -> None:
        self.names = {"generator": generator, "critic": critic}
        self.on_error: Literal["record", "raise"] = on_error
        self.every, self.path, self.show = every, path, show
        self.watch: Watch | None = None
        self.checkpoint_numbers: dict[str, int] = {}
        self.global_step_lines: set[str] = set()
        self.undo: Any = None

    def on_load_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        own = {k: v for k, v in checkpoint.items() if k not in LIGHTNINGS}
        self.checkpoint_numbers = dict(whole_numbers(own))

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        roles = {role: self.networks(pl_module, role) for role in self.names}
        self.watch = Watch(
            roles["generator"] or None,
            roles["critic"] or None,
            trainer.optimizers,
            on_error=self.on_error,
            every=self.every,
        )
        self.watch.__enter__()
        self.listen_to_global_step(trainer)
        self.watch.add([*self.set_up(trainer, pl_module), *self.resumed(trainer, pl_module)])

    def on_train_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        self.finish(None)

    def on_exception(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, exception: BaseException
    ) -> None:
        self.finish(exception)

    def finish(self, error: BaseException | None) -> None:
        """End the watch, write and show what was found."""
        if self.watch is None or self.undo is None:
            return
        self.undo()
        self.undo = None
        for line in sorted(self.global_step_lines):
            self.watch.add([found("lightning_global_step", place=line)], quiet=True)
        self.watch.finish(error)
        if self.path is not None:
            self.watch.write(self.path)
        if self.show:
            print(self.report())  # noqa: T201

    @property
    def findings(self) -> list[Finding]:
        """What was found so far."""
        return self.report().findings

    def report(self) -> Report:
        """Return what was found so far, the gravest first."""
        return Report([]) if self.watch is None else self.watch.report()

    def networks(self, module: pl.LightningModule, role: str) -> list[nn.Module]:
        """Return a role's networks by the names that were given, or by the usual ones.

        Raises:
            ValueError: the module has no network of a given name.
        """
        given = self.names[role]
        names = [given] if isinstance(given, str) else given
        if names is None:
            names = [n for n in ROLE_NAMES[role] if isinstance(getattr(module, n, None), nn.Module)]
            return [getattr(module, name) for name in names[:1]]
        have = [name for name, _ in module.named_children()]
        for name in names:
            if not isinstance(getattr(module, name, None), nn.Module):
                raise ValueError(f"{role}: no network {name!r}; the module has {', '.join(have)}")
        return [getattr(module, name) for name in names]

    def listen_to_global_step(self, trainer: pl.Trainer) -> None:
        """Note where the user's code reads global_step while several optimisers are counted."""
        original = pl.LightningModule.global_step
        several = len(trainer.optimizers) > 1

        def read(module: pl.LightningModule) -> int:
            line = user_line()
            if several and line and module.training and self.within_step():
                self.global_step_lines.add(line)
            return original.fget(module)  # pyright: ignore[reportOptionalCall]

        setattr(pl.LightningModule, "global_step", property(read))  # noqa: B010

        def undo() -> None:
            setattr(pl.LightningModule, "global_step", original)  # noqa: B010

        self.undo = undo

    def within_step(self) -> bool:
        """Return whether this is called within an examined part of the training."""
        return self.watch is not None and self.watch.recorder.on

    def set_up(self, trainer: pl.Trainer, module: pl.LightningModule) -> Iterator[Finding]:
        """Yield hooks of the module that Lightning 2 does not call."""
        own = type(module).configure_gradient_clipping
        if own is not pl.LightningModule.configure_gradient_clipping and (
            not module.automatic_optimization
        ):
            yield found(
                "lightning_migration", place="configure_gradient_clipping", optimisation="manual"
            )

    def resumed(self, trainer: pl.Trainer, module: pl.LightningModule) -> Iterator[Finding]:
        """Yield what a loaded checkpoint holds and the training lacks."""
        if trainer.ckpt_path is None:
            return
        if trainer.optimizers and not any(o.state for o in trainer.optimizers):
            yield found(
                "resume_state", place="optimizers", states_restored=0, of=len(trainer.optimizers)
            )
        for name, number in self.checkpoint_numbers.items():
            now = getattr(module, name, number)
            if isinstance(now, int) and now != number:
                yield found("resume_state", place=name, in_the_checkpoint=number, now=now)


LIGHTNINGS = (
    "epoch",
    "global_step",
    "state_dict",
    "loops",
    "callbacks",
    "optimizer_states",
    "lr_schedulers",
    "MixedPrecision",
    "hparams_name",
    "hyper_parameters",
    "hparams_type",
    "datamodule_hparams_name",
    "pytorch-lightning_version",
)


def whole_numbers(value: Any) -> Iterator[tuple[str, int]]:
    """Yield the whole numbers of nested dictionaries with the name that each stands under."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, int) and not isinstance(item, bool):
                yield str(key), item
            else:
                yield from whole_numbers(item)
