"""The grammar of model specs.

The first match counts: a task's own name; an existing file or folder; code, as ``module:factory`` or
``path/to/file.py:factory``, or by a registered scheme, as ``flair:NAME``; a missing path, which is refused; a hub or
service name.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.files import expand_home
from abalo.models.labelling.labels import Labelling
from abalo.models.labelling.maps import parse_label_map
from abalo.models.model_scheme import scheme_of
from abalo.models.options import OF_A_RUN, ModelOptions
from abalo.models.prompts.protocol import ASKED
from perturbations.suggestions import did_you_mean_path

M = TypeVar("M")

Load = Callable[[str, ModelOptions], M]

FOLDER = "/"


@dataclass(frozen=True, slots=True)
class Adapter(Generic[M]):
    """A kind of model: when a spec matches, and how to load it."""

    recognises: Callable[[str], bool]
    load: Load[M]
    takes_args: bool = False


@dataclass(frozen=True, slots=True)
class Loader(Generic[M]):
    """Loads the models of a kind of task.

    ``files`` map endings or `FOLDER` to loaders. ``named`` loads hub ids; ``services`` have names such as
    ``ollama/a:8b``.
    """

    code: Load[M]
    named: Load[M]
    files: Mapping[str, Load[M]] = field(default_factory=dict)
    services: bool = False

    def load(self, spec: str, options: ModelOptions, adapters: Sequence[Adapter[M]] = ()) -> M:
        """Loads a spec; ``adapters`` come first."""
        adapter = next(each for each in (*adapters, *self._adapters) if each.recognises(spec))
        if options.model_args and not adapter.takes_args:
            given = ", ".join(options.model_args)
            raise AbaloError(f"model {spec}: takes no arguments, but was given {given}; leave out --abalo-model-args")
        with _rare_collections():
            return adapter.load(spec, options)

    @property
    def _adapters(self) -> tuple[Adapter[M], ...]:
        return (
            Adapter(lambda spec: spec.startswith(ASKED), _refuse_prompt, takes_args=True),
            Adapter(self._exists, self._from_path),
            Adapter(self._is_code, self.code, takes_args=True),
            Adapter(self._looks_like_a_path, _refuse),
            Adapter(lambda _: True, self.named, takes_args=self.services),
        )

    def _exists(self, spec: str) -> bool:
        named = not self.services or self._looks_like_a_path(spec)
        return named and bool(spec.strip()) and expand_home(spec).exists()

    def _is_code(self, spec: str) -> bool:
        head, colon, _ = spec.rpartition(":")
        in_a_folder = not self.services or "/" not in head or head.startswith(("./", "../", "/"))
        return scheme_of(spec) is not None or (bool(colon) and (head.endswith(".py") or in_a_folder))

    def _looks_like_a_path(self, spec: str) -> bool:
        named = not spec.strip() or spec.startswith((".", "/", "~")) or "\\" in spec
        return named or spec.endswith((".py", *self._endings)) or (not self.services and spec.count("/") > 1)

    def _from_path(self, spec: str, options: ModelOptions) -> M:
        path = expand_home(spec)
        load = self.files.get(FOLDER if path.is_dir() else path.suffix)
        if load is not None:
            return load(spec, options)
        if path.suffix == ".py":
            raise AbaloError(f"model {spec}: is a Python file; name the factory in it too: {spec}:make_model")
        kind = "folder" if path.is_dir() else "file"
        raise AbaloError(f"model {spec}: is a {kind} of no kind that is known; expected {self._expected}")

    @property
    def _expected(self) -> str:
        if not self.files:
            return "code, as path/to/file.py:factory, or a name"
        endings = ", ".join(self._endings)
        return f"the folder of a checkpoint, as save_pretrained writes it, or a file that ends in {endings}"

    @property
    def _endings(self) -> tuple[str, ...]:
        return tuple(ending for ending in self.files if ending != FOLDER)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Runs the garbage collector rarely, since importing PyTorch and transformers makes many objects that stay."""
    usual = gc.get_threshold()
    gc.set_threshold(usual[0] and 100_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _refuse(spec: str, _options: ModelOptions) -> Any:
    raise AbaloError(f"model {spec!r}: no such file or folder{did_you_mean_path(expand_home(spec))}")


def _refuse_prompt(spec: str, _options: ModelOptions) -> Any:
    raise AbaloError(f"model {spec.partition('?')[0]}: this task is not asked by a prompt; see abalo list tasks")


def settings_of(options: RunOptions, labelling: Labelling, **own: object) -> ModelOptions:
    """Model settings from run options; the task sets ``own``."""
    given = {name: getattr(options, name) for name in OF_A_RUN}
    label_map = parse_label_map(given.pop("label_map")) if given["label_map"] else None
    return ModelOptions(**{**given, "label_map": label_map, **own}, labelling=labelling)
