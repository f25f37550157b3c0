"""Report blocks of multiple-choice questions: how far answers hold when a question is put in other ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core import words
from abalo.core.blocks import Bars, Block, Cell, Code, Column, Item, Line, Measured, Row, Table, Text, meanings
from abalo.core.results import Json, bounds, limit_of, measured, metric_of, scenario, verdict, weight
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.question import LETTERS

_METRICS = ("accuracy", "consistency_at_k", "fragility_score", "delta_accuracy", "missing_rate")

_TEST = (
    "McNemar's test, exact and two-sided: are originals right more or less often than the same questions in this "
    "variant? Corrected for the number of variants (Holm)"
)

_SMALLEST = "the smallest p of McNemar's test of originals against one variant, corrected for the number of variants"

_MAJORITY = (
    "McNemar's test of originals against most of their variants. Biased where these are two or more: most of several "
    "answers are right more or less often than one even where wording makes no difference, so p is no error rate"
)

_CHOSEN = "share of the answers to originals and reorderings that chose the option at this place, mean over questions"

_PERFECT = "share of them in which the right option stood there: the share that a perfect model has"

_FLIPPED = "answers to one variant that differ from those to the original, as options, wherever these stand"

_OPTION = 40
"""How many characters of an option are shown."""

_REPLY = 300
"""How many characters of a reply are shown."""

_QUESTION = 300
"""How many characters of a question are shown."""

_FLAGGED = 10
"""How many ambiguous questions are named."""

_FLIPS = 20
"""How many answers that changed the summary names, those of all cases together."""

_OPEN, _SHOWN = 3, 100
"""How many answers that changed are shown of one case before they are folded, and how many at all."""


def sizes(corpus: Json) -> Sequence[str]:
    """How many questions there are, in words."""
    return [words.count(corpus["questions"], "question")]


def remarks(results: Sequence[Json], document: Json) -> Sequence[str]:
    """The questions that should be looked at before a model is judged by them, and those that were not put."""
    return [*_flagged(document), *_left_out(results)]


def _left_out(results: Sequence[Json]) -> Iterator[str]:
    """The questions that cases did not put, or not in every order."""
    for result in results:
        asked = result["rewording"] or {"excluded": 0, "left_out": {}}
        if asked["excluded"]:
            yield f"{result['id']}: {words.count(asked['excluded'], 'flagged question')} left out (exclude_flagged)."
        if asked["left_out"]:
            named = ", ".join(f"{count:,} in {variant}" for variant, count in asked["left_out"].items())
            yield f"{result['id']}: questions whose options name each other are left out where these move: {named}."


def _flagged(document: Json) -> Sequence[str]:
    flagged: Mapping[str, list[str]] = document["tasks"]["choice"]["corpus"].get("flagged") or {}
    if not flagged:
        return ()
    named = "; ".join(f"{key} ({', '.join(rules)})" for key, rules in list(flagged.items())[:_FLAGGED])
    more = f" and {len(flagged) - _FLAGGED:,} more" if len(flagged) > _FLAGGED else ""
    verb = "has" if len(flagged) == 1 else "have"
    return [f"{words.count(len(flagged), 'question')} {verb} ambiguous options: {named}{more}; see abalo audit."]


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """A row per case, one per variant with its flip rate drawn, and the first answers that changed."""
    if not results:
        return ()
    metrics = [metric_of(results[0], name) for name in _METRICS]
    columns = (
        Column("Asked"),
        *(Column(words.sentence_case(each.words), each.meaning, numeric=True, wide=True) for each in metrics),
        Column("McNemar p", _SMALLEST, numeric=True),
        Column("Original against majority", _MAJORITY, numeric=True),
        Column("Bound"),
        Column("Verdict on bound"),
    )
    rows = tuple(Row(_asked(result), weight(result)) for result in results)
    table = Table(columns, rows, "Answers to questions put in several ways", meanings(columns), dense=True, noun="case")
    flips = [result["questions"]["flips"] for result in results if result["questions"]["flips"]]
    shown = [flip for of_case in flips for flip in of_case[: max(1, _FLIPS // len(flips))]]
    return [
        table,
        *_variants(results),
        *_places(results),
        *_flips(shown, sum(map(len, flips)), "First answers that changed"),
    ]


def detail(result: Json, document: Json) -> Sequence[Block]:
    """The variants of a case, and the places of its answers."""
    return [*_variants([result]), *_places([result])]


def sentences(result: Json, document: Json) -> Sequence[Block]:
    """The answers that changed."""
    flips = result["questions"]["flips"]
    changed = [*_flips(flips[:_SHOWN], len(flips), "Answers that changed")]
    none = [Text(("None.",), "Answers that changed")] if _varied(result) and not flips else []
    return [*changed, *none]


def _asked(result: Json) -> tuple[Cell, ...]:
    tested = [row for row in _varied(result) if row["mcnemar"]["p"] is not None]
    first = min(tested, key=lambda row: (row["mcnemar"]["corrected"], row["mcnemar"]["p"]), default=None)
    majority = result["questions"]["mcnemar"]
    biased = ", biased" if majority["biased"] else ""
    return (
        scenario(result),
        *(measured(result, name) for name in _METRICS),
        words.NOTHING if first is None else f"{_p(first['mcnemar'], 'corrected')}, {first['variant']}",
        words.NOTHING if majority["p"] is None else f"{_p(majority)}{biased}",
        bounds(result),
        verdict(result),
    )


def _p(test: Json, kind: str = "p") -> str:
    """A p with the counts behind it, such as ``0.031 (6 lost, 0 gained)``."""
    return f"{words.p_value(test[kind])} ({test['lost']:,} lost, {test['gained']:,} gained)"


def _varied(result: Json) -> list[Json]:
    """The part of each variant but the original."""
    return [row for row in result["questions"]["variants"] if row["variant"] != ORIG]


def _variants(results: Sequence[Json]) -> Iterator[Table]:
    """A row per variant, its flip rate as a bar from 0 to 1 with its interval and its bound."""
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
        for row in _varied(result):
            measured = result["per_type"][row["variant"]]
            flipped = Measured.of(measured["fragility_score"])
            bars = Bars((flipped,), f"{row['variant']}: flipped {flipped}", limit_of(result, row["variant"]))
            test = words.NOTHING if row["mcnemar"]["p"] is None else _p(row["mcnemar"], "corrected")
            missing = f"{row['missing']:,}"
            cells = (f"{row['answers']:,}", Measured.of(measured["accuracy"]), flipped, bars, test, missing)
            rows.append(Row((scenario(result), Code(row["variant"]), *cells)))
    if rows:
        yield Table(columns, tuple(rows), "By variant", meanings(columns), keys=2, noun="variant")


def _places(results: Sequence[Json]) -> Iterator[Table]:
    """A row per place of options, for cases that put them in several orders."""
    columns = (
        Column("Asked"),
        Column("Place"),
        Column("Answers", _CHOSEN, numeric=True),
        Column("Right options", _PERFECT, numeric=True),
    )
    rows = tuple(
        Row((scenario(result), LETTERS[row["place"]], words.number(row["answers"]), words.number(row["right"])))
        for result in results
        for row in result["questions"]["places"]
    )
    if rows:
        title = "Answers by place, over orders of the options"
        yield Table(columns, rows, title, meanings(columns), keys=2, noun="place")


def _flips(flips: Sequence[Json], total: int, title: str) -> Iterator[Text]:
    lines: tuple[Line, ...] = tuple(Item(_text(each), _flip(each)) for each in flips)
    more = (f"{words.count(total - len(flips), 'more answer')} in robustness.json",) if total > len(flips) else ()
    if lines:
        yield Text(lines + more, title, "list", noun="answer", open=_OPEN)


def _text(found: Json) -> str:
    """The question as it was put, with all options and the reply of a language model; empty where text is withheld."""
    if "question" not in found:
        return ""
    options = "; ".join(_named(place, found["options"]) for place in range(len(found["options"])))
    reply = f" Reply: {words.shortened(found['reply'], _REPLY)}" if found.get("reply") is not None else ""
    return f"{words.shortened(found['question'], _QUESTION)} Options: {options}.{reply}"


def _flip(found: Json) -> str:
    """How an answer changed, such as ``en-07, pert:order_rev: B → D, right is B``; letters as in the original.

    With the options themselves where text is not withheld.
    """
    places = [found[name] for name in ("before", "after", "target")]
    before, after, right = (_named(place, found.get("options")) for place in places)
    return f"{found['id']}, {found['variant']}: {before} → {after}, right is {right}"


def _named(place: int | None, options: Sequence[str] | None) -> str:
    if place is None:
        return "no answer"
    return LETTERS[place] + ("" if options is None else f" ({words.shortened(options[place], _OPTION)})")
