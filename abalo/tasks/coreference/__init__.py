"""Coreference resolution."""

from abalo.tasks.coreference.task import TASK

__all__ = ["TASK"]
