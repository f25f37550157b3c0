"""Translation with one or several references."""

from abalo.tasks.translation.task import TASK

__all__ = ["TASK"]
