"""Report blocks of attacks, after Dirkson et al., Breaking BERT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev

from abalo.attacks.facts import Rarity, facts_of
from abalo.core.documents.blocks import (
    Bar,
    Block,
    Cell,
    Chart,
    Column,
    Group,
    Item,
    Measured,
    Noted,
    Row,
    Table,
    Text,
    define_terms,
    meanings,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, certain
from abalo.core.protocols.results import inputs_unasked, measured_number, metric_of, scenario, task_of, weight
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.errors import visible

ACHIEVED = {
    "success_rate": "Success",
    "missed_entity_rate": "of which missed",
    "type_error_rate": "of which type error",
    "boundary_error_rate": "of which boundary error",
    "partial_success_rate": "Partial success",
    "best_partial_success_rate": "Partial success, best state",
    "any_word_wrong_rate": "Any word wrong",
    "best_any_word_wrong_rate": "Any word wrong, best state",
}

COSTS = {"words_perturbed": "Words perturbed", "single_change_rate": "Single change"}

FAILED = {
    "nothing_to_try_rate": "Nothing to try",
    "filtered_by_similarity_rate": "All filtered by similarity",
    "filtered_by_part_of_speech_rate": "Filtered by part of speech",
    "out_of_budget_rate": "Out of budget",
    "resisted_rate": "Resisted",
}
"""Shares that sum to 1."""

METRICS = (*ACHIEVED, *COSTS, *FAILED)

SCORES = ("missed_entity_rate", "type_error_rate", "boundary_error_rate", "partial_success_rate")

_SIMILARITY = "of the changed sentence to the original, median over the successes"

_QUERIES = "variants that one search showed the model; a search attacks one target under one seed"

_FILTERED = 0.5

_SOURCES = {
    "similarity": "similarity by",
    "synonyms": "synonyms from",
    "entities": "entities from",
    "stop words": "stop words, never changed",
}

_SOURCE = 300
"""Long, because a cut must not hide the final warning."""

_TRAITS = {
    "sentence_length": "Words in the sentence",
    "choices": "Words that could be changed",
    "entity_length": "Words in the entity",
}

_SIGNIFICANT = 0.05
"""Dirkson et al. (5.3) do not state theirs."""

_REACH = 15

_NEAR = 2
"""Words; the paper found most changes within."""


def extent(result: Result, task: Task) -> str:
    """Number of attacked targets and seeds, in words."""
    seeds = len(result.seeds)
    return f"of {words.count(_targets(result), *_nouns(result, task))}" + (f", {seeds} seeds" if seeds > 1 else "")


def _idle(result: Result) -> str | None:
    attack = facts_of(result)
    if attack.queries.total and attack.untried < attack.targets:
        return None
    target = _nouns(result, task_of(result))[0]
    return (
        f"{scenario(result)} found nothing to change for any {target} that the model gets right, so it says "
        "nothing about the model."
    )


def _nouns(result: Result, task: Task) -> tuple[str, str]:
    return task.targets.nouns(result.params.get("to", ""))


def remarks(results: Sequence[Result], document: Document) -> Sequence[str]:
    """Warns about attacks without candidates and exhausted budgets."""
    named = [(scenario(result), facts_of(result)) for result in results]
    searches = {title: words.count(attack.targets, "search", "searches") for title, attack in named}
    return [
        *(said for said in map(_idle, results) if said is not None),
        *(
            f"{title}: {words.count(unasked, 'input')} not asked about, since no call was left; targets that were not "
            "attacked count as unbroken. Allow more calls with --abalo-max-calls."
            for (title, _), result in zip(named, results, strict=True)
            if (unasked := inputs_unasked(result))
        ),
        *(
            f"{title}: {attack.spent:,} of {searches[title]} ran out of queries; with a larger budget, the "
            "success rate may be higher."
            for (title, attack), result in zip(named, results, strict=True)
            if attack.spent and not inputs_unasked(result)
        ),
        *(
            f"{title}: {attack.failures['nothing_to_try']:,} of {searches[title]} had nothing to try. Check that "
            "its word lists or models fit the language of the corpus."
            for title, attack in named
            if attack.failures["nothing_to_try"] > _FILTERED * attack.targets and attack.untried < attack.targets
        ),
        *(
            f"{title}: {refused:,} of {searches[title]} rejected every candidate (not similar enough, or another "
            "part of speech), so a low success rate says little."
            for title, attack in named
            for refused in [attack.failures["similarity"] + attack.failures["part_of_speech"]]
            if refused > _FILTERED * attack.targets and attack.untried < attack.targets
        ),
    ]


def remedy(result: Result, task: Task) -> str:
    """Suggests the failures as tests of the next model."""
    return (
        "Save the sentences that broke the model (--abalo-save-failures broken.jsonl), and test the next model "
        "on them (--abalo-regressions broken.jsonl)."
    )


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """Success, cost and failures of each attack [Dirkson et al., Table 3]."""
    if not results:
        return ()
    task = task_of(results[0])
    several = any(len(facts_of(result).by_seed) > 1 for result in results)
    columns = [
        Column("Attack"),
        Column(
            words.sentence_case(task.targets.nouns()[1]),
            f"attacked, all right before the attack; then the distinct {task.noun}s with them, of all that qualify. "
            f"A {task.noun} qualifies if it has a gold label and, with parts of speech, a verb",
            numeric=True,
        ),
        *(
            _column(results[0], name, head, wide=name == "success_rate")
            for name, head in _success_headings(task).items()
        ),
        Column("Similarity", _SIMILARITY, numeric=True),
        *(_column(results[0], name, head) for name, head in COSTS.items()),
        Column("Queries", f"{_QUERIES}: median, and most", numeric=True),
        Column("Out of budget", "searches that ran out of queries, of all", numeric=True),
    ]
    if several:
        columns.append(Column("Success over seeds", "mean ± sample standard deviation", numeric=True))
    rows = tuple(Row(tuple(_cells(result))[: len(columns)], weight(result)) for result in results)
    notes = *meanings(columns), *define_terms(sources(results))
    return [
        Table(tuple(columns), rows, "Adaptive attacks", notes, dense=True, noun="attack", cards=True),
        _failures_table(results),
    ]


def _failures_table(results: Sequence[Result]) -> Table:
    columns = (
        Column("Attack"),
        Column("Failures", "searches without full success, of all; partial success is included", numeric=True),
        *(_column(results[0], name, head) for name, head in FAILED.items()),
    )
    rows = tuple(
        Row(
            (
                scenario(result),
                Noted(f"{failed:,}", f"of {words.count(facts_of(result).targets, 'search', 'searches')}"),
                *(measured_number(result, name) for name in FAILED),
            ),
            weight(result),
        )
        for result in results
        for failed in [sum(facts_of(result).failures.values())]
    )
    return Table(
        columns, rows, "Adaptive attacks that failed", meanings(columns), dense=True, noun="attack", cards=True
    )


def detail(result: Result, document: Document) -> Sequence[Block]:
    """One attack in full [Dirkson et al., Figure 1 and 5.1]."""
    analyses = *_distances(result), *_parts(result), *_contrast(result)
    return [_successes_table(result, document), *analyses, _queries_text(result)]


def _success_headings(task: Task) -> Mapping[str, str]:
    return {name: heading for name, heading in ACHIEVED.items() if name in task.metrics()}


def _column(result: Result, metric: str, heading: str, *, wide: bool = False) -> Column:
    return Column(heading, metric_of(result, metric).meaning, numeric=True, wide=wide)


def _cells(result: Result) -> Iterator[Cell]:
    attack, task = facts_of(result), task_of(result)
    eligible = words.count(attack.eligible_sentences, task.noun)
    yield scenario(result)
    yield Noted(f"{_targets(result):,}", f"in {result.sentences:,} of {eligible}")
    for name in _success_headings(task):
        yield measured_number(result, name)
    yield words.number(attack.median_similarity)
    for name in COSTS:
        yield measured_number(result, name)
    queries = attack.queries
    if queries.median is None:
        yield words.NOTHING
    else:
        yield Noted(f"{queries.median:,g}", f"at most {queries.most:,}")
    yield Noted(f"{attack.spent:,}", f"of {words.count(attack.targets, 'search', 'searches')}")
    found = over_seeds(result, "success_rate")
    yield found if found == words.NOTHING else Noted(found, f"{len(attack.by_seed)} seeds")


def _targets(result: Result) -> int:
    attack = facts_of(result)
    return int(attack.targets // max(1, len(attack.by_seed)))


def over_seeds(result: Result, metric: str) -> str:
    """Mean and sample standard deviation over seeds; a dash for fewer than two numbers."""
    known = [row[metric] for row in facts_of(result).by_seed if row[metric] is not None]
    return words.NOTHING if len(known) < 2 else f"{words.number(fmean(known))} ± {words.number(stdev(known))}"


def sources(results: Sequence[Result]) -> dict[str, str]:
    """Sources besides the model, by purpose; entries name their attacks if these differ."""
    found: dict[str, dict[str, list[str]]] = {}
    for result in results:
        for kind, name in facts_of(result).sources.items():
            found.setdefault(kind, {}).setdefault(name, []).append(scenario(result))
    return {
        _SOURCES.get(kind, kind) + ("" if len(names) == 1 else f", {'; '.join(named)}"): _explanation(kind, name)
        for kind, names in found.items()
        for name, named in names.items()
    }


def _explanation(kind: str, name: str) -> str:
    if (kind, name) == ("parts of speech", "off"):
        return "off, so a word may become another part of speech, and sentences need no verb"
    return visible(words.shorten(name, _SOURCE))


def _successes_table(result: Result, document: Document) -> Table:
    attack, gate = facts_of(result), document.gate
    seeds = attack.by_seed if len(attack.by_seed) > 1 else []
    interval = f" [{100 * gate.confidence:g} % interval]" if gate.confidence else ""
    columns = [Column("Metric"), Column(f"Found{interval}", numeric=True)]
    if seeds:
        columns.append(Column("Mean ± s.d. over seeds", numeric=True))
        columns += [Column(f"Seed {row['seed']}", numeric=True) for row in seeds]
    rows = [
        Row(
            (
                words.sentence_case(metric_of(result, name).words),
                measured_number(result, name),
                *([over_seeds(result, name)] if seeds else []),
                *(words.number(row[name]) for row in seeds),
                metric_of(result, name).meaning,
            )
        )
        for name in METRICS
        if name in task_of(result).metrics()
    ]
    nothing = [""] * len(columns[2:])
    rows.append(Row(("Median similarity", words.number(attack.median_similarity), *nothing, _SIMILARITY)))
    return Table((*columns, Column("Meaning")), tuple(rows), "What the attack achieved")


def _distances(result: Result) -> Iterator[Block]:
    noun = task_of(result).targets.nouns()[0]
    counts: dict[int, int] = {}
    for offset, count in facts_of(result).offsets:
        pooled = max(-_REACH - 1, min(_REACH + 1, offset))
        counts[pooled] = counts.get(pooled, 0) + count
    if not counts:
        return
    total, near = sum(counts.values()), sum(count for offset, count in counts.items() if abs(offset) <= _NEAR)
    before = sum(count for offset, count in counts.items() if offset < 0)
    said = (
        f"Of {words.count(total, 'change')} in successful attacks, {near:,} ({100 * near / total:.0f} %) are "
        f"within {_NEAR} words of the {noun}, and {before:,} ({100 * before / total:.0f} %) before it. Every "
        f"{noun} has near words, but only long sentences have far ones; this explains part of the decrease with "
        "distance."
    )
    sides = (range(-_REACH - 1, 0), "before"), (range(1, _REACH + 2), "after")
    groups = tuple(
        Group(f"words {side} the {noun}", tuple(_column_of(offset, side, counts.get(offset, 0)) for offset in offsets))
        for offsets, side in sides
    )
    title = "Where successful attacks changed the sentence"
    yield Chart(title, groups, "changes", "columns", between=noun, notes=(said,), most=2 * _REACH)


def _column_of(offset: int, side: str, count: int) -> Bar:
    far = abs(offset) > _REACH
    label = f"more than {_REACH} words {side}" if far else f"{words.count(abs(offset), 'word')} {side}"
    ticked = far or abs(offset) in (1, 2, 3) or offset % 5 == 0
    tick = "" if not ticked else f"> {_REACH}" if far else f"{abs(offset)}"
    return Bar(label, Measured(float(count)), tick=tick)


def _contrast(result: Result) -> Iterator[Block]:
    attack, task = facts_of(result), task_of(result)
    if not attack.targets:
        return
    broken = round((measured_number(result, "success_rate").value or 0.0) * attack.targets)
    columns = (
        Column("Mean of"),
        Column(f"Successful attacks ({broken:,})", numeric=True),
        Column(f"Failed attacks ({attack.targets - broken:,})", numeric=True),
    )
    names = _TRAITS | ({"choices": "Entities to choose from"} if "entities" in attack.sources else {})
    rows = tuple(
        Row((names.get(trait, trait), *(words.number(means[side], 1) for side in ("successful", "failed"))))
        for trait, means in attack.compared.items()
        if trait != "entity_length" or (task.labelled == "spans" and _nouns(result, task) == task.targets.nouns())
    )
    yield Table(columns, rows, "Successful against failed attacks")
    if attack.rarity:
        yield Text((rarity_said(attack.rarity),))


def _parts(result: Result) -> Iterator[Block]:
    parts = facts_of(result).parts_of_speech
    if not parts:
        return
    replaced, could = sum(each.replaced for each in parts), sum(each.could for each in parts)
    columns = (
        Column("Part of speech"),
        Column("Words replaced", numeric=True),
        Column("Share", numeric=True),
        Column("Share of the words that could be", "of the words of these sentences that have a synonym", numeric=True),
    )
    rows = tuple(
        Row(
            (
                each.part,
                f"{each.replaced:,}",
                words.number(each.replaced / replaced if replaced else None),
                words.number(each.could / could if could else None),
            )
        )
        for each in parts
    )
    yield Table(columns, rows, "Words replaced in successful attacks", meanings(columns))


def rarity_said(rarity: Rarity) -> str:
    """Training-data counts of old and new text, and p, in words."""
    training = words.name(rarity.training)
    entities = rarity.of == "entities"
    if not rarity.pairs:
        return f"No attack succeeded, so the report cannot say how rare its {rarity.of} are in {training}."
    counted = (
        f"In {training}, {'the entity' if entities else 'a word'} that broke the model occurs "
        f"{words.number(rarity.replacement, 1)} times on average, the one it replaced "
        f"{words.number(rarity.original, 1)} times"
    )
    if rarity.p is None:
        return f"{counted}: every pair is equally frequent, so there is nothing to test (n = {rarity.pairs:,})."
    rarer = "rarer" if certain(rarity.replacement) < certain(rarity.original) else "more frequent"
    finding = "no clear difference" if rarity.p >= _SIGNIFICANT else (f"replacements that break the model are {rarer}")
    tested = f"Wilcoxon signed-rank test, two-sided {words.equals_p(rarity.p)}"
    several = rarity.changes > rarity.pairs
    shared = f" The {rarity.changes:,} changes for one entity count as one." if several else ""
    return f"{counted}: {finding} ({tested}, n = {rarity.pairs:,}).{shared}"


def _queries_text(result: Result) -> Text:
    attack, queries, task = facts_of(result), facts_of(result).queries, task_of(result)
    line = (
        f"{words.count(_targets(result), *_nouns(result, task))} in {result.sentences:,} of "
        f"{words.count(attack.eligible_sentences, task.noun)} that could be attacked; "
        f"{words.count(queries.total, 'query', 'queries')}"
    )
    if queries.median is not None:
        line += f" (median of a search {queries.median:,g}, most {queries.most:,})"
    lines: list[str | Item] = [f"{line}."]
    lines += [f"Every search is in attacks/{attack.log}, beside this report."] if attack.log else []
    return Text((*lines, *define_terms(sources([result]))), "Queries")
