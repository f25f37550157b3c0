"""Counts the places in which attacks change a text, and the targets that break [Dirkson et al., 5.1].

Rows hold no text, so the rows of several shards can be joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Literal

from abalo.core.protocols.task import Task
from abalo.core.records.outcome import Outcome, Searched
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.search_metrics import FAILURES, has_succeeded
from abalo.corpora import Corpus
from abalo.sources import PosSource
from perturbations import Edit, entity_spans

DECIMALS = 6

Of = Literal["entities", "words"]

TRAITS = ("sentence_length", "choices", "entity_length")


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """The analysed facts of one search, in plain types.

    ``offsets`` are distances from the target in words. ``counts`` are uses of old and new text in the training data;
    None without ``training``. ``could`` and ``replaced`` count words by part of speech; None if unknown.
    """

    target: str
    queries: int
    spent: bool
    tried: Mapping[str, int]
    succeeded: bool
    obstacle: str
    similarity: float
    traits: Mapping[str, int]
    offsets: Sequence[int]
    counts: Sequence[Sequence[int]] | None
    could: Mapping[str, int] | None
    replaced: Mapping[str, int] | None


def rows_of(
    outcomes: Sequence[Outcome],
    task: Task,
    training: Sequence[Corpus] = (),
    of: Of = "entities",
    places: Sequence[Sequence[int]] = (),
    parts_of_speech: PosSource | None = None,
) -> list[SearchFacts]:
    """One row per outcome; ``places`` lists its replaceable words."""
    known = _count_occurrences(training, of) if training else None
    parts = _parts(outcomes, task, places, parts_of_speech)
    return [
        _row(outcome, outcome.searched, task, known, of, *pair)
        for outcome, pair in zip(outcomes, parts, strict=True)
        if outcome.searched is not None
    ]


def _row(
    outcome: Outcome,
    searched: Searched,
    task: Task,
    known: Mapping[tuple[str, ...], int] | None,
    of: Of,
    could: Mapping[str, int] | None,
    replaced: Mapping[str, int] | None,
) -> SearchFacts:
    success = has_succeeded(outcome, task.targets.seen)
    changes = list(_changes(outcome)) if success else []
    return SearchFacts(
        target=f"{outcome.example.id} {outcome.place}",
        queries=searched.queries,
        spent=searched.spent,
        tried=asdict(searched.tried),
        succeeded=success,
        obstacle=searched.obstacle.value,
        similarity=round(searched.similarity, DECIMALS),
        traits={
            "sentence_length": len(outcome.edited),
            "choices": searched.choices,
            "entity_length": sum(map(len, outcome.targets)),
        },
        offsets=list(_offsets(outcome)) if success else [],
        counts=None if known is None else [_frequencies(outcome, edit, known, of) for edit in changes],
        could=could,
        replaced=replaced,
    )


def _offsets(outcome: Outcome) -> Iterator[int]:
    """Negative before the target, 1 right after it; skips the target itself."""
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    for target in outcome.targets:
        for edit in edits:
            if not target.start <= edit.start < target.stop:
                yield edit.start - target.start if edit.start < target.start else edit.start - target.stop + 1


def _changes(outcome: Outcome) -> list[Edit]:
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    return [edit for edit in edits if edit.start < edit.stop and edit.tokens]


def _frequencies(outcome: Outcome, edit: Edit, known: Mapping[tuple[str, ...], int], of: Of) -> list[int]:
    before = outcome.edited.tokens[edit.start : edit.stop]
    return [known.get(_unit(tokens, of), 0) for tokens in (before, edit.tokens)]


def _count_occurrences(training: Sequence[Corpus], of: Of) -> Counter[tuple[str, ...]]:
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


def _parts(
    outcomes: Sequence[Outcome], task: Task, places: Sequence[Sequence[int]], source: PosSource | None
) -> list[tuple[Mapping[str, int] | None, Mapping[str, int] | None]]:
    if source is None or not places:
        return [(None, None)] * len(outcomes)
    successes = [has_succeeded(outcome, task.targets.seen) for outcome in outcomes]
    sentences = list(dict.fromkeys(each.edited for each, success in zip(outcomes, successes, strict=True) if success))
    parts = dict(zip(sentences, source.of(sentences), strict=True))

    def counted(outcome: Outcome, chosen: Sequence[int]) -> Mapping[str, int]:
        return Counter(parts[outcome.edited][place] for place in chosen)

    return [
        (counted(outcome, could), counted(outcome, [edit.start for edit in _changes(outcome)]))
        if success
        else (Counter(), Counter())
        for outcome, success, could in zip(outcomes, successes, places, strict=True)
    ]


# Analyses -------------------------------------------------------------------------------------------------------------


def median_similarity(rows: Sequence[SearchFacts]) -> float | None:
    """Median similarity of successes to their originals; None if none succeeded."""
    found = [row.similarity for row in rows if row.succeeded]
    return median(found) if found else None


def by_seed(evidence: Evidence, task: Task) -> dict[int, dict[str, float]]:
    """Attack metrics by seed, including targets that are wrong without a change; NaN if undefined."""
    metrics = [metric for metric in task.metrics().values() if metric.probes == ("attack",)]
    found: dict[int, dict[str, float]] = {}
    for seed in dict.fromkeys(evidence.seeds.tolist()):
        own = evidence.only(evidence.seeds == seed)
        sums = {each: own.counts(each, task.resized_view)[:, 0].sum(axis=0) for each in metrics}
        found[seed] = {each.name: float(each.value(sums[each])) for each in metrics}
    return found


def failures(rows: Sequence[SearchFacts]) -> dict[str, int]:
    """Failed searches by obstacle."""
    held = Counter(row.obstacle for row in rows if not row.succeeded)
    return {obstacle.value: held[obstacle.value] for obstacle in FAILURES}


def offsets(rows: Sequence[SearchFacts]) -> dict[int, int]:
    """Successful changes by words before (negative) or after the target [Figure 1]."""
    return dict(sorted(Counter(offset for row in rows for offset in row.offsets).items()))


def mean_traits(rows: Sequence[SearchFacts]) -> dict[str, dict[str, float | None]]:
    """Mean traits of broken and unbroken targets; None if there are no targets."""
    groups = {
        "successful": [row for row in rows if row.succeeded],
        "failed": [row for row in rows if not row.succeeded],
    }
    return {
        trait: {name: fmean(row.traits[trait] for row in group) if group else None for name, group in groups.items()}
        for trait in TRAITS
    }


def rarity(rows: Sequence[SearchFacts], of: Of) -> dict[str, object]:
    """Tests whether successful replacements are rarer in training than the original text [5.1, 5.3].

    ``pairs`` are mean counts by target. ``p`` is two-sided, from Wilcoxon's signed-rank test without zero differences;
    None if all are 0.
    """
    from scipy.stats import wilcoxon

    counts: dict[str, list[Sequence[int]]] = {}
    for row in rows:
        if row.counts:
            counts.setdefault(row.target, []).extend(row.counts)
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


def parts_replaced(rows: Sequence[SearchFacts]) -> list[dict[str, object]] | None:
    """Replaced and replaceable words of full successes by part of speech; None if unknown [5.1]."""
    known = [(row.could, row.replaced) for row in rows if row.could is not None and row.replaced is not None]
    if not known:
        return None
    possible, replaced = Counter[str](), Counter[str]()
    for could, own in known:
        possible.update(could)
        replaced.update(own)
    order = sorted(possible | replaced, key=lambda part: (-replaced[part], -possible[part], part))
    return [{"part": part, "replaced": replaced[part], "could": possible[part]} for part in order]
