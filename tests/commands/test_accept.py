"""``abalo accept``: a run becomes a reference, whole or not at all."""

import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.documents.losses_found import Comparison
from abalo.core.records import json_records as typed
from abalo.core.statistics.evidence import read, sha256_of, to_bytes
from abalo.core.statistics.plan import Waiver
from abalo.core.statistics.sequential import LOOK
from abalo.reporting.documents.document import assemble
from abalo.reporting.runs.reference import read_reference
from tests.compared import GOOD, WORSE, found_of, run_of
from tests.reporting.documents import sample, tagged, with_least
from tests.reporting.test_comparing import ACCENTS, losses, reference
from tests.reports import rewrite, write_measured
from tests.texts import TextWith

pytestmark = pytest.mark.slow

FAILED = sample()["results"]
UNSET = sample()["options"] | dict.fromkeys(("model", "corpus", "limit", "seeds", "thresholds"))
PASSED = [result for result in FAILED if result["verdict"] == "pass"]


def run_in(folder, results=PASSED, comparison=None, least="above", **more):
    """The reports of a run with these results; ``more`` are facts of the run."""
    base = with_least(sample(), least, None if least == "above" else "F1 0.31 [0.25, 0.37]")
    if least != "above":  # which is that of another clean corpus
        results = [result for result in results if result["name"] != "baseline"]
    given = {name: base[name] for name in ("versions", "options", "gate", "tasks", "date", "commit", "dirty")}
    document = typed.as_json(
        assemble(
            given | more,
            [typed.read(Result, each) for each in results],
            (),
            (),
            complete=True,
            comparison=comparison and typed.read(Comparison, comparison),
        )
    )
    evidence = {"ner/baseline": run_of(GOOD), **{result["id"]: run_of(GOOD) for result in results}}
    write_measured(typed.read(Document, document), evidence, Path(folder))
    return Path(folder)


def said_of(name):
    """The facts in accepted.json of a reference, without the digest."""
    found = json.loads(Path("references", name, "accepted.json").read_text())
    assert len(found.pop("sha256")) == 64
    return found


def accept(name, *more):
    return main(["accept", "reports", "--as", f"references/{name}", *more])


@pytest.fixture
def reports(folder):
    return run_in("reports")


def test_a_folder_without_a_run_is_named_with_the_command_that_makes_one(folder, refused):
    Path("reports").mkdir()
    said = refused("accept", "reports", "--as", "references/1.0")
    assert said.startswith("reports: ")
    assert "robustness.json" in said
    assert "pytest --pyargs tests_behavioral --abalo-model " in said
    assert not Path("references").exists()


def test_a_reference_holds_the_report_and_all_counts_but_no_sentences(reports):
    (reports / "counterexamples.jsonl").write_text("{}\n")
    (reports / "examples.jsonl").write_text('{"case": "ner/accents", "sentence_id": "a", "seed": 1}\n')
    assert accept("1.0") == 0
    target = Path("references/1.0")
    assert sorted(path.name for path in target.iterdir()) == ["accepted.json", "evidence.npz.xz", "robustness.json"]
    assert (target / "robustness.json").read_bytes() == (reports / "robustness.json").read_bytes()
    assert sha256_of(read(target / "evidence.npz.xz")) == sha256_of(read(reports / "evidence.npz"))


def test_the_same_run_gives_the_same_bytes_whatever_the_order_of_its_cases(reports):
    assert accept("1.0") == 0
    counts = read(reports / "evidence.npz")
    (reports / "evidence.npz").write_bytes(to_bytes(dict(reversed(counts.items()))))
    assert accept("1.1") == 0
    one, two = (
        {path.name: path.read_bytes() for path in Path("references", name).iterdir()} for name in ("1.0", "1.1")
    )
    assert one == two


def test_the_commit_of_the_working_directory_is_noted_where_there_is_one(reports):
    assert accept("1.0") == 0
    Path(".git").mkdir()
    Path(".git", "HEAD").write_text("b" * 40 + "\n")
    assert accept("1.1") == 0
    today = date.today().isoformat()
    assert [said_of(name) for name in ("1.0", "1.1")] == [
        {"date": today, "commit": None},
        {"date": today, "commit": "b" * 40},
    ]


def test_a_reference_is_replaced_only_where_that_is_asked_for(reports, refused):
    assert accept("1.0") == 0
    assert "already exists; choose another name, or give --replace" in refused(
        "accept", "reports", "--as", "references/1.0"
    )
    assert accept("1.0", "--replace") == 0


def test_a_folder_that_holds_no_reference_is_not_replaced(reports, refused):
    own = Path("thesis", "evidence.npz")
    own.parent.mkdir()
    own.write_text("mine")
    said = refused("accept", "reports", "--as", "thesis", "--replace")
    assert said.startswith("--as thesis: holds other files and no accepted run")
    assert [path.name for path in own.parent.iterdir()] == ["evidence.npz"]
    assert own.read_text() == "mine"


@pytest.mark.parametrize(
    "command", [["accept", "reports", "--as", "references/1.0", "--conftest"], ["replay", "none.jsonl"]]
)
def test_what_the_conftest_here_registers_is_known(reports, command):
    Path("conftest.py").write_text("import pathlib\npathlib.Path('imported').touch()\n", encoding="utf-8")
    sys.modules.pop("conftest", None)
    main(command)
    sys.modules.pop("conftest", None)
    assert Path("imported").exists()


def test_a_run_cannot_be_accepted_as_itself(reports, refused):
    assert "is the run itself" in refused("accept", "reports", "--as", "reports", "--replace")


# What is refused ------------------------------------------------------------------------------------------------------


def with_report(folder, change, counts=None):
    """Changes the report of a run, and its counts if there are others."""
    if counts is not None:
        Path(folder, "evidence.npz").write_bytes(to_bytes(counts))
        change |= {"evidence_sha256": sha256_of(counts)}
    rewrite(Path(folder, "robustness.json"), **change)


def incomplete(folder):
    with_report(run_in(folder), {"complete": False})


def stopped_early(folder):
    counts = read(run_in(folder) / "evidence.npz")
    with_report(folder, {}, {case: replace(each, notes={LOOK: 1}) for case, each in counts.items()})


def without_clean_predictions(folder):
    others = [result for result in PASSED if result["id"] != "ner/baseline"]
    counts = read(run_in(folder, others) / "evidence.npz")
    with_report(folder, {}, {case: each for case, each in counts.items() if case != "ner/baseline"})


REFUSED = {
    "incomplete": (incomplete, "reports: the run did not finish"),
    "stopped early": (stopped_early, "reports: its cases could stop early"),
    "of no case": (lambda folder: run_in(folder, ()), "reports/robustness.json results: none; expected at least one"),
    "without clean predictions": (
        without_clean_predictions,
        "reports/robustness.json tasks.ner: no clean predictions (no evidence of ner/baseline)",
    ),
    "failed": (lambda folder: run_in(folder, FAILED), "reports/robustness.json verdict: fail ("),
    "regressed": (
        lambda folder: run_in(folder, comparison=losses()),
        "reports/robustness.json verdict: fail (2 losses against the reference 1.0",
    ),
    "too low": (
        lambda folder: run_in(folder, least="below"),
        "reports/robustness.json tasks.ner.baseline.least: the clean score is below 0.3 (F1 0.31 [0.25, 0.37])",
    ),
}


@pytest.mark.parametrize(("made", "said"), REFUSED.values(), ids=REFUSED)
def test_a_run_that_can_be_no_reference_is_refused_and_nothing_is_written(refused, made, said):
    made("reports")
    assert said in refused("accept", "reports", "--as", "references/1.0")
    assert not Path("references").exists()


@pytest.mark.parametrize("which", ["failed", "regressed"])
def test_a_run_that_failed_is_accepted_with_a_note_if_that_is_asked_for(capsys, which):
    REFUSED[which][0]("reports")
    assert accept("1.0", "--failed") == 0
    assert capsys.readouterr().out == TextWith("note: the verdict", " fail\n")


@pytest.mark.parametrize("which", [name for name in REFUSED if name not in ("failed", "regressed")])
def test_nothing_else_is_accepted_by_asking_for_it(refused, which):
    REFUSED[which][0]("reports")
    assert REFUSED[which][1] in refused("accept", "reports", "--as", "references/1.0", "--failed")


def test_a_run_whose_losses_are_waived_is_accepted():
    waived = replace(ACCENTS, waiver=Waiver(0.5, date(2027, 3, 1), "faster"))
    run_in("reports", comparison=losses(GOOD, WORSE, case=waived))
    assert accept("1.0") == 0


def test_an_undecided_clean_score_is_a_warning(capsys):
    run_in("reports", least="undecided")
    assert accept("1.0") == 0
    lines = capsys.readouterr().out.splitlines()
    said = "the clean score is undecided: F1 0.310 [0.250, 0.370]; PASS needs the whole interval above 0.300"
    assert [said in line for line in lines if line.startswith("warning: ")] == [True]


def test_a_verdict_that_was_edited_is_no_way_around(reports, refused):
    run_in("reports", FAILED)
    path = Path("reports/robustness.json")
    path.write_text(path.read_text("utf-8").replace('"verdict": "fail"', '"verdict": "pass"', 1), "utf-8")
    assert "is damaged, or was edited" in refused("accept", "reports", "--as", "references/1.0")


# What is edited -------------------------------------------------------------------------------------------------------


def edited(name, change):
    path = Path("references/1.0", name)
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")))))


EDITED = {
    "the report": lambda: rewrite("references/1.0/robustness.json", date="2026-01-01T00:00:00Z"),
    "the day": lambda: edited("accepted.json", lambda own: own | {"date": "2026-01-01"}),
    "the chain": lambda: edited(
        "accepted.json", lambda own: own | {"since": {"name": "0.9", "date": None, "mean_loss": {"ner": 0.0}}}
    ),
    "no digest": lambda: edited("accepted.json", lambda own: {"date": own["date"], "commit": None}),
}


@pytest.mark.parametrize("edit", EDITED.values(), ids=EDITED)
def test_a_reference_that_was_edited_is_refused(reports, refused, edit):
    assert accept("1.0") == 0
    edit()
    said = refused("compare", "references/1.0", "reports")
    assert said.startswith("the reference to judge against: references/1.0/accepted.json sha256: ")
    assert "restore the folder from version control, or accept the run again" in said


def test_counts_that_were_edited_or_damaged_are_refused(reports, refused):
    assert accept("1.0") == 0
    path = Path("references/1.0/evidence.npz.xz")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert "evidence.npz.xz: not the evidence of a run" in refused("compare", "references/1.0", "reports")
    path.write_bytes(to_bytes({case: run_of(WORSE) for case in read(reports / "evidence.npz")}))
    assert "not about the evidence beside it, evidence.npz.xz" in refused("compare", "references/1.0", "reports")


def test_line_ends_of_windows_are_no_edit(reports):
    assert accept("1.0") == 0
    for name in ("robustness.json", "accepted.json"):
        path = Path("references/1.0", name)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_reference(Path("references/1.0")).accepted["date"] == date.today().isoformat()


# Comparing ------------------------------------------------------------------------------------------------------------


def test_comparing_with_a_reference_gives_what_comparing_with_the_run_gives(reports, capsys):
    case = next(result["id"] for result in PASSED if result["id"] != "ner/baseline")
    Path("thresholds.toml").write_text(f"[gate]\nresamples = 300\n[[ner.{case.partition('/')[2]}]]\n")
    worse = run_in("new")
    counts = {each: run_of(WORSE) for each in read(worse / "evidence.npz")}
    fields = {"case": "ner/baseline", "seed": 1, "tokens": ["Ana"], "gold": ["B-PER"], "clean": ["O"], "edits": []}
    wrong = [fields | {"sentence_id": f"s{row:04}", "predicted": ["O"]} for row in range(200)]
    (worse / "examples.jsonl").write_text("\n".join(map(json.dumps, wrong)))
    tasks = json.loads((worse / "robustness.json").read_text("utf-8"))["tasks"]
    tasks["ner"]["model"]["fingerprint"] = "another"
    with_report("new", {"tasks": tasks}, counts)
    assert accept("reports") == 0
    found, shown = [], []
    for side in ("reports", "references/reports"):
        capsys.readouterr()
        assert main(["compare", side, "new", "--format", "json"]) == 1
        found.append(json.loads(capsys.readouterr().out)["comparison"])
        assert main(["show", "new", "--newly-broken", "--against", side, "--most", "200"]) == 0
        shown.append(capsys.readouterr().out)
    assert found[0]["tasks"] == found[1]["tasks"]
    assert found[0]["tasks"]["ner"]["baseline"]["state"] == "regressed"
    assert len(found[0]["tasks"]["ner"]["newly_worse"]) > 3
    assert shown[0] == shown[1]
    assert "s00" in shown[0]


# The chain ------------------------------------------------------------------------------------------------------------


def compared_with(name, since=None):
    """A comparison with a reference of this name in which the mean loss is that of `WORSE`, and that loss."""
    old = reference()
    said = {"date": "2026-11-01", **({} if since is None else {"since": since})}
    found = losses(found_of(0.9), _slightly_worse(), against=replace(old, name=name, accepted=said))
    return found, found["tasks"]["ner"]["mean"]["value"]


def _slightly_worse():
    worse = GOOD.copy()
    worse[[row for row in range(len(GOOD)) if GOOD[row]][:4]] = False
    return worse


def test_a_run_that_was_compared_with_nothing_begins_a_chain(reports):
    assert accept("1.0") == 0
    assert "since" not in said_of("1.0")


def test_a_run_that_was_compared_adds_its_mean_loss_to_that_of_its_reference(folder, capsys):
    first, lost = compared_with("1.0")
    assert lost > 0
    run_in("reports", comparison=first)
    assert accept("1.1") == 0
    chain = said_of("1.1")["since"]
    assert chain == {"name": "1.0", "date": "2026-11-01", "mean_loss": {"ner": pytest.approx(lost, abs=1e-6)}}
    assert f"mean loss since 1.0: {lost:.3f}\n" in capsys.readouterr().out
    second, _ = compared_with("1.1", chain)
    run_in("reports", comparison=second)
    assert accept("1.2") == 0
    assert said_of("1.2")["since"] == {
        "name": "1.0",
        "date": "2026-11-01",
        "mean_loss": {"ner": pytest.approx(2 * lost, abs=2e-6)},
    }
    assert read_reference(Path("references/1.2")).accepted["since"] == said_of("1.2")["since"]


def test_a_task_without_a_mean_loss_keeps_that_of_the_reference():
    before = {"name": "1.0", "date": None, "mean_loss": {"ner": 0.004, "pos": 0.002}}
    found, lost = compared_with("1.1", before)
    assert found["since"] == {
        "name": "1.0",
        "date": None,
        "mean_loss": {"ner": pytest.approx(0.004 + lost), "pos": 0.002},
        "limit": 0.01,
    }


# The next command -----------------------------------------------------------------------------------------------------


def next_of(capsys):
    assert accept("1.0", "--replace") == 0
    return capsys.readouterr().out.rstrip().splitlines()[-1].strip()


def test_size_and_model_are_told_and_the_command_for_the_next_model(reports, capsys):
    assert accept("1.0") == 0
    task, accepted, command = capsys.readouterr().out.splitlines()
    assert task.startswith("ner: ")
    assert task.endswith(" sentences (110 distinct)")
    assert accepted.startswith("accepted as references/1.0")
    asked = "--abalo-task ner --abalo-model NEXT_MODEL --abalo-corpus lener-br/"
    assert command.startswith(f"  pytest --pyargs tests_behavioral {asked}")


@pytest.mark.parametrize(
    ("recorded", "given"),
    [
        ({"model": None, "corpus": None}, "--abalo-model NEXT_MODEL"),
        ({"model": "a", "corpus": "my corpus.conll"}, "--abalo-model NEXT_MODEL --abalo-corpus 'my corpus.conll'"),
        ({"model": "a", "model_version": "7"}, "--abalo-model NEXT_MODEL --abalo-model-version NEXT_VERSION"),
        ({"thresholds": "thresholds.toml", "limit": 50}, "--abalo-model NEXT_MODEL --abalo-limit 50"),
        ({"repeats": 5}, "--abalo-model NEXT_MODEL --abalo-repeats 5"),
        (
            {"thresholds": "my.toml", "seeds": [1, 2], "join": True},
            "--abalo-model NEXT_MODEL --abalo-thresholds my.toml --abalo-join --abalo-seeds 1,2",
        ),
    ],
)
def test_the_command_has_the_settings_of_the_run(folder, capsys, recorded, given):
    run_in("reports", options=UNSET | recorded)
    asked = f"--abalo-task ner {given} --abalo-against references/1.0"
    assert next_of(capsys) == f"pytest --pyargs tests_behavioral {asked}"


def test_the_command_chooses_the_tests_of_the_run(folder, capsys):
    run_in(
        "reports", options=UNSET | {"model": "a", "selection": ["tests/mine", "-k", "accents or typos", "-m", "deep"]}
    )
    command = next_of(capsys)
    assert command.startswith(
        "pytest tests/mine -k 'accents or typos' -m deep --abalo-task ner --abalo-model NEXT_MODEL"
    )


def test_a_run_of_what_ships_about_several_tasks_is_run_again_without_a_model(folder, capsys):
    run_in("reports", options=UNSET, tasks={"ner": sample()["tasks"]["ner"], "pos": tagged()})
    with_report("reports", {}, {**read(Path("reports/evidence.npz")), "pos/baseline": run_of(GOOD)})
    assert next_of(capsys) == "pytest --pyargs tests_behavioral --abalo-against references/1.0"
