"""Sentences run together, as where splitting failed or a model reads whole paragraphs."""

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.layers import OUTSIDE, Policy, TokenLayer
from perturbations.notation import parse
from perturbations.resources import JUDGED, MOST_FOLLOWING, Always, NextSentences
from perturbations.stops import is_cut
from perturbations.text import Edit, Sentence

_EXAMPLES = Always(JUDGED, (parse("[Rui PESSOA] ficou ."), parse("Nada mais foi dito .")))


@sentence_level(
    title="Following sentences appended",
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
    """Appends the next sentences of the corpus, with their labels [TextFlint, catalogue name "ConcatSent"].

    Appends up to ``sentences`` following sentences; the last sentence of a corpus or document stays. If the corpus was
    cut after an abbreviation, *( fls .*, both parts count as one sentence. The original labels stay. Raises ValueError
    unless ``sentences`` is 1 to 10.
    """
    if not 1 <= sentences <= MOST_FOLLOWING:
        raise ValueError(f"sentences is {sentences}; expected a number from 1 to {MOST_FOLLOWING}")
    appended = _next(sentence, sentences, following)
    if not appended or not sentence.tokens:
        return ()
    last = len(sentence) - 1
    tokens, spaces = [sentence.tokens[last]], [sentence.spaces[last]]
    for part in appended:
        spaces[-1] = spaces[-1] or " "
        tokens += part.tokens
        spaces += part.spaces
    origins = ((last,), *((),) * (len(tokens) - 1))
    tags = None
    if sentence.tags is not None:
        same = [part.tags if part.policy == sentence.policy else None for part in appended]
        tags = _join_labels(sentence.tags, sentence.policy, appended, same)
    layers = [
        (layer.name, _join_labels(layer.labels, layer.policy, appended, [_labels(part, layer) for part in appended]))
        for layer in sentence.layers
        if isinstance(layer, TokenLayer)
    ]
    return ((Edit(last, last + 1, tuple(tokens), tags, None, tuple(spaces), origins, tuple(layers) or None),),)


def _next(sentence: Sentence, count: int, following: NextSentences) -> list[Sentence]:
    """The next ``count`` sentences; one that goes on behind an abbreviation counts with what follows it."""
    appended: list[Sentence] = []
    whole, last = 0, sentence
    for part in following.after(sentence, MOST_FOLLOWING):
        whole += bool(part.tokens) and not is_cut(last)
        if whole > count:
            break
        appended += [part] if part.tokens else []
        last = part
    return appended


def _labels(part: Sentence, layer: TokenLayer) -> tuple[str, ...] | None:
    """The labels that an appended sentence has in the same layer."""
    same = (other for other in part.layers if isinstance(other, TokenLayer) and other.name == layer.name)
    return next((other.labels for other in same if other.policy == layer.policy), None)


def _join_labels(
    labels: tuple[str, ...], policy: Policy, appended: Sequence[Sentence], theirs: Sequence[tuple[str, ...] | None]
) -> tuple[str, ...]:
    """The labels of the last token and of the appended sentences, where these have some."""
    joined = labels[-1:]
    for part, own in zip(appended, theirs, strict=True):
        joined += (OUTSIDE[policy],) * len(part) if own is None else own
    return joined
