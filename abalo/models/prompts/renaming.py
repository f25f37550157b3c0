"""Labels in answers and gold, under other names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from abalo.models.labelling.labels import OUTSIDE
from abalo.models.prompts.grounding import Grounded
from perturbations import UNLABELLED


def rename(answer: Any, names: Mapping[str, str]) -> Any:
    """The answer with other names of labels or of entity types; what has no labels stays as it is."""

    def renamed(tag: str) -> str:
        prefix, kind = _parts(tag, names)
        return prefix + names.get(kind, kind)

    if isinstance(answer, Grounded):
        missed = tuple((words, names.get(kind, kind)) for words, kind in answer.ungrounded)
        return replace(answer, tags=tuple(map(renamed, answer.tags)), ungrounded=missed)
    return tuple(map(renamed, answer)) if isinstance(answer, tuple | list) else answer


def unknown_labels(gold: Any, labels: Collection[str]) -> list[str]:
    """The labels or entity types of the gold that ``labels``, unless empty, lack."""
    known = {*labels, OUTSIDE, UNLABELLED}
    return [kind for tag in (gold if labels else ()) if (kind := _parts(tag, known)[1]) not in known]


def _parts(tag: str, known: Collection[str]) -> tuple[str, str]:
    """The prefix and the type of a tag such as B-PER; "" and the label of others."""
    whole = tag in known or tag[:2] not in ("B-", "I-")
    return ("", tag) if whole else (tag[:2], tag[2:])
