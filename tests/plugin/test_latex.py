"""--abalo-latex: the tables for papers."""

import pytest

pytestmark = pytest.mark.slow


def test_the_tables_are_written_beside_the_json_where_they_are_asked_for(project):
    said = project.run("-k", "accents", "--abalo-latex", "--abalo-reports", "out").stdout.str()
    text = (project.path / "out" / "robustness.tex").read_text("utf-8")
    assert text.startswith("% Made by Abalo")
    assert r"\textbf{PASS}" in text
    assert r"Accents & 1.000 & " in text
    assert "robustness.md, .json, .tex" in said


def test_without_being_asked_there_are_none(project):
    said = project.run("-k", "accents").stdout.str()
    assert not (project.path / "reports" / "robustness.tex").exists()
    assert ".tex" not in said


def test_tables_of_an_earlier_run_do_not_stay(project):
    project.run("-k", "accents", "--abalo-latex")
    project.run("-k", "accents", model="models:all_outside")
    assert r"\textbf{PASS}" not in (project.path / "reports" / "robustness.tex").read_text("utf-8")


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--abalo-latex",), 4)])
def test_a_file_of_that_name_that_is_not_ours_stays(project, arguments, code):
    (project.path / "reports").mkdir()
    mine = project.write("reports/robustness.tex", "mine")
    result = project.run("-k", "accents", *arguments)
    assert result.ret == code
    assert mine.read_text("utf-8") == "mine"
    said = result.stdout.str() + result.stderr.str()
    assert ("robustness.tex: expected nothing, or a file that begins with '% Made by Abalo'" in said) is (code == 4)


def test_the_command_that_runs_a_case_again_does_not_ask_for_them(project):
    project.run("-k", "accents", "--abalo-latex")
    assert "--abalo-latex" not in project.result("ner/accents")["command"]
