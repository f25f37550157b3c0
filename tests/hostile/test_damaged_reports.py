"""Reports and references that were cut short, edited or swapped: no verdict, no new report, no reference from them."""

import json
import shutil

import numpy as np
import pytest

from abalo.api import Session
from abalo.cli import main
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES, conll

THRESHOLDS = (
    "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\nmin_f1 = 0.9\n[[ner.accents]]\nmax_f1_drop = 0.05\n"
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the reports of a run that failed, ``failed``, and of one that passed, ``passed``."""
    folder = tmp_path_factory.mktemp("runs")
    sentences = [
        f"o [TRIBUNAL ORGANIZACAO] ouviu [{name} PESSOA] em [{place} LOCAL]" for name in NAMES for place in PLACES
    ]
    (folder / "corpus.conll").write_text(conll(sentences), encoding="utf-8")
    (folder / "tagging.py").write_text(GAZETTEER.format(people=NAMES, places=PLACES), encoding="utf-8")
    (folder / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    for name, model in (("failed", "blind_to_accents"), ("passed", "gazetteer")):
        given = {"corpus": str(folder / "corpus.conll"), "thresholds": str(folder / "thresholds.toml")}
        Session(model=f"{folder / 'tagging.py'}:{model}", **given).run().write(folder / name)
    return folder


@pytest.fixture
def damaged(runs, tmp_path, monkeypatch):
    """A copy of the reports of the run that failed, to be damaged, in the working directory."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(runs / "thresholds.toml", "thresholds.toml")
    return shutil.copytree(runs / "failed", tmp_path / "reports")


def cut(name, size):
    return lambda folder, _: (folder / name).write_bytes((folder / name).read_bytes()[:size])


def written(name, content):
    return lambda folder, _: (folder / name).write_bytes(content)


def swapped(name):
    return lambda folder, runs: shutil.copy(runs / "passed" / name, folder / name)


def edited(change):
    def edit(folder, _):
        path = folder / "robustness.json"
        document = json.loads(path.read_text("utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")

    return edit


def without_report(folder, _):
    (folder / "robustness.json").unlink()


def folder_for_report(folder, _):
    (folder / "robustness.json").unlink()
    (folder / "robustness.json").mkdir()


def array(name, change):
    """Changes an array of the evidence; None leaves it out."""

    def spoil(folder, _):
        with np.load(folder / "evidence.npz") as file:
            arrays = dict(file)
        found = change(arrays.pop(name))
        np.savez(folder / "evidence.npz", **arrays, **({} if found is None else {name: found}))

    return spoil


NO_JSON = "robustness.json: is not JSON"
TWO_RUNS = "robustness.json: is not about the evidence beside it, evidence.npz: they are of two runs"
NO_EVIDENCE = "evidence.npz: not the evidence of a run"

WITHOUT_VERDICT = {
    "cut short": (cut("robustness.json", 500), NO_JSON),
    "empty": (cut("robustness.json", 0), NO_JSON),
    "gone": (without_report, "holds no run (no robustness.json); give the folder of a run"),
    "a folder": (folder_for_report, "robustness.json: cannot be read: Is a directory"),
    "UTF-16": (written("robustness.json", "{}".encode("utf-16")), NO_JSON),
    "brackets without end": (written("robustness.json", b"[" * 100_000), NO_JSON),
    "an array": (
        written("robustness.json", b"[]"),
        "is not the report of a run in the format abalo-robustness/3; run the gate again",
    ),
    "another format": (
        edited(lambda document: document.update(schema="abalo-robustness/2")),
        "is not the report of a run in the format abalo-robustness/3; run the gate again",
    ),
    "a verdict of its own": (
        edited(lambda document: document.update(verdict="pass")),
        "robustness.json: is damaged: its verdict is 'pass', its results say 'fail'; run the gate again",
    ),
    "a verdict that is none": (
        edited(lambda document: document.update(verdict="maybe")),
        "its verdict is 'maybe', its",
    ),
    "no verdict": (
        edited(lambda document: document.update(verdict=None)),
        "its verdict is None, its results say 'fail'",
    ),
    "complete in words": (edited(lambda document: document.update(complete="yes")), "is damaged: complete cannot be"),
    "no results": (edited(lambda document: document.update(results={})), "is damaged: results cannot be read"),
    "results that are numbers": (
        edited(lambda document: document.update(results=[3])),
        "is damaged: results cannot be",
    ),
    "tasks in words": (edited(lambda document: document.update(tasks="ner")), "is damaged: tasks cannot be read"),
    "a gate in words": (edited(lambda document: document.update(gate="wide")), "is damaged: gate cannot be read"),
    "missing cases by number": (edited(lambda document: document.update(missing=[1])), "is damaged: missing cannot be"),
    "another run's report": (swapped("robustness.json"), TWO_RUNS),
    "another run's evidence": (swapped("evidence.npz"), TWO_RUNS),
    "evidence cut short": (cut("evidence.npz", 500), NO_EVIDENCE),
    "empty evidence": (cut("evidence.npz", 0), NO_EVIDENCE),
    "evidence that is a report": (written("evidence.npz", b'{"schema": "abalo-robustness/3"}'), NO_EVIDENCE),
    "evidence that is half a zip": (written("evidence.npz", b"PK\x03\x04" + bytes(100)), NO_EVIDENCE),
    "an array too few": (array("0/ids", lambda _: None), NO_EVIDENCE),
    "an array too short": (array("0/ids", lambda values: values[:-1]), "the arrays of case 'ner/"),
    "other counts": (array("0/all/entity_counts", np.zeros_like), TWO_RUNS),
    "another order": (array("0/clusters", lambda values: values[::-1].copy()), TWO_RUNS),
}


@pytest.mark.parametrize(("spoil", "said"), WITHOUT_VERDICT.values(), ids=WITHOUT_VERDICT)
def test_what_was_damaged_has_no_verdict(damaged, runs, refused, spoil, said):
    spoil(damaged, runs)
    assert said in refused("verdict", "reports")


EVEN_SO = {"a verdict of its own", "a verdict that is none", "no verdict"}  # judged anew, it has the one that follows
UNREADABLE = {name: row for name, row in WITHOUT_VERDICT.items() if name not in EVEN_SO}


@pytest.mark.parametrize(("spoil", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_it_is_neither_judged_anew_nor_accepted_nor_compared_nor_shown(damaged, runs, refused, spoil, said):
    spoil(damaged, runs)
    assert said in refused("rejudge", "reports", "--out", "again")
    assert said in refused("accept", "reports", "--as", "kept")
    for side in (("compare", str(runs / "passed"), "reports"), ("compare", "reports", str(runs / "passed"))):
        assert said in refused(*side, "--out", "again")
    assert said in refused("history", "reports", str(runs / "passed"))
    assert said in refused("show", "reports")
    assert sorted(path.name for path in damaged.parent.iterdir()) == ["reports", "thresholds.toml"]


def test_judged_anew_an_edited_verdict_is_the_one_that_follows(damaged, runs, capsys):
    edited(lambda document: document.update(verdict="pass"))(damaged, runs)
    assert main(["rejudge", "reports"]) == 1
    assert main(["verdict", "reports"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "FAIL: 2 failed"


def test_judged_anew_by_thresholds_that_are_not_there_a_report_stays(damaged, refused):
    before = (damaged / "robustness.json").read_bytes()
    assert "nope.toml: no such thresholds file" in refused("rejudge", "reports", "--thresholds", "nope.toml")
    assert (damaged / "robustness.json").read_bytes() == before


def test_a_report_alone_has_its_verdict(damaged, capsys):
    (damaged / "evidence.npz").unlink()
    assert main(["verdict", "reports/robustness.json"]) == 1
    assert capsys.readouterr().out == "FAIL: 2 failed\n"


REFERENCES = {
    "cut short": cut("robustness.json", 500),
    "without evidence": cut("evidence.npz", 0),
    "of two runs": swapped("evidence.npz"),
    "that did not finish": edited(lambda document: document.update(complete=False)),
    "of no model": edited(lambda document: document["tasks"]["ner"]["model"].pop("fingerprint")),
    "accepted by nobody who can be read": written("accepted.json", b'{"date": '),
}


@pytest.mark.parametrize("spoil", REFERENCES.values(), ids=REFERENCES)
def test_against_a_damaged_reference_nothing_is_judged(damaged, runs, refused, spoil):
    spoil(damaged, runs)
    damaged.rename("kept")
    shutil.copytree(runs / "passed", "reports")
    before = (damaged.parent / "reports" / "robustness.json").read_bytes()
    assert refused("rejudge", "reports", "--against", "kept").startswith("the reference to judge against: kept")
    assert (damaged.parent / "reports" / "robustness.json").read_bytes() == before


@pytest.mark.parametrize("change", [{"results": [3]}, {"results": {}}, {"schema": None}, {"results": [{"id": "a"}]}])
def test_training_data_is_not_made_from_a_damaged_report(damaged, runs, refused, change):
    edited(lambda document: document.update(change))(damaged, runs)
    corpus = str(runs / "corpus.conll")
    said = refused("augment", corpus, "--report", "reports/robustness.json", "--out", "more.conll")
    assert "reports/robustness.json" in said
    assert not (damaged.parent / "more.conll").exists()
