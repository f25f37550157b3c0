"""Part-of-speech tagging: one tag per token, of any tag set."""

from abalo.tasks.pos.task import TASK

__all__ = ["TASK"]
