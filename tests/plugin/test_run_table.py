"""A run that is described by ``[run]`` of its thresholds file: ``pytest --pyargs tests_behavioral`` and no option."""

import pytest

from tests.plugin.conftest import THRESHOLDS

pytestmark = pytest.mark.slow

RUN = '\n[run]\ntask = "ner"\nmodel = "models:gazetteer"\ncorpus = "corpus.conll"\n'
EVIL = "from pathlib import Path\nPath('imported').touch()\n\ndef make():\n    return lambda batch: batch\n"


@pytest.fixture
def described(project):
    project.write("thresholds.toml", THRESHOLDS + RUN)
    project.write("pytest.ini", "[pytest]\n")
    return project


def run(project, *arguments: str):
    return project.pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "-p", "no:randomly", "--pyargs", "tests_behavioral.ner", *arguments
    )


def said(result) -> list[str]:
    return [line for line in result.outlines if line.startswith("abalo: thresholds.toml")]


def test_the_gate_is_one_command_whose_first_line_says_what_is_run(described):
    result = run(described)
    assert result.ret == 0
    line = "abalo: thresholds.toml · model ./models:gazetteer · corpus corpus.conll · task ner"
    assert said(result) == [line]
    assert next(each for each in result.outlines if each.startswith("abalo: ")) == line
    document = described.document()
    assert document["model"]["name"] == "./models:gazetteer"
    assert document["corpus"]["name"] == "corpus.conll"


def test_workers_say_it_once(described):
    result = run(described, "-n", "2")
    assert result.ret == 0
    assert len(said(result)) == 1


def test_options_win_over_the_file(described):
    result = run(described, "--abalo-model", "models:blind_to_accents", "-k", "accents")
    assert result.ret == 1
    assert described.document()["model"]["name"] == "models:blind_to_accents"
    assert said(result) == ["abalo: thresholds.toml · model models:blind_to_accents · corpus corpus.conll · task ner"]


def test_a_failure_is_run_again_by_a_command_without_what_the_file_says(described, monkeypatch):
    monkeypatch.delenv("CI", raising=False)  # where it is set, the profile is part of the command
    described.write("thresholds.toml", THRESHOLDS + RUN.replace("gazetteer", "blind_to_accents"))
    assert run(described, "-k", "accents").ret == 1
    (command,) = {each["command"] for each in described.document()["results"] if each["id"] == "ner/accents"}
    assert "--abalo" not in command


def test_nothing_is_said_without_tests_of_ours(described):
    described.pytester.makepyfile(test_other="def test_it():\n    pass\n")
    result = described.pytester.runpytest_inprocess("-p", "no:randomly", "test_other.py")
    result.assert_outcomes(passed=1)
    assert not any(line.startswith("abalo") for line in result.outlines)


def test_problems_of_the_table_end_the_run_beside_others(described):
    described.write("thresholds.toml", THRESHOLDS + RUN + "lmit = 3\nallow_pickle = true\n[[ner.acents]]\n")
    result = run(described)
    assert result.ret == 4
    for part in ("[run] lmit: no such key; did you mean 'limit'", "--abalo-allow-pickle", "[[ner.acents]]"):
        assert part in result.stderr.str() + result.stdout.str()


@pytest.fixture
def hostile(project, monkeypatch):
    """A folder below one whose thresholds file names code."""
    project.write("thresholds.toml", THRESHOLDS + RUN.replace("models:gazetteer", "evil:make"))
    project.write("pytest.ini", "[pytest]\n")
    project.write("evil.py", EVIL)
    below = project.path / "below"
    below.mkdir()
    (below / "corpus.conll").write_text((project.path / "corpus.conll").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(below)
    return project


def imported(project) -> bool:
    return any(project.path.rglob("imported"))


def test_a_file_above_imports_nothing(hostile):
    result = run(hostile)
    assert result.ret == 4
    assert "is Python code" in result.stderr.str() + result.stdout.str()
    assert not imported(hostile)


def test_a_module_of_that_name_in_the_working_directory_is_not_meant(hostile):
    (hostile.path / "evil.py").unlink()
    (hostile.path / "below" / "evil.py").write_text(EVIL, encoding="utf-8")
    result = run(hostile, "--abalo-thresholds", "../thresholds.toml")
    assert result.ret != 0
    assert "no module 'evil'" in result.stdout.str()
    assert not imported(hostile)


def test_a_file_above_that_is_asked_for_may_name_code_in_its_folder(hostile):
    (hostile.path / "below" / "evil.py").write_text("raise SystemExit", encoding="utf-8")
    result = run(hostile, "--abalo-thresholds", "../thresholds.toml", "-k", "baseline")
    assert "../evil:make" in result.stdout.str()
    assert imported(hostile)
