"""Options that refer to others of their question, and which options can change places without a change of meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from perturbations.lexicons import of_class

_NOUNS = (
    "options?|answers?|choices?|alternatives?|responses?|statements?|items?|letters?|possibilities"
    "|alternativas?|opção|opções|respostas?|afirmativas?|afirmação|afirmações|assertivas?|proposição|proposições"
    "|itens|item|letras?|hipóteses"
)
_GIVEN = "(?: (?:above|below|given|listed|provided|mentioned|stated))?"
_OTHERS = (
    rf"(?:above|below|these|those|them|preceding|previous|foregoing|others?|(?:(?:the|these|those|other|above) )*"
    rf"(?:options|answers|choices|alternatives|responses|statements|possibilities)){_GIVEN}"
)
_OUTRAS = (
    "(?: (?:alternativas|opções|respostas|afirmativas|afirmações|assertivas|proposições|itens|hipóteses|anteriores"
    "|acima|outr[ao]s|demais|precedentes|citad[ao]s|mencionad[ao]s|apresentad[ao]s)){1,3}"
)
_DELAS = "(?:dess[ae]s|dest[ae]s|del[ae]s)"

_CORRECT = (
    "(?:are|is|são|é|estão|está)(?: all)? (?:correct|true|right|incorrect|false|wrong|corret[ao]s?|cert[ao]s?"
    "|incorret[ao]s?|errad[ao]s?|verdadeir[ao]s?|fals[ao]s?)"
)

ALL = (
    rf"(?:all(?: two| three| four| five)?|each|every one)(?: of)? (?:the )?{_OTHERS}|every (?:option|answer|choice|one)"
    rf"|all (?:two|three|four|five)|tod[ao]s(?: [ao]s| ess[ae]s| est[ae]s)?{_OUTRAS}|tod[ao]s el[ae]s"
    rf"|(?:all|tod[ao]s) {_CORRECT}"
)
NONE = (
    rf"none(?: of)? (?:the )?{_OTHERS}|no (?:correct |right )?(?:answer|option|choice)(?: given| above)?"
    rf"|(?:none|nenhum[a]?) {_CORRECT}"
    rf"|nenhum[a]? (?:d[ao]s{_OUTRAS}|{_DELAS}|anterior|acima|alternativa|opção|resposta)(?: anterior| acima)?"
    rf"|n ?[dr] ?a|não há (?:alternativa|opção|resposta)"
)
"""Options about all others and about none, as regular expressions of their plain form; ``n.d.a.`` too."""

SUFFIX = (
    "(?: (?:is|are|apply|applies|é|são|estão|está)(?: all)?| equally| about equally)?"
    "(?: (?:a )?(?:correct|true|right|false|incorrect|wrong|apply|corret[ao]s?|cert[ao]s?|verdadeir[ao]s?|fals[ao]s?)"
    "(?: (?:statements?|answers?|options?))?)?"
)
"""May follow an option about others."""

_COUNT = "(?:only |exactly |at least |at most |more than )?(?:any|some|one|two|three|most|several)"
_QUANTAS = (
    "(?:(?:apenas|somente|só|mais de|pelo menos|ao menos|exatamente) )?"
    "(?:algum[ao]?s?|alguns|um[ao]?|duas|dois|três|qualquer(?: um[a]?)?)"
)
_SOME = rf"{_COUNT}(?: one)?(?: of)? (?:the )?{_OTHERS}|{_QUANTAS} (?:d[ao]s{_OUTRAS}|{_DELAS})"
_PLACES = (
    "(?:only |both |either of |neither of )?(?:the )?(?:first|last|above) (?:two|three)"
    "(?: (?:of )?(?:the )?(?:above|options|answers|choices))?"
    "|(?:apenas |somente )?[ao]s (?:duas|dois|três) (?:primeir|últim)[ao]s(?: (?:alternativas|opções|respostas))?"
)
_PAIR = (
    rf"(?:both|either|neither)(?: one)?(?:(?: of)? (?:the )?{_OTHERS})?(?: two)?"
    rf"|amb[ao]s(?: [ao]s)?(?:{_OUTRAS})?|(?:as duas|os dois)(?:{_OUTRAS})?|nenhum[a]? d[ao]s (?:duas|dois)"
)

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ABOUT = f"{ALL}|{NONE}|{_SOME}|{_PAIR}"
_FORMULA = re.compile(r"[{}\[\]^=<>*|\\$]|[+]\d")
_APOSTROPHES = re.compile("['’‘ʼ＇`´]")


def moving(options: Sequence[str], question: str = "") -> tuple[int, ...] | None:
    """The places, in order, of the options that can change places, the others staying last; None where none can.

    *All of the above*, *none of these*, *nenhuma das anteriores* and their like stay where they are, at the end. Where
    one of these stands before another option, where *both* could mean any two of more, and where an option names others
    by letter or number (*A and B*, *option C*), a change of places would change what is said. Roman numerals (*I and II
    only*) name statements where the question lists these; elsewhere they could name options.
    """
    plain = [_plain(option) for option in options]
    listed = _listed(question)
    by_place = any(_matches(_PLACES, option) for option in plain)
    if by_place or any(named_by(option, len(options)) - listed for option in options):
        return None
    about = [place for place, option in enumerate(plain) if _matches(_ABOUT, option)]
    free = tuple(place for place in range(len(plain)) if place not in about)
    if free != tuple(range(len(free))):
        return None
    if len(free) != 2 and any(_matches(_PAIR, plain[place]) for place in about):
        return None
    return free


def is_about_others(option: str) -> bool:
    """Whether it speaks of some others, or of two, without a name: *any of these*, *both*, *as duas primeiras*."""
    return _matches(f"{_SOME}|{_PAIR}|{_PLACES}", _plain(option))


def named_by(option: str, count: int) -> frozenset[str]:
    """The letters and numbers by which it names options or statements, of a question with ``count`` options.

    Letters are those of the options, Roman numerals those to ten; Arabic ones up to ``count``, alone only after a noun
    such as *option*, since *2* and *2–3* are answers of their own. Empty where it says anything else.
    """
    if _FORMULA.search(option) or _matches(_ABOUT, _plain(option)):
        return frozenset()
    words = _plain(option).split()
    letters = frozenset("abcdefghijklmnopqrstuvwxyz"[: min(count, 26)])
    numbers = frozenset(str(number) for number in range(1, count + 1))
    ordinals = _words("ordinal")
    known = _words("joining", "spanning", "telling", "beside")
    names = [place for place, word in enumerate(words) if word in letters or word in numbers or word in _ROMAN]
    names += [place for place, word in enumerate(words) if word in ordinals]
    rest = [word for place, word in enumerate(words) if place not in names]
    if len(words) > 1 and names and all(word in known for word in rest):
        said = frozenset(words[place] for place in names)
        arabic = said <= numbers | ordinals
        joining = _words("joining") if arabic else _words("joining", "spanning")
        joined = len(said) > 1 and any(word in joining for word in words[1:-1])
        telling = [word for word in rest if word in _words("telling")]
        if joined or (telling and (not arabic or any(re.fullmatch(_NOUNS, word) for word in telling))):
            return said
    return frozenset()


def _words(*classes: str) -> frozenset[str]:
    """The words of these classes in the lexicon ``option_words``.

    ``joining``: what joins names; ``spanning``: what joins letters as *and* does, *A to C*, while numbers make a range;
    ``telling``: with it a single letter or numeral names an option; ``beside``: may stand there, too; ``ordinal``:
    names an option by its place.
    """
    return frozenset().union(*(of_class("option_words", of) for of in classes))


def _listed(question: str) -> frozenset[str]:
    """The Roman numerals that name statements in the question: I and II at least, each before or after a sign."""
    found = re.findall(r"(?<![^\W_])([ivx]+)(?=\s*[).:\-–—])|[(]\s*([ivx]+)\s*[)]", question.casefold())
    listed = frozenset(first or second for first, second in found).intersection(_ROMAN)
    return listed if {"i", "ii"} <= listed else frozenset()


def _matches(form: str, plain: str) -> bool:
    return re.fullmatch(f"(?:{form}){SUFFIX}", plain) is not None


def _plain(option: str) -> str:
    """Without case, apostrophes and punctuation, but for separators within numbers; ``&``, ``+``, ``,`` are *and*."""
    text = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", option).casefold())
    text = re.sub(r"(?<=\d)[.,](?=\d)", "\0", text)
    text = re.sub("[&+,;](?=.)", " and ", text)
    return " ".join(re.sub(r"[^\w\0-]|_", " ", text).replace("\0", ".").split())
