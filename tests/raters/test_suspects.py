"""Gold labels that all models contradict, and in the same way."""

from types import SimpleNamespace

import pytest

from abalo.config.tasks import task_called
from abalo.corpora import Corpus
from abalo.raters.suspects import Contradiction, contradictions, suspects
from perturbations import Span, parse

NER = task_called("ner")


def prediction(text: str) -> SimpleNamespace:
    return SimpleNamespace(tags=parse(text).tags)


def found(gold, *models):
    """The suspects of sentences in bracket notation; each model a list of the same sentences as it labels them."""
    examples = Corpus("c", tuple(map(parse, gold))).examples
    return suspects(NER, examples, [[prediction(each) for each in model] for model in models])


@pytest.mark.parametrize(
    ("gold", "predicted", "kind"),
    [
        ([Span(0, 2, "PER")], [Span(0, 2, "ORG")], "type"),
        ([Span(0, 2, "PER")], [Span(0, 1, "PER")], "boundary"),
        ([Span(0, 3, "PER")], [Span(0, 1, "PER"), Span(2, 3, "PER")], "boundary"),
        ([Span(0, 2, "PER")], [Span(1, 4, "ORG")], "boundary and type"),
        ([Span(0, 2, "PER")], [], "missed"),
        ([], [Span(0, 2, "PER")], "invented"),
    ],
)
def test_kinds(gold, predicted, kind):
    (each,) = contradictions(gold, predicted)
    assert each == Contradiction(tuple(gold), tuple(predicted))
    assert each.kind == kind


def test_spans_apart_are_contradictions_of_their_own_and_what_both_say_is_none():
    both = Span(9, 10, "LOC")
    assert [*contradictions([Span(0, 1, "PER"), both], [both, Span(1, 2, "PER")])] == [
        Contradiction((Span(0, 1, "PER"),), ()),
        Contradiction((), (Span(1, 2, "PER"),)),
    ]


def test_only_what_all_models_say_alike_is_a_suspect():
    gold = ["[Rio LOC] venceu", "[Ana PER] saiu", "o [Rui PER] leu"]
    first = ["[Rio ORG] venceu", "[Ana ORG] saiu", "o Rui leu"]
    second = ["[Rio ORG] venceu", "[Ana LOC] saiu", "o Rui leu"]
    assert [(each.number, each.found.kind) for each in found(gold, first, second)] == [(1, "type"), (3, "missed")]


def test_the_labels_that_gold_gives_the_same_words_elsewhere_are_told():
    gold = ["o [Rio LOC] venceu", "[rio ORG] joga", "viu o [RIO ORG]", "[Rio LOC] é belo"]
    said = ["o [Rio ORG] venceu", *gold[1:]]
    (only,) = found(gold, said, said)
    assert only.elsewhere == {"LOC": 1, "ORG": 2}
    assert only.lines() == ("1: type: [Rio LOC] -> [Rio ORG]; elsewhere LOC 1, ORG 2", "o «Rio» venceu")


def test_copies_of_a_sentence_are_one_suspect():
    assert len(found(["[Rio LOC] venceu"] * 2, ["[Rio ORG] venceu"] * 2, ["[Rio ORG] venceu"] * 2)) == 1


def test_long_sentences_are_shown_around_the_place():
    gold = f"{'a ' * 20}[Rio LOC]{' b' * 20}"
    (only,) = found([gold], [gold.replace("LOC", "ORG")], [gold.replace("LOC", "ORG")])
    assert only.lines()[1] == f"… {'a ' * 8}«Rio»{' b' * 8} …"
    assert only.to_json()["gold"] == [{"start": 20, "stop": 21, "type": "LOC"}]
