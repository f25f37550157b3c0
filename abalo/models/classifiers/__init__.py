"""Text classifiers, by framework."""
