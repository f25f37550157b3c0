"""The boundary words of an entity, once more elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from perturbations import Edit, Span


class Boundaries:
    """The first or the last word of the target put in before a word, or after the last one of the sentence.

    None right beside the target, where the word could be read as part of it, nor beside another entity.
    """

    name = "boundary words of the entity"

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The insertions before each word, and of the last word after it; none for a target that is no span."""
        found: list[Sequence[Edit]] = []
        for target, place in sites:
            tags, tokens = target.sentence.tags or (), target.sentence.tokens
            gaps = [place, *([place + 1] if place + 1 == len(tokens) else [])]
            apart = [gap for gap in gaps if all(tag == "O" for tag in tags[max(0, gap - 1) : gap + 1])]
            words = [word for span in target.spans for word in _ends(tokens, span)]
            found.append([Edit(gap, gap, (word,)) for gap in apart for word in words])
        return found


def _ends(tokens: Sequence[str], span: Span) -> list[str]:
    return list(dict.fromkeys([tokens[span.start], tokens[span.stop - 1]]))
