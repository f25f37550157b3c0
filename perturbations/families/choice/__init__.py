"""Other ways to put a multiple-choice question: paraphrases, formatting, other orders of the options.

These are no members of the catalogue. What is there can be drawn at a rate for any sentence of any task; here is a
fixed list in a fixed order, numbered as it applies, and half of it is about the options. But here too rules only say
which edits to make, and `perturbations.apply` makes them: of the question, a Sentence of its words, and of the options,
a Sentence whose tokens are whole options, so that the origins carry the right answer along.
"""

from perturbations.families.choice.formatting import FORMATTINGS, formattings
from perturbations.families.choice.languages import language_of, question_languages
from perturbations.families.choice.paraphrases import PARAPHRASES, paraphrases
from perturbations.families.choice.references import moving
from perturbations.families.choice.rewording import QuestionRewording
from perturbations.languages.questions import normalise, question_of

__all__ = [
    "FORMATTINGS",
    "PARAPHRASES",
    "QuestionRewording",
    "formattings",
    "language_of",
    "moving",
    "normalise",
    "paraphrases",
    "question_languages",
    "question_of",
]
