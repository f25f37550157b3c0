"""Analyses of attacks: the places of changes, and the traits of broken targets [Dirkson et al., 5.1]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median

from abalo.core.example import Outcome
from abalo.corpora import Corpus
from abalo.tasks.ner.metrics.attack import METRICS, attack_counts, broken
from abalo.tasks.ner.types import entity_types
from perturbations import Edit, Span, entity_spans


def median_similarity(outcomes: Iterable[Outcome]) -> float | None:
    """The median over the successes of the similarity to the original; None without a success."""
    found = [outcome.searched.similarity for outcome in outcomes if outcome.searched and broken(outcome)]
    return median(found) if found else None


def by_seed(outcomes: Sequence[Outcome]) -> dict[int, dict[str, float]]:
    """Every metric of attacks for each seed by itself; NaN where it has no meaning."""
    types = entity_types(outcomes)
    found = {}
    for seed in dict.fromkeys(outcome.seed for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.seed == seed]
        sums = attack_counts(own, "structural", types).sum(axis=(0, 1))
        found[seed] = {metric.name: float(metric.value(sums)) for metric in METRICS}
    return found


def offsets(outcomes: Iterable[Outcome]) -> dict[int, int]:
    """How often a change of a success sat so many words before (negative) or after the entity [Figure 1].

    1 is the word right after it, -1 the one right before; changes of the entity itself are not counted.
    """
    found = Counter(
        _offset(edit, target)
        for outcome in outcomes
        if outcome.perturbed is not None and broken(outcome)
        for target in outcome.targets
        for edit in outcome.perturbed.edits
        if not target.start <= edit.start < target.stop
    )
    return dict(sorted(found.items()))


def _offset(edit: Edit, target: Span) -> int:
    return edit.start - target.start if edit.start < target.start else edit.start - target.stop + 1


TRAITS: Mapping[str, Callable[[Outcome], float]] = {
    "sentence_length": lambda outcome: len(outcome.sentence),
    "choices": lambda outcome: outcome.searched.choices if outcome.searched is not None else 0,
    "entity_length": lambda outcome: sum(map(len, outcome.targets)),
}
"""Traits that may set broken targets apart: words in the sentence, choices of the attack, words in the entity."""


def compared(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float | None]]:
    """The mean of each trait over the targets that were broken, and over those that were not; None over none."""
    groups = {
        "successful": [outcome for outcome in outcomes if broken(outcome)],
        "failed": [outcome for outcome in outcomes if not broken(outcome)],
    }
    return {
        trait: {name: fmean(map(value, group)) if group else None for name, group in groups.items()}
        for trait, value in TRAITS.items()
    }


def rarity(outcomes: Iterable[Outcome], training: Corpus) -> dict[str, float | int | None]:
    """Whether the entities that break the model are rarer in its training corpus than those they replaced.

    Over the successes: how many pairs, the mean counts of the original and of the new entity, and the two-sided p of
    Wilcoxon's signed-rank test, zero differences left out; None where every difference is 0.
    """
    from scipy.stats import wilcoxon

    known = Counter(
        sentence.tokens[span.start : span.stop]
        for sentence in training.sentences
        for span in entity_spans(sentence.tags or ())
    )
    pairs = [
        (known[outcome.sentence.tokens[target.start : target.stop]], known[edit.tokens])
        for outcome in outcomes
        if outcome.perturbed is not None and broken(outcome)
        for target in outcome.targets
        for edit in outcome.perturbed.edits
        if edit.start == target.start
    ]
    differences = [new - old for old, new in pairs if new != old]
    return {
        "pairs": len(pairs),
        "original": fmean(old for old, _ in pairs) if pairs else None,
        "replacement": fmean(new for _, new in pairs) if pairs else None,
        "p": float(wilcoxon(differences).pvalue) if differences else None,
    }
