"""Sentiment by aspect: the polarity of what a sentence says of each of its aspects."""

from abalo.tasks.aspects.task import TASK

__all__ = ["TASK"]
