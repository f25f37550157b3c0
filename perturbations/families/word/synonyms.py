"""Words replaced by words of the same meaning, from a reviewed list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple, cast

from perturbations.catalogue import sentence_level
from perturbations.families.character.accents import strip_accents
from perturbations.families.word.swapping import in_fixed_phrases
from perturbations.families.word.word_lists import shipped_list
from perturbations.languages import optional_rules, with_parts
from perturbations.languages.parts import Gender, GenderAgreement
from perturbations.languages.readings import Features, Morphology
from perturbations.lexicons import rows, words
from perturbations.resources import REVIEWED, Senses, WordList
from perturbations.sites import disjoint, in_case_of, in_entities, is_like_a_name, rewriting
from perturbations.text import Edit, Sentence, entity_spans

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
    lexicon: Senses = REVIEWED,
    inside_entities: bool = True,
    morphology: Morphology | None = None,
) -> list[list[Edit]]:
    """Replaces a word with its synonym in the lexicon, in its letter case [stage 2, "Synonym substitution"].

    If the synonym has another gender, the determiners, contractions and adjectives beside it change too; a word stays
    if agreement is uncertain. Words within names stay, except the noun that heads a name. So do citations and fixed
    phrases. Agreement follows lists and endings, or ``morphology`` if given.

    Without ``lexicon``, the words are legal ones, and only legal text changes: sentences with two words that courts and
    statutes use. A named lexicon applies to any text. It is a shipped list such as ``legal_pt``, your list
    ``lexicon:FILE.tsv``, or a wordnet as in `synonym_wordnet`. From your list or a wordnet, a word with a single
    meaning becomes the first synonym, without agreement; a synonym from a wordnet must end in the same letter.

    ``lexicon = "seed"`` applies the published map token by token, without agreement, also in names and citations:
    *TRIBUNAL* becomes *CORTE*, *MINISTRO* becomes *AUTORIDADE*, *LEI* becomes *NORMA*.
    """
    if lexicon.name == SEED:
        return _as_published(sentence, inside_entities=inside_entities)
    meant = lexicon_for(sentence, lexicon)
    if meant is None:
        return []
    agreement = optional_rules(_language(meant), "agreement", GenderAgreement)
    lowered = [token.lower() for token in sentence.tokens]
    taken, fixed = in_entities(sentence), _fixed_places(lowered, meant)
    features = None if morphology is None else morphology.features([sentence])[0]
    edits = []
    for place, word in enumerate(lowered):
        synonym = _synonym(meant, word)
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
    taken = in_entities(sentence)
    found = [same_gender(token, shipped_list(SEED)) for token in sentence.tokens]
    return [
        [Edit(place, place + 1, (in_case_of(sentence.tokens[place], synonym),))]
        for place, synonym in enumerate(found)
        if synonym is not None and (inside_entities or not taken[place])
    ]


def lexicon_for(sentence: Sentence, lexicon: Senses) -> Senses | None:
    """The lexicon that is named; else the legal one of the language in whose legal text the sentence is, if any."""
    if lexicon is not REVIEWED:
        return lexicon
    lowered = {token.lower() for token in sentence.tokens}
    codes = (code for code in with_parts("legal", "legal_signs") if _is_legal(lowered, code))
    return next((shipped_list(f"legal_{code}") for code in codes), None)


def _language(lexicon: Senses) -> str:
    """The language of a list that ships; empty for any other."""
    return lexicon.shipped.rpartition("_")[2] if isinstance(lexicon, WordList) else ""


def _fixed_places(lowered: Sequence[str], lexicon: Senses) -> set[int]:
    """The places of fixed phrases, in the language of the lexicon, or in any where that is not known."""
    language = _language(lexicon)
    spoken = [language] if language else with_parts("fixed_phrases")
    return {place for code in spoken for place in in_fixed_phrases(lowered, code)}


def _is_legal(lowered: Set[str], code: str) -> bool:
    return len(lowered & words(f"legal_signs_{code}")) >= _LEAST_SIGNS


def spared_places(sentence: Sentence, lexicon: Senses) -> set[int]:
    """The places whose words no synonym may take: those of citations, names, fixed phrases, and what is no legal text.

    Of a name the noun that heads it is free. The published lexicon takes all.
    """
    if lexicon.name == SEED:
        return set()
    meant = lexicon_for(sentence, lexicon)
    if meant is None:
        return set(range(len(sentence)))
    lowered = [token.lower() for token in sentence.tokens]
    taken, fixed = in_entities(sentence), _fixed_places(lowered, meant)
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


class ListedSynonym(NamedTuple):
    """A synonym, and its gender where that is not the gender of the word."""

    word: str
    gender: Gender | None


def same_gender(word: str, lexicon: Senses) -> str | None:
    """The synonym of the word, in lower case, if it has one of its gender."""
    synonym = _synonym(lexicon, word.lower())
    return None if synonym is None or synonym.gender else synonym.word


def _synonym(lexicon: Senses, word: str) -> ListedSynonym | None:
    """The synonym of a word in lower case; None without one, or where the word has several meanings.

    A list that ships says its gender. Of a wordnet it ends as the word does.
    """
    if isinstance(lexicon, WordList) and lexicon.shipped and lexicon.shipped in _gendered_lists():
        return _synonyms(lexicon.shipped).get(word)
    senses = lexicon.senses(word)
    if len(senses) != 1:
        return None
    fitting = (
        other
        for other in senses[0].synonyms
        if other.lower() != word
        and other.split() == [other]
        and (isinstance(lexicon, WordList) or (other.isalpha() and other.islower() and other[-1] == word[-1]))
    )
    return next((ListedSynonym(other, None) for other in fitting), None)


@cache
def _gendered_lists() -> frozenset[str]:
    """The lists that ship and say the gender of a synonym."""
    return frozenset(f"legal_{code}" for code in with_parts("legal"))


@cache
def _synonyms(lexicon: str) -> Mapping[str, ListedSynonym]:
    """Synonyms by lower-case word; a word is also found without its accents, and then answered without them."""
    reviewed = {
        row[0]: ListedSynonym(row[1], cast(Gender, row[2]) if "".join(row[2:3]) else None) for row in rows(lexicon)
    }
    plain = {strip_accents(word): each._replace(word=strip_accents(each.word)) for word, each in reviewed.items()}
    return plain | reviewed


def _agreeing(
    lowered: list[str],
    place: int,
    synonym: ListedSynonym,
    agreement: GenderAgreement | None,
    features: Sequence[Features] | None,
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
