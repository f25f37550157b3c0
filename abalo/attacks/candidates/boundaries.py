"""The boundary words of entities, once more elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from perturbations import Edit, Span, entity_spans


class Boundaries:
    """The first or the last word of the target put in before a word, or after the last one of the sentence.

    Of a target that is no entity, those of all entities of the sentence. None right beside an entity, where the word
    could be read as part of it.
    """

    name = "boundary words of entities"

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The insertions before each word, and of the last word after it; none without an entity."""
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
