"""The README's numbers are those of the result files."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_readme_says_what_the_files_say():
    command = [sys.executable, str(ROOT / "benchmarks" / "tables.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
