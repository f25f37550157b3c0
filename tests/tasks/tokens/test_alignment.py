"""How labels meet when the number of tokens has changed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.tasks.tokens.alignment import VIEWS, align_labels, carried_all, carry_span
from perturbations import Edit, Perturbed, Sentence, Span, apply, parse

GOLD = parse("[Ana Sá PER] saiu")


def labels(text: str) -> tuple[str, ...]:
    return tuple("O" if letter == "o" else f"{letter}-PER" for letter in text)


@pytest.mark.parametrize("view", VIEWS)
def test_without_a_perturbation_every_view_compares_token_by_token(view):
    assert align_labels(GOLD, None, labels("BBo"), view) == (labels("BIo"), labels("BBo"))


INSERTED = apply(GOLD, [Edit(1, 1, ("xxx",))])


@pytest.mark.parametrize(
    ("view", "gold", "predicted"),
    [("projected", "BIo", "BIo"), ("structural", "BIIo", "BoIo"), ("padded", "BIoo", "BoIo")],
)
def test_an_insertion_inside_an_entity_in_each_view(view, gold, predicted):
    assert align_labels(GOLD, INSERTED, labels("BoIo"), view) == (labels(gold), labels(predicted))


BEHEADED = apply(GOLD, [Edit(0, 1, ())])


@pytest.mark.parametrize(
    ("view", "gold", "predicted"),
    [("projected", "BIo", "oBo"), ("structural", "Bo", "Bo"), ("padded", "BIo", "Boo")],
)
def test_the_deletion_of_an_entitys_first_token_in_each_view(view, gold, predicted):
    assert align_labels(GOLD, BEHEADED, labels("Bo"), view) == (labels(gold), labels(predicted))


def test_a_token_that_is_gone_at_the_end_is_predicted_as_outside():
    """Each of the others comes from itself, as if nothing had changed."""
    beginning = apply(parse("saiu [Ana Sá PER]"), [Edit(2, 3, ())])
    found = align_labels(parse("saiu [Ana Sá PER]"), beginning, labels("oB"), "projected")
    assert found == (labels("oBI"), labels("oBo"))
    assert carry_span(beginning, Span(1, 3, "PER")) == Span(1, 2, "PER")
    assert carry_span(beginning, Span(2, 3, "PER")) is None


def test_a_token_is_predicted_as_the_first_of_the_tokens_that_stand_for_it():
    split = apply(GOLD, [Edit(0, 1, ("A", "na"))])
    assert align_labels(GOLD, split, labels("BIIo"), "projected") == (labels("BIo"), labels("BIo"))


def test_tokens_that_became_one_are_all_predicted_as_that_one():
    joined = apply(GOLD, [Edit(0, 2, ("AnaSá",))])
    assert align_labels(GOLD, joined, labels("Bo"), "projected") == (labels("BIo"), labels("BBo"))


def test_projection_repairs_no_tags():
    assert align_labels(GOLD, INSERTED, labels("oBIo"), "projected") == (labels("BIo"), labels("oIo"))


JOINED = replace(
    apply(GOLD, [Edit(2, 3, ("saiu", "Rui", "ficou"), tags=("O", "B-PER", "O"), origins=((2,), (), ()))]), joined=2
)


@pytest.mark.parametrize("view", VIEWS)
def test_what_was_joined_to_a_sentence_is_not_compared(view):
    assert align_labels(GOLD, JOINED, labels("BIooB"), view) == (labels("BIo"), labels("BIo"))


@pytest.mark.parametrize(("view", "gold", "predicted"), [("structural", "BIoo", "BIBI"), ("padded", "BIoo", "BIBI")])
def test_but_what_reaches_into_it_is_compared_whole(view, gold, predicted):
    assert align_labels(GOLD, JOINED, labels("BIBIo"), view) == (labels(gold), labels(predicted))


@st.composite
def changes_with_spans(draw):
    """Old tokens that stand in any order, anew or not at all among new ones, and spans of the old."""
    length = draw(st.integers(1, 8))
    origins = draw(st.lists(st.sets(st.integers(0, length - 1), max_size=2).map(sorted).map(tuple), max_size=10))
    tags = draw(
        st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC"]), min_size=len(origins), max_size=len(origins))
    )
    ends = st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted)
    spans = [Span(start, stop, "PER") for start, stop in draw(st.lists(ends, max_size=4)) if start < stop]
    return Perturbed(Sentence(tuple("w" * len(tags)), tuple(tags)), tuple(origins), ()), spans


@given(changes_with_spans())
def test_a_carried_span_reaches_from_the_first_to_the_last_token_of_its_own(case):
    made, spans = case
    expected = []
    for span in spans:
        new = [i for i, origin in enumerate(made.origins) if any(span.start <= old < span.stop for old in origin)]
        there = new and made.sentence.tags[new[0]] != "O"
        expected.append(Span(new[0], new[-1] + 1, made.sentence.tags[new[0]][2:]) if there else None)
    assert carried_all(made, spans) == expected == [carry_span(made, span) for span in spans]


def test_nothing_changed_carries_every_span_to_itself():
    assert carried_all(None, [Span(1, 2, "PER")]) == [Span(1, 2, "PER")]
