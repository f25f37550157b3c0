"""A clause between commas, with a tree of its own, behind a proper noun."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from perturbations.catalogue import sentence_level
from perturbations.families.tree.subtrees import QUOTES, Tree, is_balanced
from perturbations.layers import HEADS, arc_label
from perturbations.lexicons import rows
from perturbations.sites import is_impersonal
from perturbations.text import Edit, Sentence

_SUBJECTS = ("nsubj", "nsubj:pass")
_RELATIONS = (*_SUBJECTS, "obj", "iobj", "obl:agent", "obl:arg")
_WITHIN = ("obl", "obl:mod")
"""Relations to a verb of names that can be dates, too."""
_OPENING = ("to", "for", "with", "of", "a", "de", "para", "à", "pour")
"""Prepositions of a clause without a finite verb, which cannot be parted from its subject nor from what it tells."""
_PREDICATES = ("VERB", "PART")
"""Tags of words that may tell of an object what it does or what is done to it."""
_DATES = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "christmas",
        "easter",
    ]
)
_NOUNS = ("NOUN", "PROPN", "ADJ")
_PARTS_OF_NAMES = ("flat", "flat:name", "flat:foreign", "compound", "fixed")
_BEFORE_NAMES = ("det", "case")
_ENDS = (".", "!", "?")
_LEAST = 8
"""Words of a sentence, so that it is no slogan."""
_CLITICS = ("se", "me", "te", "lhe", "lhes", "nos", "-se")


class Clause(NamedTuple):
    """Words with their tags, heads counted from 1, 0 for the noun that they follow, and relations."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


@sentence_level(
    title="A set-off clause added",
    kind="syntax",
    needs=("set_off_clauses",),
    scheme="heads",
    relation="adds",
    aliases=("AddSubTree",),
    example=(
        (
            "[Ana =PROPN/2/nsubj] [visitou =VERB/0/root] [o =DET/4/det] [museu =NOUN/2/obj] [em =ADP/7/case] "
            "[o =DET/7/det] [domingo =NOUN/2/obl] [. =PUNCT/2/punct]"
        ),
        (
            "[Ana =PROPN/7/nsubj] [, =PUNCT/5/punct] [que =PRON/5/obj] [já =ADV/5/advmod] "
            "[mencionamos =VERB/1/acl:relcl] [, =PUNCT/5/punct] [visitou =VERB/0/root] [o =DET/9/det] "
            "[museu =NOUN/7/obj] [em =ADP/12/case] [o =DET/12/det] [domingo =NOUN/7/obl] [. =PUNCT/7/punct]"
        ),
    ),
)
def add_subtree(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """A clause or an apposition behind a proper noun, its words with their heads [TextFlint, "AddSubTree"].

    It comes from a table of the language and can be said of any person, place or organisation; there is one in a
    sentence, and not at its end. The noun stands alone, with its preposition, its determiner and the other words of its
    name; nothing that depends on it follows.
    """
    tree = Tree.of(sentence)
    if tree is None or not _tells(tree) or not is_balanced(sentence.tokens) or "".join(sentence.tokens).isupper():
        return []
    if len(sentence) < _LEAST or not is_impersonal(sentence.tokens):
        return []
    taken = {token.lower() for token in sentence.tokens}
    clauses = [each for each in known_clauses(language) if not set(_contents(each)) & taken]
    ends = ((word, _end_of_name(tree, word)) for word in range(len(sentence)))
    site = [
        _insertion(sentence, word, place, clause) for word, place in ends if place is not None for clause in clauses
    ]
    return [site] if site else []


def _tells(tree: Tree) -> bool:
    """Whether it is a sentence with a verb and a mark at its end, no title, footer or row of a list."""
    roots = [tag for head, tag in zip(tree.heads, tree.tags, strict=True) if head is not None and head < 0]
    return roots == ["VERB"] and tree.tokens[-1] in _ENDS


def _end_of_name(tree: Tree, word: int) -> int | None:
    """The last word of a name that a clause can follow; None if the word heads no such name."""
    last = tree.lasts[word]
    name = range(word, last + 1)
    if tree.tags[word] != "PROPN" or not tree.is_whole(word) or not _stands_alone(tree, word):
        return None
    if not all(_is_name(tree.tokens[k]) for k in name if tree.tags[k] == "PROPN"):
        return None
    for k in range(tree.firsts[word], last + 1):
        own = k == word or (k > word and tree.relations[k] in _PARTS_OF_NAMES and tree.tags[k] == "PROPN")
        if not own and not (k < word and tree.relations[k] in (*_BEFORE_NAMES, *_PARTS_OF_NAMES)):
            return None
    following = tree.tokens[last + 1] if last + 1 < len(tree.tokens) else "."
    if not following[0].isalnum() or following.lower() in _CLITICS:
        return None
    if tree.relations[word] in _SUBJECTS:
        if tree.relations[tree.heads[word] or 0] == "acl:relcl":
            return None
    elif tree.tags[last + 1] in _PREDICATES or following.lower() in _OPENING or _begins_close_part(tree, last + 1):
        return None
    if not all(tree.tokens[k].replace("'", "").replace("’", "").isalpha() for k in range(tree.firsts[word], word)):
        return None
    if last + 1 < len(tree.tokens) and (tree.tags[last + 1] == "CCONJ" or _belongs_to_noun(tree, last + 1, word)):
        return None
    before = tree.tokens[tree.firsts[word] - 1] if tree.firsts[word] else ""
    if before.lower() in _OPENING and tree.relations[word] in _SUBJECTS:
        return None
    if tree.firsts[word] and tree.tags[tree.firsts[word] - 1] == "CCONJ":
        return None
    return None if before in QUOTES or before.startswith(("-", "–", "/", "@", "#", ":")) else last


def _begins_close_part(tree: Tree, place: int) -> bool:
    """Whether a subject behind its verb begins there, or a particle of the verb: neither is parted from it."""
    return any(
        tree.firsts[k] == place and tree.relations[k] in (*_SUBJECTS, "compound:prt")
        for k in range(place, len(tree.tokens))
    )


def _belongs_to_noun(tree: Tree, place: int, name: int) -> bool:
    """Whether a part begins there that belongs to a noun before the name, from which a clause would part it."""
    return any(
        tree.firsts[k] == place and 0 <= (tree.heads[k] or 0) < name and tree.tags[tree.heads[k] or 0] in _NOUNS
        for k in range(place, len(tree.tokens))
    )


def _stands_alone(tree: Tree, word: int) -> bool:
    """Whether a name is one thing, no part of a longer name and no date, as far as its form and its relation tell."""
    head = tree.heads[word]
    if tree.tokens[word].endswith("s") and not any(tree.relations[k] == "det" for k in tree.children(word)):
        return False  # perhaps a plural, such as the name of a people
    within = tree.relations[word] in _WITHIN and head is not None and head >= 0 and tree.tags[head] not in _NOUNS
    return tree.relations[word] in _RELATIONS or (within and tree.tokens[word].lower() not in _DATES)


def _is_name(token: str) -> bool:
    """Whether it is written as a name: a capital and small letters."""
    letters = token.replace("-", "").replace("'", "").replace(".", "")
    return letters.isalpha() and token[0].isupper() and len(letters) > 1


def _contents(clause: Clause) -> list[str]:
    """The words of a clause that carry its content."""
    pairs = zip(clause.words, clause.tags, strict=True)
    return [word for word, tag in pairs if tag in ("NOUN", "VERB", "ADV")]


def _insertion(sentence: Sentence, word: int, place: int, clause: Clause) -> Edit:
    """The edit that puts the clause between commas behind the name that ends at ``place``."""
    words = (sentence.tokens[place], ",", *clause.words, ",")
    top = clause.heads.index(0) + 2
    mark = arc_label(top, "punct", new=True)
    arcs = ["", mark]
    for head, relation in zip(clause.heads, clause.relations, strict=True):
        arcs.append(arc_label(head + 1, relation, new=True) if head else arc_label(word, relation))
    arcs.append(mark)
    spaces = ["", " ", *("" if each.endswith(("'", "’")) else " " for each in clause.words[:-1]), "", " "]
    old = None if sentence.tags is None else sentence.tags[place]
    tags = None if old is None else (old, "PUNCT", *clause.tags, "PUNCT")
    origins = ((place,), *[()] * (len(words) - 1))
    return Edit(place, place + 1, words, tags, None, tuple(spaces), origins, ((HEADS, tuple(arcs)),))


@cache
def known_clauses(language: str) -> tuple[Clause, ...]:
    """The clauses of a language."""
    found = []
    for words, tags, heads, relations in rows(f"set_off_clauses_{language}"):
        numbers = tuple(map(int, heads.split()))
        found.append(Clause(tuple(words.split()), tuple(tags.split()), numbers, tuple(relations.split())))
    return tuple(found)
