"""A model that answers questions, by its spec."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.hub import cached_if_unreachable
from abalo.tasks.choice.models import black_box
from abalo.tasks.choice.models.protocol import ChoiceModel


def load(
    spec: str, args: Mapping[str, Any] | None = None, logs: Path | None = None, version: str | None = None
) -> ChoiceModel:
    """The model called ``spec``: ``abalo/overlap``, ``module:factory``, ``path/to/file.py:factory``, or Inspect's name.

    ``args`` go to a model of Inspect, whose logs are kept in ``logs``. ``version`` tells states of one model from each
    other. Raises `AbaloError` for any other name, for arguments of a model that takes none, and for a version of the
    baseline.
    """
    if spec != black_box.OVERLAP and not _is_code(spec):
        provider, _, rest = spec.partition("/")
        if provider.strip() and rest.strip():
            return _inspected(spec, args or {}, logs, version)
        raise AbaloError(
            f"model {spec!r}: expected {black_box.OVERLAP}, module:factory, path/to/file.py:factory, or the name of a "
            "model of Inspect, such as hf/ORG/MODEL"
        )
    if args:
        raise AbaloError(f"model {spec}: takes no arguments, but was given {', '.join(args)}; leave them out")
    if spec == black_box.OVERLAP and version is not None:
        raise AbaloError(f"model {spec}: ships with Abalo and has no other version; leave out --abalo-model-version")
    return black_box.baseline() if spec == black_box.OVERLAP else black_box.load(spec, version)


def _inspected(name: str, args: Mapping[str, Any], logs: Path | None, version: str | None) -> ChoiceModel:
    try:
        from abalo.tasks.choice.models.inspected import InspectModel
    except ImportError as error:
        raise AbaloError(f"model {name}: needs inspect-ai: pip install 'abalo[mcq]'") from error
    folder = None if "model_path" in args else _cached(name)
    return InspectModel(name, args, logs, version, folder)


def _cached(name: str) -> str | None:
    """The folder of a model of Hugging Face in the cache of the hub, where the hub cannot be reached; else None.

    Raises `AbaloError` where it is in neither: what loads it would ask for half a minute.
    """
    provider, _, rest = name.partition("/")
    if provider != "hf" or expanded(rest).is_dir():
        return None
    try:
        return cached_if_unreachable(rest)
    except ImportError:  # without Hugging Face's libraries; Inspect says which it needs
        return None


def _is_code(spec: str) -> bool:
    """Whether it names a factory; names of Inspect have a slash and may have a colon too, such as ``ollama/a:8b``."""
    head, colon, _ = spec.rpartition(":")
    return bool(colon) and (head.endswith(".py") or "/" not in head or head.startswith(("./", "../", "/")))


_SECRET = re.compile("key|secret|token$|password", re.IGNORECASE)


def parse_args(text: str | None) -> dict[str, Any]:
    """The arguments in ``name=value,name=value``; values are JSON where they can be read as such, else text.

    Raises `AbaloError` for anything else, and for a secret.
    """
    found: dict[str, Any] = {}
    for part in (text or "").split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not part.strip():
            continue
        if not sign or not name.isidentifier():
            raise AbaloError(f"--abalo-model-args {text!r}: {part!r} is no name=value; write do_sample=false,seed=1")
        if _SECRET.search(name):
            raise AbaloError(f"--abalo-model-args {name}=…: would be in the report; give secrets in the environment")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
