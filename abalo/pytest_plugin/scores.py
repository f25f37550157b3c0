"""The fixture ``abalo_scores``, with which any test judges scores."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from abalo.errors import AbaloError, visible_lines

if TYPE_CHECKING:
    from abalo.scores.facts import GateDocument
    from abalo.scores.rows import PlacedRow

__all__ = ["abalo_scores"]

_THRESHOLDS = "thresholds.toml"

_PLACE = Path("reports") / "scores"

HandedScores = Mapping[str, Any] | Iterable[Mapping[str, Any]]
"""Score by id, scores of several metrics by id, or rows with the columns that `abalo gate` reads."""


class JudgeScores(Protocol):
    """Judges scores against a reference, and fails the test if they are worse."""

    def __call__(
        self, name: str, scores: HandedScores, /, *, against: str | None = None, **limits: Any
    ) -> GateDocument:
        """Judges the scores of one evaluation.

        Args:
            name: The name of the evaluation, such as ``answers``; the files are written to ``reports/scores/NAME``.
            scores: A score by id; several by id, each under its metric; or rows such as
                ``{"id": "q1", "score": 0.5, "run": 1}``.
            against: Folder of accepted scores (default: ``references/NAME``).
            limits: Settings of ``[[scores.NAME]]``, such as ``max_loss=0.02`` or ``minimum=0.8``.

        Returns:
            The document, as in gate.json. The test fails if the verdict is *fail*, and is skipped if nothing was
            decided, or if a reference is missing.
        """
        ...


@pytest.fixture
def abalo_scores(pytestconfig: pytest.Config) -> JudgeScores:
    """Judges the scores that a test hands over."""

    def judge(name: str, scores: HandedScores, /, *, against: str | None = None, **limits: Any) -> GateDocument:
        try:
            document, folder = _judged(pytestconfig.rootpath, name, scores, against, limits)
        except AbaloError as error:
            raise pytest.fail.Exception(visible_lines(error), pytrace=False) from None
        from abalo.reporting.content.scores import beside, verdict_text

        said = visible_lines(f"{name}: {document.headline}: {verdict_text(document).lines[0]}")
        if document.verdict == "fail":
            pytest.fail(f"{said}\nthe whole report: {folder / 'gate.html'}", pytrace=False)
        if document.reference is None:
            said = f"{said}\nto keep these scores: abalo accept {folder} --as references/{name}"
        if document.exit_code:
            pytest.skip(said)
        with warnings.catch_warnings():
            warnings.simplefilter("always", pytest.PytestWarning)  # it does not block, even where warnings are errors
            for line in beside(document):
                warnings.warn(pytest.PytestWarning(visible_lines(f"{name}: {line}")), stacklevel=2)
        return document

    return judge


def _judged(
    root: Path, name: str, scores: HandedScores, against: str | None, limits: Mapping[str, Any]
) -> tuple[GateDocument, Path]:
    from abalo.config.thresholds import load
    from abalo.core.records.gate import Gate
    from abalo.reporting.formats.command_output import write
    from abalo.reporting.formats.score_files import score_files
    from abalo.reporting.runs.kept_scores import holds_scores, judge_rows, kept_rows, read_kept
    from abalo.scores.rows import ScoreColumns, collect

    if not name or Path(name).name != name:
        raise AbaloError(f"abalo_scores: the name {name!r}; expected a name without folders, such as 'answers'")
    file = collect(name, "pytest", _records(name, scores), ScoreColumns())
    thresholds = load(root / _THRESHOLDS) if (root / _THRESHOLDS).is_file() else None
    reference = root / "references" / name if against is None else root / against
    kept = read_kept(reference, ScoreColumns()) if against is not None or holds_scores(reference) else None
    gate, declared = (Gate(), {}) if thresholds is None else (thresholds.gate, thresholds.scores)
    mine = {metric: rule for metric, rule in declared.items() if metric in file.metrics}
    document = judge_rows(kept, file, gate, mine, limits, None if thresholds is None else _THRESHOLDS)
    folder = _PLACE / name
    write({**score_files(document), **kept_rows(file)}, root / folder)
    return document, folder


def _records(name: str, scores: HandedScores) -> Iterator[PlacedRow]:
    if not isinstance(scores, Mapping):
        for number, row in enumerate(scores, start=1):
            if not isinstance(row, Mapping):
                raise AbaloError(f"{name} row {number}: {row!r:.40}; expected a mapping with id and score")
            yield f"row {number}", {"metric": name, **{key: _plain(value) for key, value in row.items()}}
        return
    for example, score in scores.items():
        several = score if isinstance(score, Mapping) else {name: score}
        for metric, each in several.items():
            yield f"id {example}", {"id": _plain(example), "metric": metric, "score": _plain(each)}


def _plain(value: Any) -> Any:
    """A number of numpy or torch as Python's."""
    return value.item() if hasattr(value, "item") and getattr(value, "size", 1) == 1 else value
