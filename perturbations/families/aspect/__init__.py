"""Opinions on the aspect that is asked about, and on others beside it."""
