"""Words with one piece replaced by the model's gradient."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from abalo.attacks.attack import Aims
from abalo.attacks.parts import TargetSite
from abalo.core.records.targets import Target
from abalo.errors import AbaloError
from perturbations import Edit, Sentence


class Flips:
    """The ``most`` words that differ in one piece, by their estimated cost to the right label.

    Old and new piece have a cosine of at least ``least`` in the model's embeddings. Gradients come from the original
    text. Raises `AbaloError` if the model gives none.
    """

    def __init__(self, name: str, aims: Aims, most: int, least: float) -> None:
        self._model: Any = aims.model
        self._aims = aims
        self._most = most
        self._least = least
        self._problem = f"{name} needs the gradients of a text classifier of transformers in PyTorch; "
        self.name = f"one piece flipped by gradients, the {most} that cost most, cosines of at least {least:g}"
        if not hasattr(self._model, "flips"):
            given = getattr(self._model, "name", "this model")
            raise AbaloError(f"{self._problem}{given} has none: name a local checkpoint, or leave the case out")

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        found: list[Sequence[Edit]] = []
        for _, own in groupby(sites, key=lambda site: id(site[0])):
            same = list(own)
            target, places = same[0][0], [place for _, place in same]
            words = self._words(target, places)
            found += [
                [Edit(place, place + 1, (word,)) for word in each] for place, each in zip(places, words, strict=True)
            ]
        return found

    def _words(self, target: Target, places: Sequence[int]) -> list[list[str]]:
        given = self._aims.given(target.example)
        part = 0 if isinstance(given, str) else list(target.example.fields).index(target.field)
        text = given if isinstance(given, str) else given[part]
        if text != target.sentence.text:
            raise AbaloError(f"{self._problem}this model reads another text than {target.field}: leave the case out")
        spans = _char_spans(target.sentence)
        own = [spans[place] for place in places]
        words = self._model.flips(given, target.example.gold, part, own, self._most, self._least)
        if words is None:
            raise AbaloError(f"{self._problem}{self._model.name} is an exported graph: name the checkpoint itself")
        return list(words)


def _char_spans(sentence: Sentence) -> list[tuple[int, int]]:
    spans, place = [], 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        spans.append((place, place + len(token)))
        place += len(token) + len(space)
    return spans
