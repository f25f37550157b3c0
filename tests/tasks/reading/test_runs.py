"""Rows that break rules are told or refused, and variants are written as training data that can be read again."""

import json
from pathlib import Path

import pytest

from abalo import Session
from abalo.cli import main
from abalo.errors import AbaloError
from abalo.tasks.reading.corpus import load
from abalo.tasks.reading.example import CONTEXT, place_of
from perturbations.answers import answer_text, answers_in

PASSAGE = "Ana Souza was born in Lima. Bob sang in the street until late. The judge left early."


def row(**more):
    known = {"id": "q", "context": PASSAGE, "question": "Where was Ana born?"}
    return known | {"answers": {"text": ["Lima"], "answer_start": [PASSAGE.index("Lima")]}} | more


def write(folder, *rows):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"context": ""}, "context is ''; expected text"),
        ({"context": None}, "context is None; expected text"),
        ({"question": "  "}, "question is '  '; expected text"),
        ({"question": ["Where?"]}, "question is ['Where?']; expected text"),
        ({"answers": None}, "the answers are None"),
        ({"answers": {"text": ["Lima"], "answer_start": ["22"]}}, "the answers are"),
        ({"answers": {"text": ["Lima", "Rome"], "answer_start": [22]}}, "the answers are"),
        ({"answers": {"text": [None], "answer_start": [22]}}, "the answers are"),
        ({"answers": {"text": ["Lima"], "answer_start": [True]}}, "the answers are"),
        ({"answers": {"text": ["Lima"], "answer_start": [3]}}, "does not begin at character 3"),
        ({"answers": {"text": ["Lima"], "answer_start": [-4]}}, "does not begin at character -4"),
        ({"context": "A left.", "answers": {"text": ["A"], "answer_start": [-1]}}, "does not begin at character -1"),
        ({"answers": {"text": ["Lima"], "answer_start": [10**12]}}, "does not begin at character 1,000,000,000,000"),
    ],
)
def test_a_row_that_breaks_a_rule_is_refused_with_its_place(tmp_path, broken, told):
    with pytest.raises(AbaloError, match=r"rows\.jsonl:2") as refused:
        load(write(tmp_path, row(), row(**broken)))
    assert told in str(refused.value)


def test_answers_at_wrong_places_move_on_request_and_those_found_nowhere_lose_theirs(tmp_path):
    wrong = row(answers={"text": ["Lima"], "answer_start": [3]})
    nowhere = row(answers={"text": ["Oslo"], "answer_start": [3]})
    corpus = load(f"{write(tmp_path, wrong, nowhere)}?lenient")
    assert (corpus.repairs, corpus.unplaced) == (2, 1)
    first, second = corpus.examples
    assert [place_of(first.fields[CONTEXT], span).start for span in answers_in(first.fields[CONTEXT])] == [22]
    assert (second.gold, answers_in(second.fields[CONTEXT])) == (("Oslo",), ())


@pytest.mark.parametrize(
    "passage",
    [
        "<script>alert('Lima')</script> & <b>Lima</b>",
        "Lima " * 40_000,
        "Lima\u0000\u200b\ufeff in a\r\nline\u2028and another",
        "\u202eamiL si ti\u202c Lima \U0001f1f5\U0001f1ea e\u0301",
    ],
    ids=["html", "huge", "controls", "marks"],
)
def test_odd_passages_keep_the_place_of_their_answer(tmp_path, passage):
    at = passage.index("Lima")
    corpus = load(write(tmp_path, row(context=passage, answers={"text": ["Lima"], "answer_start": [at]})))
    (example,) = corpus.examples
    (span,) = answers_in(example.fields[CONTEXT])
    assert "Lima" in answer_text(example.fields[CONTEXT], span)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Sixty questions about as many passages, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    rows = [row(id=str(k), context=f"Part {k}. {PASSAGE}", answers=["Lima"]) for k in range(60)]
    return write(tmp_path, *rows)


def rows_in(path):
    """The rows of a file, each with its answer at its place."""
    found = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    for each in found:
        (start,) = each["answers"]["answer_start"]
        assert each["context"][start:].startswith(each["answers"]["text"][0])
    assert len(load(path).examples) == len(found)
    return found


def test_variants_are_written_with_answers_at_their_places(corpus):
    assert main(["perturb", corpus, "--with", "modify_pos", "--language", "en", "--out", "more.jsonl"]) == 0
    found = rows_in("more.jsonl")
    assert len(found) == 60
    assert {each["context"].startswith("Bob sang") for each in found} == {True, False}  # to the front, or to the end
    assert not any(each["context"].endswith(PASSAGE) for each in found)


def test_training_data_with_variants_of_what_costs_most_is_written(corpus):
    Path("thresholds.toml").write_text(
        '[gate]\nlanguage = "en"\nseeds = [1]\n\n[[reading.typos]]\nrate = 0.5\n', "utf-8"
    )
    reader = 'def make():\n    return lambda asked: ["Lima" if "the street" in each else "" for each, _ in asked]\n'
    Path("reader.py").write_text(reader, "utf-8")
    Session("reading", "reader.py:make", corpus, thresholds="thresholds.toml").run().write("out")
    assert main(["augment", corpus, "--report", "out/robustness.json", "--out", "more.jsonl"]) == 0
    found = rows_in("more.jsonl")
    assert 60 < len(found) <= 60 / 0.7 + 1
    assert "<" not in "".join(each["context"] for each in found)


def test_a_report_shows_passages_as_text(corpus):
    odd = "<script>alert(1)</script> Ana was born in Lima. Bob sang in the street until late."
    rows = [row(id=str(k), context=f"Part {k}. {odd}", answers=["Lima"]) for k in range(60)]
    path = write(Path.cwd(), *rows)
    Path("thresholds.toml").write_text(
        '[gate]\nlanguage = "en"\nseeds = [1]\n\n[[reading.typos]]\nrate = 0.5\n', "utf-8"
    )
    Session("reading", corpus=path, thresholds="thresholds.toml").run().write("out")
    page = Path("out/report.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "alert" in page
