"""Thresholds that extend others: what is taken over, what is replaced, and what is refused."""

from pathlib import Path

import pytest

from abalo.bundled import bundled
from abalo.config.thresholds import load
from abalo.core.case import Case
from abalo.core.gate import Gate
from abalo.core.verdicts import Bound
from abalo.probes.pipeline import PIPELINE
from abalo.probes.slice import SLICE
from abalo.sources.model_backed import NONE
from tests.conftest import ids, problems


def test_the_bundled_file_is_valid_and_known_to_be_calibrated_elsewhere():
    found = load(bundled("thresholds.toml"))
    assert {case.name for case in found.cases} >= {"baseline", "accents", "character_noise", "word_insertion"}
    assert found.calibrated_elsewhere


def test_the_bundled_file_is_known_under_any_path(monkeypatch):
    monkeypatch.chdir(bundled("thresholds.toml").parent)
    assert load(Path("thresholds.toml")).calibrated_elsewhere


def test_a_table_of_its_own_takes_the_place_of_the_one_it_extends(write):
    base = load(bundled("thresholds.toml"))
    found = load(write('extends = "default"\n[[ner.accents]]\nmax_f1_drop = 0.01\n[[ner.accents]]\nrate = 0.5\n'))
    assert sorted(ids(found)) == sorted([*ids(base), "ner/accents[rate-0.5]"])
    assert [case.name for case in found.cases if case.name != "accents"] == [
        case.name for case in base.cases if case.name != "accents"
    ]
    assert next(case for case in found.cases if case.id == "ner/accents").bounds == (Bound("f1_drop", "max", 0.01),)
    assert found.gate == base.gate
    assert found.calibrated_elsewhere


def test_the_gate_is_laid_over_key_by_key(write):
    write("[gate]\nconfidence = 0.8\nseeds = [9]\n", "base.toml")
    assert load(write('extends = "base.toml"\n[gate]\nseeds = [1]\n')).gate == Gate(confidence=0.8, seeds=(1,))


def test_an_empty_table_removes_what_the_base_has(write):
    write("[[ner.accents]]\n[[ner.synonyms]]\n", "base.toml")
    assert ids(load(write('extends = "base.toml"\n[ner]\naccents = []\n'))) == ["ner/synonyms"]


def table(case: Case) -> str:
    """A table of its name with an entry that needs nothing more."""
    steps = 'steps = ["accents", "synonyms"]\n' if case.name == PIPELINE else ""
    part = 'of = "length"\n' if case.name == SLICE else ""
    nothing = "".join(f'{name} = "{NONE}"\n' for name, value in case.params.items() if value == NONE)
    return f"[[{case.task}.{case.name}]]\n{steps}{part}{nothing}"


def test_bounds_that_replace_all_bundled_ones_are_the_users_own(write):
    tables = {table(case) for case in load(bundled("thresholds.toml")).cases}
    assert not load(write(f'extends = "default"\n{"".join(tables)}')).calibrated_elsewhere


def test_bounds_of_another_task_are_none_of_its_own(write):
    tables = {table(case) for case in load(bundled("thresholds.toml")).cases if case.task == "ner"}
    assert load(write(f'extends = "default"\n{"".join(tables)}')).calibrated_elsewhere == {
        "aspects",
        "choice",
        "classification",
        "pairs",
        "pos",
    }


def test_a_base_is_found_beside_the_file_that_names_it(write, tmp_path):
    (tmp_path / "deep").mkdir()
    write("[[ner.accents]]\n", "deep/base.toml")
    write('extends = "base.toml"\n', "deep/middle.toml")
    assert ids(load(write('extends = "deep/middle.toml"\n'))) == ["ner/accents"]


def test_mistakes_in_a_base_are_told_with_its_name(write):
    write("[[ner.acents]]\n", "base.toml")
    assert problems(write('extends = "base.toml"\n')) == [
        "base.toml [[ner.acents]]: no such test; did you mean 'accents'?"
    ]


def test_a_base_that_is_missing_is_told_with_the_file_that_asked_for_it(write, tmp_path):
    (line,) = problems(write('extends = "defualt"\n'))
    assert line == f"{tmp_path / 'defualt'}: no such thresholds file; thresholds.toml extends it"


@pytest.mark.parametrize("name", ["thresholds.toml", "./thresholds.toml"])
def test_a_file_that_extends_itself_is_refused(write, name):
    (line,) = problems(write(f'extends = "{name}"\n'))
    assert line.startswith(f"thresholds.toml extends: '{name}' leads back to itself")


def test_files_that_extend_each_other_are_refused_with_the_way_round(write):
    write('extends = "thresholds.toml"\n', "other.toml")
    (line,) = problems(write('extends = "other.toml"\n'))
    assert "(thresholds.toml -> other.toml -> thresholds.toml)" in line


def test_extends_is_a_name(write):
    (line,) = problems(write("extends = 3\n"))
    assert line == 'thresholds.toml extends: 3; expected "default" or the path of a thresholds file'
