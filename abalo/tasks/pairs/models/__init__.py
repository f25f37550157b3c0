"""Models that only this task knows how to ask."""
