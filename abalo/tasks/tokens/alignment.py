"""Compares token labels after the number of tokens changed."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.records.outcome import Outcome
from abalo.models.labelling.labels import OUTSIDE
from perturbations import UNLABELLED, Perturbed, Sentence, Span

VIEWS = ("projected", "structural", "padded")
"""How predictions are compared with gold.

* projected: original gold; each token by its first new token, a deleted one as ``O``.
* structural: gold carried into the new sentence.
* padded: original gold; the shorter side is padded with ``O`` [stage 2, "Inference and alignment"].
"""


def align_labels(
    gold: Sentence, perturbed: Perturbed | None, tags: tuple[str, ...], view: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Gold and predicted labels of equal length, as ``view`` compares them.

    ``tags`` fit the perturbed sentence, or the original without one. Joined sentences are left out, except for entities
    that begin earlier.
    """
    assert gold.tags is not None
    if perturbed is None or (view == "projected" and len(tags) == len(gold) and perturbed.in_place):
        return gold.tags, tags
    if view == "projected":
        places = perturbed.positions(len(gold))
        return gold.tags, tuple("O" if place is None else tags[place] for place in places)
    own = len(tags) - perturbed.joined
    tags = tags[: _end_of_entity(tags, own)]
    if view == "structural":
        assert perturbed.sentence.tags is not None
        return _pad(perturbed.sentence.tags[:own], len(tags)), tags
    length = max(len(gold), len(tags))
    return _pad(gold.tags, length), _pad(tags, length)


def _end_of_entity(tags: tuple[str, ...], place: int) -> int:
    while 0 < place < len(tags) and tags[place][:2] == "I-" and tags[place - 1][1:] == tags[place][1:]:
        place += 1
    return place


def _pad(tags: tuple[str, ...], length: int) -> tuple[str, ...]:
    return tags + ("O",) * (length - len(tags))


def carry_span(perturbed: Perturbed | None, span: Span) -> Span | None:
    """The span from the first to the last of its new tokens; None if lost."""
    return carried_all(perturbed, [span])[0]


def carried_all(perturbed: Perturbed | None, spans: Sequence[Span]) -> list[Span | None]:
    """`carry_span` for several spans at once."""
    if perturbed is None or not spans:
        return [*spans]
    tags = perturbed.sentence.tags or ()
    if perturbed.in_place:  # but for tokens that are gone at the end
        return [
            Span(each.start, min(each.stop, len(tags)), tags[each.start][2:])
            if each.start < min(each.stop, len(tags)) and tags[each.start] != "O"
            else None
            for each in spans
        ]
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for new, origin in enumerate(perturbed.origins):
        for old in origin:
            first.setdefault(old, new)
            last[old] = new
    found: list[Span | None] = []
    for span in spans:
        own = [old for old in range(span.start, span.stop) if old in first]
        if not own or tags[start := min(first[old] for old in own)] == "O":
            found.append(None)
        else:
            found.append(Span(start, max(last[old] for old in own) + 1, tags[start][2:]))
    return found


def accepted_labels(gold: str) -> tuple[str, ...]:
    """The right labels: gold, and B-T for I-T [Dirkson et al., Breaking BERT, 2021, 3.1]."""
    return (gold, f"B-{gold[2:]}") if gold.startswith("I-") else (gold,)


def labelled_answers(outcome: Outcome) -> tuple[list[str], list[str]]:
    """Tags of labelled tokens, clean and projected."""
    gold = outcome.sentence.tags or ()
    _, after = align_labels(outcome.sentence, outcome.perturbed, outcome.prediction.tags, "projected")
    kept = [k for k, tag in enumerate(gold) if tag not in (UNLABELLED, OUTSIDE)]
    return [outcome.clean.tags[k] for k in kept], [after[k] for k in kept]
