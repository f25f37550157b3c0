"""Promises about single edits."""
