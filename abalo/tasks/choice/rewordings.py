"""Ways to ask a question: paraphrases and other forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from abalo.core.documents.rewording import Reworded, Rewording
from abalo.core.records.configuring import Ranged, Ranges
from abalo.core.records.example import Example, Variant
from abalo.questions.audit import audit
from abalo.questions.question import FORMS, MOST_PARAPHRASES, PARAPHRASES, VARIANTS, Choice, Prompt, reorders
from abalo.tasks.choice.corpus import OPTIONS, QUESTION, example_of
from perturbations import Edit, Perturbed, apply
from perturbations.families.choice import FORMATTINGS, formattings, moving, paraphrases
from perturbations.families.choice import PARAPHRASES as RULES
from perturbations.families.choice import QuestionRewording as Put
from perturbations.families.choice.rewording import ORIGINAL


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSettings(Ranged):
    """Settings of cases about questions.

    ``exclude_flagged`` drops questions flagged by the audit.
    """

    seed: int = 123
    exclude_flagged: bool = False

    ranges: ClassVar[Ranges] = {"seed": (0, 2**31 - 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrases(QuestionSettings):
    """At most ``k`` paraphrases of each question."""

    k: int = 2

    ranges: ClassVar[Ranges] = {**QuestionSettings.ranges, "k": (1, MOST_PARAPHRASES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms(QuestionSettings):
    """The first ``k`` changes of form; numbers four and five reorder options."""

    k: int = 3

    ranges: ClassVar[Ranges] = {**QuestionSettings.ranges, "k": (1, len(FORMATTINGS))}


def _paraphrase(example: Example, settings: Paraphrases) -> Sequence[Reworded]:
    choice: Choice = example.source
    return list(_ways(example, paraphrases(choice.question, settings.k, choice.language)))


def _reformat(example: Example, settings: Forms) -> Sequence[Reworded]:
    choice: Choice = example.source
    return list(_ways(example, formattings(choice.question, choice.options, settings.k, choice.language)))


def _ways(example: Example, put: Sequence[Put]) -> Iterator[Reworded]:
    for each in put[1:]:
        options = apply(example.fields[OPTIONS], each.moves)
        yield Reworded(each.id, {QUESTION: each.question, OPTIONS: options}, each.kind)


def is_taken(example: Example, settings: QuestionSettings) -> bool:
    """False for a flagged question that is excluded."""
    choice: Choice = example.source
    return not (settings.exclude_flagged and audit(choice.options))


def unfit_forms(example: Example, settings: Forms) -> Sequence[str]:
    """The reordering forms, if options refer to each other."""
    choice: Choice = example.source
    return () if moving(choice.options, choice.question) else tuple(filter(reorders, list(FORMATTINGS)[: settings.k]))


def _first(first: str, k: int) -> tuple[str, ...]:
    place = VARIANTS.index(first)
    return (VARIANTS[0], *VARIANTS[place : place + k])


REWORDINGS: Mapping[str, Rewording[Any]] = MappingProxyType(
    {
        PARAPHRASES: Rewording(
            PARAPHRASES,
            Paraphrases,
            _paraphrase,
            lambda settings: _first("para1", settings.k),
            is_taken,
            languages=RULES.keys(),
        ),
        FORMS: Rewording(
            FORMS, Forms, _reformat, lambda settings: _first(next(iter(FORMATTINGS)), settings.k), is_taken, unfit_forms
        ),
    }
)


def carry_edits(example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
    """The question and options as edited, with the new place of the right option."""
    fields = {**example.fields, **{name: made.sentence for name, made in edits.items()}}
    moved = edits.get(OPTIONS)
    target = example.gold if moved is None else moved.positions(len(example.fields[OPTIONS]))[example.gold]
    return None if target is None else replace(example, fields=fields, gold=target)


def prompt(example: Example, case: str, settings: QuestionSettings, variant: Variant | None = None) -> Prompt:
    """The prompt of an example or ``variant``."""
    choice: Choice = example.source
    order, edits = tuple(range(len(choice.options))), tuple[Edit, ...]()
    if variant is not None:
        order = tuple(origin[0] for origin in variant.edits[OPTIONS].origins)
        edits = variant.edits[QUESTION].edits
    return Prompt(
        item=choice.id,
        variant=ORIGINAL if variant is None else variant.kind,
        kind=ORIGINAL if variant is None else variant.title,
        question=example.fields[QUESTION].text,
        options=example.fields[OPTIONS].tokens,
        target=example.gold,
        order=order,
        task=case,
        seed=settings.seed,
        edits=edits,
    )


def prompts(choice: Choice, name: str, **params: object) -> tuple[Prompt, ...]:
    """The original question, then its variants from the list ``name``.

    Empty if excluded. Raises TypeError or ValueError for invalid parameters.
    """
    rewording = REWORDINGS[name]
    settings = rewording.configured(**params)
    example = example_of(choice)
    if not rewording.takes(example, settings):
        return ()
    made = [prompt(example, name, settings)]
    for way in rewording.ways(example, settings):
        new = carry_edits(example, way.edits)
        assert new is not None, "no option goes when options move"
        made.append(prompt(new, name, settings, Variant(new, way.edits, way.id, way.title)))
    return tuple(made)
