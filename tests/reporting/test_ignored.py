"""The folder of reports keeps itself out of git where a run has made it."""

import subprocess

from abalo.reporting.formats.files import check_folder, check_reports


def test_a_folder_that_a_run_makes_is_ignored_as_a_whole(tmp_path):
    check_reports(tmp_path / "reports")
    (tmp_path / "reports" / "robustness.json").write_text("{}")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    found = subprocess.run(["git", "-C", tmp_path, "status", "--porcelain"], check=True, capture_output=True)
    assert found.stdout == b""


def test_a_file_of_the_user_stays_and_a_folder_that_was_there_gets_none(tmp_path):
    (tmp_path / ".gitignore").write_text("mine")
    check_reports(tmp_path)
    assert (tmp_path / ".gitignore").read_text() == "mine"
    (tmp_path / "own").mkdir()
    check_reports(tmp_path / "own")
    assert [*(tmp_path / "own").iterdir()] == []


def test_folders_for_other_pages_get_none(tmp_path):
    check_folder(tmp_path / "comparison")
    assert [*(tmp_path / "comparison").iterdir()] == []
