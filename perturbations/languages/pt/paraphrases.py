"""Rules that paraphrase Portuguese questions.

Each gives what becomes of a question, or None. They know closed lists of words and shapes of noun phrases, no grammar:
gender and number are read off articles alone, and whatever has none is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from perturbations.languages.parts import QuestionRule
from perturbations.languages.question_classes import is_a
from perturbations.languages.questions import (
    QuestionPiece,
    QuestionWord,
    Stretch,
    lower_tokens,
    match_case,
    plain,
    quoted_places,
    reason_first,
    rebuild,
    resume_sentence,
    stretches,
)
from perturbations.lexicons import pairs, words
from perturbations.text import Perturbed, Sentence

_ARTICLES: Mapping[str, tuple[str, str]] = {  # the copula and the ending of a participle that go with them
    "o": ("é", "o"),
    "a": ("é", "a"),
    "os": ("são", "os"),
    "as": ("são", "as"),
    "um": ("é", "o"),
    "uma": ("é", "a"),
}
_IN = {"no": "o", "na": "a", "nos": "os", "nas": "as", "num": "um", "numa": "uma"}
_TO = {"ao": "o", "à": "a", "aos": "os", "às": "as"}
_BY = {"o": "pelo", "a": "pela", "os": "pelos", "as": "pelas", "um": "por um", "uma": "por uma"}
_OF = {"o": "do", "a": "da", "os": "dos", "as": "das", "um": "de um", "uma": "de uma"}
_DEFINITE = {
    "singular": {"o", "a", "do", "da", "no", "na", "pelo", "pela", "ao", "à"},
    "plural": {"os", "as", "dos", "das", "nos", "nas", "pelos", "pelas", "aos", "às"},
}

_is = partial(is_a, "pt")


def these(question: Sentence) -> Perturbed | None:
    """``Qual das seguintes`` → ``Qual destas``, where it first stands; also ``dos`` → ``destes`` and ``Quais``."""
    low = lower_tokens(question)
    for place in range(len(low) - 2):
        if low[place] in ("qual", "quais") and low[place + 1] in ("das", "dos") and low[place + 2] == "seguintes":
            short = "destas" if low[place + 1] == "das" else "destes"
            new = QuestionWord(match_case(short, question.tokens[place + 1]), (place + 1, place + 2))
            return rebuild(question, Stretch(place + 1, place + 3), [new])
    return None


def probable(question: Sentence) -> Perturbed | None:
    """``a causa mais provável`` → ``a mais provável causa``, likewise ``menos`` and ``prováveis``.

    Only right after one noun with the definite article; not in comparisons, nor before an infinitive.
    """
    low = lower_tokens(question)
    numbers = {"provável": "singular", "prováveis": "plural"}
    for place in range(2, len(low) - 1):
        article, noun, degree, adjective = low[place - 2], low[place - 1], low[place], low[place + 1]
        if degree not in ("mais", "menos") or adjective not in numbers:
            continue
        after = low[place + 2 : place + 4]
        goes_on = after[:1] == ("que",) or after == ("do", "que") or (after[:1] == ("de",) and after[-1].endswith("r"))
        if article in _DEFINITE[numbers[adjective]] and _is_noun(noun) and not goes_on:
            return rebuild(question, Stretch(place - 1, place + 2), [place, place + 1, place - 1])
    return None


class _Verb(NamedTuple):
    """A causal phrase, "X causes Y", and its inverse, "Y is caused by X".

    ``forms`` are those for one thing and for several that make another. ``bound`` are the contractions that follow,
    with the article in each; empty where an article stands alone. ``participle``, less its ending, follows a form of
    *ser*; where there is none, ``turned`` are the verb's forms for one thing and for several that are made. ``agent``
    is what becomes of the article of the thing that makes another, and ``preposition`` what it is after.
    """

    forms: tuple[str, str]
    bound: Mapping[str, str]
    preposition: str
    agent: Mapping[str, str]
    participle: str = ""
    turned: tuple[str, str] = ("", "")
    of_events: bool = False


_VERBS = (
    _Verb(("causa", "causam"), {}, "por", _BY, participle="causad"),
    _Verb(("resulta", "resultam"), _IN, "de", _OF, turned=("resulta", "resultam")),
    _Verb(("leva", "levam"), _TO, "por", _BY, participle="provocad", of_events=True),
)


_BARE = {"a": "bare-feminine", "o": "bare-masculine"}
"""The class of the nouns that need no article, by the one that they would have."""


class _Claim(NamedTuple):
    """The claim that the things at ``makes`` make the things at ``made``, whose first token stands for ``article``.

    Things that are ``bare`` have no article there; ``article`` is then the one that they would have.
    """

    verb: _Verb
    place: int
    several: bool
    makes: range
    made: range
    article: str
    bare: bool = False

    @property
    def reversed(self) -> list[QuestionPiece]:
        """The verb the other way round, in agreement with the thing made."""
        copula, ending = _ARTICLES[self.article]
        if self.verb.participle:
            return [QuestionWord(copula, (self.place,)), QuestionWord(self.verb.participle + ending, (self.place,))]
        return [QuestionWord(self.verb.turned[copula == "são"], (self.place,))]


def passive(question: Sentence) -> Perturbed | None:
    """One thing ``causa``, ``resulta em`` or ``leva a`` another → the other ``é causada pela``, … the one.

    ``Qual gás causa a névoa?`` → ``Por qual gás é causada a névoa?``; ``O vento causa as ondas.`` → ``As ondas são
    causadas pelo vento.``; ``O vírus causa febre.`` → ``Febre é causada pelo vírus.`` Both things must be short noun
    phrases, the second with an article or, in a statement, a word of a list; what something ``leva a`` must be an
    event, so that no street is taken for a cause.
    """
    for stretch in stretches(question):
        claim = _claim(question, stretch)
        if claim is not None:
            pieces = (_turn_question if question.tokens[stretch.stop] == "?" else _turn_statement)(question, claim)
            if pieces is not None:
                return rebuild(question, stretch, pieces)
    return None


def _claim(question: Sentence, stretch: Stretch) -> _Claim | None:
    low = lower_tokens(question)
    found = [(verb, place) for verb in _VERBS for place in stretch.body if low[place] in verb.forms]
    if len(found) != 1 or not plain(question, stretch.body):
        return None
    verb, place = found[0]
    made = range(place + 1, stretch.stop)
    if not made:
        return None
    first = low[made[0]]
    article = verb.bound.get(first, "") if verb.bound else first
    several = low[place] == verb.forms[1]
    if (bare := _bare(verb, low, made)) is not None and question.tokens[stretch.stop] == ".":
        noun = next(article for article, of in _BARE.items() if _is(low[bare[0]], of))
        return _Claim(verb, place, several, range(stretch.start, place), bare, noun, bare=True)
    if article not in _ARTICLES or not _is_phrase(low[made[1] : made.stop] if len(made) > 1 else ()):
        return None
    if verb.of_events and not _is_event(low, made[1:]):
        return None
    return _Claim(verb, place, several, range(stretch.start, place), made, article)


def _bare(verb: _Verb, low: tuple[str, ...], made: range) -> range | None:
    """The thing made, where it has no article: a noun of a list with at most two words after it; else None."""
    if verb.bound:
        if verb.preposition != "de" or low[made[0]] != "em":
            return None
        made = made[1:]
    if not 0 < len(made) <= 3 or not _is(low[made[0]], *_BARE.values()) or not _is_phrase(low[made[0] : made.stop]):
        return None
    return made


def _turn_question(question: Sentence, claim: _Claim) -> list[QuestionPiece] | None:
    """``Qual gás causa a névoa`` → ``Por qual gás é causada a névoa``; ``O que`` → ``Pelo que``, ``Do que``."""
    low = lower_tokens(question)
    makes = claim.makes
    said = low[makes.start : makes.stop]
    made = [_with_article(claim), *claim.made[1:]]
    preposition = claim.verb.preposition
    if said == ("o", "que") and not claim.several:
        joined = "Pelo" if preposition == "por" else "Do"
        return [QuestionWord(joined, (makes[0],)), makes[1], *claim.reversed, *made]
    if not said or said[0] != ("quais" if claim.several else "qual") or not _asks_for(said[1:]):
        return None
    first = QuestionWord(preposition.capitalize())
    return [first, resume_sentence(question, makes[0]), *makes[1:], *claim.reversed, *made]


def _asks_for(said: tuple[str, ...]) -> bool:
    """Whether a noun phrase without its determiner comes after ``qual``, or ``dos seguintes``, ``destes`` and so on."""
    if said[:2] in (("dos", "seguintes"), ("das", "seguintes")):
        return len(said) <= 4 and all(map(_is_content, said[2:]))
    if said[:1] in (("destes",), ("destas",), ("desses",), ("dessas",)):
        return len(said) <= 3 and all(map(_is_content, said[1:]))
    return said[:1] not in (("dos",), ("das",)) and _is_phrase(said, longest=2)


def _turn_statement(question: Sentence, claim: _Claim) -> list[QuestionPiece] | None:
    """``O vento causa as ondas`` → ``As ondas são causadas pelo vento``."""
    low = lower_tokens(question)
    makes = claim.makes
    said = low[makes.start : makes.stop]
    if len(said) < 2 or said[0] not in _ARTICLES or not _is_phrase(said[1:], longest=2):
        return None
    if claim.several != (_ARTICLES[said[0]][0] == "são"):
        return None
    agent: list[QuestionPiece] = [QuestionWord(word, (makes[0],)) for word in claim.verb.agent[said[0]].split()]
    made = claim.made[0] if claim.bare else _with_article(claim)
    opening = question.tokens[made] if isinstance(made, int) else made.text
    first = QuestionWord(match_case(opening.lower(), "A"), (claim.made[0],))
    return [first, *claim.made[1:], *claim.reversed, *agent, *makes[1:]]


def _with_article(claim: _Claim) -> QuestionPiece:
    """The first token of the thing made: its article, copied or taken out of a contraction."""
    return QuestionWord(claim.article, (claim.made[0],)) if claim.verb.bound else claim.made[0]


def _is_event(low: tuple[str, ...], places: range) -> bool:
    head = low[places[0]]
    return _is(head, "event") or (head.endswith(("ção", "são", "mento", "ismo")) and not _is(head, "place"))


def _is_phrase(said: Sequence[str], longest: int = 3) -> bool:
    """Whether the words are up to ``longest`` nouns and adjectives; and again after each preposition."""
    if not 0 < len(said) <= 10:
        return False
    start = 0
    for stop in [*(place for place, word in enumerate(said) if _is(word, "preposition")), len(said)]:
        determined = start and said[start] in _ARTICLES if start < stop else False
        content = said[start + 1 : stop] if determined else said[start:stop]
        if not 0 < len(content) <= longest or not all(map(_is_content, content)):
            return False
        start = stop + 1
    return True


def _is_noun(word: str) -> bool:
    return word.isalpha() and word not in words("stop_words_pt")


def _is_content(word: str) -> bool:
    return word not in words("stop_words_pt") and not _is(word, "no-noun") and not word.endswith("mente")


def because(question: Sentence) -> Perturbed | None:
    """``X porque Y`` → ``Como Y, X``, in statements and in questions that begin with ``qual``, ``quais`` or ``o que``.

    Only where nothing else joins or negates anything, so that what has the reason stays the same, and where the first
    word of X is surely no name. In a question Y must begin with a subject of its own and have no pronoun, which could
    stand for what is asked.
    """
    return reason_first(question, "porque", "Como", _can_be_reordered)


def _can_be_reordered(question: Sentence, main: range, reason: range, asked: bool) -> bool:
    return _can_be_main(question, main, asked) and _can_be_reason(question, reason, asked)


def _can_be_main(question: Sentence, places: range, asked: bool) -> bool:
    low = lower_tokens(question)
    said = low[places.start : places.stop]
    opening = 2 if asked and said[:2] == ("o", "que") else 1
    if len(said) < 2 or not plain(question, places):
        return False
    if asked and opening == 1 and said[0] not in ("qual", "quais"):
        return False
    if not asked and not _is(said[0], "opener"):
        return False
    if _is(said[-1], "be", "adverb") or said[-1].endswith("mente"):
        return False
    return not any(_is(word, "negation", "connective", "saying") for word in said[opening:])


def _can_be_reason(question: Sentence, places: range, asked: bool) -> bool:
    low = lower_tokens(question)
    said = low[places.start : places.stop]
    if len(said) < 2 or not plain(question, places) or any(_is(word, "connective") for word in said):
        return False
    return not asked or (_is(said[0], "subject") and not any(_is(word, "pronoun") for word in said))


def determiner(question: Sentence) -> Perturbed | None:
    """``Qual`` or ``Quais`` ↔ ``Que`` before a noun of the lexicon, where a question begins."""
    low = lower_tokens(question)
    for stretch in stretches(question):
        first = stretch.start
        if low[stretch.stop] != "?" or first + 2 >= stretch.stop:
            continue
        number = pairs("nouns_pt").get(low[first + 1])
        asking = {"singular": "qual", "plural": "quais"}.get(number or "", "")
        if asking and low[first] in ("que", asking):
            other = asking if low[first] == "que" else "que"
            new = QuestionWord(match_case(other, question.tokens[first]), (first,))
            return rebuild(question, Stretch(first, first + 1), [new])
    return None


_CHOSEN = frozenset(["opção", "alternativa", "afirmativa", "afirmação", "assertiva", "resposta", "proposição"])
_CHOOSING = frozenset(["assinale", "marque", "indique", "aponte"])


def ask_question(question: Sentence) -> Perturbed | None:
    """``…, assinale a opção correta.`` → ``…, qual é a opção correta?``, where the question ends.

    Also ``a única opção`` and ``marque``, and where what the option is about comes after it.
    """
    low, kept = lower_tokens(question), quoted_places(question)
    last = len(low) - 1
    if low[last] not in (".", ":"):
        return None
    places = [place for place in range(last) if low[place] in _CHOOSING]
    if not places or low[places[-1] + 1] != "a" or kept or ";" in low[places[-1] :] or "." in low[places[-1] : last]:
        return None
    place = places[-1]
    noun = low[place + 3] if low[place + 2] == "única" else low[place + 2]
    if noun not in _CHOSEN:
        return None
    asks = [QuestionWord(match_case("qual", question.tokens[place]), (place,)), QuestionWord("é", (place,))]
    return rebuild(question, Stretch(place, last + 1), [*asks, *range(place + 1, last), QuestionWord("?", (last,))])


RULES: Mapping[str, QuestionRule] = {
    "these": these,
    "probable": probable,
    "passive": passive,
    "because": because,
    "determiner": determiner,
    "asked": ask_question,
}

PHRASES = (
    "except",
    "correct",
    "asking",
    "according",
    "about",
    "given",
    "choose",
    "option",
    "must",
    "verb",
    "connective",
)
"""The rules of the list of phrases, from those about what is asked to those about any word."""
