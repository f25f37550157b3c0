"""Sentence pairs: inference, paraphrase, semantic matching."""

from abalo.tasks.pairs.task import TASK

__all__ = ["TASK"]
