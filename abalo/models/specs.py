"""The grammar of a model's spec, one for models of tokens, of texts and of questions.

A spec is, in this order: a name that only the task knows; a file or folder that exists; code, as ``module:factory`` or
``path/to/file.py:factory``; a path where nothing is, which is refused; or a name of the hub or of a service.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from abalo.core.options import RunOptions
from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import Labelling
from abalo.models.options import OF_A_RUN, ModelOptions
from perturbations.suggestions import did_you_mean_path

M = TypeVar("M")

Load = Callable[[str, ModelOptions], M]
"""Loads the model that a spec names; raises `AbaloError`."""

FOLDER = "/"
"""The ending of a folder, where kinds of model are found by the endings of files."""


@dataclass(frozen=True, slots=True)
class Adapter(Generic[M]):
    """A kind of model: whether a spec means one, and how it is loaded.

    ``takes_args`` says that it takes the settings of ``--abalo-model-args``.
    """

    recognises: Callable[[str], bool]
    load: Load[M]
    takes_args: bool = False


@dataclass(frozen=True, slots=True)
class Loader(Generic[M]):
    """Loads the models of a kind of task.

    ``code`` loads what a factory returns, ``files`` those files that end so, and a `FOLDER`. ``named`` loads any other
    name: an id of the hub, with at most one slash, or, of ``services``, a name with a slash and perhaps a colon, such
    as ``ollama/a:8b``.
    """

    code: Load[M]
    named: Load[M]
    files: Mapping[str, Load[M]] = field(default_factory=dict)
    services: bool = False

    def load(self, spec: str, options: ModelOptions, adapters: Sequence[Adapter[M]] = ()) -> M:
        """The model called ``spec``; ``adapters`` come first. Raises `AbaloError`, also for undue arguments."""
        adapter = next(each for each in (*adapters, *self._adapters) if each.recognises(spec))
        if options.model_args and not adapter.takes_args:
            given = ", ".join(options.model_args)
            raise AbaloError(f"model {spec}: takes no arguments, but was given {given}; leave out --abalo-model-args")
        return adapter.load(spec, options)

    @property
    def _adapters(self) -> tuple[Adapter[M], ...]:
        return (
            Adapter(self._exists, self._from_path),
            Adapter(self._is_code, self.code),
            Adapter(self._looks_like_a_path, _refused),
            Adapter(lambda _: True, self.named, takes_args=self.services),
        )

    def _exists(self, spec: str) -> bool:
        named = not self.services or self._looks_like_a_path(spec)
        return named and bool(spec.strip()) and expanded(spec).exists()

    def _is_code(self, spec: str) -> bool:
        head, colon, _ = spec.rpartition(":")
        in_a_folder = not self.services or "/" not in head or head.startswith(("./", "../", "/"))
        return bool(colon) and (head.endswith(".py") or in_a_folder)

    def _looks_like_a_path(self, spec: str) -> bool:
        named = not spec.strip() or spec.startswith((".", "/", "~")) or "\\" in spec
        return named or spec.endswith((".py", *self._endings)) or (not self.services and spec.count("/") > 1)

    def _from_path(self, spec: str, options: ModelOptions) -> M:
        path = expanded(spec)
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


def _refused(spec: str, _options: ModelOptions) -> Any:
    raise AbaloError(f"model {spec!r}: no such file or folder{did_you_mean_path(expanded(spec))}")


def settings_of(options: RunOptions, labelling: Labelling, **own: Any) -> ModelOptions:
    """The settings of a command line as those of a model; ``own`` are settings that the task decides."""
    given = {name: getattr(options, name) for name in OF_A_RUN}
    label_map = parse_label_map(given.pop("label_map")) if given["label_map"] else None
    return ModelOptions(**{**given, "label_map": label_map, **own}, labelling=labelling)
