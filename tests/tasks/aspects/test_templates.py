"""Filled templates of sentences with an aspect: what they are, and what is none."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.filling import Filled
from abalo.models.labelling.classified import Classified
from tests.tasks.labels.scripted import aspects_of

TASK = tasks()["aspects"]


def written(text: str, aspect: str, label: str | None = None):
    fields = {"text": text, "aspect": aspect, **({} if label is None else {"label": label})}
    return TASK.templates.written({name: Filled(value) for name, value in fields.items()}, None)


def test_it_is_the_sentence_with_the_aspect_as_its_target():
    filling = written("The  soup was good.", "soup", "positive")
    assert TASK.input(filling.example) == ("The soup was good.", "soup")
    assert filling.example.gold == ("positive",)
    assert filling.example.sentence.tags == ("O", "B-positive", "O", "O", "O")
    assert TASK.templates.said(filling.example) == "The soup was good. [soup] (positive)"
    assert TASK.templates.said(filling.example, Classified(("neutral",))) == "The soup was good. [soup] (neutral)"


def test_it_is_the_example_that_a_corpus_has_of_it():
    (example,) = aspects_of("The dining room was cold.", ("dining room", "negative")).examples
    filling = written("The dining room was cold.", "dining room", "negative")
    assert (filling.example.id, filling.example.fields) == (example.id, example.fields)


def test_without_a_polarity_it_has_no_gold_and_no_tags():
    filling = written("The soup was good.", "soup")
    assert (filling.example.gold, filling.example.sentence.tags) == (None, None)
    assert TASK.templates.said(filling.example) == "The soup was good. [soup]"


@pytest.mark.parametrize(
    ("text", "aspect", "label", "message"),
    [
        ("The soup was good.", "wine", "positive", "the aspect 'wine' stands 0 times"),
        ("The soups were good.", "soup", "positive", "the aspect 'soup' stands 0 times"),
        ("The soup was a good soup.", "soup", "positive", "the aspect 'soup' stands 2 times"),
        ("The soup was good.", "soup", "positiv", "label is 'positiv'; expected .*did you mean 'positive'"),
        ("The soup was good.", "", "positive", "the aspect '' stands 0 times"),
    ],
)
def test_what_is_no_sentence_with_an_aspect_is_told(text, aspect, label, message):
    with pytest.raises(ValueError, match=message):
        written(text, aspect, label)


def test_both_fields_are_needed():
    with pytest.raises(ValueError, match="expected text: the sentence, and aspect: the aspect"):
        TASK.templates.written({"text": Filled("The soup was good.")}, None)


def test_a_prediction_is_right_or_says_what_is_wrong():
    filling = written("The soup was good.", "soup", "positive")
    assert TASK.templates.fault(filling, Classified(("positive",))) == ""
    assert TASK.templates.fault(filling, Classified(("neutral",))) == "labelled neutral, not positive"
    said = TASK.templates.differing(filling, Classified(("positive",)), filling, Classified(("neutral",)))
    assert said == "was labelled positive, is labelled neutral"


def test_a_word_is_swapped_in_the_sentence_and_in_the_aspect():
    (example,) = aspects_of("The soup was good, it was cheap.", ("soup", "positive")).examples
    ((before, after),) = TASK.templates.swapped(example, "x", "soup", "stew")
    assert TASK.input(before.example) == ("The soup was good, it was cheap.", "soup")
    assert TASK.input(after.example) == ("The stew was good, it was cheap.", "stew")
    assert after.example.gold == ("positive",)
    assert list(TASK.templates.swapped(example, "x", "wine", "beer")) == []
    ((_, other),) = TASK.templates.swapped(example, "x", "it", "stew")
    assert TASK.input(other.example) == ("The soup was good, stew was cheap.", "soup")
    assert list(TASK.templates.swapped(example, "x", "it", "soup")) == [], "then the aspect stands there twice"
