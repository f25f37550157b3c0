"""Questions that cannot be put, and models that answer them with what is no answer."""

import json

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.questions.question import Prompt
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.models.loading import load as load_model

QUESTION = {"id": "q", "question": "What?", "options": ["a", "b"], "target": 0}
A_TARGET = "expected the index of an option, 0 to 1, its letter, A to B, or its text"


def asked(**changed) -> str:
    return json.dumps({**QUESTION, **changed}) + "\n"


REFUSED = {
    "nothing": ("", "no questions; expected one object a line; is this the file you meant?"),
    "a number": ("3\n", "questions.jsonl:1: 3; expected an object"),
    "columns": ("Ann B-PER\n", "questions.jsonl:1: not JSON: Expecting value at character 1"),
    "a target of -1": (asked(target=-1), f"questions.jsonl:1: the target is -1; {A_TARGET}"),
    "a target beyond": (asked(target=2), f"questions.jsonl:1: the target is 2; {A_TARGET}"),
    "a target far beyond": (asked(target=10**30), f"the target is {10**30}; {A_TARGET}"),
    "a target of true": (asked(target=True), f"questions.jsonl:1: the target is True; {A_TARGET}"),
    "a target of 0.0": (asked(target=0.0), f"questions.jsonl:1: the target is 0.0; {A_TARGET}"),
    "no target": (asked(target=None), f"questions.jsonl:1: the target is None; {A_TARGET}"),
    "a target that is no number": (asked(target=float("nan")), f"questions.jsonl:1: the target is nan; {A_TARGET}"),
    "two targets": (asked(target=[0, 1]), f"questions.jsonl:1: the target is [0, 1]; {A_TARGET}"),
    "a letter beyond": (asked(target="C"), f"questions.jsonl:1: the target is 'C'; {A_TARGET}"),
    "a target that could be two": (
        asked(options=["B", "A"], target="A"),
        "questions.jsonl:1: the target 'A' could be option 0 or 1; expected one; give its index",
    ),
    "one option": (asked(options=["a"]), "questions.jsonl:1: 1 options; expected 2 to 26"),
    "more options than letters": (asked(options=[str(i) for i in range(27)]), "27 options; expected 2 to 26"),
    "options as one string": (asked(options="ab"), "the options are 'ab'; expected a list of strings"),
    "options by name": (asked(options={"x": "a", "y": "b"}), "the options are {'x': 'a', 'y': 'b'}; expected a list"),
    "an option that is null": (asked(options=["a", None]), "the options are ['a', None]; expected a list of strings"),
    "an empty option": (asked(options=["a", ""]), "option 1 is ''; expected a string with visible characters"),
    "an empty question": (asked(question=" "), "'question' is ' '; expected a string with visible characters"),
    "half a surrogate pair": (asked(question="W\ud800"), r"'question' is 'W\ud800'; expected a string with visible"),
    "an id twice": (asked() * 2, "questions.jsonl:2: id 'q' is that of line 1 too; expected its own; rename one"),
    "an id on two lines": (asked(id="a\nb"), r"'id' is 'a\nb'; expected a whole number, or visible characters on one"),
    "a language that is none": (asked(language="klingon"), "'language' is 'klingon'; expected 'en' or 'pt'"),
    "a number without end": (f'{{"id": {"9" * 5_000}}}\n', "questions.jsonl:1: not JSON: a number is too long"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_put_is_refused_with_its_place(written, content, said):
    with pytest.raises(AbaloError) as caught:
        load_choices(written(content, "questions.jsonl"))
    assert said in str(caught.value)


VALID = {
    "an id that is a path": asked(id="../../etc/passwd"),
    "an id of markup": asked(id="<script>alert(1)</script>"),
    "options alike": asked(options=["a", "a"]),
    "a key of one's own": asked(rationale="because"),
}


@pytest.mark.parametrize("content", VALID.values(), ids=VALID)
def test_what_is_odd_and_valid_is_read_as_it_stands(written, content):
    [choice] = load_choices(written(content, "questions.jsonl"))
    record = json.loads(content)
    assert (choice.id, list(choice.options), choice.target) == (record["id"], record["options"], 0)


AN_ANSWER = "expected the place of an option, 0 to 1, its letter, A to B, or None for no answer"

ANSWERS = {
    "beyond the options": ("2", f"2 to q|orig; {AN_ANSWER}"),
    "before them": ("-1", f"-1 to q|orig; {AN_ANSWER}"),
    "a letter beyond": ("'C'", f"'C' to q|orig; {AN_ANSWER}"),
    "a sentence": ("'The answer is A'", f"'The answer is A' to q|orig; {AN_ANSWER}"),
    "true": ("True", f"True to q|orig; {AN_ANSWER}"),
    "0.0": ("0.0", f"0.0 to q|orig; {AN_ANSWER}"),
    "no number": ("float('nan')", f"nan to q|orig; {AN_ANSWER}"),
    "a list": ("[0]", f"[0] to q|orig; {AN_ANSWER}"),
    "an error": ("1 / 0", "answering q|orig raised ZeroDivisionError: division by zero"),
    "an exit": ("exit(0)", "answering q|orig raised SystemExit: 0"),
}


@pytest.mark.parametrize(("answer", "said"), ANSWERS.values(), ids=ANSWERS)
def test_what_is_no_answer_is_refused_with_the_question(write_module, answer, said):
    path = write_module("answering", f"def make():\n    return lambda question, options: {answer}\n")
    prompt = Prompt("q", "orig", "original", "What?", ("a", "b"), 0, (0, 1), "stability", 1)
    with pytest.raises(AbaloError) as caught:
        load_model(f"{path}:make", RunOptions()).predict([prompt])
    assert f"model {path}:make: {said}" in str(caught.value)
