"""English opinions turned into their opposites, and said more strongly."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.en import articles
from perturbations.languages.en.judging_words import ADVERBS, COPULAS, DEGREE, MERGED, NEGATED, PlacedWord
from perturbations.languages.language import words_in
from perturbations.languages.opinion import POSITIVE
from perturbations.sites import begins_sentence, in_case_at, in_case_each
from perturbations.text import Edit, Sentence

_STRONGER = ("really", "truly", "very")
_EXTREME = words_in(
    "amazing awesome awful atrocious best better brilliant delicious dreadful excellent exceptional fabulous fantastic "
    "flawless gorgeous great hideous horrendous horrible horrid ideal incredible magnificent marvelous outstanding "
    "perfect phenomenal stunning superb terrible terrific useless wonderful worse worst worthless"
)
"""Words that *very* cannot stand before."""


_NEAR = 2
"""Words before a word of praise among which a number measures it."""


def reversals(sentence: Sentence, lowered: Sequence[str], found: PlacedWord) -> list[Edit]:
    """Edits that take the negation away, put an opposite in the place, or deny the word behind a copula."""
    place = found.place
    if found.negation is not None:
        return _without_negation(sentence, lowered, found)
    before = lowered[place - 1] if place else ""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    to_whom = following == "to" and lowered[place + 2 : place + 3] in (["us"], ["me"], ["you"])
    if following in ("enough", "that", "to") and before in ("so", "too") and not to_whom:
        return []
    if any(char.isdigit() for word in lowered[max(0, place - _NEAR) : place] for char in word):
        return []  # *.1 GHz faster* says by how much, and so how good that is
    start = place - 1 if before in MERGED else place
    if before in ("bit", "little") and lowered[place - 2] == "a":
        start = place - 2
    made = []
    for opposite in found.word.opposites:
        if before in DEGREE and opposite in _EXTREME and before in _MEASURING:
            continue
        made.append(_replace_tokens(sentence, start, place, opposite))
    praises = found.word.polarities == (POSITIVE,)  # what is "not bad" is not always good
    while place and lowered[place - 1] in _DENIABLE:
        place -= 1
    if found.can_be_denied and place and lowered[place - 1] in COPULAS and (praises or not made):
        made.append(Edit(place, place, (in_case_at(sentence.tokens, place - 1, "not"),)))
    return made


_MEASURING = words_in("very extremely quite fairly super relatively somewhat rather kinda way exceedingly")
_DENIABLE = words_in("very really that particularly especially too")
"""Adverbs that *not* can stand before."""


def _replace_tokens(sentence: Sentence, start: int, place: int, word: str) -> Edit:
    """The edit that puts a word in the place of tokens ``start`` to ``place``, and makes an article before fit."""
    if " " in word:
        return Edit(start, place + 1, in_case_each(sentence, start, word.split()))
    new = in_case_at(sentence.tokens, start, word)
    before = sentence.tokens[start - 1] if start else ""
    fitting = articles.article_for(before.lower(), word)
    if fitting is None or fitting == before.lower():
        return Edit(start, place + 1, (new,), origins=((place,),), spaces=(sentence.spaces[place],))
    return Edit(
        start - 1,
        place + 1,
        (_article(sentence, start - 1, fitting), new),
        origins=((start - 1,), (place,)),
        spaces=(sentence.spaces[start - 1], sentence.spaces[place]),
    )


def _article(sentence: Sentence, place: int, fitting: str) -> str:
    """*A* or *an* with the capital of the one that stands there; a letter alone does not tell capitals."""
    return fitting.capitalize() if sentence.tokens[place][0].isupper() else fitting


def _without_negation(sentence: Sentence, lowered: Sequence[str], found: PlacedWord) -> list[Edit]:
    """The edits that take away *not*, with the *do* before it."""
    place = found.negation
    assert place is not None
    if found.word.kind == "DENIED":
        affirmed = in_case_at(sentence.tokens, place, found.word.opposites[0])
        return [Edit(place, found.place + 1, (affirmed,), origins=((found.place,),))]
    if lowered[found.place - 1] in ("too", "so", "that", "all"):
        return []
    if lowered[place] in NEGATED:
        return [Edit(place, place + 1, (in_case_at(sentence.tokens, place, NEGATED[lowered[place]]),))]
    if lowered[place] in ("not", "n't"):
        token = sentence.tokens[place + 1]
        if sentence.tokens[place][0].isupper() and begins_sentence(sentence.tokens, place):
            return [Edit(place, place + 2, (token[0].upper() + token[1:],), origins=((place + 1,),))]
        return [Edit(place, place + 1, ())]
    if lowered[place].startswith("did"):
        past = next((each for each in ("liked", "enjoyed", "loved") if each.startswith(lowered[found.place])), None)
        return [] if past is None else [Edit(place, found.place + 1, (past,), origins=((found.place,),))]
    return [] if lowered[place].startswith("does") else [Edit(place, found.place, ())]


def exaggerations(sentence: Sentence, lowered: Sequence[str], found: PlacedWord) -> list[Edit]:
    """Edits that put an adverb that strengthens before the word, where none stands there."""
    place = found.place
    before = lowered[place - 1] if place else ""
    if found.negation is not None or found.word.kind in _NOT_STRONGER or lowered[place].endswith(("est", "er")):
        return []
    if lowered[place] in ("best", "worst", "better", "worse") or before in DEGREE | ADVERBS | {"too", "more", "most"}:
        return []
    fitting = [adverb for adverb in _STRONGER if adverb != "very" or lowered[place] not in _EXTREME]
    if found.word.kind == "VERB":
        return [Edit(place, place, (adverb,)) for adverb in fitting if adverb != "very"]
    if found.word.kind in ("FEEL", "ADV"):
        fitting = ["really", "very"] if found.word.kind == "FEEL" else ["really"]
    if begins_sentence(sentence.tokens, place) or before in ("a", "an"):
        return _with_adverb(sentence, place, fitting)
    return [Edit(place, place, (in_case_at(sentence.tokens, place, adverb),)) for adverb in fitting]


_NOT_STRONGER = ("GAP", "NOUN", "DO", "DENIED", "HAS")


def _with_adverb(sentence: Sentence, place: int, adverbs: Sequence[str]) -> list[Edit]:
    """The same where a capital goes to the adverb, or an article has to fit it."""
    token = sentence.tokens[place]
    before = sentence.tokens[place - 1] if place else ""
    made = []
    for adverb in adverbs:
        if before.lower() in ("a", "an"):
            three = (_article(sentence, place - 1, "a"), adverb, token)
            spaces = (sentence.spaces[place - 1], " ", sentence.spaces[place])
            made.append(Edit(place - 1, place + 1, three, origins=((place - 1,), (), (place,)), spaces=spaces))
        else:
            two = (in_case_at(sentence.tokens, place, adverb), token if token.isupper() else token.lower())
            made.append(Edit(place, place + 1, two, origins=((), (place,)), spaces=(" ", sentence.spaces[place])))
    return made
