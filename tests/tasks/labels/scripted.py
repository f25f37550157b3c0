"""Models that label texts by a function, and small corpora of all tasks that label texts."""

from collections.abc import Callable, Sequence
from typing import Any

from abalo.core.records.example import join_fields
from abalo.corpora.running_text import running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.aspects.corpus import Aspects
from abalo.tasks.aspects.sentences import Aspect, tag_sentence
from abalo.tasks.classification.corpus import LabelledTexts
from abalo.tasks.pairs.corpus import LabelledPairs
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE


class Script:
    """Labels each input by itself, as ``says`` says."""

    name = fingerprint = "scripted"
    labels = ()
    mask_token = None
    device = "cpu"

    def __init__(self, says: Callable[[Any], Classified]) -> None:
        self.says = says
        self.settings: dict[str, Any] = {}

    def predict(self, texts: Sequence[Any]) -> list[Classified]:
        return [self.says(each) for each in texts]


def texts_of(*rows: tuple[str, str], several: bool = False) -> LabelledTexts:
    """Texts, each with a label."""
    sentences = tuple(running_text(text) for text, _ in rows)
    return LabelledTexts("by hand", sentences, golds=tuple((label,) for _, label in rows), several=several)


def pairs_of(*rows: tuple[str, str, str]) -> LabelledPairs:
    """Pairs of sentences, each with a label."""
    pairs = tuple((running_text(first), running_text(second)) for first, second, _ in rows)
    return LabelledPairs(
        "by hand",
        tuple(join_fields({PREMISE: first, HYPOTHESIS: second}) for first, second in pairs),
        pairs=pairs,
        golds=tuple((label,) for *_, label in rows),
        scores=tuple(None for _ in rows),
        known_types=tuple(sorted({label for *_, label in rows})),
    )


def degrees_of(*rows: tuple[str, str, float]) -> LabelledPairs:
    """Pairs of sentences, each with a degree of similarity and without a label."""
    pairs = tuple((running_text(first), running_text(second)) for first, second, _ in rows)
    return LabelledPairs(
        "by hand",
        tuple(join_fields({PREMISE: first, HYPOTHESIS: second}) for first, second in pairs),
        pairs=pairs,
        golds=((),) * len(rows),
        scores=tuple(float(degree) for *_, degree in rows),
    )


def aspects_of(text: str, *aspects: tuple[str, str]) -> Aspects:
    """One sentence with some of its words as aspects, each with a polarity."""
    every = [Aspect(text.index(word), text.index(word) + len(word), polarity) for word, polarity in aspects]
    return Aspects("by hand", tuple(tag_sentence(text, every, each) for each in every))
