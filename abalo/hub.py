"""Checks within seconds whether the Hugging Face hub is reachable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from abalo.errors import AbaloError
from abalo.files import expand_home
from perturbations.suggestions import did_you_mean_path

PATIENCE = 5.0
"""Timeout in seconds."""


def unreachable(kind: Literal["model", "dataset"], name: str) -> str | None:
    """Why the hub cannot be asked; None if it answers or is switched off.

    Sends one request.
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
    """The model's cached folder; None if the hub is reachable."""
    from huggingface_hub import snapshot_download

    reason = unreachable("model", name)
    if reason is None:
        return None
    try:
        return snapshot_download(name, local_files_only=True)
    except Exception as error:  # of several kinds
        hint = did_you_mean_path(expand_home(name))
        raise AbaloError(
            f"model {name}: no folder here{hint}, not in the cache of the Hugging Face hub, and the hub cannot be "
            f"reached ({reason}); check the connection, or give a folder that save_pretrained wrote"
        ) from error


@contextmanager
def offline(*libraries: Any) -> Iterator[None]:
    """Context in which the hub and these libraries use only their caches."""
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
