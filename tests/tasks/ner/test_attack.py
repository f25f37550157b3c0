"""Success of an attack on one entity, word by word."""

import pytest

from abalo.core.example import Searched
from abalo.tasks.ner.metrics.attack import METRICS, attack_counts
from perturbations import Edit, apply, entity_spans, parse
from tests.scripted import outcome

ENTITIES = {1: parse("viu [Ana P]"), 2: parse("viu [Ana Sá P]"), 3: parse("viu [Ana de Sá P]")}
"""An entity of one, two and three words."""


def rates(labels: str) -> dict[str, float]:
    """The metrics where the first word was replaced and the entity's words then had these labels."""
    sentence = ENTITIES[len(labels.split())]
    (target,) = entity_spans(sentence.tags)
    found = outcome(
        sentence,
        None,
        apply(sentence, [Edit(0, 1, ("ouviu",))]),
        ("O", *labels.split()),
        targets=(target,),
        searched=Searched(1, 1, False, 1.0),
    )
    sums = attack_counts([found], "structural", ["L", "P"]).sum(axis=(0, 1))
    return {metric.name: float(metric.value(sums)) for metric in METRICS}


@pytest.mark.parametrize(
    ("labels", "success", "partial", "any_word"),
    [
        ("B-P", 0, 0, 0),
        ("O", 1, 0, 1),
        ("B-P I-P", 0, 0, 0),
        ("B-P O", 0, 1, 1),  # half of the words are wrong: that is enough
        ("O O", 1, 0, 1),
        ("B-P I-P O", 0, 0, 1),  # a third is not
        ("B-P O O", 0, 1, 1),
        ("O B-P I-P", 0, 0, 1),  # B-P is right for an inner word
    ],
)
def test_an_attack_succeeds_with_all_words_wrong_and_in_part_with_half(labels, success, partial, any_word):
    found = rates(labels)
    assert (found["success_rate"], found["partial_success_rate"], found["any_word_wrong_rate"]) == (
        success,
        partial,
        any_word,
    )
