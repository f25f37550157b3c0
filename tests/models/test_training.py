"""Training: what a model learns from lessons, by each trainer, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.classifiers.hugging_face import load as load_classifier
from abalo.models.classifiers.linear import LinearWeights, features
from abalo.models.labelling.labels import CLASSES
from abalo.models.labelling.maps import parse_label_map
from abalo.models.options import ModelOptions
from abalo.models.tokens.hugging_face import load
from abalo.models.tokens.spacy import load as load_spacy
from abalo.models.training.choosing import trainer_of
from abalo.models.training.encoder import EncoderTrainer
from abalo.models.training.linear import LinearTrainer
from abalo.models.training.settings import Training, refuse_idle
from abalo.models.training.user_code import UserTrainer
from perturbations import parse
from tests.models.tiny_checkpoint import save_checkpoint

TAGGED = [
    Lesson(sentence.tokens, sentence.tags, tagged=True)
    for sentence in map(parse, ["[Ana Souza PER] left", "today [Sao Paulo LOC] left", "[Ana PER] left [Paulo LOC] ."])
]
QUICK = Training(epochs=300, batch=8, rate=3e-3)


def quiet(_line):
    """Says nothing."""


def steady(folder, *labels, **more):
    """A tiny checkpoint without dropout, so that it learns a few sentences by heart whatever is drawn."""
    path = save_checkpoint(folder, *labels, **more) / "config.json"
    config = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**config, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}), "utf-8")
    return folder


def tags(folder, **options):
    model = load(str(folder), ModelOptions(**options))
    return [list(each.tags) for each in model.predict([parse(" ".join(each.texts)) for each in TAGGED])]


@pytest.fixture
def checkpoint(tmp_path):
    return steady(tmp_path / "before")


@pytest.mark.slow
def test_a_checkpoint_learns_its_lessons_by_heart_and_the_same_twice(checkpoint, tmp_path):
    trainer = EncoderTrainer(str(checkpoint), ModelOptions())
    specs = [trainer.train(lambda _: TAGGED, QUICK, tmp_path / name, quiet) for name in ("one", "two")]
    assert tags(checkpoint) != [list(each.labels) for each in TAGGED]
    assert tags(specs[0]) == [list(each.labels) for each in TAGGED]
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("one", "two")]
    assert weights[0] == weights[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before", "one", "two"]


@pytest.mark.slow
def test_the_names_of_the_model_are_kept_under_a_label_map(tmp_path):
    before = steady(tmp_path / "own", ("O", "B-P", "I-P", "B-L", "I-L"))
    options = {"label_map": parse_label_map("P=PER,L=LOC")}
    spec = EncoderTrainer(str(before), ModelOptions(**options)).train(lambda _: TAGGED, QUICK, tmp_path / "new", quiet)
    assert tags(spec, **options) == [list(each.labels) for each in TAGGED]


def test_labels_that_two_outputs_mean_and_labels_that_none_means_are_refused(tmp_path):
    before = steady(tmp_path / "own", ("O", "B-PER", "B-P", "I-PER", "I-P"))
    merged = EncoderTrainer(str(before), ModelOptions(label_map={"P": "PER"}))
    with pytest.raises(AbaloError, match="'B-PER' and 'B-P' both mean 'B-PER', so nobody knows which of them to teach"):
        merged.train(lambda _: TAGGED, QUICK, tmp_path / "new", quiet)
    plain = EncoderTrainer(str(before), ModelOptions())
    with pytest.raises(AbaloError, match="the training corpus has the label 'B-LOC'; the model knows O, B-PER"):
        plain.train(lambda _: TAGGED, QUICK, tmp_path / "new", quiet)
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["drop_pieces", "masked_lm", "contrast"])
def test_each_regulariser_changes_a_training_that_learns_all_the_same(checkpoint, tmp_path, extra):
    changed = [
        Lesson(("Ana", "Sousa", "left"), TAGGED[0].labels, tagged=True, original=TAGGED[0]),
        Lesson(("tody", *TAGGED[1].texts[1:]), TAGGED[1].labels, tagged=True, original=TAGGED[1]),
    ]
    trainer, lessons, said = EncoderTrainer(str(checkpoint), ModelOptions()), [*TAGGED, *changed], []
    settings = replace(QUICK, **{extra: 0.1})
    spec = trainer.train(lambda _: lessons, settings, tmp_path / "regularised", said.append)
    plain = trainer.train(lambda _: lessons, QUICK, tmp_path / "plain", quiet)
    assert Path(spec, "model.safetensors").read_bytes() != Path(plain, "model.safetensors").read_bytes()
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in said]
    assert losses[-1] < losses[0] / 2


@pytest.mark.slow
def test_a_classifier_of_pairs_is_trained_too(tmp_path):
    before = steady(tmp_path / "before", ("no", "yes"), network="BertForSequenceClassification")
    pairs = {("Ana left", "Ana left"): "yes", ("Ana left", "today"): "no"}
    lessons = [Lesson(pair, (label,), tagged=False) for pair, label in pairs.items()]
    options = ModelOptions(labelling=CLASSES)
    spec = EncoderTrainer(str(before), options).train(lambda _: lessons, QUICK, tmp_path / "new", quiet)
    model = load_classifier(spec, options)
    assert [each.labels for each in model.predict([each.texts for each in lessons])] == [("yes",), ("no",)]


# Linear classifiers --------------------------------------------------------------------------------------------------

TEXTS = [
    Lesson((text,), (label,), tagged=False)
    for text, label in [("bom filme", "good"), ("bom hotel", "good"), ("ruim filme", "bad"), ("ruim hotel", "bad")]
]


def test_groups_of_letters_are_those_of_the_word_between_its_ends():
    assert features("Sol") == ["sol", " sol", "sol "]
    assert features("Sol", letters=True)[3:] == ["\t<so", "\tsol", "\tol>", "\t<sol", "\tsol>", "\t<sol>"]


@pytest.mark.parametrize("letters", [False, True])
def test_a_linear_classifier_learns_from_all_epochs_and_reads_slips_only_by_letters(tmp_path, letters):
    settings = Training(epochs=2, letters=letters)
    spec = LinearTrainer().train(lambda k: TEXTS[2 * k - 2 : 2 * k], settings, tmp_path / "w.npz", quiet)
    weights = LinearWeights.load(spec)
    assert (weights.labels, weights.letters) == (("bad", "good"), letters)
    clean, slip = weights.logits(["bom dia", "ruuim dia"]).argmax(axis=1).tolist(), weights.logits(["ruuim dia"])[0]
    assert clean[0] == 1
    assert bool(np.ptp(slip)) is letters


def test_what_only_a_network_can_do_is_refused_elsewhere(tmp_path):
    with pytest.raises(AbaloError, match="--masked-lm: has no meaning for what trains this model"):
        refuse_idle(LinearTrainer(), Training(masked_lm=0.1))
    with pytest.raises(AbaloError, match="--letters: has no meaning"):
        refuse_idle(EncoderTrainer("x", ModelOptions()), Training(letters=True))
    with pytest.raises(AbaloError, match="has the label 'good' alone"):
        LinearTrainer().train(lambda _: TEXTS[:2], Training(), tmp_path / "w", quiet)
    pairs = [Lesson(("a", "b"), (label,), tagged=False) for label in "xy"]
    with pytest.raises(AbaloError, match="--letters: is for single texts"):
        LinearTrainer().train(lambda _: pairs, Training(letters=True), tmp_path / "w", quiet)


# Code of the user ----------------------------------------------------------------------------------------------------


def test_a_function_of_the_user_gets_every_lesson_once_and_says_where_the_model_lies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "def train(corpus, out):\n    out.write_text(repr(corpus))\n    return 'mine.py:load'\n\n"
        "def wrong(corpus, out):\n    return 3\n",
        encoding="utf-8",
    )
    said = UserTrainer("mine.py:train").train(lambda _: TAGGED[2:], Training(epochs=3), tmp_path / "out", quiet)
    assert said == "mine.py:load"
    expected = [(["Ana", "left", "Paulo", "."], ["B-PER", "O", "B-LOC", "O"])]
    assert (tmp_path / "out").read_text() == repr(expected)
    with pytest.raises(AbaloError, match="returned int; expected the spec of the trained model"):
        UserTrainer("mine.py:wrong").train(lambda _: TEXTS, Training(), tmp_path / "out", quiet)
    with pytest.raises(AbaloError, match="none is no function there"):
        UserTrainer("mine.py:none").train(lambda _: TEXTS, Training(), tmp_path / "out", quiet)


def test_a_model_of_another_kind_needs_a_trainer_by_name():
    class Other:
        name = "mine"

    with pytest.raises(AbaloError, match="model mine: is a Other, which nothing here trains by itself; name what does"):
        trainer_of(Other(), ModelOptions())
    assert isinstance(trainer_of(Other(), ModelOptions(), "mine:train"), UserTrainer)


@pytest.mark.slow
def test_spacy_trains_by_its_configuration(tmp_path):
    init_config = pytest.importorskip("spacy.cli.init_config")
    config = init_config.init_config(lang="pt", pipeline=["ner"])
    config["training"]["max_steps"] = 60
    config["training"]["eval_frequency"] = 20
    config.to_disk(tmp_path / "config.cfg")
    trainer = trainer_of(None, ModelOptions(), f"spacy:{tmp_path / 'config.cfg'}")
    lessons = [Lesson(("Ana", "saiu", str(k)), ("B-PER", "O", "O"), tagged=True) for k in range(30)]
    spec = trainer.train(lambda _: lessons, Training(epochs=1), tmp_path / "out", quiet)
    (found,) = load_spacy(spec, ModelOptions()).predict([parse("Ana saiu 99")])
    assert found.tags == ("B-PER", "O", "O")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epochs": 0}, "epochs is 0: expected a whole number from 1"),
        ({"rate": 0.0}, "rate is 0: expected a learning rate above 0"),
        ({"drop_pieces": 1.0}, "drop_pieces is 1: expected a share from 0"),
        ({"contrast": -1.0}, "contrast is -1: expected a weight from 0"),
        ({"masked_lm": float("nan")}, "masked_lm is nan: expected a weight from 0"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, said):
    with pytest.raises(AbaloError, match=said):
        Training(**wrong)
