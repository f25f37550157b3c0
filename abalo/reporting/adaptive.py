"""The table of adaptive attacks: what stands in it, and what to know of it [Dirkson et al., Breaking BERT, Table 3]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from abalo.errors import visible
from abalo.reporting import phrases
from abalo.reporting.selection import Json, cases, is_search

TITLE = "Adaptive attacks"

METRICS = (
    "success_rate",
    "missed_entity_rate",
    "type_error_rate",
    "partial_success_rate",
    "any_word_wrong_rate",
    "words_perturbed",
    "single_change_rate",
)
"""What is measured of attacks that search alone, in the order in which to read it."""

SIMILARITY = "of the changed sentence to the original, median over the successes"

_QUERIES = "sentences that the model was asked about in one search, which is for one entity under one seed"

NOTES = {
    "success": "every word of an entity that the model found on the clean sentence is labelled wrong after the change; "
    "B- where I- of the same type stood is not wrong",
    "missed, type error": "of the successes: no word has a label any more; a word has a label of another type; "
    "the rest kept the type, with I- where B- stood",
    "partial success": "at least half of the words are wrong, but not all",
    "words perturbed": "changed words over words outside entities, mean over the successes",
    "single change": "of the successes, those that took no more than one",
    "queries": f"{_QUERIES}, median",
    "similarity": SIMILARITY,
}
"""What the headings mean."""

_SOURCES = {
    "similarity": "similarity by",
    "synonyms": "synonyms from",
    "entities": "entities from",
    "stop words": "stop words, never changed",
}
"""What a source is asked for, in words, where its bare name would not do."""

_SOURCE = 300
"""How many characters of the name of a source are shown: it may end in a warning, which no cut should hide."""


@dataclass(frozen=True, slots=True)
class Said:
    """What stands in a cell that is no measured number, and what goes with it, in small below it or after a comma."""

    main: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class AdaptiveColumn:
    """A column of the table. ``cell`` gives, for a result, a measured number, None, or words.

    The ``wide`` one has its interval beside it where there is little room.
    """

    heading: str
    meaning: str
    cell: Callable[[Json], Json | Said | None]
    wide: bool = False


def searches(document: Json) -> list[Json]:
    """The one result to show for each attack that searches, in document order."""
    return [result for result in cases(document) if is_search(result)]


def columns(results: Sequence[Json]) -> list[AdaptiveColumn]:
    """The columns that the results need: that over seeds only where one has several."""
    several = any(len(result["attack"]["by_seed"]) > 1 for result in results)
    return [*_COLUMNS, *([_OVER_SEEDS] if several else [])]


def entities(result: Json) -> int:
    """Entities attacked, each counted once: every seed attacks the same."""
    attack = result["attack"]
    return int(attack["targets"] // max(1, len(attack["by_seed"])))


def over_seeds(result: Json, metric: str) -> str:
    """Mean and sample standard deviation over seeds, such as ``0.345 ± 0.010``; a dash with fewer than two numbers."""
    known = [row[metric] for row in result["attack"]["by_seed"] if row[metric] is not None]
    if len(known) < 2:
        return phrases.NOTHING
    return f"{phrases.number(fmean(known))} ± {phrases.number(stdev(known))}"


def sources(results: Sequence[Json]) -> dict[str, str]:
    """The name of what the attacks asked besides the model, by what it was asked for, in words.

    Where attacks asked different sources for the same, each has an entry that names the attack.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for result in results:
        for kind, name in result["attack"]["sources"].items():
            found.setdefault(kind, {}).setdefault(name, []).append(phrases.scenario(result))
    return {
        _SOURCES.get(kind, kind) + ("" if len(names) == 1 else f", {'; '.join(attacks)}"): _explained(kind, name)
        for kind, names in found.items()
        for name, attacks in names.items()
    }


def _explained(kind: str, name: str) -> str:
    if (kind, name) == ("parts of speech", "off"):
        return "off, so a word may become another part of speech, and sentences need no verb"
    return visible(phrases.shortened(name, _SOURCE))


def _measured(metric: str, heading: str, *, wide: bool = False) -> AdaptiveColumn:
    return AdaptiveColumn(heading, phrases.meaning(metric), lambda result: result["metrics"].get(metric), wide)


def _entities(result: Json) -> Said:
    eligible = phrases.count(result["attack"]["eligible_sentences"], "sentence")
    return Said(f"{entities(result):,}", f"in {result['sentences']:,} of {eligible}")


def _similarity(result: Json) -> Said:
    return Said(phrases.number(result["attack"]["median_similarity"]))


def _queries(result: Json) -> Said:
    queries = result["attack"]["queries"]
    if queries["median"] is None:
        return Said(phrases.NOTHING)
    return Said(f"{queries['median']:,g}", f"at most {queries['most']:,}")


def _spent(result: Json) -> Said:
    attack = result["attack"]
    return Said(f"{attack['spent']:,}", f"of {phrases.count(attack['targets'], 'search', 'searches')}")


def _over_seeds(result: Json) -> Said:
    found, seeds = over_seeds(result, "success_rate"), len(result["attack"]["by_seed"])
    return Said(found) if found == phrases.NOTHING else Said(found, f"{seeds} seeds")


_COLUMNS = (
    AdaptiveColumn(
        "Entities",
        "attacked: those that the model finds on the clean sentence; in how many distinct sentences, of those with an "
        "entity and, where parts of speech are known, a verb",
        _entities,
    ),
    _measured("success_rate", "Success", wide=True),
    _measured("missed_entity_rate", "of which missed"),
    _measured("type_error_rate", "of which type error"),
    _measured("partial_success_rate", "Partial success"),
    _measured("any_word_wrong_rate", "Any word wrong"),
    AdaptiveColumn("Similarity", SIMILARITY, _similarity),
    _measured("words_perturbed", "Words perturbed"),
    _measured("single_change_rate", "Single change"),
    AdaptiveColumn("Queries", f"{_QUERIES}: median, and most", _queries),
    AdaptiveColumn("Out of budget", "searches that would have asked about more, of all", _spent),
)

_OVER_SEEDS = AdaptiveColumn("Success over seeds", "mean ± sample standard deviation", _over_seeds)
