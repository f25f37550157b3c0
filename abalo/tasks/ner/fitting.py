"""How the entity types of a model fit those of a corpus: facts, and what a user should be told of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from abalo.core.example import Json
from abalo.core.session import Session
from abalo.core.task import added
from abalo.core.words import count
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import OUTSIDE, types_of
from abalo.models.matching_names import matching_pairs
from perturbations import entity_spans
from perturbations.resources import sort_of

_LISTED = 8
"""How many types a notice names before it only counts the rest."""


def types_of_run(session: Session) -> Json:
    """The types that are judged, those left out, and those that corpus and model do not share; counts are of entities.

    All predictions are those of the clean corpus.
    """
    corpus, model = session.corpus, session.model
    predicted: Counter[str] = Counter()
    for found in session.predictor.clean():
        predicted.update(span.type for span in entity_spans(found.full_tags or found.tags))
    unused, dropped = _renamings(session)
    known = {*types_of(model.labels), *predicted} if corpus.judged is None else set()
    return {
        "judged": None if corpus.judged is None else list(corpus.judged),
        "left_out": {
            "gold": dict(corpus.left_out),
            "predicted": {} if corpus.judged is None else _without(predicted, corpus.judged),
        },
        "outside": {kind: predicted[kind] for kind in sorted(known.difference(corpus.types))},
        "never_predicted": {} if model.labels else _without(corpus.entity_counts, predicted),
        "unused_names": unused,
        "dropped": dropped,
        "corpus": list(corpus.types),
        "told_by_model": bool(model.labels),
    }


def whole_types(parts: Sequence[Json], entities: Mapping[str, int], predicted: Collection[str]) -> Json:
    """The same over all parts of a corpus, which has so many ``entities`` by type; types ``predicted`` in any part."""
    first = parts[0]
    return {
        **first,
        "left_out": {side: added([part["left_out"][side] for part in parts]) for side in ("gold", "predicted")},
        "outside": added([part["outside"] for part in parts]),
        "never_predicted": {} if first["told_by_model"] else _without(entities, predicted),
        "unused_names": [name for name in first["unused_names"] if all(name in part["unused_names"] for part in parts)],
        "dropped": [*dict.fromkeys(name for part in parts for name in part["dropped"])],
    }


def _renamings(session: Session) -> tuple[list[str], list[str]]:
    """The names in the label map that the model never predicts on the clean corpus, and those that became O.

    Of a model that lists its labels none: there, a name that the map cannot rename is an error.
    """
    given = getattr(session.options, "label_map", None)
    if given is None or session.model.labels:
        return [], []
    renaming = parse_label_map(given)
    tags = {tag for found in session.predictor.clean() for tag in found.own_tags or ()}
    predicted = {*tags, *types_of(tags)}
    unused = [name for name in renaming if name not in predicted]
    return unused, [name for name, new in renaming.items() if new == OUTSIDE and name != OUTSIDE and name in predicted]


def _without(counts: Mapping[str, int], types: Iterable[str]) -> dict[str, int]:
    return {kind: counts[kind] for kind in sorted(set(counts).difference(types))}


def notices(types: Json) -> Iterator[str]:
    """One line each about types that are left out, and types that corpus and model do not share."""
    if types["judged"] is not None:
        gold, predicted = types["left_out"]["gold"], types["left_out"]["predicted"]
        names = ", ".join(types["judged"])
        judged = f"type {names} is" if len(types["judged"]) == 1 else f"types {names} are"
        yield (
            f"Only the entity {judged} judged (--abalo-types). All others are O on both sides: {_entities(gold)} of "
            f"the corpus and {_entities(predicted)} that the model predicts on it."
        )
    if unused := types.get("unused_names"):
        one = len(unused) == 1
        yield (
            f"The label map renames {', '.join(unused)}, which the model never predicts on the clean corpus. Correct "
            f"{'the name' if one else 'the names'} in --abalo-label-map, or leave {'it' if one else 'them'} out."
        )
    if found := doubt(types):
        yield found
    elif types["told_by_model"] and types["outside"]:
        yield _false_positives(types)


def _false_positives(types: Json) -> str:
    """The notice that all entities of some types of the model count as false positives."""
    outside = types["outside"]
    usual = max(outside, key=lambda kind: outside[kind])
    if not any(outside.values()):
        return (
            f"The model has entity types that the corpus has not: {_names(outside)}. It predicts none of them on the "
            f"clean corpus; elsewhere they count as false positives. {_remedy(types, usual)}"
        )
    return (
        f"The model has entity types that the corpus has not, and {_entities(outside)} that it predicts on the clean "
        f"corpus count as false positives. {_remedy(types, usual)}"
    )


def _remedy(types: Json, kind: str) -> str:
    everything = ",".join(types["corpus"])
    return f"Leave such types out with --abalo-types {everything}, or one by one with --abalo-label-map {kind}=O."


def doubt(types: Json) -> str:
    """The reason to doubt that a model that tells no labels means by its types what the corpus does; empty without."""
    never, outside = types["never_predicted"], types["outside"]
    if types["told_by_model"] or not (never or outside):
        return ""
    said = [f"predicts no entity of these types of the corpus: {_names(never, numbers=True)}"] if never else []
    said += [f"predicts {_entities(outside)} of types that the corpus has not"] if outside else []
    remedies = []
    if outside and never:
        pairs = matching_pairs([*outside], [*never], types["corpus"], sort_of)
        form = ",".join(f"{own}={kind}" for own, kind in pairs) or "MODEL_TYPE=CORPUS_TYPE"
        remedies.append(f"If these are other names for the same, say so with --abalo-label-map {form}.")
    elif outside:
        remedies.append(_remedy(types, max(outside, key=lambda kind: outside[kind])))
    if never and (known := [kind for kind in types["corpus"] if kind not in never]):
        remedies.append(f"To judge only types that it predicts: --abalo-types {','.join(known)}.")
    if dropped := types.get("dropped"):
        remedies.insert(0, f"The label map makes O of {', '.join(dropped)}; if that is wrong, take it out of the map.")
    return " ".join(
        ["The model does not list its labels. On the clean corpus it " + ", and it ".join(said) + ".", *remedies]
    )


def _entities(counts: Mapping[str, int]) -> str:
    """How many entities there are, with the most frequent types."""
    total = count(sum(counts.values()), "entity", "entities")
    return f"{total} ({_names(counts, numbers=True)})" if counts else total


def _names(counts: Mapping[str, int], *, numbers: bool = False) -> str:
    ranked = sorted((kind for kind in counts if counts[kind] or not numbers), key=lambda kind: (-counts[kind], kind))
    shown = [f"{kind} {counts[kind]:,}" if numbers else kind for kind in ranked[:_LISTED]]
    rest = len(ranked) - len(shown)
    return ", ".join([*shown, *([count(rest, "more type")] if rest else [])])
