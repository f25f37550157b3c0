"""The error for unusable input, and safe printing."""

import re
from datetime import date, time


class AbaloError(Exception):
    """Unusable input; the message gives place, value, expectation and remedy.

    Any function that reads, parses, loads or writes for a user may raise it. Secrets are `redacted`.
    """

    def __str__(self) -> str:
        return redacted(super().__str__())


def ends_the_run(error: BaseException) -> bool:
    """Whether an exception from user code ends the run: Ctrl-C or pytest's exits.

    ``SystemExit`` is a failure, or a model could choose the gate's exit code.
    """
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    return isinstance(error, KeyboardInterrupt) or not names.isdisjoint(_EXITS_OF_PYTEST)


_EXITS_OF_PYTEST = {"_pytest.outcomes.Exit", "_pytest.main.Failed"}

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

_COMMAND = re.compile(r"(?m)(^\s*):(?=:)|(##)\[")


REDACTED = "…"

_SECRETS = re.compile(
    r"(\b[A-Za-z][A-Za-z0-9+.-]*://)[^/\s?#]*(?=@)"
    r"|(\b(?i:authorization)[\"']?\s*[:=]\s*)[\"']?(?:\w+\s+)?[^\s\"',;)}\]]+"
    r"|(\b(?:Bearer|Basic)\s+)[^\s\"',;)}\]]{4,}|(\b(?i:bearer)\s+)[^\s\"',;)}\]]{16,}"
    r"|(\b(?i:[\w-]*(?:api[_-]?key|secret|password|passwd))[\"']?\s*[:=]\s*)[\"']?[^\s\"',;&)}\]]{4,}"
    r"|\b(?:(?:sk|pk|rk|gh[opsur]|github_pat|glpat|xox[abprs]|hf|ya29)[-_.]|AKIA|ASIA|AIza|eyJ)(?=[\w.-]*\d)[\w.-]{16,}"
    r"|(?<![\w/.-])(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{32,}"
)


def redacted(text: str) -> str:
    """The text without what has the form of a secret.

    These are names and passwords in addresses, headers of authorization, values behind names such as ``api_key=``, keys
    with the usual beginnings, and words of 32 or more mixed letters and digits. Digests stay.
    """
    return _SECRETS.sub(lambda found: f"{next(filter(None, found.groups()), '')}{REDACTED}", text)


def visible(text: object) -> str:
    r"""The text on one line, with invisible and reordering characters escaped: ``\u202e``."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def visible_lines(text: object) -> str:
    """Like `visible` and `inert`, but keeps line breaks and spaces."""
    return inert(re.sub("[^ \n]+", lambda found: visible(found[0]), str(text)))


def inert(text: str) -> str:
    r"""Disables GitHub Actions commands: a leading ``::`` becomes ``\u003a:``."""
    return _COMMAND.sub(lambda found: f"{found[1]}\\u003a" if found[2] is None else f"{found[2]}\\u005b", text)


def written(value: object) -> str:
    """A value as Python writes it, but times as TOML does."""
    return value.isoformat() if isinstance(value, date | time) else repr(value)


def in_words(error: Exception) -> str:
    """An error about a value, without the name of its class if it says what is wrong."""
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing" if error.args else "a field is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error) if isinstance(error, TypeError | ValueError) else f"{type(error).__name__}: {error}"
