"""Where words may be put in or merged: next to verbs, never across the border of an entity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from perturbations.lexicons import words
from perturbations.stops import abbreviates
from perturbations.text import Edit, Sentence, entity_start, entity_starts

_FINAL = frozenset([".", "?", "!", "...", "…"])
_CLOSING = frozenset([")", "]", '"', "”", "»", "'", "’", "''"])
_SENTENCE_ENDS = frozenset([".", "?", "!", "...", "…", '"', "“", "``", "''"])


def in_case_of(word: str, other: str) -> str:
    """The other word all in capitals, or with a capital first, where the word is; else as it is.

    A letter alone counts as a capital first: what surrounds it tells more, see `in_case_at`. Of words with as many
    hyphens each part is as its counterpart.
    """
    if word.isupper() and len(word) > 1:
        return other.upper()
    parts, others = word.split("-"), other.split("-")
    if all(parts) and all(others) and len(parts) == len(others) > 1:
        return "-".join(map(in_case_of, parts, others))
    return other[0].upper() + other[1:] if word[0].isupper() else other


def begins_sentence(tokens: Sequence[str], place: int) -> bool:
    """Whether the token is the first, or comes after a full stop, a quotation mark or the like.

    A full stop of an abbreviation or an initial is none.
    """
    if place == 0:
        return True
    return tokens[place - 1] in _SENTENCE_ENDS and not abbreviates(tokens, place - 1)


def ends_sentence(tokens: Sequence[str]) -> bool:
    """Whether the text ends with a final mark, alone or before a bracket or a quotation mark that closes."""
    return next((token in _FINAL for token in reversed(tokens) if token not in _CLOSING), False)


def in_capitals(tokens: Sequence[str], place: int) -> bool:
    """Whether the token is written in capitals; a letter alone is so where the words on both sides are."""
    token = tokens[place]
    if not token.isupper() or len(token) > 1:
        return token.isupper()
    sides = (reversed(tokens[:place]), tokens[place + 1 :])
    nearest = [next((word for word in side if _shows_case(word)), None) for side in sides]
    found = [word for word in nearest if word is not None]
    return bool(found) and all(word.isupper() for word in found)


def _shows_case(word: str) -> bool:
    return word.upper() != word.lower() and (len(word) > 1 or word.islower())


def in_case_at(tokens: Sequence[str], place: int, word: str) -> str:
    """The word in the letter case of the token there: "é" that begins a sentence is no word in capitals."""
    return word.upper() if in_capitals(tokens, place) else in_case_of(tokens[place], word)


def in_case_each(sentence: Sentence, place: int, words: Sequence[str]) -> tuple[str, ...]:
    """The words in the letter case of the token that they stand for; a letter alone goes by the token after it."""
    token = sentence.tokens[place]
    if len(token) == 1 and token.isupper() and not "".join(sentence.tokens[place + 1 : place + 2]).isupper():
        return in_case_of("Xx", words[0]), *words[1:]
    return tuple(word.upper() for word in words) if token.isupper() else (in_case_of(token, words[0]), *words[1:])


def rewriting(sentence: Sentence, words: Mapping[int, str]) -> Edit:
    """One edit that puts these words in their places, in the letter case of what stands there."""
    start, stop = min(words), max(words) + 1
    tokens = tuple(
        in_case_at(sentence.tokens, i, words[i]) if i in words else sentence.tokens[i] for i in range(start, stop)
    )
    origins = tuple((i,) for i in range(start, stop))
    return Edit(start, stop, tokens, spaces=sentence.spaces[start:stop], origins=origins)


def is_like_a_name(tokens: Sequence[str], place: int) -> bool:
    """Whether the token begins with a capital that neither the start of a sentence nor capitals all around explain."""
    token = tokens[place]
    if not token[:1].isupper() or begins_sentence(tokens, place):
        return False
    return not (token.isupper() and len(token) > 1) or not _in_capitals_around(tokens, place)


def _in_capitals_around(tokens: Sequence[str], place: int) -> bool:
    beside = [word for word in (*tokens[max(0, place - 2) : place], *tokens[place + 1 : place + 3]) if word.isalpha()]
    return bool(beside) and all(word.isupper() for word in beside)


def is_running_text(sentence: Sentence) -> bool:
    """Whether some tokens follow each other without white space, so that the text looks as people write it."""
    return "" in sentence.spaces[:-1]


_OF_TALK = ("@", "#", "http", "www.", "RT", "?", "!")
"""How words begin that stand in posts, questions and outcries."""


def is_impersonal(tokens: Sequence[str]) -> bool:
    """Whether words are no post, question or outcry, and nobody says there anything of themselves or to another.

    The pronouns are those of English, French and Portuguese.
    """
    return not any(token.startswith(_OF_TALK) or token.lower() in words("personal_words") for token in tokens)


def in_entities(sentence: Sentence) -> Sequence[bool]:
    """For each token whether it is part of an entity."""
    if sentence.entity_tags is None:
        return (False,) * len(sentence)
    return [start is not None for start in entity_starts(sentence.entity_tags)]


def in_entity(sentence: Sentence, place: int) -> bool:
    """Whether that token is part of an entity, found without reading all tags."""
    return sentence.entity_tags is not None and entity_start(sentence.entity_tags, place) is not None


def one_label(sentence: Sentence, start: int, stop: int) -> bool:
    """Whether tokens [start, stop) may become one: parts of one entity, or of none and labelled the same."""
    tags = sentence.entity_tags
    if tags is None or all(tag == "O" for tag in tags[start:stop]):
        return True
    starts = entity_starts(tags)
    return len({(starts[i], tags[i] if starts[i] is None else "") for i in range(start, stop)}) == 1


def disjoint(edits: Iterable[Edit]) -> list[list[Edit]]:
    """Sites of these edits: those that overlap, at one remove or more, are options of one site."""
    sites: list[list[Edit]] = []
    reached = -1
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        if edit.start < reached:
            sites[-1].append(edit)
        else:
            sites.append([edit])
        reached = max(reached, edit.stop)
    return sites


def apart(sites: Iterable[Sequence[Edit]], least: int = 12) -> list[Sequence[Edit]]:
    """The sites, from left to right, without those that begin fewer than ``least`` tokens behind the one before."""
    found: list[Sequence[Edit]] = []
    last = 0
    for site in sites:
        if site and (not found or site[0].start - last >= least):
            found.append(site)
            last = site[0].start
    return found


def put_before(sentence: Sentence, place: int, words: Sequence[str]) -> Edit:
    """The edit that puts words before a token; a capital that begins a sentence moves to the first of them."""
    token = sentence.tokens[place]
    if in_capitals(sentence.tokens, place):
        return Edit(place, place, tuple(word.upper() for word in words))
    if begins_sentence(sentence.tokens, place) and token[0].isupper():
        new = (in_case_of(token, words[0]), *words[1:], token[0].lower() + token[1:])
        return Edit(place, place + 1, new, origins=(*((),) * len(words), (place,)))
    return Edit(place, place, tuple(words))
