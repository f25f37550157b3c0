"""Questions as sentences of words, and new ones built from their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from perturbations.application import apply
from perturbations.composition import edits_between
from perturbations.languages import codes, language_named
from perturbations.stops import belongs_to_word
from perturbations.text import Perturbed, Sentence

CLOSING = frozenset(".,;:?!")
"""Signs that follow a word without white space."""

_WORD = re.compile(r"\w+(?:(?<=\d)[.,:](?=\d)\w+|['’‐-](?=\w)\w+)*|\S")
"""Numbers keep their signs, words their apostrophes and hyphens; any other visible character stands alone."""


class QuestionWord(NamedTuple):
    """A word that is not copied, with the tokens it stands for."""

    text: str
    origin: tuple[int, ...] = ()


QuestionPiece = int | QuestionWord
"""A part of a new question: a token of the old one, by its place, or a word."""


class Stretch(NamedTuple):
    """Tokens ``start`` up to but not including ``stop``, and the sign after them that ends the sentence."""

    start: int
    stop: int

    @property
    def body(self) -> range:
        """The places of the tokens before the sign."""
        return range(self.start, self.stop)


def normalise(text: str) -> str:
    """The text in Unicode's form C, one space for each run of white space, none at the ends.

    Raises TypeError for anything but a string, ValueError where nothing visible is in it.
    """
    if not isinstance(text, str):
        raise TypeError(f"the question is {text!r}; expected a string")
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    if not plain:
        raise ValueError(f"the question is {text!r}; expected at least one visible character")
    return plain


def question_of(text: str) -> Sentence:
    """The normalised text as a Sentence of words and signs; its ``text`` is the normalised text.

    Raises as `normalise` does.
    """
    plain = normalise(text)
    found = list(_WORD.finditer(plain))
    ends = [match.start() for match in found[1:]] + [len(plain)]
    return Sentence(
        tuple(match[0] for match in found),
        spaces=tuple(plain[match.end() : end] for match, end in zip(found, ends, strict=True)),
    )


def lower_tokens(question: Sentence) -> tuple[str, ...]:
    """Its tokens in lower case."""
    return tuple(token.lower() for token in question.tokens)


_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "”": "”", "'": "'", "‘": "’", "`": "'"}
_APOSTROPHES = frozenset("'’`")


def quoted_places(question: Sentence) -> frozenset[int]:
    """The places of the tokens that are quotations.

    They stand between quotation marks, or after a mark that none closes; or they are a passage that a sentence such as
    ``This question refers to the following information.`` announces, up to the last sentence. A mark that is an
    apostrophe, too, opens only after white space and before a word, and closes only after a word.
    """
    return frozenset([*_marked_places(question), *_passage(question)])


def _passage(question: Sentence) -> range:
    ends = [
        place
        for place, token in enumerate(question.tokens[:-1])
        if token in (".", "?", "!", ":") and question.spaces[place]
    ]
    start = 0
    passages = frozenset().union(*(language_named(code).passage_words for code in codes()))
    announcing = frozenset().union(*(language_named(code).announcing_words for code in codes()))
    for end in ends:
        said = {token.lower() for token in question.tokens[start:end]}
        if said & passages and said & announcing:
            return range(end + 1, ends[-1] + 1)
        start = end + 1
    return range(0)


def _marked_places(question: Sentence) -> set[int]:
    inside: set[int] = set()
    closing = ""
    for place, token in enumerate(question.tokens):
        after_space = place == 0 or bool(question.spaces[place - 1])
        if closing:
            if token == closing and not (token in _APOSTROPHES and (after_space or _goes_on(question, place))):
                closing = ""
            else:
                inside.add(place)
        elif token in _QUOTES and (token not in _APOSTROPHES or (after_space and not question.spaces[place])):
            closing = _QUOTES[token]
    return inside


def _goes_on(question: Sentence, place: int) -> bool:
    """Whether a word follows the token without white space."""
    following = question.tokens[place + 1 : place + 2]
    return not question.spaces[place] and bool(following) and following[0].isalnum()


def stretches(question: Sentence) -> list[Stretch]:
    """The sentences of the question, from left to right, that begin with a capital and end in ``.`` or ``?``.

    Those all in capitals are left out. Only a sign that white space or nothing follows ends one, and no full stop of an
    abbreviation, an initial or a cited number does (`perturbations.stops`).
    """
    found = []
    start = 0
    for place, sign in enumerate(question.tokens):
        if sign in (".", "?", "!") and (question.spaces[place] or place + 1 == len(question)):
            if belongs_to_word(question.tokens, place, start):
                continue
            said = question.tokens[start:place]
            if said and sign != "!" and said[0][0].isupper() and not (len(said) > 1 and "".join(said).isupper()):
                found.append(Stretch(start, place))
            start = place + 1
    return found


def plain(question: Sentence, places: Sequence[int]) -> bool:
    """Whether these tokens are words and numbers, without signs, gaps to fill in or words run together by a sign."""
    return all(
        "_" not in token and all(char.isalnum() or char in "'’‐-" for char in token) and token[0].isalnum()
        for token in (question.tokens[place] for place in places)
    )


def match_case(new: str, old: str) -> str:
    """``new`` with a capital where ``old`` begins with one; in capitals where all of ``old`` is, being two or more."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[0].isupper() else new


def begin_sentence(question: Sentence, place: int) -> QuestionPiece | None:
    """The token as the beginning of a sentence; None where a capital would spoil it, as in ``pH``."""
    token = question.tokens[place]
    if token[0].isupper() or token[0].isdigit():
        return place
    return QuestionWord(token[0].upper() + token[1:], (place,)) if token.islower() else None


def resume_sentence(question: Sentence, place: int) -> QuestionWord:
    """The first token of a sentence, a word that is no name, as it is written elsewhere."""
    token = question.tokens[place]
    return QuestionWord(token[0].lower() + token[1:], (place,))


def rebuild(question: Sentence, stretch: Stretch, pieces: Sequence[QuestionPiece]) -> Perturbed:
    """The question with these pieces where the stretch was, as edits.

    Neighbours that were neighbours keep what was between them; otherwise one space is, and none before a sign.
    """
    built = [*range(stretch.start), *pieces, *range(stretch.stop, len(question))]
    tokens = tuple(question.tokens[piece] if isinstance(piece, int) else piece.text for piece in built)
    origins = tuple((piece,) if isinstance(piece, int) else piece.origin for piece in built)
    spaces = [
        question.spaces[before[-1]] if before and after and before[-1] + 1 == after[0] else _usual(tokens[place + 1])
        for place, (before, after) in enumerate(pairwise(origins))
    ]
    target = Sentence(tokens, spaces=(*spaces, question.spaces[-1]))
    return apply(question, edits_between(question, target, origins))


def _usual(following: str) -> str:
    return "" if following in CLOSING else " "


def reason_first(
    question: Sentence,
    conjunction: str,
    opening: str,
    fits: Callable[[Sentence, range, range, bool], bool],
) -> Perturbed | None:
    """``X conjunction Y`` → ``Opening Y, X`` in the first stretch that holds it once and ``fits``; None in none.

    ``fits`` is asked about the question, the places of X and of Y, and whether the stretch ends in a question mark.
    """
    low = lower_tokens(question)
    for stretch in stretches(question):
        found = [place for place in stretch.body if low[place] == conjunction]
        if len(found) != 1:
            continue
        place = found[0]
        main = range(stretch.start, place - 1 if low[place - 1] == "," else place)
        reason = range(place + 1, stretch.stop)
        if fits(question, main, reason, low[stretch.stop] == "?"):
            pieces = [
                QuestionWord(opening, (place,)),
                *reason,
                QuestionWord(","),
                resume_sentence(question, main[0]),
                *main[1:],
            ]
            return rebuild(question, stretch, pieces)
    return None
