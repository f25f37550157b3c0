"""The core knows no task: its sources name no tag, no entity, no question and no score of one."""

import ast
import re
from pathlib import Path

import pytest

import abalo.core
from abalo.core.protocols.task import tasks
from tests.rows import every

FOLDER = Path(abalo.core.__file__).parent
DECLARATIONS = {"document.py", "found.py"}
"""They declare the fields of a report, those of tasks among them."""

FILES = [path for path in sorted(FOLDER.rglob("*.py")) if path.name not in DECLARATIONS]
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in FILES}

WORDS_OF_TASKS = {
    *("tag", "tags", "tagger", "entity", "entities", "ner", "bio", "bioes", "bmes"),
    *("question", "questions", "choice", "prompt", "prompts", "accuracy"),
    *("pos", "upos", "premise", "sentiment"),
}

SCORES = {"f1", "recall"}
SPEAK_OF_LABELS = {
    *("comparison.py", "foresight.py", "gate.py", "label_losses.py", "losses_found.py", "metrics.py", "settings.py"),
}
"""They compare the F1 of each label against the rest, whatever the task."""

TOKENS = {"token", "tokens"}
SPEAK_OF_SENTENCES = {"example.py", "evidence.py", "search_metrics.py", "options.py"}
"""They say where the labels of a Sentence stand, digest its tokens, count those that an edit puts in, and have the one
that masks a word."""

SPEAK_OF_SERVICES = {"rates.py"}
"""They count what services ask money for: tokens in prompts, whatever the task."""


def words(source: str) -> set[str]:
    """The words of names, strings and comments in lower case: those between underscores and capitals, too."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", source)
    return {word.lower() for word in re.findall(r"[A-Za-z][A-Za-z0-9]*", parted)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("max_f1_drop", {"max", "f1", "drop"}),
        ("EntityTypes", {"entity", "types"}),
        ('"""About tags."""', {"about", "tags"}),
        ("x = 1  # BIO", {"x", "bio"}),
    ],
)
def test_a_word_is_found_in_names_strings_and_comments(source, expected):
    assert words(source) == expected


@every("name", SOURCES)
def test_no_module_speaks_of_one_task(name):
    forbidden = WORDS_OF_TASKS | (set() if name in SPEAK_OF_SENTENCES | SPEAK_OF_SERVICES else TOKENS)
    forbidden -= {"prompts"} if name in SPEAK_OF_SERVICES else set()
    forbidden |= set() if name in SPEAK_OF_LABELS else SCORES
    assert words(SOURCES[name]) & forbidden == set()


@every("name", SOURCES)
def test_no_module_names_a_task_that_there_is(name):
    strings = {node.value for node in ast.walk(ast.parse(SOURCES[name])) if isinstance(node, ast.Constant)}
    assert strings & {*tasks()} == set()


@every("name", SOURCES)
def test_every_name_of_tokens_is_that_of_a_sentence(name):
    """``sentence.tokens`` is read, never a variable called so."""
    named = {node.id for node in ast.walk(ast.parse(SOURCES[name])) if isinstance(node, ast.Name)}
    assert name in SPEAK_OF_SERVICES or named & TOKENS == set()
