"""The command line: names are checked first, then Hydra composes, then the run."""

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import InstantiationException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from ganzoo.cells import cleared, flipped, ran_before, write_failure
from ganzoo.conf_dir import conf_dir
from ganzoo.folders import run_folder
from ganzoo.overrides import checked_arguments

FOLDER: list[str] = []


def main() -> None:
    """Run ``python -m ganzoo``; exit 2 for a wrong command, 1 for a run that failed."""
    # threads that wait must not spin where cores are shared: a step took up to twice as long
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    OmegaConf.register_new_resolver("ganzoo_run_dir", run_dir, replace=True)
    try:
        conf = conf_dir()
        sys.argv[1:] = checked_arguments(sys.argv[1:], conf)
    except (ValueError, OSError) as error:
        fail(error)
    try:
        hydra.main(config_path=str(conf), config_name="config", version_base="1.3")(job)()
    except KeyboardInterrupt:  # training ends by itself; this is before it, or after it
        print("ganzoo: stopped by Ctrl-C", file=sys.stderr)  # noqa: T201
        sys.exit(130)


def run_dir(*, _root_: DictConfig) -> str:
    """Return the run's folder, for ``hydra.run.dir``."""
    if any(_root_[key] is not None for key in ALONE):  # no run
        return str(Path.cwd())
    if not FOLDER:  # Hydra asks several times, and the answer has the time in it
        try:
            FOLDER.append(str(run_folder(_root_)))
        except (ValueError, OSError) as error:
            fail(error)
    return FOLDER[0]


def job(config: DictConfig) -> None:
    """Run one composed configuration, and print its verdict."""
    for key, alone in ALONE.items():
        if config[key] is not None:
            alone(config)
            return
    folder = Path(HydraConfig.get().runtime.output_dir)
    many = HydraConfig.get().mode == RunMode.MULTIRUN
    try:
        config = flipped(config)
        if many and ran_before(folder, config):
            print(f"{os.path.relpath(folder)}: this code ran it before")  # noqa: T201
            return
        cleared(folder)
        results = run_one(config, folder)
    except (ValueError, OSError, ImportError, TypeError, InstantiationException) as error:
        if not many:
            with contextlib.suppress(OSError):
                folder.rmdir()  # Hydra made it; a run that never began leaves nothing behind
            fail(error)
        write_failure(folder, config, error)  # of several runs, the others go on
        print(f"ganzoo: {os.path.relpath(folder)}: {in_one_line(error)}", file=sys.stderr)  # noqa: T201
        return
    if results["status"] == "crashed" and not many:
        sys.exit(1)


def run_one(config: DictConfig, folder: Path) -> dict[str, Any]:
    """Run one configuration, print its verdict, and return its results."""
    # torch and Lightning take seconds to import: not for --help, nor for a misspelt name
    from ganzoo.run import Run
    from ganzoo.verdict import print_verdict

    results = Run(config, folder)()
    print_verdict(results, os.path.relpath(folder))
    return results


def check_claims(config: DictConfig) -> None:
    """Judge every claim of some families, and write the ledger; exit 1 if an experiment failed."""
    from ganzoo.build import families_of
    from ganzoo.ledger import counted, write_ledger
    from ganzoo.quiet import calm

    calm()
    folder = Path(config.docs_dir)
    try:
        rows = write_ledger(families_of(str(config.claims)), folder)
    except OSError as error:
        fail(error)
    print(f"{counted(rows)}; written to {folder}/claims.md and claims.json")  # noqa: T201
    failed = [row["id"] for row in rows if row["verdict"] == "failed"]
    if failed:
        print(f"ganzoo: these experiments failed: {', '.join(failed)}", file=sys.stderr)  # noqa: T201
        sys.exit(1)


def evaluate_folders(config: DictConfig) -> None:
    """Score one folder of images against another, or keep the statistics of one."""
    from ganzoo.evaluation import extractor
    from ganzoo.evaluation.folders import folder_scores, folder_statistics
    from ganzoo.results import versions, write_json
    from ganzoo.verdict import print_scores

    chosen = config.evaluation
    try:
        if chosen.extractor is None:
            raise ValueError(
                f"evaluate={config.evaluate} needs features: evaluation=lite0, digits, inception"
            )
        network = extractor(chosen.extractor, chosen.weights)
        if config.evaluate == "statistics":
            n = folder_statistics(config.real, config.file, network)
            print(f"statistics of {n} images written to {config.file}")  # noqa: T201
            return
        scores = [score.as_dict() for score in folder_scores(config.real, config.fake, network)]
        file = Path(config.runs) / f"folders_{time.strftime('%Y-%m-%d_%H-%M-%S')}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        found = {"real": str(config.real), "fake": str(config.fake), "versions": versions()}
        write_json(file, found | {"metrics": scores})
    except (ValueError, OSError, ImportError) as error:
        fail(error)
    print_scores(scores)
    print(f"written to {file}")  # noqa: T201


def tell_faults(config: DictConfig) -> None:
    """Print the faults that there are, or write their pages."""
    from ganzoo.fault_pages import print_list, write_pages
    from ganzoo.quiet import calm

    calm()
    if config.faults == "list":
        print_list()
        return
    try:
        count = write_pages(Path(config.docs_dir), Path("results"))
    except OSError as error:
        fail(error)
    print(f"{count} faults written to {config.docs_dir}/faults.md and faults.json")  # noqa: T201


def write_pages_again(config: DictConfig) -> None:
    """Write the page of a run, or of several below one folder."""
    from ganzoo.at_end import pages_of
    from ganzoo.report import write_report

    folder = Path(str(config.report))
    try:
        one = (folder / "results.json").is_file()
        path = write_report(folder) if one else pages_of(folder)
    except (ValueError, OSError) as error:
        fail(error)
    print(f"written to {path}")  # noqa: T201


# what is done without a run, by the key that asks for it
ALONE = {
    "claims": check_claims,
    "evaluate": evaluate_folders,
    "faults": tell_faults,
    "report": write_pages_again,
}


def fail(error: Exception) -> NoReturn:
    """Print one line and exit with 2; with HYDRA_FULL_ERROR=1 show where it happened."""
    if os.environ.get("HYDRA_FULL_ERROR") == "1":
        raise error
    print(f"ganzoo: {in_one_line(error)}", file=sys.stderr)  # noqa: T201
    sys.exit(2)


def in_one_line(error: Exception) -> str:
    """Return what an error says; one that ganzoo raises says what to do, another has a type."""
    cause = error.__cause__ if isinstance(error, InstantiationException) else None
    found = cause or error
    told = isinstance(found, ValueError | OSError | ImportError)
    return " ".join(f"{'' if told else type(found).__name__ + ': '}{found}".split())
