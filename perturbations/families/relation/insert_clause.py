"""Clauses behind the spans of a relation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.relation.spans import is_finite, related_spans
from perturbations.lexicons import rows
from perturbations.resources import sort_of
from perturbations.sites import is_impersonal, is_running_text
from perturbations.text import Edit, Sentence


@sentence_level(
    title="A clause behind a span",
    kind="syntax",
    needs=("side_clauses", "verbs"),
    aliases=("InsertClause",),
    scheme="relations",
    example=(
        "[Ana Silva PERSON] teaches music in [Lima PLACE] .",
        "[Ana Silva PERSON] , mentioned above , teaches music in [Lima PLACE] .",
    ),
)
def insert_clause(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """A clause that says next to nothing, behind a span [TextFlint, catalogue name "InsertClause"].

    For persons, places and organisations, by the type of the span, before a verb or at the end of a sentence with a
    verb, outside of brackets and quotations, one in a sentence; none in posts, questions, outcries, and what somebody
    says of themselves or to another. The clauses ship, and have no gender or number; the original takes facts from
    Wikidata, which may tell the relation.
    """
    tokens = sentence.tokens
    if not tokens or not tokens[0][:1].isupper() or tokens[-1] != "." or not is_impersonal(tokens):
        return []
    site = []
    for span in related_spans(sentence):
        clauses = _clauses(language, sort_of(span.type) or "")
        before, rest = sentence.tokens[: span.start], sentence.tokens[span.stop :]
        in_a_name = span.start > 1 and before[-1][0].isupper()
        if not clauses or in_a_name or not _is_open(before) or not sentence.tokens[span.start][0].isalnum():
            continue
        if is_finite(sentence, span.stop, language):
            site += [_inserted(sentence, span.stop, (",", *clause, ",")) for clause in clauses]
        elif rest == (".",) and any(is_finite(sentence, place, language) for place in range(span.start)):
            site += [_inserted(sentence, span.stop, (",", *clause)) for clause in clauses]
    return [site] if site else []


def _is_open(before: Sequence[str]) -> bool:
    """Whether what stands before a span opens no bracket or quotation, and is no mark but a comma."""
    within = sum(before.count(mark) for mark in "([") - sum(before.count(mark) for mark in ")]")
    last = before[-1] if before else ""
    return within <= 0 and (last in ("", ",") or last.isalnum()) and "``" not in before and '"' not in before


@cache
def _clauses(language: str, sort: str) -> tuple[tuple[str, ...], ...]:
    found = rows(f"side_clauses_{language}")
    return tuple(tuple(clause.split()) for clause, sorts in found if sort in sorts.split("|"))


def _inserted(sentence: Sentence, place: int, words: tuple[str, ...]) -> Edit:
    """The edit that puts the words behind a span, whose last token it repeats with the space of running text."""
    last = place - 1
    tight = "" if is_running_text(sentence) or sentence.spaces[last] == "" else " "
    following = (*words[1:], "")
    spaces = [tight if word == "," else " " for word in following[:-1]]
    tags = None if sentence.tags is None else (sentence.tags[last], *("O",) * len(words))
    return Edit(
        last,
        place,
        (sentence.tokens[last], *words),
        tags=tags,
        spaces=(tight, *spaces, sentence.spaces[last] if sentence.spaces[last] or place == len(sentence) else ""),
        origins=((last,), *((),) * len(words)),
    )
