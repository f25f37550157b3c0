"""Models that label whole texts: checkpoints, code of the user, estimators, weights that ship."""

import json
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.classifiers.linear import LinearWeights, features
from abalo.models.classifiers.loading import load
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.labelling.classified import Classified
from tests.models.tiny_checkpoint import save_checkpoint

TEXTS = ("Ana left today .", "Sao Paulo", "Souza", "Ana - Ana - Ana")


def options(**given):
    return RunOptions(**{"device": "cpu", **given})


def refusal(spec, labels=(), several=False, **given):
    with pytest.raises(AbaloError) as caught:
        load(str(spec), options(**given), labels, several=several).predict(TEXTS)
    return str(caught.value)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    return save_checkpoint(folder, ("NEGATIVE", "NEUTRAL", "POSITIVE"), network="BertForSequenceClassification")


@pytest.fixture
def code(tmp_path, monkeypatch):
    """Writes a module of the user and gives the spec of its factory."""
    monkeypatch.chdir(tmp_path)

    def written(body: str) -> str:
        path = tmp_path / f"mine{abs(hash(body))}.py"
        path.write_text(f"def make():\n    {body}\n", "utf-8")
        return f"{path}:make"

    return written


# Checkpoints ----------------------------------------------------------------------------------------------------------


def test_a_checkpoint_labels_texts_as_a_pipeline_does(checkpoint):
    from transformers import pipeline

    model = load(str(checkpoint), options(), ["POSITIVE"])
    expected = pipeline("text-classification", model=str(checkpoint), top_k=None, device="cpu")(list(TEXTS))
    for found, wanted in zip(model.predict(TEXTS), expected, strict=True):
        assert found.labels == (wanted[0]["label"],)
        by_name = {each["label"]: each["score"] for each in wanted}
        np.testing.assert_allclose(found.probabilities, [by_name[label] for label in model.labels], atol=1e-5)
        assert found.inputs == 1


def test_a_long_text_is_the_mean_of_its_windows_by_their_pieces(checkpoint):
    import torch

    model = load(str(checkpoint), options(max_length=6, stride=2), ())
    (found,) = model.predict(["Ana left today . Souza - left"])  # 7 pieces: windows of 4, 4 and 3, which share 2
    pieces = model._tokenizer("Ana left today . Souza - left", add_special_tokens=False)["input_ids"]
    assert len(pieces) == 7
    windows = [pieces[0:4], pieces[2:6], pieces[4:7]]
    with torch.inference_mode():
        logits = [model.runtime.network(input_ids=torch.tensor([[2, *each, 3]])).logits[0].numpy() for each in windows]
    mean = sum(len(each) * row for each, row in zip(windows, logits, strict=True)) / sum(map(len, windows))
    np.testing.assert_allclose(found.probabilities, np.exp(mean) / np.exp(mean).sum(), atol=1e-5)
    assert found.inputs == 3


PAIRS = (("Ana left today .", "Souza left"), ("Sao Paulo", "Ana"), ("Ana - Ana - Ana", "Souza - Souza"))


def test_two_texts_are_labelled_together_as_a_pipeline_does(checkpoint):
    from transformers import pipeline

    model = load(str(checkpoint), options(), ["POSITIVE"])
    asked = pipeline("text-classification", model=str(checkpoint), top_k=None, device="cpu")
    for found, (first, second) in zip(model.predict(PAIRS), PAIRS, strict=True):
        wanted = {each["label"]: each["score"] for each in asked({"text": first, "text_pair": second})}
        np.testing.assert_allclose(found.probabilities, [wanted[label] for label in model.labels], atol=1e-5)
    swapped = model.predict([(second, first) for first, second in PAIRS])
    assert not np.allclose(swapped[0].probabilities, model.predict(PAIRS)[0].probabilities, atol=1e-4)


def test_two_texts_too_long_for_a_window_lose_the_end_of_the_longer(checkpoint):
    model = load(str(checkpoint), options(max_length=9, stride=1), ())
    long = ("Ana left today . Souza - left - Ana", "Souza left")
    (found,) = model.predict([long])
    windows = model._windows([long])
    assert (found.inputs, windows.lengths.tolist()) == (1, [9])
    (kept,) = (windows.inputs["input_ids"][:9].tolist(),)
    second = model._tokenizer(long[1], add_special_tokens=False)["input_ids"]
    assert kept[-len(second) :] == second or kept[-len(second) - 1 : -1] == second


def test_a_text_reads_the_same_beside_any_others(checkpoint):
    model = load(str(checkpoint), options(), ())
    together = model.predict(TEXTS)
    for text, found in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(model.predict([text])[0].probabilities, found.probabilities, atol=1e-5)
    assert model.predict([]) == []


def test_labels_that_are_called_otherwise_are_told_with_the_map_to_write(checkpoint):
    said = refusal(checkpoint, ["positive", "negative"])
    assert "it has no label for negative, positive" in said
    assert "--abalo-label-map NEGATIVE=negative,POSITIVE=positive" in said
    model = load(str(checkpoint), options(label_map="NEGATIVE=negative,POSITIVE=positive"), ["positive", "negative"])
    assert model.labels == ("negative", "NEUTRAL", "positive")


def test_labels_that_the_map_makes_one_share_their_probability(checkpoint):
    apart = load(str(checkpoint), options(), ()).predict(TEXTS)
    together = load(str(checkpoint), options(label_map="NEUTRAL=NEGATIVE"), ()).predict(TEXTS)
    for one, other in zip(apart, together, strict=True):
        np.testing.assert_allclose(other.probabilities, [one.probabilities[:2].sum(), one.probabilities[2]], atol=1e-6)


def test_a_head_for_tokens_or_for_one_number_is_refused(tmp_path):
    tokens = save_checkpoint(tmp_path / "tokens")
    assert "not a sequence-classification checkpoint: it was saved as BertForTokenClassification" in refusal(tokens)
    number = save_checkpoint(tmp_path / "number", ("score",), network="BertForSequenceClassification")
    assert "gives one number for a text, and no labels" in refusal(number)


def test_independent_labels_have_probabilities_of_their_own(checkpoint, tmp_path):
    folder = save_checkpoint(tmp_path, ("x", "y", "z"), network="BertForSequenceClassification")
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"problem_type": "multi_label_classification"}))
    for found in load(str(folder), options(), (), several=True).predict(TEXTS):
        assert found.labels == tuple(
            label for label, share in zip("xyz", found.probabilities, strict=True) if share >= 0.5
        )
    (best,) = load(str(folder), options(), ()).predict(TEXTS[:1])
    assert best.labels == ("xyz"[int(best.probabilities.argmax())],)


# Code of the user -----------------------------------------------------------------------------------------------------


def test_a_function_gives_labels_or_probabilities(code):
    labels = load(code("return lambda texts: ['long' if len(t) > 8 else 'short' for t in texts]"), options(), ["long"])
    assert [each.labels for each in labels.predict(TEXTS)] == [("long",), ("long",), ("short",), ("long",)]
    body = "import numpy; return lambda texts: [{'no': 0.25, 'yes': numpy.float32(0.75)} for t in texts]"
    likely = load(code(body), options(), ())
    assert likely.predict(TEXTS[:1])[0].labels == ("yes",)
    assert likely.predict(TEXTS[:1])[0].probabilities.tolist() == [0.25, 0.75]
    several = load(code("return lambda texts: [['b', 'a'] for t in texts]"), options(), (), several=True)
    assert several.predict(TEXTS[:1])[0].labels == ("a", "b")
    piped = load(code("return lambda texts: [{'label': 'yes', 'score': 0.9} for t in texts]"), options(), ())
    assert piped.predict(TEXTS[:1])[0].labels == ("yes",)


ROWS = "[[0.25, 0.75] for t in texts]"
RANKING = "[{'label': 'no', 'score': 0.25}, {'label': 'yes', 'score': 0.75}]"


@pytest.mark.parametrize(
    "body",
    [
        f"import types; return types.SimpleNamespace(labels=['no', 'yes'], predict=lambda texts: {ROWS})",
        f"import numpy; f = lambda texts: numpy.array({ROWS}); f.labels = ['no', 'yes']; return f",
        f"import numpy; f = lambda texts: [numpy.array(row) for row in {ROWS}]; f.labels = ['no', 'yes']; return f",
        f"return type('M', (), dict(classes_=['no', 'yes'], predict_proba=lambda self, texts: {ROWS}))().predict_proba",
        f"return lambda texts: [{RANKING} for t in texts]",
        f"return lambda texts: [tuple({RANKING}[::-1]) for t in texts]",
        f"return lambda texts: {RANKING} if len(texts) == 1 else [{RANKING} for t in texts]",
    ],
    ids=["predict", "array", "arrays", "method", "pipeline", "pipeline sorted", "pipeline of one text"],
)
def test_rows_of_probabilities_and_scores_of_pipelines_are_probabilities(code, body):
    model = load(code(body), options(), ["no", "yes"])
    for texts in (TEXTS, TEXTS[:1]):
        for found in model.predict(texts):
            assert (found.labels, found.names, found.probabilities.tolist()) == (("yes",), ("no", "yes"), [0.25, 0.75])


def test_a_ranking_of_one_is_a_label(code):
    model = load(code("return lambda texts: [[{'label': 'yes', 'score': 0.6}] for t in texts]"), options(), ["yes"])
    assert [(each.labels, each.probabilities) for each in model.predict(TEXTS[:2])] == [(("yes",), None)] * 2


def test_of_several_labels_a_ranking_holds_those_that_are_likely(code):
    ranking = "[{'label': 'a', 'score': 0.9}, {'label': 'b', 'score': 0.2}, {'label': 'c', 'score': 0.7}]"
    model = load(code(f"return lambda texts: [{ranking} for t in texts]"), options(), ["a"], several=True)
    assert model.predict(TEXTS[:1])[0].labels == ("a", "c")


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [(["false", "true"], "true"), (["False", "True"], "True"), (["TRUE", "FALSE"], "TRUE"), ([], "true")],
)
@pytest.mark.parametrize(
    "body",
    [
        "return lambda texts: [True for t in texts]",
        "import numpy; return lambda texts: numpy.array([True for t in texts])",
        "import numpy; return lambda texts: [numpy.bool_(True) for t in texts]",
        "return lambda texts: [{True: 0.75, False: 0.25} for t in texts]",
        f"import types; return types.SimpleNamespace(classes_=[False, True], predict_proba=lambda texts: {ROWS})",
    ],
    ids=["list", "array", "list of numpy", "mapping", "classes"],
)
def test_true_and_false_are_labels_as_the_corpus_has_them(code, body, corpus, expected):
    assert [each.labels for each in load(code(body), options(), corpus).predict(TEXTS)] == [(expected,)] * len(TEXTS)


def test_numbers_of_classes_are_their_names_and_a_map_renames_them(code):
    spec = code("return lambda texts: [1 for t in texts]")
    assert load(spec, options(), ()).predict(TEXTS[:1])[0].labels == ("1",)
    assert load(spec, options(label_map="1=yes"), ()).predict(TEXTS[:1])[0].labels == ("yes",)


SCORES = """
    class Model:
        labels = ["no", "yes"]
        def scores(self, texts):
            return [[0.0, float(len(text))] for text in texts]
    return Model()
"""


def test_scores_are_logits(code):
    model = load(code(SCORES.strip()), options(), ["no", "yes"])
    (found,) = model.predict(["abc"])
    np.testing.assert_allclose(found.probabilities, [1 / (1 + np.e**3), np.e**3 / (1 + np.e**3)], rtol=1e-5)
    assert model.labels == ("no", "yes")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 5", "the factory returned int; expected a function from texts to labels"),
        ("return lambda texts: ['a']", "gave 1 values for 4 texts; expected one for each"),
        ("return lambda texts: 'aaaa'", "gave str for 4 texts"),
        ("return lambda texts: [None for t in texts]", "gave the label None; expected text or a number"),
        ("return lambda texts: ['' for t in texts]", "names nothing that can be seen"),
        ("return lambda texts: [['a'] for t in texts]", "expected one label, as texts of this corpus have"),
        ("return lambda texts: [{'a': 2.0, 'b': -1.0} for t in texts]", "expected numbers from 0 to 1"),
        ("return lambda texts: [{'a': 0.5, 'b': 0.1} for t in texts]", "probabilities that sum to 0.600; expected 1"),
        (
            "return lambda texts: [{t[0]: 1.0} for t in texts]",
            "gave {'A': 1.0}; expected a number for each of the labels S, which it gave first",
        ),
        ("return lambda texts: [{'a': 'high'} for t in texts]", "expected a number for each of the labels a"),
        (f"return lambda texts: {ROWS}", "gave [0.25, 0.75] for a text; expected its label; give it labels, one for"),
        (f"f = lambda texts: {ROWS}; f.labels = ['a']; return f", "probabilities of shape (4, 2)"),
        (
            "f = lambda texts: [[0.5] * len(t) for t in texts]; f.labels = ['a', 'b']; return f",
            "probabilities of shape (0,)",
        ),
        (
            f"import types; return types.SimpleNamespace(predict_proba=lambda texts: {ROWS})",
            "has predict_proba() but no classes_; give it labels",
        ),
        (
            "return lambda texts: [[{'label': 'a', 'score': 0.5}, {'label': 'b', 'score': 0.1}] for t in texts]",
            "gave scores that sum to 0.600; expected those of all labels, which sum to 1: call",
        ),
        ("return lambda texts: [[{'label': 'a', 'score': 'x'}] * 2 for t in texts]", "expected a number for each"),
        ("return lambda texts: 1 / 0", "labelling raised ZeroDivisionError"),
    ],
)
def test_what_a_function_must_not_give_is_told(code, body, said):
    assert said in refusal(code(body))


# Estimators -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def estimator():
    pytest.importorskip("sklearn")
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(TfidfVectorizer(token_pattern=r"\S+"), LogisticRegression())
    return pipeline.fit(["good film", "good play", "bad film", "bad play"], ["yes", "yes", "no", "no"])


def test_a_fitted_pipeline_of_a_factory_gives_its_probabilities(estimator, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "pipeline.pkl"
    path.write_bytes(pickle.dumps(estimator))
    (tmp_path / "fitted.py").write_text(
        f"import pathlib, pickle\ndef make():\n    return pickle.loads(pathlib.Path({str(path)!r}).read_bytes())\n"
    )
    model = load("fitted.py:make", options(), ["yes", "no"])
    assert model.labels == ("no", "yes")
    np.testing.assert_allclose(
        [each.probabilities for each in model.predict(TEXTS)], estimator.predict_proba(TEXTS), rtol=1e-5
    )


def test_a_pickle_is_read_only_where_it_is_allowed(estimator, tmp_path):
    path = tmp_path / "pipeline.pkl"
    path.write_bytes(pickle.dumps(estimator))
    assert "is a pickle, and loading one can run any code" in refusal(path)
    model = load(str(path), options(allow_pickle=True), ["yes"])
    assert model.predict(["good film"])[0].labels == ("yes",)
    path.write_bytes(b"no pickle")
    assert "cannot be read: " in refusal(path, allow_pickle=True)


def test_a_file_of_skops_is_read_unless_it_holds_other_types(estimator, tmp_path):
    io = pytest.importorskip("skops.io")
    path = tmp_path / "pipeline.skops"
    io.dump(estimator, path)
    found = load(str(path), options(), ["yes"])
    assert found.predict(["good film"])[0].labels == ("yes",)
    assert not found.black_box
    io.dump(SimpleNamespace(predict=Path), path)
    assert "which skops does not take for safe" in refusal(path)
    path.write_bytes(b"no archive")
    assert "cannot be read" in refusal(path)


def test_an_estimator_without_probabilities_gives_labels_alone(code):
    spec = code(
        "import types; return types.SimpleNamespace(classes_=['no', 'yes'], predict=lambda texts: ['yes'] * len(texts))"
    )
    (found,) = load(spec, options(), ["no"]).predict(["x"])
    assert (found.labels, found.probabilities) == (("yes",), None)


# Weights that ship ----------------------------------------------------------------------------------------------------


def weights():
    return LinearWeights(
        ("no", "yes"), {"good": 0, " good": 1, "not good": 2}, np.array([[-2, 2], [0, 0], [3, -3]], np.int8), 0.5
    )


def test_features_are_words_and_pairs_with_the_ends():
    assert features("Not good .") == ["not", "good", ".", " not", "not good", "good .", ". "]
    assert features("") == []


def test_features_of_two_texts_are_what_they_have_not_in_common_and_how_much_they_have():
    found = features(("A cat sleeps", "A dog sleeps"))
    assert found == ["-cat", "+dog", "-cat +dog", "=0", "=1", "=2", "=3", "=4", "=5", "=6"]
    assert features(("A cat", "a CAT")) == [f"={tenth}" for tenth in range(11)]
    assert features(("a", "b")) == ["-a", "+b", "-a +b", "=0"]


def test_a_pipeline_without_shots_is_read_and_its_scores_must_sum_to_one(code):
    row = "{'sequence': each, 'labels': ['b', 'a'], 'scores': [0.9, 0.1]}"
    found = load(code(f"return lambda texts: [{row} for each in texts]"), options(), ("a", "b")).predict(TEXTS)
    assert {each.labels for each in found} == {("b",)}
    assert found[0].probabilities.tolist() == [0.1, 0.9]
    wrong = row.replace("0.9", "0.7")
    assert "scores that sum to 0.8" in refusal(code(f"return lambda texts: [{wrong} for each in texts]"), ("a", "b"))


def test_a_function_gets_pairs_as_tuples(code):
    model = load(code("return lambda pairs: [str(len(a) > len(b)) for a, b in pairs]"), options(), ())
    assert [each.labels for each in model.predict([("long text", "x"), ("x", "long text")])] == [("True",), ("False",)]


def test_weights_are_written_and_read(tmp_path):
    path = tmp_path / "weights.npz"
    weights().save(path)
    found = LinearWeights.load(path)
    assert found.logits(["good", "not good", "?"]).tolist() == weights().logits(["good", "not good", "?"]).tolist()
    assert found.logits(["good", "not good", "?"]).tolist() == [[-1.0, 1.0], [0.5, -0.5], [0.0, 0.0]]
    assert load(str(path), options(), ["yes"]).predict(["good"])[0].labels == ("yes",)


def test_a_file_that_holds_no_weights_is_told(tmp_path):
    path = tmp_path / "weights.npz"
    path.write_bytes(b"nothing")
    assert "cannot be read as a linear classifier" in refusal(path)
    assert "no such file or folder" in refusal(tmp_path / "absent.npz")
    path.with_suffix(".txt").write_text("x")
    assert "is a file of no kind that is known" in refusal(path.with_suffix(".txt"))


def test_predictions_come_back_from_the_store():
    predictor = ClassPredictor(SimpleNamespace(labels=("a",)), ["x", "y"], [("a",), ()])
    found = [Classified(("a",), np.array([0.75], np.float32), 2, ("a",)), Classified((), None)]
    again = predictor.unpack(predictor.pack(found))
    assert [(each.labels, each.inputs) for each in again] == [(("a",), 2), ((), 1)]
    assert [again[0].probability(label) for label in "ab"] == [0.75, None]
    assert again[1].probabilities is None


def test_probabilities_near_one_stay_distinct(code):
    body = (
        "import numpy; return type('M', (), {'labels': ['no', 'yes'], 'scores': "
        "lambda self, texts: numpy.array([[0.0, 18.0 + len(t)] for t in texts])})()"
    )
    found = load(code(body), options(), (), several=False).predict(TEXTS)
    assert len({each.probability("yes") for each in found}) == len({len(text) for text in TEXTS})
    assert max(each.probability("yes") for each in found) < 1
