"""Opinions on aspects in English, by reviewed words and the places where they can stand.

There is no parser: an opinion is tied to an aspect where it stands right before it, behind it and a copula or a verb
such as *works*, or where a person loves or hates it. Whatever else could judge makes the text unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise, product

from perturbations.languages.en import articles
from perturbations.languages.language import words_in
from perturbations.languages.opinion import NEGATIVE, OPPOSITE, POSITIVE, Opinion
from perturbations.lexicons import pairs, rows
from perturbations.sites import begins_sentence, in_case_at
from perturbations.text import Edit, Sentence, Span

_SIGNS = {"+": (POSITIVE,), "-": (NEGATIVE,), "±": (POSITIVE, NEGATIVE)}
_MOST = 8
"""Ways to reverse one opinion that are kept."""

_COPULAS = words_in("is are was were seems seem seemed looks look looked feels feel felt sounds sound sounded")
_NEGATED = {"isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were"}
_NO_OBJECTS = words_in(
    "work works worked run runs ran perform performs performed function functions functioned operate operates operated "
    "load loads loaded respond responds responded charge charges charged boot boots booted play plays played"
)
"""Verbs that an adverb of praise or blame can follow, with the aspect as their subject."""
_HELP = words_in("do does did don't doesn't didn't")
_DETERMINERS = words_in("the this that these those its it's their my your our his her a an")
_PERSONS = words_in("i we he she they everyone everybody")
_ADVERBS = words_in("also always just still absolutely really truly particularly especially definitely")
_DEGREE = words_in("very really so extremely pretty quite incredibly super absolutely truly fairly surprisingly")
_STRONGER = ("really", "truly", "very")
_EXTREME = words_in(
    "amazing awesome awful atrocious best better brilliant delicious dreadful excellent exceptional fabulous fantastic "
    "flawless gorgeous great hideous horrendous horrible horrid ideal incredible magnificent marvelous outstanding "
    "perfect phenomenal stunning superb terrible terrific useless wonderful worse worst worthless"
)
"""Words that *very* cannot stand before."""
_AFTER = words_in(
    "and but for with when because while as to on at in by during too also . , ; : ! ? ) - -- ... … though although yet"
)
"""Words behind a predicate that ends there; a noun behind it would belong to the adjective."""
_CONTRASTS = words_in(
    "although though however despite while whereas yet except unlike otherwise nevertheless still besides instead only "
    "rather aside even"
)
_NOT_SO = words_in(
    "if unless would could should wish hope hoping want wanted wants need needs needed than as supposed might expect "
    "expected seemed until why how where what enough almost nearly 'd because since again blame blamed hooked looking including such mark"
)
"""Words of comparisons, wishes, conditions and reasons: what they say is not so, or must fit something else."""
_REFERRING = words_in("it they them this that these those which everything thing things")
_ENDS = words_in(". ! ? ; ...")
_NEGATIONS = words_in("not no never without nothing none nor neither hardly barely cannot nobody n't n’t")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of praise or blame: its kind, the polarities that it can have, and its opposites."""

    kind: str
    polarities: tuple[str, ...]
    opposites: tuple[str, ...]


@cache
def _words() -> dict[str, tuple[_Word, ...]]:
    found: dict[str, tuple[_Word, ...]] = {}
    for word, kind, sign, others in rows("opinion_words_en"):
        opposites = () if others == "-" else tuple(others.split("|"))
        found[word] = (*found.get(word, ()), _Word(kind, _SIGNS[sign], opposites))
    return found


def _of_kind(word: str, *kinds: str) -> _Word | None:
    return next((each for each in _words().get(word, ()) if each.kind in kinds), None)


@dataclass(frozen=True, slots=True)
class _Found:
    """A word of an opinion in its place: where its negation stands, if any, and what *too* or a degree begins it."""

    place: int
    word: _Word
    negation: int | None = None
    can_be_denied: bool = False


def opinions(sentence: Sentence, aspects: Sequence[Span]) -> list[Opinion]:
    """The opinions on the aspects whose polarity is that of all their aspects, from left to right."""
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    made = []
    for group, several in _merged(lowered, aspects):
        polarities = {aspects[number].type for number in group}
        words = sorted({word.place: word for *_, each in several for word in each}.items())
        if len(polarities) != 1:
            continue
        opinion = _opinion(sentence, lowered, [word for _, word in words], polarities.pop())
        if opinion is not None:
            start = min([start for start, *_ in several] + [aspects[number].start for number in group])
            stop = max([stop for _, stop, _ in several] + [aspects[number].stop for number in group])
            made.append(Opinion(frozenset(group), start, stop, *opinion))
    return sorted(made, key=lambda opinion: opinion.start)


def is_clear(sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion]) -> bool:
    """Whether nothing judges but these opinions, and nothing denies, compares, wishes or gives reasons.

    A sentence of the text without any of them may judge, unless it could speak of what was said before.
    """
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    known = {i for opinion in found for i in range(opinion.start, opinion.stop)}
    known |= {i for aspect in aspects for i in range(aspect.start, aspect.stop)}
    of_persons = any(_of_kind(lowered[i], "VERB", "FEEL") for each in found for i in range(each.start, each.stop))
    if of_persons:
        beside = any(_of_kind(word, "ADJ") for i, word in enumerate(lowered) if i not in known)
        if beside or len(found) > 1:
            return False
    return all(
        _is_plain(lowered, start, stop, known) or _is_about_else(lowered, start, stop, known)
        for start, stop in _sentences(lowered)
    )


_LONGEST = 40
"""Words of a sentence in which opinions are believed to be all found."""


def _sentences(lowered: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for i, word in enumerate(lowered):
        if word in _ENDS or i + 1 == len(lowered):
            yield start, i + 1
            start = i + 1


def _is_about_else(lowered: Sequence[str], start: int, stop: int, known: Set[int]) -> bool:
    """Whether a sentence holds no aspect, and no word that could stand for one."""
    return known.isdisjoint(range(start, stop)) and _REFERRING.isdisjoint(lowered[start:stop])


def _is_plain(lowered: Sequence[str], start: int, stop: int, known: Set[int]) -> bool:
    """Whether a sentence says nothing that could speak for or against an aspect but by the opinions known."""
    if stop - start > _LONGEST or lowered[stop - 1] == "?" or lowered[start] in ("get", "buy", "try"):
        return False
    return not any(_disturbs(lowered, i) for i in range(start, stop) if i not in known)


def _disturbs(lowered: Sequence[str], place: int) -> bool:
    word, following = lowered[place], lowered[place + 1] if place + 1 < len(lowered) else ""
    if word in _NOT_SO or word in _NEGATIONS or word.endswith("n't"):
        return True
    if word == "so" and following not in _words() and following not in ("much", "many", "far"):
        return True
    return word in _words() and not _is_beside(lowered, place)


def _is_beside(lowered: Sequence[str], place: int) -> bool:
    """Whether the word only describes another thing, as in *a great laptop*."""
    word = _of_kind(lowered[place], "ADJ")
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    before = lowered[place - 1] if place else ""
    if lowered[place] in ("best", "worst") or lowered[place].endswith("est"):
        return False
    return word is not None and "NOUN" in pairs("word_classes_en").get(following, "") and before in _DETERMINERS


def rejoined(
    sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
) -> list[Edit] | None:
    """Edits of *and* and *but* between opinions that have these ``polarities`` now; None where one would be wrong.

    Aspects without an opinion that is found stand for one, by their polarity.
    """
    lowered = [token.lower() for token in sentence.tokens]
    edits, free = list[Edit](), set[int]()
    for (_, stop, old, one), (start, _, other_old, other) in pairwise(_parts(aspects, found, polarities)):
        gap = lowered[stop:start]
        joint = next((word for word in gap[:2] if word in ("and", "but") and len(gap) <= _FAR), None)
        free.update(range(stop, start))
        if (old == one and other_old == other) or joint is None:
            if "but" in gap and (old != one or other_old != other):
                return None
            continue
        place = stop + gap.index(joint)
        fitting = "and" if one == other else "but"
        if joint != fitting:
            edits.append(Edit(place, place + 1, (in_case_at(sentence.tokens, place, fitting),)))
    lone = any((word == "but" and i not in free) or word in _CONTRASTS for i, word in enumerate(lowered))
    return None if lone or len(edits) > 1 else edits


_FAR = 4
"""Words between two opinions up to which *and* and *but* stand between them, and between nothing else."""


def _parts(
    aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
) -> list[tuple[int, int, str, str]]:
    """Opinions and aspects without one from left to right: start, stop, polarity before and now."""
    parts = [(each.start, each.stop, each.polarity, now) for each, now in zip(found, polarities, strict=True)]
    known = {number for each in found for number in each.aspects}
    for number, aspect in enumerate(aspects):
        if number not in known and aspect.type in OPPOSITE and not any(a <= aspect.start < b for a, b, *_ in parts):
            parts.append((aspect.start, aspect.stop, aspect.type, aspect.type))
    return sorted(parts)


def _groups(lowered: Sequence[str], aspects: Sequence[Span]) -> Iterator[list[int]]:
    """The numbers of aspects that stand together: *screen, keyboard and touchpad*."""
    group: list[int] = []
    for number in sorted(range(len(aspects)), key=lambda number: aspects[number].start):
        between = lowered[aspects[group[-1]].stop : aspects[number].start] if group else []
        if group and not (between and set(between) <= _DETERMINERS | {",", "and", "&", "or", "/"}):
            yield group
            group = []
        group.append(number)
    if group:
        yield group


_Stretch = tuple[int, int, list[_Found]]
"""The tokens of an opinion, and its words."""


def _merged(lowered: Sequence[str], aspects: Sequence[Span]) -> list[tuple[set[int], list[_Stretch]]]:
    """The numbers of aspects with what is said of them; those of which one word speaks are together."""
    merged: list[tuple[set[int], list[_Stretch]]] = []
    for group in _groups(lowered, aspects):
        numbers, several = _about(lowered, aspects, group)
        if not several:
            continue
        places = {word.place for *_, words in several for word in words}
        shared = [each for each in merged if places & {word.place for *_, words in each[1] for word in words}]
        for each in shared:
            numbers |= each[0]
            several += each[1]
            merged.remove(each)
        merged.append((numbers, several))
    return merged


def _about(lowered: Sequence[str], aspects: Sequence[Span], group: Sequence[int]) -> tuple[set[int], list[_Stretch]]:
    """The aspects of a group that opinions are about, and these.

    Of aspects that begin no clause only the last has a predicate behind it: *it has more speed and the screen is dim*.
    """
    span = Span(aspects[group[0]].start, aspects[group[-1]].stop, "")
    several = [*_before(lowered, span), *_of_person(lowered, span)]
    if several or _begins_clause(lowered, span.start):
        return set(group), [*several, *_behind(lowered, span)]
    return {group[-1]}, list(_behind(lowered, aspects[group[-1]]))


def _begins_clause(lowered: Sequence[str], start: int) -> bool:
    while start and lowered[start - 1] in _DETERMINERS:
        start -= 1
    return not start or not lowered[start - 1][0].isalnum() or lowered[start - 1] in ("and", "but", "also")


def _before(lowered: Sequence[str], span: Span) -> Iterator[_Stretch]:
    """Adjectives right before the group: *a bright, sharp screen*, *easy to use*."""
    words, place = [], span.start - 1
    if place > 0 and lowered[place] == "to" and (word := _of_kind(lowered[place - 1], "ADJ", "PRED")) is not None:
        if lowered[place - 1] in ("easy", "simple", "difficult", "hard"):
            negation = _negation_before(lowered, place - 1)
            yield place - 1 if negation is None else negation, span.stop, [_Found(place - 1, word, negation)]
        return
    while place >= 0 and (word := _of_kind(lowered[place], "ADJ", "GAP")) is not None:
        words.append(_Found(place, word))
        place -= 1
        if place > 0 and lowered[place] in (",", "and") and _of_kind(lowered[place - 1], "ADJ", "GAP"):
            place -= 1
    if words and (place < 0 or lowered[place] not in ("too", "most", "more", "as")):
        start = words[-1].place
        if place >= 0 and lowered[place] in _DEGREE:
            start -= 1
        yield start, span.stop, words


def _behind(lowered: Sequence[str], span: Span) -> Iterator[_Stretch]:
    """Predicates and adverbs behind the group: *the screen is not very bright*, *the keyboard works well*."""
    if _is_governed(lowered, span.start):
        return
    place = span.stop
    if lowered[place : place + 1] == ["which"] or lowered[place : place + 2] == [",", "which"]:
        place += 1 + (lowered[place] == ",")
    verb = lowered[place] if place < len(lowered) else ""
    negation, adverbial = None, False
    if verb in _COPULAS:
        place += 1
        if lowered[place : place + 1] in (["not"], ["n't"]):
            negation = place
            place += 1
    elif verb in _NEGATED:
        negation = place
        place += 1
    else:
        adverbial = verb in _NO_OBJECTS or lowered[span.stop - 1] in _NO_OBJECTS
        place += verb in _NO_OBJECTS
        if not adverbial:
            return
    words, stop = list[_Found](), place
    while place < len(lowered):
        first = place
        while place < len(lowered) and lowered[place] in _DEGREE | {"too"} | _ADVERBS:
            place += 1
        kinds = ("ADV",) if adverbial else ("ADJ", "PRED")
        word = _of_kind(lowered[place], *kinds) if place < len(lowered) else None
        if word is None and not adverbial and not words and lowered[place : place + 1] in (["a"], ["an"], ["the"]):
            word = _of_kind(lowered[place + 1], "ADJ") if place + 1 < len(lowered) else None
            noun = lowered[place + 2] if place + 2 < len(lowered) else ""
            if word is None or "NOUN" not in pairs("word_classes_en").get(noun, "") or noun in _words():
                return
            words, stop = [_Found(place + 1, word, negation)], place + 3
            break
        if word is None:
            if not words or first == stop:
                return
            break
        words.append(_Found(place, word, negation if not words else None, can_be_denied=not adverbial))
        place = stop = place + 1
        joint = lowered[place : place + 1]
        following = lowered[place + 1] if place + 1 < len(lowered) else ""
        if joint in (["and"], [","], ["or"]) and (following in _DEGREE or _of_kind(following, *kinds)):
            place += 1
            continue
        break
    if not words or (stop < len(lowered) and lowered[stop] not in _AFTER and words[-1].can_be_denied):
        return
    if adverbial and stop < len(lowered) and lowered[stop] not in _AFTER:
        return
    if negation is not None and len(words) > 1:
        return
    yield span.start, stop, words


def _of_person(lowered: Sequence[str], span: Span) -> Iterator[_Stretch]:
    """Verbs and feelings of a person: *I love the screen*, *we are happy with the service*."""
    place = span.start - 1
    while place >= 0 and _of_kind(lowered[place], "ADJ", "GAP") is not None:
        place -= 1
    if place >= 0 and lowered[place] in _DETERMINERS:
        place -= 1
    if place < 1:
        return
    if lowered[place] == "with" and (word := _of_kind(lowered[place - 1], "FEEL")) is not None:
        negation = _negation_before(lowered, place - 1)
        yield place - 1 if negation is None else negation, span.stop, [_Found(place - 1, word, negation)]
    elif (word := _of_kind(lowered[place], "VERB")) is not None:
        verb, negation = place, None
        place -= 1
        while place > 0 and lowered[place] in _ADVERBS:
            place -= 1
        if lowered[place] in ("not", "n't") and lowered[place - 1] in ("do", "did", "does") and place > 1:
            negation, place = place - 1, place - 2
        elif lowered[place] in ("don't", "didn't", "doesn't"):
            negation, place = place, place - 1
        if place >= 0 and lowered[place] in _PERSONS and not (negation is not None and verb - negation > 2):
            yield place, span.stop, [_Found(verb, word, negation)]


def _is_governed(lowered: Sequence[str], start: int) -> bool:
    """Whether a preposition stands before the group, so that it is not the subject."""
    place = start - 1
    while place >= 0 and (lowered[place] in _DETERMINERS or _of_kind(lowered[place], "ADJ", "GAP")):
        place -= 1
    return place >= 0 and lowered[place] in words_in("with on in for from at by about to under over between")


def _negation_before(lowered: Sequence[str], place: int) -> int | None:
    """The place of *not* or of *isn't* before an adjective, adverbs of degree left out; None without one."""
    place -= 1
    while place >= 0 and lowered[place] in _DEGREE:
        place -= 1
    return place if place >= 0 and (lowered[place] in ("not", "n't") or lowered[place] in _NEGATED) else None


_Ways = tuple[tuple[Edit, ...], ...]


def _opinion(
    sentence: Sentence, lowered: Sequence[str], words: Sequence[_Found], gold: str
) -> tuple[str, _Ways, _Ways] | None:
    """The polarity, the ways to reverse it and those to say it more strongly; None where a word does not fit."""
    reversals, exaggerations = [], list[tuple[Edit, ...]]()
    for found in words:
        denied = found.negation is not None
        if (OPPOSITE.get(gold, "") if denied else gold) not in found.word.polarities:
            return None
        reversals.append(_reversals(sentence, lowered, found))
        stronger = _exaggerations(sentence, lowered, found)
        exaggerations += [(edit,) for edit in stronger]
    ways = islice(product(*reversals), _MOST)
    return gold, tuple(ways), tuple(exaggerations)


def _reversals(sentence: Sentence, lowered: Sequence[str], found: _Found) -> list[Edit]:
    """Edits that take the negation away, put an opposite in the place, or deny it where there is none."""
    place = found.place
    if found.negation is not None:
        return _without_negation(sentence, lowered, found)
    before = lowered[place - 1] if place else ""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    if following in ("enough", "that", "to") and before in ("so", "too"):
        return []
    start = place - 1 if before == "too" else place
    made = []
    for opposite in found.word.opposites:
        if before in _DEGREE and opposite in _EXTREME and before in ("very", "extremely", "quite", "fairly", "super"):
            continue
        made.append(_replaced(sentence, start, place, opposite))
    if not made and found.can_be_denied and before in _COPULAS:
        made.append(Edit(place, place, ("not",)))
    return made


def _replaced(sentence: Sentence, start: int, place: int, word: str) -> Edit:
    """The edit that puts a word in the place of tokens ``start`` to ``place``, and makes an article before fit."""
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


def _without_negation(sentence: Sentence, lowered: Sequence[str], found: _Found) -> list[Edit]:
    """The edits that take away *not*, with the *do* before it."""
    place = found.negation
    assert place is not None
    if lowered[found.place - 1] in ("too", "so", "that", "all"):
        return []
    if lowered[place] in _NEGATED:
        return [Edit(place, place + 1, (in_case_at(sentence.tokens, place, _NEGATED[lowered[place]]),))]
    if lowered[place] in ("not", "n't"):
        token = sentence.tokens[place + 1]
        if sentence.tokens[place][0].isupper() and begins_sentence(sentence.tokens, place):
            return [Edit(place, place + 2, (token[0].upper() + token[1:],), origins=((place + 1,),))]
        return [Edit(place, place + 1, ())]
    if lowered[place].startswith("did"):
        past = next((each for each in ("liked", "enjoyed", "loved") if each.startswith(lowered[found.place])), None)
        return [] if past is None else [Edit(place, found.place + 1, (past,), origins=((found.place,),))]
    return [] if lowered[place].startswith("does") else [Edit(place, found.place, ())]


def _exaggerations(sentence: Sentence, lowered: Sequence[str], found: _Found) -> list[Edit]:
    """Edits that put an adverb that strengthens before the word, where none stands there."""
    place = found.place
    before = lowered[place - 1] if place else ""
    if found.negation is not None or found.word.kind == "GAP" or lowered[place].endswith(("est", "er")):
        return []
    if lowered[place] in ("best", "worst", "better", "worse") or before in _DEGREE | _ADVERBS | {"too", "more", "most"}:
        return []
    fitting = [adverb for adverb in _STRONGER if adverb != "very" or lowered[place] not in _EXTREME]
    if found.word.kind == "VERB":
        return [Edit(place, place, (adverb,)) for adverb in fitting if adverb != "very"]
    if found.word.kind in ("FEEL", "ADV"):
        fitting = ["really", "very"] if found.word.kind == "FEEL" else ["really"]
    if begins_sentence(sentence.tokens, place) or before in ("a", "an"):
        return _with_adverb(sentence, place, fitting)
    return [Edit(place, place, (in_case_at(sentence.tokens, place, adverb),)) for adverb in fitting]


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
