"""Opinions on aspects in English, by reviewed words and the places where they can stand.

There is no parser: an opinion is tied to an aspect where it stands right before it, behind it and a copula or a verb
such as *works*, or where a person loves or hates it. Whatever else could judge makes the text unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise, product

from perturbations.languages.en.judging_words import DETERMINERS, Found, of_kind, words_known
from perturbations.languages.en.opposite_opinions import exaggerations, reversals
from perturbations.languages.en.said_of_aspects import said_of
from perturbations.languages.language import words_in
from perturbations.languages.opinion import OPPOSITE, Opinion
from perturbations.lexicons import pairs
from perturbations.sites import in_capitals, in_case_at
from perturbations.text import Edit, Sentence, Span

_MOST = 8
"""Ways to reverse one opinion that are kept."""
_LONGEST = 40
"""Words of a sentence in which opinions are believed to be all found."""
_FAR = 4
"""Words between two opinions up to which *and* and *but* stand between them, and between nothing else."""

_CONTRASTS = words_in(
    "although though however despite while whereas yet except unlike otherwise nevertheless still besides instead only "
    "rather aside even"
)
_NOT_SO = words_in(
    "if unless would could should wish hope hoping want wanted wants need needs needed than as supposed might expect "
    "expected seemed until why how where what enough almost nearly 'd "
    "because since again blame blamed hooked looking including such mark being"
)
"""Words of comparisons, wishes, conditions and reasons: what they say is not so, or must fit something else."""
_CLAIMING = words_in("i we you he she it they")
_REFERRING = words_in("it they them this that these those which everything thing things")
_CLAUSE_MARKS = words_in(". ! ? ... … , ; : - -- – — ( ) / & + and but or plus which that who while with")
"""Words and marks that part clauses, or the items of a list."""
_ENDS = words_in(". ! ? ...")
_NEGATIONS = words_in("not no never without nothing none nor neither hardly barely cannot nobody n't n’t")

_Ways = tuple[tuple[Edit, ...], ...]


def opinions(sentence: Sentence, aspects: Sequence[Span]) -> list[Opinion]:
    """The opinions on the aspects whose polarity is that of all their aspects, from left to right."""
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    made = []
    for group, several in said_of(lowered, aspects):
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
    if any(_reaches(lowered, opinion, aspect) for opinion in found for aspect in _without_opinion(aspects, found)):
        return False
    known = {i for opinion in found for i in range(opinion.start, opinion.stop)}
    known |= {i for aspect in aspects for i in range(aspect.start, aspect.stop)}
    of_persons = any(of_kind(lowered[i], "VERB", "FEEL") for each in found for i in range(each.start, each.stop))
    if of_persons:
        beside = any(of_kind(word, "ADJ") for i, word in enumerate(lowered) if i not in known)
        if beside or len(found) > 1:
            return False
    return all(
        _is_plain(lowered, start, stop, known) or _is_about_else(lowered, start, stop, known)
        for start, stop in _sentences(lowered)
    )


def _without_opinion(aspects: Sequence[Span], found: Sequence[Opinion]) -> list[Span]:
    known = {number for opinion in found for number in opinion.aspects}
    return [aspect for number, aspect in enumerate(aspects) if number not in known]


def _reaches(lowered: Sequence[str], opinion: Opinion, aspect: Span) -> bool:
    """Whether an opinion may be on a further aspect of its clause, too: *the price was great for the specs*."""
    start, stop = (opinion.stop, aspect.start) if opinion.stop <= aspect.start else (aspect.stop, opinion.start)
    return aspect.type == opinion.polarity and _CLAUSE_MARKS.isdisjoint(lowered[start:stop])


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
    """Whether a sentence says nothing that could speak for or against an aspect but by the opinions known.

    Numbers behind an opinion, and what follows a colon, could bear it out.
    """
    last = max(known & {*range(start, stop)}, default=stop)
    if any(word == ":" or any(map(str.isdigit, word)) for word in lowered[last + 1 : stop]):
        return False
    if stop - start > _LONGEST or lowered[stop - 1] == "?" or lowered[start] in ("get", "buy", "try"):
        return False
    return not any(
        _disturbs(lowered, i) or _adds_a_claim(lowered, i, known) for i in range(start, stop) if i not in known
    )


def _adds_a_claim(lowered: Sequence[str], place: int, known: Set[int]) -> bool:
    """Whether *and* joins a claim of somebody's that is no opinion known: *and I have bought another*."""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    return lowered[place] == "and" and following in _CLAIMING and place + 2 not in known


def _disturbs(lowered: Sequence[str], place: int) -> bool:
    word, following = lowered[place], lowered[place + 1] if place + 1 < len(lowered) else ""
    if word in _NOT_SO or word in _NEGATIONS or word.endswith("n't"):
        return True
    if word == "so" and following not in words_known():
        return True
    return word in words_known() and not _is_beside(lowered, place)


def _is_beside(lowered: Sequence[str], place: int) -> bool:
    """Whether the word only describes another thing, as in *a great laptop*."""
    word = of_kind(lowered[place], "ADJ")
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    before = lowered[place - 1] if place else ""
    if lowered[place] in ("best", "worst") or lowered[place].endswith("est"):
        return False
    return word is not None and "NOUN" in pairs("word_classes_en").get(following, "") and before in DETERMINERS


def rejoined(
    sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
) -> list[Edit] | None:
    """Edits of *and* and *but* between opinions that have these ``polarities`` now; None where one would be wrong.

    A comma gets a *but* where nothing else turns. Aspects without an opinion that is found stand for one, by their
    polarity. Where praise and blame would turn more than once, or follow each other with neither *but* nor a stop
    between, the sentence would be none.
    """
    lowered = [token.lower() for token in sentence.tokens]
    edits, free = list[Edit](), set[int]()
    parts = _parts(aspects, found, polarities)
    turns = sum(one != other for (*_, one), (*_, other) in pairwise(parts))
    if turns > 1 and turns > sum(one != other for (*_, one, _), (*_, other, _) in pairwise(parts)):
        return None
    for (_, stop, old, one), (start, _, other_old, other) in pairwise(parts):
        gap = lowered[stop:start]
        joint = next((word for word in gap[:2] if word in ("and", "but") and len(gap) <= _FAR), None)
        free.update(range(stop, start))
        if gap[:1] == [","] and set(gap[1:]) <= DETERMINERS and old == other_old and one != other:
            edits += [_parted(sentence, stop)] * (turns == 1)
            continue
        if (old == one and other_old == other) or joint is None:
            if "but" in gap and (old != one or other_old != other):
                return None
            if one != other and old == other_old and _STOPS.isdisjoint(gap):
                return None
            continue
        place = stop + gap.index(joint)
        fitting = "and" if one == other else "but"
        if joint != fitting:
            edits.append(Edit(place, place + 1, (in_case_at(sentence.tokens, place, fitting),)))
    lone = any((word == "but" and i not in free) or word in _CONTRASTS for i, word in enumerate(lowered))
    return None if lone or len(edits) > 1 else edits


_STOPS = frozenset([".", ";", "!", "?", ":", "(", "-", "--"])


def _parted(sentence: Sentence, comma: int) -> Edit:
    """The edit that puts *but* behind a comma."""
    but = "BUT" if in_capitals(sentence.tokens, comma + 1) else "but"
    spaces = (sentence.spaces[comma], " ")
    return Edit(comma, comma + 1, (sentence.tokens[comma], but), spaces=spaces, origins=((comma,), ()))


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


def _opinion(
    sentence: Sentence, lowered: Sequence[str], words: Sequence[Found], gold: str
) -> tuple[str, _Ways, _Ways] | None:
    """The polarity, the ways to reverse it and those to say it more strongly; None where a word does not fit."""
    opposite, stronger = [], list[tuple[Edit, ...]]()
    for found in words:
        denied = found.negation is not None
        if (OPPOSITE.get(gold, "") if denied else gold) not in found.word.polarities:
            return None
        opposite.append(reversals(sentence, lowered, found))
        stronger += [(edit,) for edit in exaggerations(sentence, lowered, found)]
    ways = islice(product(*opposite), _MOST)
    return gold, tuple(ways), tuple(stronger)
