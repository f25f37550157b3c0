"""Compares predicted with corpus labels, as facts and notices."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.core.documents.document import TypeFacts
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.words import count
from abalo.models.labelling.labels import Labelling

PREDICTED = "predicted"

LISTED = 10


@dataclass(frozen=True, slots=True)
class Terms:
    """A task's words for notices."""

    labelling: Labelling
    never: str
    outside: str
    unit: str
    units: str
    group: str


def predicted_counts(labels: Iterable[str]) -> dict[str, int]:
    """Counts of predicted labels, sorted by label."""
    return dict(sorted(Counter(labels).items()))


def fit_of(
    gold: Mapping[str, int], known: Collection[str], predicted: Mapping[str, int], of_model: Collection[str]
) -> TypeFacts:
    """Labels that model and corpus do not share.

    ``known`` includes labels beyond the judged beginning. ``of_model`` is empty if the model lists none.
    """
    offered = {*of_model, *predicted}
    return TypeFacts(
        corpus=sorted(known),
        told_by_model=bool(of_model),
        never_predicted=without(gold, predicted),
        outside={label: predicted.get(label, 0) for label in sorted(offered.difference(known))},
    )


def whole_fit(first: TypeFacts, gold: Mapping[str, int], predicted: Mapping[str, int]) -> TypeFacts:
    """The fit of a whole corpus, from the fit of its ``first`` part and all counts."""
    found = fit_of(gold, {*first.corpus, *gold}, predicted, first.outside)
    return replace(found, told_by_model=first.told_by_model)


def without(counts: Mapping[str, int], labels: Iterable[str]) -> dict[str, int]:
    """The counts except these labels and zeros, sorted."""
    return {label: counts[label] for label in sorted(set(counts).difference(labels)) if counts[label]}


def doubt(fit: TypeFacts, terms: Terms) -> str:
    """Why a model without a label list may mean other things by its labels; "" if no reason."""
    return "" if fit.told_by_model else misfit(fit, terms)


def misfit(fit: TypeFacts, terms: Terms) -> str:
    """Sentences on unpredicted and foreign labels; "" if none."""
    never = fit.never_predicted
    outside = {label: number for label, number in fit.outside.items() if number}
    if not (never or outside):
        return ""
    said = [f"{terms.never}: {name_labels(never, terms)}"] if never else []
    said += [f"predicts {predictions(outside, terms)} {terms.outside}"] if outside else []
    listing = "" if fit.told_by_model else "The model does not list its labels. "
    subject = "On the clean corpus it " if listing else "On the clean corpus the model "
    found = listing + subject + ", and it ".join(said) + "."
    if outside and never:
        found += (
            " If these are other names for the same, say so with --abalo-label-map "
            f"{shlex.quote(renaming(fit, outside, terms.labelling))}."
        )
    elif outside and not terms.labelling.has_spans:
        usual = max(sorted(outside), key=lambda label: outside[label])
        found += (
            " These count as wrong. If one means a label of the corpus, say so with --abalo-label-map "
            f"{shlex.quote(f'{usual}=CORPUS_LABEL')}."
        )
    return found


def renaming(fit: TypeFacts, outside: Mapping[str, int], labelling: Labelling) -> str:
    """A label map from foreign to unpredicted labels, by name."""
    never, known = fit.never_predicted, fit.corpus
    pairs = labelling.proposed(sorted({*outside, *known}.difference(never)), known)
    pairs = {own: label for own, label in pairs.items() if label in never}
    if not pairs and len(never) == len(outside) == 1 and not labelling.has_spans:
        pairs = dict(zip(outside, never, strict=True))
    return ",".join(f"{own}={label}" for own, label in pairs.items()) or labelling.form


def predictions(counts: Mapping[str, int], terms: Terms) -> str:
    """The predicted labels in numbers and names."""
    total = count(sum(counts.values()), terms.unit, terms.units)
    return f"{total} ({name_labels(counts, terms)})" if counts else total


def name_labels(counts: Mapping[str, int], terms: Terms, *, numbers: bool = True) -> str:
    """Labels by frequency; beyond `LISTED` only counted."""
    ranked = sorted((kind for kind in counts if counts[kind] or not numbers), key=lambda kind: (-counts[kind], kind))
    shown = [f"{kind} {counts[kind]:,}" if numbers else kind for kind in ranked[:LISTED]]
    rest = len(ranked) - len(shown)
    return ", ".join([*shown, *([count(rest, f"more {terms.group}")] if rest else [])])


def of_corpus(counts: Mapping[str, int], noun: str, *, whole: bool) -> Iterator[str]:
    """Lines on a single gold label and on labels with one example.

    Single examples are reported only for a ``whole`` corpus.
    """
    there = {label: number for label, number in counts.items() if number}
    if len(there) == 1:
        (label,) = there
        yield (
            f"The corpus has one label, {label}: a model that always predicts it makes no mistake, so no score on this "
            "corpus shows that a model reads. Add examples of other labels."
        )
    elif whole:
        yield from single(there, noun)


def single(counts: Mapping[str, int], noun: str) -> Iterator[str]:
    """A line on labels with one example, if any."""
    found = sorted(label for label, number in counts.items() if number == 1)
    if not found:
        return
    one, rest = len(found) == 1, len(found) - LISTED
    names = ", ".join([*found[:LISTED], *([count(rest, "more label")] if rest > 0 else [])])
    yield (
        f"{'One label of the corpus has' if one else 'Some labels of the corpus have'} a single {noun}: {names}. "
        f"{'Its score is' if one else 'Their scores are'} all or nothing; add examples, or correct the name if it is "
        "a slip."
    )


def add_counts(parts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Counts summed over parts, sorted by label."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))


def with_whole_fit(found: JsonObject, parts: Sequence[JsonObject], gold: Mapping[str, int]) -> JsonObject:
    """The facts ``found`` with the whole corpus's fit."""
    predicted = add_counts([part[PREDICTED] for part in parts])
    own = {name: value for name, value in found.items() if name != PREDICTED}
    return {**own, "types": as_json(whole_fit(read(TypeFacts, found["types"]), gold, predicted))}
