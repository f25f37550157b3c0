"""Options that refer to others of their question, and which options can change places without a change of meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from perturbations.families.choice.lettering import without_letters
from perturbations.languages import rules, with_parts
from perturbations.languages.parts import OptionPhrases
from perturbations.lexicons import of_class

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_SPELT = {"NOTA": "none of the above", "AOTA": "all of the above"}
_FORMULA = re.compile(r"[{}\[\]^=<>*|\\$]|[+]\d")
_APOSTROPHES = re.compile("['’‘ʼ＇`´]")


class _Forms(NamedTuple):
    """Options by what they speak of, in any language that has rules for it; as `OptionPhrases`, joined."""

    nouns: str
    all: str
    none: str
    some: str
    places: str
    pair: str
    bare: str
    ends: str
    goes_on: str

    @property
    def about(self) -> str:
        return f"{self.all}|{self.none}|{self.some}|{self.pair}"

    @property
    def tail(self) -> str:
        """May follow an option about others, too, or say something of its own: *either may be used*."""
        return f"(?: (?:{self.goes_on})(?: \\w+){{0,3}})?"


def _forms() -> _Forms:
    return _joined(with_parts("option_phrases"))


@cache
def _joined(languages: tuple[str, ...]) -> _Forms:
    known = [rules(code, "option_phrases", OptionPhrases) for code in languages]
    return _Forms(*("|".join(getattr(each, name.upper()) for each in known) for name in _Forms._fields))


def moving(options: Sequence[str], question: str = "") -> tuple[int, ...] | None:
    """The places, in order, of the options that can change places, the others staying last; None where none can.

    *All of the above*, *none of these*, *nenhuma das anteriores* and their like stay where they are, at the end. Where
    one of these stands before another option, where *both* could mean any two of more, and where an option names others
    by letter or number (*A and B*, *option C*), a change of places would change what is said. Roman numerals (*I and II
    only*) name statements where the question lists these; elsewhere they could name options. Letters of their own at
    the beginning of all options are not looked at.
    """
    options, forms = without_letters(options), _forms()
    plain = [_plain(option) for option in options]
    listed = _listed_numerals(question)
    by_place = any(_matches(forms.places, option) for option in plain)
    letters = any(len(option) == 1 and option.isalpha() for option in plain)  # answers of their own, as blood groups
    names = [letters_named(option, len(options)) for option in options if not (letters and _is_compound(option))]
    if by_place or any(named - listed for named in names):
        return None
    about = [place for place, option in enumerate(plain) if _matches(f"(?:{forms.about}){forms.tail}", option)]
    last = len(plain) - 1
    if last not in about and _matches(f"(?:{forms.bare}){forms.tail}", plain[last]):
        about.append(last)
    free = tuple(place for place in range(len(plain)) if place not in about)
    if free != tuple(range(len(free))):
        return None
    if len(free) != 2 and any(_matches(f"(?:{forms.pair}){forms.tail}", plain[place]) for place in about):
        return None
    return free


def is_about_all(option: str) -> bool:
    """Whether it speaks of all others: *all of the above*, *todas elas*."""
    return _matches(_forms().all, _plain(option))


def is_about_none(option: str) -> bool:
    """Whether it denies all others: *none of these*, *nenhuma das anteriores*, *n.d.a.*."""
    return _matches(_forms().none, _plain(option))


def is_about_others(option: str) -> bool:
    """Whether it speaks of some others, or of two, without a name: *any of these*, *both*, *as duas primeiras*."""
    forms = _forms()
    return _matches(f"{forms.some}|{forms.pair}|{forms.places}", _plain(option))


def letters_named(option: str, count: int) -> frozenset[str]:
    """The letters and numbers by which it names options or statements, of a question with ``count`` options.

    Letters are those of the options, and at least A to E; Roman numerals those to ten; Arabic ones up to ``count``,
    alone only after a noun such as *option*, since *2* and *2–3* are answers of their own. Empty where it says anything
    else.
    """
    if _is_compound(option):
        return frozenset(option.casefold()) & frozenset("abcdefgh"[:count])
    if _FORMULA.search(option) or _matches(_forms().about, _plain(option)):
        return frozenset()
    words = _plain(option).split()
    letters = frozenset("abcdefghijklmnopqrstuvwxyz"[: max(count, 5)])
    numbers = frozenset(str(number) for number in range(1, count + 1))
    ordinals = _words("ordinal")
    known = _words("joining", "spanning", "telling", "beside")
    names = [
        place
        for place, word in enumerate(words)
        if word in letters | numbers | ordinals or word in _ROMAN
        if not _is_small_word(words, place)
    ]
    rest = [word for place, word in enumerate(words) if place not in names]
    if len(words) > 1 and names and all(word in known for word in rest):
        said = frozenset(words[place] for place in names)
        arabic = said <= numbers | ordinals
        joining = _words("joining") if arabic else _words("joining", "spanning")
        joined = len(said) > 1 and any(word in joining for word in words[1:-1])
        telling = [word for word in rest if word in _words("telling")]
        if joined or (telling and (not arabic or any(re.fullmatch(_forms().nouns, word) for word in telling))):
            return said
    return frozenset()


def _is_small_word(words: Sequence[str], place: int) -> bool:
    """Whether it is the *e* between two others, or the *a* before a noun, and no name."""
    between = 0 < place < len(words) - 1
    noun = place + 1 < len(words) and re.fullmatch(_forms().nouns, words[place + 1]) is not None
    return (words[place] == "e" and between) or (words[place] == "a" and noun)


def _is_compound(option: str) -> bool:
    """Whether it is capital letters alone, with white space, a stroke or a dash between: *A/C*, *A B*, *A-C*."""
    return re.fullmatch(r"[A-H](?:(?: ?[/–-] ?| )[A-H])+", option.strip().rstrip(".")) is not None


def _words(*classes: str) -> frozenset[str]:
    """The words of these classes in the lists ``option_words`` of all languages.

    ``joining``: what joins names; ``spanning``: what joins letters as *and* does, *A to C*, while numbers make a range;
    ``telling``: with it a single letter or numeral names an option; ``beside``: may stand there, too; ``ordinal``:
    names an option by its place.
    """
    return _words_in(with_parts("option_words"), classes)


@cache
def _words_in(languages: tuple[str, ...], classes: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(of_class(f"option_words_{code}", of) for code in languages for of in classes))


def _listed_numerals(question: str) -> frozenset[str]:
    """The Roman numerals that name statements in the question: I and II at least, each before or after a sign."""
    found = re.findall(r"(?<![^\W_])([ivx]+)(?=\s*[).:\-–—])|[(]\s*([ivx]+)\s*[)]", question.casefold())
    listed = frozenset(first or second for first, second in found).intersection(_ROMAN)
    return listed if {"i", "ii"} <= listed else frozenset()


def _matches(form: str, plain: str) -> bool:
    return re.fullmatch(f"(?:{form})(?:{_forms().ends})", plain) is not None


def _plain(option: str) -> str:
    """Without case, apostrophes and punctuation, but for separators within numbers; ``&``, ``+``, ``,`` are *and*."""
    spelt = re.sub(r"\b(NOTA|AOTA)\b", lambda found: _SPELT[found[0]], unicodedata.normalize("NFKC", option))
    text = _APOSTROPHES.sub("", spelt.casefold())
    text = re.sub(r"(?<=\d)[.,](?=\d)", "\0", text)
    text = re.sub("[&+,;](?=.)", " and ", text)
    return " ".join(re.sub(r"[^\w\0-]|_", " ", text).replace("\0", ".").split())
