"""What judges the cases of a task: everything that a case needs and that holds for the whole session."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from abalo.attacks.campaign import OpenLog
from abalo.attacks.log import ATTACKS, Log
from abalo.tasks.choice.asking import Questionnaire
from abalo.tasks.choice.models.protocol import ChoiceModel
from abalo.corpora import Corpus
from abalo.promises import Hunt
from abalo.core.judging import Answered, Decided, Judged, answered, judged
from abalo.models import TokenModel
from abalo.core.predictor import Predictor
from abalo.pytest_plugin.options import Options
from abalo.reporting.asked import results_of_questions
from abalo.reporting.document import results_of
from abalo.sources.resources import Resources
from abalo.core.case import Case, run
from abalo.config.thresholds import Thresholds


class Gate(Protocol):
    """Judges the cases of a task."""

    @property
    def facts(self) -> dict[str, Any]:
        """The document's parts that are about the run."""
        ...

    @property
    def model(self) -> object:
        """What is judged."""
        ...

    def judged(self, case: Case, hunt: Hunt | None = None) -> Decided:
        """The case, run and judged."""
        ...

    def results(self, found: Any, command: str) -> list[dict[str, Any]]:
        """What the document says of a case judged here."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TagGate:
    """Judges cases about tags."""

    options: Options
    thresholds: Thresholds
    corpus: Corpus
    predictor: Predictor
    resources: Resources
    bounds: int
    facts: dict[str, Any]

    @property
    def model(self) -> TokenModel:
        """The tagger."""
        return self.predictor.model

    @property
    def seeds(self) -> tuple[int, ...]:
        """Those of the command line, else of the thresholds."""
        return self.thresholds.gate.seeds if self.options.seeds is None else self.options.seeds

    def judged(self, case: Case, hunt: Hunt | None = None) -> Judged:
        """The case, run and judged."""
        ran = run(case, self.corpus, self.predictor, self.seeds, self.resources, self._log_of(case), hunt)
        return judged(ran, self.thresholds.gate, self.bounds)

    def results(self, found: Judged, command: str) -> list[dict[str, Any]]:
        """What the document says of it, in every view."""
        return results_of(found, self.thresholds.gate, self.bounds, command, self.options.with_text)

    def _log_of(self, case: Case) -> OpenLog | None:
        if not self.options.with_text:
            return None
        name = f"{case.name}-{case.slug}".strip("-")
        return partial(Log, self.options.reports / ATTACKS / f"{name}.jsonl", resume=self.options.resume)


@dataclass(frozen=True, slots=True, eq=False)
class QuestionGate:
    """Judges cases about questions."""

    options: Options
    thresholds: Thresholds
    questionnaire: Questionnaire
    model: ChoiceModel
    bounds: int
    facts: dict[str, Any]

    def judged(self, case: Case, hunt: Hunt | None = None) -> Answered:  # noqa: ARG002 - nothing to hunt in
        """The questions, put as the case says, and judged."""
        return answered(case, self.questionnaire, self.model, self.thresholds.gate, self.bounds)

    def results(self, found: Answered, command: str) -> list[dict[str, Any]]:
        """What the document says of it."""
        return results_of_questions(found, self.thresholds.gate, self.bounds, command, with_text=self.options.with_text)
