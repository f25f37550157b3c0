"""Models of the polarity of aspects that are of this task alone."""
