"""Part-of-speech tagging: one tag per token, of any tag set."""
