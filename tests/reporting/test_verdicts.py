"""Stored verdicts are recomputed from the numbers beside them."""

import json
from dataclasses import replace

import pytest

import abalo
from abalo.core import records as typed
from abalo.core.document import Document
from abalo.reporting.documents.checking.verdicts import verdict_faults
from abalo.reporting.documents.stored import from_stored
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES, conll

CASES = """
[gate]
language = "pt"
resamples = 300
seeds = [1]

[[ner.accents]]
max_f1_drop = 0.06

[[ner.baseline]]
min_f1 = 0.1
"""


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """The document of a run in which one bound fails and the other one holds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "judged_models.py").write_text(GAZETTEER.format(people=NAMES, places=PLACES), "utf-8")
    sentences = [f"ouviu [{name} PESSOA] em {k}" for name in NAMES for k in range(8)]
    (tmp_path / "corpus.conll").write_text(conll(sentences), "utf-8")
    (tmp_path / "thresholds.toml").write_text(CASES, "utf-8")
    given = {"corpus": "corpus.conll", "thresholds": "thresholds.toml"}
    abalo.Session(task="ner", model="judged_models:blind_to_accents", **given).run().write("reports")
    stored = json.loads((tmp_path / "reports" / "robustness.json").read_text("utf-8"))
    return typed.read(Document, from_stored(stored))


def test_a_verdict_that_follows_from_its_numbers_has_no_fault(judged):
    assert {each.id: each.verdict for each in judged.results if each.verdict} == {
        "ner/accents": "fail",
        "ner/baseline": "pass",
    }
    assert [*verdict_faults(judged)] == []


def test_a_verdict_that_does_not_follow_is_a_fault(judged):
    turned = [
        replace(
            each,
            judgements=[replace(one, verdict="pass" if one.verdict == "fail" else "fail") for one in each.judgements],
        )
        for each in judged.results
    ]
    places = {fault.place.rpartition(".")[2] for fault in verdict_faults(replace(judged, results=turned))}
    assert "verdict" in places


def test_a_failure_with_a_p_above_the_level_is_a_fault(judged):
    """Sixty or more clusters: there the interval and the test must agree."""

    def doubtful(result):
        if result.verdict != "fail":
            return result
        return replace(result, p=0.5, judgements=[replace(one, p=0.5) for one in result.judgements])

    found = [*verdict_faults(replace(judged, results=[*map(doubtful, judged.results)]))]
    assert {fault.place.partition("]")[0] for fault in found if "verdict" in fault.place}
