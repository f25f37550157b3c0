"""The command abalo aggregate: from a folder of Inspect logs to a table and a summary."""

import csv
import json
import math

import pytest

from abalo.cli import main
from abalo.errors import AbaloError
from abalo.questions.answers import COLUMNS, read
from abalo.questions.logs import LogAnswers
from abalo.questions.summary import summaries
from abalo.reporting.formats.aggregation import Aggregate, aggregate, document, markdown, write
from abalo.tasks.choice import ChoiceAnswer, fragility_score
from tests.questions.tables import answer, table
from tests.tasks.choice.conftest import inspecting  # noqa: F401 (a fixture)
from tests.tasks.choice.scripted import FORMATTED, ORIGINAL, REORDERED, Question, always_a, run, samples
from tests.texts import TextWith

QUESTIONS = (
    Question("=1+1", "Which secret question is this?", ("iron secret", "oxygen", "water"), 0),
    Question("q2", "Which?", ("a", "b"), 1),
)
VARIANTS = (ORIGINAL, FORMATTED[0], *REORDERED)


def of(rows, left_out=()) -> Aggregate:
    return Aggregate(LogAnswers(tuple(rows), (), tuple(left_out)), summaries(rows, resamples=50), 0.95, 50)


@pytest.fixture
def logs(inspecting):  # noqa: F811
    assert run(inspecting, always_a, samples(QUESTIONS, VARIANTS)).status == "success"
    return inspecting


@pytest.mark.slow
def test_the_command_writes_table_and_summary(logs, tmp_path, capsys):
    (logs / "notes.txt").write_text("mine")
    assert main(["aggregate", "--logs", "logs", "--out", "results"]) == 0
    output = capsys.readouterr()
    assert output.out == "8 answers from 1 log in results\n"
    assert output.err == "left out: logs/notes.txt: not an Inspect log\n"
    results = tmp_path / "results"
    assert sorted(path.name for path in results.iterdir()) == [
        "answers.csv",
        "answers.jsonl",
        "summary.json",
        "summary.md",
    ]
    rows = read(results / "answers.jsonl")
    assert fragility_score(rows).value == pytest.approx(2 / 3)  # of three variants two reorder
    summary = json.loads((results / "summary.json").read_text(encoding="utf-8"))
    (found,) = summary["summaries"]
    assert (found["questions"], found["varied"], found["k"], found["missing"]) == (2, 2, 3, 0)
    assert found["fragility_score"]["value"] == pytest.approx(2 / 3)
    assert found["fragility_score"]["n"] == 2
    # q1 is right in 1 of 3 variants and loses; q2 is right in 2 of 3, as order alone brings it to the first place.
    assert found["mcnemar"] == {"p": 1.0, "lost": 1, "gained": 1, "n": 2, "biased": True}
    assert summary["left_out"] == [TextWith("logs/notes.txt: ")]
    everything = "".join(path.read_text(encoding="utf-8") for path in results.iterdir())
    assert "secret" not in everything
    assert "ANSWER" not in everything


def test_the_table_is_one_that_spreadsheets_do_not_run(logs, tmp_path):
    main(["aggregate", "--out", "results"])
    with (tmp_path / "results" / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second, *_ = csv.reader(file)
    assert tuple(first) == COLUMNS
    expected = [
        "'=1+1",
        "perturbation_stability",
        "mockllm/model",
        "0",
        "0",
        "true",
        "",
        "",
        "orig",
        "",
        "orig",
        "0",
        "1",
    ]
    assert second == expected


def test_pandas_reads_the_table_and_its_rows_are_answers_again(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [answer(confidence=0.5), answer(variant="para1", pred_index=None, pred_option=None, correct=False)]
    write(of(rows), tmp_path)
    records = pandas.read_csv(tmp_path / "answers.csv").to_dict("records")
    assert math.isnan(records[1]["pred_index"])
    assert [ChoiceAnswer.from_json(record) for record in records] == rows


def test_the_page_tells_the_measures():
    page = markdown(of(table((0, 0), (0, None), (0, 0), (0, 0)), ["logs/x.txt: not an Inspect log"]))
    assert "8 answers in 0 logs. Intervals: 95 %, from 50 resamples of questions." in page
    assert page == TextWith("4 questions, 4 of", "at most 1. 1 of 8 answers missing.")
    assert "| Consistency at 1 | 0.750 [" in page
    assert "| Fragility | 0.250 [" in page
    assert page == TextWith("| McNemar p, ", " | 1.000 (para1: 1 lost, 0 gained of 4) |")
    assert page == TextWith("| Original against majority", " | 1.000 (1 lost, 0 gained of 4) |")
    assert "| orig | 4 | 4 | 0 | 1.000 [0.398, 1.000] | – | – | – |" in page
    assert "| para1 | 4 | 4 | 1 | 0.750 [" in page
    assert "repeats of each" not in page
    assert "\n| Noise |" not in page
    assert "| Place |" not in page
    assert "- logs/x.txt: " in page


def test_the_page_shows_noise_beside_fragility_where_there_are_repeats():
    page = markdown(of([row for epoch in (1, 2) for row in table((0, 1), (epoch, 1), epoch=epoch)]))
    # q1 flips in both epochs, its wordings never; q2 flips in one, its original changes: noise (0 + 1/2) / 2.
    assert "8 answers missing. 2 repeats of each." in page
    assert "\n| Fragility | 0.750 [" in page
    assert "\n| Noise | 0.250 [" in page
    assert "\n| Fragility beyond noise | 0.500 [" in page
    assert "\n| orig | 2 | 4 | 0 | 0.500 [" in page


def test_the_page_calls_the_test_against_the_majority_biased_where_variants_are_two():
    page = markdown(of(table((0, 1, 0), (0, 1, 1))))
    assert page == TextWith("\n| McNemar p, ", " | 1.000 (para1: 2 lost, 0 gained of 2) |")
    assert page == TextWith("\n| Original against majority", " | 0.500 (2 lost, 0 gained of 2), biased |")


def test_the_page_shows_the_share_of_answers_at_each_place(logs):
    page = markdown(aggregate(logs, resamples=50))
    assert "\n| Place | Answers | Right options |" in page
    assert "\n| A | 1.000 [" in page  # q1 in the original alone, q2 in both reorderings
    assert [line.split("|")[3][:7] for line in page.splitlines() if line[:4] in ("| A ", "| B ", "| C ")] == [
        " 0.500 ",
        " 0.167 ",
        " 0.333 ",
    ]


def test_names_from_outside_mean_nothing_on_the_page():
    page = markdown(of([answer(model="<b>x</b> | [y](z)", task="a\n# b", variant="orig|*x*")]))
    assert "<b>" not in page
    assert "[y](z)" not in page
    assert "\n# b" not in page
    assert r"\*x\*" in page


def test_what_has_no_meaning_is_null_in_the_summary():
    (found,) = document(of([answer()]))["summaries"]
    assert found["fragility_score"] == {"value": None, "low": None, "high": None, "se": None, "n": 0}
    assert found["mcnemar"]["p"] is None


def test_the_same_answers_give_the_same_files(logs, tmp_path):
    for name in ("one", "other"):
        write(aggregate(logs), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()


def refused(capsys, *arguments):
    assert main(["aggregate", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def test_nothing_is_written_where_a_log_failed(logs, tmp_path, capsys):
    (logs / "cut.json").write_text("{")
    message = refused(capsys, "--out", "results")
    assert message.startswith("abalo: logs/cut.json: cannot be read as an Inspect log: ")
    assert not (tmp_path / "results").exists()
    assert main(["aggregate", "--out", "results", "--leave-out-failed"]) == 0
    assert "left out: logs/cut.json: cannot be read" in capsys.readouterr().err
    assert (tmp_path / "results" / "summary.md").is_file()


def test_input_that_cannot_be_used_ends_in_one_message(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert refused(capsys) == "abalo: logs: no such folder; give the one that Inspect writes its logs to\n"
    assert "--confidence 1.0: expected a number between 0 and 1" in refused(capsys, "--confidence", "1")


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AbaloError, match=r"file is a file, not a folder; choose another folder with --out FOLDER"):
        write(of([answer()]), tmp_path / "file" / "results")
