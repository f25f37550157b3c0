"""Word segmentation of text without spaces."""

from abalo.tasks.segmentation.task import TASK

__all__ = ["TASK"]
