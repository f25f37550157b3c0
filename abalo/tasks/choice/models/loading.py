"""A model that answers questions, by its spec."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from abalo.core.options import RunOptions
from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.hub import cached_if_unreachable
from abalo.models.labels import CLASSES
from abalo.models.options import ModelOptions
from abalo.models.specs import Adapter, Loader, settings_of
from abalo.tasks.choice.models import black_box
from abalo.tasks.choice.models.protocol import ChoiceModel


def load(spec: str, options: RunOptions, logs: Path | None = None) -> ChoiceModel:
    """The model called ``spec``: ``abalo/overlap``, ``module:factory``, ``path/to/file.py:factory``, or Inspect's name.

    Its logs are kept in ``logs`` if Inspect runs it. Raises `AbaloError` for any other name.
    """

    def named(name: str, settings: ModelOptions) -> ChoiceModel:
        return _inspected(name, settings, logs)

    loader: Loader[ChoiceModel] = Loader(black_box.load, named, services=True)
    return loader.load(spec, settings_of(options, CLASSES), (OVERLAP,))


def _overlap(_spec: str, options: ModelOptions) -> ChoiceModel:
    options.refuse_version("the baseline that ships")
    return black_box.baseline()


OVERLAP: Adapter[ChoiceModel] = Adapter(lambda spec: spec == black_box.OVERLAP, _overlap)


def _inspected(name: str, options: ModelOptions, logs: Path | None) -> ChoiceModel:
    provider, _, rest = name.partition("/")
    if not provider.strip() or not rest.strip():
        raise AbaloError(
            f"model {name!r}: expected {black_box.OVERLAP}, module:factory, path/to/file.py:factory, or the name of a "
            "model of Inspect, such as hf/ORG/MODEL"
        )
    try:
        from abalo.tasks.choice.models.inspected import InspectModel
    except ImportError as error:
        raise AbaloError(f"model {name}: needs inspect-ai: pip install 'abalo[mcq]'") from error
    args = options.model_args
    folder = None if "model_path" in args else _cached(name)
    return InspectModel(name, args, logs, options.model_version, folder)


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
