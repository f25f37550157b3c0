"""Relation classification between two marked spans."""

from abalo.tasks.relations.task import TASK

__all__ = ["TASK"]
