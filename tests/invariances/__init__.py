"""Invariances under single edits."""
