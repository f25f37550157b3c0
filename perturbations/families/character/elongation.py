"""Letters held down, as in chats: *sooo good*."""

from perturbations.catalogue import word_level
from perturbations.families.character.accents import strip_accents
from perturbations.graphemes import clusters
from perturbations.scripts import script

_VOWELS = {
    "LATIN": "aeiouy",
    "GREEK": "αεηιουω",
    "CYRILLIC": "аеёиоуыэюяєії",
    "ARABIC": "اوي",
    "HEBREW": "אוי",
}


@word_level(
    kind="pragmatics",
    rate=0.1,
    alphabetic=True,
    scripts=tuple(_VOWELS),
    example=("[Ana PESSOA] é muito boa", "[Anaaa PESSOA] é muitooo boaaaaa"),
)
def elongation(word: str, *, times: tuple[int, ...] = (3, 5)) -> list[str]:
    """Repeats the last vowel of a word, as often as one of ``times`` says, chosen uniformly.

    Vowels are those of the Latin, Greek and Cyrillic scripts, and the long ones of Arabic and Hebrew. Words of one
    letter, and words with digits or signs, stay. Labels hold. Raises ValueError unless all times are 2 or more.
    """
    if not times or min(times) < 2:
        raise ValueError(f"times is {list(times)!r}; expected numbers of 2 or more")
    chars = clusters(word)
    if len(chars) < 2 or not all(char[0].isalpha() for char in chars):
        return []
    last = next((k for k in reversed(range(len(chars))) if _is_vowel(chars[k])), None)
    if last is None:
        return []
    return ["".join((*chars[:last], chars[last] * count, *chars[last + 1 :])) for count in dict.fromkeys(times)]


def _is_vowel(char: str) -> bool:
    return strip_accents(char).lower()[:1] in tuple(_VOWELS.get(script(char[0]), ""))
