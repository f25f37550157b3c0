"""Options that refer to others of their question, and which options can change places without a change of meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from perturbations.families.choice.lettering import without_letters
from perturbations.lexicons import of_class

_NOUNS = (
    "options?|answers?|choices?|alternatives?|responses?|statements?|items?|letters?|possibilities"
    "|alternativas?|opção|opções|respostas?|afirmativas?|afirmação|afirmações|assertivas?|proposição|proposições"
    "|itens|item|letras?|hipóteses"
)
_GIVEN = "(?: (?:above|below|given|listed|provided|mentioned|stated)){0,2}"
_OTHERS = (
    rf"(?:above|below|these|those|them|preceding|previous|foregoing|following|others?"
    rf"|(?:(?:the|these|those|other|above|listed|given|preceding|previous|following|remaining) )*"
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

_ALL = (
    rf"(?:all(?: two| three| four| five)?|each|every one)(?: of)? (?:the )?{_OTHERS}|every (?:option|answer|choice|one)"
    rf"|all (?:two|three|four|five)|tod[ao]s(?: [ao]s| ess[ae]s| est[ae]s)?{_OUTRAS}|tod[ao]s el[ae]s"
    rf"|(?:all|tod[ao]s) {_CORRECT}|everything above|tudo acima"
)
_NONE = (
    rf"(?:none|not any)(?: of)? (?:the )?{_OTHERS}"
    rf"|(?:there is )?no (?:correct |right )?(?:answer|option|choice)(?: given| above)?"
    rf"|(?:none|nenhum[a]?) {_CORRECT}|not (?:listed|given)(?: above| here)?"
    rf"|nenhum[a]? (?:d[ao]s{_OUTRAS}|{_DELAS}|anterior|acima|alternativa|opção|resposta)(?: anterior| acima)?"
    rf"|n ?[dr] ?a|não há (?:alternativa|opção|resposta)"
)
"""Options about all others and about none, as regular expressions of their plain form; ``n.d.a.`` too."""

_SUFFIX = (
    "(?: (?:is|are|apply|applies|é|são|estão|está)(?: all)?| equally| about equally)?"
    "(?: (?:a )?(?:correct|true|right|false|incorrect|wrong|apply|corret[ao]s?|cert[ao]s?|verdadeir[ao]s?|fals[ao]s?)"
    "(?: (?:statements?|answers?|options?))?)?"
)
"""May follow an option about others."""

_COUNT = "(?:only |exactly |at least |at most |more than |any )?(?:any|some|one|two|three|most|several)"
_QUANTAS = (
    "(?:(?:apenas|somente|só|mais de|pelo menos|ao menos|exatamente) )?"
    "(?:algum[ao]?s?|alguns|um[ao]?|duas|dois|três|qualquer(?: um[a]?)?)"
)
_SOME = rf"{_COUNT}(?: one)?(?: of)? (?:the )?{_OTHERS}|{_QUANTAS} (?:d[ao]s{_OUTRAS}|{_DELAS})"
_ONE = "(?:one|option|answer|choice|statement)"
_PLACES = (
    rf"(?:(?:the|both) )?(?:previous|preceding) (?:(?:two|three) )?{_ONE}s?"
    rf"|the {_ONE} (?:above|below|before)|the (?:former|latter)"
    "|[ao] (?:anterior|acima)|(?:[ao] )?(?:alternativa|opção|resposta|afirmativa) (?:anterior|acima)|"
    "(?:only |both |either of |neither of )?(?:the )?(?:first|last|above) (?:two|three)"
    "(?: (?:of )?(?:the )?(?:above|options|answers|choices))?"
    "|(?:apenas |somente )?[ao]s (?:duas|dois|três) (?:primeir|últim)[ao]s(?: (?:alternativas|opções|respostas))?"
)
_PAIR = (
    rf"(?:both|either|neither)(?: one)?(?:(?: of)? (?:the )?(?:two )?{_OTHERS}| of the two)?(?: two)?"
    rf"|amb[ao]s(?: [ao]s)?(?:{_OUTRAS})?|(?:as duas|os dois)(?:{_OUTRAS})?|nenhum[a]? d[ao]s (?:duas|dois)"
)

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ABOUT = f"{_ALL}|{_NONE}|{_SOME}|{_PAIR}"
_TAIL = "(?: (?:is|are|may|can|could|would|do|does|works?|é|são|pode|podem)(?: \\w+){0,3})?"
"""May follow an option about others, too, or say something of its own: *either may be used*."""
_BARE = "all|any|none|everything|tod[ao]s|nenhum[a]?|qualquer(?: um[a]?)?"
_SPELT = {"NOTA": "none of the above", "AOTA": "all of the above"}
_FORMULA = re.compile(r"[{}\[\]^=<>*|\\$]|[+]\d")
_APOSTROPHES = re.compile("['’‘ʼ＇`´]")


def moving(options: Sequence[str], question: str = "") -> tuple[int, ...] | None:
    """The places, in order, of the options that can change places, the others staying last; None where none can.

    *All of the above*, *none of these*, *nenhuma das anteriores* and their like stay where they are, at the end. Where
    one of these stands before another option, where *both* could mean any two of more, and where an option names others
    by letter or number (*A and B*, *option C*), a change of places would change what is said. Roman numerals (*I and II
    only*) name statements where the question lists these; elsewhere they could name options. Letters of their own at
    the beginning of all options are not looked at.
    """
    options = without_letters(options)
    plain = [_plain(option) for option in options]
    listed = _listed_numerals(question)
    by_place = any(_matches(_PLACES, option) for option in plain)
    letters = any(len(option) == 1 and option.isalpha() for option in plain)  # answers of their own, as blood groups
    names = [letters_named(option, len(options)) for option in options if not (letters and _is_compound(option))]
    if by_place or any(named - listed for named in names):
        return None
    about = [place for place, option in enumerate(plain) if _matches(f"(?:{_ABOUT}){_TAIL}", option)]
    last = len(plain) - 1
    if last not in about and _matches(f"(?:{_BARE}){_TAIL}", plain[last]):
        about.append(last)
    free = tuple(place for place in range(len(plain)) if place not in about)
    if free != tuple(range(len(free))):
        return None
    if len(free) != 2 and any(_matches(f"(?:{_PAIR}){_TAIL}", plain[place]) for place in about):
        return None
    return free


def is_about_all(option: str) -> bool:
    """Whether it speaks of all others: *all of the above*, *todas elas*."""
    return _matches(_ALL, _plain(option))


def is_about_none(option: str) -> bool:
    """Whether it denies all others: *none of these*, *nenhuma das anteriores*, *n.d.a.*."""
    return _matches(_NONE, _plain(option))


def is_about_others(option: str) -> bool:
    """Whether it speaks of some others, or of two, without a name: *any of these*, *both*, *as duas primeiras*."""
    return _matches(f"{_SOME}|{_PAIR}|{_PLACES}", _plain(option))


def letters_named(option: str, count: int) -> frozenset[str]:
    """The letters and numbers by which it names options or statements, of a question with ``count`` options.

    Letters are those of the options, and at least A to E; Roman numerals those to ten; Arabic ones up to ``count``,
    alone only after a noun such as *option*, since *2* and *2–3* are answers of their own. Empty where it says anything
    else.
    """
    if _is_compound(option):
        return frozenset(option.casefold()) & frozenset("abcdefgh"[:count])
    if _FORMULA.search(option) or _matches(_ABOUT, _plain(option)):
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
        if joined or (telling and (not arabic or any(re.fullmatch(_NOUNS, word) for word in telling))):
            return said
    return frozenset()


def _is_small_word(words: Sequence[str], place: int) -> bool:
    """Whether it is the *e* between two others, or the *a* before a noun, and no name."""
    between = 0 < place < len(words) - 1
    noun = place + 1 < len(words) and re.fullmatch(_NOUNS, words[place + 1]) is not None
    return (words[place] == "e" and between) or (words[place] == "a" and noun)


def _is_compound(option: str) -> bool:
    """Whether it is capital letters alone, with white space, a stroke or a dash between: *A/C*, *A B*, *A-C*."""
    return re.fullmatch(r"[A-H](?:(?: ?[/–-] ?| )[A-H])+", option.strip().rstrip(".")) is not None


@cache
def _words(*classes: str) -> frozenset[str]:
    """The words of these classes in the lexicon ``option_words``.

    ``joining``: what joins names; ``spanning``: what joins letters as *and* does, *A to C*, while numbers make a range;
    ``telling``: with it a single letter or numeral names an option; ``beside``: may stand there, too; ``ordinal``:
    names an option by its place.
    """
    return frozenset().union(*(of_class("option_words", of) for of in classes))


def _listed_numerals(question: str) -> frozenset[str]:
    """The Roman numerals that name statements in the question: I and II at least, each before or after a sign."""
    found = re.findall(r"(?<![^\W_])([ivx]+)(?=\s*[).:\-–—])|[(]\s*([ivx]+)\s*[)]", question.casefold())
    listed = frozenset(first or second for first, second in found).intersection(_ROMAN)
    return listed if {"i", "ii"} <= listed else frozenset()


def _matches(form: str, plain: str) -> bool:
    return re.fullmatch(f"(?:{form}){_SUFFIX}", plain) is not None


def _plain(option: str) -> str:
    """Without case, apostrophes and punctuation, but for separators within numbers; ``&``, ``+``, ``,`` are *and*."""
    spelt = re.sub(r"\b(NOTA|AOTA)\b", lambda found: _SPELT[found[0]], unicodedata.normalize("NFKC", option))
    text = _APOSTROPHES.sub("", spelt.casefold())
    text = re.sub(r"(?<=\d)[.,](?=\d)", "\0", text)
    text = re.sub("[&+,;](?=.)", " and ", text)
    return " ".join(re.sub(r"[^\w\0-]|_", " ", text).replace("\0", ".").split())
