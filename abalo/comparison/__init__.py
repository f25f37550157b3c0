"""A run against an accepted run of the same examples."""
