"""Text classification with one label or several."""

from abalo.tasks.classification.task import TASK

__all__ = ["TASK"]
