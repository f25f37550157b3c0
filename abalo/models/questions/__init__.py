"""Question answering about passages."""
