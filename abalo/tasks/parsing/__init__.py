"""Dependency parsing."""

from abalo.tasks.parsing.task import TASK

__all__ = ["TASK"]
