"""A sentence without the answer at another place of the passage."""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from itertools import pairwise

from perturbations.answers import answers_in
from perturbations.catalogue import sentence_level
from perturbations.families.reading.passages import (
    DEFINITE,
    PassagePart,
    holds,
    looks_back,
    parts_of,
    points_back,
    reorder,
    speaks_of,
    stems_in,
    tells_first,
)
from perturbations.languages import ANY, has, optional_rules
from perturbations.languages.language import words_in
from perturbations.languages.parts import Verbs
from perturbations.lexicons import pairs, words
from perturbations.stops import ends_text
from perturbations.text import Edit, Sentence


@sentence_level(
    title="A sentence without the answer moved",
    kind="syntax",
    labels="moves",
    monotone=False,
    knows=("anaphors", "pointing_words", "stop_words", "word_classes", "verbs"),
    aliases=("ModifyPos",),
    scheme="reading",
    example=(
        "[Lima answer] fica no Peru . O juiz saiu cedo . Ana mora em Recife há anos .",
        "Ana mora em Recife há anos . [Lima answer] fica no Peru . O juiz saiu cedo .",
    ),
)
def modify_pos(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """A sentence without an answer moves to the front or the end [TextFlint, catalogue name "ModifyPos"].

    Every token is there once. Neither the sentence that moves nor the one behind it looks back, as *he*, *this* or
    *however* do, as far as the ``language`` has lists of these; with "any" none is known. The one behind speaks of
    nothing that was told in the moved one first. A dated one stays beside another. To the front moves only what begins
    with a name, a date or *a*, and speaks of nothing known. The first sentence stays, and so do headings and replies to
    questions. A passage needs two sentences, and a final mark.
    """
    answers = answers_in(sentence)
    parts = parts_of(sentence, answers)
    if len(parts) < 2 or not ends_text(sentence) or any(_is_step(sentence, part) for part in parts):
        return []
    back = [language != ANY and looks_back(sentence, part, language) for part in parts]
    points = [language != ANY and points_back(sentence, part, language, _SUBJECT) for part in parts]
    near = [language != ANY and points_back(sentence, part, language, _REACH) for part in parts]
    made = []
    for k, part in enumerate(parts):
        before, behind = parts[:k], parts[k + 1 :]
        follows = bool(behind) and (back[k + 1] or near[k + 1] or _concludes(sentence, behind[0]))
        if holds(part, answers) or back[k] or points[k] or follows or not _is_whole(sentence, parts, k, language):
            continue
        names, stems = tells_first(sentence, part, before)
        begins = behind and sentence.tokens[behind[0][0]] in sentence.tokens[part[0] + 1 : part[1]]
        if (
            k > 0
            and not (back[0] or _has_enclitic(sentence, parts[0]))
            and not _is_known(sentence, part, language)
            and _opens(sentence, part, [*before, *behind], language)
        ):
            made.append(reorder(sentence, [part, *before, *behind]))
        known = not _is_known(sentence, part, language) or not _all_new(sentence, part, [*before, *behind])
        if (
            k > 0
            and behind
            and known
            and not (_is_dated(sentence, part) and any(_is_dated(sentence, each) for each in (before[-1], behind[0])))
            and not (begins or _continues(sentence, part, before[-1], language))
            and not any(speaks_of(sentence, each, names, stems) for each in behind[:_NEAR])
            and not any(_means(sentence, each, stems, _DEMONSTRATIVE) for each in behind)
            and not (language == "pt" and _means(sentence, behind[0], stems, DEFINITE))
        ):
            made.append(reorder(sentence, [*before, *behind, part]))
    return [made] if made else []


def _continues(sentence: Sentence, part: PassagePart, before: PassagePart, language: str) -> bool:
    """Whether a sentence begins with *the area* or the like, and the one before it with *another area*."""
    start, named = part[0], stems_in(sentence, [(before[0], before[0] + _PHRASE)])
    bare = _is_known(sentence, part, language) and _OF.isdisjoint(sentence.tokens[start : start + _PHRASE])
    return bare and not named.isdisjoint(stems_in(sentence, [(start, start + 2)]))


def _means(sentence: Sentence, part: PassagePart, stems: Set[str], determiners: Container[str]) -> bool:
    """Whether a sentence has one of the words, with any letter case, behind *this* or another determiner."""
    start, stop = part
    meant = [(k, k + 1) for k in range(start + 1, stop) if sentence.tokens[k - 1].lower() in determiners]
    return not stems.isdisjoint(stems_in(sentence, meant))


def _concludes(sentence: Sentence, part: PassagePart) -> bool:
    """Whether a sentence draws a conclusion from what stands before it, or says *this*, *some* or *-a* of it."""
    tokens = [token.lower() for token in sentence.tokens[slice(*part)]]
    return (
        tokens[0] in _SOME
        or tokens[:2] == ["o", "que"]
        or _has_enclitic(sentence, part)
        or not _CONCLUDING.isdisjoint(tokens[:_REACH])
        or not _DEMONSTRATIVE.isdisjoint(tokens[:_FAR])
    )


def _has_enclitic(sentence: Sentence, part: PassagePart) -> bool:
    opening = sentence.tokens[part[0] : min(part[0] + _REACH, part[1])]
    return any(token.endswith(_ENCLITICS) for token in opening)


_SOME = frozenset(["algum", "alguma", "alguns", "algumas", "algo"])
"""First words that are *some* of something told before."""

_ENCLITICS = ("-o", "-a", "-os", "-as", "-lo", "-la", "-los", "-las", "-no", "-na", "-nos", "-nas")
"""Ends of Portuguese verbs with a pronoun: *visitou-a*."""

_FAR = 12
"""Words at the beginning of a sentence in which *this* or *the same* stands for something told before."""

_CONCLUDING = words_in("then therefore thus hence então portanto assim adicionalmente")


def _is_dated(sentence: Sentence, part: PassagePart) -> bool:
    """Whether a sentence begins with a date or another time, and so has its place in a story."""
    opening = [token.lower() for token in sentence.tokens[part[0] : part[0] + _PHRASE + 1]]
    return opening[0] in _DATING and any(len(word) == _YEAR and word.isdigit() for word in opening[1:])


_YEAR = 4
"""Digits of a year."""


def _is_step(sentence: Sentence, part: PassagePart) -> bool:
    """Whether a sentence tells what came next, so that the sentences of the passage have an order."""
    return sentence.tokens[part[0]].lower() in _NEXT


_NEXT = words_in(
    "then next meanwhile afterwards finally eventually first firstly second secondly third lastly soon subsequently "
    "então depois enfim finalmente primeiramente segundo"
)
"""First words of sentences that tell a step of a story or a list."""


def _is_whole(sentence: Sentence, parts: Sequence[PassagePart], k: int, language: str) -> bool:
    """Whether a sentence is more than a heading, and neither asks nor answers nor compares."""
    start, stop = parts[k]
    verbs = optional_rules(language, "verbs", Verbs)
    tokens = sentence.tokens[start:stop]
    verb = verbs is None or len(tokens) > _LONG or any(map(verbs.could_be_finite, (token.lower() for token in tokens)))
    asked = any("?" in sentence.tokens[slice(*each)] for each in parts[max(0, k - 1) : k + 1])
    lowered = [token.lower() for token in tokens]
    compares = (
        lowered[0] in _COMPARING
        or not _ADDING.isdisjoint(lowered)
        or lowered[1] in ("practice", "prática", "fato", "fact", "verdade")
    )
    counted = any(word == "more" and led in _NUMBERS for led, word in pairwise(lowered))
    led = language == "pt" and lowered[0].endswith(_PARTICIPLES)
    later = lowered[0] in _SINCE and not any(token[0].isdigit() for token in tokens[:_LEAST])
    return len(tokens) >= _LEAST and verb and not (asked or compares or counted or led or later)


def _opens(sentence: Sentence, part: PassagePart, others: Sequence[PassagePart], language: str) -> bool:
    """Whether a passage can begin with a sentence: it begins with a name, and speaks of nothing that was told."""
    first, second = sentence.tokens[part[0]].lower(), sentence.tokens[part[0] + 1]
    dated = first in _DATING and (second[0].isdigit() or second[0].isupper())
    listed = has(language, "word_classes")  # else nobody knows names from other words
    plain = not listed or first in pairs(f"word_classes_{language}") or first in _stops(language)
    name, tokens = sentence.tokens[part[0]], sentence.tokens[: part[0]]
    told = any(each == name and led[0].isupper() for led, each in pairwise(tokens))
    explained = {word for word, after in pairwise(tokens) if word[0].isupper() and after in (",", "(")}
    if not explained.isdisjoint(sentence.tokens[slice(*part)]):
        return False
    fits = dated or first in _INDEFINITE or not (plain or told)  # or the name is short for one told before
    return fits and not speaks_of(sentence, part, frozenset(), stems_in(sentence, others))


_DATING = frozenset(["in", "on", "since", "by", "after", "em", "desde", "após", "在", "自"])
_INDEFINITE = frozenset(["a", "an", "um", "uma"])
"""Words with which a sentence can begin a passage."""


def _stops(language: str) -> Container[str]:
    return words(f"stop_words_{language}") if has(language, "stop_words") else ()


def _all_new(sentence: Sentence, part: PassagePart, others: Sequence[PassagePart]) -> bool:
    """Whether no other sentence has one of the words behind the article with which a sentence begins."""
    start = part[0] + 1
    stems = stems_in(sentence, [(start, min(start + _PHRASE, part[1]))]) - {"were", "have", "will"}
    defined = not _OF.isdisjoint(
        sentence.tokens[start : start + _PHRASE]
    )  # it says itself what it is: *the course of the wall*
    return not defined and sentence.tokens[start][0].islower() and stems.isdisjoint(stems_in(sentence, others))


_OF = frozenset(["of", "de", "do", "da", "dos", "das"])


def _is_known(sentence: Sentence, part: PassagePart, language: str) -> bool:
    """Whether a sentence begins with a definite article, and so speaks of something that was told before."""
    first = sentence.tokens[part[0]].lower()
    return first in DEFINITE and not (first == "a" and language == "en")


_REACH = 7
"""Words at the beginning of a sentence in which a pronoun stands for something told before."""

_SUBJECT = 9
"""Words of a sentence behind which a pronoun stands for something that the sentence itself has told."""

_NEAR = 1
"""Sentences behind one that moves away, which may need it."""

_PHRASE = 3
"""Words behind an article that may name what it is about."""

_LONG = 16
"""Words and marks of a sentence that is no heading, even if no list knows its verb."""

_LEAST = 6
"""Words and marks of a sentence below which it is a heading or a remark."""

_DEMONSTRATIVE = words_in(
    "this these such same former latter "
    "este esta estes estas esse essa esses essas isto isso neste nesta nestes nestas nesse nessa nesses nessas "
    "deste desta destes destas desse dessa desses dessas mesmo mesma mesmos mesmas tal tais"
)

_ADDING = _DEMONSTRATIVE | words_in(
    "third fourth another either additional eventually again therefore thus hence however moreover "
    "terceiro terceira quarto quarta ainda novamente adicional adicionais portanto contudo outro outra outros outras "
    "anterior anteriores seu sua seus suas"
)
"""Words anywhere in a sentence that add to something told before, or point to it."""

_NUMBERS = words_in("one two three four five six many several some no once")

_PARTICIPLES = ("ndo", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas")
"""Ends of Portuguese verbs that lead to a subject told before: *Criado em 1977, o curso*."""

_SINCE = frozenset(["after", "since", "após", "desde", "depois"])

_COMPARING = words_in(
    "early earlier later minor major additional further more most other see all each "
    "mais menos maiores menores demais todos todas cada apesar"
)
