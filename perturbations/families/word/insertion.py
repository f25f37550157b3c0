"""Filler between words, as from boilerplate, debris of optical character recognition, or concatenated text."""

from perturbations.catalogue import word_level

FILLERS = ("xxx", "lorem", "teste", "ruido")
"""[stage 2, "Word insertion"]"""


@word_level(place="after", rate=0.1, kind="pragmatics", example=("[Ana Sá PESSOA]", "[Ana xxx Sá PESSOA] lorem"))
def word_insertion(_word: str, *, fillers: tuple[str, ...] = FILLERS) -> tuple[str, ...]:
    """A filler after the word, each equally likely [stage 2, "Word insertion"]."""
    return single_words(fillers, "fillers")


def single_words(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The words; raises ValueError where there is none, or where one is blank or holds white space."""
    if not words or any(word.split() != [word] for word in words):
        raise ValueError(f"{name} is {list(words)!r}; expected words, at least one, without white space")
    return words
