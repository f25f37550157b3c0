"""Reading comprehension: questions answered in a passage, or not."""

from abalo.tasks.reading.task import TASK

__all__ = ["TASK"]
