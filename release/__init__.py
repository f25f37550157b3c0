"""Builds the distributions and tries them; RELEASING.md says in which order, and what each step shows."""
