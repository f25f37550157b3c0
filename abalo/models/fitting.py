"""How the labels that a model predicts fit those of a corpus: facts, and the notices made of them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.example import Json
from abalo.core.words import count
from abalo.models.labels import Labelling

Fit = dict[str, Any]
"""Facts about labels as `fit_of` gives them, values of JSON."""

PREDICTED = "predicted"
"""The field of the facts about a part of a corpus that counts the predicted labels; those of the parts add up."""

LISTED = 10
"""How many labels a notice names before it only counts the rest."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of the notices of a task.

    ``never`` and ``outside`` go before and behind the labels that are never predicted, or that the corpus lacks.
    ``unit`` and ``units`` are one predicted label and several, ``group`` one distinct label.
    """

    labelling: Labelling
    never: str
    outside: str
    unit: str
    units: str
    group: str


def predicted_counts(labels: Iterable[str]) -> dict[str, int]:
    """How often each label is predicted, by label in alphabetical order."""
    return dict(sorted(Counter(labels).items()))


def fit_of(
    gold: Mapping[str, int], known: Collection[str], predicted: Mapping[str, int], of_model: Collection[str]
) -> Fit:
    """The labels that model and corpus do not share.

    Args:
        gold: How many gold labels of each name there are.
        known: All labels of the corpus, more than those of ``gold`` if only its beginning is judged.
        predicted: How often the model predicts each label on the clean corpus.
        of_model: The labels that the model lists; empty if it lists none.
    """
    offered = {*of_model, *predicted}
    return {
        "corpus": sorted(known),
        "told_by_model": bool(of_model),
        "never_predicted": without(gold, predicted),
        "outside": {label: predicted.get(label, 0) for label in sorted(offered.difference(known))},
    }


def whole_fit(first: Fit, gold: Mapping[str, int], predicted: Mapping[str, int]) -> Fit:
    """The same for a corpus of several parts, the ``first`` of which has these facts; counts are those of all parts."""
    found = fit_of(gold, {*first["corpus"], *gold}, predicted, first["outside"])
    return {**found, "told_by_model": first["told_by_model"]}


def without(counts: Mapping[str, int], labels: Iterable[str]) -> dict[str, int]:
    """The counts of all but these labels, in alphabetical order; none that are 0."""
    return {label: counts[label] for label in sorted(set(counts).difference(labels)) if counts[label]}


def doubt(fit: Fit, terms: Terms) -> str:
    """The reason to doubt that a model without a list of labels means by them what the corpus does; "" without one."""
    return "" if fit["told_by_model"] else misfit(fit, terms)


def misfit(fit: Fit, terms: Terms) -> str:
    """The sentences on labels that are never predicted and on those that the corpus lacks; "" if there are none."""
    never = fit["never_predicted"]
    outside = {label: number for label, number in fit["outside"].items() if number}
    if not (never or outside):
        return ""
    said = [f"{terms.never}: {named(never, terms)}"] if never else []
    said += [f"predicts {predictions(outside, terms)} {terms.outside}"] if outside else []
    listing = "" if fit["told_by_model"] else "The model does not list its labels. "
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


def renaming(fit: Fit, outside: Mapping[str, int], labelling: Labelling) -> str:
    """A label map from labels that the corpus lacks to those that are never predicted, as far as names tell."""
    never, known = fit["never_predicted"], fit["corpus"]
    pairs = labelling.proposed(sorted({*outside, *known}.difference(never)), known)
    pairs = {own: label for own, label in pairs.items() if label in never}
    if not pairs and len(never) == len(outside) == 1 and not labelling.has_spans:
        pairs = dict(zip(outside, never, strict=True))
    return ",".join(f"{own}={label}" for own, label in pairs.items()) or labelling.form


def predictions(counts: Mapping[str, int], terms: Terms) -> str:
    """How many labels are predicted, with the most frequent names."""
    total = count(sum(counts.values()), terms.unit, terms.units)
    return f"{total} ({named(counts, terms)})" if counts else total


def named(counts: Mapping[str, int], terms: Terms, *, numbers: bool = True) -> str:
    """The labels, the most frequent first, with their counts unless without ``numbers``; those beyond `LISTED` counted.

    With ``numbers``, a label that is never there is left out.
    """
    ranked = sorted((kind for kind in counts if counts[kind] or not numbers), key=lambda kind: (-counts[kind], kind))
    shown = [f"{kind} {counts[kind]:,}" if numbers else kind for kind in ranked[:LISTED]]
    rest = len(ranked) - len(shown)
    return ", ".join([*shown, *([count(rest, f"more {terms.group}")] if rest else [])])


def of_corpus(counts: Mapping[str, int], noun: str, *, whole: bool) -> Iterator[str]:
    """A line each if all gold has one label, and about labels with one example.

    ``noun`` is a labelled example in words. Nothing is said of single examples unless the corpus is judged ``whole``.
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
    """A line about the labels that one example has, a ``noun`` in words, if there are any."""
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


def summed(parts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The counts of all parts together, by label in alphabetical order."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))


def with_whole_fit(found: Json, parts: Sequence[Json], gold: Mapping[str, int]) -> Json:
    """The facts ``found`` of a whole corpus with its fit; ``parts`` tell what is predicted, ``gold`` counts labels."""
    predicted = summed([part[PREDICTED] for part in parts])
    own = {name: value for name, value in found.items() if name != PREDICTED}
    return {**own, "types": whole_fit(found["types"], gold, predicted)}
