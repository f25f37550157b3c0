"""Verdict, headline and exit code: one hand-built document for each line of the table of exit codes."""

import sys
from pathlib import Path
from typing import Any

import pytest

from abalo import Session
from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.core.running.judging import UNBREAKABLE
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.runs.shards import Merged
from tests.reporting.documents import judgement, result
from tests.reports import document_in
from tests.rows import every

Json = dict[str, Any]

HOLDS = judgement("max_f1_drop_changed", 0.1, 0.05, "pass")
BROKEN = judgement("max_f1_drop_changed", 0.1, 0.3, "fail")
INSIDE = judgement("max_f1_drop_changed", 0.1, 0.09, "inconclusive")
OUTSIDE = judgement("max_f1_drop_changed", 0.1, 0.11, "inconclusive")
UNBROKEN = judgement("max_f1_drop_changed", 1, 0.3, "inconclusive", reason=UNBREAKABLE, p=1.0)
FEW = judgement("max_f1_drop_changed", 0.1, 0.3, "inconclusive", reason="too few changed (12)", p=None)

FLOOR_HOLDS = judgement("min_f1", 0.8, 0.87, "pass")
FLOOR_INSIDE = judgement("min_f1", 0.8, 0.81, "inconclusive")
FLOOR_OUTSIDE = judgement("min_f1", 0.8, 0.79, "inconclusive")
FLOOR_BROKEN = judgement("min_f1", 0.8, 0.7, "fail")
RARE = judgement("max_f1_drop", 0.1, 0.3, "inconclusive", reason="fewer than 50 distinct sentences (4)", p=None)
OF_A_TYPE = judgement("min_f1", 0.8, 0.79, "inconclusive", type="PESSOA")


def case(*judgements: Json, blocking: bool = True) -> Json:
    """A result bound by these judgements."""
    return result("accents", {}, 0.8, list(judgements), blocking=blocking)


def clean(state: str = "above", *judgements: Json, blocking: bool = True) -> Json:
    """A task whose clean score was judged so, with bounds of its own."""
    baseline = {"judgements": list(judgements), "blocking": blocking, "least": {"state": state}}
    return {"model": {"name": "m", "fingerprint": "f"}, "corpus": {"name": "c"}, "baseline": baseline}


def document(*results: Json, ner: Json | None = None, profile: str = "dev", **more: Any) -> Json:
    """A complete run with these results."""
    whole = {"complete": True, "missing": [], "errors": [], "regressions": [], "comparison": None}
    gate = {"inconclusive": "pass", "profile": profile}
    return {**whole, "gate": gate, "results": list(results), "tasks": {"ner": ner or clean()}, **more}


def strict(*results: Json, **more: Any) -> Json:
    """The same where what is undecided fails."""
    return document(*results, gate={"inconclusive": "fail", "profile": "dev"}, **more)


def loss(state: str, uncorrected_high: float | None = 0.01, n: int = 200, reference: float = 0.9) -> Json:
    """A loss against the reference, over so many examples of both runs."""
    numbers = {**dict.fromkeys(("new", "value", "low", "limit", "p"), 0.1), "reference": reference}
    numbers |= {"high": uncorrected_high, "uncorrected_high": uncorrected_high}
    paired = {"paired_by": "variant", "level": 0.025, "discordant": 40, "compared": 1.0, "waiver": None}
    about = {"id": "ner/baseline", "type": None, "metric": "f1", "blocking": True, "reason": None}
    return {
        **about,
        **numbers,
        "state": state,
        "detectable_loss": 0.01,
        "n": n,
        "because_of": [],
        "weight": 0.0,
        **paired,
    }


def against(baseline: Json, mean: Json | None = None, *losses: Json, state: str = "", decided: bool = False) -> Json:
    """A comparison of one task with a reference."""
    whole = None if mean is None else {**mean, "id": None}
    own = {"baseline": baseline, "mean": whole, "losses": list(losses), "lost": [], "newly_worse": [], "only_new": []}
    own |= {"state": "can't tell", "decided": decided, "metric": "f1", "model": "old", "changed_unseen": False}
    own |= {"corpus": "dev", "hypotheses": 1, "judged": 1, "small_lost": [], "found_less": [], "trainings": []}
    own |= {"perturbed": True, "only_reference": [], "newly_better": []}
    found = {"reference": {"name": "1.0"}, "missing": [], "level": 0.025, "tasks": {"ner": own}}
    return {"state": state or baseline["state"], "decided": decided, **found}


SAME = against(loss("identical", None), loss("identical", None), decided=True)
IDENTICAL = against(loss("identical", None, 12), loss("identical", None, 12), decided=True)
IDENTICAL["tasks"]["ner"]["identical"] = True
NO_WORSE = against(loss("no worse"), loss("no worse"), decided=True)
OPEN = against(loss("can't tell", 0.02), loss("can't tell", 0.02))
INCOMPARABLE = against(loss("not comparable", None, 0))
OF_A_CASE = {**loss("not comparable", None, 0), "id": "ner/accents", "reason": "the runs have no seed in common"}
CASE_ALONE = against(loss("no worse"))
CASE_ALONE["tasks"]["ner"]["only_new"] = ["ner/accents"]
REPLAY = {"attack": "swap", "before": None, "after": None, "labels": [], "recorded": []}
REPLAYED = [{**REPLAY, "id": "a", "status": "fixed"}]

FAILS = {
    "a bound": document(case(HOLDS, BROKEN)),
    "a bound in a quick look": document(case(BROKEN), profile="quick"),
    "a bound on the clean corpus, which is no row": document(case(HOLDS), ner=clean("above", FLOOR_BROKEN)),
    "a loss": document(case(HOLDS), comparison=against(loss("no worse"), loss("regressed"), state="regressed")),
    "the clean score of a look": document(case(), ner=clean("below")),
    "the clean score beside bounds that hold": document(case(HOLDS), ner=clean("below")),
    "the clean score of a run like its reference": document(case(), ner=clean("below"), comparison=SAME),
    "an error": document(case(HOLDS), complete=False, errors=[{"id": "ner/accents", "message": "?"}]),
    "a replay": document(case(HOLDS), regressions=[*REPLAYED, {**REPLAY, "id": "b", "status": "still broken"}]),
    "a bound beside one that is undecided": strict(case(OUTSIDE, BROKEN)),
}


@pytest.mark.parametrize("name", FAILS)
def test_a_failure_ends_a_run_with_1(name):
    found = conclude(typed.read(Document, FAILS[name]))
    assert (found.exit_code, found.verdict, found.headline) == (1, "fail", "FAIL")


MEASURED = {
    "no bound": case(),
    "bounds that do not block": case(BROKEN, blocking=False),
    "a bound that nothing breaks": case(UNBROKEN),
    "too few changed examples": case(FEW),
}


@every(("profile", "code"), [("quick", 0), ("dev", 10), ("ci", 10)])
@every("name", MEASURED)
def test_without_a_bound_that_is_judged_only_a_quick_look_ends_with_0(name, profile, code):
    found = conclude(typed.read(Document, document(MEASURED[name], profile=profile)))
    assert (found.exit_code, found.verdict, found.headline) == (code, "measured", "MEASURED, NOT JUDGED")


def test_one_bound_that_is_judged_is_enough_and_so_is_a_replay():
    assert conclude(typed.read(Document, document(case(FEW), case(UNBROKEN), case(HOLDS)))).verdict == "pass"
    assert conclude(typed.read(Document, document(case(), regressions=REPLAYED))).verdict == "pass"
    assert conclude(typed.read(Document, document(case(), ner=clean("above", FLOOR_HOLDS)))).verdict == "pass"
    assert (
        conclude(typed.read(Document, document(case(), ner=clean("above", FLOOR_HOLDS, blocking=False)))).verdict
        == "measured"
    )


UNDECIDED = {
    "b: nothing is comparable": document(case(HOLDS), comparison=INCOMPARABLE),
    "b: nothing is comparable in a quick look": document(case(), comparison=INCOMPARABLE, profile="quick"),
    "b: no task is in both": document(case(HOLDS), comparison={**INCOMPARABLE, "tasks": {}}),
    "b: the clean corpus alone is comparable": document(case(), comparison=against(loss("no worse"), None, OF_A_CASE)),
    "b: the reference has no case of the run": document(case(HOLDS), comparison=CASE_ALONE),
    "b: 9 common examples": document(case(HOLDS), comparison=against(loss("can't tell", n=9), loss("can't tell", n=9))),
    "b: the mean loss may be 0.11": document(
        case(HOLDS), comparison=against(loss("no worse"), loss("can't tell", 0.11))
    ),
    "b: the mean loss may be 0.07 of 0.2": document(
        case(HOLDS), comparison=against(loss("no worse"), loss("can't tell", 0.07, reference=0.2))
    ),
    "b: no mean, and the clean loss is not known": document(case(HOLDS), comparison=against(loss("can't tell", None))),
    "c: the clean score beside bounds that hold": document(case(HOLDS), ner=clean("undecided")),
    "c: the clean score of a look": document(case(), ner=clean("undecided")),
    "c: the clean score of a quick look": document(case(), ner=clean("undecided"), profile="quick"),
    "c: the clean score of a task that the reference lacks": document(
        case(), tasks={"ner": clean(), "choice": clean("undecided")}, comparison=NO_WORSE
    ),
    "d: the floor": document(case(HOLDS), ner=clean("above", FLOOR_OUTSIDE)),
    "d: the floor in a quick look": document(case(HOLDS), ner=clean("above", FLOOR_OUTSIDE), profile="quick"),
    "d: the floor beside a reference": document(case(), ner=clean("above", FLOOR_OUTSIDE), comparison=NO_WORSE),
    "e: a bound": strict(case(HOLDS, INSIDE)),
    "e: a bound on the clean corpus": strict(case(HOLDS), ner=clean("above", FLOOR_INSIDE)),
    "e: a loss": strict(case(HOLDS), comparison=OPEN),
}


@every("name", UNDECIDED)
def test_what_decides_nothing_ends_with_10_and_says_why(name):
    found = conclude(typed.read(Document, UNDECIDED[name]))
    assert (found.exit_code, found.verdict) == (10, "inconclusive")
    assert len(found.reasons) == 1
    nothing = name in ("b: nothing is comparable", "b: nothing is comparable in a quick look", "b: no task is in both")
    assert found.headline == ("NOTHING COMPARED" if nothing else "INCONCLUSIVE")


def test_each_reason_is_named():
    found = conclude(typed.read(Document, strict(case(INSIDE), ner=clean("undecided", FLOOR_OUTSIDE))))
    assert (found.exit_code, len(found.reasons)) == (10, 3)


PASSES = {
    "a bound that holds": document(case(HOLDS)),
    "a bound that holds, whatever is undecided on its inner side": document(case(HOLDS), case(INSIDE)),
    "all undecided, each estimate inside": document(case(INSIDE)),
    "a bound that does not block is outside": document(case(HOLDS), case(OUTSIDE, blocking=False)),
    "an undecided bound that does not block where undecided fails": strict(case(HOLDS), case(INSIDE, blocking=False)),
    "too few changed where undecided fails": strict(case(HOLDS), case(FEW)),
    "a floor whose estimate is inside": document(case(HOLDS), ner=clean("above", FLOOR_INSIDE)),
    "a bound outside that was not judged, having too few examples": document(case(HOLDS), case(FEW)),
    "a quick look at bounds that hold": document(case(HOLDS), profile="quick"),
    "no worse": document(case(), comparison=NO_WORSE),
    "no worse, with a bound outside": document(case(OUTSIDE), comparison=NO_WORSE),
    "the same answers, however few": document(
        case(), comparison=against(loss("identical", None, 5), loss("identical", None, 5), decided=True)
    ),
    "the same counts, the answers of the reference not known": document(
        case(), comparison=against(loss("same results", None, 5), loss("same results", None, 5), decided=True)
    ),
    "the same answers, the clean score undecided": document(case(), ner=clean("undecided"), comparison=IDENTICAL),
    "no worse, decided on 50 examples": document(
        case(), comparison=against(loss("no worse", n=50), loss("no worse", n=50), decided=True)
    ),
}

NOT_FOUND = {
    "the mean loss is at most 0.1": (
        document(case(), comparison=against(loss("no worse"), loss("can't tell", 0.1))),
        "OK",
    ),
    "the mean loss is at most 0.06 of 0.2": (
        document(case(), comparison=against(loss("no worse"), loss("can't tell", 0.06, reference=0.2))),
        "OK",
    ),
    "no worse, the clean score undecided": (document(case(), ner=clean("undecided"), comparison=NO_WORSE), "OK"),
    "bounds hold, the loss is open": (document(case(HOLDS), comparison=OPEN), "OK"),
    "a bound outside": (document(case(HOLDS), case(OUTSIDE)), "UNDECIDED"),
    "a bound outside of a label that too few hold": (document(case(HOLDS), case(RARE)), "UNDECIDED"),
    "a floor of a type outside": (document(case(HOLDS), ner=clean("above", OF_A_TYPE)), "UNDECIDED"),
}


@every("name", PASSES)
def test_what_is_decided_passes(name):
    found = conclude(typed.read(Document, PASSES[name]))
    assert (found.exit_code, found.verdict, found.headline, found.reasons) == (0, "pass", "PASS", ())


@pytest.mark.parametrize("name", NOT_FOUND)
def test_what_leaves_a_loss_or_a_failure_open_ends_with_0_and_is_not_called_a_pass(name):
    made, headline = NOT_FOUND[name]
    found = conclude(typed.read(Document, made))
    assert (found.exit_code, found.verdict, found.headline) == (0, "pass", headline)


def test_fixed_replays_are_no_verdict_where_the_only_bounds_do_not_block_and_one_failed():
    beside = case(BROKEN, blocking=False)
    found = conclude(typed.read(Document, document(beside, regressions=REPLAYED)))
    assert (found.exit_code, found.verdict, found.headline) == (10, "measured", "MEASURED, NOT JUDGED")
    clean_beside = document(case(), ner=clean("above", FLOOR_BROKEN, blocking=False), regressions=REPLAYED)
    assert conclude(typed.read(Document, clean_beside)).exit_code == 10
    assert (
        conclude(typed.read(Document, document(case(HOLDS, blocking=False), regressions=REPLAYED))).headline == "PASS"
    )
    assert conclude(typed.read(Document, document(beside, comparison=NO_WORSE))).headline == "PASS"
    assert conclude(typed.read(Document, document(beside, case(HOLDS)))).headline == "PASS"


def test_a_floor_that_does_not_block_decides_nothing():
    found = conclude(typed.read(Document, document(case(HOLDS), ner=clean("above", FLOOR_OUTSIDE, blocking=False))))
    assert (found.exit_code, found.headline) == (0, "PASS")


def test_a_run_that_did_not_finish_has_no_verdict():
    assert conclude(typed.read(Document, document(case(HOLDS), complete=False, missing=["ner/viba"]))).exit_code == 10
    assert conclude(typed.read(Document, document(case(), complete=False, profile="quick"))).exit_code == 10


# One code from every command -----------------------------------------------------------------------------------------

MODELS = """
def known(*names):
    return lambda batch: [["B-PESSOA" if word in names else "O" for word in tokens] for tokens in batch]


def all_names():
    return known(*(f"{name}{k}" for k in range(60) for name in ("José", "Jose")))


def accented_names():
    return known(*(f"José{k}" for k in range(60)))


def a_sixth():
    return known(*(f"José{k}" for k in range(10)))


def nothing():
    return known()
"""
"""Of sixty names a sixth gives F1 2 · 10 / (20 + 50) = 0.286, whose interval holds 0.3."""

GATE = "[gate]\nresamples = 300\n{}[[ner.baseline]]\n[[ner.accents]]\n{}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("models_of_conclusions.py").write_text(MODELS, encoding="utf-8")
    Path("people.conll").write_text("\n".join(f"José{k} B-PESSOA\nsaiu O\n" for k in range(60)), encoding="utf-8")
    yield
    sys.modules.pop("models_of_conclusions", None)


@pytest.mark.parametrize(
    ("model", "gate", "bound", "code"),
    [
        ("all_names", "", "max_f1_drop = 0.1", 0),
        ("accented_names", "", "max_f1_drop = 0.1", 1),
        ("nothing", "", "", 1),
        ("all_names", "", "", 10),
        ("all_names", "", "max_f1_drop = 1", 10),
        ("a_sixth", "", "", 10),
        ("a_sixth", "least = 0.1\n", "max_f1_drop = 0.25", 0),
        ("a_sixth", 'least = 0.1\ninconclusive = "fail"\n', "max_f1_drop = 0.25", 10),
    ],
    ids=[
        "pass",
        "fail",
        "finds nothing",
        "measured",
        "unbreakable",
        "small clean score",
        "undecided",
        "undecided, which fails",
    ],
)
@pytest.mark.usefixtures("folder")
def test_verdict_rejudge_compare_and_merge_end_with_the_code_of_the_run(model, gate, bound, code):
    Path("thresholds.toml").write_text(GATE.format(gate, bound), encoding="utf-8")
    named = {"model": f"models_of_conclusions:{model}", "corpus": "people.conll"}
    Session(**named, thresholds="thresholds.toml", seeds=(1,)).run().write("reports")
    whole = document_in("reports")
    assert conclude(typed.read(Document, whole)).exit_code == code
    assert main(["verdict", "reports"]) == code
    assert main(["rejudge", "reports", "--out", "again"]) == code
    assert Merged(typed.read(Document, whole), {}, None, {}, [], []).exit_code == code
    # Beside itself a run is identical, so bounds apart nothing but its clean score can fail.
    assert main(["compare", "reports", "reports"]) == (1 if model == "nothing" else 0)
