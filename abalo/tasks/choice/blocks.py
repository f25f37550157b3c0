"""Report blocks of multiple-choice questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.documents.blocks import (
    Bars,
    Block,
    Cell,
    Code,
    Column,
    Item,
    Line,
    Measured,
    Row,
    Table,
    Text,
    meanings,
)
from abalo.core.documents.document import CorpusFacts, Document
from abalo.core.documents.found import Result, certain
from abalo.core.documents.rewording import RewordingFields
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.results import bounds, limit_of, measured_number, metric_of, scenario, verdict, weight
from abalo.core.records import words
from abalo.questions.answers import ORIG
from abalo.questions.mcnemar import McNemar
from abalo.questions.question import LETTERS, VARIANT_NAMES
from abalo.tasks.choice.facts import AnswerFlip, VariantAnswers, facts_of

_METRICS = ("accuracy", "consistency_at_k", "fragility_score", "delta_accuracy", "missing_rate")

_TEST = (
    "McNemar's test, exact and two-sided: are originals right more or less often than the same questions in this "
    "variant? Corrected for the number of variants (Holm)"
)

_SMALLEST = "the smallest p of McNemar's test of originals against one variant, corrected for the number of variants"

_MAJORITY = (
    "McNemar's test of originals against the majority of their variants. With two or more variants it is biased: "
    "a majority is right more or less often than one answer even if wording makes no difference, so p is not an "
    "error rate"
)

_CHOSEN = "share of the answers to originals and reorderings that chose the option at this place, mean over questions"

_PERFECT = "share of them with the right option at this place: the share that a perfect model has"

_PREFERRED = "two-sided p of their difference, a z-test over questions, corrected for the number of places (Bonferroni)"

_LEVEL = 0.05

_FLIPPED = "answers that differ between variant and original, compared as options, whatever their place"

_OPTION = 40

_REPLY = 300

_QUESTION = 300

_FLAGGED = 10

_FLIPS = 20

_OPEN, _SHOWN = 3, 100


def sizes(corpus: CorpusFacts) -> Sequence[str]:
    """The number of questions, in words."""
    return [words.count(corpus.more["questions"], "question")]


def remarks(results: Sequence[Result], document: Document) -> Sequence[str]:
    """Questions to review, and questions not asked."""
    return [*_flagged_questions(document), *_left_out_questions(results)]


def _left_out_questions(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        asked = RewordingFields.of(result).rewording
        if asked is None:
            continue
        if asked.excluded:
            yield f"{result.id}: {words.count(asked.excluded, 'flagged question')} left out (exclude_flagged)."
        if asked.left_out:
            named = ", ".join(f"{count:,} with {_name(variant)}" for variant, count in asked.left_out.items())
            yield (
                f"{result.id}: questions whose options refer to each other are left out if the options move: {named}."
            )


def _flagged_questions(document: Document) -> Sequence[str]:
    flagged: Mapping[str, list[str]] = document.tasks["choice"].corpus.more.get("flagged") or {}
    if not flagged:
        return ()
    named = "; ".join(f"{key} ({', '.join(rules)})" for key, rules in list(flagged.items())[:_FLAGGED])
    more = f" and {len(flagged) - _FLAGGED:,} more" if len(flagged) > _FLAGGED else ""
    verb = "has" if len(flagged) == 1 else "have"
    return [f"{words.count(len(flagged), 'question')} {verb} ambiguous options: {named}{more}; see abalo audit."]


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """Rows per case, flip rates per variant, and the first changed answers."""
    if not results:
        return ()
    metrics = [metric_of(results[0], name) for name in _METRICS]
    columns = (
        Column("Asked"),
        *(Column(words.sentence_case(each.words), each.meaning, numeric=True, wide=True) for each in metrics),
        Column("McNemar p", _SMALLEST, numeric=True),
        Column("Original against majority", _MAJORITY, numeric=True),
        Column("Bound"),
        Column(words.VERDICT_ON_BOUND),
    )
    rows = tuple(Row(_asked_cells(result), weight(result)) for result in results)
    table = Table(
        columns,
        rows,
        "Answers to questions asked in several ways",
        meanings(columns),
        dense=True,
        cards=True,
        noun="case",
    )
    flips = [facts_of(result).flips for result in results if facts_of(result).flips]
    shown = [flip for of_case in flips for flip in of_case[: max(1, _FLIPS // len(flips))]]
    return [
        table,
        *_variants(results),
        *_places(results),
        *_flips(shown, sum(map(len, flips)), "First answers that changed"),
    ]


def detail(result: Result, document: Document) -> Sequence[Block]:
    """The variants of a case, and the places of its answers."""
    return [*_variants([result]), *_places([result])]


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The answers that changed."""
    flips = facts_of(result).flips
    changed = [*_flips(flips[:_SHOWN], len(flips), "Answers that changed")]
    none = [Text(("None.",), "Answers that changed")] if _variant_parts(result) and not flips else []
    return [*changed, *none]


def _asked_cells(result: Result) -> tuple[Cell, ...]:
    tests = [(row.mcnemar, row.variant) for row in _variant_parts(result) if row.mcnemar is not None]
    known = [(certain(test.corrected), test.p, test, variant) for test, variant in tests if test.p is not None]
    first = min(known, key=lambda each: each[:2], default=None)
    majority = facts_of(result).mcnemar
    biased = ", biased" if majority.biased else ""
    return (
        scenario(result),
        *(measured_number(result, name) for name in _METRICS),
        words.NOTHING if first is None else f"{_p(first[2], first[0])}, {_name(first[3])}",
        words.NOTHING if majority.p is None else f"{_p(majority, majority.p)}{biased}",
        bounds(result),
        verdict(result),
    )


def _p(test: McNemar, p: float | None) -> str:
    return f"{words.p_value(p)} ({test.lost:,} lost, {test.gained:,} gained)"


def _variant_parts(result: Result) -> list[VariantAnswers]:
    return [row for row in facts_of(result).variants if row.variant != ORIG]


def _variants(results: Sequence[Result]) -> Iterator[Table]:
    columns = (
        Column("Asked"),
        Column("Variant"),
        Column("Questions", numeric=True),
        Column("Accuracy", numeric=True, wide=True),
        Column("Flipped", _FLIPPED, numeric=True, wide=True),
        Column("", figure=True, scale=(0.0, 1.0)),
        Column("McNemar p", _TEST, numeric=True),
        Column("Without an answer", numeric=True),
    )
    rows = []
    for result in results:
        for row in _variant_parts(result):
            measured = result.per_type[row.variant].more
            flipped = Measured.of(measured["fragility_score"])
            bars = Bars((flipped,), f"{row.variant}: flipped {flipped}", limit_of(result, row.variant))
            tested = row.mcnemar is not None and row.mcnemar.p is not None
            test = _p(certain(row.mcnemar), certain(row.mcnemar).corrected) if tested else words.NOTHING
            missing = f"{row.missing:,}"
            cells = (f"{row.answers:,}", Measured.of(measured["accuracy"]), flipped, bars, test, missing)
            rows.append(Row((scenario(result), Code(row.variant), *cells)))
    if rows:
        yield Table(columns, tuple(rows), "By variant", meanings(columns), keys=2, noun="variant")


def _places(results: Sequence[Result]) -> Iterator[Table]:
    columns = (
        Column("Asked"),
        Column("Place"),
        Column("Answers", _CHOSEN, numeric=True),
        Column("Right options", _PERFECT, numeric=True),
        Column("p", _PREFERRED, numeric=True),
    )
    rows = tuple(
        Row(
            (
                scenario(result),
                LETTERS[row.place],
                words.number(row.answers),
                words.number(row.right),
                words.p_value(row.p),
            )
        )
        for result in results
        for row in facts_of(result).places
    )
    if rows:
        title = "Answers by place, over orders of the options"
        yield Table(columns, rows, title, meanings(columns), keys=2, noun="place")


def finding(result: Result) -> str:
    """The place that the model prefers, if significant."""
    preferred = [each for each in facts_of(result).places if each.answers > each.right and each.p is not None]
    first = max(preferred, key=lambda each: each.answers - each.right, default=None)
    if first is None or certain(first.p) > _LEVEL:
        return ""
    return (
        f"The model prefers option {LETTERS[first.place]}: {percent(first.answers)} of its answers, where "
        f"{percent(first.right)} are right"
    )


def _flips(flips: Sequence[AnswerFlip], total: int, title: str) -> Iterator[Text]:
    lines: tuple[Line, ...] = tuple(Item(_text(each), _flip(each)) for each in flips)
    more = (f"{words.count(total - len(flips), 'more answer')} in robustness.json",) if total > len(flips) else ()
    if lines:
        yield Text(lines + more, title, "list", noun="answer", open=_OPEN)


def _text(found: AnswerFlip) -> str:
    if found.question is None or found.options is None:
        return ""
    options = "; ".join(_option_name(place, found.options) for place in range(len(found.options)))
    reply = f" Reply: {words.shorten(found.reply, _REPLY)}" if found.reply is not None else ""
    return f"{words.shorten(found.question, _QUESTION)} Options: {options}.{reply}"


def _name(variant: str) -> str:
    return VARIANT_NAMES.get(variant, variant)


def _flip(found: AnswerFlip) -> str:
    places = (found.before, found.after, found.target)
    before, after, right = (_option_name(place, found.options) for place in places)
    return f"{found.id}, {_name(found.variant)}: {before} → {after}, right is {right}"


def _option_name(place: int | None, options: Sequence[str] | None) -> str:
    if place is None:
        return "no answer"
    return LETTERS[place] + ("" if options is None else f" ({words.shorten(options[place], _OPTION)})")
