"""Another person of the corpus, with a name of the same length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.invariances.invariance import EditSite, FindSites, Invariance, InvarianceSettings
from perturbations import Edit, Sentence, Span, entity_spans
from perturbations.levels import entity_edit
from perturbations.suggestions import did_you_mean

PERSONS = ("PESSOA", "PER", "PERSON", "person")

PersonName = tuple[str, ...]
PersonNames = Mapping[tuple[str, tuple[int, ...]], Sequence[PersonName]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSettings(InvarianceSettings):
    """The type of the entities to exchange; "auto" for persons."""

    type: str = "auto"


def finder(corpus: Corpus, settings: NameSettings) -> FindSites:
    """Replaces a name by others of the corpus with as many words, each with as many characters."""
    known = corpus.entity_counts
    if settings.type not in {"auto", *known}:
        raise AbaloError(
            f"same_length_name: type {settings.type!r} is not in {corpus.name}{did_you_mean(settings.type, known)}; "
            f"there are {', '.join(known) or 'no entities'}"
        )
    wanted = PERSONS if settings.type == "auto" else (settings.type,)
    found: defaultdict[tuple[str, tuple[int, ...]], dict[PersonName, None]] = defaultdict(dict)
    for sentence in corpus.sentences:
        for span in entity_spans(sentence.tags or ()):
            if span.type in wanted:
                name = sentence.tokens[span.start : span.stop]
                found[span.type, _lengths(name)][name] = None
    return partial(_sites, {key: sorted(names) for key, names in found.items()})


def _sites(names: PersonNames, sentence: Sentence, _free: frozenset[int]) -> Sequence[EditSite]:
    spans = entity_spans(sentence.tags or ())
    return [partial(_edits, names, sentence, span) for span in spans if _others(names, sentence, span)]


def _edits(names: PersonNames, sentence: Sentence, span: Span) -> Sequence[Edit]:
    return [entity_edit(span, name) for name in _others(names, sentence, span)]


def _others(names: PersonNames, sentence: Sentence, span: Span) -> list[PersonName]:
    own = sentence.tokens[span.start : span.stop]
    return [name for name in names.get((span.type, _lengths(own)), ()) if name != own and _alike(name, own)]


def _alike(name: PersonName, own: PersonName) -> bool:
    return all((a.isupper(), a.islower()) == (b.isupper(), b.islower()) for a, b in zip(name, own, strict=True))


def _lengths(name: PersonName) -> tuple[int, ...]:
    return tuple(map(len, name))


INVARIANCE = Invariance(
    "same_length_name",
    NameSettings,
    finder,
    "Another person's name of the same length should not change any {target}.",
    title="Another name of the same length",
    of_spans=True,
)
