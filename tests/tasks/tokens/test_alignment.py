"""How labels meet when the number of tokens has changed."""

from dataclasses import replace

import pytest

from abalo.tasks.tokens.alignment import VIEWS, aligned
from perturbations import Edit, apply, parse

GOLD = parse("[Ana Sá PER] saiu")


def labels(text: str) -> tuple[str, ...]:
    return tuple("O" if letter == "o" else f"{letter}-PER" for letter in text)


@pytest.mark.parametrize("view", VIEWS)
def test_without_a_perturbation_every_view_compares_token_by_token(view):
    assert aligned(GOLD, None, labels("BBo"), view) == (labels("BIo"), labels("BBo"))


INSERTED = apply(GOLD, [Edit(1, 1, ("xxx",))])


@pytest.mark.parametrize(
    ("view", "gold", "predicted"),
    [("projected", "BIo", "BIo"), ("structural", "BIIo", "BoIo"), ("padded", "BIoo", "BoIo")],
)
def test_an_insertion_inside_an_entity_in_each_view(view, gold, predicted):
    assert aligned(GOLD, INSERTED, labels("BoIo"), view) == (labels(gold), labels(predicted))


BEHEADED = apply(GOLD, [Edit(0, 1, ())])


@pytest.mark.parametrize(
    ("view", "gold", "predicted"),
    [("projected", "BIo", "oBo"), ("structural", "Bo", "Bo"), ("padded", "BIo", "Boo")],
)
def test_the_deletion_of_an_entitys_first_token_in_each_view(view, gold, predicted):
    assert aligned(GOLD, BEHEADED, labels("Bo"), view) == (labels(gold), labels(predicted))


def test_a_token_is_predicted_as_the_first_of_the_tokens_that_stand_for_it():
    split = apply(GOLD, [Edit(0, 1, ("A", "na"))])
    assert aligned(GOLD, split, labels("BIIo"), "projected") == (labels("BIo"), labels("BIo"))


def test_tokens_that_became_one_are_all_predicted_as_that_one():
    joined = apply(GOLD, [Edit(0, 2, ("AnaSá",))])
    assert aligned(GOLD, joined, labels("Bo"), "projected") == (labels("BIo"), labels("BBo"))


def test_projection_repairs_no_tags():
    assert aligned(GOLD, INSERTED, labels("oBIo"), "projected") == (labels("BIo"), labels("oIo"))


JOINED = replace(
    apply(GOLD, [Edit(2, 3, ("saiu", "Rui", "ficou"), tags=("O", "B-PER", "O"), origins=((2,), (), ()))]), joined=2
)


@pytest.mark.parametrize("view", VIEWS)
def test_what_was_joined_to_a_sentence_is_not_compared(view):
    assert aligned(GOLD, JOINED, labels("BIooB"), view) == (labels("BIo"), labels("BIo"))


@pytest.mark.parametrize(("view", "gold", "predicted"), [("structural", "BIoo", "BIBI"), ("padded", "BIoo", "BIBI")])
def test_but_what_reaches_into_it_is_compared_whole(view, gold, predicted):
    assert aligned(GOLD, JOINED, labels("BIBIo"), view) == (labels(gold), labels(predicted))
