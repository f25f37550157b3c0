"""The audit of ambiguity: questions whose options make it unclear what a wrong answer, or a changed one, says.

It looks at options alone, so that a file without targets can be audited [module 3, "Ambiguity Heuristics Fixes"]. What
it flags is to be looked at before it is used to judge a model; whether it is wrong, a person says.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, ClassVar, Literal, get_args

from abalo.core.configuring import Ranged, Ranges
from abalo.errors import visible
from perturbations.families.choice.references import ALL, NONE, SUFFIX

Rule = Literal["duplicate", "near_duplicate", "meta_option", "boolean_like", "numeric_crowding"]

RULES: tuple[Rule, ...] = get_args(Rule)

CONSERVATIVE_GAP = 0.01
"""Relative gap at which four or more numbers crowd, unless another is asked for [module 3, "Numeric crowding"]."""

GAP_OF_THREE = 0.0015
"""The same for exactly three numbers."""

BUFFERED_GAP_OF_THREE = 0.002
"""The same where a stricter gap than `CONSERVATIVE_GAP` is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Ranged):
    """Limits of the rules about options that are too close.

    ``jaccard`` is the least similarity of near duplicates: shared tokens over all tokens of the two. ``gap`` is the
    greatest relative gap, |a − b| / max(|a|, |b|), at which four or more numbers crowd; it also picks the one for
    three. ``boolean_tokens`` is the most tokens that an option like *yes* has.
    """

    jaccard: float = 0.9
    gap: float = CONSERVATIVE_GAP
    boolean_tokens: int = 2

    ranges: ClassVar[Ranges] = {"jaccard": (0.01, 1), "gap": (0, 1), "boolean_tokens": (1, 10)}

    def gap_of(self, count: int) -> float | None:
        """The gap for ``count`` numbers; None where they are too few to crowd."""
        if count < 3:
            return None
        if count > 3:
            return self.gap
        return GAP_OF_THREE if self.gap >= CONSERVATIVE_GAP else BUFFERED_GAP_OF_THREE


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a question is flagged: the rule, the places of the options concerned, in order, and what they measure.

    ``measured`` is the Jaccard similarity or the relative gap, ``limit`` what it was held against; both None for rules
    without numbers. ``reason`` says it in words.
    """

    rule: Rule
    options: tuple[int, ...]
    reason: str
    measured: float | None = None
    limit: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The flag as plain JSON values."""
        return {**asdict(self), "options": list(self.options)}


def audit(options: Sequence[str], limits: Limits = USUAL) -> tuple[Flag, ...]:
    """The flags of one question, in the order of `RULES` and then of the options; empty for a clean one."""
    return (
        *_alike(options, limits),
        *_meta(options),
        *_boolean(options, limits),
        *_crowded(options, limits),
    )


def audited(items: Mapping[str, Sequence[str]], limits: Limits = USUAL) -> dict[str, tuple[Flag, ...]]:
    """The flags of each question that has any, by id."""
    found = {name: audit(options, limits) for name, options in items.items()}
    return {name: flags for name, flags in found.items() if flags}


_APOSTROPHES = re.compile("['’‘ʼ＇`´]")
_MEANT = frozenset("%#&*/@")
"""Punctuation to Unicode, but part of what an option says: 10 % is not 10, nor C# C."""


def normalised(text: str) -> str:
    """NFKC form without case and apostrophes, one space for other punctuation, underscores too; ``don’t`` → ``dont``.

    What is part of a number or a name stays: signs and separators of digits, and ``%#&*/@``.
    """
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join("".join(_kept(plain, place) for place in range(len(plain))).split())


def _kept(text: str, place: int) -> str:
    char = text[place]
    if unicodedata.category(char)[0] != "P" or char in _MEANT:
        return char
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if char in ".," and before.isdigit() and after.isdigit():
        return char
    return char if char == "-" and after.isdigit() and not before.isalnum() else " "


def tokens(text: str) -> frozenset[str]:
    """The normalised words, plurals made singular: ``words`` → ``word``, ``bodies`` → ``body``, ``boxes`` → ``box``.

    Portuguese ones in ``-ões`` and ``-ães`` too. Words of three letters or fewer stay as they are.
    """
    return frozenset(map(_singular, normalised(text).split()))


def _singular(word: str) -> str:
    if len(word) <= 3 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    for ending, singular in (("ies", "y"), ("ões", "ão"), ("ães", "ão")):
        if word.endswith(ending):
            return word.removesuffix(ending) + singular
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses", "zzes")) else word[:-1]


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0 to 1; 0 where either has none."""
    return len(a & b) / len(a | b) if a and b else 0.0


def _alike(options: Sequence[str], limits: Limits) -> list[Flag]:
    duplicates, near = [], []
    sets = [tokens(option) for option in options]
    plain = [normalised(option) or option.strip() for option in options]
    for a, b in combinations(range(len(options)), 2):
        both = f"{_quoted(options[a])} and {_quoted(options[b])}"
        if plain[a] == plain[b]:
            duplicates.append(Flag("duplicate", (a, b), f"{both} are the same", 1.0, 1.0))
        elif (similarity := jaccard(sets[a], sets[b])) >= limits.jaccard:
            reason = f"{both} share {similarity:.0%} of their words; near from {limits.jaccard:.0%}"
            near.append(Flag("near_duplicate", (a, b), reason, similarity, limits.jaccard))
    return duplicates + near


_META: Mapping[str, str] = {
    "all_of_the_above": ALL,
    "none_of_the_above": NONE,
    "some_of_the_above": "(?:both |only |as alternativas |as opções )?(?:options? |answers? )?[a-z] (?:and|e) [a-z]"
    "(?: only)?|both(?: of)?(?: the)?(?: above| these)?|ambas(?: as)?(?: alternativas| opções)?(?: anteriores| acima)?"
    "|more than one of the above|mais de uma das anteriores",
    "dont_know": "(?:i )?(?:dont|do not) know|(?:im |i am )?(?:not sure|unsure)|(?:eu )?não sei|não tenho certeza",
    "cannot_tell": "(?:it )?(?:cannot|cant|can not) be (?:determined|known|told|said)"
    "|(?:there is )?not enough information|it depends|depende"
    "|não (?:é possível|se pode) (?:determinar|saber|dizer)|informaç(?:ão|ões) insuficientes?",
}
_META_FORMS = {kind: re.compile(f"(?:{form}){SUFFIX}") for kind, form in _META.items()}


def meta_option(option: str) -> str | None:
    """Which kind of option about other options or about not knowing it is, such as ``dont_know``; else None."""
    plain = normalised(option)
    return next((kind for kind, form in _META_FORMS.items() if form.fullmatch(plain)), None)


def _meta(options: Sequence[str]) -> list[Flag]:
    found = ((place, meta_option(option)) for place, option in enumerate(options))
    return [
        Flag("meta_option", (place,), f"{_quoted(options[place])} is {kind}: its meaning hangs on the others")
        for place, kind in found
        if kind is not None
    ]


_BOOLEAN = frozenset(["yes", "no", "true", "false", "maybe", "sim", "não", "verdadeiro", "falso", "talvez"])


def boolean_like(option: str, most: int = USUAL.boolean_tokens) -> bool:
    """Whether it holds only *yes, no, true, false, maybe*, or the same in Portuguese, in at most ``most`` tokens."""
    words = normalised(option).split()
    return 0 < len(words) <= most and all(word in _BOOLEAN for word in words)


def _boolean(options: Sequence[str], limits: Limits) -> list[Flag]:
    places = tuple(place for place, option in enumerate(options) if boolean_like(option, limits.boolean_tokens))
    if not places:
        return []
    quoted = ", ".join(_quoted(options[place]) for place in places)
    return [Flag("boolean_like", places, f"{quoted}: an answer of a yes-or-no question")]


_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?P<currency>(?:[$€£]|r\$)?) ?(?P<digits>\d(?:[\d.,]{0,30}\d)?)(?P<power>e[-+]?\d{1,2})?"
    r" ?(?P<unit>[^\W\d](?:[^\W\d]|[/°%·-]){0,20}[23]?(?: (?:[^\W\d]|[/-]){1,20})?|%|°(?: ?[cf])?)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_MILHARES = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit, empty where it has none."""

    value: Fraction
    unit: str


def quantities(options: Sequence[str]) -> list[Quantity | None]:
    """The options as quantities; None for one that is not a number with at most a unit.

    A comma before three digits groups thousands, any other is a decimal one; a point is decimal. Where one of the
    options can only be read the other way round (``1.234.567``, ``1.234,5``), all are.
    """
    found = [_NUMBER.fullmatch(_minus(option)) for option in options]
    digits = [match["digits"] for match in found if match]
    turned = any(_MILHARES.fullmatch(text) and ("," in text or text.count(".") > 1) for text in digits)
    return [_quantity(match, turned) if match else None for match in found]


def _minus(option: str) -> str:
    plain = unicodedata.normalize("NFC", option).casefold()
    return " ".join(plain.replace("\u2212", "-").replace("\u2013", "-").split()).rstrip(".")


def _quantity(match: re.Match[str], turned: bool) -> Quantity | None:
    text = match["digits"]
    if turned:
        text = text.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    else:
        text = text.replace(",", ".")
    if text.count(".") > 1:
        return None
    value = Fraction(f"{match['sign']}{text}{match['power'] or ''}")
    return Quantity(value, " ".join(part for part in (match["currency"], match["unit"]) if part))


def gap(a: Fraction, b: Fraction) -> Fraction:
    """The relative gap |a − b| / max(|a|, |b|), 0 to 2; 0 for two zeros."""
    return abs(a - b) / max(abs(a), abs(b)) if a != b else Fraction(0)


def _crowded(options: Sequence[str], limits: Limits) -> list[Flag]:
    """A flag for each two neighbours in size, among the numbers of one unit, that are too close."""
    by_unit: dict[str, list[tuple[Fraction, int]]] = defaultdict(list)
    for place, quantity in enumerate(quantities(options)):
        if quantity is not None:
            by_unit[quantity.unit].append((quantity.value, place))
    flags = []
    for numbers in by_unit.values():
        most = limits.gap_of(len(numbers))
        for (a, first), (b, second) in pairwise(sorted(numbers)):
            if most is not None and gap(a, b) <= Fraction(str(most)):
                reason = (
                    f"{_quoted(options[first])} and {_quoted(options[second])} are {float(gap(a, b)):.2%} apart, "
                    f"among {len(numbers)} numbers; too close up to {most:.2%}"
                )
                places = (min(first, second), max(first, second))
                flags.append(Flag("numeric_crowding", places, reason, float(gap(a, b)), most))
    return sorted(flags, key=lambda flag: flag.options)


def _quoted(option: str) -> str:
    plain = visible(option)
    return repr(plain if len(plain) <= 60 else f"{plain[:59]}…")
