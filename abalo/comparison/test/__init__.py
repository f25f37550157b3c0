"""Losses of cases, labels and means: paired, tested, foreseen."""
