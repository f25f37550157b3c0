"""Prompted language models, from Inspect or user code."""
