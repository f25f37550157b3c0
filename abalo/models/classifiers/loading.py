"""A model that labels texts, by its spec: a folder, a file, ``module:factory`` or a hub id, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from abalo.core.options import RunOptions
from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.models import exported
from abalo.models.classifiers import black_box, hugging_face, linear, scikit
from abalo.models.classifiers.protocol import Classifier
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import CLASSES
from abalo.models.options import OF_A_RUN, ModelOptions
from perturbations.suggestions import did_you_mean_path


@dataclass(frozen=True, slots=True)
class Adapter:
    """A kind of model: whether a spec means one, and how it is loaded, for texts of several labels or of one."""

    recognises: Callable[[str], bool]
    load: Callable[[str, ModelOptions, bool], Classifier]


def _load_path(spec: str, options: ModelOptions, several: bool) -> Classifier:
    path = expanded(spec)
    if path.is_dir() or path.suffix == exported.SUFFIX:
        return hugging_face.load(spec, options, several=several)
    if path.suffix == linear.SUFFIX:
        return linear.load(spec, options, several=several)
    if path.suffix in (scikit.SKOPS, *scikit.PICKLES):
        return scikit.load(spec, options, several=several)
    if path.suffix == ".py":
        raise AbaloError(f"model {spec}: is a Python file; name the factory in it too: {spec}:make_model")
    raise AbaloError(
        f"model {spec}: is a file of no kind that is known; expected the folder of a checkpoint, as save_pretrained "
        f"writes it, or a file that ends in {scikit.SKOPS} or {exported.SUFFIX}"
    )


def _looks_like_a_path(spec: str) -> bool:
    files = (exported.SUFFIX, linear.SUFFIX, scikit.SKOPS, *scikit.PICKLES)
    return spec.startswith((".", "/", "~")) or "\\" in spec or spec.count("/") > 1 or spec.endswith(files)


def _refuse_path(spec: str, _options: ModelOptions, _several: bool) -> Classifier:
    raise AbaloError(f"model {spec!r}: no such file or folder{did_you_mean_path(expanded(spec))}")


ADAPTERS = (
    Adapter(lambda spec: bool(spec.strip()) and expanded(spec).exists(), _load_path),
    Adapter(lambda spec: ":" in spec, lambda spec, options, several: black_box.load(spec, options, several=several)),
    Adapter(lambda spec: not spec.strip() or _looks_like_a_path(spec), _refuse_path),
    Adapter(lambda _: True, lambda spec, options, several: hugging_face.load(spec, options, several=several)),
)
"""The first that recognises a spec loads it."""


def load(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str],
    *,
    several: bool = False,
    adapters: Sequence[Adapter] = (),
) -> Classifier:
    """The model called ``spec``, refused where it lacks a label of the corpus.

    ``options`` has the fields of `ModelOptions` as attributes, but for the labelling, and the label map as text.
    ``several`` says that a text of the corpus can have several labels. ``adapters`` are those of a task, tried first.
    Raises `AbaloError`.
    """
    wanted = [*corpus_labels]
    settings = {name: getattr(options, name) for name in OF_A_RUN}
    settings["label_map"] = parse_label_map(settings["label_map"]) if settings["label_map"] else None
    asked = ModelOptions(**settings, labelling=CLASSES, truth=(_written("false", wanted), _written("true", wanted)))
    adapter = next(each for each in (*adapters, *ADAPTERS) if each.recognises(spec))
    model = adapter.load(spec, asked, several)
    CLASSES.check(model.labels, wanted, model.name)
    return model


def _written(name: str, labels: Iterable[str]) -> str:
    """The label of the corpus that is this name in some letter case; the name if there is none."""
    return next((label for label in labels if label.casefold() == name), name)
