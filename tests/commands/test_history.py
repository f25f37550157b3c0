"""``abalo history``: accepted runs in a row."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.cli import main
from abalo.core.documents.blocks import Text
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.drawing.dates import with_age
from abalo.reporting.formats.files import write_json
from abalo.reporting.runs.history import OWN_TEXTS, History, HistoryRow, page, sparkline
from tests.commands.test_compare import THRESHOLDS, run_in
from tests.compared import GOOD, WORSE
from tests.reporting.documents import sample
from tests.reporting.test_comparing import facts
from tests.reporting.test_schema import rows_under
from tests.reports import accept, read_back, rewrite
from tests.texts import TextWith

pytestmark = pytest.mark.slow


def release(name, day, found, value, *, fingerprint):
    """An accepted run with this F1 on the clean corpus, accepted on that day."""
    folder = run_in(f"references/{name}", found, fingerprint=fingerprint)
    own = facts(fingerprint)
    own |= {"baseline": own["baseline"] | {"f1": {"value": value, "low": value, "high": value, "n": 200}}}
    write_json(typed.read(Document, read_back(folder) | {"tasks": {"ner": own}}), folder)
    accept(folder, date=day, commit=f"commit of {name}")
    return folder


@pytest.fixture(autouse=True)
def releases(folder):
    """Four releases; the second is worse, the third as bad by another model, the last as good as the first."""
    Path("thresholds.toml").write_text(THRESHOLDS)
    release("1.10", "2026-11-01", GOOD, 0.9, fingerprint="a")
    release("1.0", "2026-01-01", GOOD, 0.9, fingerprint="a")
    release("1.9", "2026-11-01", WORSE, 0.7, fingerprint="b")
    release("1.1", "2026-02-01", WORSE, 0.7, fingerprint="b")


def read(capsys, *arguments):
    assert main(["history", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_releases_stand_in_the_order_of_their_days_and_then_of_their_numbers(capsys):
    found = read(capsys, "references")
    assert [each["name"] for each in found["releases"]] == ["1.0", "1.1", "1.9", "1.10"]
    assert found["releases"][0]["accepted"] == {"date": "2026-01-01", "commit": "commit of 1.0"}
    assert [each["name"] for each in read(capsys, "references", "--last", "2")["releases"]] == ["1.9", "1.10"]


def test_each_is_judged_against_the_one_before_and_against_the_first(capsys):
    own = read(capsys, "references")["tasks"]["ner"]
    assert rows_under("### history.json") == set(own)
    assert own["states"] == [None, "regressed", "identical", "improved"]
    assert own["since_first"] == [None, None, "regressed", "identical"]
    (clean,) = (row for row in own["rows"] if row["id"] == "ner/baseline")
    assert clean["values"] == [0.9, 0.7, 0.7, 0.9]
    assert clean["states"] == own["states"]


def test_a_loss_that_a_waiver_accepts_has_a_state_and_a_sign_of_its_own(capsys):
    waiver = 'accepted_loss = 0.9\nuntil = 2199-01-01\nwhy = "known"\n'
    Path("thresholds.toml").write_text(THRESHOLDS.replace("]]\n", f"]]\n{waiver}"))
    assert read(capsys, "references")["tasks"]["ner"]["states"] == [None, "accepted", "identical", "improved"]
    assert main(["history", "references", "--format", "markdown"]) == 0
    (clean,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("| ner/baseline"))
    assert [cell.strip() for cell in clean.split("|")][2:6] == ["0.900", "▽ 0.700", "0.700", "▲ 0.900"]


def test_each_release_has_the_day_and_commit_of_its_run_and_its_day_of_acceptance(capsys):
    rewrite("references/1.0/robustness.json", lambda document: [*map(document.pop, ("date", "commit", "dirty"))])
    accept("references/1.0", date="2026-01-01", commit="commit of 1.0")
    assert main(["history", "references", "--format", "markdown"]) == 0
    first, second = (line for line in capsys.readouterr().out.splitlines() if line.startswith(("| 1.0 |", "| 1.1 |")))
    assert re.match(r"\| 1\.0 \| not recorded; report of [^|]+ \| 2026-01-01 \([^|]+ \| commit of 1\.", first)
    assert re.match(r"\| 1\.1 \| 2026-11-22 \([^|]+ \| 2026-02-01 \([^|]+ \| 89abcdef0123, with changes", second)
    assert [each["commit"] for each in read(capsys, "references")["releases"]] == [None, *[sample()["commit"]] * 3]


def test_runs_are_sorted_by_their_day_however_they_are_named(capsys):
    found = read(capsys, "references/1.9", "references/1.0/robustness.json", "references/1.9")
    assert [each["name"] for each in found["releases"]] == ["1.0", "1.9"]


def test_a_run_beside_the_references_stands_at_its_day(capsys):
    run_in("reports", WORSE, fingerprint="b")
    for day, place in (("2026-11-02", 4), ("2026-11-01", 4), ("2026-03-01", 2)):
        rewrite("reports/robustness.json", date=f"{day}T12:00:00Z")
        found = read(capsys, "reports", "references")
        assert [each["name"] for each in found["releases"]].index("reports") == place
    assert found["tasks"]["ner"]["states"] == [None, "regressed", "identical", "identical", "improved"]


def test_single_labels_that_are_open_are_no_cannot_tell(capsys):
    rare = ["RARE" if row < 12 else "PER" for row in range(len(GOOD))]
    fewer = GOOD.copy()
    fewer[[row for row in range(12) if GOOD[row]][:2]] = False
    for name, found in (("old", GOOD), ("new", fewer)):
        run_in(f"rare/{name}", found, fingerprint=name, kinds=rare)
    states = read(capsys, "rare/old", "rare/new")["tasks"]["ner"]["states"]
    assert states in ([None, "no regression found"], [None, "no worse"])
    assert main(["compare", "rare/old", "rare/new", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["comparison"]["state"] == "can't tell"


def test_the_tables_tell_the_story(capsys):
    assert main(["history", "references", "--out", "out"]) == 0
    said = capsys.readouterr().out
    assert "ner/baseline  0.900  ✗ 0.700  0.700  ▲ 0.900  ▇▁▁▇\n" in said
    assert "IMPROVED" in said
    assert {path.name for path in Path("out").iterdir()} >= {"history.html", "history.md", "history.json"}
    assert "| ner/baseline | 0.900 | ✗ 0.700 | 0.700 | ▲ 0.900 | ▇▁▁▇ |" in Path("out/history.md").read_text("utf-8")


def test_another_corpus_is_said(capsys):
    folder = Path("references/1.9")
    own = facts("b")
    own["corpus"] = own["corpus"] | {"sha256": "0" * 64}
    write_json(typed.read(Document, read_back(folder) | {"tasks": {"ner": own}}), folder)
    accept(folder, date="2026-11-01", commit=None)
    assert main(["history", "references"]) == 0
    assert capsys.readouterr().out == TextWith("The corpus", "not the same")


def test_cases_whose_texts_depend_on_the_model_are_named(capsys):
    assert main(["history", "references"]) == 0
    assert OWN_TEXTS not in capsys.readouterr().out
    paired = read(capsys, "references")["tasks"]["ner"]["rows"][0]["paired_by"]
    assert paired == [None, "variant", "variant", "variant"]
    row = HistoryRow(
        id="ner/boundary", metric="f1", values=[0.9, 0.8], states=[None, None], paired_by=[None, "example"]
    )
    found = typed.read(History, read(capsys, "references"))
    own = replace(found.tasks["ner"], rows=[*found.tasks["ner"].rows, row])
    (said,) = (
        str(block.lines[0])
        for block in page(replace(found, tasks={"ner": own}), date(2026, 11, 2)).brief
        if isinstance(block, Text)
    )
    assert said == f"{OWN_TEXTS}: ner/boundary."


def test_one_release_is_no_history(refused):
    assert refused("history", "references/1.0").startswith("references/1.0: 1 run; expected two or more")


def test_the_mean_loss_that_has_added_up_is_told_beside_each_release(capsys):
    assert main(["history", "references", "--format", "markdown"]) == 0
    assert "Mean loss" not in capsys.readouterr().out
    chain = {"name": "1.0", "date": "2026-01-01", "mean_loss": {"ner": 0.021, "pos": 0.5}}
    accept("references/1.1", date="2026-02-01", commit=None, since=chain)
    assert read(capsys, "references")["releases"][1]["accepted"]["since"] == chain
    assert main(["history", "references", "--format", "markdown"]) == 0
    rows = {line.split(" ")[1]: line for line in capsys.readouterr().out.splitlines() if line.startswith("| 1.")}
    assert [name for name, row in rows.items() if "since 1.0: 0.021" in row] == ["1.1"]
    assert "0.500" not in rows["1.1"]


VALUES = st.lists(st.none() | st.floats(-1, 1), max_size=8)


@given(VALUES)
def test_a_sparkline_has_a_bar_for_each_value_and_higher_ones_for_larger(values):
    line = sparkline(values)
    assert [bar == "·" for bar in line] == [value is None for value in values]
    known = sorted((value, bar) for value, bar in zip(values, line, strict=True) if value is not None)
    assert [bar for _, bar in known] == sorted(bar for _, bar in known)


def test_what_may_be_chance_stays_flat():
    assert sparkline([0.5, 0.501]) == "▄▄"
    assert sparkline([0.5, None, 0.6]) == "▁·▇"


def test_a_day_is_told_with_its_age():
    today = date(2026, 11, 22)
    assert with_age("2026-11-22", today) == "2026-11-22 (today)"
    assert with_age("2026-11-21", today) == "2026-11-21 (1 day ago)"
    assert with_age("2027-01-01", today) == "2027-01-01 (not yet)"
    assert with_age("in May\x1b", today) == "in May\\u001b"
    assert with_age(None, today) == "–"
