"""The Hugging Face hub: whether it can be reached, found out in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

PATIENCE = 5.0
"""Seconds to wait for a connection, and for an answer."""


def unreachable(kind: Literal["model", "dataset"], name: str) -> str | None:
    """Why the hub cannot be asked for the model or data set; None where it answers, whatever it says, or must not be.

    One request without a second try: what loads from the hub would repeat each of its requests for half a minute.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    if constants.HF_HUB_OFFLINE:
        return None
    try:
        HfApi().repo_info(name, repo_type=kind, timeout=PATIENCE)
    except (HfHubHTTPError, ValueError):  # an answer, or no name that could be asked for: told where it is loaded
        return None
    except Exception as error:  # noqa: BLE001 - of the library for requests, which is another one from version to version
        return f"{type(error).__name__}: {error}"
    return None


@contextmanager
def offline(*libraries: Any) -> Iterator[None]:
    """Within, the hub is not asked, by these libraries neither; what is in its cache can be had."""
    from huggingface_hub import constants

    settings = [constants, *(library.config for library in libraries)]
    before = [each.HF_HUB_OFFLINE for each in settings]
    for each in settings:
        each.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        for each, value in zip(settings, before, strict=True):
            each.HF_HUB_OFFLINE = value
