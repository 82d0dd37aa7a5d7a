"""The wheel, built from the sdist, runs from another directory in an environment of its own."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN = (
    "model=buggy_dcgan model.generator_channels=4 model.critic_channels=4 "
    "budget.generator_steps=2 evaluation=none data.count=16"
)
WHERE = """
import json, sysconfig, ganzoo
from ganzoo.conf_dir import conf_dir
print(json.dumps([sysconfig.get_path("purelib"), ganzoo.__file__, str(conf_dir())]))
"""


def run(*command, cwd):
    """Return what the command prints; it sees neither the tests' cache nor their import path."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=inherited | {"GANZOO_CACHE": str(cwd / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment_with(wheel, folder):
    """Return the Python of a new environment: the wheel, and the packages that this Python sees.

    Nothing is downloaded. The packages are found through a .pth file. Folders that such a file
    names are searched after the environment's own, and the .pth files in them, an editable
    installation's among them, are not read.
    """
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    python = folder / "bin" / "python"
    install = ("--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", *install, cwd=folder.parent)
    (packages,) = folder.glob("lib/python*/site-packages")
    seen = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages / "dependencies.pth").write_text("\n".join(seen) + "\n", encoding="utf-8")
    return python


def assert_holds_the_package_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    info = f"{wheel.name.partition('-py3')[0]}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"ganzoo", info}
    conf = {f"ganzoo/conf/{p.relative_to(ROOT / 'conf')}" for p in (ROOT / "conf").rglob("*.yaml")}
    papers = {f"{info}/licenses/{name}" for name in ("LICENSE", "NOTICE")}
    wanted = conf | papers | {"ganzoo/conf/config.yaml", "ganzoo/py.typed"}
    assert wanted - names == set()
    assert not [name for name in names if "test" in name or name.endswith(".ipynb")]


@pytest.mark.slow
def test_the_wheel_runs_where_no_checkout_is(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # with the hatchling that is installed: no environment of its own, so nothing is downloaded
    build = ("build", "--no-isolation", "--outdir", tmp_path / "dist", ROOT)
    run(sys.executable, "-m", *build, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert_holds_the_package_and_nothing_else(wheel)

    python = environment_with(wheel, tmp_path / "env")
    packages, package, conf = (Path(p) for p in json.loads(run(python, "-c", WHERE, cwd=elsewhere)))
    assert packages.is_relative_to(tmp_path / "env")
    assert package == packages / "ganzoo" / "__init__.py"
    assert conf == packages / "ganzoo" / "conf"

    for command in ((python, "-m", "ganzoo"), (python.with_name("ganzoo"),)):
        assert "model=buggy_dcgan" in run(*command, "--help", cwd=elsewhere)
    run(python, "-m", "ganzoo", *RUN.split(), cwd=elsewhere)
    (results,) = elsewhere.glob("runs/*/*/results.json")
    written = json.loads(results.read_text(encoding="utf-8"))
    assert written["model"] == "buggy_dcgan"
    assert written["symptom"]["present"] is True
