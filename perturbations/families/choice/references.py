"""Options that refer to others of their question, and which options can change places without a change of meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_OTHERS = "above|these|those|preceding|previous|(?:other )?options"
_OUTRAS = "(?: alternativas| opções| respostas| anteriores| acima| outras){1,2}"

ALL = rf"all(?: of)? (?:the )?(?:{_OTHERS})|todas(?: as| essas| estas)?{_OUTRAS}"
NONE = rf"none(?: of)? (?:the )?(?:{_OTHERS})|nenhuma (?:das{_OUTRAS}|dessas|destas)|n ?d ?a"
"""Options about all others and about none, as regular expressions of their plain form; ``n.d.a.`` too."""

SUFFIX = "(?: (?:is|are|apply|estão|está)(?: all)?(?: correct| true| right| corretas?| certas?)?)?"
"""May follow an option about others."""

_SOME = (
    rf"(?:any|some|one|two|three|most|more than one|at least one|only one)(?: of)? (?:the )?(?:{_OTHERS})"
    rf"|(?:algumas?|uma|duas|três|mais de uma|pelo menos uma|apenas uma|somente uma|qualquer uma) das{_OUTRAS}"
)
_PAIR = (
    rf"(?:both|either|neither)(?:(?: of)? (?:the )?(?:{_OTHERS}))?|ambas(?: as)?(?:{_OUTRAS})?|as duas(?:{_OUTRAS})?"
)

_NOUN = (
    "(?:options?|answers?|choices?|alternatives?|statements?|items?|letters?"
    "|alternativas?|opção|opções|respostas?|afirmativas?|afirmações|proposições|itens|item|letras?)"
)
_ONE_NOUN = "(?:option|answer|choice|alternative|letter|alternativa|opção|resposta|letra)"
_ONLY = "(?:only|just|apenas|somente|só)"
_JOINED = " (?:(?:and|or|nor|e|ou|nem|as well as) )+"
_ROMAN = "(?:i{1,3}|iv|vi{0,3}|ix|x)"
_EXCEPT = (
    rf"(?:all|any|todas?)(?: of)?(?: the| these| as)?(?: (?:{_OTHERS}))?(?:{_OUTRAS})? (?:except|but|exceto|menos)"
)

_APOSTROPHES = re.compile("['’‘ʼ＇`´]")


def moving(options: Sequence[str]) -> tuple[int, ...] | None:
    """The places, in order, of the options that can change places, the others staying last; None where none can.

    *All of the above*, *none of these*, *nenhuma das anteriores* and their like stay where they are, at the end. Where
    one of these stands before another option, where *both* could mean any two of more, and where an option names others
    by letter or number (*A and B*, *I and II only*, *option C*), a change of places would change what is said.
    """
    plain = [_plain(option) for option in options]
    if any(names_others(option, len(options)) for option in options):
        return None
    about = [place for place, option in enumerate(plain) if _matches(f"{ALL}|{NONE}|{_SOME}|{_PAIR}", option)]
    free = tuple(place for place in range(len(plain)) if place not in about)
    if free != tuple(range(len(free))):
        return None
    if len(free) != 2 and any(_matches(_PAIR, plain[place]) for place in about):
        return None
    return free


def names_others(option: str, count: int) -> bool:
    """Whether it names options or statements by letter or number, of a question with ``count`` options.

    Letters are those of the options, Roman numerals those to ten; Arabic ones up to ``count`` only with *and* between
    them, since *2* and *2–3* are answers of their own.
    """
    letter = f"[a-{chr(ord('a') + min(count, 26) - 1)}]"
    number = "(?:" + "|".join(map(str, range(count, 0, -1))) + ")"
    one = f"(?:{letter}|{_ROMAN})"
    several = f"{one}(?:{_JOINED}{one})+"
    forms = (
        rf"(?:(?:both|either|neither|{_ONLY}|ambas) )?(?:the |as |os )?(?:{_NOUN} )?{several}(?: {_ONLY})?",
        rf"(?:{_ONLY} )?(?:the |as |os )?(?:{_NOUN} )?{number}(?: (?:(?:and|e) )+{number})+(?: {_ONLY})?",
        rf"{_ONLY} (?:the |a |o )?(?:{_NOUN} )?{one}|(?:{_NOUN} )?{one} (?:{_ONLY}|alone)",
        rf"(?:the |a )?(?:same as )?{_ONE_NOUN} (?:{one}|{number})",
        rf"{_EXCEPT}(?: {_NOUN})? (?:{one}|{number})(?:{_JOINED}(?:{one}|{number}))*",
    )
    return _matches("|".join(forms), _plain(option))


def _matches(form: str, plain: str) -> bool:
    return re.fullmatch(f"(?:{form}){SUFFIX}", plain) is not None


def _plain(option: str) -> str:
    """Without case, apostrophes and punctuation, but for separators within numbers; ``&``, ``+``, ``,`` are *and*."""
    text = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", option).casefold())
    text = re.sub(r"(?<=\d)[.,](?=\d)", "\0", text)
    text = re.sub("[&+,;](?=.)", " and ", text)
    return " ".join(re.sub(r"[^\w\0-]|_", " ", text).replace("\0", ".").split())
