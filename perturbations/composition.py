"""Several steps as one: edits in turn become edits of the first sentence."""

from __future__ import annotations

from collections.abc import Iterator

from perturbations.application import apply
from perturbations.text import Edit, Origins, Perturbed, Sentence, entity_starts


def compose(source: Sentence, first: Perturbed, second: Perturbed) -> Perturbed:
    """``first`` made of ``source`` and ``second`` made of the result, as one step from ``source``.

    Its edits, applied to ``source``, give it again. Anchors are carried from ``source`` in that one step.
    """
    origins = tuple(
        tuple(sorted({old for middle in origin for old in first.origins[middle]})) for origin in second.origins
    )
    return apply(source, edits_between(source, second.sentence, origins))


def edits_between(source: Sentence, target: Sentence, origins: Origins) -> tuple[Edit, ...]:
    """Edits that turn ``source`` into ``target``, one for each stretch without a common token.

    ``origins`` is that of the target's tokens; `apply` gives back the target with just these origins.
    """
    edits = []
    old_end = new_end = 0
    for old, new in (*_kept(source, target, origins), (len(source), len(target))):
        if old > old_end or new > new_end:
            edits.append(
                Edit(
                    old_end,
                    old,
                    target.tokens[new_end:new],
                    tags=None if target.tags is None else target.tags[new_end:new],
                    spaces=target.spaces[new_end:new],
                    origins=origins[new_end:new],
                )
            )
        old_end, new_end = old + 1, new + 1
    return tuple(edits)


def _kept(source: Sentence, target: Sentence, origins: Origins) -> Iterator[tuple[int, int]]:
    """Pairs (old, new) of tokens that `apply` would copy just as they are, increasing in both."""
    entities = entity_starts(source.tags or ("",) * len(source))
    last_old = last_new = -1
    for new, origin in enumerate(origins):
        if len(origin) != 1 or origin[0] <= last_old:
            continue
        old = origin[0]
        same_tag = source.tags is None or target.tags is None or source.tags[old] == target.tags[new]
        same = same_tag and source.tokens[old] == target.tokens[new] and source.spaces[old] == target.spaces[new]
        # Next to a copy from elsewhere, `apply` would open an entity anew where the target has two grown together.
        grown = 0 <= last_new == new - 1 and entities[old] not in (None, old, entities[last_old])
        if same and not grown:
            yield old, new
            last_old, last_new = old, new
