"""Questions in other words."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.choice.paraphrases import PARAPHRASES
from perturbations.families.word.synonym_wordnet import synonym_wordnet
from perturbations.languages import has, language_named, rules
from perturbations.languages.parts import Borders
from perturbations.sites import is_like_a_name
from perturbations.text import Edit, Perturbed, Sentence


@sentence_level(
    title="Question in other words",
    kind="syntax",
    labels="moves",
    monotone=False,
    needs=("question_frames",),
    aliases=("PerturbQuestion",),
    scheme="reading",
    example=("Onde fica [Lima LOCAL] ?", "De acordo com o texto , onde fica [Lima LOCAL] ?"),
)
def perturb_question(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """Another wording of the question: by rule, by a synonym, framed [TextFlint, catalogue name "PerturbQuestion"].

    The rules are those by which multiple-choice questions are paraphrased; in languages whose words are no tokens,
    another question word of the same meaning. Where none applies, one word becomes a synonym of its inflection; where
    none has one, *According to the text* comes before the question. Back translation and masked language models are
    `back_translation` and `mlm_suggestion`, with ``field = "question"``.
    """
    if not sentence.tokens or sentence.tokens[-1] not in ("?", "？"):
        return []
    if has(language, "borders"):
        made = _with_question_word(sentence, language)
    else:
        rules_of = PARAPHRASES.get(language, {}).values()
        made = [_as_edit(sentence, found) for rule in rules_of if (found := rule(sentence))]
    if not made and language in synonym_wordnet.spoken:
        made = [edit for site in synonym_wordnet.configured(language=language).sites(sentence) for edit in site]
    made = made or _frame_question(sentence, language)
    return [made] if made else []


def _as_edit(sentence: Sentence, made: Perturbed) -> Edit:
    return Edit(0, len(sentence), made.sentence.tokens, spaces=made.sentence.spaces, origins=made.origins)


def _with_question_word(sentence: Sentence, language: str) -> list[Edit]:
    """The question with a question word exchanged, where it has one of them alone."""
    layout, words = rules(language, "borders", Borders).layout(sentence), language_named(language).question_synonyms
    tokens = sentence.tokens
    found: list[Edit] = []
    for start in range(len(tokens)):
        stop = next((k for k in range(start + 4, start, -1) if "".join(tokens[start:k]) in words), None)
        if layout is not None and stop is not None and stop <= len(tokens) and (not found or start >= found[-1].stop):
            found.append(layout.replacing(start, stop, [words["".join(tokens[start:stop])]]))
    return found if len(found) == 1 else []


def _frame_question(sentence: Sentence, language: str) -> list[Edit]:
    first, facts = sentence.tokens[0], language_named(language)
    frames = [tuple(frame.split()) for frame in facts.question_frames]
    if has(language, "borders"):
        if not facts.text_words.isdisjoint(sentence.tokens[:4]):
            return []
        gap = "" if "" in sentence.spaces[:-1] else " "
        return [Edit(0, 0, frame, spaces=(gap,) * len(frame)) for frame in frames]
    if not facts.text_words.isdisjoint(token.lower() for token in sentence.tokens):
        return []
    named = _begins_with_name(sentence, language)
    kept = first == "I" or (first.isupper() and len(first) > 1) or not first[0].isupper() or named
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
        for frame in frames
    ]


def _begins_with_name(sentence: Sentence, language: str) -> bool:
    """Whether a question begins with a name: a capital goes on behind its first word."""
    openers = language_named(language).question_openers
    return len(sentence) > 1 and is_like_a_name(sentence.tokens, 1) and sentence.tokens[0].lower() not in openers
