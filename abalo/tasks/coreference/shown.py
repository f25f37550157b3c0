"""Documents with broken or wrong clusters, as JSON values.

Clusters are written as in CoNLL-2012, one string per token: ``(0|(1)``, ``0)`` or "".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from abalo.core.documents.found import WrongUnit
from abalo.core.records import words
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome
from abalo.corpora.coreference import as_cells, read_cells
from abalo.corpora.examples import TEXT, variant_of
from abalo.models.coreference.protocol import MentionPlace, Resolved
from abalo.models.coreference.scoring import ClusterRules
from abalo.tasks.coreference.metrics.clusters import document_now, links_of
from abalo.tasks.tokens.examples import changes, example_of, unit_of, worst_first, worst_of_each
from perturbations import Sentence, Span
from perturbations.documents import document_of, mentions_of

_AROUND = 4

_FAULTS = 3


def _gold_cells(document: Sentence, numbers: dict[str, int], rules: ClusterRules) -> list[str]:
    counted = {mention for cluster in rules.gold(document) for mention in cluster}
    mentions = {
        place: numbers.setdefault(each.type, len(numbers))
        for each in reversed(mentions_of(document))
        if (place := (each.start, each.stop)) in counted
    }
    return as_cells(mentions.items(), len(document))


def _given_cells(clusters: Sequence[Collection[MentionPlace]], length: int) -> list[str]:
    return as_cells(((mention, number) for number, each in enumerate(clusters) for mention in each), length)


def broken_links(outcome: Outcome) -> int:
    """The number of links that the change broke."""
    return sum(link.before and not link.after for link in links_of(outcome)) if outcome.changed else 0


def missed_links(outcome: Outcome) -> int:
    """The number of missing links in the clean document."""
    return sum(not link.before for link in links_of(outcome))


def worst(outcomes: Iterable[Outcome], errors_of: Callable[[Outcome], int], *, every: bool = False) -> list[JsonObject]:
    """The outcomes with errors, worst first, each distinct document once; with ``every``, all outcomes."""
    found = [(errors_of(outcome), outcome) for outcome in outcomes]
    return [_example(*pair) for pair in (worst_first(found) if every else worst_of_each(found))]


def _example(errors: int, outcome: Outcome) -> JsonObject:
    known = example_of(outcome, outcome.sentence, outcome.made, errors)
    return {**known, **_cells_of(outcome), "targets": [], "new_targets": []}


def _cells_of(outcome: Outcome) -> JsonObject:
    rules: ClusterRules = outcome.example.source
    numbers: dict[str, int] = {}
    made = outcome.made
    return {
        "gold": _gold_cells(outcome.sentence, numbers, rules),
        "clean": _given_cells(rules.counted(outcome.clean.clusters), len(outcome.sentence)),
        "new_gold": _gold_cells(made.sentence, numbers, rules),
        "predicted": _given_cells(rules.counted(outcome.prediction.clusters), len(made.sentence)),
    }


def wrong(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """Every outcome with a missing link before or after the change."""
    for outcome in outcomes:
        if any(not (link.before and link.after) for link in links_of(outcome)):
            cells = {name: value for name, value in _cells_of(outcome).items() if name != "new_gold"}
            yield unit_of(outcome, outcome.sentence, outcome.made) | cells


def outcome_of(record: WrongUnit) -> Outcome:
    """The outcome of a `wrong` record, as one sentence without white space."""
    tokens = record.words
    spans = [Span(*mention, str(number)) for mention, number in read_cells(record.gold)]
    clean = document_of([(tokens, (" ",) * len(tokens))], spans, "")
    made = record.change(clean)
    example = Example(record.sentence_id, {TEXT: clean}, record.sentence_id, source=ClusterRules())
    before, after = (_resolved(each) for each in (record.clean, record.predicted))
    return Outcome(example, record.seed, before, variant_of(example, made) if made.edits else None, after)


def _resolved(cells: Sequence[str]) -> Resolved:
    clusters: dict[int, list[MentionPlace]] = {}
    for mention, number in read_cells(cells):
        clusters.setdefault(number, []).append(mention)
    return Resolved(tuple(tuple(clusters[number]) for number in sorted(clusters)))


def line(record: WrongUnit) -> str:
    """A record as text: the document with its broken links in their place, and the edits."""
    outcome = outcome_of(record)
    tokens, made = document_now(outcome).tokens, outcome.made
    broken = [link.now for link in links_of(outcome) if not link.after]
    shown = sorted(broken, key=lambda pair: pair[1])[:_FAULTS]
    told = [f"and {len(broken) - _FAULTS} more"] if len(broken) > _FAULTS else []
    told += changes(outcome.sentence, made)
    return _in_place(tokens, shown) + (f"   ({'; '.join(told)})" if told else "")


def _in_place(tokens: Sequence[str], links: Sequence[tuple[MentionPlace, MentionPlace]]) -> str:
    starts = {other[0]: f"[{tokens[other[0]]}" for _, other in links}
    ends: dict[int, str] = {}
    for one, other in links:
        ends[other[1] - 1] = ends.get(other[1] - 1, "") + f" ≠ {' '.join(tokens[slice(*one)])}]"
    edges = [edge for link in links for mention in link for edge in mention]
    near = {place for edge in edges for place in range(edge - _AROUND, edge + _AROUND)} or {*range(len(tokens))}
    found: list[str] = []
    for place, token in enumerate(tokens):
        if place in near:
            found.append(starts.get(place, token) + ends.get(place, ""))
        elif found[-1:] != ["…"]:
            found.append("…")
    return words.shorten(" ".join(found), words.QUOTED)
