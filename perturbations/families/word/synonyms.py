"""Words replaced by words of the same meaning, from a reviewed list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple, cast

from perturbations.catalogue import sentence_level
from perturbations.families.character.accents import strip_accents
from perturbations.families.word.swapping import in_fixed_phrases
from perturbations.languages import optional_rules, with_parts
from perturbations.languages.parts import Agreement, Gender
from perturbations.languages.readings import Features, Morphology
from perturbations.lexicons import pairs, rows, words
from perturbations.sites import disjoint, in_case_of, in_entities, is_like_a_name, rewriting
from perturbations.text import Edit, Sentence, entity_spans

LEGAL = ""
"""In place of a lexicon: the legal one, in legal text."""

SEED = "seed"
"""The lexicon that was published, which is applied as it was published."""

_LEAST_SIGNS = 2
"""Words of courts and statutes that make a sentence legal text."""


@sentence_level(
    needs=("legal", "legal_signs"),
    kind="lexis",
    renews=True,
    example=("o recurso ao [TRIBUNAL DE JUSTIÇA ORGANIZACAO]", "o recurso à [CORTE DE JUSTIÇA ORGANIZACAO]"),
)
def synonyms(
    sentence: Sentence,
    *,
    lexicon: str = LEGAL,
    inside_entities: bool = True,
    morphology: Morphology | None = None,
) -> list[list[Edit]]:
    """The synonym that the lexicon gives, in the letter case of the word [stage 2, "Synonym substitution"].

    Where it has another gender, its determiners and contractions and the adjectives beside it change with it; where
    what agrees is not certain, the word stays. So do words within names, other than the noun that heads one, and those
    of citations and fixed phrases. What agrees is known by lists and endings, or by ``morphology``, where given.

    Without a ``lexicon`` the words are those of courts, in legal text only: a sentence with two words that courts and
    statutes use. A lexicon that is named, such as ``legal_pt``, holds for any text.

    With ``lexicon = "seed"`` the published map is applied as it was published, token by token: *TRIBUNAL* becomes
    *CORTE*, *MINISTRO* becomes *AUTORIDADE* and *LEI* becomes *NORMA*, in names and citations too, and nothing agrees.
    """
    if lexicon == SEED:
        return _as_published(sentence, inside_entities=inside_entities)
    lexicon = lexicon_for(sentence, lexicon)
    if not lexicon:
        return []
    language = lexicon.rpartition("_")[2]
    agreement = optional_rules(language, "agreement", Agreement)
    known = _synonyms(lexicon)
    lowered = [token.lower() for token in sentence.tokens]
    taken, fixed = in_entities(sentence), in_fixed_phrases(lowered, language)
    features = None if morphology is None else morphology.features([sentence])[0]
    edits = []
    for place, word in enumerate(lowered):
        synonym = known.get(word)
        if synonym is None or place in fixed or _is_cited(lowered, place):
            continue
        found = _agreeing(lowered, place, synonym, agreement, features)
        if found is None:
            continue
        if taken[place]:
            if inside_entities and _heads_name(sentence, place, found):
                edits.append(rewriting(sentence, found))
        elif not is_like_a_name(sentence.tokens, place):
            edits.append(rewriting(sentence, found))
    return disjoint(edits)


def _as_published(sentence: Sentence, *, inside_entities: bool) -> list[list[Edit]]:
    """Each token of the published map as its synonym, in the letter case of the token."""
    known, taken = _synonyms(SEED), in_entities(sentence)
    return [
        [Edit(place, place + 1, (in_case_of(token, known[token.lower()].word),))]
        for place, token in enumerate(sentence.tokens)
        if token.lower() in known and (inside_entities or not taken[place])
    ]


def lexicon_for(sentence: Sentence, lexicon: str) -> str:
    """The lexicon that is named; else the legal one of the language in whose legal text the sentence is, or ""."""
    if lexicon != LEGAL:
        return lexicon
    lowered = {token.lower() for token in sentence.tokens}
    codes = (code for code in with_parts("legal", "legal_signs") if _is_legal(lowered, code))
    return next((f"legal_{code}" for code in codes), "")


def _is_legal(lowered: Set[str], code: str) -> bool:
    return len(lowered & words(f"legal_signs_{code}")) >= _LEAST_SIGNS


def spared(sentence: Sentence, lexicon: str) -> set[int]:
    """The places whose words no synonym may take: those of citations, names, fixed phrases, and what is no legal text.

    Of a name the noun that heads it is free. The published lexicon takes all.
    """
    if lexicon == SEED:
        return set()
    lexicon = lexicon_for(sentence, lexicon)
    if not lexicon:
        return set(range(len(sentence)))
    lowered = [token.lower() for token in sentence.tokens]
    taken, fixed = in_entities(sentence), in_fixed_phrases(lowered, lexicon.rpartition("_")[2])
    return {
        i
        for i in range(len(sentence))
        if i in fixed
        or _is_cited(lowered, i)
        or (not _heads_name(sentence, i, {}) if taken[i] else is_like_a_name(sentence.tokens, i))
    }


_NUMBERED = re.compile(r"n[.ºo°]*|n\.º|nº\.?|#|§|\W*\d.*")
"""The sign of a number, or a number: behind a word that a citation begins with."""


def _is_cited(lowered: Sequence[str], place: int) -> bool:
    """Whether the word is the title of a citation: *acórdão n.º 12*."""
    return bool(_NUMBERED.fullmatch("".join(lowered[place + 1 : place + 2]) or "-"))


class Listed(NamedTuple):
    """A synonym, and its gender where that is not the gender of the word."""

    word: str
    gender: Gender | None


def same_gender(word: str, lexicon: str) -> str | None:
    """The synonym of the word, in lower case, if it has one of its gender."""
    synonym = _synonyms(lexicon).get(word.lower())
    return None if synonym is None or synonym.gender else synonym.word


@cache
def _synonyms(lexicon: str) -> Mapping[str, Listed]:
    """Synonyms by lower-case word; a word is also found without its accents, and then answered without them."""
    pairs(lexicon)  # says what is wrong with a list of words
    reviewed = {row[0]: Listed(row[1], cast(Gender, row[2]) if "".join(row[2:3]) else None) for row in rows(lexicon)}
    plain = {strip_accents(word): each._replace(word=strip_accents(each.word)) for word, each in reviewed.items()}
    return plain | reviewed


def _agreeing(
    lowered: list[str], place: int, synonym: Listed, agreement: Agreement | None, features: Sequence[Features] | None
) -> dict[int, str] | None:
    """The synonym and what changes with it, by place; None where that is not certain."""
    if synonym.gender is None:
        return {place: synonym.word}
    found = None if agreement is None else agreement.around(lowered, place, synonym.gender, features)
    return None if found is None else {**found, place: synonym.word}


def _heads_name(sentence: Sentence, place: int, found: Mapping[int, str]) -> bool:
    """Whether the noun begins the name of an entity, or only words stand before it there that agree with it.

    What has digits in it is a citation, and no name.
    """
    span = next(each for each in entity_spans(sentence.entity_tags or ()) if each.start <= place < each.stop)
    if any(char.isdigit() for token in sentence.tokens[span.start : span.stop] for char in token):
        return False
    return all(i in found for i in range(span.start, place))
