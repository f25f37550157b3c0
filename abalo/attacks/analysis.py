"""Analyses of attacks: the places of changes, and the traits of broken targets [Dirkson et al., 5.1]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any, Literal

from abalo.core.example import Outcome
from abalo.core.metrics import with_all
from abalo.core.searches import FAILURES, succeeded
from abalo.core.task import Task
from abalo.corpora import Corpus
from abalo.sources import PartsOfSpeech
from perturbations import Edit, Span, entity_spans


def median_similarity(outcomes: Iterable[Outcome], task: Task) -> float | None:
    """The median over the successes of the similarity to the original; None without a success."""
    found = [each.searched.similarity for each in outcomes if each.searched and succeeded(each, task.seen)]
    return median(found) if found else None


def by_seed(outcomes: Sequence[Outcome], task: Task) -> dict[int, dict[str, float]]:
    """Every metric of attacks for each seed by itself; NaN where it has no meaning.

    ``outcomes`` are those of searches and of the targets that the model has wrong to begin with.
    """
    groups = task.groups(outcomes)
    metrics = [metric for metric in task.metrics().values() if metric.probes == ("attack",)]
    found: dict[int, dict[str, float]] = {}
    for seed in dict.fromkeys(outcome.seed for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.seed == seed]
        sums = {
            count: with_all(count(own, task.resized_view, groups), len(groups))[:, 0].sum(axis=0)
            for count in dict.fromkeys(metric.count for metric in metrics)
        }
        found[seed] = {metric.name: float(metric.value(sums[metric.count])) for metric in metrics}
    return found


def failures(outcomes: Iterable[Outcome], task: Task) -> dict[str, int]:
    """How many searches that failed each obstacle held up; they sum to the searches without a full success."""
    held = Counter(each.searched.obstacle for each in outcomes if each.searched and not succeeded(each, task.seen))
    return {obstacle.value: held[obstacle] for obstacle in FAILURES}


def offsets(outcomes: Iterable[Outcome], task: Task) -> dict[int, int]:
    """How often a change of a success sat so many words before (negative) or after the entity [Figure 1].

    1 is the word right after it, -1 the one right before; changes of the entity itself are not counted.
    """
    found = Counter(
        _offset(edit, target)
        for outcome in outcomes
        if outcome.perturbed is not None and succeeded(outcome, task.seen)
        for target in outcome.targets
        for edit in outcome.perturbed.edits
        if not target.start <= edit.start < target.stop
    )
    return dict(sorted(found.items()))


def _offset(edit: Edit, target: Span) -> int:
    return edit.start - target.start if edit.start < target.start else edit.start - target.stop + 1


TRAITS: Mapping[str, Callable[[Outcome], float]] = {
    "sentence_length": lambda outcome: len(outcome.edited),
    "choices": lambda outcome: outcome.searched.choices if outcome.searched is not None else 0,
    "entity_length": lambda outcome: sum(map(len, outcome.targets)),
}
"""Traits that may set broken targets apart: words in the sentence, choices of the attack, words in the entity."""


def compared(outcomes: Sequence[Outcome], task: Task) -> dict[str, dict[str, float | None]]:
    """The mean of each trait over the targets that were broken, and over those that were not; None over none."""
    groups = {
        "successful": [outcome for outcome in outcomes if succeeded(outcome, task.seen)],
        "failed": [outcome for outcome in outcomes if not succeeded(outcome, task.seen)],
    }
    return {
        trait: {name: fmean(map(value, group)) if group else None for name, group in groups.items()}
        for trait, value in TRAITS.items()
    }


Of = Literal["entities", "words"]
"""The units whose frequency is compared: whole entities, word for word, or single words in small letters."""


def rarity(outcomes: Iterable[Outcome], task: Task, training: Sequence[Corpus], of: Of) -> dict[str, Any]:
    """Whether what breaks the model is rarer in the corpora it learned from than what it replaced [5.1, 5.3].

    Over the full successes of all seeds: how many ``changes``, and of how many targets (``pairs``). The changes of one
    target, under all seeds, are no evidence independent of each other and make one pair of mean counts; over the pairs
    the mean counts of the ``original`` and of the ``replacement``, None without a pair, and the two-sided ``p`` of
    Wilcoxon's signed-rank test, zero differences left out; None where every difference is 0.
    """
    from scipy.stats import wilcoxon

    known = _counted(training, of)
    counts: dict[tuple[str, tuple[Span, ...]], list[tuple[int, int]]] = {}
    for outcome, edit in _changes(outcomes, task):
        before = outcome.edited.tokens[edit.start : edit.stop]
        counted = known[_unit(before, of)], known[_unit(edit.tokens, of)]
        counts.setdefault((outcome.example.id, outcome.targets), []).append(counted)
    pairs = [(fmean(old for old, _ in each), fmean(new for _, new in each)) for each in counts.values()]
    differences = [new - old for old, new in pairs if new != old]
    return {
        "of": of,
        "changes": sum(map(len, counts.values())),
        "pairs": len(pairs),
        "original": fmean(old for old, _ in pairs) if pairs else None,
        "replacement": fmean(new for _, new in pairs) if pairs else None,
        "p": float(wilcoxon(differences).pvalue) if differences else None,
    }


def _changes(outcomes: Iterable[Outcome], task: Task) -> Iterator[tuple[Outcome, Edit]]:
    """Every change of every full success that puts something in the place of something."""
    for outcome in outcomes:
        if outcome.perturbed is not None and succeeded(outcome, task.seen):
            replaced = (edit for edit in outcome.perturbed.edits if edit.start < edit.stop and edit.tokens)
            yield from ((outcome, edit) for edit in replaced)


def _counted(training: Sequence[Corpus], of: Of) -> Counter[tuple[str, ...]]:
    """How often each entity, or each word, stands in the corpora together."""
    found: Counter[tuple[str, ...]] = Counter()
    for corpus in training:
        for sentence in corpus.sentences:
            if of == "words":
                found.update(_unit((word,), of) for word in sentence.tokens)
            else:
                spans = entity_spans(sentence.tags or ())
                found.update(sentence.tokens[span.start : span.stop] for span in spans)
    return found


def _unit(tokens: Sequence[str], of: Of) -> tuple[str, ...]:
    return tuple(token.casefold() for token in tokens) if of == "words" else tuple(tokens)


def parts_replaced(
    outcomes: Sequence[Outcome], task: Task, places: Sequence[Sequence[int]], source: PartsOfSpeech
) -> list[dict[str, Any]]:
    """The parts of speech of the words that were replaced in full successes, most often replaced first [5.1].

    For each ``part`` how many words of the successes were ``replaced``, and how many ``could`` have been, which is what
    to compare with: ``places`` holds for each outcome the places of those.
    """
    successes = [(each, could) for each, could in zip(outcomes, places, strict=True) if succeeded(each, task.seen)]
    sentences = list(dict.fromkeys(outcome.edited for outcome, _ in successes))
    parts = dict(zip(sentences, source.of(sentences), strict=True))
    possible = Counter(parts[outcome.edited][place] for outcome, could in successes for place in could)
    replaced = Counter(
        parts[outcome.edited][edit.start] for outcome, edit in _changes((each for each, _ in successes), task)
    )
    order = sorted(possible | replaced, key=lambda part: (-replaced[part], -possible[part], part))
    return [{"part": part, "replaced": replaced[part], "could": possible[part]} for part in order]
