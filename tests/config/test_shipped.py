"""Shipped cases are not tried on sentences again, unless something that the trial reads has changed."""

import shutil

import pytest

from abalo.bundled import CASES, bundled_path
from abalo.config import shipped
from abalo.config.thresholds import load
from abalo.errors import AbaloError
from abalo.probes import parameters
from perturbations import find

SHIPPED = bundled_path(CASES)
PREJUDICE = find("prejudice").example.before


@pytest.fixture
def trials(monkeypatch):
    """The sentences that parameters are tried on."""
    found, parse = [], parameters.parse
    monkeypatch.setattr(parameters, "parse", lambda text: found.append(text) or parse(text))
    return found


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The shipped cases in another installation, with their digest."""
    for name in (SHIPPED.name, shipped.DIGEST):
        shutil.copy(SHIPPED.with_name(name), tmp_path)
    monkeypatch.setattr(shipped, "bundled_path", lambda _: tmp_path / SHIPPED.name)
    return tmp_path / SHIPPED.name


def test_shipped_cases_are_read_without_a_trial(trials):
    assert load(SHIPPED).cases
    assert trials == []


@pytest.mark.parametrize("damage", ["", "0" * 64, "é"])
def test_a_digest_that_does_not_fit_means_a_trial_of_all(copied, trials, damage):
    trusted = load(copied)
    assert trials == []
    copied.with_name(shipped.DIGEST).write_text(damage, encoding="utf-8")
    assert load(copied) == trusted
    assert PREJUDICE in trials


def test_without_a_digest_all_are_tried(copied, trials):
    copied.with_name(shipped.DIGEST).unlink()
    load(copied)
    assert PREJUDICE in trials


def test_edited_cases_are_tried(copied, trials):
    copied.write_text(copied.read_text(encoding="utf-8").replace('to = "africa"', 'to = "asia"'), encoding="utf-8")
    load(copied)
    assert PREJUDICE in trials


def test_a_wrong_value_in_edited_cases_is_found(copied):
    with copied.open("a", encoding="utf-8") as file:
        file.write('\n[[classification.prejudice]]\nto = "mars"\n')
    with pytest.raises(AbaloError, match="mars"):
        load(copied)


def test_a_copy_of_the_cases_elsewhere_is_tried(tmp_path, trials):
    for name in (SHIPPED.name, shipped.DIGEST):
        shutil.copy(SHIPPED.with_name(name), tmp_path)
    load(tmp_path / SHIPPED.name)
    assert PREJUDICE in trials


def test_the_own_cases_of_a_file_that_extends_the_shipped_ones_are_tried(write, trials):
    load(write('extends = "default"\n[[ner.prejudice]]\nto = "woman"\n'))
    assert {*trials} == {PREJUDICE}


def package(folder, **files):
    """Perturbations with these files."""
    (folder / "languages").mkdir(parents=True)
    (folder / "a.py").write_text("", encoding="utf-8")
    for name, content in files.items():
        (folder / "languages" / f"{name}.tsv").write_text(content, encoding="utf-8")
    return folder


def test_each_file_of_the_perturbations_is_in_the_digest(tmp_path):
    def digest(name, **files):
        return shipped.digest_of(SHIPPED, package(tmp_path / name, **files))

    usual = digest("usual", one="a\n", two="b\n")
    assert digest("same", two="b\n", one="a\n") == usual
    others = [
        digest("edited", one="a\n", two="c\n"),
        digest("fewer", one="a\n"),
        digest("more", one="a\n", two="b\n", three=""),
        digest("renamed", one="a\n", three="b\n"),
        digest("moved", one="a\nb\n", two=""),
    ]
    assert len({usual, *others}) == 6


def test_compiled_modules_are_not_in_the_digest(tmp_path):
    folder = package(tmp_path / "package")
    before = shipped.digest_of(SHIPPED, folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert shipped.digest_of(SHIPPED, folder) == before


def test_the_check_itself_is_in_the_digest(tmp_path, monkeypatch):
    folder, other = package(tmp_path / "package"), tmp_path / "parameters.py"
    before = shipped.digest_of(SHIPPED, folder)
    other.write_text("", encoding="utf-8")
    monkeypatch.setattr(shipped.parameters, "__file__", str(other))
    assert shipped.digest_of(SHIPPED, folder) != before
