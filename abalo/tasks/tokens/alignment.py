"""Three ways to compare labels of tokens when their number has changed."""

from __future__ import annotations

from perturbations import Perturbed, Sentence, Span

VIEWS = ("projected", "structural", "padded")
"""How predictions on a changed sentence meet gold labels.

* projected: original gold; an original token is predicted as the first new token that stands for it, one that is
  gone as ``O``.
* structural: gold carried into the new sentence, compared there.
* padded: original gold; the shorter sequence is padded with ``O`` and compared position by position, as
  [stage 2, "Inference and alignment"] measured.
"""


def aligned(
    gold: Sentence, perturbed: Perturbed | None, tags: tuple[str, ...], view: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Gold and predicted labels, equally many, as ``view`` compares them.

    ``tags`` were predicted for the perturbed sentence, or for the original where ``perturbed`` is None. Sentences
    joined to it are left out, but for what is predicted as part of an entity that begins before them.
    """
    assert gold.tags is not None
    if perturbed is None:
        return gold.tags, tags
    if view == "projected":
        places = perturbed.positions(len(gold))
        return gold.tags, tuple("O" if place is None else tags[place] for place in places)
    own = len(tags) - perturbed.joined
    tags = tags[: _end_of_entity(tags, own)]
    if view == "structural":
        assert perturbed.sentence.tags is not None
        return _padded(perturbed.sentence.tags[:own], len(tags)), tags
    length = max(len(gold), len(tags))
    return _padded(gold.tags, length), _padded(tags, length)


def _end_of_entity(tags: tuple[str, ...], place: int) -> int:
    """Where the entity ends that reaches across ``place``; the place itself where none does."""
    while 0 < place < len(tags) and tags[place][:2] == "I-" and tags[place - 1][1:] == tags[place][1:]:
        place += 1
    return place


def _padded(tags: tuple[str, ...], length: int) -> tuple[str, ...]:
    return tags + ("O",) * (length - len(tags))


def carried(perturbed: Perturbed | None, span: Span) -> Span | None:
    """The span that stands for a gold span in the perturbed sentence, insertions inside it included; else None.

    It runs from the first to the last new token that stands for one of its own.
    """
    if perturbed is None:
        return span
    start, stop = span.start, span.stop
    new = [place for place, origin in enumerate(perturbed.origins) for old in origin if start <= old < stop]
    tags = perturbed.sentence.tags or ()
    return Span(new[0], new[-1] + 1, tags[new[0]][2:]) if new and tags[new[0]] != "O" else None


def accepted(gold: str) -> tuple[str, ...]:
    """The labels that are right for one word: for I-T also B-T, under which the entity is found all the same.

    [Dirkson et al., Breaking BERT, 2021, 3.1]
    """
    return (gold, f"B-{gold[2:]}") if gold.startswith("I-") else (gold,)
