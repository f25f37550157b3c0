"""Models that answer questions."""
