"""Classification of sentences and texts: sentiment, intent, moderation; one label each, or several."""

from abalo.tasks.classification.task import TASK

__all__ = ["TASK"]
