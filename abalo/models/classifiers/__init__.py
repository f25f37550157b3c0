"""Models that label whole texts, by framework."""
