"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from abalo.config.options import Options
from abalo.config.thresholds import Thresholds
from abalo.core.protocols.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class RunSpec:
    """What a run of a task is asked to do; nothing has been read yet.

    Args:
        store: A folder shared by processes.
        logs: Whether searching attacks write logs in the reports folder.
        model: The model that the options name, if it is at hand.
    """

    task: Task
    options: Options
    thresholds: Thresholds
    store: Path | None = None
    logs: bool = False
    model: object = None
