"""Disks that are full or read-only, and files where folders should be: what was there before stays whole."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from abalo import files
from abalo.cli import main
from abalo.errors import AbaloError
from tests.hostile.test_damaged_reports import damaged, runs

__all__ = ["damaged", "runs"]


@pytest.fixture
def full(monkeypatch):
    """Fills the disk after so many files more."""

    def fill(after):
        left = [after]

        def fsync(_):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(files.os, "fsync", fsync)

    return fill


def content_of(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


FULL = "No space left on device"


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_reference_is_replaced_whole_or_not_at_all(damaged, runs, refused, full, after):
    assert main(["accept", "reports", "--as", "kept", "--failed"]) == 0
    shutil.rmtree("reports")
    shutil.copytree(runs / "passed", "reports")
    before = content_of(damaged.parent / "kept")
    full(after)
    assert FULL in refused("accept", "reports", "--as", "kept", "--replace")
    assert content_of(damaged.parent / "kept") == before


@pytest.mark.parametrize("after", [0, 1])
def test_a_report_that_cannot_be_written_anew_stays(damaged, refused, full, after):
    (damaged / "robustness.md").write_text("of the run", encoding="utf-8")
    (damaged / ".abalo.lock").touch()
    before = content_of(damaged)
    (damaged.parent / "thresholds.toml").write_text("[[ner.accents]]\nmax_f1_drop = 0.9\n", encoding="utf-8")
    full(after)
    assert FULL in refused("rejudge", "reports", "--thresholds", "thresholds.toml", "--out", "reports")
    assert content_of(damaged) == before
    assert main(["verdict", "reports"]) == 1


OUTPUTS = {
    "perturb": ("perturb", "corpus.conll", "--with", "accents", "--out", "out.conll"),
    "calibrate": (
        "calibrate",
        "--model",
        "models:gazetteer",
        "--corpus",
        "corpus.conll",
        "--case",
        "accents",
        "--thresholds",
        "out.conll",
        "--out",
        "out.conll",
    ),
    "audit": ("audit", "questions.jsonl", "--out", "out.conll"),
}


@pytest.mark.parametrize("arguments", OUTPUTS.values(), ids=OUTPUTS)
def test_a_file_that_a_command_cannot_write_stays_as_it_was(here, refused, full, arguments):
    question = '{"id": "q", "question": "W?", "options": ["a", "b"], "target": 0}\n'
    (here / "questions.jsonl").write_text(question, encoding="utf-8")
    mine = "[[ner.accents]]\n"
    (here / "out.conll").write_text(mine, encoding="utf-8")
    full(0)
    said = refused(*arguments)
    assert said.startswith(f"out.conll: cannot be written: {FULL}; ")
    assert (here / "out.conll").read_text(encoding="utf-8") == mine
    assert not [path for path in here.iterdir() if path.name.startswith(".out")]


def test_of_several_files_the_first_changes_when_all_are_on_the_disk(tmp_path, full):
    files.write_together(tmp_path, {"a": b"1", "b": b"1"})
    full(1)
    with pytest.raises(AbaloError, match=FULL):
        files.write_together(tmp_path, {"a": b"2", "b": b"2"})
    assert content_of(tmp_path) == {"a": b"1", "b": b"1"}


def test_none_of_several_files_changes_if_a_folder_has_the_name_of_one(tmp_path):
    files.write_together(tmp_path, {"a": b"1"})
    (tmp_path / "b").mkdir()
    with pytest.raises(AbaloError, match="b: cannot be written: Is a directory"):
        files.write_together(tmp_path, {"a": b"2", "b": b"2"})
    assert (tmp_path / "a").read_bytes() == b"1"
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a", "b"]


def test_a_hidden_file_of_the_users_own_is_not_taken_for_an_unfinished_one(tmp_path):
    for name in (".notes.unfinished", f".a.killed{files.UNFINISHED}"):
        (tmp_path / name).write_bytes(b"mine")
    files.write_bytes(tmp_path / "a", b"1")
    assert {path.name for path in tmp_path.iterdir()} == {"a", ".notes.unfinished"}


def test_a_file_that_another_process_took_for_an_abandoned_one_is_made_again(tmp_path, monkeypatch):
    """It can lie there for a moment before its own process has locked it."""
    made, mkstemp = [], files.tempfile.mkstemp

    def taken(**named):
        made.append(mkstemp(**named))
        if len(made) == 1:
            Path(made[0][1]).unlink()
        return made[-1]

    monkeypatch.setattr(files.tempfile, "mkstemp", taken)
    files.write_bytes(tmp_path / "a", b"1")
    assert len(made) == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1"}


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_folder_that_may_not_be_written_is_told_before_any_work(project, monkeypatch, number):
    project.run()
    before = content_of(project.path / "reports")

    def mkstemp(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.tempfile, "mkstemp", mkstemp)
    project.write("models.py", "raise SystemExit('it was imported')")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = result.stdout.str() + result.stderr.str()
    assert f"cannot be written: {os.strerror(number)}; make the folder writable or choose another" in told
    assert not [word for word in ("Traceback", "it was imported", "PASS") if word in told]
    assert content_of(project.path / "reports") == before


def test_a_folder_under_a_name_of_ours_is_told_and_left(project):
    (project.path / "reports" / "robustness.json").mkdir(parents=True)
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = result.stdout.str() + result.stderr.str()
    assert told.count("robustness.json: cannot be written: Is a directory; make the folder writable") == 1
    assert (project.path / "reports" / "robustness.json").is_dir()


def test_an_output_without_room_is_told(capfd, monkeypatch, here):
    with Path("/dev/full").open("w", encoding="utf-8") as device:
        monkeypatch.setattr("sys.stdout", device)
        assert main(["pairs", "--sampled", "3"]) == 2
    assert capfd.readouterr().err == f"abalo: the output cannot be written: {FULL}; make room where it goes\n"
