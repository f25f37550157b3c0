"""Questions in the shapes of MMLU, ARC and their kin are read as ours are."""

import csv
import io
import json

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.errors import AbaloError
from abalo.tasks.choice.files import load_choices, load_noticing, load_options

TEXTS = ["red", "blue, or so", "green", "black"]
ANSWER = 2

TAGGED = [{"label": label, "text": text} for label, text in zip("ABCD", TEXTS, strict=True)]
RECORDS = {
    "MMLU": {"question": "Which?", "subject": "colours", "choices": TEXTS, "answer": 2},
    "MMLU-Pro": {"question_id": 70, "question": "Which?", "options": TEXTS, "answer": "C", "answer_index": 2},
    "ARC": {"id": "x", "question": "Which?", "choices": {"text": TEXTS, "label": [*"ABCD"]}, "answerKey": "C"},
    "ARC with numbers": {"question": "Which?", "choices": {"text": TEXTS, "label": [*"1234"]}, "answerKey": "3"},
    "ARC as published": {"id": "x", "question": {"stem": "Which?", "choices": TAGGED}, "answerKey": "C"},
    "CommonsenseQA": {
        "id": "x",
        "question": {"question_concept": "c", "stem": "Which?", "choices": TAGGED},
        "answerKey": "C",
    },
    "OpenBookQA": {
        "id": "7-980",
        "question_stem": "Which?",
        "choices": {"text": TEXTS, "label": [*"ABCD"]},
        "answerKey": "C",
    },
    "MedQA": {
        "question": "Which?",
        "options": dict(zip("ABCD", TEXTS, strict=True)),
        "answer": "green",
        "answer_idx": "C",
    },
    "MMMLU": {"Question": "Which?", **dict(zip("ABCD", TEXTS, strict=True)), "Answer": "C", "Subject": "colours"},
    "HellaSwag": {"ind": 24, "ctx_a": "Wh", "ctx": "Which?", "endings": TEXTS, "label": "2"},
    "other names": {"question": "Which?", "alternatives": TEXTS, "Correct Answer": "(C)"},
    "Social IQa": {"question": "Which?", **{f"answer{k}": t for k, t in zip("ABCD", TEXTS, strict=True)}, "label": 2},
    "a letter with a bracket": {"question": "Which?", "options": TEXTS, "answer": "(C)"},
    "a letter with a dot": {"question": "Which?", "options": TEXTS, "answer": "c."},
    "an index as text": {"question": "Which?", "options": TEXTS, "answer": "2"},
    "a column an option": {
        "question": "Which?",
        **{f"option_{k}": t for k, t in zip("abcd", TEXTS, strict=True)},
        "answer": "C",
    },
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
@pytest.mark.parametrize("form", ["lines", "array"])
def test_the_shapes_of_others_in_json(written, record, form):
    name = written(json.dumps([record], indent=1) if form == "array" else json.dumps(record) + "\n", "q.json")
    (choice,) = load_choices(name)
    assert (choice.question, choice.options, choice.target) == ("Which?", tuple(TEXTS), ANSWER)
    assert choice.id == str(record.get("id", record.get("question_id", 1)))
    assert [*load_options(name).values()] == [tuple(TEXTS)]
    assert task_of_corpus(name).name == "choice"


ROW = 'Which?,red,"blue, or so",green,black,C\n'
TABLES = {
    "without a header": ROW * 2,
    "with a header": "question,A,B,C,D,answer\n" + ROW * 2,
    "with an index": ",Question,A,B,C,D,Answer,Subject\n" + "".join(f"{k},{ROW[:-1]},colours\n" for k in range(2)),
    "with an option too many": "question,A,B,C,D,E,answer\n" + ROW.replace(",C\n", ",,C\n") * 2,
    "names of Kaggle": "id,prompt,A,B,C,D,answer\n" + f"1,{ROW}2,{ROW}",
    "names in words": "Question,Option A,Option B,Option C,Option D,Correct Answer\n" + ROW * 2,
    "over two lines": '"Which?",red,"blue, or so",green,black,C\n' * 2,
}


@pytest.mark.parametrize("content", TABLES.values(), ids=TABLES)
def test_tables(written, content):
    name = written(content, "q.csv")
    first, second = load_choices(name)
    assert (first.question, first.options, first.target) == ("Which?", tuple(TEXTS), ANSWER)
    assert second.options == first.options
    assert second.id != first.id
    assert task_of_corpus(name).name == "choice"


def test_a_table_with_tabs(written):
    name = written("Which?\tred\tblue\tA\nWhy?\tso\tnot so\tB\n", "q.tsv")
    assert [(each.question, each.target) for each in load_choices(name)] == [("Which?", 0), ("Why?", 1)]


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        ("text,label\ngood,A\n", "q.csv", "q.csv:1: the columns 'text', 'label'; expected a header with question, A,"),
        ("question,A,B,answer\nWhich?,red,B\n", "q.csv", "q.csv:2: 3 cells; expected 4; correct the line"),
        ("question,A,B,answer\nWhich?,red,blue,D\n", "q.csv", "q.csv:2: the target is 'D'; expected the index"),
        (
            json.dumps({"question": "Which?", "choices": {"text": TEXTS, "label": [*"1234"]}, "answer": 3}),
            "q.jsonl",
            "q.jsonl:1: the target 3 could be a label or an index from 0; expected one",
        ),
    ],
)
def test_what_is_no_question_is_told(written, content, name, said):
    with pytest.raises(AbaloError) as caught:
        load_choices(written(content, name))
    assert str(caught.value).startswith(said)


def test_a_table_of_labelled_texts_is_none_of_questions(written):
    assert task_of_corpus(written("text,label\ngood,A\nbad,B\n", "q.csv")).name == "classification"


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps({"question": "Which?", **record}) + "\n" for record in records)


@pytest.mark.parametrize("kind", [int, str])
def test_answers_that_count_from_1_are_told_by_the_last_option(written, kind):
    name = written(lines(*({"options": ["x", "y", "z"], "answer": kind(n)} for n in (1, 3, 2))), "q.jsonl")
    choices, notices = load_noticing(name)
    assert [choice.target for choice in choices] == [0, 2, 1]
    assert ["from 1" in each for each in notices] == [True]


def test_numbers_that_are_options_are_options(written):
    name = written(
        lines({"options": ["4", "3", "2"], "answer": "3"}, {"options": ["1", "2", "3"], "answer": "3"}), "q.jsonl"
    )
    choices, notices = load_noticing(name)
    assert ([choice.target for choice in choices], notices) == ([1, 2], ())


def test_many_answers_none_of_which_is_0_are_a_notice(written):
    name = written(lines(*[{"options": ["x", "y", "z"], "answer": 1 + k % 2} for k in range(20)]), "q.jsonl")
    (notice,) = load_noticing(name)[1]
    assert "none is 0" in notice


def test_questions_without_an_answer_are_left_out_and_counted(written):
    options = {"options": ["x", "y"]}
    others = [{}, {"answer": None}, {"answer": ""}, {"answer": -1}]
    name = written(lines({**options, "answer": "B"}, *({**options, **each} for each in others)), "q.jsonl")
    choices, notices = load_noticing(name)
    assert [choice.target for choice in choices] == [1]
    assert notices == ("Read 1 question; left out 4 questions without an answer.",)


def test_a_passage_that_is_not_put_is_named(written):
    record = {"article": "Ann left.", "options": ["x", "y"], "answer": "B"}
    (notice,) = load_noticing(written(lines(record), "q.jsonl"))[1]
    assert "'article'" in notice


SOLVED = {"sol1": "Turn the lid.", "sol2": "Turn the floor."}
NAMED = {"correct_answer": "red", "distractor1": "blue, or so", "distractor2": "green", "distractor3": "black"}
WRONG = {f"Incorrect Answer {number}": text for number, text in enumerate(TEXTS[1:], start=1)}
BAGS = {"option1": "cup", "option2": "bag"}
ENDS = {"premise": "It rained.", "choice1": "He sang.", "choice2": "We got wet."}
LATE = {"question": "is it late", "passage": "It is late."}
CATS = {"options": TEXTS, "id": "x"}

# What a record of a set holds, the question as it is put, and the right option.
SETS = {
    "SciQ": ({"question": "Which?", **NAMED, "support": "It is red."}, "Which?", "red"),
    "GPQA": ({"Question": "Which?", "Correct Answer": "red", **WRONG, "Subdomain": "x"}, "Which?", "red"),
    "TruthfulQA": (
        {"question": "Which?", "mc1_targets": {"choices": TEXTS, "labels": [1, 0, 0, 0]}, "mc2_targets": {}},
        "Which?",
        "red",
    ),
    "TruthfulQA as first published": ({"question": "Which?", "mc1_targets": {"red": 0, "blue": 1}}, "Which?", "blue"),
    "Winogrande": ({"sentence": "It fits, _ is small.", **BAGS, "answer": "1"}, "It fits, _ is small.", "cup"),
    "Winogrande, two": ({"sentence": "It fits, _ is large.", **BAGS, "answer": "2"}, "It fits, _ is large.", "bag"),
    "PIQA": ({"goal": "Open a jar.", **SOLVED, "label": 1}, "Open a jar.", "Turn the floor."),
    "COPA": (
        {**ENDS, "question": "effect", "idx": 3, "label": 1},
        "It rained.\nWhat happened as a result?",
        "We got wet.",
    ),
    "COPA, cause": ({**ENDS, "question": "cause", "label": 0}, "It rained.\nWhat was the cause?", "He sang."),
    "BoolQ": ({**LATE, "title": "Time", "answer": True}, "It is late.\nis it late", "yes"),
    "BoolQ, no": ({**LATE, "answer": False}, "It is late.\nis it late", "no"),
    "BoolQ of SuperGLUE": ({**LATE, "idx": 1, "label": 0}, "It is late.\nis it late", "no"),
    "LogiQA": ({"context": "All sleep.", "query": "Who?", "correct_option": 2, **CATS}, "All sleep.\nWho?", "green"),
    "LogiQA 2.0": (
        {"text": "All sleep.", "question": "Who?", "answer": 2, "type": {}, **CATS},
        "All sleep.\nWho?",
        "green",
    ),
}


@pytest.mark.parametrize(("record", "question", "right"), SETS.values(), ids=SETS)
def test_published_sets_are_read_by_the_names_of_their_fields(written, record, question, right):
    name = written(json.dumps(record) + "\n", "q.jsonl")
    (choice,) = load_choices(name)
    assert (choice.question, choice.options[choice.target]) == (question, right)
    assert task_of_corpus(name).name == "choice"


@pytest.mark.parametrize("name", ["SciQ", "GPQA", "Winogrande", "PIQA"])
def test_published_sets_are_read_from_tables(written, name):
    record, question, right = SETS[name]
    rows = io.StringIO()
    table = csv.DictWriter(rows, ["Note", *record])
    table.writeheader()
    table.writerow(record)
    (choice,) = load_choices(written(rows.getvalue(), "q.csv"))
    assert (choice.question, choice.options[choice.target]) == (question, right)


def test_the_place_of_an_option_that_is_named_apart_is_drawn_from_its_question(written):
    """Every place takes its share, in any order of the file; what is asked and what is offered stay together."""
    records = [
        {"question": f"Which of {k}?", **{key: f"{text} {k}" for key, text in NAMED.items()}} for k in range(400)
    ]
    choices = load_choices(written(lines(*records), "q.jsonl"))
    places = [choice.target for choice in choices]
    assert all(70 <= places.count(place) <= 130 for place in range(4))
    assert all(choice.options[choice.target] == f"red {k}" for k, choice in enumerate(choices))
    turned = load_choices(written(lines(*reversed(records)), "r.jsonl"))
    assert [(each.question, each.options, each.target) for each in reversed(turned)] == [
        (each.question, each.options, each.target) for each in choices
    ]
    assert "drawn" in load_noticing(written(lines(*records), "q.jsonl"))[1][0]


def test_columns_of_options_beside_a_passage_are_no_yes_or_no(written):
    record = {"passage": "It is late.", "question": "Which?", **dict(zip("ABCD", TEXTS, strict=True)), "answer": "C"}
    (choice,) = load_choices(written(lines(record), "q.jsonl"))
    assert (choice.question, choice.options, choice.target) == ("Which?", tuple(TEXTS), 2)


@pytest.mark.parametrize(
    "record",
    [
        {"goal": " ", **SOLVED, "label": 1},
        {"goal": "Open.", **SOLVED, "label": 2},
        {"goal": "Open.", **SOLVED, "sol2": None, "label": 0},
        {**ENDS, "question": ["cause"], "label": 0},
        {"question": "Which?", "mc1_targets": {"choices": TEXTS, "labels": [1, 1, 0, 0]}},
        {**LATE, "answer": "perhaps"},
    ],
    ids=str,
)
def test_what_a_published_set_lacks_is_told(written, record):
    with pytest.raises(AbaloError, match=r"q\.jsonl:1: .*expected"):
        load_choices(written(lines(record), "q.jsonl"))
