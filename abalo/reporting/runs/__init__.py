"""Finished runs: read back, judged again, merged, compared, accepted."""
