"""Changes of sentences with two spans whose relation is known: they keep it."""
