"""The ambiguity audit as published [module 3, "Ambiguity Heuristics Fixes"].

Its options are sets of words without case, signs and superscripts; *x = –4* equals *x = 4*. Prefer `audit`, except to
compare with published results.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from abalo.questions.flags import USUAL, Flag, Limits, quote_option
from abalo.questions.quantities import gap, quantities


def published_flags(options: Sequence[str], limits: Limits = USUAL) -> tuple[Flag, ...]:
    """The flags of one question, ordered by rule and option."""
    return (
        *_alike(options, limits),
        *_meta(options),
        *boolean(options, limits.boolean_tokens),
        *crowded_flags(options, limits),
    )


_APOSTROPHES = re.compile("['’‘ʼ＇`´]")
_MEANT = frozenset("%#&*/@")
"""Punctuation with meaning: 10 % is not 10, nor C# C."""


def normalise(text: str) -> str:
    """NFKC text without case, apostrophes and most punctuation: ``don’t`` → ``dont``.

    Keeps signs, digit separators and ``%#&*/@``.
    """
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join("".join(_keep_sign(plain, place) for place in range(len(plain))).split())


def _keep_sign(text: str, place: int) -> str:
    char = text[place]
    if unicodedata.category(char)[0] != "P" or char in _MEANT:
        return char
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if char in ".," and before.isdigit() and after.isdigit():
        return char
    return char if char == "-" and after.isdigit() and not before.isalnum() else " "


def tokens(text: str) -> frozenset[str]:
    """The normalised words as English or Portuguese singulars: ``bodies`` → ``body``, ``boxes`` → ``box``.

    Words of up to three letters stay.
    """
    return frozenset(map(singular, normalise(text).split()))


def singular(word: str) -> str:
    """The word without its plural ending."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    for ending, singular in (("ies", "y"), ("ões", "ão"), ("ães", "ão")):
        if word.endswith(ending):
            return word.removesuffix(ending) + singular
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses", "zzes")) else word[:-1]


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0 to 1; 0 if a side is empty."""
    return len(a & b) / len(a | b) if a and b else 0.0


def _alike(options: Sequence[str], limits: Limits) -> list[Flag]:
    duplicates, near = [], []
    sets = [tokens(option) for option in options]
    plain = [normalise(option) or option.strip() for option in options]
    for a, b in combinations(range(len(options)), 2):
        both = f"{quote_option(options[a])} and {quote_option(options[b])}"
        if plain[a] == plain[b]:
            duplicates.append(Flag("duplicate", (a, b), f"{both} are the same", 1.0, 1.0))
        elif (similarity := jaccard(sets[a], sets[b])) >= limits.jaccard:
            reason = f"{both} share {similarity:.0%} of their words; near from {limits.jaccard:.0%}"
            near.append(Flag("near_duplicate", (a, b), reason, similarity, limits.jaccard))
    return duplicates + near


_OTHERS = "above|these|those|preceding|previous|(?:other )?options"
_OUTRAS = "(?: alternativas| opções| respostas| anteriores| acima| outras){1,2}"
_SUFFIX = "(?: (?:is|are|apply|estão|está)(?: all)?(?: correct| true| right| corretas?| certas?)?)?"

_META: Mapping[str, str] = {
    "all_of_the_above": rf"all(?: of)? (?:the )?(?:{_OTHERS})|todas(?: as| essas| estas)?{_OUTRAS}",
    "none_of_the_above": rf"none(?: of)? (?:the )?(?:{_OTHERS})|nenhuma (?:das{_OUTRAS}|dessas|destas)|n ?d ?a",
    "some_of_the_above": "(?:both |only |as alternativas |as opções )?(?:options? |answers? )?[a-z] (?:and|e) [a-z]"
    "(?: only)?|both(?: of)?(?: the)?(?: above| these)?|ambas(?: as)?(?: alternativas| opções)?(?: anteriores| acima)?"
    "|more than one of the above|mais de uma das anteriores",
    "dont_know": "(?:i )?(?:dont|do not) know|(?:im |i am )?(?:not sure|unsure)|(?:eu )?não sei|não tenho certeza",
    "cannot_tell": "(?:it )?(?:cannot|cant|can not) be (?:determined|known|told|said)"
    "|(?:there is )?not enough information|it depends|depende"
    "|não (?:é possível|se pode) (?:determinar|saber|dizer)|informaç(?:ão|ões) insuficientes?",
}
_META_FORMS = {kind: re.compile(f"(?:{form}){_SUFFIX}") for kind, form in _META.items()}


def meta_option(option: str) -> str | None:
    """The kind of an option about options or not knowing, such as ``dont_know``; else None."""
    plain = normalise(option)
    return next((kind for kind, form in _META_FORMS.items() if form.fullmatch(plain)), None)


def _meta(options: Sequence[str]) -> list[Flag]:
    found = ((place, meta_option(option)) for place, option in enumerate(options))
    return [
        Flag("meta_option", (place,), f"{quote_option(options[place])} is {kind}: its meaning hangs on the others")
        for place, kind in found
        if kind is not None
    ]


_BOOLEAN = frozenset(["yes", "no", "true", "false", "maybe", "sim", "não", "verdadeiro", "falso", "talvez"])


def boolean_like(option: str, most: int = USUAL.boolean_tokens) -> bool:
    """True for up to ``most`` tokens of *yes, no, true, false, maybe* or Portuguese equivalents."""
    words = normalise(option).split()
    return 0 < len(words) <= most and all(word in _BOOLEAN for word in words)


def boolean(options: Sequence[str], most: int) -> list[Flag]:
    """Flags options like *yes* and *no*."""
    places = tuple(place for place, option in enumerate(options) if boolean_like(option, most))
    if not places:
        return []
    named = ", ".join(quote_option(options[place]) for place in places)
    return [Flag("boolean_like", places, f"{named}: an answer of a yes-or-no question")]


def crowded_flags(options: Sequence[str], limits: Limits) -> list[Flag]:
    """Flags neighbouring numbers of one unit that are too close."""
    by_unit: dict[str, list[tuple[Fraction, str, int]]] = defaultdict(list)
    for place, quantity in enumerate(quantities(options)):
        if quantity is not None:
            by_unit[quantity.unit].append((quantity.value, options[place], place))
    flags = []
    for numbers in by_unit.values():
        most = limits.gap_of(len(numbers))
        for (a, _, first), (b, _, second) in pairwise(sorted(numbers)):
            if most is not None and gap(a, b) <= Fraction(str(most)):
                reason = (
                    f"{quote_option(options[first])} and {quote_option(options[second])} are {float(gap(a, b)):.2%} "
                    f"apart, "
                    f"among {len(numbers)} numbers; too close up to {most:.2%}"
                )
                places = (min(first, second), max(first, second))
                flags.append(Flag("numeric_crowding", places, reason, float(gap(a, b)), most))
    return sorted(flags, key=lambda flag: flag.options)
