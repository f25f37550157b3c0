"""Another person of the corpus, whose name is as long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.promises.promise import Promise, Settings, Site, Sites
from perturbations import Edit, Sentence, Span, entity_spans
from perturbations.levels import entity_edit
from perturbations.suggestions import did_you_mean

PERSONS = ("PESSOA", "PER", "PERSON", "person")
"""The types under which corpora have persons."""

Name = tuple[str, ...]
Names = Mapping[tuple[str, tuple[int, ...]], Sequence[Name]]
"""Names by their type and the characters of each word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSettings(Settings):
    """``type`` is that of entities whose names are exchanged; "auto" is that of persons, if the corpus has any."""

    type: str = "auto"


def plan(corpus: Corpus, settings: NameSettings) -> Sites:
    """Every such entity: replaced by others of the corpus with as many words, each with as many characters."""
    known = corpus.entity_counts
    if settings.type not in {"auto", *known}:
        raise AbaloError(
            f"same_length_name: type {settings.type!r} is not in {corpus.name}{did_you_mean(settings.type, known)}; "
            f"there are {', '.join(known) or 'no entities'}"
        )
    wanted = PERSONS if settings.type == "auto" else (settings.type,)
    found: defaultdict[tuple[str, tuple[int, ...]], dict[Name, None]] = defaultdict(dict)
    for sentence in corpus.sentences:
        for span in entity_spans(sentence.tags or ()):
            if span.type in wanted:
                name = sentence.tokens[span.start : span.stop]
                found[span.type, _lengths(name)][name] = None
    return partial(_sites, {key: sorted(names) for key, names in found.items()})


def _sites(names: Names, sentence: Sentence, _free: frozenset[int]) -> Sequence[Site]:
    spans = entity_spans(sentence.tags or ())
    return [partial(_edits, names, sentence, span) for span in spans if _others(names, sentence, span)]


def _edits(names: Names, sentence: Sentence, span: Span) -> Sequence[Edit]:
    return [entity_edit(span, name) for name in _others(names, sentence, span)]


def _others(names: Names, sentence: Sentence, span: Span) -> list[Name]:
    own = sentence.tokens[span.start : span.stop]
    return [name for name in names.get((span.type, _lengths(own)), ()) if name != own and _alike(name, own)]


def _alike(name: Name, own: Name) -> bool:
    """Whether both are written in the same letter case, word by word."""
    return all((a.isupper(), a.islower()) == (b.isupper(), b.islower()) for a, b in zip(name, own, strict=True))


def _lengths(name: Name) -> tuple[int, ...]:
    return tuple(map(len, name))


PROMISE = Promise(
    "same_length_name",
    NameSettings,
    plan,
    "Another person's name of the same length should change no {target}.",
    of_spans=True,
)
