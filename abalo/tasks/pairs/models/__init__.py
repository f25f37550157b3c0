"""Models of this task."""
