"""The commit of a working directory, read from the files of git; and the date, in reports."""

import os
import shutil
import subprocess

import pytest

from abalo import checkout
from abalo.checkout import Commit, commit_of
from abalo.reporting.documents.origin import commit_in_words, first_made, origin_now
from tests.texts import TextWith

A, B = "a" * 40, "b" * 40

IDENTITY = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture(autouse=True)
def outside_of_github(monkeypatch):
    for name in ("GITHUB_ACTIONS", "GITHUB_SHA"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repository(tmp_path):
    """The files of a repository by hand, on the branch ``main``, without git's own."""

    def written(folder=tmp_path, **files: str):
        for name, text in {"HEAD": "ref: refs/heads/main\n", **files}.items():
            path = folder / ".git" / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return written


@pytest.fixture
def no_git(monkeypatch):
    """A machine without git."""
    monkeypatch.setattr(checkout, "_ask_git", lambda root, *words: None)


def git(folder, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | IDENTITY
    return subprocess.run(
        ["git", *words], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def real(tmp_path):
    """A repository of git with one commit of ``model.txt``."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    folder = tmp_path / "real"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "model.txt").write_text("1\n")
    git(folder, "add", "model.txt")
    git(folder, "commit", "--quiet", "-m", "one")
    return folder


def test_a_branch_is_read_from_its_file(repository, no_git):
    folder = repository(refs__heads__main=f"{A}\n")
    assert commit_of(folder) == Commit(A, None)


def test_a_folder_below_belongs_to_the_repository(repository, no_git):
    below = repository(refs__heads__main=A) / "tests" / "ner"
    below.mkdir(parents=True)
    assert commit_of(below) == Commit(A, None)


def test_a_branch_may_be_packed_and_its_own_file_comes_first(repository, no_git):
    packed = f"# pack-refs with: peeled fully-peeled sorted \n{B} refs/heads/mainline\n{A} refs/heads/main\n^{B}\n"
    folder = repository(**{"packed-refs": packed})
    assert commit_of(folder) == Commit(A, None)
    assert commit_of(repository(refs__heads__main=B)) == Commit(B, None)


def test_head_may_be_a_commit_itself_of_either_length(repository, no_git):
    assert commit_of(repository(HEAD=f"{A}\n")) == Commit(A, None)
    assert commit_of(repository(HEAD=("c" * 64) + "\n")) == Commit("c" * 64, None)


def test_a_worktree_has_a_head_of_its_own_and_shares_branches(repository, no_git, tmp_path):
    main = repository(tmp_path / "main", refs__heads__main=A, refs__heads__side=B)
    own = main / ".git" / "worktrees" / "side"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/side\n")
    (own / "commondir").write_text("../..\n")
    side = tmp_path / "side"
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {own}\n")
    assert commit_of(side) == Commit(B, None)
    assert commit_of(main) == Commit(A, None)


@pytest.mark.parametrize(
    "files",
    [
        {},  # no commit yet
        {"HEAD": "nonsense"},
        {"HEAD": "ref: refs/heads/main", "refs__heads__main": "not a commit"},
        {"HEAD": "ref: refs/heads/main", "packed-refs": "short refs/heads/main"},
    ],
)
def test_a_repository_that_does_not_tell_has_none(repository, no_git, files):
    assert commit_of(repository(**files)) is None


def test_bytes_that_are_no_text_are_no_commit(repository, no_git):
    folder = repository()
    (folder / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    assert commit_of(folder) is None


def test_outside_of_a_repository_there_is_none(tmp_path):
    assert commit_of(tmp_path) is None


def test_a_job_of_github_without_a_checkout_names_its_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_SHA", A)
    assert commit_of(tmp_path) is None
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert commit_of(tmp_path) == Commit(A, None)
    monkeypatch.setenv("GITHUB_SHA", "main; rm -rf /")
    assert commit_of(tmp_path) is None


def test_the_checkout_is_believed_rather_than_the_job(repository, no_git, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_SHA", B)
    assert commit_of(repository(refs__heads__main=A)) == Commit(A, None)


def test_a_changed_file_makes_it_dirty_and_a_new_one_does_not(real):
    head = git(real, "rev-parse", "HEAD")
    assert commit_of(real) == Commit(head, dirty=False)
    (real / "reports.json").write_text("{}")
    assert commit_of(real) == Commit(head, dirty=False)
    (real / "model.txt").write_text("2\n")
    assert commit_of(real) == Commit(head, dirty=True)


def test_the_environment_of_a_hook_names_no_other_repository(real, tmp_path, monkeypatch):
    head = git(real, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert commit_of(real) == Commit(head, dirty=False)


def test_git_that_takes_too_long_leaves_it_open(real, monkeypatch):
    def slow(*_arguments, **_more):
        raise subprocess.TimeoutExpired("git", 10)

    head = git(real, "rev-parse", "HEAD")
    monkeypatch.setattr(checkout.subprocess, "run", slow)
    assert commit_of(real) == Commit(head, None)


def test_a_run_has_its_moment_and_its_commit(real, monkeypatch):
    monkeypatch.chdir(real)
    made = origin_now()
    assert list(made) == ["date", "commit", "dirty"]
    assert (made["commit"], made["dirty"]) == (git(real, "rev-parse", "HEAD"), False)


def test_outside_of_a_repository_a_run_has_its_moment_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(origin_now()) == ["date"]


def test_of_several_parts_the_first_counts_and_no_commit_where_there_are_several():
    early, late = {"date": "2026-11-22T09:00:00Z"}, {"date": "2026-11-22T10:00:00Z"}
    of_a, of_b = {"commit": A, "dirty": False}, {"commit": B, "dirty": False}
    assert first_made([]) == first_made([{"tasks": {}}]) == {}
    assert first_made([late | of_a, early | of_a, {}]) == early | of_a
    assert first_made([late | of_a, early | of_b]) == early


def test_a_commit_in_words():
    assert commit_in_words({}) is None
    assert commit_in_words({"commit": A, "dirty": None}) == "aaaaaaaaaaaa"
    assert commit_in_words({"commit": A, "dirty": True}) == TextWith("aaaaaaaaaaaa, ", "not committed")
