"""Places in English sentences where any word of a class and form could stand, by gold parts of speech."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from perturbations.languages.tagged import TaggedWords
from perturbations.lexicons import of_class, pairs, rows

_POSSESSIVES = frozenset(["my", "your", "his", "her", "its", "our", "their"])
_BEFORE_ONE = frozenset(["a", "an", "this", "that", "each", "every", "another", "either", "neither"])
_BEFORE_ANY = frozenset(["the", "some", "any", "no", "these", "those"]) | _POSSESSIVES
BEFORE_VERBS = of_class("grammar_words_en", "before-verb")
BEFORE_CLAUSES = frozenset(["that", "to", "whether", "if"])

_AFTER_NOUNS = frozenset(["VERB", "AUX", "PUNCT", "ADP", "CCONJ", "ADV"])
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re", "'m"])
_PARTICLES = frozenset(
    ["up", "down", "out", "off", "away", "back", "in", "on", "over", "through", "around", "together"]
)
_FINAL_ADVERBS = of_class("grammar_words_en", "final-adverb")


def form_at(sentence: TaggedWords, place: int, pos: str) -> str | None:
    """The form that a word of this class must have to stand there; None where not every such word could."""
    if sentence.touches(place, "-", "/"):
        return None
    return {"NOUN": _noun, "VERB": _verb, "ADJ": _adjective, "ADV": _adverb}[pos](sentence, place)


def _noun(sentence: TaggedWords, place: int) -> str | None:
    word, before = sentence.word(place), sentence.word(place - 1)
    if word in _kept_words("NOUN") or sentence.tag(place + 1) not in _AFTER_NOUNS:
        return None
    if _is_plural(word):
        return "plural" if before not in _BEFORE_ONE else None
    if sentence.tag(place - 1) == "ADJ":
        before = sentence.word(place - 2)
    return "singular" if before in _BEFORE_ONE | _POSSESSIVES | {"the"} else None


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" and not word.endswith("ics")


def _verb(sentence: TaggedWords, place: int) -> str | None:
    word = sentence.word(place)
    found = _forms().get(word)
    if found is None:
        return None
    form, base = found
    if base in _kept_words("VERB"):
        return None
    before = next((i for i in range(place - 1, -1, -1) if sentence.tag(i) not in ("ADV", "PART")), -1)
    if form == "past" and sentence.word(before) in _BE:
        return form if is_passive(sentence, place) else None
    return form if takes_object(sentence, place) else None


def is_passive(sentence: TaggedWords, place: int) -> bool:
    """Whether a form of *be* stands before the participle, and behind it nothing that only some verbs have."""
    before = next((i for i in range(place - 1, -1, -1) if sentence.tag(i) not in ("ADV", "PART")), -1)
    ends = sentence.tag(place + 1) == "PUNCT" or sentence.word(place + 1) in (".", ",", "by", "in", "at", "during")
    return sentence.word(before) in _BE and ends and not sentence.verb_follows(place)


def takes_object(sentence: TaggedWords, place: int) -> bool:
    """Whether a noun phrase follows the verb, with no clause, second object or particle behind it."""
    if sentence.word(place + 1) not in _BEFORE_ONE | _BEFORE_ANY:
        return False
    if sentence.tag(place + 1) not in ("DET", "PRON", "") or sentence.tag(place + 2) not in ("NOUN", "ADJ", ""):
        return False
    stop = place + 2
    while sentence.tag(stop) in ("NOUN", "ADJ"):
        stop += 1
    if sentence.word(stop) in _PARTICLES and sentence.tag(stop + 1) != "DET":
        return False
    return sentence.tag(stop) in ("PUNCT", "ADP", "CCONJ", "")


@cache
def _forms() -> Mapping[str, tuple[str, str]]:
    """Forms of verbs with what each is and its base; without those that are several, such as *put*."""
    found: dict[str, tuple[str, str] | None] = {}
    for base, cell in pairs("verbs_en").items():
        third, past, participle, progressive = cell.split("|")
        forms = [(base, "base"), (third, "third"), (past, "past"), (participle, "past"), (progressive, "progressive")]
        for word, form in dict.fromkeys(forms):
            found[word] = None if word in found else (form, base)
    return MappingProxyType({word: each for word, each in found.items() if each is not None})


def _adjective(sentence: TaggedWords, place: int) -> str | None:
    word = sentence.word(place)
    if word in _kept_words("ADJ") or word.endswith(("er", "est", "st", "nd", "rd", "th")):
        return None
    if sentence.tag(place + 1) != "NOUN" or sentence.touches(place + 1, "-"):
        return None
    return "positive" if sentence.tag(place - 1) in ("DET", "ADP", "VERB", "PRON", "PUNCT", "CCONJ") else None


def _adverb(sentence: TaggedWords, place: int) -> str | None:
    word = sentence.word(place)
    if word in _kept_words("ADV") or not (word.endswith("ly") or word in _FINAL_ADVERBS):
        return None
    if sentence.tag(place - 1) == "VERB" and sentence.tag(place + 1) in ("ADP", "CCONJ"):
        return "final"
    verb_before = any(sentence.tag(i) == "VERB" for i in range(max(0, place - 4), place))
    ends = sentence.word(place + 1) in (".", ";", "!", "?", "")
    return "final" if ends and verb_before and sentence.tag(place - 1) in ("VERB", "NOUN", "PRON") else None


@cache
def _kept_words(pos: str) -> frozenset[str]:
    """Words of that part of speech that not every other one could stand for; of verbs their first form."""
    return frozenset(word for word, kind in rows("multi_pos_kept_en") if kind == pos)
