"""What a model of the user's own is called, and what its training is given."""

from types import SimpleNamespace

import pytest

from abalo.core.records.lesson import Lesson
from abalo.models.training.settings import Training
from abalo.models.training.user_code import UserTrainer
from abalo.models.user_code import identity, made_by


@pytest.fixture
def code(write_module):
    """Code of the user's, with a digest."""
    write_module("mine", "def make():\n    return print\n")
    return made_by("mine.py:make")[1]


@pytest.mark.parametrize(
    ("own", "asked", "version", "end"),
    [
        (None, None, None, ""),
        ("1", None, "1", "+version=1"),
        (None, "2", "2", "+version=2"),
        ("1", "2", "2", "+version=1+version=2"),
        ("1", "1", "1", "+version=1"),
    ],
)
def test_the_version_that_is_asked_for_overrides_its_own(code, own, asked, version, end):
    assert identity(SimpleNamespace(version=own), code, asked) == (f"{code.digest}{end}", version)


def test_a_training_gets_one_label_as_it_is_and_several_as_a_list(write_module, tmp_path):
    write_module("trains", "def train(corpus, out):\n    out.write_text(repr(corpus))\n    return 'trains.py:load'\n")
    lessons = [
        Lesson(("bom",), ("good",), tagged=False),
        Lesson(("a", "b"), ("x", "y"), tagged=False),
        Lesson(("Ana",), ("B-PER",), tagged=True),
    ]
    UserTrainer("trains.py:train").train(lambda _: lessons, Training(epochs=1), tmp_path / "out", lambda _: None)
    expected = [("bom", "good"), (("a", "b"), ["x", "y"]), (["Ana"], ["B-PER"])]
    assert (tmp_path / "out").read_text() == repr(expected)
