"""What the package promises about itself."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import ganzoo

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def declared():
    """Return what the installed metadata requires, and what the extra for Inception adds."""
    lines = requires("ganzoo") or []
    chosen = [line for line in lines if "extra ==" not in line or "inception" in line]
    return {re.split(r"[^A-Za-z0-9._-]", line)[0].lower() for line in chosen}


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def test_every_import_is_a_declared_dependency():
    homes = packages_distributions()
    names = {name for path in SOURCES for name in imported(path)} - set(sys.stdlib_module_names)
    # omegaconf is Hydra's own configuration library, and is chosen by Hydra's version
    for name in names - {"ganzoo", "omegaconf"}:
        found = {home.lower().replace("_", "-") for home in homes[name]}
        assert found & declared(), f"{name} is imported and not declared"


def test_versions_agree():
    cited = OmegaConf.load(ROOT / "CITATION.cff").version
    assert ganzoo.__version__ == version("ganzoo") == cited


@pytest.mark.parametrize(
    "command",
    [
        "python -m pip install -e . && python -m ganzoo model=buggy_dcgan",
        'python -m pip install -e ".[dev]" && python -m pytest',
    ],
)
def test_readme_has_the_two_commands(command):
    assert f"\n{command}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_files_stay_one_thing():
    long = {
        p.name: n for p in SOURCES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 300
    }
    assert long == {}
