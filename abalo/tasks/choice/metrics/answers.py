"""The metrics of answers, which tables without a run have, too."""

from abalo.questions.metrics import METRICS

__all__ = ["METRICS"]
