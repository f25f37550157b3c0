"""What ``abalo list`` shows: the registries, including user additions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from abalo.attacks import attacks
from abalo.attacks.attack import AttackSettings
from abalo.attacks.parts import methods, rankings
from abalo.config.thresholds import Thresholds
from abalo.core.documents.blocks import Block, Cell, Code, Column, Row, Table, Text
from abalo.core.protocols.corpus_spec import readers
from abalo.core.protocols.probe import Case, probes, probes_of
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import UNDETERMINED
from abalo.core.statistics.metrics import Metric
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.invariances import invariances
from abalo.invariances.invariance import InvarianceSettings
from abalo.models.model_scheme import model_schemes
from abalo.reporting.formats.command_output import Page
from abalo.reporting.formats.report_format import ReportFormat, report_formats
from abalo.slices import slices
from abalo.validators import validators
from perturbations import apply, entity_spans, members, parse, render
from perturbations.languages import codes
from perturbations.suggestions import did_you_mean

SCHEMA = "abalo-list/1"

_CLEAN = "no input beyond the clean corpus"

_MODEL_BACKED = "asks its own model for candidates; opt-in"


@dataclass(frozen=True, slots=True)
class Listing:
    """A named thing with a description.

    ``tasks`` and ``languages`` (ISO 639-1): empty means all but the ``excluded`` ones.
    """

    name: str
    about: str
    tasks: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    cost: str = ""
    example: str = ""
    excluded: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """The languages in words."""
        excluded = f" but {', '.join(self.excluded)}" if self.excluded else ""
        return ", ".join(self.languages) or f"any{excluded}"

    def fits(self, task: str | None, language: str | None) -> bool:
        """True if it suits task and language; None matches any."""
        spoken = not self.languages or language in self.languages
        return (task is None or not self.tasks or task in self.tasks) and (
            language is None or (spoken and language not in self.excluded)
        )


def _reach(unfit: Callable[[str], str | None]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fits = tuple(code for code in codes() if unfit(code) is None)
    if unfit(UNDETERMINED) is None:
        return (), tuple(code for code in codes() if code not in fits)
    return fits, ()


def _tasks(_: Thresholds) -> Iterator[Listing]:
    for task in tasks().values():
        floor, headline = task.metrics()[task.floor], task.metrics()[task.headline]
        about = f"{task.title}: {floor.words}, and {headline.words} of a case. Reads {task.corpus_kind.files}"
        settings = ", ".join(each.form for each in task.corpus_kind.settings)
        about += f"; settings: {settings}" if settings else ""
        yield Listing(task.name, about, (task.name,), example=f"pytest --abalo-task {task.name}")


def _cases(thresholds: Thresholds) -> Iterator[Listing]:
    for case in thresholds.cases:
        bounds = ", ".join(
            f"{bound.name}{f' of {bound.type}' if bound.type else ''} {bound.limit:g}" for bound in case.bounds
        )
        blocking = "" if case.blocking else "; not blocking"
        languages, excluded = _reach(partial(case.probe.entries.skipped, case.plan))
        about = f"{words.identifier_in_words(case.probe.name)}: {bounds or 'no bound'}{blocking}"
        cost = _cost_of_case(case, thresholds)
        if (reason := case.probe.entries.skipped(case.plan, UNDETERMINED)) is not None and not languages:
            cost = f"left out: {reason}"
        yield Listing(case.id, about, (case.task,), languages, cost, excluded=excluded)


def _cost_of_case(case: Case, thresholds: Thresholds) -> str:
    backed = case.name in members() and members()[case.name].cost == "model"
    parts = (
        case.probe.cost(case, thresholds.gate.seeds),
        "a model of its own" if backed else "",
        "deep" if case.deep else "",
    )
    return "; ".join(part for part in parts if part)


def _perturbations(_: Thresholds) -> Iterator[Listing]:
    for each in members().values():
        fits = tuple(name for name, task in tasks().items() if task.accepts(each))
        example = f"{each.example.before} → {each.example.after}"
        cost = _MODEL_BACKED if each.cost == "model" else "text alone"
        seldom = [code for code in codes() if each.rare(code)]
        about = each.summary
        about += f" Rare in {', '.join(seldom)}: changes less than 2 % of real sentences." if seldom else ""
        languages, excluded = _reach(each.unfit)
        yield Listing(each.name, about, fits, languages, cost, example, excluded)


def _rewordings(_: Thresholds) -> Iterator[Listing]:
    for task in tasks().values():
        for name, each in task.rewordings.lists.items():
            possible = each.possible(each.configured())
            about = f"{words.count(len(possible), 'way')} to ask a {task.noun}: {', '.join(possible)}"
            yield Listing(
                name, about, (task.name,), tuple(each.languages), f"at most {len(possible)} inputs for each {task.noun}"
            )


def _attacks(_: Thresholds) -> Iterator[Listing]:
    for each in attacks().values():
        settings: AttackSettings = each.configured()
        cost = f"at most {settings.budget:,} inputs for each target"
        fits = tuple(name for name, task in tasks().items() if each.fits(task))
        yield Listing(each.name, each.summary, fits, tuple(each.lists), cost)


def _invariances(_: Thresholds) -> Iterator[Listing]:
    for each in invariances().values():
        settings: InvarianceSettings = each.configured()
        fits = tuple(name for name, task in tasks().items() if each.fits(task))
        example = "; ".join(f"{before} → {after}" for before, after in try_invariance(each.finder, settings))
        cost = f"{settings.draws:,} inputs, and a search"
        yield Listing(each.name, each.summary, fits, tuple(each.lists), cost, example)


def _slices(_: Thresholds) -> Iterator[Listing]:
    for each in slices().values():
        needs = f"needs {', '.join(each.needs)}" if each.needs else ""
        about = _first_line(each.cut) + (f" ({needs})" if needs else "")
        fits = tuple(name for name, task in tasks().items() if each.fits(task))
        yield Listing(each.name, about, fits, each.languages, _CLEAN)


def _validators(_: Thresholds) -> Iterator[Listing]:
    for each in validators().values():
        side = "at least" if each.side == "min" else "at most"
        aimed = tuple(name for name, task in tasks().items() if "perturbation" in task.probes)
        yield Listing(each.name, f"{_first_line(each.prepare)} A limit is {side}.", aimed)


def _metrics(_: Thresholds) -> Iterator[Listing]:
    for task in tasks().values():
        yield from (Listing(metric.name, _metric(metric), (task.name,)) for metric in task.metrics().values())


def _metric(metric: Metric) -> str:
    better = "more" if metric.more_is_better else "less"
    unit = f" {metric.unit}" if metric.unit else ""
    parts = [metric.words, f"{metric.low:,g} to {metric.high:,g}{unit}", f"{better} is better"]
    parts += [f"in the view {', '.join(metric.views)}"] if metric.views else []
    parts += [f"of {', '.join(metric.probes)} cases"] if metric.probes else []
    return "; ".join(parts)


def _probes(_: Thresholds) -> Iterator[Listing]:
    for each in probes().values():
        fits = tuple(name for name, task in tasks().items() if each in probes_of(task))
        yield Listing(each.name, _first_line(type(each)), fits)


def _first_line(documented: object) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def _readers(_: Thresholds) -> Iterator[Listing]:
    for each in readers().values():
        settings = ", ".join(setting.form for setting in each.settings)
        about = each.meaning + (f"; settings: {settings}" if settings else "")
        yield Listing(each.name, about, example=f"pytest --abalo-corpus {each.name}:PATH")


def _of_extensions(registry: Registry[Any], describe: Callable[[Any], str], use: str) -> Iterator[Listing]:
    for each in registry().values():
        yield Listing(each.name, describe(each), example=use.format(each.name))


def _in_format(each: ReportFormat) -> str:
    return f"Writes {each.file}. {_first_line(each.make)}"


KINDS: Mapping[str, Callable[[Thresholds], Iterator[Listing]]] = {
    "tasks": _tasks,
    "cases": _cases,
    "perturbations": _perturbations,
    "rewordings": _rewordings,
    "attacks": _attacks,
    "invariances": _invariances,
    "slices": _slices,
    "validators": _validators,
    "metrics": _metrics,
    "probes": _probes,
    "readers": _readers,
    "searches": lambda _: _of_extensions(methods, lambda each: each.summary, 'search = "{}"'),
    "rankings": lambda _: _of_extensions(rankings, lambda each: _first_line(each.rank), 'ranking = "{}"'),
    "schemes": lambda _: _of_extensions(
        model_schemes, lambda each: _first_line(each.load), "pytest --abalo-model {}:NAME"
    ),
    "formats": lambda _: _of_extensions(report_formats, _in_format, ""),
}

_TRIED = (
    parse("[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORGANIZACAO] , disse o juiz ."),
    parse("[Eva Lima PESSOA] viu [Rui Reis PESSOA]"),
)


def try_invariance(finder: Any, chosen: InvarianceSettings) -> list[tuple[str, str]]:
    """An invariance's edit, before and after, in bracket notation."""
    sites = finder(Corpus("examples", _TRIED), chosen)
    for sentence in _TRIED:
        inside = {i for span in entity_spans(sentence.tags or ()) for i in range(span.start, span.stop)}
        for site in sites(sentence, frozenset(range(len(sentence))) - inside):
            made = apply(sentence, [site()[0]]).sentence
            return [(render(sentence, spaces=True), render(made, spaces=True))]
    return []


def page(kinds: Sequence[str], thresholds: Thresholds, task: str | None = None, language: str | None = None) -> Page:
    """The chosen kinds (all if empty), filtered by task and language; raises `AbaloError`."""
    for name in kinds:
        if name not in KINDS:
            raise AbaloError(f"{name}: no such kind{did_you_mean(name, KINDS)}; there are {', '.join(KINDS)}")
    if task is not None and task not in tasks():
        raise AbaloError(f"--task {task}: no such task{did_you_mean(task, tasks())}; there are {', '.join(tasks())}")
    found = {name: [each for each in KINDS[name](thresholds) if each.fits(task, language)] for name in (kinds or KINDS)}
    document: JsonObject = {
        "schema": SCHEMA,
        "thresholds": thresholds.path.name,
        **{name: [asdict(each) for each in own] for name, own in found.items()},
    }
    brief = [block for name, own in found.items() for block in _in_full(name, own)] if kinds else [_overview(found)]
    return Page("list", "Abalo: lists", document, lambda most: [_table(*each, most) for each in found.items()], brief)


def _overview(found: Mapping[str, Sequence[Listing]]) -> Table:
    rows = tuple(
        Row((f"abalo list {name}", str(len(own)), words.shorten(", ".join(dict.fromkeys(e.name for e in own)), 100)))
        for name, own in found.items()
    )
    return Table((Column("To see them"), Column("There are", numeric=True), Column("Such as")), rows)


def _table(name: str, own: Sequence[Listing], most: int | None) -> Table:
    columns: Mapping[str, Callable[[Listing], Cell]] = {
        "Name": lambda each: Code(each.name),
        "Tasks": lambda each: ", ".join(each.tasks),
        "Languages": lambda each: each.spoken,
        "Cost": lambda each: each.cost,
        "About": lambda each: each.about,
        "Example": lambda each: each.example,
    }
    wanted = {
        "Languages": any(each.languages or each.excluded for each in own),
        "Cost": any(each.cost for each in own),
        "Example": any(each.example for each in own),
    }
    kept = [heading for heading in columns if wanted.get(heading, True)]
    rows = tuple(Row(tuple(columns[heading](each) for heading in kept)) for each in own[:most])
    left = len(own) - len(rows)
    notes = (f"{left:,} more left out here; abalo list {name} --format json has them.",) if left else ()
    return Table(tuple(map(Column, kept)), rows, words.sentence_case(name), notes, noun=name.removesuffix("s"))


def _in_full(name: str, own: Sequence[Listing]) -> Iterator[Block]:
    if not own:
        yield Text((f"There are no such {name} here.",))
        return
    if not any(each.example for each in own):
        yield _table(name, own, None)
        return
    for each in own:
        facts = "; ".join(
            part
            for part in (f"tasks: {', '.join(each.tasks) or 'any'}", f"languages: {each.spoken}", each.cost)
            if part
        )
        yield Text(tuple(line for line in (each.about, each.example, facts) if line), each.name)
