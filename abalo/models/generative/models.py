"""Prompted models of tokens and of texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Generic, Self

import numpy as np

from abalo.core.protocols.predictor import I, P
from abalo.models.generative.opening import settings_of
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.labelling.labels import OUTSIDE
from abalo.models.labelling.prediction import Prediction
from abalo.models.prompts.asker import Asker
from abalo.models.prompts.cache import NoCache, ReplyCache
from abalo.models.prompts.calls import CallLimit, Calls
from abalo.models.prompts.grounding import Grounded
from abalo.models.prompts.protocol import ModelAnswer
from abalo.models.prompts.template import PromptTemplate
from abalo.models.services.service import Served
from abalo.models.user_code import OnProgress
from perturbations import Sentence


class Prompted(ABC, Generic[I, P]):
    """Base of prompted models.

    ``draws``: repeated calls can differ, None if unknown. ``sends_to``: the service that receives texts, or "".
    """

    mask_token: str | None = None
    device = "unknown"
    black_box = True

    def __init__(self, asker: Asker[I, Any]) -> None:
        self.asker = asker
        self.name, self.version = asker.source.name, asker.source.version
        self.fingerprint = asker.fingerprint
        self.draws, self.sends_to = asker.source.draws, asker.source.sends_to
        self.settings: dict[str, Any] = settings_of(asker)

    def predict(self, given: Sequence[I], /) -> list[P]:
        """One prediction per input."""
        return self.repeat(given, 0)

    @abstractmethod
    def repeat(self, given: Sequence[I], index: int, /) -> list[P]:
        """Another repeat, from 0."""

    @property
    def calls(self) -> Calls:
        """The calls so far."""
        return self.asker.calls

    @property
    def on_progress(self) -> OnProgress | None:
        """Receives finished and total calls."""
        return self.asker.on_progress

    @on_progress.setter
    def on_progress(self, shown: OnProgress | None) -> None:
        self.asker.on_progress = shown

    def asked_by(self, prompt: PromptTemplate) -> Self:
        """The same model with another prompt."""
        made = copy(self)
        made.asker = self.asker.asked_by(prompt)
        made.fingerprint, made.settings = made.asker.fingerprint, {**self.settings, **settings_of(made.asker)}
        return made

    def share_calls(self, limit: CallLimit, folder: Path | None) -> None:
        """Counts calls towards a run's limit."""
        self.calls.limit = limit
        share = getattr(self.asker.source, "share", None)
        if share is not None:
            share(limit, folder)
        if folder is not None and isinstance(self.asker.cache, NoCache):
            self.asker.cache = ReplyCache(self.asker.fingerprint, folder)

    def estimating(self) -> Self:
        """A copy that records calls in ``estimated`` and makes none."""
        made = copy(self)
        made.asker = self.asker.estimating()
        return made

    @property
    def estimated(self) -> int:
        """The calls that a `estimating` copy recorded."""
        return self.asker.estimated


def share_calls(models: Iterable[object], most: int | None, store: Path | None) -> None:
    """Limits prompted models and models in Python together to ``most`` calls.

    ``store`` is shared by processes; None for one.
    """
    limit = CallLimit(most, None if store is None else store / "calls")
    for model in models:
        if isinstance(model, Prompted | Served):
            model.share_calls(limit, store)


class PromptedTokens(Prompted[Sentence, Prediction]):
    """A prompted `TokenModel`."""

    reads_text = True

    def __init__(self, asker: Asker[Sentence, Grounded], *, spans: bool) -> None:
        super().__init__(asker)
        kinds = asker.form.labels
        both = [f"{prefix}-{kind}" for kind in kinds for prefix in "BI"]
        self.labels: tuple[str, ...] = (OUTSIDE, *both) if spans else kinds

    def repeat(self, sentences: Sequence[Sentence], index: int, /) -> list[Prediction]:
        return [_label_sentence(each) for each in self.asker.answers(sentences, index)]


class PromptedClassifier(Prompted[TextInput, Classified]):
    """A prompted `Classifier`; probabilities are known if the source tells the alternatives of tokens."""

    def __init__(self, asker: Asker[TextInput, tuple[str, ...]], *, several: bool) -> None:
        super().__init__(asker)
        self.labels: tuple[str, ...] = asker.form.labels
        self.settings = {**self.settings, "several_labels": several}

    def repeat(self, texts: Sequence[TextInput], index: int, /) -> list[Classified]:
        found = self.asker.answers(texts, index)
        return [self._classified(each) for each in found]

    def _classified(self, answer: ModelAnswer[tuple[str, ...]]) -> Classified:
        known = bool(answer.scores)
        return Classified(
            answer.value,
            np.array(answer.scores) if known else None,
            names=self.asker.form.labels if known else (),
            reply=answer.reply,
            answered=answer.valid,
        )


def _label_sentence(answer: ModelAnswer[Grounded]) -> Prediction:
    value = answer.value
    return Prediction(
        value.tags,
        reply=answer.reply,
        answered=answer.valid,
        ungrounded=value.ungrounded,
        ambiguous=value.ambiguous,
    )
