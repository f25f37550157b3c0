"""How many questions and passages a verdict needs, and which models may be asked for *no answer*."""

import json

import pytest

from abalo import Session

READER = """
import json
from pathlib import Path

ROWS = [json.loads(line) for line in Path({path!r}).read_text("utf-8").splitlines()]
RIGHT = {{row["question"]: row["answers"]["text"][0] for row in ROWS}}
WRONG = set(list(RIGHT)[::10])


def answered(asked):
    given = [(passage, question.rstrip("?") + "?") for passage, question in asked]
    texts = ["nobody" if asks in WRONG else RIGHT[asks] if RIGHT[asks] in passage else "" for passage, asks in given]
    return {made}


def make():
    return answered
"""


def opened(folder, passages, questions, made="texts", settings=""):
    """A session on so many questions about so many passages, with a model that is wrong about every tenth."""
    rows = []
    for k in range(questions):
        number = k % passages
        text = f"Ana{number} was born in Lima. Bob{number} saw {number + 77} ships. The rain took {number + 2} days."
        asked, answer = (
            (f"Where was Ana{number} born?", "Lima"),
            (f"How many ships did Bob{number} see?", f"{number + 77}"),
            (f"How many days did it rain on Ana{number}?", f"{number + 2}"),
        )[k // passages]
        at = text.index(f"{answer} days" if "days" in asked else answer)
        rows.append({"context": text, "question": asked, "answers": {"text": [answer], "answer_start": [at]}})
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "reader.py").write_text(READER.format(path=str(path), made=made), "utf-8")
    return Session("reading", f"{folder / 'reader.py'}:make", f"{path}{settings}", language="en", seeds=[1])


@pytest.mark.parametrize(
    ("passages", "questions", "told"),
    [
        (20, 50, None),
        (20, 49, "fewer than 50 distinct questions (49)"),
        (19, 57, "fewer than 20 passages (19)"),
    ],
)
def test_fifty_questions_in_twenty_passages_are_enough_and_fewer_of_either_are_not(tmp_path, passages, questions, told):
    found = opened(tmp_path, passages, questions).judge("no_question_mark", min_f1=0.5)
    assert found.verdict == ("pass" if told is None else "inconclusive")
    assert (told or "is within min_f1 0.5") in found.explanation


SCORED = '[{"text": text, "null": 0.2} for text in texts]'


@pytest.mark.parametrize(
    ("made", "settings", "verdict", "told"),
    [
        ("texts", "", "inconclusive", "gives no score"),
        (SCORED, "", "pass", "is within"),
        ("texts", "?no_answer=true", "pass", "is within"),
    ],
    ids=["neither", "scored", "said"],
)
def test_answers_are_dropped_only_for_a_model_that_can_reply_so(tmp_path, made, settings, verdict, told):
    found = opened(tmp_path, 30, 90, made, settings).judge("drop_answer", min_f1_changed=0.5)
    assert (found.verdict, told in found.explanation) == (verdict, True), found.explanation
