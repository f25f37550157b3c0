"""Models that say what a test wants, and outcomes written by hand."""

from collections.abc import Callable, Sequence

from abalo.corpora import Corpus
from abalo.core.example import Outcome
from abalo.models.prediction import Prediction
from perturbations import Perturbed, Sentence, parse, sentence_id


class ScriptedModel:
    """A `TokenModel` that tags every word by itself with ``tag``; ``asked`` is every sentence it was shown."""

    name = "scripted"
    fingerprint = "scripted-1"
    labels = ("O", "B-PESSOA", "I-PESSOA", "B-LOCAL", "I-LOCAL")
    device = "cpu"
    reads_text = False

    def __init__(self, tag: Callable[[str], str], mask_token: str | None = None) -> None:
        self.tag = tag
        self.mask_token = mask_token
        self.settings = {"dtype": "fp32"}
        self.asked: list[Sentence] = []

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        self.asked += sentences
        return [Prediction(tuple(map(self.tag, sentence.tokens)), windows=1) for sentence in sentences]


class Gazetteer(ScriptedModel):
    """Knows the entities of these sentences by heart: type and B or I off each word, never off its neighbours."""

    def __init__(self, *texts: str, mask_token: str | None = None) -> None:
        known = {word: tag for text in texts for word, tag in zip(parse(text).tokens, parse(text).tags, strict=True)}
        super().__init__(lambda word: known.get(word, "O"), mask_token)


def all_outside() -> ScriptedModel:
    """A model that finds nothing."""
    return ScriptedModel(lambda word: "O")


def corpus_of(*texts: str) -> Corpus:
    """Sentences in bracket notation."""
    return Corpus("by hand", tuple(map(parse, texts)))


def outcome(
    gold: Sentence | str,
    clean: Sequence[str] | None = None,
    perturbed: Perturbed | None = None,
    predicted: Sequence[str] | None = None,
    seed: int = 1,
) -> Outcome:
    """An outcome; the clean prediction is right where ``clean`` is left out, the other one stands for both without."""
    sentence = parse(gold) if isinstance(gold, str) else gold
    before = Prediction(tuple(sentence.tags if clean is None else clean))
    after = before if predicted is None else Prediction(tuple(predicted))
    return Outcome(sentence_id(sentence), seed, sentence, before, perturbed, after)
