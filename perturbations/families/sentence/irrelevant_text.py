"""Irrelevant text before the sentence and after it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.languages import language_named, optional_rules
from perturbations.languages.layout import Layout
from perturbations.languages.parts import Borders, Verbs
from perturbations.lexicons import rows, words
from perturbations.numbered import OnDemand
from perturbations.sites import ends_sentence, in_case_of, in_entities, in_entity, is_running_text
from perturbations.stops import STOPS, belongs_to_word, sentences_in
from perturbations.text import Edit, Sentence

_Words = tuple[str, ...]

_STOPS = frozenset([".", "!", "?", "...", "…"])
_PAUSES = frozenset([",", ";"])
_GOING_ON = frozenset(["so", "or", "ou", "yet", "porque", "because", "which", "who", "whose"])
_OPENED_WITHIN = 5
"""Words within which a comma tells that the text begins with an opener itself."""
_ENDS = "。！？…”’』」）】》!?."
"""Last characters of a text in a script without spaces that needs no full stop."""


@sentence_level(
    title="Irrelevant text added",
    kind="pragmatics",
    needs=("openers", "remarks", "stop_words"),
    aliases=("AppendIrr", "AddSent"),
    relation="adds",
    example=("O juiz ouviu [Ana Sá PESSOA] .", "Enfim , o juiz ouviu [Ana Sá PESSOA] ."),
)
def irrelevant_text(sentence: Sentence, *, language: str = "pt", least: int = 10) -> list[Sequence[Edit]]:
    """Adds a stock opener and, from ``least`` words on, a closing remark [TextFlint, catalogue name "AppendIrr"].

    The remark follows the final stop as a new sentence; a missing stop is added. Before a final comma or semicolon it
    continues the sentence. After a colon or an abbreviation, *( fls .*, no remark is added. Text in capitals stays. So
    do headings, addresses and the like, if tables of verbs show no claim.

    An opener precedes a clause that has none and, by its first words, asks nothing. The next word loses its capital if
    it is a function word. Openers and remarks are chosen uniformly; they are true of anything and name nobody. In
    Chinese ``least`` counts characters.
    """
    if not sentence.tokens:
        return []
    borders = optional_rules(language, "borders", Borders)
    if borders is not None:
        return _without_spaces(borders.layout(sentence), language, least)
    tokens = sentence.tokens
    if "".join(tokens).isupper() and any(len(token) > 1 and token.isupper() for token in tokens):
        return []  # a heading
    sites: list[Sequence[Edit]] = []
    verbal = optional_rules(language, "verbs", Verbs)
    stretches = sentences_in(sentence) if any(token in STOPS for token in tokens[:-1]) else [(0, len(tokens))]
    if verbal is not None and not _claims(sentence, verbal, stretches):
        return []
    asks = "?" in tokens[: stretches[0][1]] or (verbal is not None and verbal.could_be_finite(tokens[0].lower()))
    if not asks and _can_be_opened(sentence, language):
        sites.append(_open_sentence(sentence, _phrases(f"openers_{language}"), language))
    cut = tokens[-1] == ":" or (tokens[-1] == "." and belongs_to_word(tokens, len(tokens) - 1, stretches[-1][0]))
    if len(tokens) >= least and not cut and sum(map(_is_word, tokens)) >= least:
        sites.append(_close_sentence(sentence, _phrases(f"remarks_{language}"), language_named(language).joined_by))
    return sites


def _claims(sentence: Sentence, verbal: Verbs, stretches: Sequence[tuple[int, int]]) -> bool:
    """Whether the first sentence of the text and the last one have a finite verb in small letters and in no entity."""
    return all(
        any(
            verbal.could_be_finite(token) and not in_entity(sentence, start + i)
            for i, token in enumerate(verbal.read(sentence.tokens[start:stop]))
            if token and sentence.tokens[start + i][0].islower()
        )
        for start, stop in {stretches[0], stretches[-1]}
    )


def _is_word(token: str) -> bool:
    return token.isalnum() or any(map(str.isalnum, token))


def _can_be_opened(sentence: Sentence, language: str) -> bool:
    """Whether a text begins as a clause does, with an entity or a word that carries syntax, and with no opener yet.

    A noun without such a word begins a heading, and letters apart are one. An opener before "and" and
    "but" would belong to another sentence.
    """
    tokens = sentence.tokens
    facts, first = language_named(language), tokens[0].lower()
    if first in (facts.joined_by, facts.contrasted_by) or first in _GOING_ON:
        return False
    if "," in tokens[1:_OPENED_WITHIN] or all(len(token) == 1 for token in tokens[:2]):
        return False
    return in_entities(sentence)[0] or not _means_something(tokens[0], language)


def _without_spaces(layout: Layout | None, language: str, least: int) -> list[Sequence[Edit]]:
    """The same in a script without spaces and capitals; nothing where the text is in another."""
    if layout is None:
        return []
    sites: list[Sequence[Edit]] = [[layout.inserting(0, said) for said in _phrases(f"openers_{language}")]]
    text, stop = "".join(layout.sentence.tokens), language_named(language).final_marks[0]
    if len(text) >= least:
        before = () if text[-1] in _ENDS else (stop,)
        remarks = _phrases(f"remarks_{language}")
        sites.append([layout.inserting(len(layout.sentence), (*before, *said, stop)) for said in remarks])
    return sites


@cache
def _phrases(lexicon: str) -> tuple[_Words, ...]:
    """The phrases of the lexicon."""
    return tuple(tuple(said.split()) for (said,) in rows(lexicon))


def _open_sentence(sentence: Sentence, openers: Sequence[_Words], language: str) -> Sequence[Edit]:
    """The edits that put an opener before the first word, which may lose its capital to it."""
    first, is_text = sentence.tokens[0], is_running_text(sentence)
    stays = not first.istitle() or first == "I" or _means_something(first, language) or in_entities(sentence)[0]

    def opened(number: int) -> Edit:
        opener = openers[number]
        if not first[0].islower():
            opener = (in_case_of("Xx", opener[0]), *opener[1:])
        if stays:
            return Edit(0, 0, opener, spaces=_spaces(opener, " ") if is_text else None)
        return Edit(
            0,
            1,
            (*opener, first.lower()),
            spaces=(*_spaces(opener, " "), sentence.spaces[0]) if is_text else None,
            origins=(*((),) * len(opener), (0,)),
        )

    return OnDemand(len(openers), opened)


def _means_something(first: str, language: str) -> bool:
    return first.lower() not in words(f"stop_words_{language}")


def _close_sentence(sentence: Sentence, remarks: Sequence[_Words], joined_by: str) -> Sequence[Edit]:
    """The edits that put a remark before or after the final mark; a mark within an entity is none."""
    count, is_text = len(sentence), is_running_text(sentence)
    last = None if in_entities(sentence)[-1] else sentence.tokens[-1]
    stop = () if last is not None and ends_sentence(sentence.tokens) else (".",)

    def closed(number: int) -> Edit:
        remark = remarks[number]
        if last in _PAUSES:
            joined = (",", joined_by, *remark)
            return Edit(count - 1, count - 1, joined, spaces=_spaces(joined, "") if is_text else None)
        new = (*stop, in_case_of("Xx", remark[0]), *remark[1:], ".")
        if not is_text:
            return Edit(count, count, new)
        return Edit(
            count - 1,
            count,
            (sentence.tokens[-1], *new),
            spaces=("" if stop else " ", *_spaces(new, sentence.spaces[-1])),
            origins=((count - 1,), *((),) * len(new)),
        )

    return OnDemand(len(remarks), closed)


def _spaces(tokens: Sequence[str], last: str) -> tuple[str, ...]:
    """The white space after each token in running text: none before a mark, and ``last`` at the end."""
    return (*("" if token in _STOPS | _PAUSES | {":"} else " " for token in tokens[1:]), last)
