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


def scored(value=1.0, name="fd1k_lite0/raw", **measured):
    from ganzoo.evaluation.scores import Score, fingerprint

    fields = {"protocol": "fd1k_lite0", "reals": "a", "n": 1000} | measured
    score = Score(name, value, None, 1000, "fd1k_lite0", fingerprint(**fields), fields)
    return {"metrics": [score.as_dict()]}


def test_scores_of_one_measure_are_compared(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps(scored(3.0)))
    (found,) = results.compare(scored(5.0), tmp_path)
    assert (found.name, found.first, found.second) == ("fd1k_lite0/raw", 5.0, 3.0)
    assert found.difference == -2.0
    assert results.compare(scored(), tmp_path / "results.json")


def test_scores_of_two_measures_are_refused_by_what_differs():
    with pytest.raises(ValueError, match="fd1k_lite0/raw cannot be compared: reals is 'a' and 'b'"):
        results.compare(scored(), scored(reals="b"))
    with pytest.raises(ValueError, match=r"n is 1000 and 500; extractor is None and 'e'"):
        results.compare(scored(), scored(n=500, extractor="e"))
    old = scored(reals="b")
    del old["metrics"][0]["measured"]
    with pytest.raises(ValueError, match="reals is 'a' and None"):
        results.compare(scored(), old)
    with pytest.raises(ValueError, match=r"no score in common: fd1k_lite0/raw and kd1k_lite0/raw"):
        results.compare(scored(), scored(name="kd1k_lite0/raw"))
    with pytest.raises(FileNotFoundError):
        results.compare(scored(), "nowhere.json")
