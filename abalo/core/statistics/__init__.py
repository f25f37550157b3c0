"""Counts in, intervals and verdicts out: no task, no model, no text."""
