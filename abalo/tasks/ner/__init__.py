"""Named-entity recognition: tokens with BIO labels."""

from abalo.tasks.ner.task import TASK

__all__ = ["TASK"]
