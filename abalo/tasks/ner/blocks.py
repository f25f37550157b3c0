"""Report blocks of attacks on entities [stage 4]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abalo.core.documents.blocks import (
    Bars,
    Block,
    Cell,
    ColourKey,
    Column,
    Item,
    Measured,
    Row,
    Shaded,
    Table,
    Text,
    define_terms,
)
from abalo.core.documents.document import Document, ModelFacts, TaskFacts
from abalo.core.documents.found import Estimated, GroupFacts, PerturbationFields, Result, certain
from abalo.core.protocols.results import (
    case_in_words,
    facts_of,
    groups_of,
    measured_number,
    metric_of,
    probe_of,
    scenario,
    siblings,
    views_differ,
    weight,
)
from abalo.core.records import words
from abalo.tasks.ner.facts import ScoredFields

TASK = "ner"

VIEW_MEANINGS = {
    "projected": "each original word against the first word that replaced it; a removed word counts as O",
    "structural": "the perturbed sentence against the gold labels moved into it",
    "padded": "position by position, the shorter side padded with O",
}

_SOURCE_MEANINGS = {
    "oracle": "aimed at the gold spans (the worst case)",
    "predicted": "aimed at the model's own predictions on the clean sentence, as an attacker would",
}

_PAIRS = (
    ("character_noise", "char_typo"),
    ("word_insertion", "context_distractors"),
    ("word_insertion", "insert"),
    ("token_masking", "boundary"),
    ("synonyms", "synonym_attack"),
)
"""Random perturbations and similar attacks [stage 4, "Cross-Stage Consistency"]."""

_LEAST_REACH = 0.1

_TYPE = 18


@dataclass(frozen=True, slots=True)
class _Metric:
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
"""[stage 4, "Length-preserving attacks"]"""

_STRUCTURAL = (
    *_FOUND,
    _Metric("entity_retention_rate", "Retention"),
    _Metric("entity_retention_rate_unshifted", "Retention, unshifted"),
    _Metric("entity_recovery_rate", "Recovery", when_clean=True),
    _Metric("entity_recovery_rate_unshifted", "Recovery, unshifted", when_clean=True),
    _Metric("conf_drop_gold_structural", "Conf drop gold"),
)
"""[stage 4, "Insertion — true structural view"]"""

_STRUCTURE_NOTES = {
    "retention": "share of the entities found on the clean sentence that are still found",
    "recovery": "share of all gold entities that are found",
    "unshifted": (
        "the same, at the old positions of the entities: the difference to the number above is due to positions alone"
    ),
}


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """Tables of attack metrics, F1 by entity type, and matching random perturbations."""
    return [*_projected_tables(document), *_structural(document), *_heat(document), *_crosscheck(document)]


def detail(result: Result, document: Document) -> Sequence[Block]:
    """The source of probabilities."""
    probe = probe_of(result)
    has_drops = probe.scored and probe.perturbs and result.metrics.get("prob_drop_gold")
    fitted = _in_sample(document) if has_drops else ""
    return [Text((fitted,), "Probabilities")] if fitted else []


# Remarks --------------------------------------------------------------------------------------------------------------


def remarks(results: Sequence[Result], document: Document) -> Sequence[str]:
    """Warnings about model and corpus."""
    facts = facts_of(document, TASK)
    found = [*_unscored_labels(results)]
    if facts is None:
        return found
    model, corpus, unscored, found = facts.model, facts.corpus, found, []
    if model.mask_fallback:
        found.append(
            f"The model has no mask token, so masked words read {model.mask_token}. If it knows another one, give "
            "it with --abalo-mask-token."
        )
    if model.wordless:
        unknown, verb = words.count(model.wordless, "word"), "has" if model.wordless == 1 else "have"
        found.append(
            f"{unknown} {verb} no piece in the model's vocabulary, so the model sees the unknown token instead."
        )
    if corpus.repairs:
        labels = words.count(corpus.repairs, "label")
        found.append(f"{labels} of the corpus {'was' if corpus.repairs == 1 else 'were'} repaired on reading.")
    return [*found, *_aggregation(facts), *_temperature(model), *unscored]


def _aggregation(facts: TaskFacts) -> Iterator[str]:
    baseline, other = facts.baseline, facts.baseline.f1_other_aggregation
    f1 = None if (found := baseline.more.get("f1")) is None else found.value
    if f1 is not None and other is not None and other - f1 > 0.01:
        name = "first" if facts.model.settings.get("aggregation") == "mean" else "mean"
        reached = f"F1 {words.number(other)} instead of {words.number(f1)}"
        yield f"On the clean corpus, --abalo-aggregation {name} reaches {reached}."


def _temperature(model: ModelFacts) -> Iterator[str]:
    if model.temperature_at_limit:
        yield (
            "Do not trust probabilities and probability drops: the temperature that fits the model's scores, "
            f"{words.number(model.temperature, 2)}, lies at the limit of the search."
        )


def _unscored_labels(results: Sequence[Result]) -> Iterator[str]:
    most = max((ScoredFields.of(result).unscored or 0 for result in results), default=0)
    if most:
        tokens, verb = words.count(most, "token"), "has" if most == 1 else "have"
        yield f"{tokens} in gold entities {verb} a label that the model lacks; confidence drops leave them out."


def _in_sample(document: Document) -> str:
    facts = facts_of(document, TASK)
    if facts is None or (found := facts.model.temperature) is None:
        return ""
    fitted = words.number(found, 2)
    return f"Probabilities at temperature {fitted}, fitted on the corpus that is judged (in-sample)."


# Attacks on spans -----------------------------------------------------------------------------------------------------


def attacks(document: Document, view: str) -> list[Result]:
    """Results of span-targeted cases in one view."""
    return [result for result in _own(document) if _source(result) is not None and result.view == view]


def _own(document: Document) -> list[Result]:
    return [result for result in document.results if result.task == TASK]


def _projected_tables(document: Document) -> Iterator[Table]:
    found = attacks(document, "projected")
    used = {_source(result) for result in found}
    notes = define_terms({source: meaning for source, meaning in _SOURCE_MEANINGS.items() if source in used})
    drops = "Drops are clean minus attacked, so positive is worse; confidence drops are in logits."
    fitted = _in_sample(document)
    yield from _table(found, _PROJECTED, "Targeted attacks", (*notes, drops, *([fitted] if fitted else [])), document)


def _structural(document: Document) -> Iterator[Table]:
    found = attacks(document, "structural")
    moving = [result for result in found if views_differ([result, *siblings(result, document)])]
    title = "Attacks that move words, in the structural view"
    yield from _table(moving, _STRUCTURAL, title, define_terms(_STRUCTURE_NOTES), document)


def _table(
    found: Sequence[Result],
    metrics: Sequence[_Metric],
    title: str,
    notes: Sequence[Item | str],
    document: Document,
) -> Iterator[Table]:
    if not found:
        return
    clean = _clean(document, found[0].view)
    columns = [
        Column(each.heading, metric_of(found[0], each.name).meaning, numeric=True, wide=each.name == "f1_drop")
        for each in metrics
    ]
    known = (Measured.of(clean.get(each.name) if each.when_clean else None) for each in metrics)
    rows = [Row(("Baseline", "none", *known), 1e9)]
    for result in found:
        numbers = (measured_number(result, each.name) for each in metrics)
        rows.append(Row((_attack(result), certain(_source(result)), *numbers), weight(result)))
    columns = [Column("Attack"), Column("Spans"), *columns]
    yield Table(tuple(columns), tuple(rows), title, tuple(notes), keys=2, dense=True, noun="attack")


def _source(result: Result) -> str | None:
    return PerturbationFields.of(result).span_source


def _attack(result: Result) -> str:
    source = f"{_source(result)} spans"
    return case_in_words(result, [each for each in probe_of(result).report.settings(result) if each != source])


def _clean(document: Document, view: str | None) -> Mapping[str, Estimated | None]:
    for result in _own(document):
        if result.headline == "f1" and result.view == view:
            return result.metrics
    facts = facts_of(document, TASK)
    return {} if facts is None else facts.baseline.more


def _heat(document: Document) -> Iterator[Table]:
    found = attacks(document, "projected")
    facts = facts_of(document, TASK)
    clean = {} if facts is None else facts.baseline.per_type
    types = groups_of([clean, *(result.per_type for result in found)])
    if not found or not types:
        return
    drops = [Measured.of(row.more.get("f1_drop")).value or 0.0 for result in found for row in result.per_type.values()]
    reach = max([_LEAST_REACH, *map(abs, drops)])
    named_rows = [("Baseline", clean, 1e9), *((scenario(each), each.per_type, weight(each)) for each in found)]
    rows = [Row((name, *_shade_cells(name, each, types, reach)), heavy) for name, each, heavy in named_rows]
    columns = (Column("Attack"), *(Column(words.shorten(kind, _TYPE), kind, numeric=True) for kind in types))
    end = words.number(reach, 2)
    legend = (
        ColourKey("", "number: F1"),
        ColourKey("loss", f"F1 drop, from 0 to {end}"),
        ColourKey("gain", f"F1 gain, from 0 to {end}"),
        ColourKey("bold", "the interval of the drop excludes 0"),
    )
    title = "F1 per entity type under attack"
    yield Table(columns, tuple(rows), title, dense=True, figure=True, noun="attack", most=41, legend=legend)


def _shade_cells(name: str, rows: Mapping[str, GroupFacts], types: Sequence[str], reach: float) -> Iterator[Shaded]:
    for kind in types:
        row = rows.get(kind)
        f1, drop = (Measured.of(row.more.get(each) if row else None) for each in ("f1", "f1_drop"))
        clear = drop.low is not None and drop.high is not None and (drop.low > 0 or drop.high < 0)
        said = f"F1 {f1}" + (f", drop {drop}" if drop.value is not None else "") if row else "no entity"
        shade = None if drop.value is None else max(-1.0, min(1.0, drop.value / reach))
        yield Shaded(words.number(f1.value, 2), shade, clear, f"{name}, {kind}: {said}")


# Random perturbations and attacks side by side ------------------------------------------------------------------------


def _crosscheck(document: Document) -> Iterator[Table]:
    targeted = attacks(document, "projected")
    random = [result for result in _own(document) if _source(result) is None and result.view == "projected"]
    pairs = [
        (ours, theirs)
        for name, attack in _PAIRS
        for ours in random
        if ours.name == name
        for theirs in targeted
        if theirs.name == attack
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
        "Overlapping intervals show no difference, but do not prove that there is none.",
        "The two change different words, and different numbers of words.",
    )
    legend = (ColourKey("first", "random, above"), ColourKey("second", "targeted, below"))
    title = "Cross-check: random against targeted"
    yield Table(columns, rows, title, notes, dense=True, noun="pair", legend=legend)


def _pair(random: Result, targeted: Result) -> tuple[Cell, ...]:
    drops = measured_number(random, "f1_drop_changed"), measured_number(targeted, "f1_drop_changed")
    sentences = random.sentences, targeted.sentences
    unlike = "" if len(set(sentences)) == 1 else " Not over the same sentences: {:,} and {:,}.".format(*sentences)
    bars = Bars(drops, f"random {drops[0]}, targeted {drops[1]}")
    return scenario(random), drops[0], scenario(targeted), drops[1], bars, meaning_of(*drops) + unlike


def meaning_of(random: Measured, targeted: Measured) -> str:
    """The larger of two F1 drops, if their intervals can tell."""
    ours, least, most = random.ends
    theirs, low, high = targeted.ends
    if ours is None or least is None or most is None or theirs is None or low is None or high is None:
        return "Not comparable: one of the drops has no value here."
    more = words.number(abs(theirs - ours))
    if low > most:
        return f"The targeted attack costs {more} more F1; the intervals do not overlap."
    if high < least:
        return f"The random perturbation costs {more} more F1; the intervals do not overlap."
    return "No clear difference: the intervals overlap."
