"""Another mark at the end, and brackets around it all."""

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import Layout, layout
from perturbations.perturbation import Options
from perturbations.text import Edit, Origins, Sentence

_FINAL = frozenset("。！？…；，、.!?;,")
_CLOSING = frozenset("”’』」）】》〉)]\"'")
_MARKS = ("。", "，", "；", "……")
_BRACKETS = (("“", "”"), ("（", "）"), ("【", "】"), ("「", "」"))


@sentence_level(
    kind="pragmatics",
    languages=("zh",),
    aliases=("CnPunctuation",),
    example=("[王 伟 PER] 走 了 。", "“ [王 伟 PER] 走 了 ； ”"),
)
def zh_punctuation(sentence: Sentence, *, add_bracket: bool = True) -> list[Options]:
    """Another mark at the end, and a pair of brackets around it all [TextFlint, catalogue name "CnPunctuation"].

    The marks are 。 ， ； ……, in place of the last one or added; the brackets, of a kind that the text has not, are
    “ ” （ ） 【 】 「 」. A closing bracket at the end gets no mark behind it, and a mark within an entity stays.
    """
    found = layout(sentence)
    if found is None:
        return []
    end = _end_of_words(found)
    present = "".join(sentence.tokens[end:])
    is_closed = not present and sentence.tokens[-1][-1] in _FINAL | _CLOSING
    if not add_bracket:
        marks = () if is_closed else tuple(mark for mark in _MARKS if mark != present)
        return [[_marked(found, end, mark) for mark in marks]]
    characters = set("".join(sentence.tokens))
    pairs = [pair for pair in _BRACKETS if characters.isdisjoint(pair)]
    return [[edit for mark in (("",) if is_closed else _MARKS) for edit in _wrapped(found, end, mark, pairs)]]


def _end_of_words(found: Layout) -> int:
    """Behind the last token that is more than final marks or belongs to an entity; at least 1."""
    tokens = found.sentence.tokens
    end = len(tokens)
    while end > 1 and _FINAL.issuperset(tokens[end - 1]) and end - 1 not in found.entities:
        end -= 1
    return end


def _marked(found: Layout, end: int, mark: str) -> Edit:
    length = len(found.sentence)
    return found.replacing(end, length, (mark,)) if end < length else found.inserting(length, (mark,))


def _wrapped(found: Layout, end: int, mark: str, pairs: Sequence[tuple[str, str]]) -> list[Edit]:
    """Edits of the whole sentence that set the mark and, since they belong together, both brackets."""
    sentence, gap, length = found.sentence, found.gap, len(found.sentence)
    marks = found.cut((mark,)) if mark else ()
    places = [min(end + k, length - 1) for k in range(len(marks))]
    last = [tuple(range(place, length)) for place in places[-1:]]
    of_marks = [(place,) for place in places[:-1]] + last if end < length else [()] * len(marks)
    kept = sentence.spaces[:end] if end < length else (*sentence.spaces[: end - 1], gap)
    spaces = (gap, *kept, *(gap for _ in marks), sentence.spaces[-1])
    origins: Origins = ((), *((i,) for i in range(end)), *of_marks, ())
    body = (*sentence.tokens[:end], *marks)
    return [Edit(0, length, (left, *body, right), spaces=spaces, origins=origins) for left, right in pairs]
