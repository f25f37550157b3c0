"""Shared parts of tasks that label tokens."""
