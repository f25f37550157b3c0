"""What an attack that searches achieved, over all seeds and under each."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.adaptive import METRICS, SIMILARITY, over_seeds
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json


def render(case: Case) -> str:
    """A row per metric; with several seeds, also mean ± standard deviation and a column each; empty for other cases."""
    attack = case.result["attack"]
    if attack is None:
        return ""
    seeds = attack["by_seed"] if len(attack["by_seed"]) > 1 else []
    interval = f"{phrases.confidence(case.document)} interval".strip()
    columns = [Column("Metric"), Column(f"Found [{interval}]", numeric=True)]
    if seeds:
        columns.append(Column("Mean ± s.d. over seeds", numeric=True))
        columns += [Column(f"Seed {row['seed']}", numeric=True) for row in seeds]
    rows = [_row(case.result, metric, seeds) for metric in METRICS]
    nothing = [""] * len(columns[2:])
    rows.append(["Median similarity", phrases.number(attack["median_similarity"]), *nothing, text(SIMILARITY)])
    return section("What the attack achieved", table([*columns, Column("Meaning")], rows))


def _row(result: Json, metric: str, seeds: list[Json]) -> list[str]:
    return [
        text(phrases.sentence_case(phrases.metric(metric))),
        phrases.measured(result["metrics"].get(metric)),
        *([over_seeds(result, metric)] if seeds else []),
        *(phrases.number(row[metric]) for row in seeds),
        text(phrases.meaning(metric)),
    ]
