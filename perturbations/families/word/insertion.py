"""Filler between words, as people type it, or as boilerplate and concatenated text leave it."""

from perturbations.catalogue import word_level
from perturbations.languages import ANY, language_named

FILLERS = ("xxx", "lorem")
"""Fillers for text in a language that has none of its own."""


@word_level(
    place="after",
    rate=0.1,
    kind="pragmatics",
    knows=("fillers",),
    scripts=("LATIN",),
    example=("[Ana Sá PESSOA]", "[Ana xxx Sá PESSOA] lorem"),
)
def word_insertion(_word: str, *, fillers: tuple[str, ...] | None = None, language: str = "pt") -> tuple[str, ...]:
    """Inserts a filler after a word, chosen uniformly [stage 2, "Word insertion"].

    ``fillers`` default to those of the ``language``: *xxx*, *lorem*, *teste* and *ruido* in Portuguese, *um*, *uh*,
    *hmm* and *anyway* in English, *xxx* and *lorem* for "any". Text in another than Latin script needs ``fillers``
    or a language that has some. Raises ValueError if a filler is not a word.
    """
    return fillers_of(language) if fillers is None else single_words(fillers, "fillers")


def fillers_of(language: str) -> tuple[str, ...]:
    """Words without content in the language; in one without fillers of its own, or any, words of no language."""
    return (() if language == ANY else language_named(language).fillers) or FILLERS


def single_words(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The words; raises ValueError where there is none, or where one is blank or holds white space."""
    if not words or any(word.split() != [word] for word in words):
        raise ValueError(f"{name} is {list(words)!r}; expected words, at least one, without white space")
    return words
