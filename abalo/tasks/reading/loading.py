"""Loads a reading model by its spec."""

from __future__ import annotations

from abalo.core.protocols.options import RunOptions
from abalo.models.generative.opening import is_prompted, open_prompted
from abalo.models.labelling.labels import CLASSES
from abalo.models.networks import exported
from abalo.models.options import ModelOptions
from abalo.models.prompts.template import Prompting
from abalo.models.questions import black_box, hugging_face
from abalo.models.questions.prompted import PromptedReader
from abalo.models.questions.protocol import ReadingModel
from abalo.models.questions.scoring import SQUAD, Rules
from abalo.models.questions.shared_words import NAME, SharedWords
from abalo.models.specs import FOLDER, Adapter, Loader, settings_of

_LOADER: Loader[ReadingModel] = Loader(
    black_box.load,
    hugging_face.load,
    {FOLDER: hugging_face.load, exported.SUFFIX: hugging_face.load},
)


def load(spec: str | None, options: RunOptions, rules: Rules, prompting: Prompting | None = None) -> ReadingModel:
    """The model called ``spec``, by default the bundled reader. Raises AbaloError."""

    def shipped(_spec: str, given: ModelOptions) -> ReadingModel:
        given.refuse_version("the reader that ships")
        return SharedWords(short=rules.normalisation == SQUAD)

    adapters: tuple[Adapter[ReadingModel], ...] = (
        Adapter(lambda name: name == NAME, shipped),
        Adapter(is_prompted, lambda name, given: PromptedReader(open_prompted(name, given)), takes_args=True),
        Adapter(lambda name: "?null=" in name, hugging_face.load),
    )
    return _LOADER.load(NAME if spec is None else spec, settings_of(options, CLASSES, prompting=prompting), adapters)
