"""Report blocks of attacks: their success and their cost [Dirkson et al., Breaking BERT, Table 3]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from abalo.core import words
from abalo.core.blocks import (
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
    defined,
    meanings,
)
from abalo.core.results import Json, measured, metric_of, scenario, task_of, weight
from abalo.core.task import Task
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
"""The metrics of successes, and their headings."""

COSTS = {"words_perturbed": "Words perturbed", "single_change_rate": "Single change"}
"""The metrics of what a success took, and their headings."""

FAILED = {
    "nothing_to_try_rate": "Nothing to try",
    "filtered_by_similarity_rate": "All filtered by similarity",
    "filtered_by_part_of_speech_rate": "Filtered by part of speech",
    "out_of_budget_rate": "Out of budget",
    "resisted_rate": "Resisted",
}
"""The metrics of failures, which sum to 1, and their headings."""

METRICS = (*ACHIEVED, *COSTS, *FAILED)
"""The metrics of attacks that search alone, in the order in which to read them; some tasks have only some of them."""

SCORES = ("missed_entity_rate", "type_error_rate", "boundary_error_rate", "partial_success_rate")
"""Those that stand beside the success rate in tables."""

_SIMILARITY = "of the changed sentence to the original, median over the successes"

_QUERIES = "variants that the model was asked about in one search, which is for one target under one seed"

_FILTERED = 0.5
"""The share of searches without anything to show the model above which an attack says little."""

_SOURCES = {
    "similarity": "similarity by",
    "synonyms": "synonyms from",
    "entities": "entities from",
    "stop words": "stop words, never changed",
}
"""The role of a source in words, where its bare name would not do."""

_SOURCE = 300
"""How many characters of the name of a source are shown: it may end in a warning, which no cut should hide."""

_TRAITS = {
    "sentence_length": "Words in the sentence",
    "choices": "Words that could be changed",
    "entity_length": "Words in the entity",
}

_SIGNIFICANT = 0.05
"""The p below which a difference is spoken of. [Dirkson et al., 5.3, do not say theirs]"""

_REACH = 15
"""Distances in words from the target that have bars of their own; those farther away share one on either side."""

_NEAR = 2
"""Words from the target that the paper found most of the changes within."""


def extent(result: Json, task: Task) -> str:
    """How many targets were attacked, under how many seeds."""
    seeds = len(result["seeds"])
    return f"of {words.count(_targets(result), *_nouns(result, task))}" + (f", {seeds} seeds" if seeds > 1 else "")


def _idle(result: Json) -> str | None:
    """The remark on an attack that showed the model no candidate; None for one that did, even without success."""
    attack = result["attack"]
    if attack["queries"]["total"] and attack["untried"] < attack["targets"]:
        return None
    target = _nouns(result, task_of(result))[0]
    return (
        f"{scenario(result)} could do nothing to any {target} that the model has right, so it says nothing about the "
        "model."
    )


def _nouns(result: Json, task: Task) -> tuple[str, str]:
    """A target of the attack in words, and several."""
    return task.targets.nouns(result["params"].get("to", ""))


def remarks(results: Sequence[Json], document: Json) -> Sequence[str]:
    """Attacks and searches that could do nothing, or on most of their targets, and searches that ran out of budget."""
    named = [(scenario(result), result["attack"]) for result in results]
    searches = {title: words.count(attack["targets"], "search", "searches") for title, attack in named}
    return [
        *(said for said in map(_idle, results) if said is not None),
        *(
            f"{title}: {attack['spent']:,} of {searches[title]} ended because the budget of queries was spent; with "
            "more, the success rate may be higher."
            for title, attack in named
            if attack["spent"]
        ),
        *(
            f"{title}: in {attack['failures']['nothing_to_try']:,} of {searches[title]} there was nothing to try; do "
            "its sources fit the language of the corpus?"
            for title, attack in named
            if attack["failures"]["nothing_to_try"] > _FILTERED * attack["targets"]
            and attack["untried"] < attack["targets"]
        ),
        *(
            f"{title}: in {refused:,} of {searches[title]} every candidate was refused, as not similar enough or of "
            "another part of speech: a low success rate says little about them."
            for title, attack in named
            for refused in [attack["failures"]["similarity"] + attack["failures"]["part_of_speech"]]
            if refused > _FILTERED * attack["targets"] and attack["untried"] < attack["targets"]
        ),
    ]


def remedy(result: Json, task: Task) -> str:
    """The failures as tests of the next model."""
    return (
        "Keep what broke the model (--abalo-save-failures broken.jsonl), and try it again on the next one "
        "(--abalo-regressions broken.jsonl)."
    )


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """A row per attack: its success, target by target, and its cost; then why the others failed."""
    if not results:
        return ()
    task = task_of(results[0])
    several = any(len(result["attack"]["by_seed"]) > 1 for result in results)
    columns = [
        Column("Attack"),
        Column(
            words.sentence_case(task.targets.nouns()[1]),
            f"attacked were those that the model has right as they stand; in how many distinct {task.noun}s, of those "
            f"with a gold label and, where parts of speech are known, a verb",
            numeric=True,
        ),
        *(_column(results[0], name, head, wide=name == "success_rate") for name, head in _achieved_by(task).items()),
        Column("Similarity", _SIMILARITY, numeric=True),
        *(_column(results[0], name, head) for name, head in COSTS.items()),
        Column("Queries", f"{_QUERIES}: median, and most", numeric=True),
        Column("Out of budget", "searches that would have asked about more, of all", numeric=True),
    ]
    if several:
        columns.append(Column("Success over seeds", "mean ± sample standard deviation", numeric=True))
    rows = tuple(Row(tuple(_cells(result))[: len(columns)], weight(result)) for result in results)
    notes = *meanings(columns), *defined(sources(results))
    return [Table(tuple(columns), rows, "Adaptive attacks", notes, dense=True, noun="attack"), _failed(results)]


def _failed(results: Sequence[Json]) -> Table:
    """A row per attack: how many searches failed, and the share of each reason."""
    columns = (
        Column("Attack"),
        Column("Failures", "searches without a full success, of all; a partial success is one of them", numeric=True),
        *(_column(results[0], name, head) for name, head in FAILED.items()),
    )
    rows = tuple(
        Row(
            (
                scenario(result),
                Noted(f"{failed:,}", f"of {words.count(result['attack']['targets'], 'search', 'searches')}"),
                *(measured(result, name) for name in FAILED),
            ),
            weight(result),
        )
        for result in results
        for failed in [sum(result["attack"]["failures"].values())]
    )
    return Table(columns, rows, "Adaptive attacks that failed", meanings(columns), dense=True, noun="attack")


def detail(result: Json, document: Json) -> Sequence[Block]:
    """The results of an attack under each seed, the places and words of its changes, its successes, its queries."""
    analyses = *_distances(result), *_parts(result), *_contrast(result)
    return [_achieved(result, document), *analyses, _asked(result)]


def _achieved_by(task: Task) -> Mapping[str, str]:
    """The metrics of successes that the task has, and their headings."""
    return {name: heading for name, heading in ACHIEVED.items() if name in task.metrics()}


def _column(result: Json, metric: str, heading: str, *, wide: bool = False) -> Column:
    return Column(heading, metric_of(result, metric).meaning, numeric=True, wide=wide)


def _cells(result: Json) -> Iterator[Cell]:
    attack, task = result["attack"], task_of(result)
    eligible = words.count(attack["eligible_sentences"], task.noun)
    yield scenario(result)
    yield Noted(f"{_targets(result):,}", f"in {result['sentences']:,} of {eligible}")
    for name in _achieved_by(task):
        yield measured(result, name)
    yield words.number(attack["median_similarity"])
    for name in COSTS:
        yield measured(result, name)
    queries = attack["queries"]
    if queries["median"] is None:
        yield words.NOTHING
    else:
        yield Noted(f"{queries['median']:,g}", f"at most {queries['most']:,}")
    yield Noted(f"{attack['spent']:,}", f"of {words.count(attack['targets'], 'search', 'searches')}")
    found = over_seeds(result, "success_rate")
    yield found if found == words.NOTHING else Noted(found, f"{len(attack['by_seed'])} seeds")


def _targets(result: Json) -> int:
    """Targets attacked, each counted once: every seed attacks the same."""
    attack = result["attack"]
    return int(attack["targets"] // max(1, len(attack["by_seed"])))


def over_seeds(result: Json, metric: str) -> str:
    """Mean and sample standard deviation over seeds, such as ``0.345 ± 0.010``; a dash with fewer than two numbers."""
    known = [row[metric] for row in result["attack"]["by_seed"] if row[metric] is not None]
    return words.NOTHING if len(known) < 2 else f"{words.number(fmean(known))} ± {words.number(stdev(known))}"


def sources(results: Sequence[Json]) -> dict[str, str]:
    """The name of what the attacks asked besides the model, by what it was asked for, in words.

    Where attacks asked different sources for the same, each has an entry that names the attack.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for result in results:
        for kind, name in result["attack"]["sources"].items():
            found.setdefault(kind, {}).setdefault(name, []).append(scenario(result))
    return {
        _SOURCES.get(kind, kind) + ("" if len(names) == 1 else f", {'; '.join(named)}"): _explained(kind, name)
        for kind, names in found.items()
        for name, named in names.items()
    }


def _explained(kind: str, name: str) -> str:
    if (kind, name) == ("parts of speech", "off"):
        return "off, so a word may become another part of speech, and sentences need no verb"
    return visible(words.shortened(name, _SOURCE))


def _achieved(result: Json, document: Json) -> Table:
    """A row per metric; with several seeds, also mean ± standard deviation and a column each."""
    attack, gate = result["attack"], document.get("gate")
    seeds = attack["by_seed"] if len(attack["by_seed"]) > 1 else []
    interval = f" [{100 * gate['confidence']:g} % interval]" if gate else ""
    columns = [Column("Metric"), Column(f"Found{interval}", numeric=True)]
    if seeds:
        columns.append(Column("Mean ± s.d. over seeds", numeric=True))
        columns += [Column(f"Seed {row['seed']}", numeric=True) for row in seeds]
    rows = [
        Row(
            (
                words.sentence_case(metric_of(result, name).words),
                measured(result, name),
                *([over_seeds(result, name)] if seeds else []),
                *(words.number(row[name]) for row in seeds),
                metric_of(result, name).meaning,
            )
        )
        for name in METRICS
        if name in task_of(result).metrics()
    ]
    nothing = [""] * len(columns[2:])
    rows.append(Row(("Median similarity", words.number(attack["median_similarity"]), *nothing, _SIMILARITY)))
    return Table((*columns, Column("Meaning")), tuple(rows), "What the attack achieved")


def _distances(result: Json) -> Iterator[Block]:
    """How far from the target the changes of successful attacks sat [Dirkson et al., Figure 1]; nothing without any."""
    noun = task_of(result).targets.nouns()[0]
    counts: dict[int, int] = {}
    for offset, count in result["attack"]["offsets"]:
        pooled = max(-_REACH - 1, min(_REACH + 1, offset))
        counts[pooled] = counts.get(pooled, 0) + count
    if not counts:
        return
    total, near = sum(counts.values()), sum(count for offset, count in counts.items() if abs(offset) <= _NEAR)
    before = sum(count for offset, count in counts.items() if offset < 0)
    said = (
        f"Of {words.count(total, 'change')} in successful attacks, {near:,} ({100 * near / total:.0f} %) sat within "
        f"{_NEAR} words of the {noun}, and {before:,} ({100 * before / total:.0f} %) before it. Every {noun} of a "
        "sentence has near words, only those of long sentences have far ones: part of the fall on either side comes "
        "from that."
    )
    sides = (range(-_REACH - 1, 0), "before"), (range(1, _REACH + 2), "after")
    groups = tuple(
        Group(f"words {side} the {noun}", tuple(_column_of(offset, side, counts.get(offset, 0)) for offset in offsets))
        for offsets, side in sides
    )
    title = "Where the changes sat that broke the model"
    yield Chart(title, groups, "changes", "columns", between=noun, notes=(said,), most=2 * _REACH)


def _column_of(offset: int, side: str, count: int) -> Bar:
    far = abs(offset) > _REACH
    label = f"more than {_REACH} words {side}" if far else f"{words.count(abs(offset), 'word')} {side}"
    ticked = far or abs(offset) in (1, 2, 3) or offset % 5 == 0
    tick = "" if not ticked else f"> {_REACH}" if far else f"{abs(offset)}"
    return Bar(label, Measured(float(count)), tick=tick)


def _contrast(result: Json) -> Iterator[Block]:
    """The mean of each trait over successful and failed searches [Dirkson et al., 5.1]; nothing without a search."""
    attack, task = result["attack"], task_of(result)
    if not attack["targets"]:
        return
    broken = round((measured(result, "success_rate").value or 0.0) * attack["targets"])
    columns = (
        Column("Mean of"),
        Column(f"Successful attacks ({broken:,})", numeric=True),
        Column(f"Failed attacks ({attack['targets'] - broken:,})", numeric=True),
    )
    names = _TRAITS | ({"choices": "Entities to choose from"} if "entities" in attack["sources"] else {})
    rows = tuple(
        Row((names.get(trait, trait), *(words.number(means[side], 1) for side in ("successful", "failed"))))
        for trait, means in attack["compared"].items()
        if trait != "entity_length" or (task.labelled == "spans" and _nouns(result, task) == task.targets.nouns())
    )
    yield Table(columns, rows, "Successful against failed attacks")
    if attack["rarity"]:
        yield Text((rarity_said(attack["rarity"]),))


def _parts(result: Json) -> Iterator[Block]:
    """The parts of speech of the words replaced in successes, beside those that could have been; nothing if unknown."""
    parts = result["attack"]["parts_of_speech"]
    if not parts:
        return
    replaced, could = (sum(each[name] for each in parts) for name in ("replaced", "could"))
    columns = (
        Column("Part of speech"),
        Column("Words replaced", numeric=True),
        Column("Share", numeric=True),
        Column("Share of the words that could be", "of the words of these sentences that have a synonym", numeric=True),
    )
    rows = tuple(
        Row(
            (
                each["part"],
                f"{each['replaced']:,}",
                words.number(each["replaced"] / replaced if replaced else None),
                words.number(each["could"] / could if could else None),
            )
        )
        for each in parts
    )
    yield Table(columns, rows, "Words replaced in successful attacks", meanings(columns))


def rarity_said(rarity: Mapping[str, Any]) -> str:
    """How often the new and the original entities, or words, of the successes stand in the training data, and p."""
    training = words.name(rarity["training"])
    entities = rarity["of"] == "entities"
    if not rarity["pairs"]:
        return f"No success, so nothing to say about how rare its {rarity['of']} are in {training}."
    counted = (
        f"In {training}, {'the entity' if entities else 'a word'} that broke the model stands "
        f"{words.number(rarity['replacement'], 1)} times on average, the one it replaced "
        f"{words.number(rarity['original'], 1)} times"
    )
    if rarity["p"] is None:
        return f"{counted}: every pair is equally frequent, so there is nothing to test (n = {rarity['pairs']:,})."
    rarer = "rarer" if rarity["replacement"] < rarity["original"] else "more frequent"
    reading = "no clear difference" if rarity["p"] >= _SIGNIFICANT else f"what breaks the model is {rarer}"
    tested = f"Wilcoxon signed-rank test, two-sided {words.equals_p(rarity['p'])}"
    several = rarity["changes"] > rarity["pairs"]
    shared = f" Of the {rarity['changes']:,} changes, those made for one entity count as one." if several else ""
    return f"{counted}: {reading} ({tested}, n = {rarity['pairs']:,}).{shared}"


def _asked(result: Json) -> Text:
    """The queries of the attack, its sources besides the model, and its log."""
    attack, queries, task = result["attack"], result["attack"]["queries"], task_of(result)
    line = (
        f"{words.count(_targets(result), *_nouns(result, task))} in {result['sentences']:,} of "
        f"{words.count(attack['eligible_sentences'], task.noun)} that could be attacked; "
        f"{words.count(queries['total'], 'query', 'queries')}"
    )
    if queries["median"] is not None:
        line += f" (median of a search {queries['median']:,g}, most {queries['most']:,})"
    lines: list[str | Item] = [f"{line}."]
    lines += [f"Every search is in attacks/{attack['log']}, beside this report."] if attack["log"] else []
    return Text((*lines, *defined(sources([result]))), "What was asked")
