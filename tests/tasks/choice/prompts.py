"""The prompts of a question, one list of rewordings each."""

from abalo.questions.question import BASELINE, FORMS, PARAPHRASES, SEED, Choice, Prompt
from abalo.tasks.choice.corpus import example_of
from abalo.tasks.choice.rewordings import QuestionSettings, prompts
from abalo.tasks.choice.task import TASK


def unchanged(choice: Choice, seed: int = SEED) -> Prompt:
    """The question as it is."""
    return TASK.rewordings.show(example_of(choice), BASELINE, QuestionSettings(seed=seed), None)


def paraphrased(choice: Choice, k: int = 2) -> tuple[Prompt, ...]:
    """The question as it is, then its paraphrases."""
    return prompts(choice, PARAPHRASES, k=k)


def reformatted(choice: Choice, k: int = 3, seed: int = SEED) -> tuple[Prompt, ...]:
    """The question as it is, then in other forms."""
    return prompts(choice, FORMS, k=k, seed=seed)
