"""The two spans of a relation, and what is told of a person right behind the name or in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from perturbations.answers import OBJECT, SUBJECT
from perturbations.languages import rules
from perturbations.languages.parts import Gender, Kinds, Part, Verbs
from perturbations.resources import sort_of
from perturbations.sites import is_running_text
from perturbations.text import Edit, Sentence, Span, entity_spans

Fronted = Callable[[Sequence[str], Gender | None], Sequence[Part] | None]
Behind = Callable[[Sequence[str]], Sequence[Part] | None]

_LONGEST = 12
"""Words that are moved at most."""
_SPLIT = frozenset('"“”«»()[];:–—-')


def related_spans(sentence: Sentence) -> tuple[Span, ...]:
    """Subject and object, with what the tags call them as their type; without anchors the only two entities."""
    tagged = entity_spans(sentence.entity_tags or ())
    marked = [anchor for anchor in sentence.anchors if anchor.type in (SUBJECT, OBJECT) and len(anchor)]
    if not marked:
        return tuple(tagged) if len(tagged) == 2 and not sentence.anchors else ()
    types = {(span.start, span.stop): span.type for span in tagged}
    return tuple(Span(span.start, span.stop, types.get((span.start, span.stop), "")) for span in marked)


def moved_appositions(
    sentence: Sentence, fronted: Fronted, behind: Behind, language: str, *, closed: bool = False
) -> Iterator[Edit]:
    """Edits that move what is told of a person at the beginning to the other side of the name.

    ``fronted`` says what words behind a name become in front of it, ``behind`` the contrary; both are given the words
    in lower case, and give None for what they do not move. A part of what they give is the place of one of these
    words, or a new word. ``closed`` says that the name has a comma behind it, too, if something stands in front.
    """
    tokens, lowered = sentence.tokens, [token.lower() for token in sentence.tokens]
    for person in related_spans(sentence):
        if sort_of(person.type) != "person":
            continue
        if person.start == 0 and (close := _next_comma(lowered, person.stop + 1)) and tokens[person.stop] == ",":
            start = person.stop + 1
            if _is_plain(lowered[start:close]) and is_finite(sentence, close + 1, language):
                parts = fronted(lowered[start:close], gender_of(sentence, person, language))
                if parts is not None:
                    end: list[Part] = [","] if closed else []
                    yield rebuilt(sentence, close + 1, [*_shift(parts, start), ",", *_places(person), *end])
        comma = person.start - 1
        if comma > 0 and tokens[comma] == "," and "," not in tokens[:comma] and _is_plain(lowered[:comma]):
            parts = behind(lowered[:comma])
            ends = "".join(tokens[person.stop : person.stop + 1]) == ","
            if parts is not None and ends == closed and is_finite(sentence, person.stop + ends, language):
                yield rebuilt(sentence, person.stop + ends, [*_places(person), ",", *parts, ","])


def gender_of(sentence: Sentence, person: Span, language: str) -> Gender | None:
    """The gender that lists of given names tell; None where they do not."""
    name = sentence.tokens[person.start : person.stop]
    found = (rules(language, "kinds", Kinds).kind_of(name, "person") or "").partition(" ")[0]
    return "woman" if found == "woman" else "man" if found == "man" else None


def is_finite(sentence: Sentence, place: int, language: str) -> bool:
    """Whether a word in small letters that could be a finite verb stands there, and none that could be an infinitive.

    So in English no base form, which could be a noun, too: *a SpaceX launch*.
    """
    token, verbs = "".join(sentence.tokens[place : place + 1]), rules(language, "verbs", Verbs)
    if not (token.isalpha() and token.islower() and verbs.could_be_finite(token)):
        return False
    return all(reading.lemma != token for reading in verbs.readings_of(token))


def rebuilt(sentence: Sentence, stop: int, parts: Sequence[Part]) -> Edit:
    """One edit that puts parts in the place of all tokens before ``stop``, with a capital first."""
    tokens, tags, spaces, origins = list[str](), list[str](), list[str](), list[tuple[int, ...]]()
    own_tags = sentence.tags or ("O",) * len(sentence)
    tight = "" if is_running_text(sentence) else " "
    following = [*parts[1:], stop]
    for part, after in zip(parts, following, strict=True):
        kept = isinstance(part, int)
        token = sentence.tokens[part] if isinstance(part, int) else part
        if part == 0 and tokens and own_tags[0] == "O":
            token = token[0].lower() + token[1:]
        tokens.append(token if tokens else token[0].upper() + token[1:])
        tags.append(own_tags[part] if isinstance(part, int) else "O")
        origins.append((part,) if isinstance(part, int) else ())
        together = isinstance(part, int) and after == part + 1 and kept
        spaces.append(sentence.spaces[part] if together and isinstance(part, int) else tight if after == "," else " ")
    return Edit(
        0,
        stop,
        tuple(tokens),
        tags=None if sentence.tags is None else tuple(tags),
        spaces=tuple(spaces),
        origins=tuple(origins),
    )


def _places(span: Span) -> Sequence[Part]:
    return range(span.start, span.stop)


def _shift(parts: Sequence[Part], by: int) -> list[Part]:
    return [part + by if isinstance(part, int) else part for part in parts]


def _next_comma(tokens: Sequence[str], start: int) -> int:
    """The place of the next comma, if something stands before it; else 0."""
    return next((i for i in range(start + 1, min(len(tokens), start + _LONGEST + 1)) if tokens[i] == ","), 0)


def _is_plain(words: Sequence[str]) -> bool:
    return 0 < len(words) <= _LONGEST and _SPLIT.isdisjoint(words)
