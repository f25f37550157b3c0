"""The smallest clean score and the thresholds file of a run that names none: who says so, and what is refused."""

import math
from pathlib import Path

import pytest

from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.config.options import make_options, recorded_options
from abalo.config.thresholds import load, usual_path
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from tests.conftest import problems

ROOT = OWN_GATE.parent


# The smallest clean score ---------------------------------------------------------------------------------------------


def leasts(path: Path, given: float | None = None) -> dict[str | None, float | None]:
    """By task that of its baseline, and under None that of the gate."""
    found = load(path, least=given)
    return {None: found.gate.least} | {name: found.clean(tasks()[name]).least for name in ("ner", "choice", "pos")}


FILE = "[gate]\nleast = 0.5\n[[ner.baseline]]\nleast = 0.8\n[[choice.baseline]]\nguesses = true\n"


def test_a_file_says_it_for_all_tasks_or_for_one(write):
    assert leasts(write(FILE)) == {None: 0.5, "ner": 0.8, "choice": None, "pos": None}


def test_the_option_goes_before_all_that_a_file_says(write):
    assert leasts(write(FILE), 0.1) == {None: 0.1, "ner": None, "choice": None, "pos": None}
    assert leasts(write(FILE), 0.0)[None] == 0


def test_the_option_leaves_what_a_file_says_of_guessing(write):
    assert load(write(FILE), least=0.1).clean(tasks()["choice"]).guesses


def test_a_file_lays_its_own_over_that_of_its_base(write):
    write(FILE, "base.toml")
    found = write('extends = "base.toml"\n[gate]\nleast = 0.6\n[[choice.baseline]]\nleast = 0.2\n')
    assert leasts(found) == {None: 0.6, "ner": 0.8, "choice": 0.2, "pos": None}
    assert not load(found).clean(tasks()["choice"]).guesses  # its table takes the place of the base's


@pytest.mark.parametrize("value", ["-0.1", "1.1", '"0.3"', "true", "nan"])
def test_a_value_from_0_to_1_is_wanted(write, value):
    lines = problems(write(f"[gate]\nleast = {value}\n[[ner.baseline]]\nleast = {value}\n"))
    assert len(lines) == 2
    assert all("least" in line and "from 0 to 1" in line for line in lines)


@pytest.mark.parametrize("value", ["1", '"yes"'])
def test_whether_a_model_guesses_is_yes_or_no(write, value):
    (line,) = problems(write(f"[[choice.baseline]]\nguesses = {value}\n"))
    assert "guesses" in line
    assert "true or false" in line


@pytest.mark.parametrize(("key", "value"), [("least", "0.3"), ("guesses", "true")])
@pytest.mark.parametrize("table", ["ner.accents", "ner.typo_outside", "ner.char_typo", "choice.perturbation_stability"])
def test_it_is_about_the_clean_corpus_alone(write, table, key, value):
    (line,) = problems(write(f"[[{table}]]\n{key} = {value}\n"))
    assert key in line


def test_a_slice_of_some_least_number_of_words_keeps_its_parameter(write):
    entry = '[[ner.slice]]\nof = "unseen_context"\ntraining = "bundled:legal-pt"\nleast = 2\n'
    (found,) = load(write(entry)).cases
    assert (found.least, found.params["least"]) == (None, 2)


@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_the_option_wants_a_value_from_0_to_1(value):
    with pytest.raises(AbaloError, match=r"--abalo-least .* from 0 to 1"):
        make_options(thresholds=bundled_path(CASES), least=value)


@pytest.mark.parametrize("value", ["0.3", True, math.nan])
def test_in_python_the_option_wants_a_number(value):
    with pytest.raises(AbaloError, match="least"):
        make_options(thresholds=bundled_path(CASES), least=value)


def test_the_option_is_among_those_that_a_document_records():
    assert recorded_options(make_options(thresholds=bundled_path(CASES), least=0.4))["least"] == 0.4


# The file that is used ------------------------------------------------------------------------------------------------


def test_an_empty_folder_has_the_default_cases(tmp_path):
    assert {usual_path(tmp_path, asked=asked) for asked in (False, True)} == {bundled_path(CASES)}


def test_a_file_of_the_users_own_is_used_for_any_model(write, tmp_path):
    path = write("[[ner.accents]]\n")
    assert [usual_path(tmp_path, asked=asked) for asked in (False, True)] == [path, path]


def test_the_gate_of_the_bundled_models_is_for_these_alone():
    assert usual_path(ROOT, asked=False).resolve() == OWN_GATE
    assert usual_path(ROOT, asked=True) == bundled_path(CASES)


def test_the_folder_may_be_the_one_that_a_run_is_in(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    assert usual_path(Path(), asked=False).resolve() == OWN_GATE
    assert usual_path(Path(), asked=True) == bundled_path(CASES)
    (tmp_path / "link").symlink_to(ROOT)
    assert usual_path(tmp_path / "link", asked=True) == bundled_path(CASES)


def test_a_copy_of_the_gate_of_the_bundled_models_is_the_users_own(write, tmp_path):
    path = write(OWN_GATE.read_bytes())
    assert usual_path(tmp_path, asked=True) == path
