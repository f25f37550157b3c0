"""The sentence of the answer with another answer, quoted as the error of an earlier version."""

from __future__ import annotations

from functools import partial

from perturbations.answers import answers_in
from perturbations.catalogue import sentence_level
from perturbations.families.reading.exchanges import exchanges_in
from perturbations.families.reading.more_passages import plain
from perturbations.families.reading.passages import holds, parts_of
from perturbations.languages import language_named
from perturbations.languages.exchange import Exchange, Pick, Tokens
from perturbations.streams import pick, stream
from perturbations.text import Edit, Sentence, sentence_id

_DRAWS = 6

_LONGEST = 45
"""Tokens of a sentence beyond which nobody writes two in a row that are nearly the same."""

_LONGEST_ANSWER = 5
"""Tokens of a gold answer beyond which one exchange hardly makes another answer of it."""


@sentence_level(
    title="A sentence that seems to answer",
    kind="pragmatics",
    needs=("misquoted_by",),
    aliases=("AddSentDiverse",),
    scheme="reading",
    relation="adds",
    example=(
        "Há [40 answer] cursos .",
        "O primeiro rascunho deste texto dizia por engano : “ Há 45 cursos . ” Há [40 answer] cursos .",
    ),
)
def add_sent_diverse(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """A distractor before the answer's sentence [TextFlint, catalogue name "AddSentDiverse"].

    It is the answer's sentence, quoted as the error of an earlier version: a number, a name or a listed word of the
    answer is another of its kind. So it shares the words of the question and contradicts nothing. No gold answer is in
    it. A sentence with quotation marks, without a final mark or of more than 45 tokens has none [after Jia & Liang
    2017, Adversarial Examples for Evaluating Reading Comprehension Systems, AddSent].
    """
    answers = answers_in(sentence)
    if not answers:
        return []
    part = next(part for part in parts_of(sentence, answers) if holds(part, answers))
    told = sentence.tokens[slice(*part)]
    if not _is_quotable(told):
        return []
    inner = min((span for span in answers if holds(part, [span])), key=len)
    if len(inner) > _LONGEST_ANSWER:
        return []
    frames = [tuple(frame.split()) for frame in language_named(language).misquoted_by]
    golds = {plain(sentence.tokens[span.start : span.stop]) for span in answers}
    key = sentence_id(Sentence(sentence.tokens[inner.start : part[1]]))
    made: dict[Edit, None] = {}
    for number in range(_DRAWS):
        choose: Pick = partial(pick, stream(number, "add_sent_diverse", key))
        for exchange in exchanges_in(told, language, choose):
            within = inner.start <= part[0] + exchange.start and part[0] + exchange.stop <= inner.stop
            if within and _is_apart(told, exchange):
                edit = _quoted(sentence, part, exchange, choose(frames))
                if not any(f" {gold} " in f" {plain(edit.tokens)} " for gold in golds):
                    made[edit] = None
    return [list(made)] if made else []


def _is_apart(tokens: Tokens, exchange: Exchange) -> bool:
    """Whether what is exchanged is no part of a longer name, and is not explained between brackets."""
    before, after = tokens[exchange.start - 1] if exchange.start > 1 else "", tokens[exchange.stop]
    named = tokens[exchange.start][0].isalpha() and (before[:1].isupper() or after[0].isupper())
    return not named and after != "("


def _is_quotable(tokens: Tokens) -> bool:
    """Whether tokens are one sentence of running text, without quotation marks and with its brackets in pairs."""
    paired = all(tokens.count(first) == tokens.count(last) for first, last in ("()", "[]"))
    ends = [k for k, token in enumerate(tokens) if token in _FINAL]
    return len(tokens) <= _LONGEST and paired and _QUOTES.isdisjoint(tokens) and ends == [len(tokens) - 1]


_FINAL = frozenset([".", "!", "?", "..", "…", "。", "！", "？"])
_QUOTES = frozenset(['"', "“", "”", "«", "»", "‘", "’", "'", "「", "」", "《", "》"])


def _quoted(sentence: Sentence, part: tuple[int, int], exchange: Exchange, frame: Tokens) -> Edit:
    """The edit that puts the sentence with its exchange before itself, in quotation marks behind a frame."""
    start, stop, new = exchange
    told, gaps = sentence.tokens[slice(*part)], sentence.spaces[slice(*part)]
    wide = " " if " " in sentence.spaces else ""
    tight = "" if "" in sentence.spaces[:-1] else " "
    colon = ":" if wide else "："
    between = [tight if after == "," else wide for after in frame[1:]]
    tokens = (*frame, colon, "“", *told[:start], *new, *told[stop:], "”")
    spaces = (*between, tight, wide, tight, *gaps[:start], *[wide] * (len(new) - 1), *gaps[stop - 1 : -1], tight, wide)
    return Edit(part[0], part[0], tokens, spaces=spaces)
