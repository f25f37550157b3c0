"""Counts of constructions that make prose hard to read, per 1,000 words.

They are a thermometer: good pages of other projects have 0.8 to 1.8 of them. A page can have none and be bad, so read
aloud what they mark.
"""

import re

PATTERNS = {
    "that of, those of": r"\b(?:that|those) of\b",
    "of which, whose": r"\b(?:of which|of whom|whose|of what)\b",
    "Of, Where, By … first": r"(?:(?<=\. )|(?<=\n)|^)(?:Of|Where|By|From|With|Without|Under|Beside|Behind)\b [a-z]",
    "none where": r"\b(?:none|nothing|None|empty) (?:where|for|in|of|without)\b",
    "but for, alone, so that": r"\b(?:but for|alone\b|whatever|as long as|so that|of its own|of their own|one of its|"
    r"as it stands|as they stand|by itself|by themselves)\b",
    "there is, there are": r"\b(?:there is|there are|is there|are there)\b",
}
"""The constructions, each with a pattern."""

_NO_PROSE = (
    (r"(?s)```.*?```", ""),
    (r"(?s)<!--.*?-->", ""),
    (r"(?m)^\|.*$", ""),
    (r"``?[^`]*``?", "X"),
    (r"\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"<[^>]+>", ""),
    (r"(?m)^(?:\.\. |:|#|=+$|-+$).*$", ""),
)


def plain(page: str) -> str:
    """The prose of a page: no code, tables, headings, targets of links or tags."""
    for pattern, by in _NO_PROSE:
        page = re.sub(pattern, by, page)
    return page


def words(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"[A-Za-z']+", text)


def sentences(text: str) -> list[str]:
    """The sentences of a prose text; a list item is one too."""
    parts = re.split(r"(?<=[.!?:;])\s+|\n\n+|\n(?=\s*(?:[*-]|\d+\.) )", text)
    return [" ".join(each.split()) for each in parts if len(words(each)) > 2]


def rate(pages: list[str]) -> float:
    """How many of the constructions the prose of the pages has per 1,000 words, all kinds together."""
    text = plain("\n\n".join(pages))
    found = sum(len(re.findall(pattern, text, re.MULTILINE)) for pattern in PATTERNS.values())
    return 1000 * found / max(1, len(words(text)))


def marked(pages: list[str]) -> list[str]:
    """The sentences with such a construction, worst first."""
    scored = [
        (sum(len(re.findall(pattern, each, re.MULTILINE)) for pattern in PATTERNS.values()), each)
        for each in sentences(plain("\n\n".join(pages)))
    ]
    return [each for score, each in sorted(scored, key=lambda one: -one[0]) if score]
