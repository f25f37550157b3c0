"""The public names for extensions of Abalo: `register` and the classes that it accepts.

Perturbations and languages need only `perturbations`. Test fixtures are in ``abalo.pytest_plugin.fixtures``. Names
follow semantic versioning; docs/reference/python.md lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from abalo.attacks.attack import Aims, Attack, AttackSettings, Started, attacks
from abalo.attacks.parts import Candidates, Ranking, SearchMethod, Tuning, apply_edits, methods, rankings
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.search import Ask, Found, Search
from abalo.capabilities import template
from abalo.core.documents.blocks import Block, Column, Row, Table, Text
from abalo.core.protocols.corpus_spec import CorpusKind, CorpusSetting, CorpusSpec, Reader, readers
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext, probes
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.registry import Named, Registry
from abalo.core.protocols.task import Task, tasks
from abalo.core.protocols.task_report import TaskReport
from abalo.core.protocols.task_targets import Targets
from abalo.core.protocols.templates import Templates
from abalo.core.records.configuring import Ranged
from abalo.core.records.example import Example, Variant
from abalo.core.records.filling import Filling
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Target
from abalo.core.statistics.metrics import Difference, Metric, Share, share
from abalo.corpora.peek import first_record
from abalo.errors import AbaloError
from abalo.invariances.invariance import Invariance, InvarianceSettings, invariances
from abalo.models.model_scheme import ModelScheme, model_schemes
from abalo.models.services.service import used
from abalo.models.user_code import made_by
from abalo.probes.sizes import sizes
from abalo.reporting.content.blocks import ReportBlock, blocks
from abalo.reporting.content.sections import Section, sections
from abalo.reporting.formats.report_format import ReportFormat, report_formats
from abalo.slices.slice import Cut, Slice, slices
from abalo.sources.resources import Resources
from abalo.validators.validator import Score, Validator, validators

# In the order in which docs/reference/python.md shows them: by what one adds.
__all__ = [  # noqa: RUF022
    # anything
    "register",
    "Registry",
    "Ranged",
    "AbaloError",
    # a metric
    "Metric",
    "Share",
    "share",
    "Difference",
    "tasks",
    # a reader
    "Reader",
    # a task
    "Task",
    "RunOptions",
    "CorpusKind",
    "CorpusSetting",
    "CorpusSpec",
    "Example",
    "Variant",
    "Outcome",
    "Predictor",
    "Resources",
    "first_record",
    "made_by",
    # the parts of a task
    "Templates",
    "Filling",
    "Targets",
    "Target",
    "TaskReport",
    # a probe
    "Probe",
    "RunContext",
    "Case",
    "Entries",
    "ProbeReport",
    "Ran",
    "sizes",
    # a part of reports
    "ReportBlock",
    "Section",
    "Block",
    "Text",
    "Table",
    "Column",
    "Row",
    "ReportFormat",
    # a model
    "ModelScheme",
    "used",
    # a slice or a validator
    "Slice",
    "Cut",
    "Validator",
    "Score",
    # an attack
    "recipe",
    "RecipeSettings",
    "Candidates",
    "Attack",
    "AttackSettings",
    "Aims",
    "Started",
    "Search",
    "Ask",
    "Found",
    "Ranking",
    "SearchMethod",
    "Tuning",
    "apply_edits",
    # an invariance
    "Invariance",
    "InvarianceSettings",
    # a capability
    "template",
]

Member = TypeVar("Member", bound=Named)

_REGISTRIES: Mapping[type, Registry[Any]] = MappingProxyType(
    {
        Task: tasks,
        Probe: probes,
        ModelScheme: model_schemes,
        ReportBlock: blocks,
        Section: sections,
        ReportFormat: report_formats,
        Slice: slices,
        Validator: validators,
        Reader: readers,
        Attack: attacks,
        Ranking: rankings,
        SearchMethod: methods,
        Invariance: invariances,
    }
)


def register(member: Member) -> Member:
    """Adds a member of a registry, such as a task or a slice, and returns it.

    Registering the same member again has no effect. Raises `AbaloError` for other objects, for a class, and for a name
    that is taken or no identifier. Register a metric with its task: ``tasks()["ner"].metrics.register(metric)``.
    """
    kind: type = member if isinstance(member, type) else type(member)
    for base, registry in _REGISTRIES.items():
        if issubclass(kind, base):
            added: Member = registry.register(member)
            return added
    expected = ", ".join(base.__name__ for base in _REGISTRIES)
    metric = '; register a metric of a task with tasks()["ner"].metrics.register(…)' if kind is Metric else ""
    raise AbaloError(f"register was given {member!r}, of type {kind.__name__}; expected one of {expected}{metric}")
