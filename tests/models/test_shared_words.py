"""The bundled reader: which stretch of the sentence it takes."""

import pytest

from abalo.models.questions.shared_words import SharedWords


@pytest.mark.parametrize(
    ("passage", "question", "answer"),
    [
        # A name may have function words inside, and words in lower case are no name however near they are.
        ("Maria das Dores wrote small books .", "Who wrote books ?", "Maria das Dores"),
        ("the old judge wrote to Ana .", "Who wrote ?", "Ana"),
        ("the war began in 1914 near Paris .", "When did the war begin ?", "began in 1914"),
    ],
)
def test_names_answer_who_and_numbers_answer_when(passage, question, answer):
    (found,) = SharedWords(short=True).predict([(passage, question)])
    assert found.text == answer
    assert passage[slice(*found.place)] == answer
