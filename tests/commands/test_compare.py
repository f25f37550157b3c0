"""``abalo compare``: two finished runs, judged as a run with --abalo-against judges."""

import json
import os
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.core.records.gate import UNDECIDED
from abalo.core.statistics.evidence import sha256_of, to_bytes
from abalo.locking import FolderLock
from abalo.reporting.formats.files import write_examples, write_json
from tests.compared import EQUAL, GOOD, WORSE, run_of
from tests.reporting.documents import questioned, sample, tagged
from tests.reporting.test_comparing import facts
from tests.reporting.test_schema import PAGE, rows_under
from tests.reports import accept, read_back, rewrite
from tests.texts import TextWith

THRESHOLDS = "[gate]\nresamples = 500\n[[ner.baseline]]\n[[ner.accents]]\n"
BROKEN = next(f"s{row:04}" for row in range(200) if GOOD[row] and not WORSE[row])
"""A sentence whose entity the worse model alone has missed."""


def run_in(
    name,
    found,
    *,
    fingerprint="one",
    records=None,
    cases=("ner/baseline", "ner/accents"),
    changed=None,
    tasks=None,
    **evidence,
):
    """The folder of a run of a model with this fingerprint, which found these entities, clean and ``changed``."""
    folder = Path(name)
    counts = {case: run_of(found, **evidence) for case in cases}
    if changed is not None:
        counts["ner/accents"] = run_of(changed)
    facts_of = tasks or {"ner": facts(fingerprint)}
    made = sample() | {"results": [], "tasks": facts_of, "evidence_sha256": sha256_of(counts)}
    write_json(typed.read(Document, made), folder)
    (folder / "evidence.npz").write_bytes(to_bytes(counts))
    write_examples(records, folder)
    return folder


def record(text="Ana", **more):
    """The line of examples.jsonl about the sentence that broke."""
    fields = {"case": "ner/baseline", "sentence_id": BROKEN, "seed": 1, "tokens": [text], "gold": ["B-PER"]}
    return json.dumps({**fields, "clean": ["O"], "edits": [], "predicted": ["O"], **more})


@pytest.fixture(autouse=True)
def old(folder):
    """The accepted run, in ``old``; a thresholds file is there, too."""
    Path("thresholds.toml").write_text(THRESHOLDS)
    return run_in("old", GOOD)


def compared(capsys, *arguments):
    """The exit code of the command, and its JSON."""
    code = main(["compare", "old", "new", "--format", "json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_loss_ends_with_1_and_nothing_lost_with_0(capsys):
    run_in("new", WORSE, fingerprint="two")
    code, found = compared(capsys)
    assert (code, found["verdict"], found["comparison"]["state"]) == (1, "fail", "regressed")
    run_in("new", GOOD)
    code, found = compared(capsys)
    assert (code, found["verdict"], found["comparison"]["state"]) == (0, "pass", "identical")


def test_the_page_of_the_schema_names_every_field_and_no_other(capsys):
    run_in("new", GOOD)
    found = compared(capsys)[1]
    assert rows_under("### comparison.json") == set(found)
    (row,) = re.findall(r"(?m)^\| `reference`, `new` \|.*", PAGE)
    assert set(found["new"]) == set(found["reference"]) <= {*re.findall(r"`(\w+)`", row)}


def test_what_cannot_be_told_fails_only_where_the_gate_says_so(capsys):
    run_in("new", EQUAL, fingerprint="two")
    assert compared(capsys)[0] == 0
    assert main(["compare", "old", "new"]) == 0
    assert "\nOK: clean at most " in capsys.readouterr().out
    Path("strict.toml").write_text(THRESHOLDS.replace("[gate]", '[gate]\ninconclusive = "fail"'))
    assert compared(capsys, "--thresholds", "strict.toml")[0] == UNDECIDED


def test_where_nothing_can_be_compared_it_ends_with_10(capsys):
    run_in("new", WORSE, gold="another corpus")
    assert main(["compare", "old", "new"]) == UNDECIDED
    said = capsys.readouterr().out
    assert said.startswith("NOTHING COMPARED: ")
    assert re.search(r"NOT COMPARABLE +ner/baseline +all .*only 0 distinct", said)


def test_runs_on_other_examples_say_what_their_scores_are_over(capsys):
    other = facts("two")
    other["corpus"] = other["corpus"] | {"sha256": "0" * 64}
    run_in("new", WORSE, tasks={"ner": other})
    shared = compared(capsys)[1]["comparison"]["tasks"]["ner"]["baseline"]["n"]
    assert main(["compare", "old", "new"]) == 1
    assert f"\nner: the runs are not on the same examples; both scores of a row are over the {shared} distinct " in (
        capsys.readouterr().out
    )
    run_in("new", WORSE, fingerprint="two")
    assert main(["compare", "old", "new"]) == 1
    assert "not on the same examples" not in capsys.readouterr().out


def test_the_file_that_is_named_gives_the_limits(capsys):
    run_in("new", WORSE, fingerprint="two")
    Path("loose.toml").write_text(THRESHOLDS.replace("[gate]", "[gate]\nmax_loss = 0.5"))
    code, found = compared(capsys, "--thresholds", "loose.toml")
    assert (code, found["comparison"]["state"], found["gate"]["max_loss"]) == (0, "no worse", 0.5)
    assert found["thresholds"] == "loose.toml"


def test_there_is_a_line_for_each_case_and_type_and_the_last_one_names_what_regressed(capsys):
    kinds = ["PER", "LOC"] * 100
    run_in("old", GOOD, kinds=kinds)
    run_in("new", WORSE, kinds=kinds, fingerprint="two")
    assert main(["compare", "old", "new"]) == 1
    *parts, last = capsys.readouterr().out.split("\n\n")
    (table,) = (part for part in parts if "every case and entity type" in part)
    rows = [line.split() for line in table.splitlines()[2:]]
    told = {(row[1], row[2]) for row in rows if row[0] == "REGRESSED" and row[1] != "ner/mean"}
    whole = {(case, "all") for case in ("ner/baseline", "ner/accents")}
    assert told == whole | {(case, kind) for case in ("ner/baseline", "ner/types") for kind in ("PER", "LOC")}
    shown = [row for row in rows if row[:2] == ["NOT", "JUDGED"]]
    assert len(rows) == len(told) + len(shown) + 1  # the mean over the perturbed cases
    assert f": 4 losses in {len(rows)} rows, every case" in table
    assert {(row[2], row[3]) for row in shown} == {("ner/accents", "PER"), ("ner/accents", "LOC")}
    assert last == "FAIL: 3 losses against the reference old: ner/baseline, ner/types, ner/accents\n"


def test_both_runs_are_named_with_age_commit_model_and_corpus(capsys):
    accepted = date.today() - timedelta(days=21)
    accept("old", date=accepted.isoformat(), commit="c0ffee")
    run_in("new", GOOD, fingerprint="two")
    made = {"date": f"{date.today()}T12:00:00Z", "commit": "0123456789abcdef" * 2 + "01234567", "dirty": False}
    rewrite("new/robustness.json", **made)
    assert main(["compare", "old", "new"]) == 0
    said = capsys.readouterr().out
    assert re.search(rf"Run +2026-11-22 \(.*\) +{date.today()} \(today\)", said)
    assert re.search(r"Commit +89abcdef0123, .*not committed +0123456789ab\s", said)
    assert re.search(rf"Accepted +{accepted} \(21 days ago\) at commit c0ffee +not accepted", said)
    assert main(["compare", "old", "new", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: found["new"][name] for name in made} == made
    assert found["reference"]["commit"] == sample()["commit"]
    assert found["comparison"]["reference"]["run"] == {name: sample()[name] for name in made}
    name, corpus = facts()["model"]["name"], facts()["corpus"]["name"]
    assert re.search(rf"ner: model .*{re.escape(name)} \(one\).*{re.escape(name)} \(two\)", said)
    assert said.count(corpus) == 2


def test_runs_of_an_earlier_version_are_named_by_what_is_known_of_them(capsys):
    run_in("new", GOOD, fingerprint="two")
    for name in ("old", "new"):
        rewrite(Path(name, "robustness.json"), lambda document: [*map(document.pop, ("date", "commit", "dirty"))])
    accept("old", date="2026-11-01", commit="c0ffee")
    assert main(["compare", "old", "new"]) == 0
    said = capsys.readouterr().out
    today = rf"not recorded; report of {date.today()} \(today\)"
    assert re.search(rf"Run +{today} +{today}", said)
    assert re.search(r"Commit +c0ffee +not recorded", said)


def test_sentences_are_told_with_what_was_changed(capsys):
    edit = {"start": 0, "stop": 1, "tokens": ["Jose"], "tags": ["B-PER"]}
    told = [record("José", case="ner/accents", edits=[edit])]
    run_in("new", GOOD, fingerprint="two", records=told, changed=WORSE)
    code, found = compared(capsys)
    texts = [each["text"] for each in found["comparison"]["tasks"]["ner"]["newly_worse"]]
    assert (code, "Jose   (right: [Jose PER]; changed: José → Jose)" in texts) == (1, True)
    run_in("old", WORSE, records=[record("Rui")])
    run_in("new", GOOD, fingerprint="two", records=[])
    better = compared(capsys)[1]["comparison"]["tasks"]["ner"]["newly_better"]
    assert "Rui   (right: [Rui PER])" in [each["text"] for each in better]


def test_without_examples_sentences_are_ids_and_that_is_said(capsys):
    run_in("old", GOOD, records=[record()])
    run_in("new", WORSE, fingerprint="two")
    assert main(["compare", "old", "new"]) == 1
    said = capsys.readouterr().out
    assert said == TextWith("by their ids", "no examples.jsonl", "(--abalo-no-text)")
    assert f"{BROKEN}, seed 1" in said


def test_what_is_in_one_run_alone_or_not_in_the_file_is_told_with_the_reason(capsys):
    run_in("old", GOOD, cases=("ner/baseline", "ner/accents", "ner/keyboard"))
    run_in("new", GOOD, cases=("ner/baseline", "ner/keyboard", "ner/typos"))
    found = compared(capsys)[1]
    assert {each["id"]: each["reason"] for each in found["left_out"]} == {
        "ner/accents": TextWith("new run"),
        "ner/keyboard": TextWith("thresholds.toml", "--thresholds"),
        "ner/typos": TextWith("thresholds.toml", "--thresholds"),
    }
    assert found["comparison"]["tasks"]["ner"]["only_reference"] == []
    assert main(["compare", "old", "new"]) == 0
    assert "  ner/accents: the new run " in capsys.readouterr().out


def test_tasks_of_one_run_alone_are_told(capsys):
    one = {"ner": facts()}
    sides = {"old": {"pos": tagged(), **one, **questioned()["tasks"]}, "new": one}
    for name, tasks in sides.items():
        run_in(name, GOOD, tasks=tasks)
    code, found = compared(capsys)
    reason = TextWith("new run", "this task")
    assert (code, found["comparison"]["state"]) == (0, "identical")
    assert found["left_out"] == [{"id": name, "reason": reason} for name in ("choice", "pos")]
    main(["compare", "new", "old"])
    assert "not comparable: the reference new did not judge choice, pos" in capsys.readouterr().out


HOSTILE = "<script>alert(1)</script>\x1b[31m|`"


def test_text_of_a_corpus_means_nothing_but_itself(capsys):
    run_in("new", WORSE, fingerprint="two", records=[record(HOSTILE)])
    for form in ("text", "markdown", "html", "json"):
        assert main(["compare", "old", "new", "--format", form]) == 1
        said = capsys.readouterr().out
        assert "alert(1)" in said
        assert "\x1b" not in said
        assert form in ("text", "json") or "<script>" not in said
        assert form != "markdown" or "\\|\\`" in said


def test_files_are_written_together_for_pages_and_programs(capsys):
    run_in("new", WORSE, fingerprint="two", records=[record()])
    _, found = compared(capsys, "--out", "out")
    out = Path("out")
    assert {path.name for path in out.iterdir()} - {".abalo.lock"} == {
        f"comparison.{s}" for s in ("html", "md", "json")
    }
    assert json.loads((out / "comparison.json").read_text("utf-8")) == found
    assert (out / "comparison.md").read_text("utf-8").startswith("# ✗ FAIL: 2 losses against the reference old\n")
    page = (out / "comparison.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "http" not in re.sub(r"xmlns=\S+", "", page)


def test_a_page_in_markdown_stays_within_the_limit_of_a_comment(capsys):
    kinds = [f"TYPE_{k % 9}_{'X' * 90}" for k in range(200)]
    rates = [f"0.{k:02}1" for k in range(30)]
    cases = ["ner/baseline", "ner/accents", *(f"ner/word_insertion[rate-{rate}]" for rate in rates)]
    entries = "".join(f"[[ner.word_insertion]]\nrate = {rate}\n" for rate in rates)
    Path("thresholds.toml").write_text(THRESHOLDS.replace("500", "100") + entries)
    for name, found in (("old", GOOD), ("new", WORSE)):
        run_in(name, found, kinds=kinds, cases=cases, fingerprint=name)
    assert main(["compare", "old", "new", "--format", "markdown"]) == 1
    page = capsys.readouterr().out
    assert len(page.encode()) <= 60_000
    assert re.search(r"\d+ more rows; --format json ", page)


@pytest.mark.skipif(os.name == "nt", reason="locks of another kind")
def test_a_folder_in_use_or_of_a_reference_is_refused_and_stays_as_it_is(refused):
    run_in("new", WORSE, fingerprint="two")
    with FolderLock(Path("out")):
        assert "out: in use by another run" in refused("compare", "old", "new", "--out", "out")
    assert [path.name for path in Path("out").iterdir()] == [".abalo.lock"]
    accept("old", date="2026-11-01", commit=None)
    before = {path.name: path.read_bytes() for path in Path("old").iterdir()}
    assert "old: holds an accepted run" in refused("compare", "old", "new", "--out", "old")
    assert {path.name: path.read_bytes() for path in Path("old").iterdir()} == before


def unfinished(folder):
    write_json(typed.read(Document, read_back(folder) | {"complete": False}), folder)


def without_evidence(folder):
    (folder / "evidence.npz").unlink()


def damaged(folder):
    (folder / "robustness.json").write_text('{"schema": ')


def of_another_schema(folder):
    (folder / "robustness.json").write_text('{"schema": "other/1"}')


def gone(folder):
    (folder / "robustness.json").unlink()


def accepted_nowhere(folder):
    (folder / "accepted.json").write_text("[")


SPOILT = {
    "unfinished": (unfinished, ": the run did not finish; take one that did"),
    "without evidence": (without_evidence, "/evidence.npz: cannot be read: No such file or directory"),
    "damaged": (damaged, "/robustness.json: is not JSON"),
    "of another schema": (of_another_schema, "/robustness.json: is not the report of a run in the format abalo-"),
    "gone": (gone, ": holds no run (no robustness.json); give the folder of a run"),
    "accepted nowhere": (accepted_nowhere, "/accepted.json: cannot be read: "),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("side", ["old", "new"])
def test_a_run_that_cannot_be_read_is_one_message(refused, spoil, said, side):
    run_in("new", GOOD)
    spoil(Path(side))
    message = refused("compare", "old", "new", "--out", "out")
    assert message.startswith(f"{side}{said}" if side == "new" else f"the reference to judge against: {side}{said}")
    assert not Path("out").exists()


def test_a_run_without_text_removes_what_was_quoted_and_nothing_else(capsys):
    run_in("new", WORSE, fingerprint="two", records=[record()])
    assert main(["compare", "old", "new", "--out", "new"]) == 1
    Path("new/notes.html").write_text("mine")
    write_examples(None, Path("new"))
    assert sorted(path.name for path in Path("new").iterdir()) == [
        ".abalo.lock",
        "evidence.npz",
        "notes.html",
        "robustness.json",
    ]
    for name in ("comparison.json", "comparison.md"):
        Path("new", name).write_text('{"mine": 1}\n')
    write_examples(None, Path("new"))
    assert Path("new/comparison.json").exists()
    assert Path("new/comparison.md").exists()
