"""Scores of examples that others made, judged as two runs are."""
