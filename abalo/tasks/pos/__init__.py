"""Part-of-speech tagging with any tag set."""

from abalo.tasks.pos.task import TASK

__all__ = ["TASK"]
