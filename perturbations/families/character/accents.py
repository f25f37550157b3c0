"""Accents lost, as by keyboards without them, old systems, or optical character recognition."""

import unicodedata

from perturbations.catalogue import word_level


@word_level(kind="morphology", alphabetic=True, example=("[José PESSOA] não é órgão", "[Jose PESSOA] nao e orgao"))
def accents(word: str) -> tuple[str, ...]:
    """The word without its combining marks; one that is nothing else stays [stage 2, "Accent removal"]."""
    plain = strip_accents(word)
    return (plain,) if plain.strip() else ()


def strip_accents(text: str) -> str:
    """NFKD form of the text less combining marks, and less the white space that NFKD makes of signs such as ``´``.

    White space that is in the text stays as it is.
    """
    if text.isascii():
        return text
    return "".join(char if char.isspace() else _plain(char) for char in text)


def _plain(char: str) -> str:
    return "".join(
        part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part) and not part.isspace()
    )
