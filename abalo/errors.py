"""The one error that a user's input can cause, and text from outside made fit to be shown in it."""

import re


class AbaloError(Exception):
    """Something given to Abalo cannot be used; the message says where, what was found and expected, and what to do."""


def ends_the_run(error: BaseException) -> bool:
    """Whether an exception out of a user's code is a wish to stop, not a failure: Ctrl-C, or pytest's own exits.

    Those of pytest are told by their names, so that nothing but the plugin imports it. ``SystemExit`` is a failure: a
    model that ends the process would end the gate with the exit code of its choice.
    """
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    return isinstance(error, KeyboardInterrupt) or not names.isdisjoint(_EXITS_OF_PYTEST)


_EXITS_OF_PYTEST = {"_pytest.outcomes.Exit", "_pytest.main.Failed"}

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

_COMMAND = re.compile(r"(?m)(^\s*):(?=:)|(##)\[")
"""The signs by which GitHub Actions knows a command in the log of a job."""


def visible(text: object) -> str:
    r"""The text on one line, with what cannot be seen, or would reorder the line, written as ``\u202e``."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def visible_lines(text: object) -> str:
    """The text with its lines and spaces, all other characters as in `visible`, and `inert`."""
    return inert(re.sub("[^ \n]+", lambda found: visible(found[0]), str(text)))


def inert(text: str) -> str:
    r"""The text, of which GitHub Actions takes nothing for a command: ``::`` that begins a line becomes ``\u003a:``."""
    return _COMMAND.sub(lambda found: f"{found[1]}\\u003a" if found[2] is None else f"{found[2]}\\u005b", text)
