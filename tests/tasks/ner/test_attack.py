"""Success of an attack on one entity, word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.records.outcome import Obstacle, Reached, Searched, Tried
from abalo.core.statistics.search_metrics import BROKEN, COLUMNS, FAILURES, TARGETS
from abalo.corpora.examples import example_of, variant_of
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner.metrics.attack import METRICS, entity_in, search_counts
from perturbations import Edit, Sentence, Span, apply, entity_spans, parse
from tests.rows import every
from tests.scripted import outcome

ENTITIES = {1: parse("viu [Ana P]"), 2: parse("viu [Ana Sá P]"), 3: parse("viu [Ana de Sá P]")}
"""An entity of one, two and three words."""

LABELS = ("O", "B-P", "I-P", "B-L", "I-L")
KINDS = ("missed_entity_rate", "type_error_rate", "boundary_error_rate")
SHOWN = Tried(1, 0, 0, 1)


def attacked(labels: str, *, around: str = "O", tried: Tried = SHOWN, spent: bool = False, best: str = ""):
    """The first word replaced, labelled ``around`` then, and the entity's words with these labels.

    ``best`` are the labels of the entity's words in a better state on the way, where there was one.
    """
    sentence = ENTITIES[len(labels.split())]
    (target,) = entity_spans(sentence.tags)
    made = apply(sentence, [Edit(0, 1, ("ouviu",))])
    state = Reached(variant_of(example_of(sentence), made), Prediction((around, *best.split()))) if best else None
    searched = Searched(1, 1, spent, 1.0, tried, state)
    return outcome(sentence, None, made, (around, *labels.split()), targets=(target,), searched=searched)


def rates(*found) -> dict[str, float]:
    """The metrics over these outcomes."""
    sums = search_counts(found, "structural", ["L", "P"]).sum(axis=(0, 1))
    return {metric.name: float(metric.value(sums)) for metric in METRICS if metric.count is search_counts}


@every(
    ("labels", "success", "partial", "any_word"),
    [
        ("B-P", 0, 0, 0),
        ("O", 1, 0, 1),
        ("I-P", 0, 0, 0),  # the entity is found all the same, so no word of it is wrong
        ("B-P I-P", 0, 0, 0),
        ("B-P B-P", 0, 0, 0),  # I to B of the same type changes nothing by itself
        ("I-P I-P", 0, 0, 0),
        ("I-P B-P", 0, 1, 1),  # two entities of one word: I-P is wrong, B-P is right for an inner word
        ("I-P I-P I-P", 0, 0, 0),
        ("B-P O", 0, 1, 1),  # half of the words are wrong: that is enough
        ("I-P O", 1, 0, 1),
        ("O O", 1, 0, 1),
        ("B-P I-P O", 0, 0, 1),  # a third is not
        ("B-P O O", 0, 1, 1),
        ("O B-P I-P", 0, 0, 1),  # B-P is right for an inner word
        ("O O B-P", 0, 1, 1),  # [Dirkson et al., Table 1]
    ],
)
def test_an_attack_succeeds_with_all_words_wrong_and_in_part_with_half(labels, success, partial, any_word):
    found = rates(attacked(labels))
    assert (found["success_rate"], found["partial_success_rate"], found["any_word_wrong_rate"]) == (
        success,
        partial,
        any_word,
    )


def test_an_inner_label_that_goes_on_from_an_entity_before_it_is_a_success():
    found = rates(attacked("I-P", around="B-P"))
    assert (found["success_rate"], found["boundary_error_rate"]) == (1, 1)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ("O O", "missed_entity_rate"),
        ("O B-L", "type_error_rate"),
        ("I-P B-L", "type_error_rate"),  # any other type among them
        ("B-L I-L", "type_error_rate"),
        ("I-P O", "boundary_error_rate"),
    ],
)
def test_a_success_is_missed_or_a_type_error_or_a_boundary_error(labels, kind):
    found = rates(attacked(labels))
    assert {name: found[name] for name in KINDS} == {name: float(name == kind) for name in KINDS}


@given(st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=3), min_size=1), st.sampled_from(LABELS))
def test_the_kinds_of_success_sum_to_1_and_so_do_those_of_failure(drawn, around):
    found = rates(*(attacked(" ".join(labels), around=around) for labels in drawn))
    for names, share in ((KINDS, found["success_rate"]), ([name for name, _ in FAILURES.values()], None)):
        none = share == 0 if share is not None else found["success_rate"] == 1
        total = sum(found[name] for name in names)
        assert np.isnan(total) if none else total == pytest.approx(1)


@pytest.mark.parametrize(
    ("tried", "spent", "obstacle"),
    [
        (Tried(0, 0, 0, 0), False, Obstacle.NOTHING_TO_TRY),
        (Tried(3, 3, 0, 0), False, Obstacle.SIMILARITY),
        (Tried(3, 2, 1, 0), False, Obstacle.PART_OF_SPEECH),  # all that were similar enough
        (Tried(3, 1, 1, 1), False, Obstacle.RESISTED),
        (Tried(3, 0, 0, 1), True, Obstacle.BUDGET),
        (Tried(0, 0, 0, 0), True, Obstacle.BUDGET),  # spent on ranking the words
    ],
)
def test_a_failure_has_one_kind(tried, spent, obstacle):
    found = rates(attacked("B-P", tried=tried, spent=spent))
    assert {kind for kind, (name, _) in FAILURES.items() if found[name] == 1} == {obstacle}
    assert rates(attacked("O", tried=tried, spent=spent))["success_rate"] == 1, "a success has none"


@given(
    st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.booleans(), st.sampled_from(LABELS)
)
def test_failures_by_kind_sum_to_the_failures(unlike, other, shown, rest, spent, label):
    tried = Tried(unlike + other + shown + rest, unlike, other, shown)
    table = search_counts([attacked(label, tried=tried, spent=spent)], "structural", ["P"])[0, 0]
    assert table[COLUMNS - len(Obstacle) : COLUMNS].sum() == table[TARGETS] - table[BROKEN]


def test_a_state_on_the_way_that_was_repaired_is_reported_beside_the_final_one():
    found = rates(attacked("B-P I-P O", best="B-P O O"), attacked("B-P O O"), attacked("B-P I-P I-P"))
    assert (found["partial_success_rate"], found["best_partial_success_rate"]) == (1 / 3, 2 / 3)
    assert (found["any_word_wrong_rate"], found["best_any_word_wrong_rate"]) == (2 / 3, 2 / 3)


@given(st.data(), st.integers(1, 3))
def test_more_damage_is_never_a_lesser_success(data, size):
    sentence = Sentence(("viu", *"abc"[:size]), ("O", "B-P", *["I-P"] * (size - 1)))
    some = st.tuples(*[st.sampled_from(LABELS)] * (size + 1))
    one, other = sorted(
        (entity_in(Span(1, 1 + size, "P"), sentence.tags[1:], data.draw(some)) for _ in range(2)),
        key=lambda each: each.damage,
    )
    assert other.broken >= one.broken
    assert other.broken or other.partly >= one.partly
    assert any(other.wrong) >= any(one.wrong)


def test_three_of_seven_entities_have_a_wrong_word_without_the_one_with_an_inner_label():
    """3/7 = 0.429, where counting labels alone gives 4/7."""
    found = rates(*map(attacked, ["O", "B-P O", "B-P I-P O", "I-P I-P", "B-P", "B-P I-P", "B-P I-P I-P"]))
    assert found["any_word_wrong_rate"] == found["best_any_word_wrong_rate"] == 3 / 7
    assert (found["success_rate"], found["partial_success_rate"]) == (1 / 7, 1 / 7)
