"""Token labels from spaCy pipelines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from abalo.errors import AbaloError
from abalo.models.labelling.labels import OUTSIDE

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

UNKNOWN = "X"

# fmt: off
UNIVERSAL = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
)
# fmt: on
"""Universal Dependencies 2 (universaldependencies.org/u/pos)."""


class LabelReader(Protocol):
    """Reads labels from a parsed sentence."""

    @property
    def labels(self) -> tuple[str, ...]:
        """All possible labels."""
        ...

    def of(self, doc: Doc) -> list[str]:
        """One label per token."""
        ...


@dataclass(frozen=True, slots=True)
class _Entities:
    labels: tuple[str, ...]

    def of(self, doc: Doc) -> list[str]:
        tags = [OUTSIDE] * len(doc)
        for entity in doc.ents:
            for i in range(entity.start, entity.end):
                tags[i] = f"{'B' if i == entity.start else 'I'}-{entity.label_}"
        return tags


@dataclass(frozen=True, slots=True)
class _Universal:
    labels: tuple[str, ...] = UNIVERSAL

    def of(self, doc: Doc) -> list[str]:
        return [word.pos_ if word.pos_ in UNIVERSAL else UNKNOWN for word in doc]


@dataclass(frozen=True, slots=True)
class _Fine:
    labels: tuple[str, ...]

    def of(self, doc: Doc) -> list[str]:
        return [word.tag_ for word in doc]


def entities(spec: str, pipeline: Language) -> LabelReader:
    """The pipeline's entities in BIO."""
    types = sorted({kind for pipe in _assigning("doc.ents", pipeline) for kind in pipeline.pipe_labels.get(pipe, ())})
    if not types:
        raise AbaloError(f"model {spec}: no component finds entities; the pipeline has {_components(pipeline)}")
    return _Entities((OUTSIDE, *(f"{position}-{kind}" for kind in types for position in "BI")))


def tags(spec: str, pipeline: Language, attribute: str) -> LabelReader:
    """One label per token from "pos" or "tag"."""
    taggers = _assigning(f"token.{attribute}", pipeline)
    ruled = _rule_values(attribute.upper(), pipeline)
    if not taggers and not ruled:
        raise AbaloError(
            f"model {spec}: no component assigns token.{attribute}; the pipeline has {_components(pipeline)}: expected "
            "a tagger, a morphologizer or an attribute_ruler that does; choose another pipeline"
        )
    if attribute == "pos":
        return _Universal()
    return _Fine(tuple(sorted({*ruled, *(tag for pipe in taggers for tag in pipeline.pipe_labels.get(pipe, ()))})))


def _assigning(attribute: str, pipeline: Language) -> list[str]:
    return [pipe for pipe in pipeline.pipe_names if attribute in pipeline.get_pipe_meta(pipe).assigns]


def _rule_values(attribute: str, pipeline: Any) -> set[str]:
    rulers = (pipe for pipe in pipeline.pipe_names if pipeline.get_pipe_meta(pipe).factory == "attribute_ruler")
    rules = (rule["attrs"] for pipe in rulers for rule in pipeline.get_pipe(pipe).patterns)
    return {attributes[attribute] for attributes in rules if attribute in attributes}


def _components(pipeline: Language) -> str:
    return ", ".join(pipeline.pipe_names) or "none"
