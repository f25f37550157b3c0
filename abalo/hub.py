"""The Hugging Face hub: whether it can be reached, found out in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from abalo.errors import AbaloError
from abalo.files import expanded
from perturbations.suggestions import did_you_mean_path

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


def cached_if_unreachable(name: str) -> str | None:
    """The folder of a model in the cache of the hub, where the hub cannot be reached; None where it can be.

    Raises `AbaloError` where it is in neither.
    """
    from huggingface_hub import snapshot_download

    reason = unreachable("model", name)
    if reason is None:
        return None
    try:
        return snapshot_download(name, local_files_only=True)
    except Exception as error:  # of several kinds
        hint = did_you_mean_path(expanded(name))
        raise AbaloError(
            f"model {name}: no folder here{hint}, not in the cache of the Hugging Face hub, and the hub cannot be "
            f"reached ({reason}); check the connection, or give a folder that save_pretrained wrote"
        ) from error


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
