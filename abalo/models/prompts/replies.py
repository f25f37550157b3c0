"""Reads replies in steps: thoughts, wrappers, JSON, announced answers, places.

A reply is read where it answers. What no step reads is unreadable, None. Nothing is found inside a sentence, and no
step changes the inside of an answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Protocol, TypeVar

from abalo.models.prompts.json_replies import LONGEST, as_text, json_values
from abalo.models.prompts.reply_words import (
    CLOSES,
    CORRECTION,
    NEGATION,
    OPENS,
    SAYING,
    SENTENCES,
    anchor,
    answer_words,
    heading,
)

A_co = TypeVar("A_co", covariant=True)
A = TypeVar("A")

_OUTSIDE = 60
"""Longest line beside a code fence or tag, in characters."""

_AROUND = 400
"""Longest sentence around an answer, in characters."""


# Step 1: thoughts ----------------------------------------------------------------------------------------------------


def after_thoughts(reply: str, given: str = "") -> str | None:
    """The reply behind its last thought; None inside a thought or if too long.

    If the input ``given`` holds such a tag, a closing tag counts only at the end of a line, and an opening tag only at
    the beginning.
    """
    closing = [match.end() for match in CLOSES.finditer(reply)]
    if closing and CLOSES.search(given):
        closing = [end for end in closing if re.match(r"[ \t]*\n\s*\S", reply[end : end + _AROUND])]
    left = reply[closing[-1] :] if closing else reply
    opened = OPENS.match(left.lstrip()) if OPENS.search(given) else OPENS.search(left)
    return None if opened or len(left) > LONGEST else left


# Step 2: fences and tags ---------------------------------------------------------------------------------------------

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n`]*$", re.MULTILINE)
_INLINE = re.compile(r"\s*```([^`\n]+)```\s*")
_TAGS = (
    "final_answer|final|answer|label|translation|output|response|result|conclusion|antwort|resposta|respuesta|réponse"
)
_OPEN, _CLOSE = (re.compile(rf"<{sign}(?:{_TAGS}|答案|回答)>", re.IGNORECASE) for sign in ("", "/"))
_TAGGED = re.compile(rf"[ \t]*[*_`]*<({_TAGS}|答案|回答)>([^<>\n]+)</\1>[*_`.]*[ \t]*", re.IGNORECASE)

_NESTED = 4


def unwrapped(text: str, given: str = "") -> tuple[str, str]:
    """The contents of the only code fence or answer tag, and the line outside; else the text and "".

    Nothing is taken out if more than one line of 60 characters stands outside, or if the input ``given`` has such a
    wrapper.
    """
    outside: list[str] = []
    for _ in range(_NESTED):
        found = _fenced(text, given) or _tagged(text, given)
        if found is None:
            break
        inside, *others = found
        lines = [line.strip() for part in others for line in part.split("\n") if line.strip()]
        if len(outside) + len(lines) > 1 or any(len(line) > _OUTSIDE for line in lines):
            break
        text, outside = inside, outside + lines
    return text, "".join(outside)


def _fenced(text: str, given: str) -> tuple[str, str, str] | None:
    if "```" in given or "~~~" in given:
        return None
    if inline := _INLINE.fullmatch(text):
        return inline[1], "", ""
    marks = [match.span() for match in _FENCE.finditer(text)]
    if len(marks) == 1:  # never closed, or never opened
        (start, stop) = marks[0]
        return (text[:start], "", "") if not text[stop:].strip() else (text[stop:], text[:start], "")
    if len(marks) != 2:
        return None
    (start, opened), (closed, stop) = marks
    return text[opened:closed], text[:start], text[stop:]


def _tagged(text: str, given: str) -> tuple[str, str, str] | None:
    if _OPEN.search(given):
        return None
    opened, closed = ([match.span() for match in tag.finditer(text)] for tag in (_OPEN, _CLOSE))
    if not opened or (closed and closed[0][0] < opened[-1][1]):
        return None
    if not closed:  # the end of the reply closes it
        return (text[opened[-1][1] :], text[: opened[0][0]], "") if len(opened) == 1 else None
    if len(opened) != len(closed):
        return None
    return text[opened[-1][1] : closed[0][0]], text[: opened[0][0]], text[closed[-1][1] :]


# Step 4: announced answers -------------------------------------------------------------------------------------------

_BOXED, _BRACE = re.compile(r"\\boxed\s?\{"), re.compile("[{}]")

_MOST_BOXES = 20


@lru_cache(maxsize=64)
def _patterns(words: str, cue: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return anchor(words, cue), heading(words, cue)


def announced(text: str, cue: str = "", words: str = "") -> list[str]:
    r"""What follows an answer word and a colon, or stands in an answer tag or ``\boxed{}``.

    ``words`` is a pattern of answer words, "" for all; ``cue`` is the word that the prompt ends in.
    """
    return [*_announced(text, cue, words or answer_words())]


def _announced(text: str, cue: str, words: str) -> dict[str, int]:
    """What is announced, and the number of the line that first announces it."""
    begins, alone = _patterns(words, cue)
    found, lines = _boxed(text), [line.strip() for line in text.split("\n")]
    for number, line in enumerate(lines):
        rest = None
        if tagged := _TAGGED.fullmatch(line):
            rest = tagged[2]
        elif match := begins.match(line):
            rest = match[4] if match[3] is None else _closed(match[1], match[2], match[3])
            rest = rest if rest.strip(" \t*_`") else _next_line(lines, number)
        elif alone.fullmatch(line):
            rest = _next_line(lines, number)
        if rest is not None and not _BOXED.search(rest):
            found.setdefault(rest, number)
    return found


def _closed(opened: str, closed: str, rest: str) -> str:
    """The rest without the marks that close what opened before the word."""
    return rest if not opened or closed else rest.replace(opened, "", 1)


def _next_line(lines: Sequence[str], number: int) -> str:
    return next((line for line in lines[number + 1 : number + 5] if line.strip()), "")


def _boxed(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in islice(_BOXED.finditer(text), _MOST_BOXES):
        depth = 1
        for brace in _BRACE.finditer(text, match.end(), match.end() + 2 * _AROUND):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                inside = text[match.end() : brace.start()]
                if not _BOXED.search(inside):
                    found.setdefault(inside, text.count("\n", 0, match.start()))
                break
    return found


# Step 5: places ------------------------------------------------------------------------------------------------------


class Allowed(Protocol[A_co]):
    """The answers that a reply may give.

    ``longest`` is the length of the longest; ``bare`` if an answer alone is a sentence.
    """

    @property
    def longest(self) -> int: ...

    @property
    def bare(self) -> bool: ...

    def exactly(self, said: str) -> A_co | None:
        """The answer that is all of a reply, as it is."""
        ...

    def of(self, said: str) -> A_co | None:
        """The answer that a piece of a reply is."""
        ...

    def of_json(self, value: object) -> A_co | None:
        """The answer that a JSON value is."""
        ...

    def joined(self, text: str) -> str:
        """The text, with lines that together are one answer as one line."""
        ...


@dataclass(frozen=True, slots=True)
class Closed:
    """How a reply with one of several answers is read.

    ``keys`` are JSON keys, the first found counts; ``json`` if JSON was asked for. ``words`` announce an answer.
    """

    keys: tuple[str, ...]
    json: bool
    words: str


def read_closed(reply: str, allowed: Allowed[A], how: Closed, cue: str = "") -> A | None:
    """The allowed answer that a reply gives; None if it gives none, or different ones."""
    if len(reply) <= LONGEST and (exact := allowed.exactly(reply)) is not None:
        return exact
    left = after_thoughts(reply)
    if left is None:
        return None
    text, outside = unwrapped(left)
    for key in how.keys:
        if values := json_values(text if not how.json else left, key, whole=not how.json):
            return _same([allowed.of_json(value) for value in values])
    text = allowed.joined(text)
    led = [
        (number, answer)
        for rest, number in _announced(text, cue, how.words).items()
        for answer in _answers_in(rest, allowed)
    ]
    found = [answer for _, answer in led]
    if led:
        later = "\n".join(text.split("\n")[min(number for number, _ in led) :])
    else:
        found, later = _in_places(text, allowed)
    if found and later:
        found += [each for each in _said_later(later, allowed, cue, how.words) if not _repeats(each, found[0])]
    if found and outside:
        found += _in_places(outside, allowed)[0]
        found += [answer for rest in announced(outside, cue, how.words) for answer in _answers_in(rest, allowed)]
    return _same(found)


def _same(found: Sequence[A | None]) -> A | None:
    return found[0] if found and all(each == found[0] for each in found) else None


def _answers_in(rest: str, allowed: Allowed[A]) -> list[A]:
    """The answers behind an answer word, different ones if it contradicts itself."""
    if len(rest) <= _AROUND + allowed.longest and (whole := allowed.of(rest)) is not None:
        return [whole]
    return _first_sentence(rest, allowed, bare=True)


def _in_places(text: str, allowed: Allowed[A]) -> tuple[list[A], str]:
    """The answers of the whole text or its ends, and the text from the first of them on."""
    longest = _AROUND + allowed.longest
    if len(text) <= longest and (whole := allowed.of(text)) is not None:
        return [whole], ""
    text = _behind_list(text, allowed)
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return [], ""
    if text.lstrip("\r\n").split("\n", 1)[0].strip():
        first = [*_of_line(lines, 0, allowed), *_first_sentence(lines[0], allowed, bare=allowed.bare)]
    else:
        first = []
    last = [*_of_line(lines, len(lines) - 1, allowed), *_last_sentence(lines[-1], allowed)]
    return first + last, text if first else ""


def _of_line(lines: Sequence[str], number: int, allowed: Allowed[A]) -> list[A]:
    """The answer that a line is, unless the end of the line before belongs to it."""
    line = lines[number]
    answer = allowed.of(line) if len(line) <= _AROUND + allowed.longest else None
    if answer is None:
        return []
    words = lines[number - 1][-_AROUND:].split() if number else []
    if words:
        before = bare_words(words[-1])
        longer = allowed.of(f"{before} {bare_words(line)}")
        if NEGATION.fullmatch(before) or longer not in (None, answer):
            return []
    return [answer]


_MOST_LATER = 2000
"""Lines, and sentences, that may take an answer back."""

_OPTIONS = 3
"""Different answers on lines that follow each other are options, from this number."""


def _said_later(text: str, allowed: Allowed[A], cue: str, words: str) -> Iterator[A]:
    """Answers of later lines, and of sentences that announce or correct one."""
    longest = _AROUND + allowed.longest
    lines = [line for line in text.split("\n") if line.strip()][:_MOST_LATER]
    run: list[A] = []
    for number in range(1, len(lines) + 1):
        answers = _of_line(lines, number, allowed) if number < len(lines) else []
        if not answers:
            yield from run if len({*run}) < _OPTIONS else ()
            run = []
        run += answers
    begins, _ = _patterns(words, cue)
    for sentence in islice(dict.fromkeys(each for line in lines for each in _sentences(line, longest)), _MOST_LATER):
        plain = unmarked(sentence).strip()
        correction = CORRECTION.match(plain)
        said = plain[correction.end() :] if correction else plain
        match = begins.match(said)
        answer = allowed.of(match[3] or match[4] or "") if match else None
        answer = allowed.of(said) if answer is None and correction else answer
        answer = _of_sentence(said, allowed, SENTENCES if correction else SAYING) if answer is None else answer
        if answer is not None:
            yield answer


def _sentences(line: str, longest: int) -> Iterator[str]:
    """The sentences of a line, each with what corrects the one before."""
    start = 0
    for match in [*_END.finditer(line), None]:
        stop = match.end() if match else len(line)
        piece = line[start:stop]
        if match and (correction := CORRECTION.match(piece.lstrip() + " ")) and correction.end() >= len(piece.lstrip()):
            continue
        if piece.strip() and len(piece) <= longest:
            yield piece
        start = stop


def _repeats(later: object, first: object) -> bool:
    """Whether a later answer is the first, or one of its labels."""
    several = isinstance(later, tuple) and isinstance(first, tuple) and later and set(later) <= set(first)
    return later == first or bool(several)


def _behind_list(text: str, allowed: Allowed[A]) -> str:
    """What stands behind a list of different answers at the beginning, such as options said again; else the text."""
    left, seen = text.lstrip("\r\n"), list[A]()
    while left:
        line, _, rest = left.partition("\n")
        answer = allowed.of(line) if len(line) <= _AROUND + allowed.longest else None
        if answer is None or answer in seen:
            break
        seen.append(answer)
        left = rest
    return left if len(seen) > 1 and left.strip() else text


_END = re.compile(r"(?:(?<![.!])[.!]++(?=[\s*_`\"”’)]|$)|[。！])[*_`\"”’)]*")


def _first_sentence(line: str, allowed: Allowed[A], *, bare: bool) -> list[A]:
    longest = _AROUND + allowed.longest
    ends = [match.end() for match in _END.finditer(line, 0, longest)][:4]
    for end in [*ends, *([len(line)] if len(line) <= longest else [])]:
        head, tail = line[:end], line[end:]
        answer = allowed.of(head) if bare and end in ends else None
        answer = _of_sentence(head, allowed) if answer is None else answer
        if answer is not None:
            other = allowed.of(tail) if len(tail) <= longest and tail.strip() else None
            return [answer] if other is None else [answer, other]
    return []


def _last_sentence(line: str, allowed: Allowed[A]) -> Iterator[A]:
    last = line.rstrip()[-_AROUND - allowed.longest :]
    starts = [match.end() for match in _END.finditer(last) if match.end() < len(last)]
    whole = [0] if len(last) == len(line.rstrip()) else []
    for start in [*reversed(starts[-4:]), *whole]:
        answer = _of_sentence(last[start:], allowed)
        if answer is not None:
            yield answer
            return


def _of_sentence(sentence: str, allowed: Allowed[A], forms: Sequence[re.Pattern[str]] = SENTENCES) -> A | None:
    """The answer of a sentence with one of the listed forms."""
    plain = unmarked(sentence).strip().rstrip(".。!！")
    for form in forms:
        match = form.fullmatch(plain)
        if match and not re.fullmatch(r"\W*[a-z]\W*", match[1]):
            answer = allowed.of(match[1])
            if answer is not None:
                return answer
    return None


# Marks around an answer ----------------------------------------------------------------------------------------------

_EMPHASIS = (
    re.compile(r"(\*{1,3}|`{1,3})(?=\S)([^*`\n]{1,400}?)(?<=\S)\1"),
    re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^\n]{1,400}?)(?<=[^\s_])\1(?!\w)"),
)


def unmarked(sentence: str) -> str:
    """The sentence without marks of emphasis and headings."""
    plain = re.sub(r"^\s*(?:>\s*)?(?:#{1,6}\s+)?", "", sentence)
    for marks in _EMPHASIS:
        plain = marks.sub(r"\2", plain)
    return plain


_Around = tuple[tuple[str, str], ...]

_STRESS: _Around = tuple((marks, marks) for marks in ("***", "**", "*", "___", "__", "_", "```", "`"))
_QUOTES: _Around = (
    *(('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("‹", "›")),
    *(("「", "」"), ("『", "』")),
)
_BRACKETS: _Around = (
    *(("(", ")"), ("（", "）"), ("[", "]"), ("{", "}"), ("<", ">"), ("《", "》"), ("【", "】")),
    *(("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")),
)
_PAIRS = (*_STRESS, *_QUOTES, *_BRACKETS)
_BEFORE = re.compile(r"(?:#{1,6}\s+|>\s*|[-•*]\s+(?=[^\W\d]))")
_AFTER = re.compile(r"(?:(?<![.。!！])[.。!！]++|[,，;；:：])$")
_COMMAND = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|boxed)\s?\{([^{}]*)\}")


def peeled(text: str) -> Iterator[str]:
    """The text, each time with less white space, quotes, brackets, emphasis or final marks around it."""
    yield text
    for _ in range(12):
        before, text = text, _less(text)
        if text == before:
            return
        yield text


def _less(text: str) -> str:
    if text != text.strip():
        return text.strip()
    inside = _inside(text, _PAIRS)
    if inside is not None:
        return inside
    if command := _COMMAND.fullmatch(text):
        return command[1]
    if begins := _BEFORE.match(text):
        return text[begins.end() :]
    return _AFTER.sub("", text) if len(text) > 1 else text


def _inside(text: str, pairs: _Around) -> str | None:
    for opened, closed in pairs:
        if len(text) > len(opened) + len(closed) and text.startswith(opened) and text.endswith(closed):
            inside = text[len(opened) : len(text) - len(closed)]
            if opened not in inside and closed not in inside:
                return inside
    return None


def unquoted(text: str, *, stressed: bool) -> str:
    """The text without white space and quotes around the whole; ``stressed``: without emphasis, too."""
    text = text.strip()
    for _ in range(_NESTED):
        inside = _inside(text, (*_STRESS, *_QUOTES) if stressed else _QUOTES)
        if inside is None or (not stressed and text[0] in "'‘" and inside[-1] not in ".!?…"):
            break
        text = inside.strip()
    return text


def has_quotes(text: str) -> bool:
    """Whether a text holds any mark of quotation."""
    return any(mark in text for pair in _QUOTES for mark in pair if mark not in "'’‘")


def bare_words(text: str) -> str:
    """The text without anything around it."""
    *_, last = peeled(text)
    return last


def folded(text: str) -> str:
    """Equal for names that differ in letter case, width, or in ``_``, ``-`` and blank between letters."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").casefold()
    return " ".join(re.sub(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])", " ", plain).split())


@dataclass(frozen=True, slots=True)
class AllowedNames:
    """Allowed names; those that folding makes equal are read only exactly."""

    names: tuple[str, ...]
    by_fold: Mapping[str, frozenset[str]]

    @classmethod
    def among(cls, names: Sequence[str]) -> AllowedNames:
        return _names(tuple(names))

    def of(self, said: str) -> str | None:
        """The name that ``said`` is, perhaps in quotes, brackets or emphasis."""
        for level in peeled(said):
            if level in self.names:
                return level
            same = self.by_fold.get(folded(level), frozenset())
            if len(same) == 1:
                return next(iter(same))
        return None


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> AllowedNames:
    found: dict[str, frozenset[str]] = {}
    for name in names:
        for key in {folded(name), folded(bare_words(name))} - {""}:
            found[key] = found.get(key, frozenset()) | {name}
    return AllowedNames(names, found)


def label_of(said: object, labels: tuple[str, ...]) -> str | None:
    """The label that a JSON value or a mark names, or None."""
    return AllowedNames.among(labels).of(said) if isinstance(said, str) and len(said) <= _AROUND else None


@dataclass(frozen=True, slots=True)
class OneName:
    """One of several labels, as a tuple."""

    names: AllowedNames

    @property
    def bare(self) -> bool:
        return all(len(name) > 1 for name in self.names.names)

    @property
    def longest(self) -> int:
        return max(map(len, self.names.names), default=0)

    def exactly(self, said: str) -> tuple[str, ...] | None:
        return (said,) if said in self.names.names else None

    def of(self, said: str) -> tuple[str, ...] | None:
        found = self.names.of(said)
        return None if found is None else (found,)

    def joined(self, text: str) -> str:
        return text

    def of_json(self, value: object) -> tuple[str, ...] | None:
        value = value[0] if isinstance(value, list) and len(value) == 1 else value
        text = as_text(value)
        return None if text is None else self.of(text)


_ITEM = re.compile(r"(?<!\s)\s*+(?:[-•*+]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class SeveralNames(OneName):
    """Any number of labels, sorted; none by one of the words ``nothing``."""

    nothing: frozenset[str] = frozenset()

    @property
    def longest(self) -> int:
        return sum(map(len, self.names.names)) + 10 * len(self.names.names)

    def of(self, said: str) -> tuple[str, ...] | None:
        single = self.names.of(said)
        if single is not None:
            return (single,)
        if folded(bare_words(said)) in self.nothing:
            return ()
        pieces = [piece for piece in re.split(r"[,;，、；\n]", bare_words(said)) if piece.strip()]
        pieces = [re.sub(r"^\s*(?:and|e|y|und|et|和)\s", "", piece) for piece in pieces]
        found = {self.names.of(piece) for piece in pieces} if len(pieces) > 1 else {None}
        return None if None in found else tuple(sorted(filter(None, found)))

    def joined(self, text: str) -> str:
        """The text with each list of labels as one line, also of those with something else among them."""
        found: list[str] = []
        run: list[str] = []
        for line in [*text.split("\n"), "\0"]:
            listed = _ITEM.match(line) is not None
            goes_on = run and (not line.strip() or listed == (_ITEM.match(run[0]) is not None))
            if goes_on and (listed or not line.strip() or self._item(line)):
                run.append(line)
                continue
            items = [each for each in run if each.strip()]
            names = [self._item(each) for each in items]
            if len(items) > 1 and any(names):
                run = [", ".join(name or each for name, each in zip(names, items, strict=True)), ""]
            found += run
            run = [line] if listed or self._item(line) else []
            found += [] if run else [line]
        return "\n".join(found[:-1])

    def _item(self, line: str) -> str | None:
        """The label that a line is, perhaps behind the sign or number of a list."""
        short = line if len(line) <= self.longest + _AROUND else ""
        return self.names.of(short) or self.names.of(_ITEM.sub("", short, count=1))

    def of_json(self, value: object) -> tuple[str, ...] | None:
        listed = value if isinstance(value, list) else [value]
        texts = [as_text(each) for each in listed]
        found = {None if text is None else self.names.of(text) for text in texts}
        return None if None in found else tuple(sorted(filter(None, found)))
