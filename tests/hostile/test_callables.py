"""Callables that answer wrongly, fail, or are none: one message that names model, place and form."""

import pytest

from abalo.errors import AbaloError
from abalo.models.loading import load
from perturbations import Sentence


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(tuple(text.split())) for text in texts]


def refusal(spec, *texts, **settings) -> str:
    """The message with which loading fails, or predicting the texts."""
    with pytest.raises(AbaloError) as caught:
        load(spec, **settings).predict(sentences(*texts))
    return str(caught.value)


# Answers that cannot be used ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("[['O'] * len(t) for t in batch][1:]", "gave 1 rows for a batch of 2 sentences of 1 to 2 tokens"),
        ("[['O'] for t in batch]", "1 tags for 2 tokens; return one tag per token"),
        ("[['PER'] * len(t) for t in batch]", "found tag 'PER'; expected BIO"),
        ("[['B-'] * len(t) for t in batch]", "found tag 'B-'; expected BIO"),
        ("[['E-PER'] * len(t) for t in batch]", "found tag 'E-PER'; expected BIO"),
        ("[[None] * len(t) for t in batch]", "found tag None; expected BIO"),
        ("None", "found NoneType None where a list of rows was expected"),
        ("'OO'", "found str 'OO' where a list of rows was expected"),
        ("(t for t in batch)", "found generator"),
        ("['O O' for t in batch]", "found str 'O O' where a list of tags was expected"),
    ],
)
def test_tags_of_another_form_are_an_error(write_module, answer, message):
    path = write_module("bad_tags", f"def make():\n    return lambda batch: {answer}\n")
    assert message in refusal(f"{path}:make", "a", "a b")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("[[[0.0, 1.0]] * len(t) for t in batch][1:]", "scores() gave 1 rows for a batch of 2 sentences"),
        (
            "[[[0.0, float('nan')]] * len(t) for t in batch]",
            "score nan for label 1 of token 0 in a sentence of 1 tokens",
        ),
        ("[[[float('inf'), 0.0]] * len(t) for t in batch]", "score inf for label 0 of token 0"),
        ("[[[1e300, 0.0]] * len(t) for t in batch]", "score inf for label 0 of token 0"),
        ("[[[0.0]] * len(t) for t in batch]", "an array of shape (1, 1) for a sentence of 1 tokens; expected (1, 2)"),
        ("[[[0.0, 1.0]] for t in batch]", "an array of shape (1, 2) for a sentence of 2 tokens; expected (2, 2)"),
        ("[[[0.0, 1.0], [2.0]] for t in batch]", "gave something that is no array of numbers"),
        ("[[['a', 'b']] * len(t) for t in batch]", "gave something that is no array of numbers"),
        ("[[['1', '2']] * len(t) for t in batch]", "gave something that is no array of numbers"),
        ("[[[1j, 2j]] * len(t) for t in batch]", "gave something that is no array of numbers"),
        ("len(batch)", "found int 2 where a list of rows was expected"),
    ],
)
def test_scores_of_another_form_are_an_error(write_module, answer, message):
    path = write_module(
        "bad_scores",
        f"class Model:\n    labels = ['O', 'B-PER']\n    def scores(self, batch):\n        return {answer}\n",
    )
    assert message in refusal(f"{path}:Model", "a", "a b")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("[[]]", "entities() gave 1 rows for a batch of 2 sentences"),
        ("[[(0, 9, 'PER')], []]", "a text of 3 characters: span (0, 9, 'PER') is empty, reversed or outside"),
        ("[[(0, 2)], []]", "found (0, 2), expected a span (start, end, type)"),
        ("[[], {'start': 0}]", "found dict {'start': 0} where a list of spans was expected"),
    ],
)
def test_spans_of_another_form_are_an_error(write_module, answer, message):
    path = write_module("bad_spans", f"class Model:\n    def entities(self, texts):\n        return {answer}\n")
    assert message in refusal(f"{path}:Model", "a b", "c d e")


def test_an_exception_names_the_model_the_exception_the_users_line_and_the_batch(write_module):
    path = write_module(
        "raiser",
        """
import json

def make():
    return tag

def tag(batch):
    return json.loads("{")
""",
    )
    message = refusal("raiser:make", "a", "a b")
    assert "model raiser:make: the function, given a batch of 2 sentences of 1 to 2 tokens, raised" in message
    assert "JSONDecodeError: Expecting property name" in message
    assert message.endswith(f"({path}:8)")


def test_a_type_that_is_not_among_the_declared_labels_is_an_error(write_module):
    write_module(
        "declared",
        """
def tag(batch):
    return [["B-PER"] * len(tokens) for tokens in batch]

tag.labels = ["O", "B-LOC", "I-LOC"]

def make():
    return tag
""",
    )
    assert load("declared:make").labels == ("O", "B-LOC", "I-LOC")
    assert "found entity type 'PER', which is not among its labels: O, B-LOC, I-LOC" in refusal("declared:make", "a")


# Factories that cannot be used ----------------------------------------------------------------------------------------


def test_an_unknown_module_names_the_nearest_here(write_module):
    write_module("my_taggers", "")
    message = refusal("my_tagers:make")
    assert "no module 'my_tagers' installed or in" in message
    assert "did you mean 'my_taggers'?" in message


def test_a_missing_dependency_of_the_users_module_is_not_taken_for_a_missing_module(write_module):
    path = write_module("needs_more", "import not_installed_anywhere\n")
    message = refusal("needs_more:make")
    assert "importing needs_more raised ModuleNotFoundError: No module named 'not_installed_anywhere'" in message
    assert message.endswith(f"({path}:1)")


def test_a_missing_file_names_the_nearest_beside_it(write_module, tmp_path):
    write_module("taggers", "")
    assert refusal("tagers.py:make").endswith(
        f"no file {tmp_path / 'tagers.py'}; did you mean {tmp_path / 'taggers.py'}?"
    )


def test_an_unknown_factory_names_the_nearest_in_the_module(write_module):
    path = write_module("factories", "def make_model():\n    pass\n")
    assert "factories has no 'make_modle'; did you mean 'make_model'?" in refusal("factories:make_modle")
    assert "has no 'make_modle'; did you mean 'make_model'?" in refusal(f"{path}:make_modle")


def test_a_factory_that_raises_is_an_error_with_its_line(write_module):
    path = write_module("failing", "def make():\n    return 1 / 0\n")
    assert refusal("failing:make") == (
        f"model failing:make: its factory raised ZeroDivisionError: division by zero ({path}:2)"
    )


def test_a_module_that_does_not_parse_is_an_error(write_module):
    write_module("garbled", "def make(:\n")
    assert "importing garbled raised SyntaxError" in refusal("garbled:make")


def test_the_model_itself_in_the_place_of_its_factory_is_an_error(write_module):
    path = write_module("no_factory", "def tag(batch):\n    return []\n\ntable = {}\n")
    assert "tag is not a function that can be called without arguments; name a factory" in refusal(f"{path}:tag")
    assert "table is not a function" in refusal(f"{path}:table")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def make():\n    return 3\n", "the factory returned int; expected a function"),
        ("class make:\n    scores = print\n", "has scores() but no labels"),
        ("class make:\n    labels = 'O'\n    scores = print\n", "its labels are 'O'; expected a list"),
        ("class make:\n    name = 3\n    entities = print\n", "its name is 3; expected a string"),
    ],
)
def test_a_factory_that_returns_something_else_is_an_error(write_module, source, message):
    path = write_module("something_else", source)
    assert message in refusal(f"{path}:make")


@pytest.mark.parametrize(("setting", "value"), [("device", "cuda"), ("dtype", "bf16"), ("aggregation", "first")])
def test_settings_that_it_would_take_no_notice_of_are_refused(write_module, setting, value):
    path = write_module("any_model", "def make():\n    return print\n")
    message = refusal(f"{path}:make", **{setting: value})
    assert message == (
        f"{setting} {value!r} has no meaning for a module:factory model, which decides that itself: "
        f"leave out --abalo-{setting}"
    )
