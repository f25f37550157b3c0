"""``abalo gate``: exit codes, files, options, references and history of scores."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import jsonschema
import pytest

from abalo.cli import main
from abalo.core.records.json_records import json_schema
from abalo.scores.facts import GateDocument
from tests.rows import every
from tests.scores.conftest import answers, gate, noisy, write_rows

__all__ = ["gate"]


@pytest.fixture
def sides(tmp_path):
    """Earlier scores, the same again, and worse ones."""
    names = {"old": 0, "same": 0, "worse": 60}
    return [write_rows(tmp_path / f"{name}.jsonl", answers(300, wrong=wrong)) for name, wrong in names.items()]


def test_the_exit_code_is_that_of_a_run(gate, sides, tmp_path):
    old, same, worse = sides
    few = write_rows(tmp_path / "few.jsonl", answers(300, wrong=12))
    assert [gate(old, each)[0] for each in (same, worse, tmp_path / "none.jsonl")] == [0, 1, 2]
    assert gate(old, few, "--max-loss", "0.1")[0] == 0
    assert gate(old)[0] == 10
    assert gate(old, "--minimum", "0.8")[0] == 0
    assert gate(old, "--minimum", "0.97")[0] == 1


def test_a_verdict_says_how_many_limits_are_decided(gate, tmp_path):
    rows = write_rows(tmp_path / "rows.jsonl", answers(400))
    assert "PASS: limits of the new scores hold\n" in gate(rows, "--minimum", "0.8")[1]
    assert "PASS: 1 limit undecided, every estimate inside\n" in gate(rows, "--minimum", "0.89")[1]


def test_all_files_are_written(gate, sides, tmp_path):
    code, said = gate(sides[0], sides[2], "--out", "out")
    files = {path.name for path in (tmp_path / "out").iterdir() if not path.name.startswith(".")}
    assert code == 1
    assert files == {"gate.html", "gate.json", "gate.md", "junit.xml", "report.metrics.json", "scores.jsonl.gz"}
    document = json.loads((tmp_path / "out/gate.json").read_text("utf-8"))
    jsonschema.validate(document, json_schema(GateDocument))
    assert (document["verdict"], document["exit_code"]) == ("fail", 1)
    loss = document["metrics"]["score"]["loss"]
    assert loss["value"] == pytest.approx(0.2)
    numbers = json.loads((tmp_path / "out/report.metrics.json").read_text("utf-8"))
    assert numbers["score"] == pytest.approx(0.7)
    assert (numbers["score/loss.low"], numbers["score/newly_wrong"]) == (loss["low"], 0.2)
    suite = ET.parse(tmp_path / "out/junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    comment = (tmp_path / "out/gate.md").read_text("utf-8")
    assert comment.startswith("# ✗ FAIL")
    assert comment.endswith("<!-- abalo comment: gate -->\n")
    assert said.startswith("FAIL")


def test_text_of_others_is_escaped(gate, tmp_path):
    evil = [{"id": f"<b>{k}</b>|", "score": s, "slice": "<i>\u202e::error::"} for k, s in answers(100)]
    worse = [{**row, "score": 0} for row in evil]
    gate(write_rows(tmp_path / "a", evil), write_rows(tmp_path / "b", worse), "--out", "out")
    page = (tmp_path / "out/gate.html").read_text("utf-8")
    assert "<b>" not in page
    assert "\u202e" not in page + (tmp_path / "out/gate.md").read_text("utf-8")
    assert "&lt;b" in page


def test_the_page_holds_all_and_loads_nothing(gate, sides, tmp_path):
    gate(sides[0], sides[2], "--out", "out")
    page = (tmp_path / "out/gate.html").read_text("utf-8")
    assert not re.search(r"<(script|link|img)|src=|url\((?!.?(data:|#))", page)


def test_accepted_scores_are_a_reference(gate, sides, tmp_path, capsys):
    old, same, worse = sides
    assert main(["accept", str(old), "--as", "references/one"]) == 0
    assert [gate(each, "--against", "references/one")[0] for each in (same, worse)] == [0, 1]
    (tmp_path / "thresholds.toml").write_text('[gate]\nagainst = "references/one"\n', encoding="utf-8")
    assert gate(worse)[0] == 1
    assert main(["accept", str(worse), "--as", "references/one"]) == 2
    capsys.readouterr()


def test_the_folder_of_a_gate_is_accepted_unless_it_failed(gate, sides, capsys):
    gate(sides[0], sides[2], "--out", "out")
    assert main(["accept", "out", "--as", "references/bad"]) == 2
    assert main(["accept", "out", "--as", "references/bad", "--failed"]) == 0
    capsys.readouterr()
    assert gate(sides[2], "--against", "references/bad")[0] == 0


def test_kept_scores_are_those_that_were_judged(gate, tmp_path):
    rows = [
        {"id": k, "metric": m, "score": s / (2 if m == "b" else 1), "run": r, "cluster": f"c{n // 2}", "slice": ["x"]}
        for m in "ab"
        for r in range(2)
        for n, (k, s) in enumerate(noisy(80, 0.8, r))
    ]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    assert main(["accept", str(path), "--as", "references/one"]) == 0
    gate(path, path, "--out", "plain")
    gate(path, "--against", "references/one", "--out", "kept")
    plain, kept = (json.loads((tmp_path / name / "gate.json").read_text("utf-8")) for name in ("plain", "kept"))
    assert plain["metrics"] == kept["metrics"]
    assert kept["metrics"]["a"]["loss"]["state"] == "same results"
    assert kept["metrics"]["a"]["loss"]["n"] == 40


@every("name", ["scores.jsonl.gz", "accepted.json"])
def test_a_reference_that_was_edited_is_refused(gate, sides, tmp_path, name):
    main(["accept", str(sides[0]), "--as", f"references/{name[0]}"])
    path = tmp_path / "references" / name[0] / name
    path.write_bytes(path.read_bytes().replace(b"2", b"3") + b" " * (name == "scores.jsonl.gz"))
    assert gate(sides[1], "--against", f"references/{name[0]}")[0] == 2


def test_history_judges_each_against_the_one_before(sides, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, path in zip(("1.0", "1.1", "1.2"), (sides[0], sides[2], sides[1]), strict=True):
        main(["accept", str(path), "--as", f"references/{name}"])
    capsys.readouterr()
    assert main(["history", "references", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["releases"]
    assert [each["states"] for each in found] == [{}, {"score": "regressed"}, {"score": "improved"}]
    assert [round(each["means"]["score"], 3) for each in found] == [0.9, 0.7, 0.9]


RULES = """
[gate]
resamples = 500
max_loss = 0.5

[[scores.faithfulness]]
range = [1, 5]
max_loss = 0.05
minimum = 3

[[scores.seconds]]
range = "none"
better = "less"
max_loss = 1.0
blocking = false
"""


def test_rules_are_read_from_the_thresholds_file(gate, tmp_path):
    (tmp_path / "thresholds.toml").write_text(RULES, encoding="utf-8")
    for name, shift in (("old", 0), ("new", 1)):
        rows = "".join(f"{k},{4 - shift * (k % 2)},{2 + k % 3 + 5 * shift}\n" for k in range(100))
        (tmp_path / f"{name}.csv").write_text(f"q,faithfulness,seconds\n{rows}", encoding="utf-8")
    code, _ = gate("old.csv", "new.csv", "--id", "q", "--out", "out")
    found = json.loads((tmp_path / "out/gate.json").read_text("utf-8"))["metrics"]
    assert code == 1
    assert {name: own["loss"]["state"] for name, own in found.items()} == dict.fromkeys(found, "regressed")
    assert found["faithfulness"]["loss"]["value"] == 0.125
    assert found["seconds"]["loss"]["value"] == 5.0
    code, said = gate("old.csv", "new.csv", "--id", "q", "--metric", "seconds")
    assert (code, "not blocking: seconds lost 5.00" in said) == (0, True)


@every(
    "text, place",
    [
        ("[[scores.a]]\nrang = [0, 1]", "[[scores.a]] rang"),
        ("[[scores.a]]\nrange = [1]", "[[scores.a]] range"),
        ('[[scores.a]]\nrange = "none"', "[[scores.a]] max_loss"),
        ("[[scores.a]]\n[[scores.a]]", "[[scores.a]]"),
        ("[scores]\na = 1", "[[scores.a]]"),
        ("[[scores.a]]\nmax_newly_wrong = 2", "[[scores.a]] max_newly_wrong"),
    ],
)
def test_a_rule_that_cannot_be_used_is_named(gate, tmp_path, text, place):
    (tmp_path / "thresholds.toml").write_text(text, encoding="utf-8")
    code, said = gate(write_rows(tmp_path / "a.jsonl", answers(50)))
    assert code == 2
    assert f"thresholds.toml {place}" in said


@every(
    "arguments",
    [
        ("--range", "1,x"),
        ("--range", "5,1"),
        ("--range", "none"),
        ("--max-loss", "-1"),
        ("--max-newly-wrong", "1"),
        ("--minimum", "3"),
        ("--metric", "none"),
        ("--id", "none"),
        ("--against", "."),
        ("--out", ""),
    ],
)
def test_an_option_that_cannot_be_used_is_refused(gate, tmp_path, arguments):
    path = write_rows(tmp_path / "a.jsonl", answers(50))
    assert gate(path, path, *arguments)[0] == 2


def test_new_scores_are_shown_over_the_examples_of_both(gate, tmp_path):
    old = write_rows(tmp_path / "old.jsonl", [(k, 1) for k in range(100)])
    new = write_rows(tmp_path / "new.jsonl", [(k, float(k >= 100 or k % 2)) for k in range(200)])
    _, said = gate(old, new)
    assert re.search(r"^score\s+1\.000\s+0\.500\s+0\.500 \[", said, re.MULTILINE)
    assert "mean of all new scores, with those: 0.750" in said


def test_runs_without_a_score_are_kept(gate, tmp_path):
    rows = [{"id": k, "run": r, "score": None if r and k < 5 else 1} for k in range(60) for r in range(3)]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    main(["accept", str(path), "--as", "references/one"])
    gate(path, "--against", "references/one", "--out", "out")
    found = json.loads((tmp_path / "out/gate.json").read_text("utf-8"))["metrics"]["score"]
    assert (found["loss"]["state"], found["empty_runs"], found["fewer_runs"]) == ("same results", 10, 0)


def test_newly_wrong_without_a_reference_is_not_judged(gate, tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", answers(200))
    code, said = gate(path, "--max-newly-wrong", "0.05", "--out", "out")
    assert (code, "max_newly_wrong: not judged: no reference" in said) == (10, True)
    assert gate(path, "--max-newly-wrong", "0.05", "--minimum", "0.5")[0] == 0
    assert main(["accept", "out", "--as", "references/one"]) == 0
    assert gate(path, "--max-newly-wrong", "0.05", "--against", "references/one")[0] == 0


def test_a_cluster_is_called_so(gate, tmp_path):
    rows = [{"id": k, "score": s, "cluster": n // 2} for n, (k, s) in enumerate(answers(200))]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    _, said = gate(path, path)
    assert re.search(r"Clusters +Differ", said)


def test_the_document_is_the_same_in_any_order(gate, tmp_path):
    for name, order in (("one", 1), ("two", -1)):
        for side, seed in (("a", 1), ("b", 2)):
            rows = [{"id": k, "score": s, "slice": "xy"[int(k[-1]) % 2]} for k, s in noisy(200, 0.7, seed)]
            write_rows(tmp_path / f"{side}.jsonl", rows[::order])
        gate("a.jsonl", "b.jsonl", "--out", name)
    assert (tmp_path / "one/gate.json").read_bytes() == (tmp_path / "two/gate.json").read_bytes()


def test_options_may_stand_between_the_files(gate, sides):
    assert [gate(sides[0], "--max-loss", limit, sides[2])[0] for limit in ("0.1", "0.4")] == [1, 0]


@every(
    "options, unit", [(("--max-loss", "2"), "0.02 for 2 of 100"), (("--minimum", "200"), "from 0 to 100, the range")]
)
def test_a_limit_beside_a_range_is_refused_with_its_unit(gate, sides, options, unit):
    code, said = gate(sides[0], sides[1], "--range", "0,100", *options)
    assert (code, unit in said) == (2, True)


def test_a_metric_that_is_not_there_is_named_with_those_that_are(gate, tmp_path):
    rows = [{"id": k, "metric": m, "score": 1} for k in range(20) for m in ("f1", "em")]
    long = write_rows(tmp_path / "long.jsonl", rows)
    wide = write_rows(tmp_path / "wide.jsonl", [{"id": k, "f1": 1, "em": 1} for k in range(20)])
    for path in (long, wide):
        code, said = gate(path, path, "--metric", "bleu")
        assert (code, "bleu" in said, "f1, em" in said) == (2, True, True)


@every("name, code", [("scor", 2), ("seconds", 0)])
def test_a_rule_that_seems_misspelt_is_refused(gate, sides, tmp_path, name, code):
    (tmp_path / "thresholds.toml").write_text(f"[[scores.{name}]]\nmax_loss = 0.1\n", encoding="utf-8")
    found, said = gate(sides[0], sides[1])
    assert (found, "did you mean" in said) == (code, code == 2)
    assert f"[[scores.{name}]]" in said


def test_a_slice_that_differs_is_named(gate, tmp_path):
    paths = [
        write_rows(tmp_path / f"{part}.jsonl", [{"id": k, "score": 1, "slice": part} for k in range(20)])
        for part in "AB"
    ]
    code, said = gate(*paths)
    assert (code, "the slice of '0' is 'B', and 'A' in" in said) == (2, True)


def test_the_verdict_of_scores_is_that_of_the_gate(gate, sides, capsys):
    gate(sides[0], sides[1], "--out", "out")
    assert main(["verdict", "out"]) == main(["verdict", "out/gate.json"]) == 2
    assert capsys.readouterr().err.count("abalo gate") == 2


@pytest.mark.slow
def test_no_framework_is_imported(sides):
    code = (
        "import sys; from abalo.cli import main; main(sys.argv[1:]); "
        "print([name for name in ('torch', 'transformers', 'inspect_ai', 'pyarrow') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, "gate", *map(str, sides[:2])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
