"""The same text in other code points, as keyboards, word processors and converters write it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.scripts import script_of
from perturbations.text import Edit, Sentence

UnicodeForm = Literal["usual", "nfd", "nfkc", "full_width", "ligatures", "native_digits", "quotes", "dashes"]

_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_NARROW = {wide: code for code, wide in _WIDE.items()}
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}
_LIGATURE = re.compile("|".join(_LIGATURES))

_ZEROS = {
    "ARABIC": 0x660,
    "DEVANAGARI": 0x966,
    "BENGALI": 0x9E6,
    "GURMUKHI": 0xA66,
    "GUJARATI": 0xAE6,
    "TAMIL": 0xBE6,
    "TELUGU": 0xC66,
    "KANNADA": 0xCE6,
    "MALAYALAM": 0xD66,
    "THAI": 0xE50,
    "LAO": 0xED0,
    "MYANMAR": 0x1040,
    "KHMER": 0x17E0,
}
"""The code point of the digit zero, by script."""

_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
_DASHES = str.maketrans("-\u2010\u2011\u2013\u2014", "\u2013----")
_IDEOGRAPHIC = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


@sentence_level(
    title="Unicode forms",
    kind="morphology",
    rate=0.3,
    at_least=1,
    example=("a [Ana PESSOA] é ex-ministra", "a [Ana PESSOA] e\u0301 ex\u2013ministra"),
)
def unicode_form(sentence: Sentence, *, form: UnicodeForm = "usual") -> list[list[Edit]]:
    """Writes a word in another form that readers take for the same.

    * nfd, nfkc: Unicode's decomposed and compatible forms, *e* with a combining accent, *²* as *2*;
    * full_width: ASCII characters as wide as Chinese ones, and wide ones as ASCII;
    * ligatures: *fi*, *fl* and *ff* in one code point;
    * native_digits: digits of the script of the sentence, and those as ASCII digits;
    * quotes, dashes: typographic for straight quotation marks and hyphens, and the reverse;
    * usual: chooses uniformly among what the script of the sentence usually shows: widths in Chinese, Japanese and
      Korean; digits and nfd in scripts with digits of their own; nfd, quotes and dashes in all others.

    Labels hold.
    """
    of_sentence = script_of(sentence.tokens)
    names = _usual(of_sentence) if form == "usual" else (form,)
    sites, opens = [], True  # whether the next straight mark opens
    for i, token in enumerate(sentence.tokens):
        others = dict.fromkeys(_written(token, name, of_sentence, opens=opens) for name in names)
        opens ^= token.count('"') % 2 == 1
        sites.append([Edit(i, i + 1, (new,)) for new in others if new != token])
    return [site for site in sites if site]


def _usual(of_sentence: str) -> Sequence[UnicodeForm]:
    if of_sentence in _IDEOGRAPHIC:
        return ("full_width",)
    return ("native_digits", "nfd") if of_sentence in _ZEROS else ("nfd", "quotes", "dashes")


def _written(token: str, form: UnicodeForm, of_sentence: str, *, opens: bool) -> str:
    if form == "native_digits":
        new = _digits(token, of_sentence)
    else:
        new = _quoted(token, opens=opens) if form == "quotes" else _FORMS[form](token)
    return new if new.strip() and not any(map(str.isspace, new)) else token


def _digits(token: str, of_sentence: str) -> str:
    zero = _ZEROS.get(of_sentence)
    if zero is None:
        return token
    return token.translate({48 + k: zero + k for k in range(10)} | {zero + k: 48 + k for k in range(10)})


def _width(token: str) -> str:
    return token.translate(_WIDE | _NARROW)


def _ligated(token: str) -> str:
    return _LIGATURE.sub(lambda found: _LIGATURES[found[0]], token)


def _quoted(token: str, *, opens: bool) -> str:
    """The token with marks of the other kind; double ones open and close in turn."""
    if any(mark in token for mark in "‘’“”"):
        return token.translate(_STRAIGHT)
    marks = cycle("“”" if opens else "”“")
    return re.sub('"', lambda _: next(marks), token).replace("'", "’")


def _dashed(token: str) -> str:
    return token.translate(_DASHES)


_FORMS: Mapping[str, Callable[[str], str]] = {
    "nfd": lambda token: unicodedata.normalize("NFD", token),
    "nfkc": lambda token: unicodedata.normalize("NFKC", token),
    "full_width": _width,
    "ligatures": _ligated,
    "dashes": _dashed,
}
