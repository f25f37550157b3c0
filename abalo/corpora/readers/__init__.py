"""Readers of files that are not in a form of the tasks, one module each."""
