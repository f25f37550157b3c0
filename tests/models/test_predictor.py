import threading

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.loading import load
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Sentence


class Counting:
    """Tags upper-case tokens and keeps every list of inputs; a sentence of n tokens needs n inputs."""

    name = "counting"
    fingerprint = "f1"
    labels = ("O", "B-PER")
    mask_token = None
    device = "cpu"

    def __init__(self, *, reads_text=False):
        self.settings = {}
        self.reads_text = reads_text
        self.calls = []

    def predict(self, sentences):
        self.calls.append([sentence.text for sentence in sentences])
        return [
            Prediction(
                tuple("B-PER" if token.isupper() else "O" for token in each.tokens),
                np.array([[0.5, float(token.isupper())] for token in each.tokens], dtype=np.float32).reshape(-1, 2),
                ("O",) * len(each),
                inputs=len(each),
                wordless=each.tokens.count("?"),
            )
            for each in sentences
        ]


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(tuple(text.split())) for text in texts]


CLEAN = sentences("ANA left", "b", "ANA left")


def test_the_clean_corpus_is_predicted_once_and_equal_sentences_once():
    model = Counting()
    predictor = TokenPredictor(model, CLEAN)
    first, second = predictor.clean(), predictor.clean()
    assert [p.tags for p in first] == [("B-PER", "O"), ("O",), ("B-PER", "O")]
    assert first[0] is first[2]
    assert second[0] is first[0]
    assert model.calls == [["ANA left", "b"]]


def test_a_case_runs_its_new_distinct_inputs_in_one_call_and_counts_them():
    model = Counting()
    predictor = TokenPredictor(model, CLEAN)
    case = predictor.predict(sentences("x Y z", "b", "c D", "x Y z"))
    assert model.calls == [["ANA left", "b"], ["x Y z", "c D"]]
    assert case.inputs == 5
    assert [p.tags for p in case.predictions] == [("O", "B-PER", "O"), ("O",), ("O", "B-PER"), ("O", "B-PER", "O")]
    assert case.predictions[1] is predictor.clean()[1]


def test_batches_of_a_case_do_not_depend_on_the_cases_before():
    model = Counting()
    predictor = TokenPredictor(model, CLEAN)
    predictor.predict(sentences("c D"))
    predictor.predict(sentences("x", "c D"))
    assert model.calls[1:] == [["c D"], ["x", "c D"]]


def test_the_same_case_again_costs_nothing_and_counts_the_same():
    model = Counting()
    predictor = TokenPredictor(model, CLEAN)
    first = predictor.predict(sentences("x", "c D"))
    again = predictor.predict(sentences("x", "c D"))
    assert len(model.calls) == 2
    assert again.inputs == first.inputs == 3
    assert again.predictions[0] is first.predictions[0]


def test_a_case_of_clean_inputs_alone_needs_no_forward():
    model = Counting()
    predictor = TokenPredictor(model, CLEAN)
    assert predictor.predict(CLEAN).inputs == 0
    assert predictor.predict([]).predictions == []
    assert len(model.calls) == 1


def test_white_space_tells_inputs_apart_only_where_the_model_reads_it():
    spaced = [Sentence(("a", "b"), spaces=(" ", "")), Sentence(("a", "b"), spaces=("\n", ""))]
    blind, reading = Counting(), Counting(reads_text=True)
    TokenPredictor(blind, spaced).clean()
    TokenPredictor(reading, spaced).clean()
    assert blind.calls == [["a b"]]
    assert reading.calls == [["a b", "a\nb"]]


def test_tokens_that_only_look_alike_when_joined_are_told_apart():
    model = Counting()
    TokenPredictor(model, [Sentence(("a b",)), Sentence(("a", "b"))]).clean()
    assert len(model.calls[0]) == 2


# Workers that share a store -------------------------------------------------------------------------------------------


def same(a: Prediction, b: Prediction) -> bool:
    scores = (a.scores is None and b.scores is None) or np.array_equal(a.scores, b.scores)
    return scores and (a.tags, a.alternative, a.inputs, a.wordless) == (b.tags, b.alternative, b.inputs, b.wordless)


def test_a_second_worker_reads_what_the_first_predicted(tmp_path):
    clean = [*CLEAN, *sentences("a ? b"), Sentence(())]
    first, second = Counting(), Counting()
    predicted = TokenPredictor(first, clean, tmp_path / "store").clean()
    read = TokenPredictor(second, clean, tmp_path / "store").clean()
    assert len(first.calls) == 1
    assert second.calls == []
    assert all(map(same, predicted, read))
    assert read[0].scores.dtype == np.float32
    assert read[0].scores.flags.writeable is False


def test_predictions_without_scores_go_through_the_store_too(tmp_path):
    class Plain(Counting):
        def predict(self, sentences):
            return [Prediction(("O",) * len(each)) for each in sentences]

    predicted = TokenPredictor(Plain(), CLEAN, tmp_path).clean()
    read = TokenPredictor(Plain(), CLEAN, tmp_path).clean()
    assert all(map(same, predicted, read))
    assert read[0].scores is None


def test_another_model_or_another_corpus_is_another_file(tmp_path):
    other = Counting()
    other.fingerprint = "f2"
    TokenPredictor(Counting(), CLEAN, tmp_path).clean()
    TokenPredictor(other, CLEAN, tmp_path).clean()
    limited = Counting()
    TokenPredictor(limited, CLEAN[:1], tmp_path).clean()
    assert len(other.calls) == len(limited.calls) == 1


def test_of_workers_that_start_together_one_predicts(tmp_path):
    models = [Counting() for _ in range(4)]
    start = threading.Barrier(len(models))
    results = [None] * len(models)

    def work(i: int) -> None:
        start.wait()
        results[i] = TokenPredictor(models[i], CLEAN, tmp_path).clean()

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(models))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(len(model.calls) for model in models) == [0, 0, 0, 1]
    assert all(same(a, b) for result in results for a, b in zip(results[0], result, strict=True))


def test_a_worker_that_fails_leaves_nothing_behind_for_the_others(tmp_path):
    class Failing(Counting):
        def predict(self, sentences):
            raise AbaloError("it broke")

    with pytest.raises(AbaloError, match="it broke"):
        TokenPredictor(Failing(), CLEAN, tmp_path).clean()
    second = Counting()
    TokenPredictor(second, CLEAN, tmp_path).clean()
    assert len(second.calls) == 1


# What a model may not give --------------------------------------------------------------------------------------------


class Giving(Counting):
    def __init__(self, *predictions):
        super().__init__()
        self.predictions = list(predictions)

    def predict(self, sentences):
        return self.predictions


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ([], "0 predictions for 1 sentences"),
        ([Prediction(("O",))], "1 tags for 2 tokens"),
        ([Prediction(("O", "O"), alternative=("O",))], "1 tags for 2 tokens"),
        ([Prediction(("O", "O"), np.zeros((2, 3), np.float32))], r"scores of shape \(2, 3\); expected \(2, 2\)"),
        (
            [Prediction(("O", "O"), np.array([[0, 1], [0, np.nan]], np.float32))],
            "score nan for label 1 of token 1 in a sentence of 2 tokens",
        ),
    ],
)
def test_predictions_that_do_not_fit_are_an_error(predictions, message):
    with pytest.raises(AbaloError, match=f"model counting: {message}"):
        TokenPredictor(Giving(*predictions), sentences("ANA left")).clean()


def test_inputs_of_a_real_model_are_its_windows(checkpoint):
    model = load(str(checkpoint), device="cpu", max_length=16, stride=4)
    predictor = TokenPredictor(model, sentences("Ana left"))
    case = predictor.predict(sentences("Ana left", " ".join(["Ana"] * 40), "São Paulo", "São Paulo"))
    assert case.inputs == 4 + 1
    assert [len(p.tags) for p in case.predictions] == [2, 40, 2, 2]
