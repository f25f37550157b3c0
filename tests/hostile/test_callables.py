"""Callables that answer wrongly, fail, or are none: one message that names model, place and form."""

import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load
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


# Odd models, one row each ---------------------------------------------------------------------------------------------

BIO = "expected BIO: 'O', or 'B-' or 'I-' and an entity type"

TAGS = {
    "bytes": ("[[b'O'] * len(t) for t in batch]", f"found tag b'O'; {BIO}"),
    "numbers": ("[[0] * len(t) for t in batch]", f"found tag 0; {BIO}"),
    "lists of tags": ("[[['O']] * len(t) for t in batch]", f"found tag ['O']; {BIO}"),
    "a lower-case o": ("[['o'] * len(t) for t in batch]", f"found tag 'o'; {BIO}"),
    "a type called O": ("[['B-O'] * len(t) for t in batch]", f"found tag 'B-O'; {BIO}"),
    "a line end": ("[['B-PER\\n'] * len(t) for t in batch]", rf"found tag 'B-PER\n'; {BIO}"),
    "an escape": ("[['B-\\x1b[31mPER'] * len(t) for t in batch]", rf"found tag 'B-\x1b[31mPER'; {BIO}"),
    "a zero-width space": ("[['B-P\\u200bER'] * len(t) for t in batch]", rf"found tag 'B-P\u200bER'; {BIO}"),
    "rows by number": ("{i: ['O'] for i, _ in enumerate(batch)}", "where a list of rows was expected"),
    "tags by number": (
        "[dict.fromkeys(range(len(t)), 'O') for t in batch]",
        "found dict {0: 'O'} where a list",
    ),
    "a set of rows": ("{('O',) * len(t) for t in batch}", "found set "),
    "a map": ("map(lambda t: ['O'] * len(t), batch)", "found map "),
    "rows that are generators": ("[('O' for _ in t) for t in batch]", "found generator "),
    "rows that are none": ("[None for t in batch]", "found NoneType None where a list of tags was expected"),
    "words of its own": ("[['O'] * len(t) for t in batch if not t.append('x')]", "2 tags for 1 tokens"),
}


@pytest.mark.parametrize(("answer", "said"), TAGS.values(), ids=TAGS)
def test_what_is_no_tags_is_refused(write_module, answer, said):
    path = write_module("odd_tags", f"def make():\n    return lambda batch: {answer}\n")
    assert said in refusal(f"{path}:make", "a", "a b")


FINE = {
    "arrays of objects": "[np.array(['O'] * len(t), dtype=object) for t in batch]",
    "arrays of strings": "np.array([['O'] * 2 for t in batch])",
    "tuples": "tuple(('O',) * len(t) for t in batch)",
    "a batch that it empties": "[['O'] * len(t) for t in list(batch)] + (batch.clear() or [])",
}


@pytest.mark.parametrize("answer", FINE.values(), ids=FINE)
def test_sequences_of_any_kind_are_rows(write_module, answer):
    path = write_module("fine_tags", f"import numpy as np\n\ndef make():\n    return lambda batch: {answer}\n")
    assert [p.tags for p in load(f"{path}:make").predict(sentences("a b", "c d"))] == [("O", "O")] * 2


NO_NUMBERS = "gave something that is no array of numbers"

SCORES = {
    "infinite": ("[np.full((len(t), 2), -np.inf) for t in batch]", "score -inf for label 0 of token 0"),
    "a batch in one array": ("np.zeros((len(batch), 9, 2))", "an array of shape (9, 2) for a sentence of 1 tokens"),
    "labels by tokens": ("[np.zeros((2, len(t))) for t in batch]", "an array of shape (2, 1) for a sentence of 1"),
    "three dimensions": ("[np.zeros((len(t), 2, 1)) for t in batch]", "an array of shape (1, 2, 1) for a sentence"),
    "nothing": ("None", "found NoneType None where a list of rows was expected"),
    "rows of nothing": ("[None for t in batch]", NO_NUMBERS),
    "some of nothing": ("[np.array([[None, 1]] * len(t)) for t in batch]", NO_NUMBERS),
    "dates": ("[np.zeros((len(t), 2), dtype='datetime64[s]') for t in batch]", NO_NUMBERS),
    "one number": ("0.0", "found float 0.0 where a list of rows was expected"),
}


@pytest.mark.parametrize(("answer", "said"), SCORES.values(), ids=SCORES)
def test_what_is_no_scores_is_refused(write_module, answer, said):
    model = "class Model:\n    labels = ['O', 'B-PER']\n    def scores(self, batch):\n"
    path = write_module("odd_scores", f"import numpy as np\n\n{model}        return {answer}\n")
    assert said in refusal(f"{path}:Model", "a", "a b")


A_TYPE = "does not end with the name of an entity type, such as 'PER'"

SPANS = {
    "floats": ("(0.0, 1.0, 'PER')", "does not begin with two whole numbers, start and end"),
    "no numbers": ("(float('nan'), 1, 'PER')", "does not begin with two whole numbers, start and end"),
    "before the text": ("(-1, 1, 'PER')", "is empty, reversed or outside the 1 characters of the text"),
    "beyond the text": ("(0, 10**30, 'PER')", "is empty, reversed or outside the 1 characters of the text"),
    "backwards": ("(1, 0, 'PER')", "is empty, reversed or outside the 1 characters of the text"),
    "nothing": ("(0, 0, 'PER')", "is empty, reversed or outside the 1 characters of the text"),
    "over each other": ("(0, 1, 'PER'), (0, 1, 'LOC')", "overlaps the one before it, which ends at 1"),
    "no type": ("(0, 1, None)", f"span (0, 1, None) {A_TYPE}"),
    "a type called O": ("(0, 1, 'O')", f"span (0, 1, 'O') {A_TYPE}"),
    "a label": ("(0, 1, 'B-PER')", f"span (0, 1, 'B-PER') {A_TYPE}"),
    "an escape": ("(0, 1, '\\x1b[31m')", rf"span (0, 1, '\x1b[31m') {A_TYPE}"),
    "with a score": ("(0, 1, 'PER', 0.9)", "found (0, 1, 'PER', 0.9), expected a span (start, end, type)"),
    "of a pipeline of transformers": (
        "{'entity_group': 'PER', 'start': 0, 'end': 1}",
        "found {'entity_group': 'PER', 'start': 0, 'end': 1}, expected a span (start, end, type)",
    ),
}


@pytest.mark.parametrize(("spans", "said"), SPANS.values(), ids=SPANS)
def test_what_is_no_span_is_refused(write_module, spans, said):
    source = f"class Model:\n    def entities(self, texts):\n        return [[{spans}] for text in texts]\n"
    assert said in refusal(f"{write_module('odd_spans', source)}:Model", "a")


RAISING = {
    "an error that cannot say why": ("E", "raised E: (which cannot say why) ("),
    "an error of a million characters": ("ValueError('x' * 10**6)", f"raised ValueError: {'x' * 400}… ("),
    "an error with escapes": ("ValueError('a\\n\\x1b[31m\\ud800')", r"raised ValueError: a \u001b[31m\ud800 ("),
    "no end": ("boom()", "raised RecursionError: maximum recursion depth exceeded"),
    "no memory": ("MemoryError", "raised MemoryError:  ("),
    "the end of an iterator": ("StopIteration", "raised StopIteration:  ("),
    "the end of a generator": ("GeneratorExit", "raised GeneratorExit:  ("),
    "several errors": ("ExceptionGroup('g', [ValueError()])", "raised ExceptionGroup: g (1 sub-exception) ("),
    "an exit": ("SystemExit(0)", "raised SystemExit: 0 ("),
}

RAISER = """
class E(Exception):
    def __str__(self):
        raise ValueError

def boom(batch=()):
    raise {raised}

def make():
    return boom
"""


@pytest.mark.parametrize(("raised", "said"), RAISING.values(), ids=RAISING)
def test_whatever_is_raised_is_told_on_one_line_with_the_place(write_module, raised, said):
    path = write_module("raising", RAISER.format(raised=raised))
    message = refusal(f"{path}:make", "a")
    assert said in message
    assert message.endswith(f"({path}:7)")
    assert message.isprintable()


FACTORIES = {
    "an empty module": ("", "nothing.py has no 'make'"),
    "None": ("def make():\n    pass\n", "the factory returned NoneType; expected a function"),
    "a class that cannot be called": ("class make:\n    pass\n", "the factory returned make; expected a function"),
    "one that calls itself": ("def make():\n    return make()\n", "its factory raised RecursionError"),
    "one that exits": ("def make():\n    exit(0)\n", "its factory raised SystemExit: 0"),
    "a module that exits": ("exit(0)", "raised SystemExit: 0"),
    "a module that does not parse": ("\ndef make(:\n", "raised SyntaxError: invalid syntax"),
    "a module with nulls": ("x = '\0'", "source code string cannot contain null bytes"),
    "a module in no encoding": ("# -*- coding: nope -*-\n", "raised SyntaxError: unknown encoding: nope"),
    "no labels": ("class make:\n    labels = []\n    scores = print\n", "its labels are []; expected a list"),
    "labels by number": (
        "class make:\n    labels = {'O': 0}\n    scores = print\n",
        "its labels are {'O': 0}; expected a list such as",
    ),
    "labels that fail": (
        "class make:\n    @property\n    def labels(self):\n        return 1 / 0\n    scores = print\n",
        "its attribute labels raised ZeroDivisionError: division by zero (",
    ),
    "a name that fails": (
        "class make:\n    @property\n    def name(self):\n        return 1 / 0\n    scores = print\n",
        "its attribute name raised ZeroDivisionError: division by zero (",
    ),
    "every attribute": (
        "class make:\n    def __getattr__(self, name):\n        return 3\n",
        "its name is 3; expected a string, or none at all",
    ),
    "a mask of nothing": (
        "class make:\n    mask_token = ' '\n    entities = print\n",
        "its mask_token is ' '; expected one word, or none at all",
    ),
    "a fingerprint that is a number": (
        "class make:\n    fingerprint = 3\n    entities = print\n",
        "its fingerprint is 3; expected a string, or none at all",
    ),
}


@pytest.mark.parametrize(("source", "said"), FACTORIES.values(), ids=FACTORIES)
def test_what_makes_no_model_is_refused(write_module, source, said):
    path = write_module("nothing", source)
    assert said in refusal(f"{path}:make")


def test_where_a_module_does_not_parse_the_place_is_its_own(write_module):
    path = write_module("unparsed", "\n\ndef make(:\n")
    assert refusal(f"{path}:make").endswith(f"({path}:3)")


def test_whether_a_model_draws_is_true_false_or_not_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("says.py").write_text(
        "def of(draws):\n"
        "    def predict(batch):\n"
        "        return [['O'] * len(tokens) for tokens in batch]\n"
        "    predict.draws = draws\n"
        "    return predict\n"
        "def yes(): return of(True)\n"
        "def no(): return of(False)\n"
        "def maybe(): return of('maybe')\n"
    )
    assert [load(f"says:{name}").draws for name in ("yes", "no")] == [True, False]
    with pytest.raises(AbaloError, match="its draws is 'maybe'; expected True or False"):
        load("says:maybe")
