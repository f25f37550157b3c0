"""``abalo verdict``: the headline and the exit code of a finished run, from its report alone."""

import pytest

from abalo.cli import main
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.documents.document import assemble
from tests.reporting.documents import BASELINE_F1, DIGEST, judgement, result, sample
from tests.reports import rewrite, write
from tests.texts import TextWith

VALUES = {"pass": 0.05, "fail": 0.3}


def report(folder, verdict, *, complete=True, profile="dev", **fields):
    """A report whose run came to that verdict by its only case, or only measured it."""
    folder.mkdir(exist_ok=True)
    drop = VALUES.get(verdict, 0.0)
    bounds = (
        [judgement("max_f1_drop", 0.1, drop, verdict, p=0.0 if verdict == "fail" else 1.0)] if verdict in VALUES else []
    )
    case = result("accents", {}, BASELINE_F1 - drop, bounds, m=7 if bounds else None)
    base = sample()
    facts = {name: base[name] for name in ("versions", "options", "gate", "tasks")}
    facts["gate"] = facts["gate"] | {"profile": profile, "bounds": 7}
    own = facts["tasks"]["ner"]
    unbound = own["baseline"] | {"verdict": None, "judgements": []}
    facts["tasks"] = {"ner": own | {"baseline": unbound}}
    document = typed.as_json(
        assemble(facts, [typed.read(Result, each) for each in [case]], (), fields.pop("errors", ()), complete=complete)
    )
    document = {**document, "evidence_sha256": DIGEST, **fields}
    write(document, folder / "robustness.json")
    return folder


@pytest.mark.parametrize(
    ("verdict", "profile", "code", "headline"),
    [
        ("pass", "dev", 0, "PASS: 1 of 1 judged case holds"),
        ("fail", "dev", 1, "FAIL: accents fails"),
        ("measured", "dev", 10, "MEASURED, NOT JUDGED: 1 case"),
        ("measured", "quick", 0, "MEASURED, NOT JUDGED: 1 case"),
    ],
)
def test_the_exit_code_is_that_of_the_run_below_its_headline(tmp_path, capsys, verdict, profile, code, headline):
    assert main(["verdict", str(report(tmp_path, verdict, profile=profile))]) == code
    assert capsys.readouterr().out == f"{headline}\n"


def test_the_file_may_be_named_too(tmp_path):
    assert main(["verdict", str(report(tmp_path, "fail") / "robustness.json")]) == 1


@pytest.mark.parametrize("verdict", ["pass", "fail", "measured"])
def test_an_incomplete_report_is_no_verdict(tmp_path, capsys, verdict):
    assert main(["verdict", str(report(tmp_path, verdict, complete=False))]) == 2
    assert capsys.readouterr().out == TextWith("INCOMPLETE: ", "not finish")


def test_a_case_that_could_not_run_fails_the_run(tmp_path, capsys):
    errors = [{"id": "ner/viba", "message": "to = 'x': no such way"}]
    assert main(["verdict", str(report(tmp_path, "pass", errors=errors))]) == 1
    assert capsys.readouterr().out.startswith("INCOMPLETE: 1 case ")


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"schema": "abalo-robustness/2", "complete": true}'])
def test_a_report_that_is_missing_or_damaged_is_no_verdict(tmp_path, capsys, text):
    if text is not None:
        (tmp_path / "robustness.json").write_text(text, encoding="utf-8")
    assert main(["verdict", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert "robustness.json" in said.err
    assert said.out == ""


def test_a_name_that_no_file_can_have_is_no_verdict(capsys):
    assert main(["verdict", "x" * 300]) == 2
    assert "give a shorter path" in capsys.readouterr().err


def test_a_report_with_a_number_that_is_none_is_no_verdict(tmp_path, capsys):
    path = report(tmp_path, "pass")
    text = (path if path.is_file() else path / "robustness.json").read_text("utf-8")
    (tmp_path / "robustness.json").write_text(text.replace("{", '{"seconds": NaN, ', 1), "utf-8")
    assert main(["verdict", str(tmp_path)]) == 2
    assert "NaN is no number" in capsys.readouterr().err


def test_a_report_that_has_lost_its_tasks_is_no_verdict(tmp_path, capsys):
    assert main(["verdict", str(report(tmp_path, "pass", tasks={}))]) == 2
    assert "is damaged: results of ner, but no such task" in capsys.readouterr().err


def test_numbers_of_types_that_are_cut_are_told_with_their_column(tmp_path, capsys):
    path = report(tmp_path, "pass") / "robustness.json"
    rewrite(path, lambda stored: stored["results"][0]["per_type"]["support"].pop())
    assert main(["verdict", str(path)]) == 2
    assert "support has" in capsys.readouterr().err
