"""Insertions of entities' boundary words."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from perturbations import Edit, Span, entity_spans


class Boundaries:
    """Inserts the first or last word of the target elsewhere, never right beside an entity.

    If the target is no entity, the words come from all entities of the sentence.
    """

    name = "boundary words of entities"

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        found: list[Sequence[Edit]] = []
        for target, place in sites:
            tags, tokens = target.sentence.tags or (), target.sentence.tokens
            gaps = [place, *([place + 1] if place + 1 == len(tokens) else [])]
            apart = [gap for gap in gaps if all(tag == "O" for tag in tags[max(0, gap - 1) : gap + 1])]
            words = [word for span in target.spans or entity_spans(tags) for word in _ends(tokens, span)]
            found.append([Edit(gap, gap, (word,)) for gap in apart for word in dict.fromkeys(words)])
        return found


def _ends(tokens: Sequence[str], span: Span) -> list[str]:
    return list(dict.fromkeys([tokens[span.start], tokens[span.stop - 1]]))
