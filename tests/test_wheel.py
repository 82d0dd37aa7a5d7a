"""The wheel, built from the sdist, runs from another directory in a fresh environment."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN = (
    "model=buggy_dcgan model.generator_channels=4 model.critic_channels=4 "
    "budget.generator_steps=2 evaluation=none data.count=16"
)


def run(*command, cwd):
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | {"GANZOO_CACHE": str(cwd / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_runs_where_no_checkout_is(tmp_path):
    run(sys.executable, "-m", "build", "--outdir", tmp_path / "dist", ROOT, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"ganzoo/conf/config.yaml", "ganzoo/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith(("tests", "benchmarks", "src"))]

    run(sys.executable, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    place = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path
    )
    # the dependencies of this environment, without its own ganzoo: a path named in a .pth file is
    # searched, but the .pth files in it, such as the editable installation's, are not read
    dependencies = sysconfig.get_path("purelib")
    (Path(place.strip()) / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=tmp_path)

    where = run(
        python, "-c", "import ganzoo.conf_dir as c; print(c.__file__, c.conf_dir())", cwd=tmp_path
    )
    assert where.split() == [
        str(Path(place.strip()) / "ganzoo" / name) for name in ("conf_dir.py", "conf")
    ]
    assert "model=buggy_dcgan" in run(python, "-m", "ganzoo", "--help", cwd=tmp_path)
    run(python, "-m", "ganzoo", *RUN.split(), cwd=tmp_path)
    (results,) = tmp_path.glob("runs/*/*/results.json")
    assert json.loads(results.read_text())["symptom"]["present"] is True
