"""Sentences in plain text, charts to scale, and dates."""
