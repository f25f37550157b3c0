"""Pairs of sentences: inference, paraphrase, semantic matching; a label each, a degree of similarity, or both."""

from abalo.tasks.pairs.task import TASK

__all__ = ["TASK"]
