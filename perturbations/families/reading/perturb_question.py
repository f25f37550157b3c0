"""Questions in other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.choice.paraphrases import PARAPHRASES
from perturbations.families.word.synonym_wordnet import synonym_wordnet
from perturbations.languages import rules
from perturbations.languages.parts import Borders
from perturbations.sites import is_like_a_name
from perturbations.text import Edit, Perturbed, Sentence

AskedLanguage = Literal["en", "pt", "zh"]

_FRAMES: Mapping[AskedLanguage, Sequence[tuple[str, ...]]] = {
    "en": (("According", "to", "the", "text", ","), ("Based", "on", "the", "passage", ",")),
    "pt": (("De", "acordo", "com", "o", "texto", ","), ("Com", "base", "na", "passagem", ",")),
    "zh": (("根", "据", "文", "章", "，"), ("根", "据", "上", "文", "，")),
}
"""The words that may stand before any question about a text."""

_ALIKE = (
    ("什么时候", "何时"),
    ("为什么", "为何"),
    ("什么地方", "何处"),
    ("哪里", "什么地方"),
    ("哪儿", "哪里"),
    ("哪一年", "哪年"),
    ("怎么样", "怎样"),
    ("如何", "怎样"),
    ("谁", "什么人"),
)
"""Chinese question words that mean the same wherever they stand."""

_OF_FRAMES = frozenset(
    ["according", "acordo", "segundo", "based", "base", "conforme", "text", "passage", "texto", "passagem"]
)


@sentence_level(
    title="Question in other words",
    kind="syntax",
    labels="moves",
    monotone=False,
    languages=("en", "pt", "zh"),
    aliases=("PerturbQuestion",),
    scheme="reading",
    example=("Onde fica [Lima LOCAL] ?", "De acordo com o texto , onde fica [Lima LOCAL] ?"),
)
def perturb_question(sentence: Sentence, *, language: AskedLanguage = "pt") -> list[list[Edit]]:
    """Another wording of the question: by rule, by a synonym, framed [TextFlint, catalogue name "PerturbQuestion"].

    The rules are those by which multiple-choice questions are paraphrased; in Chinese, another question word of the
    same meaning. Where none applies, one word becomes a synonym of its inflection; where none has one, *According to
    the text* comes before the question. Back translation and masked language models are `back_translation` and
    `mlm_suggestion`, with ``field = "question"``.
    """
    if not sentence.tokens or sentence.tokens[-1] not in ("?", "？"):
        return []
    if language == "zh":
        made = _with_question_word(sentence)
    else:
        made = [_as_edit(sentence, found) for rule in PARAPHRASES[language].values() if (found := rule(sentence))]
    made = made or [edit for site in synonym_wordnet.configured(language=language).sites(sentence) for edit in site]
    made = made or _frame_question(sentence, language)
    return [made] if made else []


def _as_edit(sentence: Sentence, made: Perturbed) -> Edit:
    return Edit(0, len(sentence), made.sentence.tokens, spaces=made.sentence.spaces, origins=made.origins)


def _with_question_word(sentence: Sentence) -> list[Edit]:
    """The question with a Chinese question word exchanged, where it has one of them alone."""
    borders = rules("zh", "borders", Borders)
    layout, words = borders.layout(sentence), dict(_ALIKE)
    tokens = sentence.tokens
    found: list[Edit] = []
    for start in range(len(tokens)):
        stop = next((k for k in range(start + 4, start, -1) if "".join(tokens[start:k]) in words), None)
        if layout is not None and stop is not None and stop <= len(tokens) and (not found or start >= found[-1].stop):
            found.append(layout.replacing(start, stop, [words["".join(tokens[start:stop])]]))
    return found if len(found) == 1 else []


def _frame_question(sentence: Sentence, language: AskedLanguage) -> list[Edit]:
    first = sentence.tokens[0]
    if language == "zh":
        if "文" in sentence.tokens[:4]:
            return []
        gap = "" if "" in sentence.spaces[:-1] else " "
        return [Edit(0, 0, frame, spaces=(gap,) * len(frame)) for frame in _FRAMES[language]]
    if not _OF_FRAMES.isdisjoint(token.lower() for token in sentence.tokens):
        return []
    kept = first == "I" or (first.isupper() and len(first) > 1) or not first[0].isupper() or is_name(sentence)
    small = first if kept else first.lower()
    tight = "" in sentence.spaces[:-1]
    return [
        Edit(
            0,
            1,
            (*frame, small),
            spaces=(*(" " for _ in frame[:-2]), "" if tight else " ", " ", sentence.spaces[0]),
            origins=(*(() for _ in frame), (0,)),
        )
        for frame in _FRAMES[language]
    ]


def is_name(sentence: Sentence) -> bool:
    """Whether a question begins with a name: a capital goes on behind its first word."""
    return len(sentence) > 1 and is_like_a_name(sentence.tokens, 1) and sentence.tokens[0].lower() not in _ASKING


_ASKING = frozenset(
    [
        "what",
        "who",
        "whom",
        "whose",
        "which",
        "when",
        "where",
        "why",
        "how",
        "in",
        "at",
        "on",
        "for",
        "to",
        "by",
        "from",
        "of",
        "during",
        "o",
        "a",
        "os",
        "as",
        "que",
        "quem",
        "qual",
        "quais",
        "quando",
        "onde",
        "como",
        "quanto",
        "quantos",
        "quantas",
        "em",
        "no",
        "na",
        "por",
        "para",
        "de",
        "do",
        "da",
        "desde",
        "com",
    ]
)
