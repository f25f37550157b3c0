"""The error for unusable input, and safe printing."""

import re


class AbaloError(Exception):
    """Unusable input; the message gives place, value, expectation and remedy.

    Any function that reads, parses, loads or writes for a user may raise it.
    """


def ends_the_run(error: BaseException) -> bool:
    """Whether an exception from user code ends the run: Ctrl-C or pytest's exits.

    ``SystemExit`` is a failure, or a model could choose the gate's exit code.
    """
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    return isinstance(error, KeyboardInterrupt) or not names.isdisjoint(_EXITS_OF_PYTEST)


_EXITS_OF_PYTEST = {"_pytest.outcomes.Exit", "_pytest.main.Failed"}

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

_COMMAND = re.compile(r"(?m)(^\s*):(?=:)|(##)\[")


def visible(text: object) -> str:
    r"""The text on one line, with invisible and reordering characters escaped: ``\u202e``."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def visible_lines(text: object) -> str:
    """Like `visible` and `inert`, but keeps line breaks and spaces."""
    return inert(re.sub("[^ \n]+", lambda found: visible(found[0]), str(text)))


def inert(text: str) -> str:
    r"""Disables GitHub Actions commands: a leading ``::`` becomes ``\u003a:``."""
    return _COMMAND.sub(lambda found: f"{found[1]}\\u003a" if found[2] is None else f"{found[2]}\\u005b", text)
