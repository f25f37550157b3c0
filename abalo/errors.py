"""The one error that a user's input can cause, and text from outside made fit to be shown in it."""

import re


class AbaloError(Exception):
    """Something given to Abalo cannot be used; the message says where, what was found and expected, and what to do."""


class WouldOverwriteError(AbaloError):
    """The reports would take the place of an accepted run; so nothing is written there, not even this message."""


_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def visible(text: object) -> str:
    r"""The text on one line, with what cannot be seen, or would reorder the line, written as ``\u202e``."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))
