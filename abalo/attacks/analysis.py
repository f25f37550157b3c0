"""Analyses of attacks: the places of changes, and the traits of broken targets [Dirkson et al., 5.1].

They are about rows, one for each search, without a word of text. So those of a case that several shards ran part by
part can be put together and analysed as if one run had made them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any, Literal

from abalo.core.evidence import Evidence
from abalo.core.outcome import Outcome, Searched
from abalo.core.searches import FAILURES, succeeded
from abalo.core.task import Task
from abalo.corpora import Corpus
from abalo.sources import PartsOfSpeech
from perturbations import Edit, entity_spans

DECIMALS = 6
"""Those of a similarity that count here, as many as reports keep of any number."""

Of = Literal["entities", "words"]
"""The units whose frequency is compared: whole entities, word for word, or single words in small letters."""

TRAITS = ("sentence_length", "choices", "entity_length")
"""Traits that may set broken targets apart: words in the sentence, choices of the attack, words in the entity."""


@dataclass(frozen=True, slots=True)
class Row:
    """The analysed facts of one search, all of plain types.

    ``target`` is the same under all seeds. ``succeeded`` says whether it came to its goal; ``obstacle`` is what held it
    up if not. ``offsets`` are those of the changes of a success, ``counts`` pairs for them: how often what was replaced
    and what replaced it stand in the training data, None where none is named. ``could`` are the words that could be
    replaced in a success and ``replaced`` those that were, by part of speech; None where that is not known.
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
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[Row]:
    """A row for each outcome of a search; ``places`` holds for each the places of the words that could be replaced."""
    known = _counted(training, of) if training else None
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
) -> Row:
    success = succeeded(outcome, task.targets.seen)
    changes = list(_changes(outcome)) if success else []
    return Row(
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
    """How many words before (negative) or after its target each change sat; 1 is the word right after it.

    Changes of the target itself are left out.
    """
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    for target in outcome.targets:
        for edit in edits:
            if not target.start <= edit.start < target.stop:
                yield edit.start - target.start if edit.start < target.start else edit.start - target.stop + 1


def _changes(outcome: Outcome) -> list[Edit]:
    """The edits that put something in the place of something."""
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    return [edit for edit in edits if edit.start < edit.stop and edit.tokens]


def _frequencies(outcome: Outcome, edit: Edit, known: Mapping[tuple[str, ...], int], of: Of) -> list[int]:
    """How often what was replaced, and what replaced it, stand in the training data."""
    before = outcome.edited.tokens[edit.start : edit.stop]
    return [known.get(_unit(tokens, of), 0) for tokens in (before, edit.tokens)]


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


def _parts(
    outcomes: Sequence[Outcome], task: Task, places: Sequence[Sequence[int]], source: PartsOfSpeech | None
) -> list[tuple[Mapping[str, int] | None, Mapping[str, int] | None]]:
    """Of each outcome the parts of speech of the words of a success that could be replaced, and of those that were."""
    if source is None or not places:
        return [(None, None)] * len(outcomes)
    successes = [succeeded(outcome, task.targets.seen) for outcome in outcomes]
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


def median_similarity(rows: Sequence[Row]) -> float | None:
    """The median over the successes of the similarity to the original; None without a success."""
    found = [row.similarity for row in rows if row.succeeded]
    return median(found) if found else None


def by_seed(evidence: Evidence, task: Task) -> dict[int, dict[str, float]]:
    """Every metric of attacks for each seed by itself; NaN where it has no meaning.

    ``evidence`` is that of searches and of the targets that the model has wrong to begin with.
    """
    metrics = [metric for metric in task.metrics().values() if metric.probes == ("attack",)]
    found: dict[int, dict[str, float]] = {}
    for seed in dict.fromkeys(evidence.seeds.tolist()):
        own = evidence.only(evidence.seeds == seed)
        sums = {each: own.counts(each, task.resized_view)[:, 0].sum(axis=0) for each in metrics}
        found[seed] = {each.name: float(each.value(sums[each])) for each in metrics}
    return found


def failures(rows: Sequence[Row]) -> dict[str, int]:
    """How many searches that failed each obstacle held up; they sum to the searches without a full success."""
    held = Counter(row.obstacle for row in rows if not row.succeeded)
    return {obstacle.value: held[obstacle.value] for obstacle in FAILURES}


def offsets(rows: Sequence[Row]) -> dict[int, int]:
    """How often a change of a success sat so many words before (negative) or after the entity [Figure 1]."""
    return dict(sorted(Counter(offset for row in rows for offset in row.offsets).items()))


def compared(rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """The mean of each trait over the targets that were broken, and over those that were not; None over none."""
    groups = {
        "successful": [row for row in rows if row.succeeded],
        "failed": [row for row in rows if not row.succeeded],
    }
    return {
        trait: {name: fmean(row.traits[trait] for row in group) if group else None for name, group in groups.items()}
        for trait in TRAITS
    }


def rarity(rows: Sequence[Row], of: Of) -> dict[str, Any]:
    """Whether what breaks the model is rarer in the corpora it learned from than what it replaced [5.1, 5.3].

    Over the full successes of all seeds: how many ``changes``, and of how many targets (``pairs``). The changes of one
    target, under all seeds, are no evidence independent of each other and make one pair of mean counts; over the pairs
    the mean counts of the ``original`` and of the ``replacement``, None without a pair, and the two-sided ``p`` of
    Wilcoxon's signed-rank test, zero differences left out; None where every difference is 0.
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


def parts_replaced(rows: Sequence[Row]) -> list[dict[str, Any]] | None:
    """The parts of speech of the words that were replaced in full successes, most often replaced first [5.1].

    For each ``part`` how many words of the successes were ``replaced``, and how many ``could`` have been, which is what
    to compare with. None where no part of speech is known.
    """
    known = [(row.could, row.replaced) for row in rows if row.could is not None and row.replaced is not None]
    if not known:
        return None
    possible, replaced = Counter[str](), Counter[str]()
    for could, own in known:
        possible.update(could)
        replaced.update(own)
    order = sorted(possible | replaced, key=lambda part: (-replaced[part], -possible[part], part))
    return [{"part": part, "replaced": replaced[part], "could": possible[part]} for part in order]
