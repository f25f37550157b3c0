"""Labels that a spaCy pipeline gives to the tokens of a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from abalo.errors import AbaloError
from abalo.models.labels import OUTSIDE

UNKNOWN = "X"
"""The universal tag of a word for which the pipeline gives none, or one that is not universal, such as ``SPACE``."""

# fmt: off
UNIVERSAL = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
)
# fmt: on
"""The parts of speech of Universal Dependencies 2. [universaldependencies.org/u/pos]"""


class Reading(Protocol):
    """Labels read off a parsed sentence. ``labels`` are all that there can be, in the pipeline's names."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Each once."""
        ...

    def of(self, doc: Any) -> list[str]:
        """One label per token."""
        ...


@dataclass(frozen=True, slots=True)
class _Entities:
    """Entities in BIO."""

    labels: tuple[str, ...]

    def of(self, doc: Any) -> list[str]:
        tags = [OUTSIDE] * len(doc)
        for entity in doc.ents:
            for i in range(entity.start, entity.end):
                tags[i] = f"{'B' if i == entity.start else 'I'}-{entity.label_}"
        return tags


@dataclass(frozen=True, slots=True)
class _Universal:
    """Universal parts of speech."""

    labels: tuple[str, ...] = UNIVERSAL

    def of(self, doc: Any) -> list[str]:
        return [word.pos_ if word.pos_ in UNIVERSAL else UNKNOWN for word in doc]


@dataclass(frozen=True, slots=True)
class _Fine:
    """Tags of the pipeline's own tag set."""

    labels: tuple[str, ...]

    def of(self, doc: Any) -> list[str]:
        return [word.tag_ for word in doc]


def entities(spec: str, pipeline: Any) -> Reading:
    """The entities of a pipeline, in BIO; raises `AbaloError` where no component finds any."""
    types = sorted({kind for pipe in _assigning("doc.ents", pipeline) for kind in pipeline.pipe_labels.get(pipe, ())})
    if not types:
        raise AbaloError(f"model {spec}: no component finds entities; the pipeline has {_components(pipeline)}")
    return _Entities((OUTSIDE, *(f"{position}-{kind}" for kind in types for position in "BI")))


def tags(spec: str, pipeline: Any, attribute: str) -> Reading:
    """One label per token, by its ``attribute``, "pos" or "tag"; raises `AbaloError` where no component assigns it."""
    taggers = _assigning(f"token.{attribute}", pipeline)
    ruled = _ruled(attribute.upper(), pipeline)
    if not taggers and not ruled:
        raise AbaloError(
            f"model {spec}: no component assigns token.{attribute}; the pipeline has {_components(pipeline)}: expected "
            "a tagger, a morphologizer or an attribute_ruler that does; choose another pipeline"
        )
    if attribute == "pos":
        return _Universal()
    return _Fine(tuple(sorted({*ruled, *(tag for pipe in taggers for tag in pipeline.pipe_labels.get(pipe, ()))})))


def _assigning(attribute: str, pipeline: Any) -> list[str]:
    return [pipe for pipe in pipeline.pipe_names if attribute in pipeline.get_pipe_meta(pipe).assigns]


def _ruled(attribute: str, pipeline: Any) -> set[str]:
    """The values that rules of the pipeline give to an attribute; their component does not declare it."""
    rulers = (pipe for pipe in pipeline.pipe_names if pipeline.get_pipe_meta(pipe).factory == "attribute_ruler")
    rules = (rule["attrs"] for pipe in rulers for rule in pipeline.get_pipe(pipe).patterns)
    return {attributes[attribute] for attributes in rules if attribute in attributes}


def _components(pipeline: Any) -> str:
    return ", ".join(pipeline.pipe_names) or "none"
