"""Where results come from: the revision of the code that made them."""

import json
import os
import subprocess

import pytest

import ganzoo
from ganzoo import results


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Return a git repository in which ``ganzoo.results`` seems to lie."""
    (tmp_path / "results.py").write_text("first")
    monkeypatch.setattr(results, "__file__", str(tmp_path / "results.py"))
    for variable in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # set inside a commit hook
        monkeypatch.delenv(variable, raising=False)
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(folder, *arguments):
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.example"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    command = ["git", "-C", str(folder), *arguments]
    subprocess.run(command, check=True, env=os.environ | who, capture_output=True)


def test_revision_is_the_commit_and_says_whether_it_was_changed(checkout):
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "first")
    revision = results.git_revision()
    assert revision is not None
    assert len(revision) == 12
    (checkout / "results.py").write_text("second")
    assert results.git_revision() == f"{revision}+"


def test_somebody_elses_repository_is_not_ours(checkout):
    (checkout / "other").touch()
    git(checkout, "add", "other")
    git(checkout, "commit", "--quiet", "--message", "not results.py")
    assert results.git_revision() is None


def test_there_need_not_be_a_git(checkout, monkeypatch):
    monkeypatch.setenv("PATH", str(checkout))
    assert results.git_revision() is None


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    results.write_json(path, {"a": 1})

    def full(descriptor):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        results.write_json(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]


def test_provenance():
    assert results.versions()["ganzoo"] == ganzoo.__version__
    revision = results.git_revision()
    assert revision is None or len(revision.rstrip("+")) >= 7
