"""A model that labels texts, by its spec: a folder, a file, ``module:factory`` or a hub id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abalo.core.options import RunOptions
from abalo.models import exported
from abalo.models.classifiers import black_box, hugging_face, linear, scikit
from abalo.models.classifiers.protocol import Classifier
from abalo.models.labels import CLASSES
from abalo.models.specs import FOLDER, Adapter, Loader, settings_of

TEXTS: Loader[Classifier] = Loader(
    black_box.load,
    hugging_face.load,
    {
        FOLDER: hugging_face.load,
        exported.SUFFIX: hugging_face.load,
        scikit.SKOPS: scikit.load,
        **dict.fromkeys(scikit.PICKLES, scikit.load),
        linear.SUFFIX: linear.load,
    },
)


def load(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str],
    *,
    several: bool = False,
    adapters: Sequence[Adapter[Classifier]] = (),
) -> Classifier:
    """The model called ``spec``, refused where it lacks a label of the corpus.

    ``several`` says that a text of the corpus can have several labels. ``adapters`` are those of a task, tried first.
    Raises `AbaloError`.
    """
    wanted = [*corpus_labels]
    truth = (_written("false", wanted), _written("true", wanted))
    model = TEXTS.load(spec, settings_of(options, CLASSES, truth=truth, several=several), adapters)
    CLASSES.check(model.labels, wanted, model.name)
    return model


def _written(name: str, labels: Iterable[str]) -> str:
    """The label of the corpus that is this name in some letter case; the name if there is none."""
    return next((label for label in labels if label.casefold() == name), name)
