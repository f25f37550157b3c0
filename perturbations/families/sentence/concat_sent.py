"""Sentences run together, as where splitting failed or a model reads whole paragraphs."""

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.layers import OUTSIDE, TAGS, TokenLayer
from perturbations.notation import parse
from perturbations.resources import JUDGED, MOST_FOLLOWING, Always, NextSentences
from perturbations.text import Edit, Sentence

_EXAMPLES = Always(JUDGED, (parse("[Rui PESSOA] ficou ."), parse("Nada mais foi dito .")))


@sentence_level(
    kind="pragmatics",
    labels="changes",
    aliases=("ConcatSent", "ConcatCase"),
    relation="loses",
    example=(
        "[Ana PESSOA] saiu de [Lima LOCAL]",
        "[Ana PESSOA] saiu de [Lima LOCAL] [Rui PESSOA] ficou . Nada mais foi dito .",
    ),
)
def concat_sent(
    sentence: Sentence, *, sentences: int = 2, following: NextSentences = _EXAMPLES
) -> tuple[tuple[Edit, ...], ...]:
    """The sentences that come next in the corpus appended, with their labels [TextFlint, catalogue name "ConcatSent"].

    As many as there are, up to ``sentences``; the last of a corpus or document stays as it is. What was there keeps its
    labels. Raises ValueError unless ``sentences`` is 1 to 10.
    """
    if not 1 <= sentences <= MOST_FOLLOWING:
        raise ValueError(f"sentences is {sentences}; expected a number from 1 to {MOST_FOLLOWING}")
    appended = [each for each in following.after(sentence, sentences) if each.tokens]
    if not appended or not sentence.tokens:
        return ()
    last = len(sentence) - 1
    tokens, spaces = [sentence.tokens[last]], [sentence.spaces[last]]
    for part in appended:
        spaces[-1] = spaces[-1] or " "
        tokens += part.tokens
        spaces += part.spaces
    origins = ((last,), *((),) * (len(tokens) - 1))
    labels = {layer.name: _labels(layer, last, appended) for layer in sentence.token_layers}
    tags = labels.pop(TAGS, None)
    return ((Edit(last, last + 1, tuple(tokens), tags, None, tuple(spaces), origins, tuple(labels.items()) or None),),)


def _labels(layer: TokenLayer, last: int, appended: Sequence[Sentence]) -> tuple[str, ...]:
    """The labels of the last token and of the appended sentences, where these have the same layer."""
    labels = layer.labels[last:]
    for part in appended:
        same = [each for each in part.token_layers if (each.name, each.policy) == (layer.name, layer.policy)]
        labels += same[0].labels if same else (OUTSIDE[layer.policy],) * len(part)
    return labels
