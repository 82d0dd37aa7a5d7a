"""What the package promises about itself."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import ganzoo
from ganzoo.conf_dir import conf_dir

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
COMMANDS = [
    "python -m pip install -e . && python -m ganzoo model=buggy_dcgan",
    'python -m pip install -e ".[dev]" && python -m pytest',
]
# what a release holds; runs, caches and environments that lie beside it are nobody's business
FOLDERS = (".ci", "benchmarks", "conf", "notebooks", "results", "src", "tests")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def canonical(name):
    """Return a distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*, dev):
    """Return what the installed metadata requires, the extras included, ``dev`` only if wanted."""
    lines = [
        line for line in requires("ganzoo") or [] if dev or not re.search("extra == .dev", line)
    ]
    return {canonical(re.split(r"[^\w.-]", line)[0]) for line in lines} - {"ganzoo"}


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def test_every_import_is_a_declared_dependency():
    homes, allowed = packages_distributions(), declared(dev=False)
    names = {name for path in SOURCES for name in imported(path)}
    for name in names - set(sys.stdlib_module_names) - {"ganzoo"}:
        found = {canonical(home) for home in homes.get(name, ())}
        assert found & allowed, f"{name} is imported, of {found}: none declared"


def test_every_dependency_has_its_reason():
    first_cells = re.findall(r"^\| (`.*?) \|", text("CONTRIBUTING.md"), re.MULTILINE)
    reasons = set(re.findall(r"`([\w.-]+)`", " ".join(first_cells)))
    assert declared(dev=True) - reasons == set()


def test_versions_agree():
    cited = OmegaConf.load(ROOT / "CITATION.cff").version
    assert ganzoo.__version__ == version("ganzoo") == cited


def test_the_citation_names_papers_whole():
    citation = OmegaConf.load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    for paper in citation.references:
        assert {"type", "title", "authors", "year"} <= set(paper)
        assert all({"family-names", "given-names"} == set(author) for author in paper.authors)


@pytest.mark.parametrize(
    "path", [*conf_dir().rglob("*.yaml"), ROOT / ".pre-commit-config.yaml"], ids=lambda p: p.stem
)
def test_every_yaml_file_parses(path):
    assert OmegaConf.load(path) is not None


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_has_the_two_commands(command):
    assert f"\n{command}\n" in text("README.md")


def test_ci_runs_the_test_command_of_the_readme():
    assert COMMANDS[1] in text(".ci/run")


def test_the_changelog_has_room_for_changes():
    log = text("CHANGELOG.md")
    assert log.index("## [Unreleased]") < log.index("### Added") < log.index("### Changed numbers")


def test_files_stay_one_thing():
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
    }
    assert {name: length for name, length in lengths.items() if length > 300} == {}


def test_no_text_names_folders_of_one_machine():
    tops = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    inner = [path for name in FOLDERS for path in (ROOT / name).rglob("*") if path.is_file()]
    private = re.compile(r"(?<![\w.])/(home|root|work|Users|tmp|opt|mnt)/\w")
    found = {}
    for path in (*tops, *inner):
        try:
            read = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a picture, or compiled
            continue
        if match := private.search(read):
            found[str(path.relative_to(ROOT))] = match[0]
    assert found == {}
