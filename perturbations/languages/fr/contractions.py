"""Contractions and elisions in French: "de le" and "du", "que elle" and "qu'elle"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.lexicons import pairs
from perturbations.sites import in_case_each, in_case_of, one_label
from perturbations.text import Edit, Sentence

_ELIDED = MappingProxyType(
    {
        "c'": "ce",
        "d'": "de",
        "j'": "je",
        "jusqu'": "jusque",
        "lorsqu'": "lorsque",
        "m'": "me",
        "n'": "ne",
        "puisqu'": "puisque",
        "qu'": "que",
        "quoiqu'": "quoique",
        "s'": "se",
        "t'": "te",
    }
)
"""Elided words and what they are in full. What *l'* stands for is not told by the words around it."""

_FULL = {full: elided for elided, full in _ELIDED.items()}
_VOWELS = frozenset("aàâæeéèêëiîïoôœuùû")
_NOT_ELIDED_BEFORE = ("oui", "ouistiti", "onz", "yaourt", "ululer", "uhlan")
"""Beginnings of words before which nothing is elided."""

_SET = frozenset(["d'abord", "d'accord", "d'ailleurs", "d'autant", "d'emblée", "d'habitude", "d'ores", "c'est-à-dire"])
"""Expressions that are one word to those who read them."""

_EXPANDED = words_in("au aux du auquel auxquels auxquelles duquel desquels desquelles")
"""Contractions that are nothing else; *des* is mostly the plural of *un*."""

_INFINITIVES = ("er", "ir", "re", "oir")
"""Endings of infinitives, before which *le* and *les* are pronouns: *de le voir*. Some nouns have them too."""


def contracted(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """Two words as one; *de le* before what may be an infinitive stays."""
    known = pairs("contractions_fr")
    for i in range(len(lowered) - 1):
        first, second = lowered[i], lowered[i + 1]
        short = known.get(f"{first} {second}")
        if short is not None and second in ("le", "les") and _may_be_pronoun(lowered, i + 1):
            continue
        if short is None and first in _FULL and _is_elided_before(first, second):
            short = _FULL[first] + second
        if short is not None and one_label(sentence, i, i + 2):
            yield Edit(i, i + 2, (_in_case(sentence.tokens[i : i + 2], short),))


def expanded(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """One word as the two that it stands for, and elided words in full, also where the next word is in their token."""
    known = _fulls()
    for i, word in enumerate(lowered):
        following = lowered[i + 1] if i + 1 < len(lowered) else ""
        if word in _EXPANDED:
            yield Edit(i, i + 1, in_case_each(sentence, i, known[word]))
        elif word in _ELIDED and following[:1].isalpha() and word + following not in _SET:
            yield _in_full(sentence, i, _unelided(word, following))
        elif "'" in word and word not in _SET:
            head, _, rest = word.partition("'")
            if f"{head}'" in _ELIDED and rest[:1].isalpha() and (head, rest[:7]) != ("quelqu", "un"):
                yield _taken_apart(sentence, i, _unelided(f"{head}'", rest), len(head) + 1)


def _may_be_pronoun(lowered: Sequence[str], place: int) -> bool:
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    return not following[:1].isalpha() or following.endswith(_INFINITIVES) or following in ("y", "en", "lui", "leur")


def _is_elided_before(first: str, second: str) -> bool:
    """Whether the first word loses its vowel before the second; *ce* does so before forms of *être* alone."""
    if second[:1] not in _VOWELS or second.startswith(_NOT_ELIDED_BEFORE) or not second.isalpha():
        return False
    return first != "ce" or second in ("est", "était", "étaient", "eût")


def _unelided(elided: str, following: str) -> str:
    return "si" if elided == "s'" and following in ("il", "ils") else _ELIDED[elided]


def _in_full(sentence: Sentence, place: int, full: str) -> Edit:
    """The edit that writes an elided token in full, with white space behind it."""
    following = sentence.tokens[place + 1]
    return Edit(place, place + 1, (_begun(sentence.tokens[place], following, full),), spaces=(" ",))


def _taken_apart(sentence: Sentence, place: int, full: str, length: int) -> Edit:
    """The edit of a token that is an elided word and the next one; ``length`` is that of the elided word."""
    token = sentence.tokens[place]
    rest = token[length:]
    return Edit(place, place + 1, (_begun(token, rest, full), rest), spaces=(" ", sentence.spaces[place]))


def _begun(elided: str, rest: str, full: str) -> str:
    """The full word in capitals where both parts are, with a capital where the elided word has one."""
    return full.upper() if elided.isupper() and rest.isupper() and len(rest) > 1 else in_case_of(elided[:1], full)


def _in_case(tokens: Sequence[str], word: str) -> str:
    """The word in the letter case of two tokens; the second keeps a capital of its own."""
    if "'" in word and not "".join(tokens).isupper():
        head = word.partition("'")[0] + "'"
        return in_case_of(tokens[0], head) + tokens[1]
    return in_case_of("".join(tokens), word)


@cache
def _fulls() -> Mapping[str, tuple[str, ...]]:
    """The full form of each contraction."""
    return MappingProxyType({short: tuple(full.split()) for full, short in pairs("contractions_fr").items()})
