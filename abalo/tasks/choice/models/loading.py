"""Loads question-answering models."""

from __future__ import annotations

import json
import re
from pathlib import Path

from abalo.core.protocols.options import RunOptions, told_args
from abalo.errors import AbaloError
from abalo.files import expand_home
from abalo.hub import cached_if_unreachable
from abalo.models.generative.opening import is_prompted, open_prompted
from abalo.models.labelling.labels import CLASSES
from abalo.models.options import ModelOptions
from abalo.models.prompts.template import Prompting
from abalo.models.specs import Adapter, Loader, settings_of
from abalo.tasks.choice.models import black_box
from abalo.tasks.choice.models.prompted import PromptedChoice
from abalo.tasks.choice.models.protocol import ChoiceModel


def load(spec: str, options: RunOptions, logs: Path | None = None, prompting: Prompting | None = None) -> ChoiceModel:
    """The model ``abalo/overlap``, ``module:factory``, ``path/to/file.py:factory``, or a model of Inspect.

    The prefix ``inspect:`` prompts by ``prompting`` instead of Inspect's prompt. Raises AbaloError for other names.
    """

    def named(name: str, settings: ModelOptions) -> ChoiceModel:
        return _open_inspected(name, settings, logs)

    loader: Loader[ChoiceModel] = Loader(black_box.load, named, services=True)
    return loader.load(spec, settings_of(options, CLASSES, prompting=prompting), (OVERLAP, PROMPTED))


def _overlap(_spec: str, options: ModelOptions) -> ChoiceModel:
    options.refuse_version("the baseline that ships")
    return black_box.baseline()


OVERLAP: Adapter[ChoiceModel] = Adapter(lambda spec: spec == black_box.OVERLAP, _overlap)


def _load_prompted(spec: str, options: ModelOptions) -> ChoiceModel:
    return PromptedChoice(open_prompted(spec, options))


PROMPTED: Adapter[ChoiceModel] = Adapter(is_prompted, _load_prompted, takes_args=True)


def _open_inspected(name: str, options: ModelOptions, logs: Path | None) -> ChoiceModel:
    provider, _, rest = name.partition("/")
    if not provider.strip() or not rest.strip():
        raise AbaloError(
            f"model {name!r}: expected {black_box.OVERLAP}, module:factory, path/to/file.py:factory, or the name of a "
            "model of Inspect, such as hf/ORG/MODEL"
        )
    if options.calling.rate is not None:
        raise AbaloError(
            f"--abalo-rate: Inspect itself asks {name}; limit it with --abalo-model-args max_connections=4, or give "
            f"inspect:{name}"
        )
    try:
        from abalo.tasks.choice.models.inspected import InspectModel
    except ImportError as error:
        raise AbaloError(f"model {name}: needs inspect-ai: pip install 'abalo[mcq]'") from error
    args = options.model_args
    folder = None if "model_path" in args else _cache_folder(name)
    return InspectModel(name, args, logs, options.model_version, folder)


def _cache_folder(name: str) -> str | None:
    """Raises AbaloError at once; loading would try for half a minute."""
    provider, _, rest = name.partition("/")
    if provider != "hf" or expand_home(rest).is_dir():
        return None
    try:
        return cached_if_unreachable(rest)
    except ImportError:  # without Hugging Face's libraries; Inspect says which it needs
        return None


def told_line(text: str) -> str:
    """``name=value,name=value`` without secrets, as `told_args` says."""
    found: list[str] = []
    for part in text.split(","):
        given = parse_args(part)
        told = told_args(given)
        found += [part if told == given else f"{name}={value}" for name, value in told.items()]
    return ",".join(found)


_SECRET = re.compile("key|secret|token$|password", re.IGNORECASE)


def parse_args(text: str | None) -> dict[str, object]:
    """Parses ``name=value,name=value``; values are JSON or text. Raises AbaloError, also for secrets."""
    found: dict[str, object] = {}
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
