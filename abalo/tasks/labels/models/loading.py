"""The adapter of models that are asked by a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.errors import AbaloError
from abalo.models.classifiers.protocol import Classifier
from abalo.models.options import ModelOptions
from abalo.models.specs import Adapter
from abalo.tasks.labels.models.prompts import PREFIX, Asking, asked


def prompted(labels: Sequence[str], asking: Asking) -> Adapter[Classifier]:
    """An adapter for ``inspect:MODEL``, which chooses among these labels."""

    def load(spec: str, options: ModelOptions) -> Classifier:
        options.refuse_for("a model of Inspect")
        if options.label_map:
            raise AbaloError(f"model {spec}: is asked for the labels of the corpus; leave out --abalo-label-map")
        name, question = asked(spec, labels, asking, several=options.several)
        try:
            from abalo.tasks.labels.models.inspected import PromptedClassifier
        except ImportError as error:
            raise AbaloError(f"model {spec}: needs inspect-ai: pip install 'abalo[mcq]'") from error
        return PromptedClassifier(name, question, options)

    return Adapter(lambda spec: spec.startswith(PREFIX), load, takes_args=True)
