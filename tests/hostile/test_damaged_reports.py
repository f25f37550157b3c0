"""Reports and references that were cut short, edited or swapped: no verdict, no new report, no reference from them."""

import json
import random
import shutil
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abalo.api import Session
from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.stored import from_stored, seal_of
from abalo.reporting.runs.finished import read_run
from abalo.reporting.runs.recounting import check_recount
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES, conll
from tests.reports import document_in, rewrite, write_measured

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
EDITED = "robustness.json: is damaged, or was edited: its seal is not that of its content"
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
        "is not the report of a run in the format abalo-robustness/6; run the gate again",
    ),
    "another format": (
        edited(lambda document: document.update(schema="abalo-robustness/2")),
        "is not the report of a run in the format abalo-robustness/6; run the gate again",
    ),
    "a verdict of its own": (edited(lambda document: document.update(verdict="pass")), EDITED),
    "no verdict": (edited(lambda document: document.pop("verdict")), EDITED),
    "results that are numbers": (edited(lambda document: document.update(results=[3])), EDITED),
    "a row too few": (edited(lambda document: document["results"].pop()), EDITED),
    "another seal": (edited(lambda document: document.update(seal="0" * 64)), EDITED),
    "a seal that is none": (edited(lambda document: document.update(seal=None)), EDITED),
    "no seal": (edited(lambda document: document.pop("seal")), "robustness.json: has no seal, so it may have been"),
    "another run's report": (swapped("robustness.json", "last-run.json"), TWO_RUNS),
    "another run's evidence": (swapped("evidence.npz"), TWO_RUNS),
    "evidence cut short": (cut("evidence.npz", 500), NO_EVIDENCE),
    "empty evidence": (cut("evidence.npz", 0), NO_EVIDENCE),
    "evidence that is a report": (written("evidence.npz", b'{"schema": "abalo-robustness/6"}'), NO_EVIDENCE),
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


@pytest.mark.parametrize(("spoil", "said"), WITHOUT_VERDICT.values(), ids=WITHOUT_VERDICT)
def test_it_is_neither_judged_anew_nor_accepted_nor_compared_nor_shown(damaged, runs, refused, spoil, said):
    spoil(damaged, runs)
    assert said in refused("rejudge", "reports", "--out", "again")
    assert said in refused("accept", "reports", "--as", "kept")
    for side in (("compare", str(runs / "passed"), "reports"), ("compare", "reports", str(runs / "passed"))):
        assert said in refused(*side, "--out", "again")
    assert said in refused("history", "reports", str(runs / "passed"))
    assert said in refused("show", "reports")
    assert sorted(path.name for path in damaged.parent.iterdir()) == ["reports", "thresholds.toml"]


def test_judged_anew_by_thresholds_that_are_not_there_a_report_stays(damaged, refused):
    before = (damaged / "robustness.json").read_bytes()
    assert "nope.toml: no such thresholds file" in refused("rejudge", "reports", "--thresholds", "nope.toml")
    assert (damaged / "robustness.json").read_bytes() == before


def test_a_report_alone_has_its_verdict(damaged, capsys):
    (damaged / "evidence.npz").unlink()
    assert main(["verdict", "reports/robustness.json"]) == 1
    assert capsys.readouterr().out == "FAIL: baseline and accents fail\n"


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


def places(value, path=()):
    """The paths to all fields and parts of a document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in pairs:
        yield (*path, name)
        yield from places(each, (*path, name))


def test_the_seal_is_about_every_field_and_about_no_layout(compared):
    stored = json.loads((compared / "reports" / "robustness.json").read_text("utf-8"))
    seal = stored["seal"]
    assert seal_of(dict(reversed(stored.items()))) == seal == seal_of(json.loads(json.dumps(stored, indent=7)))
    of_others = json.loads(json.dumps(stored).replace(".0,", ",").replace(".0]", "]").replace(".0}", "}"))
    assert seal_of(of_others) == seal
    found = [place for place in places(stored) if place != ("seal",)]
    assert len(found) > 3000
    for *way, name in random.Random(1).sample(found, 300):
        holder = stored
        for each in way:
            holder = holder[each]
        before, holder[name] = holder[name], {"another": holder[name]}
        assert seal_of(stored) != seal, (way, name)
        holder[name] = before
    assert seal_of(stored) == seal


def kinds(document):
    """One edit of each field of each kind of object: its first other value."""
    found = {}
    for node, name, value in every_edit(document):
        found.setdefault((*node, name), (node, name, value))
    return found.values()


def test_counting_again_finds_an_edited_verdict_state_count_and_number(edited_run):
    stored = json.loads((edited_run / "robustness.json").read_text("utf-8"))
    run, thresholds = read_run(edited_run), Path("thresholds.toml")
    check_recount(run, thresholds, Path("reference"))
    tried, unnoticed = 0, []
    for node, name, value in random.Random(1).sample([*kinds(stored)], 24):
        before, node[name] = node[name], value
        try:
            document = typed.read(Document, from_stored(stored))
            check_recount(replace(run, document=document), thresholds, Path("reference"))
            unnoticed.append((node.get("id"), node.get("bound"), name, before, value))
        except (AbaloError, TypeError):  # counted otherwise, or out of its range
            pass
        node[name] = before
        tried += 1
    assert unnoticed == []
    assert tried == 24


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
    "a field that no report has": lambda document: document["results"][0].update(waived=True),
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


def test_a_removed_comparison_is_noticed_if_the_thresholds_name_the_reference(edited_run, refused):
    text = OF_TWO_TASKS.replace("[gate]", '[gate]\nagainst = "reference"')
    Path("thresholds.toml").write_text(text, encoding="utf-8")
    rewrite(edited_run / "robustness.json", comparison=None)
    assert "comparison is None, its evidence says {" in refused("verdict", "reports", "--recount")


def test_the_run_of_two_tasks_is_whole(compared):
    for name in ("reports", "reference"):
        document_in(compared / name)


def test_a_report_without_a_seal_is_judged_by_its_evidence(edited_run, capsys):
    recount = ("verdict", "reports", "--recount", "--against", "reference")
    edited(lambda document: document.pop("seal"))(edited_run, None)
    assert main([*recount]) == 1
    assert capsys.readouterr().out.startswith("recounted: ")
    edited(lambda document: document["results"][0].update(verdict="pass"))(edited_run, None)
    assert main([*recount]) == 2
    assert "results[choice/baseline].verdict is 'pass', its evidence says 'inconclusive'" in capsys.readouterr().err
    edited(lambda document: document["results"][0].update(inputs="many"))(edited_run, None)
    assert main([*recount]) == 2
    assert "robustness.json: is damaged" in capsys.readouterr().err


def test_a_recount_misses_a_case_that_was_taken_out(edited_run, refused):
    def without_last(document):
        document.pop("seal")
        taken.append(document["results"].pop()["id"])

    taken = []
    edited(without_last)(edited_run, None)
    said = refused("verdict", "reports", "--recount", "--against", "reference")
    assert f"it has no result of {taken[0]}, its evidence has one" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"least": "x"}, "options.least is 'x'; expected a number"),
        ({"seeds": [1, "2"]}, "options.seeds.1 is '2'; expected a whole number"),
        ({"deep": 1}, "options.deep is 1; expected true or false"),
    ],
)
def test_options_in_a_report_are_held_to_their_types(edited_run, refused, change, said):
    document = document_in(edited_run)
    rewrite(edited_run / "robustness.json", options={**document["options"], **change})
    assert said in refused("verdict", "reports")


def test_a_number_beyond_all_others_is_refused_wherever_it_stands(edited_run, refused):
    path = edited_run / "robustness.json"
    path.write_text(path.read_text(encoding="utf-8").replace("{", '{"mine": 1e999, ', 1), encoding="utf-8")
    assert "is not JSON: 1e999 is beyond all numbers here" in refused("verdict", "reports")


def test_a_recount_finds_the_reference_that_the_report_names(edited_run, refused, capsys):
    assert "was judged against reference, and no reference is given" in refused("verdict", "reports", "--recount")
    shutil.copytree("reference", "references/reference")
    assert main(["verdict", "reports", "--recount"]) == 1
    assert "evidence beside it and from references/reference\n" in capsys.readouterr().out


def test_numbers_that_nothing_else_shows_are_found_by_counting_again(edited_run, compared, refused):
    recount = ("verdict", "reports", "--recount", "--against", "reference")
    assert main([*recount]) == 1
    path = edited_run / "robustness.json"
    rewrite(path, lambda document: document["results"][3]["metrics"]["recall"].update(value=0.123))
    assert main(["verdict", "reports"]) == 1
    assert "results[ner/accents].metrics.recall.value is 0.123, its evidence says " in refused(*recount)


def test_lost_labels_are_counted_again_from_the_reference(edited_run, compared, refused):
    path = edited_run / "robustness.json"
    rewrite(path, lambda document: document["comparison"]["tasks"]["ner"]["lost"].pop())
    assert main(["verdict", "reports"]) == 1
    said = refused("verdict", "reports", "--recount", "--against", "reference")
    assert "comparison.tasks.ner.lost is " in said


def test_other_bounds_than_those_of_the_run_are_told(edited_run, refused):
    Path("other.toml").write_text(OF_TWO_TASKS.replace("max_f1_drop = 0.35", "max_f1_drop = 0.3"), encoding="utf-8")
    said = refused("verdict", "reports", "--recount", "--against", "reference", "--thresholds", "other.toml")
    assert "results[ner/keyboard[rate-0.05]].bound.max_f1_drop is 0.35, its evidence says 0.3" in said
    assert "--thresholds FILE" in said


def test_losses_are_not_counted_again_without_their_reference(edited_run, refused):
    assert "add --against FOLDER" in refused("verdict", "reports", "--recount")
    assert "leave the option out" in refused("verdict", "reference", "--recount", "--against", "reports")
    assert "add --recount" in refused("verdict", "reports", "--against", "reference")
