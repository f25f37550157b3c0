"""Text classifiers by spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from abalo.core.protocols.options import RunOptions
from abalo.models.classifiers import black_box, hugging_face, linear, scikit
from abalo.models.classifiers.protocol import Classifier
from abalo.models.generative.models import PromptedClassifier
from abalo.models.generative.opening import is_prompted, open_prompted
from abalo.models.labelling.labels import CLASSES
from abalo.models.networks import exported
from abalo.models.options import ModelOptions
from abalo.models.prompts.template import Prompting
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


def _load_prompted(spec: str, options: ModelOptions) -> Classifier:
    return PromptedClassifier(open_prompted(spec, options), several=options.several)


PROMPTED: Adapter[Classifier] = Adapter(is_prompted, _load_prompted, takes_args=True)


def load(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str] | Mapping[str, int],
    *,
    several: bool = False,
    adapters: Sequence[Adapter[Classifier]] = (),
    prompting: Prompting | None = None,
) -> Classifier:
    """Loads a model and checks its labels against those of the corpus, with their numbers.

    The task's ``adapters`` are tried first.
    """
    wanted = Counter(corpus_labels)
    truth = (_match_label("false", wanted), _match_label("true", wanted))
    settings = settings_of(options, CLASSES, truth=truth, several=several, prompting=prompting)
    model = TEXTS.load(spec, settings, (*adapters, PROMPTED))
    CLASSES.check(model.labels, wanted, model.name)
    return model


def _match_label(name: str, labels: Iterable[str]) -> str:
    return next((label for label in labels if label.casefold() == name), name)
