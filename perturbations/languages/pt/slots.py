"""Places in Portuguese sentences where any word of a class and form could stand, by gold parts of speech."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from perturbations.languages.tagged import TaggedWords
from perturbations.lexicons import of_class, rows

_DETERMINERS = {
    "masculine-singular": ["o", "um", "este", "esse", "aquele", "seu", "meu", "nosso", "nenhum", "algum", "outro"],
    "feminine-singular": ["a", "uma", "esta", "essa", "aquela", "sua", "minha", "nossa", "nenhuma", "alguma", "outra"],
    "masculine-plural": ["os", "uns", "estes", "esses", "aqueles", "seus", "meus", "nossos", "alguns", "outros"],
    "feminine-plural": ["as", "umas", "estas", "essas", "aquelas", "suas", "minhas", "nossas", "algumas", "outras"],
}
_FORMS = {word: form for form, found in _DETERMINERS.items() for word in found}
"""Gender and number by determiner."""

_ENDINGS = {"o": "masculine-singular", "a": "feminine-singular", "os": "masculine-plural", "as": "feminine-plural"}
_SER = frozenset(["é", "são", "foi", "foram", "era", "eram", "será", "serão", "ser", "sendo", "sido", "seja", "sejam"])
_LIKE_SER = of_class("grammar_words_pt", "like-ser")
"""Behind these, as behind *ser*, an adverb that can be an adjective is one."""

BEFORE_VERBS = frozenset(["para", "ele", "ela", "eles", "elas", "quem", "não"])
BEFORE_CLAUSES = frozenset(["que", "se"])

_AFTER_NOUNS = frozenset(["VERB", "AUX", "PUNCT", "ADP", "CCONJ", "ADV", "ADJ"])

_FINAL_ADVERBS = of_class("grammar_words_pt", "final-adverb")


def form_at(sentence: TaggedWords, place: int, pos: str) -> str | None:
    """The form that a word of this class must have to stand there; None where not every such word could."""
    if sentence.touches(place, "-", "/"):
        return None
    return {"NOUN": _noun, "VERB": _verb, "ADJ": _adjective, "ADV": _adverb}[pos](sentence, place)


def _noun(sentence: TaggedWords, place: int) -> str | None:
    if sentence.tag(place - 1) != "DET" or sentence.word(place) in _kept_words("NOUN"):
        return None
    after = sentence.word(place + 1)
    if sentence.tag(place + 1) not in _AFTER_NOUNS or after in ("que", "como"):
        return None
    if after == "de" and (
        sentence.tag(place + 2) in ("VERB", "AUX", "SCONJ", "CCONJ") or sentence.word(place + 2) == "que"
    ):
        return None
    return _FORMS.get(sentence.word(place - 1))


def _adjective(sentence: TaggedWords, place: int) -> str | None:
    word = sentence.word(place)
    if sentence.tag(place - 1) != "NOUN" or word in _kept_words("ADJ"):
        return None
    if sentence.tag(place + 1) not in ("PUNCT", "VERB", "AUX", "CCONJ") and sentence.word(place + 1) not in (
        "em",
        "de",
    ):
        return None
    if word.endswith(("ista", "istas", "ês", "eses")):
        return None
    gendered = next((form for ending, form in _ENDINGS.items() if word.endswith(ending)), None)
    if gendered is not None:
        return gendered
    if word.endswith(("es", "is", "ns")):
        return "plural"
    return "singular" if word.endswith(("e", "l", "m", "r", "z")) else None


def _verb(sentence: TaggedWords, place: int) -> str | None:
    word, before = sentence.word(place), sentence.word(place - 1)
    if word.endswith(("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas")):
        ending = next(form for ending, form in _ENDINGS.items() if word.endswith(ending))
        return f"participle-{ending}" if is_passive(sentence, place) else None
    if not takes_object(sentence, place):
        return None
    if word in _present():
        return "present-third" if before not in ("se", "me", "te", "lhe", "nos", "o", "a", "os", "as") else None
    follows = sentence.tag(place - 1) in ("ADP", "AUX", "SCONJ")
    return "infinitive" if follows and word.endswith(("ar", "er", "ir")) and word not in _kept_words("VERB") else None


def is_passive(sentence: TaggedWords, place: int) -> bool:
    """Whether a form of *ser* stands before the participle, and behind it nothing that only some verbs have."""
    after = sentence.word(place + 1)
    ends = sentence.tag(place + 1) == "PUNCT" or after in (".", ",", "por", "em", "durante", "após")
    return sentence.word(place - 1) in _SER and ends and not sentence.verb_follows(place)


def takes_object(sentence: TaggedWords, place: int) -> bool:
    """Whether a noun phrase follows the verb, with no clause or complement behind it."""
    if sentence.word(place + 1) not in _FORMS or sentence.tag(place + 1) not in ("DET", ""):
        return False
    if sentence.tag(place + 2) not in ("NOUN", "PROPN", "ADJ", ""):
        return False
    stop = place + 2
    while sentence.tag(stop) in ("NOUN", "PROPN", "ADJ"):
        stop += 1
    return sentence.tag(stop) in ("PUNCT", "ADP", "CCONJ", "") and sentence.word(stop) not in ("que", "como")


@cache
def _present() -> Mapping[str, str]:
    """The third persons singular of the present that are no other form of a verb, with their infinitives."""
    cells = [(form, tense, i, verb) for verb, tense, cell in rows("verbs_pt") for i, form in enumerate(cell.split("|"))]
    wanted = {
        form: verb for form, tense, i, verb in cells if (tense, i) == ("present", 1) and verb not in _kept_words("VERB")
    }
    others = {form for form, tense, i, _ in cells if (tense, i) != ("present", 1)}
    return MappingProxyType({form: verb for form, verb in wanted.items() if form not in others})


def _adverb(sentence: TaggedWords, place: int) -> str | None:
    word = sentence.word(place)
    if word in _kept_words("ADV") or not (word.endswith("mente") or word in _FINAL_ADVERBS):
        return None
    verb = next((i for i in range(place - 1, max(-1, place - 5), -1) if sentence.tag(i) == "VERB"), -1)
    if verb < 0 or sentence.word(verb) in _SER | _LIKE_SER:
        return None
    if verb == place - 1 and sentence.tag(place + 1) in ("ADP", "CCONJ"):
        return "final"
    ends = sentence.word(place + 1) in (".", ";", "!", "?", "")
    return "final" if ends and sentence.tag(place - 1) in ("VERB", "NOUN", "PROPN") else None


@cache
def _kept_words(pos: str) -> frozenset[str]:
    """Words of that part of speech that not every other one could stand for; of verbs their first form."""
    return frozenset(word for word, kind in rows("multi_pos_kept_pt") if kind == pos)
