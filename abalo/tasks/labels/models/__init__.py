"""Models that only tasks with labels know how to ask."""
