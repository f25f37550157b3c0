"""The one error that a user's input can cause."""


class AbaloError(Exception):
    """Something given to Abalo cannot be used; the message says where, what was found and expected, and what to do."""
