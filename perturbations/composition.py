"""Several steps as one: edits in turn become edits of the first sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from perturbations.application import apply
from perturbations.carrying import as_entities
from perturbations.layers import TAGS, TokenLayer
from perturbations.text import Edit, Origins, Perturbed, Relation, Sentence, entity_start, goes_on


def compose(source: Sentence, first: Perturbed, second: Perturbed) -> Perturbed:
    """``first`` made of ``source`` and ``second`` made of the result, as one step from ``source``.

    Its edits, applied to ``source``, give it again: they hold the labels of the new tokens in every token layer.
    Anchors and arcs are carried from ``source`` in that one step. What is turned around twice has lost its meaning:
    the second time need not take back the first. What contradicts another sentence still does with more said, but not
    if it is contradicted twice.
    """
    origins = tuple(
        tuple(sorted({old for middle in origin for old in first.origins[middle]})) for origin in second.origins
    )
    made = apply(source, edits_between(source, second.sentence, origins))
    changes = [step.meaning for step in (first, second) if step.meaning != "keeps"]
    made = replace(made, meaning=changes[0] if len(changes) == 1 else "loses") if changes else made
    relation = in_turn(step.relation for step in (first, second) if step.edits)
    return made if relation == "keeps" else replace(made, relation=relation)


def in_turn(relations: Iterable[Relation]) -> Relation:
    """The effect of several changes of one sentence on how it relates to another.

    Nobody can tell which of several changes a translation should share.
    """
    steps = [*relations]
    if "parallel" in steps:
        return "loses" if len(steps) > 1 else "parallel"
    found = [each for each in steps if each != "keeps"]
    against = [each for each in found if each in ("excludes", "contradicts")]
    if "loses" in found or len(against) > 1:
        return "loses"
    return against[0] if against else "adds" if found else "keeps"


def edits_between(source: Sentence, target: Sentence, origins: Origins) -> tuple[Edit, ...]:
    """Edits that turn ``source`` into ``target``, one for each stretch without a common token.

    ``origins`` is that of the target's tokens; `apply` gives back the target with just these origins, but for anchors
    and arcs, which it carries. Labels of the target are given in the token layers that both sentences have.
    """
    shared = _share_layers(source, target)
    edits = []
    old_end = new_end = 0
    for old, new in (*_kept_pairs(source, target, origins, shared), (len(source), len(target))):
        if old > old_end or new > new_end:
            edits.append(
                Edit(
                    old_end,
                    old,
                    target.tokens[new_end:new],
                    tags=None if target.tags is None else target.tags[new_end:new],
                    spaces=target.spaces[new_end:new],
                    origins=origins[new_end:new],
                    layers=tuple([(after.name, after.labels[new_end:new]) for _, after in shared]) if shared else None,
                )
            )
        old_end, new_end = old + 1, new + 1
    return tuple(edits)


_Shared = Sequence[tuple[TokenLayer, TokenLayer]]
"""Further token layers that two sentences have: of the one and of the other."""


def _share_layers(source: Sentence, target: Sentence) -> _Shared:
    """Raises ValueError for a layer, the tags among them, that has two policies."""
    if source.policy != target.policy:
        raise ValueError(f"layer {TAGS!r}: no edits lead from policy {source.policy!r} to {target.policy!r}")
    after = {layer.name: layer for layer in target.layers if isinstance(layer, TokenLayer)}
    shared = [(one, after[one.name]) for one in source.layers if isinstance(one, TokenLayer) and one.name in after]
    for one, other in shared:
        if one.policy != other.policy:
            raise ValueError(f"layer {one.name!r}: no edits lead from policy {one.policy!r} to {other.policy!r}")
    return shared


def _kept_pairs(source: Sentence, target: Sentence, origins: Origins, shared: _Shared) -> Iterator[tuple[int, int]]:
    """Pairs (old, new) of tokens that `apply` would copy just as they are, increasing in both."""
    layers = [(before.policy, before.labels, after.labels) for before, after in shared]
    if source.tags is not None and target.tags is not None:
        layers.append((source.policy, source.tags, target.tags))
    olds = list(zip(source.tokens, source.spaces, *[before for _, before, _ in layers], strict=True))
    news = list(zip(target.tokens, target.spaces, *[after for _, _, after in layers], strict=True))
    entities = [as_entities(policy, labels) for policy, labels, _ in layers]
    last_old = last_new = -1
    for new, origin in enumerate(origins):
        if len(origin) != 1 or origin[0] <= last_old or olds[origin[0]] != news[new]:
            continue
        old = origin[0]
        # Next to a copy from elsewhere, `apply` would open an entity anew where the target has two grown together.
        beside = 0 <= last_new == new - 1 and old > last_old + 1
        if beside and any(goes_on(tags, old) and not _share(tags, last_old, old) for tags in entities):
            continue
        yield old, new
        last_old, last_new = old, new


def _share(tags: Sequence[str], one: int, other: int) -> bool:
    """Whether two tokens belong to one entity."""
    return entity_start(tags, one) == entity_start(tags, other)
