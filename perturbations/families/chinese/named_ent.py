"""Entities replaced by others of their type."""

from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.entity_types import EntityKind, entity_kind
from perturbations.families.chinese.layout import HAN, Layout, layout
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Edit, Sentence, Span, entity_spans


@sentence_level(
    kind="syntax",
    languages=("zh",),
    aliases=("CnSwapNamedEnt",),
    renews=True,
    example=("[王 伟 PER] 访 问 [北 京 LOC]", "[张 志 强 PER] 访 问 [大 连 LOC]"),
)
def zh_named_ent(sentence: Sentence) -> list[Options]:
    """Another name for a person, place or organisation that the tags mark [TextFlint, catalogue name "CnSwapNamedEnt"].

    The type stays, so labels do; entities of other types and without Chinese characters stay as they are. Facts change:
    not for tasks whose answer is a name.
    """
    found = layout(sentence)
    if found is None:
        return []
    spans = [(span, entity_kind(span.type)) for span in entity_spans(sentence.entity_tags or ())]
    sites = [_names_for(found, span, kind) for span, kind in spans if kind is not None]
    return [site for site in sites if site]


def _names_for(found: Layout, span: Span, kind: EntityKind) -> list[Edit]:
    present = "".join(found.sentence.tokens[span.start : span.stop])
    if not HAN.search(present):
        return []
    first, inside = f"B-{span.type}", f"I-{span.type}"
    last_space = found.sentence.spaces[span.stop - 1]
    return [
        Edit(
            span.start,
            span.stop,
            tokens,
            (first, *(inside,) * (len(tokens) - 1)),
            spaces=(*(found.gap,) * (len(tokens) - 1), last_space),
        )
        for name, tokens in _names(kind, found.by_character)
        if name != present
    ]


@cache
def _names(kind: EntityKind, by_character: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names of that kind, each with its tokens: its words, or its characters."""
    listed = [name.split("|") for name, known in pairs("names_zh").items() if known == kind]
    return tuple(("".join(words), tuple("".join(words)) if by_character else tuple(words)) for words in listed)
