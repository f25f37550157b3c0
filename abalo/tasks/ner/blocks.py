"""Report blocks of named entities: attacks aimed at them, metric by metric [stage 4], and remarks on the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abalo.core import words
from abalo.core.blocks import Bars, Block, Cell, Column, Item, Key, Measured, Row, Shaded, Table, Text, defined
from abalo.core.results import (
    Json,
    facts_of,
    groups_of,
    measured,
    metric_of,
    named,
    probe_of,
    scenario,
    siblings,
    views_differ,
    weight,
)

TASK = "ner"

VIEW_MEANINGS = {
    "projected": "each original word against the first word that stands for it now; a word that is gone counts as O",
    "structural": "the perturbed sentence against the gold labels carried into it",
    "padded": "position by position, the shorter side filled up with O: how stage 2 measured",
}

_SOURCE_MEANINGS = {
    "oracle": "aimed at the gold spans, the worst case",
    "predicted": "aimed at what the model predicts on the clean sentence, as an attacker can",
}

_PAIRS = (
    ("character_noise", "char_typo"),
    ("word_insertion", "context_distractors"),
    ("word_insertion", "insert"),
    ("token_masking", "boundary"),
    ("synonyms", "synonym_attack"),
)
"""A random perturbation and the attack that does the like to chosen words [stage 4, "Cross-Stage Consistency"]."""

_LEAST_REACH = 0.1
"""The smallest drop that is drawn in full colour: below it, noise would look like a fire."""

_TYPE = 18
"""How many characters of an entity type head a column of the heat table."""


@dataclass(frozen=True, slots=True)
class _Metric:
    """A metric in a table of attacks; ``when_clean`` says whether it has a meaning where nothing is attacked."""

    name: str
    heading: str
    when_clean: bool = False


_FOUND = (
    _Metric("precision", "Precision", when_clean=True),
    _Metric("recall", "Recall", when_clean=True),
    _Metric("f1", "F1", when_clean=True),
)

_PROJECTED = (
    *_FOUND,
    _Metric("f1_drop", "F1 drop over all"),
    _Metric("entity_flip_rate", "Flip rate"),
    _Metric("span_miss_rate", "Span miss", when_clean=True),
    _Metric("span_token_error_rate", "Span token error", when_clean=True),
    _Metric("conf_drop_gold", "Conf drop gold"),
    _Metric("conf_drop_pred", "Conf drop pred"),
    _Metric("prob_drop_gold", "Prob drop gold"),
    _Metric("prob_drop_pred", "Prob drop pred"),
)
"""[stage 4, "Length-preserving attacks"], and the drops in probability."""

_STRUCTURAL = (
    *_FOUND,
    _Metric("entity_retention_rate", "Retention"),
    _Metric("entity_retention_rate_unshifted", "Retention, unshifted"),
    _Metric("entity_recovery_rate", "Recovery", when_clean=True),
    _Metric("entity_recovery_rate_unshifted", "Recovery, unshifted", when_clean=True),
    _Metric("conf_drop_gold_structural", "Conf drop gold"),
)
"""[stage 4, "Insertion — true structural view"], and what the seed's retention may have been."""

_STRUCTURE_NOTES = {
    "retention": "of the entities found on the clean sentence, those still found",
    "recovery": "of all gold entities, those found",
    "unshifted": "looked for at their old places, where other words may stand now: the part of the loss that is due to "
    "the places alone",
}


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """The attacks on spans: two tables of metrics, F1 by entity type, and random perturbations beside them."""
    return [*_projected(document), *_structural(document), *_heat(document), *_crosscheck(document)]


def detail(result: Json, document: Json) -> Sequence[Block]:
    """How probabilities were made."""
    probe = probe_of(result)
    has_drops = probe.scored and probe.perturbs and result["metrics"].get("prob_drop_gold")
    fitted = _in_sample(document) if has_drops else ""
    return [Text((fitted,), "Probabilities")] if fitted else []


# Remarks --------------------------------------------------------------------------------------------------------------


def remarks(results: Sequence[Json], document: Json) -> Sequence[str]:
    """Remarks on model and corpus that a careful reader should know before trusting the numbers."""
    facts = facts_of(document, TASK)
    model, corpus = facts.get("model"), facts.get("corpus")
    found = []
    if model and model["mask_fallback"]:
        found.append(
            f"The model names no mask token, so masked words read {model['mask_token']}; "
            "give its own with --abalo-mask-token."
        )
    if model and model["wordless"]:
        unknown, verb = words.count(model["wordless"], "word"), "has" if model["wordless"] == 1 else "have"
        found.append(f"{unknown} {verb} no piece in the vocabulary of the model and went in as the unknown token.")
    if corpus and corpus["repairs"]:
        labels = words.count(corpus["repairs"], "label")
        found.append(f"{labels} of the corpus {'was' if corpus['repairs'] == 1 else 'were'} repaired on reading.")
    return [*found, *_aggregation(facts), *_temperature(model), *_unscored(results)]


def _aggregation(facts: Json) -> Iterator[str]:
    """Says so when the other way of joining word pieces is better by more than a point of F1, as definitions ask."""
    baseline = facts.get("baseline")
    if not baseline or not baseline["f1"] or baseline["f1_other_aggregation"] is None:
        return
    f1, other = baseline["f1"]["value"], baseline["f1_other_aggregation"]
    if other - f1 > 0.01:
        name = "first" if facts["model"]["settings"].get("aggregation") == "mean" else "mean"
        reached = f"F1 {words.number(other)} instead of {words.number(f1)}"
        yield f"On the clean corpus, --abalo-aggregation {name} reaches {reached}."


def _temperature(model: Json | None) -> Iterator[str]:
    if model and model["temperature_at_limit"]:
        yield (
            f"The temperature that fits the scores of the model, {words.number(model['temperature'], 2)}, lies at the "
            "limit of the search: its probabilities, and so the probability drops, are not to be trusted."
        )


def _unscored(results: Sequence[Json]) -> Iterator[str]:
    """Says so when gold has labels that the model cannot score, since confidence is silent about them."""
    most = max((result["unscored"] or 0 for result in results), default=0)
    if most:
        tokens, verb = words.count(most, "token"), "has" if most == 1 else "have"
        yield f"{tokens} in gold entities {verb} a label the model lacks, and no part in confidence drops."


def _in_sample(document: Json) -> str:
    """Where the temperature behind probability drops comes from; empty without probabilities."""
    found = (facts_of(document, TASK).get("model") or {}).get("temperature")
    if found is None:
        return ""
    fitted = words.number(found, 2)
    return f"Probabilities at temperature {fitted}, fitted in-sample: on the very corpus that is judged."


# Attacks on spans -----------------------------------------------------------------------------------------------------


def attacks(document: Json, view: str) -> list[Json]:
    """The results of cases that are aimed at spans, in one view and in document order."""
    return [result for result in _own(document) if result["span_source"] is not None and result["view"] == view]


def _own(document: Json) -> list[Json]:
    return [result for result in document["results"] if result["task"] == TASK]


def _projected(document: Json) -> Iterator[Table]:
    """A row per attack and span source, below the clean corpus."""
    found = attacks(document, "projected")
    used = {result["span_source"] for result in found}
    notes = defined({source: meaning for source, meaning in _SOURCE_MEANINGS.items() if source in used})
    drops = "Drops are clean minus attacked, so positive is worse; conf drops are in logits."
    fitted = _in_sample(document)
    yield from _table(found, _PROJECTED, "Targeted attacks", (*notes, drops, *([fitted] if fitted else [])), document)


def _structural(document: Json) -> Iterator[Table]:
    """The same in the structural view, of the attacks that move words, so that the views differ."""
    found = attacks(document, "structural")
    moving = [result for result in found if views_differ([result, *siblings(result, document)])]
    title = "Attacks that move words, in the structural view"
    yield from _table(moving, _STRUCTURAL, title, defined(_STRUCTURE_NOTES), document)


def _table(
    found: Sequence[Json],
    metrics: Sequence[_Metric],
    title: str,
    notes: Sequence[Item | str],
    document: Json,
) -> Iterator[Table]:
    if not found:
        return
    clean = _clean(document, found[0]["view"])
    columns = [
        Column(each.heading, metric_of(found[0], each.name).meaning, numeric=True, wide=each.name == "f1_drop")
        for each in metrics
    ]
    known = (Measured.of(clean.get(each.name) if each.when_clean else None) for each in metrics)
    rows = [Row(("Baseline", "none", *known), 1e9)]
    for result in found:
        numbers = (measured(result, each.name) for each in metrics)
        rows.append(Row((_attack(result), result["span_source"], *numbers), weight(result)))
    columns = [Column("Attack"), Column("Spans"), *columns]
    yield Table(tuple(columns), tuple(rows), title, tuple(notes), keys=2, dense=True, noun="attack")


def _attack(result: Json) -> str:
    """The case in words without whose spans it is aimed at, which have a column."""
    source = f"{result['span_source']} spans"
    return named(result, [each for each in probe_of(result).report.settings(result) if each != source])


def _clean(document: Json, view: str) -> Json:
    """By metric, the numbers of the clean corpus: in full where the baseline is a case of the run."""
    for result in _own(document):
        if result["headline"] == "f1" and result["view"] == view:
            found: Json = result["metrics"]
            return found
    return facts_of(document, TASK).get("baseline") or {}


def _heat(document: Json) -> Iterator[Table]:
    """F1 by entity type, on a ground as strong as the loss: the clean corpus, then each attack."""
    found = attacks(document, "projected")
    baseline = facts_of(document, TASK).get("baseline") or {}
    types = groups_of([baseline, *found])
    if not found or not types:
        return
    drops = [Measured.of(row.get("f1_drop")).value or 0.0 for result in found for row in result["per_type"].values()]
    reach = max([_LEAST_REACH, *map(abs, drops)])
    named_rows = [("Baseline", baseline, 1e9), *((scenario(each), each, weight(each)) for each in found)]
    rows = [Row((name, *_shaded(name, each, types, reach)), heavy) for name, each, heavy in named_rows]
    columns = (Column("Attack"), *(Column(words.shortened(kind, _TYPE), kind, numeric=True) for kind in types))
    end = words.number(reach, 2)
    legend = (
        Key("", "number: F1"),
        Key("loss", f"F1 drop, from 0 to {end}"),
        Key("gain", f"F1 gain, from 0 to {end}"),
        Key("bold", "the interval of the drop leaves out 0"),
    )
    title = "F1 per entity type under attack"
    yield Table(columns, tuple(rows), title, dense=True, figure=True, noun="attack", most=41, legend=legend)


def _shaded(name: str, result: Json, types: Sequence[str], reach: float) -> Iterator[Shaded]:
    for kind in types:
        row = (result.get("per_type") or {}).get(kind) or {}
        f1, drop = Measured.of(row.get("f1")), Measured.of(row.get("f1_drop"))
        clear = drop.low is not None and drop.high is not None and (drop.low > 0 or drop.high < 0)
        said = f"F1 {f1}" + (f", drop {drop}" if drop.value is not None else "") if row else "no entity"
        shade = None if drop.value is None else max(-1.0, min(1.0, drop.value / reach))
        yield Shaded(words.number(f1.value, 2), shade, clear, f"{name}, {kind}: {said}")


# Random perturbations and attacks side by side ------------------------------------------------------------------------


def _crosscheck(document: Json) -> Iterator[Table]:
    """A row per random case, attack and span source that belong together, compared in the projected view."""
    targeted = attacks(document, "projected")
    random = [result for result in _own(document) if result["span_source"] is None and result["view"] == "projected"]
    pairs = [
        (ours, theirs)
        for name, attack in _PAIRS
        for ours in random
        if ours["perturbation"] == name
        for theirs in targeted
        if theirs["perturbation"] == attack
    ]
    if not pairs:
        return
    columns = (
        Column("Random"),
        Column("F1 drop", numeric=True),
        Column("Targeted"),
        Column("F1 drop", numeric=True),
        Column("", figure=True),
        Column("Reading"),
    )
    rows = tuple(Row(_pair(*pair), max(map(weight, pair))) for pair in pairs)
    notes = (
        "Intervals that overlap show no difference; they do not show that there is none.",
        "The two change different words, and not equally many.",
    )
    legend = (Key("first", "random, above"), Key("second", "targeted, below"))
    title = "Cross-check: random against targeted"
    yield Table(columns, rows, title, notes, dense=True, noun="pair", legend=legend)


def _pair(random: Json, targeted: Json) -> tuple[Cell, ...]:
    drops = measured(random, "f1_drop_changed"), measured(targeted, "f1_drop_changed")
    sentences = random["sentences"], targeted["sentences"]
    unlike = "" if len(set(sentences)) == 1 else " Not over the same sentences: {:,} and {:,}.".format(*sentences)
    bars = Bars(drops, f"random {drops[0]}, targeted {drops[1]}")
    return scenario(random), drops[0], scenario(targeted), drops[1], bars, reading(*drops) + unlike


def reading(random: Measured, targeted: Measured) -> str:
    """Which of two F1 drops is the larger, as far as their intervals can tell."""
    ours, least, most = random.ends
    theirs, low, high = targeted.ends
    if ours is None or least is None or most is None or theirs is None or low is None or high is None:
        return "Not comparable: one of the drops has no meaning here."
    more = words.number(abs(theirs - ours))
    if low > most:
        return f"The targeted attack costs {more} more F1; the intervals lie apart."
    if high < least:
        return f"The random perturbation costs {more} more F1; the intervals lie apart."
    return "No clear difference: the intervals overlap."
