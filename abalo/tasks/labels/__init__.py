"""Shared parts of tasks that label whole examples."""
