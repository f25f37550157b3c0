"""A model that tells what it reads, by every way it has, in a run without text."""

import json
import traceback
from pathlib import Path

import pytest

from abalo.api import Session
from abalo.errors import AbaloError

SECRET = "TRIBUNAL"
"""A word that stands in every sentence."""

WAYS = {
    "a warning": "warnings.warn(repr(batch))",
    "a warning of a kind of its own": "warnings.warn(Odd(1, repr(batch)))",
    "a warning that is an error elsewhere": "warnings.simplefilter('error'); warnings.warn(repr(batch))",
    "a thread that fails": "thread = threading.Thread(target=fail, args=(batch,)); thread.start(); thread.join()",
    "an object whose removal fails": "Unremovable(batch)",
    "what it prints": "print(batch); print(batch, file=sys.stderr)",
    "what it logs": "logging.getLogger('x').error(batch)",
    "an exception": "raise ValueError(batch)",
    "an end of the process": "sys.exit(repr(batch))",
    "a label": "return [[repr(batch)] for _ in batch]",
}

MODEL = """
import logging, sys, threading, warnings


class Odd(Warning):
    def __init__(self, one, two):
        super().__init__(one, two)


class Unremovable:
    def __init__(self, batch):
        self.batch = batch

    def __del__(self):
        raise ValueError(self.batch)


def fail(batch):
    raise ValueError(batch)


def factory():
    def predict(batch):
        {way}
        return [["O"] * len(tokens) for tokens in batch]
    return predict
"""


ONE_NAME = """

def one_name():
    return lambda batch: [["B-PESSOA" if word == "Ana" else "O" for word in tokens] for tokens in batch]
"""


def told(project, result):
    """Whatever the run says on the terminal and in its files."""
    files = [path for path in project.path.joinpath("reports").rglob("*") if path.suffix in (".json", ".md", ".html")]
    said = [result.stdout.str(), result.stderr.str(), *(path.read_text("utf-8") for path in files)]
    return "\n".join([*said, (project.path / "junit.xml").read_text("utf-8")])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_text_is_told_in_a_run_without(project, way):
    project.write("telling.py", MODEL.format(way=way))
    options = ("--html", "reports/page.html", "--self-contained-html", "--junit-xml", "junit.xml", "-rA")
    result = project.run("-k", "baseline", "--abalo-no-text", *options, model="telling:factory")
    assert SECRET not in told(project, result)
    assert json.loads((project.path / "reports" / "robustness.json").read_text("utf-8"))


@pytest.mark.slow
def test_nor_by_a_warning_in_a_worker(project):
    project.write("telling.py", MODEL.format(way=WAYS["a warning"]))
    asked = ("-k", "baseline", "--abalo-no-text", "-n", "1", "--junit-xml", "junit.xml")
    result = project.run(*asked, model="telling:factory")
    assert "UserWarning" in result.stdout.str()
    assert SECRET not in told(project, result)


IN_PYTHON = ("a warning", "a warning of a kind of its own", "a warning that is an error elsewhere", "an exception")


@pytest.mark.parametrize("way", IN_PYTHON)
def test_nor_by_a_session_of_python(here, recwarn, way):
    Path("telling.py").write_text(MODEL.format(way=WAYS[way]), encoding="utf-8")
    session = Session(model="telling.py:factory", corpus="corpus.conll", thresholds="thresholds.toml", no_text=True)
    said = ""
    try:
        session.judge("accents")
    except AbaloError:
        said = traceback.format_exc()
    warned = [str(each.message) for each in recwarn]
    assert SECRET not in said + "".join(warned)
    assert "it is withheld" in said + "".join(warned)
    assert len(warned) <= 1


def test_a_session_with_text_tells_it(here, recwarn):
    Path("telling.py").write_text(MODEL.format(way=WAYS["a warning"]), encoding="utf-8")
    Session(model="telling.py:factory", corpus="corpus.conll", thresholds="thresholds.toml").judge("accents")
    assert SECRET in "".join(str(each.message) for each in recwarn)


def test_with_text_a_warning_is_shown(project):
    project.write("telling.py", MODEL.format(way=WAYS["a warning"]))
    assert SECRET in project.run("-k", "baseline", model="telling:factory").stdout.str()


def test_a_regression_that_cannot_be_tried_tells_none(project):
    project.write("telling.py", MODEL.format(way=WAYS["an exception"]) + ONE_NAME)
    project.write(
        "thresholds.toml", "[[ner.entity_attack]]\ncandidates = 12\nleast_similarity = 0.0\nmax_success_rate = 1.0\n"
    )
    project.run("--abalo-save-failures", "kept.jsonl", "--abalo-reports", "earlier", model="telling:one_name")
    asked = ("-k", "regressions", "--abalo-regressions", "kept.jsonl", "--abalo-no-text", "--junit-xml", "junit.xml")
    result = project.run(*asked, model="telling:factory")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert SECRET not in told(project, result)
