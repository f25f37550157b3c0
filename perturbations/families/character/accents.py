"""Accents lost, as by keyboards without them, old systems, or optical character recognition."""

import re
import unicodedata
from functools import lru_cache

from perturbations.catalogue import word_level
from perturbations.graphemes import clusters
from perturbations.scripts import script

_POINTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""Stress marks, the points and cantillation of Hebrew, the vowel points of Arabic."""


@word_level(
    kind="morphology",
    alphabetic=True,
    scripts=("LATIN", "GREEK", "ARABIC", "HEBREW"),
    example=("[José PESSOA] não é órgão", "[Jose PESSOA] nao e orgao"),
)
def accents(word: str) -> tuple[str, ...]:
    """Removes the accents of a word, unless nothing is left of it [stage 2, "Accent removal"].

    Latin and Greek letters lose their marks, and *º* and *ª* become *o* and *a*. Arabic and Hebrew words lose their
    vowel points, words in other scripts their stress marks. Letters that are distinct in their alphabet stay: Cyrillic
    *й* and *ї*, Japanese *が*. So do viramas and tone marks.
    """
    plain = strip_accents(word)
    return (plain,) if plain.strip() else ()


def strip_accents(text: str) -> str:
    """The text without accents and points: NFKD form less combining marks, but for letters that are their own.

    The white space that NFKD makes of signs such as ``´`` goes, too. White space that is in the text stays as it is.
    """
    if text.isascii():
        return text
    return "".join(char if char.isspace() else _plain(char) for char in clusters(text))


@lru_cache(2**12)
def _plain(char: str) -> str:
    """A character with its marks without accents."""
    parts = unicodedata.normalize("NFKD", char)
    if parts[0].isalpha() and script(parts[0]) not in ("LATIN", "GREEK"):
        # A mark that does not melt with its letter is none of its parts.
        whole = len(unicodedata.normalize("NFC", char)) == 1
        return char if whole else "".join(part for part in char if not _POINTS.match(part))
    return "".join(part for part in parts if not unicodedata.combining(part) and not part.isspace())
