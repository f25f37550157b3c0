"""Reports and references that were cut short, edited or swapped: no verdict, no new report, no reference from them."""

import json
import shutil
from contextlib import chdir
from pathlib import Path

import numpy as np
import pytest

from abalo.api import Session
from abalo.cli import main
from abalo.core import records as typed
from abalo.core.document import Document
from abalo.core.found import Result
from abalo.errors import AbaloError
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.schemas import ROBUSTNESS, schema_of
from abalo.reporting.documents.schemas.fitting import Schema
from abalo.reporting.documents.stored import from_stored
from abalo.reporting.runs.finished import check_verdict, whole
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES, conll
from tests.reports import document_in, write_measured

pytestmark = pytest.mark.slow

THRESHOLDS = (
    "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\nmin_f1 = 0.9\n[[ner.accents]]\nmax_f1_drop = 0.06\n"
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


def swapped(*names):
    def swap(folder, runs):
        for name in names:
            shutil.copy(runs / "passed" / name, folder / name)

    return swap


def edited(change):
    def edit(folder, _):
        path = folder / "robustness.json"
        document = json.loads(path.read_text("utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")

    return edit


def doubled(folder, _):
    path = folder / "robustness.json"
    path.write_text(path.read_text("utf-8").replace("{", '{"schema": "",', 1), encoding="utf-8")


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
    "a verdict twice": (doubled, "robustness.json: is not JSON: the key 'schema' is there twice"),
    "brackets without end": (written("robustness.json", b"[" * 100_000), NO_JSON),
    "an array": (
        written("robustness.json", b"[]"),
        "is not the report of a run in the format abalo-robustness/4; run the gate again",
    ),
    "another format": (
        edited(lambda document: document.update(schema="abalo-robustness/2")),
        "is not the report of a run in the format abalo-robustness/4; run the gate again",
    ),
    "a verdict of its own": (
        edited(lambda document: document.update(verdict="pass")),
        "robustness.json: is damaged: its verdict is 'pass', its results say 'fail'; run the gate again",
    ),
    "a verdict that is none": (
        edited(lambda document: document.update(verdict="maybe")),
        "is damaged: verdict is 'maybe'; expected 'pass' or 'fail' or",
    ),
    "no verdict": (
        edited(lambda document: document.update(verdict=None)),
        "is damaged: verdict is None; expected 'pass' or",
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
    "another run's report": (swapped("robustness.json", "last-run.json"), TWO_RUNS),
    "another run's evidence": (swapped("evidence.npz"), TWO_RUNS),
    "evidence cut short": (cut("evidence.npz", 500), NO_EVIDENCE),
    "empty evidence": (cut("evidence.npz", 0), NO_EVIDENCE),
    "evidence that is a report": (written("evidence.npz", b'{"schema": "abalo-robustness/4"}'), NO_EVIDENCE),
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


@pytest.mark.parametrize("kind", ["a folder", "a broken link"])
def test_a_mark_of_the_last_run_that_is_no_file_is_told(damaged, refused, kind):
    mark = damaged / "last-run.json"
    mark.unlink(missing_ok=True)
    if kind == "a folder":
        mark.mkdir()
    else:
        mark.symlink_to("nowhere")
    for command in (("verdict", "reports"), ("accept", "reports", "--as", "kept"), ("rejudge", "reports")):
        assert "last-run.json: is damaged: " in refused(*command)
    assert sorted(path.name for path in damaged.parent.iterdir()) == ["reports", "thresholds.toml"]


EVEN_SO = {"a verdict of its own"}  # judged anew, it has the one that follows
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


# Edited numbers and verdicts ------------------------------------------------------------------------------------------

OF_TWO_TASKS = """
[gate]
resamples = 300
language = "pt"

[[ner.baseline]]
min_f1 = {overall = 0.45, PESSOA = 0.4}

[[ner.accents]]
max_f1_drop = 0.06

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.06

[[ner.character_noise]]
rate = 0.1
max_f1_drop = 0.1
blocking = false

[[ner.keyboard]]
rate = 0.05
max_f1_drop = 0.35
accepted_loss = 0.6
until = 2100-01-01
why = "known"

[[ner.slice]]
of = "length"
max_f1_gap = 0.3

[[ner.typo_outside]]
draws = 100
max_violations_per_thousand = 0

[[choice.baseline]]
least = 0
guesses = true
min_accuracy = 0.2

[[choice.perturbation_stability]]
k = 3
max_fragility_score = 0.99
"""
"""Bounds that hold, fail, are undecided, are out of reach and do not block, an invariance and a waiver."""


@pytest.fixture(scope="module")
def compared(runs, tmp_path_factory):
    """A folder with a run of two tasks, ``reports``, that was judged against another, ``reference``."""
    folder = tmp_path_factory.mktemp("compared")
    (folder / "thresholds.toml").write_text(OF_TWO_TASKS, encoding="utf-8")
    with chdir(folder):
        choice = Session(task="choice", thresholds="thresholds.toml").run()
        for name, model in (("reports", "blind_to_accents"), ("reference", "gazetteer")):
            given = {"model": f"{runs / 'tagging.py'}:{model}", "corpus": str(runs / "corpus.conll")}
            ner = Session(task="ner", thresholds="thresholds.toml", **given).run()
            told = typed.as_json(ner.document)
            facts = {field: told[field] for field in ("versions", "options", "gate", "date")}
            facts["tasks"] = {**typed.as_json(choice.document)["tasks"], **told["tasks"]}
            results = [*choice.document.results, *ner.document.results]
            written_run = typed.as_json(
                assemble(facts, [typed.read(Result, each) for each in results], (), (), complete=True)
            )
            write_measured(typed.read(Document, written_run), {**choice.evidence, **ner.evidence}, folder / name)
        assert main(["rejudge", "reports", "--against", "reference"]) == 1
    return folder


@pytest.fixture
def edited_run(compared, tmp_path, monkeypatch):
    """A copy of the run of two tasks, to be edited, beside its reference, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("reports", "reference"):
        shutil.copytree(compared / name, tmp_path / name)
    shutil.copy(compared / "thresholds.toml", "thresholds.toml")
    return tmp_path / "reports"


VERDICTS = ("pass", "fail", "inconclusive")
STATES = ("regressed", "can't tell", "not comparable", "accepted", "no worse", "improved", "identical")
OF_JUDGEMENT = ("verdict", "verdict_uncorrected", "reason", "limit", "value", "low", "high", "p")
OF_LOSS = ("state", "reason", "reference", "new", "value", "low", "level")


def edits(node, names):
    """Every other value of these fields of an object, as (object, field, value)."""
    for name in names:
        yield from ((node, name, other) for other in others(node, name) if other != node.get(name))


def others(node, name):
    """Other values of a field, numbers far from the one that it has."""
    said = node.get(name)
    if name in ("verdict", "verdict_uncorrected"):
        return VERDICTS
    if name == "state":
        return ("below", "undecided", "above") if "guesses" in node else STATES
    if name == "reason":
        return ("the interval contains the bound",) if said is None else (None,)
    if said is None:
        return ()
    if isinstance(said, bool):
        return (not said,)
    if name == "low" and node.get("state", "regressed") != "regressed":
        return (said + 3,)  # a lower one allows the same state
    return (0.5 if said < 0.25 else 0.0,) if name == "p" else (said + 3, said - 3)


def every_edit(document):
    """Each verdict, state, count and number of a document by which a run is judged, changed by itself."""
    yield from edits(document, ("verdict",))
    yield from edits(document["counts"], document["counts"])
    yield from edits(document["gate"], ("confidence", "bounds"))
    for result in document["results"]:
        if result["judgements"]:
            yield from edits(result, ("verdict", "verdict_uncorrected", "reason", "p", "m"))
        else:
            yield from edits(result, ("verdict", "verdict_uncorrected"))
        for judgement in result["judgements"]:
            yield from edits(judgement, OF_JUDGEMENT)
    for own in document["tasks"].values():
        yield from edits(own["baseline"], ("verdict", "blocking"))
        yield from edits(own["baseline"]["least"], ("state",))
        for judgement in own["baseline"]["judgements"]:
            yield from edits(judgement, OF_JUDGEMENT)
        for judgement in own["baseline"]["least"]["judgements"]:
            yield from edits(judgement, ("verdict", "reason", "value", "low", "high", "limit"))
    comparison = document["comparison"]
    yield from edits(comparison, ("state", "decided", "level"))
    for own in comparison["tasks"].values():
        yield from edits(own, ("state", "decided"))
        for row in (own["baseline"], own["mean"], *own["losses"]):
            yield from edits(row, OF_LOSS if row["value"] is not None else ("state", "reason"))


def whole_report(stored, folder):
    """Whether a document in its stored form is taken for whole."""
    path = folder / "nowhere" / "robustness.json"
    try:
        with whole(path):
            check_verdict(path, typed.read(Document, from_stored(stored)))
    except AbaloError:
        return False
    return True


def test_every_edited_verdict_state_count_and_number_is_noticed(compared):
    stored = json.loads((compared / "reports" / "robustness.json").read_text("utf-8"))
    assert whole_report(stored, compared)
    assert {each["verdict"] for each in stored["results"]} == {"pass", "fail", "inconclusive"}
    unnoticed, tried = [], 0
    for node, name, value in [*every_edit(stored)]:
        before, node[name] = node[name], value
        if whole_report(stored, compared):
            unnoticed.append((node.get("id"), node.get("bound"), name, before, value))
        node[name] = before
        tried += 1
    assert unnoticed == []
    assert tried > 500


def places(value, path=(), shape=()):
    """The paths to all fields and parts of a document, one of those that differ in numbers alone."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in pairs:
        alike = (*shape, 0 if isinstance(name, int) else name)
        yield alike, (*path, name)
        yield from places(each, (*path, name), alike)


OPEN = {"metrics", "per_type", "params", "kinds", "left_out"}
"""Objects in results and losses in which tasks and kinds of case name the fields."""

JUDGED = {"results", "comparison", "gate", "counts", "complete", "verdict", "evidence_sha256"}
"""Fields at the top by which a run is judged."""

OPTIONAL = {"commit", "date", "dirty", "headline", "moved", "since"}
"""Fields that a report can be without, and on which no verdict depends."""


def test_every_field_that_is_gone_is_noticed_wherever_a_report_is_read(edited_run):
    path = edited_run / "robustness.json"
    stored = json.loads(path.read_text("utf-8"))
    schema, kept = Schema(schema_of(ROBUSTNESS)), set()
    assert schema.misfit(stored) is None
    for *way, name in dict(places(stored)).values():
        if (way or [name])[0] not in JUDGED or "rest" in way:
            continue
        holder = stored
        for each in way:
            holder = holder[each]
        if isinstance(holder, dict):
            before = dict(holder)
            del holder[name]
            if schema.misfit(stored) is None and whole_report(stored, edited_run):
                kept.add((*way, name))
            holder.clear()
            holder.update(before)
    told = {each for each in kept if not OPEN & {*each} and each[-1] not in OPTIONAL}
    assert not told


READERS = (
    ("verdict", "reports"),
    ("verdict", "reports", "--recount", "--against", "reference"),
    ("comment", "reports"),
    ("accept", "reports", "--as", "kept", "--failed"),
    ("log-mlflow", "reports"),
    ("compare", "reference", "reports"),
    ("history", "reports", "reference"),
    ("show", "reports"),
    ("rejudge", "reports", "--out", "again"),
    ("merge", "reports", "--out", "again"),
)
MISSHAPEN = {
    "no digest of the evidence": lambda document: document.pop("evidence_sha256"),
    "no level of a loss": lambda document: losses_of(document)[0].pop("level"),
    "a waiver that does not say what was allowed": lambda document: losses_of(document)[0].update(
        waiver={"accepted_loss": 0.9, "until": "2100-01-01", "why": "x", "over": False}
    ),
    "a field that no report has": lambda document: document["results"][0].update(waived=True),
    "no gate": lambda document: document.pop("gate"),
}


def losses_of(document):
    return document["comparison"]["tasks"]["ner"]["losses"]


@pytest.mark.parametrize("change", MISSHAPEN.values(), ids=MISSHAPEN)
@pytest.mark.parametrize("command", READERS, ids=lambda command: " ".join(command[:3]))
def test_a_report_of_another_form_is_refused_by_every_command(edited_run, refused, change, command):
    edited(change)(edited_run, None)
    assert "reports/robustness.json: is damaged" in refused(*command)
    assert not Path("kept").exists()
    assert not Path("again").exists()


SETTLED = {
    "no mean, though cases have weights in it": lambda own: own.update(mean=None),
    "a loss twice": lambda own: own["losses"].append(own["losses"][0]),
    "no level of a loss that chance has a part in": lambda own: next(
        row for row in own["losses"] if row["p"] not in (None, 0, 1)
    ).update(level=None),
}


@pytest.mark.parametrize("change", SETTLED.values(), ids=SETTLED)
def test_losses_that_cannot_stand_beside_each_other_are_noticed(compared, change):
    stored = json.loads((compared / "reports" / "robustness.json").read_text("utf-8"))
    change(stored["comparison"]["tasks"]["ner"])
    assert not whole_report(stored, compared)


def test_a_removed_comparison_is_noticed_if_the_thresholds_name_the_reference(edited_run, refused):
    text = OF_TWO_TASKS.replace("[gate]", '[gate]\nagainst = "reference"')
    Path("thresholds.toml").write_text(text, encoding="utf-8")
    edited(lambda document: document.update(comparison=None))(edited_run, None)
    assert "comparison is None, its evidence say {" in refused("verdict", "reports", "--recount")


def test_a_row_that_is_gone_is_noticed(compared):
    stored = json.loads((compared / "reports" / "robustness.json").read_text("utf-8"))
    for number, result in enumerate(stored["results"]):
        without = stored | {"results": [*stored["results"][:number], *stored["results"][number + 1 :]]}
        assert not whole_report(without, compared), result["id"]


def test_the_run_of_two_tasks_is_whole(compared):
    for name in ("reports", "reference"):
        document_in(compared / name)


def to_pass(document):
    document["results"][0].update(verdict="pass", verdict_uncorrected="pass", reason=None)


@pytest.mark.parametrize(
    "command",
    [("verdict",), ("comment",), ("accept", "--as", "kept", "--failed"), ("log-mlflow",)],
    ids=lambda command: command[0],
)
def test_every_command_that_trusts_a_report_refuses_an_edited_one(edited_run, compared, refused, command):
    edited(to_pass)(edited_run, compared)
    said = refused(command[0], "reports", *command[1:])
    assert said.startswith("reports/robustness.json: is damaged: results[choice/baseline].verdict is 'pass', its judge")
    assert said.endswith("run the gate again")
    assert not Path("kept").exists()


def test_numbers_that_nothing_else_shows_are_found_by_counting_again(edited_run, compared, refused):
    recount = ("verdict", "reports", "--recount", "--against", "reference")
    assert main([*recount]) == 1
    edited(lambda document: document["results"][3]["metrics"]["recall"].update(value=0.123))(edited_run, compared)
    assert main(["verdict", "reports"]) == 1
    assert "results[ner/accents].metrics.recall.value is 0.123, its evidence say " in refused(*recount)


def test_lost_labels_are_counted_again_from_the_reference(edited_run, compared, refused):
    edited(lambda document: document["comparison"]["tasks"]["ner"]["lost"].pop())(edited_run, compared)
    assert main(["verdict", "reports"]) == 1
    said = refused("verdict", "reports", "--recount", "--against", "reference")
    assert "comparison.tasks.ner.lost is " in said


def test_other_bounds_than_those_of_the_run_are_told(edited_run, refused):
    Path("other.toml").write_text(OF_TWO_TASKS.replace("max_f1_drop = 0.35", "max_f1_drop = 0.3"), encoding="utf-8")
    said = refused("verdict", "reports", "--recount", "--against", "reference", "--thresholds", "other.toml")
    assert "results[ner/keyboard[rate-0.05]].bound.max_f1_drop is 0.35, its evidence say 0.3" in said
    assert "--thresholds FILE" in said


def test_losses_are_not_counted_again_without_their_reference(edited_run, refused):
    assert "add --against FOLDER" in refused("verdict", "reports", "--recount")
    assert "leave the option out" in refused("verdict", "reference", "--recount", "--against", "reports")
    assert "add --recount" in refused("verdict", "reports", "--against", "reference")
