"""How the entity types of a model fit those of a corpus: facts, and what a user should be told of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.example import Json
from abalo.core.subject import Subject
from abalo.core.task_report import added
from abalo.models.fitting import Fit, Terms, fit_of, misfit, named, predicted_counts, predictions, whole_fit, without
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import BIO, OUTSIDE, types_of
from perturbations import entity_spans

TERMS = Terms(
    BIO,
    "predicts no entity of these types of the corpus",
    "of types that the corpus has not",
    "entity",
    "entities",
    "type",
)
"""The words of the notices."""


def types_of_run(session: Subject) -> Json:
    """The types that are judged, those left out, and those that corpus and model do not share; counts are of entities.

    All predictions are those of the clean corpus.
    """
    corpus, model = session.corpus, session.model
    unused, dropped = _renamings(session)
    return _types(
        {"judged": None if corpus.judged is None else list(corpus.judged), "unused_names": unused, "dropped": dropped},
        fit_of(corpus.entity_counts, corpus.types, predicted_types(session), types_of(model.labels)),
        corpus.left_out,
        predicted_types(session),
    )


def predicted_types(session: Subject) -> dict[str, int]:
    """How many entities of each type the model predicts on the clean corpus, also of types that are not judged."""
    found = session.predictor.clean()
    return predicted_counts(span.type for each in found for span in entity_spans(each.full_tags or each.tags))


def whole_types(parts: Sequence[Json], entities: Mapping[str, int], predicted: Mapping[str, int]) -> Json:
    """The same over all parts of a corpus, which has so many ``entities`` by type and so many ``predicted``."""
    first = parts[0]
    own = {
        **first,
        "unused_names": [name for name in first["unused_names"] if all(name in part["unused_names"] for part in parts)],
        "dropped": [*dict.fromkeys(name for part in parts for name in part["dropped"])],
    }
    left_out = added([part["left_out"]["gold"] for part in parts])
    return _types(own, whole_fit(first, entities, predicted), left_out, predicted)


def _types(own: Json, fit: Fit, left_out: Mapping[str, int], predicted: Mapping[str, int]) -> Json:
    """The facts, with the types that are not judged apart from those that the corpus lacks."""
    judged = own["judged"]
    return {
        **own,
        **fit,
        "left_out": {"gold": dict(left_out), "predicted": {} if judged is None else without(predicted, judged)},
        "outside": fit["outside"] if judged is None else {},
    }


def _renamings(session: Subject) -> tuple[list[str], list[str]]:
    """The names in the label map that the model never predicts on the clean corpus, and those that became O.

    Of a model that lists its labels none: there, a name that the map cannot rename is an error.
    """
    given = session.options.label_map
    if given is None or session.model.labels:
        return [], []
    renaming = parse_label_map(given)
    tags = {tag for found in session.predictor.clean() for tag in found.own_tags or ()}
    predicted = {*tags, *types_of(tags)}
    unused = [name for name in renaming if name not in predicted]
    return unused, [name for name, new in renaming.items() if new == OUTSIDE and name != OUTSIDE and name in predicted]


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
    if found := _misfit(types):
        yield found
    if types["told_by_model"] and types["outside"] and not types["never_predicted"]:
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
    return "" if types["told_by_model"] else _misfit(types)


def _misfit(types: Json) -> str:
    """The types that are never predicted, and those that the corpus lacks, with what to do; empty if there are none.

    Nothing is said here of types that a model lists and the corpus lacks, unless others are never predicted.
    """
    never, outside = types["never_predicted"], types["outside"]
    if types["told_by_model"] and not never:
        return ""
    remedies = []
    if dropped := types.get("dropped"):
        remedies.append(f"The label map makes O of {', '.join(dropped)}; if that is wrong, take it out of the map.")
    if any(outside.values()) and not never:
        remedies.append(_remedy(types, max(outside, key=lambda kind: outside[kind])))
    if never and (known := [kind for kind in types["corpus"] if kind not in never]):
        remedies.append(f"To judge only types that it predicts: --abalo-types {','.join(known)}.")
    found = misfit(types, TERMS)
    return " ".join([found, *remedies]) if found else ""


def _entities(counts: Mapping[str, int]) -> str:
    return predictions(counts, TERMS)


def _names(counts: Mapping[str, int]) -> str:
    return named(counts, TERMS, numbers=False)


def known_types(session: Subject) -> set[str]:
    """The entity types of the whole corpus, and those of the model: its labels, or what it predicts without any."""
    labels = session.model.labels or {tag for found in session.predictor.clean() for tag in found.tags}
    return {*session.corpus.types, *types_of(labels)}
