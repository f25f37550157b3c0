"""Opinions on aspects in English, by reviewed words and the places where they can stand.

There is no parser: an opinion is tied to an aspect where it stands right before it, behind it and a copula or a verb
such as *works*, or where a person loves or hates it. Whatever else could judge makes the text unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise, product

from perturbations.languages.en.judging_words import ADVERBS, COPULAS, DETERMINERS, PlacedWord, of_kind, words_known
from perturbations.languages.en.opposite_opinions import exaggerations, reversals
from perturbations.languages.en.said_of_aspects import predicates_of
from perturbations.languages.language import words_in
from perturbations.languages.opinion import OPPOSITE, Opinion
from perturbations.lexicons import pairs
from perturbations.sites import in_capitals, in_case_at
from perturbations.text import Edit, Sentence, Span

_MOST = 8
"""Ways to reverse one opinion that are kept."""
_LONGEST = 40
"""Words of a sentence in which opinions are believed to be all found."""
_FAR = 6
"""Words between two opinions up to which *and* and *but* stand between them, and between nothing else."""

_CONTRASTS = words_in(
    "although though however despite while whereas yet except unlike otherwise nevertheless still besides instead only "
    "rather aside even"
)
_TO_CONTEXT = words_in("however nevertheless still besides rather")
"""Words of contrast that, where nothing else is judged, set the sentence against what was said before."""
_NOT_SO = words_in(
    "if unless would could should wish hope hoping want wanted wants need needs needed than as supposed might expect "
    "expected seemed until why how where what enough almost nearly 'd "
    "because since again blame blamed hooked looking including such mark being"
)
"""Words of comparisons, wishes, conditions and reasons: what they say is not so, or must fit something else."""
_CLAIMING = words_in("i we you he she it they")
_REFERRING = words_in("it's that's they're it they them this that these those which everything thing things")
_CLAUSE_MARKS = words_in(". ! ? ... … , ; : - -- – — ( ) / & + and but or plus which that who while with")
"""Words and marks that part clauses, or the items of a list."""
_ENDS = words_in(". ! ? ...")
_NEGATIONS = words_in("not no never without nothing none nor neither hardly barely cannot nobody n't n’t")

_Ways = tuple[tuple[Edit, ...], ...]


def opinions(sentence: Sentence, aspects: Sequence[Span]) -> list[Opinion]:
    """The opinions on the aspects whose polarity is that of all their aspects, from left to right."""
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    made = []
    for group, several in predicates_of(lowered, aspects):
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


def is_clear(sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], opinion: Opinion) -> bool:
    """Whether nothing else can speak for or against what the opinion is on, so that it can be reversed alone.

    Nothing in its clause judges, denies, compares or wishes; nor does any other clause, but those that speak of another
    aspect and, behind it, refer to nothing. Nothing in the text gives reasons. Another sentence may say anything if it
    could not speak of what was said before.
    """
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    if not _GIVING_REASONS.isdisjoint(lowered):
        return False
    if any(_reaches(lowered, opinion, aspect) for aspect in _without_opinion(aspects, found)):
        return False
    if _governs_more(lowered, opinion) or _is_listed(lowered, opinion):
        return False
    known = {i for each in found for i in range(each.start, each.stop)}
    known |= {i for aspect in aspects for i in range(aspect.start, aspect.stop)}
    own = {*range(opinion.start, opinion.stop)}
    others = {
        i for number, each in enumerate(aspects) if number not in opinion.aspects for i in range(each.start, each.stop)
    }
    for start, stop in _sentences(lowered):
        if own.isdisjoint(range(start, stop)):
            if not _is_about_else(lowered, start, stop, known):
                return False
        elif not all(
            _may_stand_beside(lowered, clause, known, others, opinion)
            for clause in _clauses(lowered, start, stop, opinion)
        ):
            return False
    return True


def _governs_more(lowered: Sequence[str], opinion: Opinion) -> bool:
    """Whether what somebody feels is of further things behind: *I love its solid build , light weight and screen*."""
    if not any(of_kind(word, "VERB", "FEEL") for word in lowered[opinion.start : opinion.stop]):
        return False
    behind = [*lowered[opinion.stop :]]
    if behind[:1] not in ([","], ["and"], ["&"], ["plus"]):
        return False
    stop = next((i for i, word in enumerate(behind[2:], 2) if word in _PARTING or word in _ENDS), len(behind))
    clause = behind[1 + (behind[1:2] == ["and"]) : stop]
    return (_CLAIMING | COPULAS).isdisjoint(clause)


def _is_listed(lowered: Sequence[str], opinion: Opinion) -> bool:
    """Whether it is one of the things that a word in front says: *I love its build and light weight*."""
    begun = next((i + 1 for i in reversed(range(opinion.start)) if lowered[i] in _ENDS), 0)
    front = lowered[begun : opinion.start]
    if ":" in front:
        return True
    said = max(
        (i for i, word in enumerate(front) if word == "for" or of_kind(word, "VERB", "FEEL")), default=len(front)
    )
    between = front[said + 1 :]
    return not _ADDING.isdisjoint(between) and (_CLAIMING | COPULAS).isdisjoint(between)


def _clauses(lowered: Sequence[str], start: int, stop: int, opinion: Opinion) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence, as marks and *and* part them; that of the opinion is whole."""
    begun = start
    for i in range(start, stop):
        if lowered[i] in _PARTING and not opinion.start <= i < opinion.stop:
            if begun < i:
                yield begun, i
            begun = i + 1
    if begun < stop:
        yield begun, stop


def _may_stand_beside(
    lowered: Sequence[str], clause: tuple[int, int], known: Set[int], others: Set[int], opinion: Opinion
) -> bool:
    """Whether a clause, of the opinion or another one, says nothing that bears on the opinion."""
    places = range(*clause)
    is_own = clause[0] <= opinion.start < clause[1]
    if not is_own and not others.isdisjoint(places):
        behind = places.start >= opinion.stop
        return not (behind and not _REFERRING.isdisjoint(lowered[places.start : places.stop]))
    if not is_own and places.start >= opinion.stop and _goes_on_with(lowered, places.start):
        before = next((i for i in range(places.start - 1, opinion.stop, -1) if i in known), None)
        if before not in others:
            return False
    if is_own and _says_more(lowered[opinion.stop : places.stop]):
        return False
    last = opinion.stop - 1
    is_aside = lowered[places.start - 1 : places.start] == ["("]
    if not is_aside and any(any(map(str.isdigit, lowered[i])) for i in places if i > last and i not in known):
        return False
    if places.start > last and lowered[places.start - 1] == ":":
        return False
    if places.start > last and not _REFERRING.isdisjoint(lowered[places.start : places.stop]):
        return False
    if len(places) > _LONGEST or "?" in lowered[places.stop : places.stop + 1]:
        return False
    if lowered[places.start] in _ASKING:
        return False
    return not any(
        (_disturbs(lowered, i) and (is_own or _sign(lowered[i]) is None)) or _adds_a_claim(lowered, i - 1, known)
        for i in places
        if i not in known
    )


def _says_more(behind: Sequence[str]) -> bool:
    """Whether a relative clause behind the opinion judges: *which is a joy*, and not *which has big keys*."""
    if _RELATIVE.isdisjoint(behind):
        return False
    doubtful = _NEGATIONS | _NOT_SO | words_known().keys() | _AUXILIARIES - {"has", "have", "had"} | COPULAS
    return not doubtful.isdisjoint(behind) or any(word.endswith("n't") for word in behind)


def _sign(word: str) -> str | None:
    """The polarity of a word that can only praise or only blame; None for others."""
    signs = {sign for each in words_known().get(word, ()) for sign in each.polarities}
    return signs.pop() if len(signs) == 1 and word not in _NOT_SO else None


def _goes_on_with(lowered: Sequence[str], place: int) -> bool:
    """Whether a clause begins without a subject, and so may say more of the one before: *and ran smoothly*."""
    kinds = pairs("word_classes_en").get(lowered[place], "").split("|")
    if lowered[place].endswith("ing"):
        return False
    if lowered[place] in COPULAS | _AUXILIARIES:
        return True
    return (
        lowered[place] not in DETERMINERS | _CLAIMING and "NOUN" not in kinds and not {"VERB", "ADJ"}.isdisjoint(kinds)
    )


_AUXILIARIES = words_in("has have had does do did can will would could may might be been being")
_PARTING = frozenset([",", ";", ":", "-", "--", "–", "—", "(", ")", "and", "but", "&"])
_ADDING = frozenset([",", "and", "&", "plus"])
_RELATIVE = words_in("which that who where")
_ASKING = words_in("get buy try")
_GIVING_REASONS = words_in("because since why if unless reason reasons therefore thus hence cause cuz due")


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


def _adds_a_claim(lowered: Sequence[str], place: int, known: Set[int]) -> bool:
    """Whether *and* joins a claim of somebody's that is no opinion known: *and I have bought another*."""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    return lowered[place] == "and" and following in _CLAIMING and place + 2 not in known


def _disturbs(lowered: Sequence[str], place: int) -> bool:
    word, following = lowered[place], lowered[place + 1] if place + 1 < len(lowered) else ""
    before = lowered[place - 1] if place else ""
    if (word == "such" and following in ("a", "an")) or (word == "would" and following == "recommend"):
        return False
    if word == "not" and [*lowered[place + 1 : place + 3]] == ["to", "mention"]:
        return False
    if word in _NOT_SO or word in _NEGATIONS or word.endswith("n't"):
        return True
    if word == "like" and before not in _LIKING:
        return False
    if word == "so" and following not in words_known():
        return True
    return word in words_known() and not _is_beside(lowered, place)


_LIKING = _CLAIMING | ADVERBS | words_in("to do not n't don't didn't doesn't") | {""}
"""Words before *like* where it may be the verb."""


def _is_beside(lowered: Sequence[str], place: int) -> bool:
    """Whether the word only describes another thing, as in *a great laptop*."""
    word = of_kind(lowered[place], "ADJ")
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    before = lowered[place - 1] if place else ""
    if lowered[place] in ("best", "worst") or lowered[place].endswith("est"):
        return False
    return (
        word is not None
        and "NOUN" in pairs("word_classes_en").get(following, "")
        and (before in DETERMINERS or before in ("for", "in", "with", "of", "as"))
    )


def rejoined(
    sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
) -> list[Edit] | None:
    """Edits of *and* and *but* between opinions that have these ``polarities`` now; None where one would be wrong.

    A comma gets a *but* where nothing else turns, and a *though* before what alone differs amid the others. Aspects
    without an opinion that is found stand for one, by their polarity. Where praise and blame would turn more often, or
    follow each other with neither *but* nor a stop between, the sentence would be none.
    """
    lowered = [token.lower() for token in sentence.tokens]
    edits, free = list[Edit](), set[int]()
    parts = _parts(lowered, aspects, found, polarities)
    turns = sum(one != other for (*_, one), (*_, other) in pairwise(parts))
    if turns > 1 and turns > sum(one != other for (*_, one, _), (*_, other, _) in pairwise(parts)):
        return _set_apart(sentence, lowered, parts)
    for (_, stop, old, one), (start, _, other_old, other) in pairwise(parts):
        gap = lowered[stop:start]
        lone = sum(map(gap.count, ("and", "but"))) == 1
        joint = next((word for word in gap if word in ("and", "but") and lone and len(gap) <= _FAR), None)
        free.update(range(stop, start))
        if not _OF_EXAMPLES.isdisjoint(gap) and one != other:
            return None
        turns_here = old == other_old and one != other
        if turns_here and gap.count(",") == 1 and len(gap) <= _FAR and _STOPS.union(("and", "but")).isdisjoint(gap):
            edits += [_part_clauses(sentence, stop + gap.index(","), "but")] * (turns == 1)
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
    contrasts = _CONTRASTS - _TO_CONTEXT if len(parts) == 1 else _CONTRASTS
    free.update({0} if len(parts) == 1 else ())
    lone = any((word == "but" and i not in free) or word in contrasts for i, word in enumerate(lowered))
    return None if lone or len(edits) > 1 else edits


_OF_EXAMPLES = words_in("including such like especially particularly e.g. namely")
_STOPS = frozenset([".", ";", "!", "?", ":", "(", "-", "--"])


def _set_apart(
    sentence: Sentence, lowered: Sequence[str], parts: Sequence[tuple[int, int, str, str]]
) -> list[Edit] | None:
    """The edit that sets one opinion amid others, with commas around, against them: *good, though stale, cheap*."""
    turned = [k for k, (*_, old, now) in enumerate(parts) if old != now]
    if len(turned) != 1 or len({old for *_, old, _ in parts}) != 1 or not _CONTRASTS.isdisjoint(lowered):
        return None
    (_, before, *_), (start, stop, *_), (after, *_) = parts[turned[0] - 1 : turned[0] + 2]
    ahead, behind = lowered[before:start], lowered[stop:after]
    joins = ahead.count(",") == 1 and max(len(ahead), len(behind)) <= _FAR and behind[:1] == [","]
    if not joins or not _STOPS.union(("and", "but")).isdisjoint(ahead) or not (_STOPS | {"but"}).isdisjoint(behind):
        return None
    return [_part_clauses(sentence, before + ahead.index(","), "though")]


def _part_clauses(sentence: Sentence, comma: int, joint: str) -> Edit:
    """The edit that puts *but* or the like behind a comma."""
    word = joint.upper() if in_capitals(sentence.tokens, comma + 1) else joint
    spaces = (sentence.spaces[comma], " ")
    return Edit(comma, comma + 1, (sentence.tokens[comma], word), spaces=spaces, origins=((comma,), ()))


def _parts(
    lowered: Sequence[str], aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
) -> list[tuple[int, int, str, str]]:
    """Opinions, aspects without one, and judgements on other things: start, stop, polarity before and now."""
    parts = [(each.start, each.stop, each.polarity, now) for each, now in zip(found, polarities, strict=True)]
    known = {number for each in found for number in each.aspects}
    for number, aspect in enumerate(aspects):
        if number not in known and aspect.type in OPPOSITE and not any(a <= aspect.start < b for a, b, *_ in parts):
            parts.append((aspect.start, aspect.stop, aspect.type, aspect.type))
    taken = {i for start, stop, *_ in parts for i in range(start, stop)}
    return sorted([*parts, *_judgements(lowered, taken)])


def _judgements(lowered: Sequence[str], taken: Set[int]) -> Iterator[tuple[int, int, str, str]]:
    """Words of praise or blame in clauses that hold no aspect: *awesome laptop*."""
    bounds = [-1, *(i for i, word in enumerate(lowered) if word in _PARTING or word in _ENDS), len(lowered)]
    for start, stop in pairwise(bounds):
        if taken.isdisjoint(range(start + 1, stop)):
            for i in range(start + 1, stop):
                sign = _sign(lowered[i])
                if sign is not None:
                    yield i, i + 1, sign, sign


def _opinion(
    sentence: Sentence, lowered: Sequence[str], words: Sequence[PlacedWord], gold: str
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
