"""The audit of ambiguity: questions whose options make it unclear what a wrong answer, or a changed one, says.

It looks at options alone, so that a file without targets can be audited. What it flags is to be looked at before it is
used to judge a model; whether it is wrong, a person says. Options are read with their signs, capitals and order: *x =
–4* is not *x = 4*, nor *mL* *ML*, *x²* *x2*, *Wrong, Not wrong* *Not wrong, Wrong*.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import combinations

from abalo.tasks.choice.flags import USUAL, Flag, Limits, quoted
from abalo.tasks.choice.published import boolean, crowded, meta_option, published, singular
from abalo.tasks.choice.quantities import Quantity, quantities
from perturbations.families.choice.lettering import own_letters, without_letters
from perturbations.families.choice.references import is_about_all, is_about_none, is_about_others, named_by


def audit(options: Sequence[str], limits: Limits = USUAL, *, as_published: bool = False) -> tuple[Flag, ...]:
    """The flags of one question, in the order of `RULES` and then of the options; empty for a clean one.

    ``as_published`` takes the rules of `published` instead.
    """
    if as_published:
        return published(options, limits)
    plain = without_letters(options)
    return (
        *_alike(plain),
        *_meta(plain),
        *boolean(plain, most=1),
        *_crowded(plain, limits),
        *_lettered(options),
    )


def audited(
    items: Mapping[str, Sequence[str]], limits: Limits = USUAL, *, as_published: bool = False
) -> dict[str, tuple[Flag, ...]]:
    """The flags of each question that has any, by id."""
    found = {name: audit(options, limits, as_published=as_published) for name, options in items.items()}
    return {name: flags for name, flags in found.items() if flags}


def _lettered(options: Sequence[str]) -> list[Flag]:
    """Options that begin with the letters of their places, which prompts show again."""
    if own_letters(options) is None:
        return []
    reason = f"every option begins with its own letter or number, as {quoted(options[0])}: prompts show it twice"
    return [Flag("own_letter", tuple(range(len(options))), reason)]


_SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("’‘ʼ´`", "'"), **dict.fromkeys("“”„", '"')})
_SHORT = 3
"""Letters from which on a word is the same with a capital; *Mg* is not *mg*, nor *Bb* *bb*."""
_WORD = re.compile(rf"[^\W\d_]{{{_SHORT},}}")
_BEGINS = re.compile(r"(?:[AIOE]|[^\W\d_][^\W\d_A-Z]+) [^\W\d_]{2,}")


def read(option: str) -> str:
    """The option in Unicode's form C, one kind of dash and of quotation mark, without white space that says nothing.

    That is more than one space, and any beside a sign. A final point goes, and so do capitals that only begin a word of
    three letters or more, or a first word that another one follows. All else stays.
    """
    text = " ".join(unicodedata.normalize("NFC", option).translate(_SIGNS).split())
    text = text.rstrip(".;,:") or text
    if _BEGINS.match(text):
        text = text[0].lower() + text[1:]
    text = _WORD.sub(lambda found: found[0].lower() if found[0].istitle() else found[0], text)
    return re.sub(r" ?([^\w\s]) ?", r"\1", text)


_ARTICLES = frozenset(["the", "a", "an", "o", "os", "as", "um", "uma"])


def said(option: str) -> tuple[str, ...]:
    """The words and signs of an option as it is read, without articles before words, plurals, commas and hyphens."""
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
        both = f"{quoted(options[a])} and {quoted(options[b])}"
        if read(options[a]) == read(options[b]):
            duplicates.append(Flag("duplicate", (a, b), f"{both} are the same"))
        elif said(options[a]) and said(options[a]) == said(options[b]):
            near.append(Flag("near_duplicate", (a, b), f"{both} differ in articles, plurals or commas alone"))
    return duplicates + near


_ROMAN = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])


def _meta(options: Sequence[str]) -> list[Flag]:
    """Options about others or about not knowing; those that name something of the question are none."""
    return [
        Flag("meta_option", (place,), f"{quoted(option)} is {kind}: its meaning hangs on the others")
        for place, option in enumerate(options)
        if (kind := _kind(option, options)) is not None
    ]


def _kind(option: str, options: Sequence[str]) -> str | None:
    if named_by(option, len(options)):
        return "some_of_the_above" if _named(option, options) else None
    if is_about_all(option):
        return "all_of_the_above"
    if is_about_none(option):
        return "none_of_the_above"
    return "some_of_the_above" if is_about_others(option) else meta_option(option)


def _named(option: str, options: Sequence[str]) -> frozenset[str]:
    """The other options that it names.

    None where one of these names some, too, or is not there: letters then name something of the question. Nor where it
    only has Roman numerals, which name statements.
    """
    names = named_by(option, len(options)) - _ROMAN
    places = [ord(name) - ord("a") for name in names if len(name) == 1 and name.isalpha()]
    if any(place >= len(options) or named_by(options[place], len(options)) for place in places):
        return frozenset()
    return names


_MONEY = frozenset(["$", "€", "£", "r$"])
_ERAS = frozenset(["ad", "bc", "ce", "bce", "ac", "dc", "bp"])


def _crowded(options: Sequence[str], limits: Limits) -> list[Flag]:
    """Numbers that are measured and too close; whole ones, sums of money and years are exact, however close."""
    found = quantities(options)
    return [flag for flag in crowded(options, limits) if any(_measured(options[at], found[at]) for at in flag.options)]


def _measured(option: str, quantity: Quantity | None) -> bool:
    if quantity is None:
        return False
    units = quantity.unit.split()
    if not _MONEY.isdisjoint(units) or not _ERAS.isdisjoint(units):
        return False
    whole = quantity.value.denominator == 1 and not re.search(r"\d[.,]\d{1,2}(?!\d)", option)
    return not whole or bool(units and units != ["s"] and units != ["%"])
