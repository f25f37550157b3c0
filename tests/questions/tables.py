"""Tables of answers written short."""

from collections.abc import Iterable

from abalo.tasks.choice import ORIG, ChoiceAnswer

FIELDS = {
    "id": "q1",
    "task": "perturbation_stability",
    "model": "mockllm/model",
    "pred_index": 0,
    "target_index": 0,
    "correct": True,
    "confidence": None,
    "seed": 123,
    "variant": ORIG,
    "paraphrase_id": None,
    "perturbation_kind": None,
    "pred_option": 0,
}


def answer(**changed) -> ChoiceAnswer:
    return ChoiceAnswer(**{**FIELDS, **changed})


def asked(question: str, original: int | None, *variants: int | None, target: int = 0, **more) -> list[ChoiceAnswer]:
    """The options that were chosen, in the original and then in variants."""
    return [
        answer(
            id=question,
            variant=f"para{number}" if number else ORIG,
            pred_index=option,
            pred_option=option,
            target_index=target,
            correct=option == target,
            **more,
        )
        for number, option in enumerate((original, *variants))
    ]


def table(*questions: Iterable[int | None], **more) -> list[ChoiceAnswer]:
    """Questions q1, q2 … with their answers."""
    return [row for number, options in enumerate(questions, 1) for row in asked(f"q{number}", *options, **more)]
