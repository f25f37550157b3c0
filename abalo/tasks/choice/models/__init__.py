"""Models that answer multiple-choice questions: the baseline that ships, any callable, and whatever Inspect can run."""
