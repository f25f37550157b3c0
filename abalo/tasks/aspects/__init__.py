"""Aspect-based sentiment analysis."""

from abalo.tasks.aspects.task import TASK

__all__ = ["TASK"]
