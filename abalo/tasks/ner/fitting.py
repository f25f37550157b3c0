"""How well entity types of model and corpus match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.documents.document import TypeFacts
from abalo.core.documents.found import certain
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import add_values
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.models.labelling.fitting import (
    Terms,
    fit_of,
    misfit,
    name_labels,
    predicted_counts,
    predictions,
    whole_fit,
    without,
)
from abalo.models.labelling.labels import BIO, OUTSIDE, types_of
from abalo.models.labelling.maps import parse_label_map
from perturbations import entity_spans

TERMS = Terms(
    BIO,
    "predicts no entity of these types of the corpus",
    "of types that the corpus does not have",
    "entity",
    "entities",
    "type",
)


def types_of_run(subject: Subject) -> TypeFacts:
    """Judged, left-out and mismatched types with counts of entities, predicted on the clean corpus."""
    corpus, model = subject.corpus, subject.model
    unused, dropped = _renamings(subject)
    return _types(
        None if corpus.judged is None else list(corpus.judged),
        {"unused_names": unused, "dropped": dropped},
        fit_of(corpus.entity_counts, corpus.types, predicted_types(subject), types_of(model.labels)),
        corpus.left_out,
        predicted_types(subject),
    )


def predicted_types(subject: Subject) -> dict[str, int]:
    """Entities predicted on the clean corpus by type, judged or not."""
    found = subject.predictor.clean()
    return predicted_counts(span.type for each in found for span in entity_spans(each.full_tags or each.tags))


def whole_types(parts: Sequence[TypeFacts], entities: Mapping[str, int], predicted: Mapping[str, int]) -> TypeFacts:
    """`types_of_run` over all parts."""
    first = parts[0]
    renamings = {
        "unused_names": [name for name in first.unused_names if all(name in part.unused_names for part in parts)],
        "dropped": [*dict.fromkeys(name for part in parts for name in part.dropped)],
    }
    left_out = add_values([certain(part.left_out).gold for part in parts])
    return _types(first.judged, renamings, whole_fit(first, entities, predicted), left_out, predicted)


def _types(
    judged: Sequence[str] | None,
    renamings: JsonObject,
    fit: TypeFacts,
    left_out: Mapping[str, int],
    predicted: Mapping[str, int],
) -> TypeFacts:
    told = {
        "judged": judged,
        **renamings,
        **as_json(fit),
        "left_out": {"gold": dict(left_out), "predicted": {} if judged is None else without(predicted, judged)},
        "outside": fit.outside if judged is None else {},
    }
    return read(TypeFacts, told)


def _renamings(subject: Subject) -> tuple[list[str], list[str]]:
    given = subject.options.label_map
    if given is None or subject.model.labels:
        return [], []
    renaming = parse_label_map(given)
    tags = {tag for found in subject.predictor.clean() for tag in found.own_tags or ()}
    predicted = {*tags, *types_of(tags)}
    unused = [name for name in renaming if name not in predicted]
    return unused, [name for name, new in renaming.items() if new == OUTSIDE and name != OUTSIDE and name in predicted]


def notices(types: TypeFacts) -> Iterator[str]:
    """One line for each kind of mismatch."""
    if types.judged is not None:
        left_out = certain(types.left_out)
        names = ", ".join(types.judged)
        judged = f"type {names} is" if len(types.judged) == 1 else f"types {names} are"
        yield (
            f"Only the entity {judged} judged (--abalo-types). All others count as O: {_entities(left_out.gold)} of "
            f"the corpus and {_entities(left_out.predicted)} predicted by the model."
        )
    if unused := types.unused_names:
        one = len(unused) == 1
        yield (
            f"The label map renames {', '.join(unused)}, which the model never predicts on the clean corpus. Correct "
            f"{'the name' if one else 'the names'} in --abalo-label-map, or leave {'it' if one else 'them'} out."
        )
    if found := _misfit(types):
        yield found
    if types.told_by_model and types.outside and not types.never_predicted:
        yield _false_positives(types)


def _false_positives(types: TypeFacts) -> str:
    outside = types.outside
    usual = max(outside, key=lambda kind: outside[kind])
    if not any(outside.values()):
        return (
            f"The model has entity types that the corpus does not have: {_names(outside)}. It predicts none of "
            f"them on the clean corpus; elsewhere they count as false positives. {_remedy(types, usual)}"
        )
    return (
        f"The model has entity types that the corpus does not have, and {_entities(outside)} that it predicts on "
        f"the clean corpus count as false positives. {_remedy(types, usual)}"
    )


def _remedy(types: TypeFacts, kind: str) -> str:
    everything = ",".join(types.corpus)
    return f"Leave such types out with --abalo-types {everything}, or one by one with --abalo-label-map {kind}=O."


def doubt(types: TypeFacts) -> str:
    """Why types may differ in meaning; "" if they match or the model lists its labels."""
    return "" if types.told_by_model else _misfit(types)


def _misfit(types: TypeFacts) -> str:
    never, outside = types.never_predicted, types.outside
    if types.told_by_model and not never:
        return ""
    remedies = []
    if dropped := types.dropped:
        remedies.append(
            f"The label map drops {', '.join(dropped)} (maps it to O); if that is wrong, remove it from the map."
        )
    if any(outside.values()) and not never:
        remedies.append(_remedy(types, max(outside, key=lambda kind: outside[kind])))
    if never and (known := [kind for kind in types.corpus if kind not in never]):
        remedies.append(
            f"If it was never trained on {', '.join(never)}, judge the others alone: --abalo-types {','.join(known)}."
        )
    found = misfit(types, TERMS)
    return " ".join([found, *remedies]) if found else ""


def _entities(counts: Mapping[str, int]) -> str:
    return predictions(counts, TERMS)


def _names(counts: Mapping[str, int]) -> str:
    return name_labels(counts, TERMS, numbers=False)


def known_types(subject: Subject) -> set[str]:
    """The entity types of corpus and model."""
    labels = subject.model.labels or {tag for found in subject.predictor.clean() for tag in found.tags}
    return {*subject.corpus.types, *types_of(labels)}
