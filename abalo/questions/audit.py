"""Audit of ambiguity: questions whose options do not separate right from wrong.

Only options are read. Review flagged questions before judging a model by them. Signs, capitals and order matter: *x =
–4* differs from *x = 4*, *mL* from *ML*, and *x²* from *x2*.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import combinations

from abalo.questions.flags import USUAL, Flag, Limits, quote_option
from abalo.questions.published import boolean, crowded_flags, meta_option, published_flags, singular
from abalo.questions.quantities import Quantity, quantities
from perturbations.families.choice.lettering import own_letters, without_letters
from perturbations.families.choice.references import is_about_all, is_about_none, is_about_others, letters_named


def audit(options: Sequence[str], limits: Limits = USUAL, *, as_published: bool = False) -> tuple[Flag, ...]:
    """The flags of one question, ordered by `RULES` and option.

    ``as_published`` applies `published_flags` instead.
    """
    if as_published:
        return published_flags(options, limits)
    plain = without_letters(options)
    return (
        *_alike(plain),
        *_meta(plain),
        *boolean(plain, most=1),
        *_crowded_flags(plain, limits),
        *_lettered_flags(options),
    )


def audit_questions(
    items: Mapping[str, Sequence[str]], limits: Limits = USUAL, *, as_published: bool = False
) -> dict[str, tuple[Flag, ...]]:
    """The flags of flagged questions, by id."""
    found = {name: audit(options, limits, as_published=as_published) for name, options in items.items()}
    return {name: flags for name, flags in found.items() if flags}


def _lettered_flags(options: Sequence[str]) -> list[Flag]:
    if own_letters(options) is None:
        return []
    reason = f"every option begins with its own letter or number, as {quote_option(options[0])}: prompts show it twice"
    return [Flag("own_letter", tuple(range(len(options))), reason)]


_SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("’‘ʼ´`", "'"), **dict.fromkeys("“”„", '"')})
_SHORT = 3
"""Shorter words keep capitals: *Mg* is not *mg*."""
_WORD = re.compile(rf"[^\W\d_]{{{_SHORT},}}")
_BEGINS = re.compile(r"(?:[AIOE]|[^\W\d_][^\W\d_A-Z]+) [^\W\d_]{2,}")


def read(option: str) -> str:
    """The option in Unicode NFC with uniform dashes, quotation marks and spaces.

    Drops final ``.;,:``, and initial capitals of words of three letters or more and of a first word among several.
    """
    text = " ".join(unicodedata.normalize("NFC", option).translate(_SIGNS).split())
    text = text.rstrip(".;,:") or text
    if _BEGINS.match(text):
        text = text[0].lower() + text[1:]
    text = _WORD.sub(lambda found: found[0].lower() if found[0].istitle() else found[0], text)
    return re.sub(r" ?([^\w\s]) ?", r"\1", text)


_ARTICLES = frozenset(["the", "a", "an", "o", "os", "as", "um", "uma"])


def option_words(option: str) -> tuple[str, ...]:
    """The words and signs of an option without articles, plurals, commas and hyphens."""
    parts = re.findall(r"[^\W_]+|[^\w\s]", re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", read(option)))
    following = [*parts[1:], ""][: len(parts)]
    kept = [
        part
        for part, after in zip(parts, following, strict=True)
        if not (part in _ARTICLES and after.isalpha() and len(after) >= _SHORT)
    ]
    return tuple(singular(part) if part.islower() else part for part in kept if part not in (",", ";", "'", '"'))


def _alike(options: Sequence[str]) -> list[Flag]:
    duplicates, near = [], []
    for a, b in combinations(range(len(options)), 2):
        both = f"{quote_option(options[a])} and {quote_option(options[b])}"
        if read(options[a]) == read(options[b]):
            duplicates.append(Flag("duplicate", (a, b), f"{both} are the same"))
        elif option_words(options[a]) and option_words(options[a]) == option_words(options[b]):
            near.append(Flag("near_duplicate", (a, b), f"{both} differ only in articles, plurals or commas"))
    return duplicates + near


_ROMAN = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])


def _meta(options: Sequence[str]) -> list[Flag]:
    return [
        Flag("meta_option", (place,), f"{quote_option(option)} is {kind}: its meaning depends on the others")
        for place, option in enumerate(options)
        if (kind := _kind(option, options)) is not None
    ]


def _kind(option: str, options: Sequence[str]) -> str | None:
    if letters_named(option, len(options)):
        return "some_of_the_above" if _options_named(option, options) else None
    if is_about_all(option):
        return "all_of_the_above"
    if is_about_none(option):
        return "none_of_the_above"
    return "some_of_the_above" if is_about_others(option) else meta_option(option)


def _options_named(option: str, options: Sequence[str]) -> frozenset[str]:
    names = letters_named(option, len(options)) - _ROMAN
    places = [ord(name) - ord("a") for name in names if len(name) == 1 and name.isalpha()]
    if any(place >= len(options) or letters_named(options[place], len(options)) for place in places):
        return frozenset()
    return names


_MONEY = frozenset(["$", "€", "£", "r$"])
_ERAS = frozenset(["ad", "bc", "ce", "bce", "ac", "dc", "bp"])


def _crowded_flags(options: Sequence[str], limits: Limits) -> list[Flag]:
    found = quantities(options)
    return [
        flag
        for flag in crowded_flags(options, limits)
        if any(_is_measured(options[at], found[at]) for at in flag.options)
    ]


def _is_measured(option: str, quantity: Quantity | None) -> bool:
    if quantity is None:
        return False
    units = quantity.unit.split()
    if not _MONEY.isdisjoint(units) or not _ERAS.isdisjoint(units):
        return False
    whole = quantity.value.denominator == 1 and not re.search(r"\d[.,]\d{1,2}(?!\d)", option)
    return not whole or bool(units and units != ["s"] and units != ["%"])
