import json
import shutil

import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load
from abalo.tasks.ner.task import TASK
from perturbations import Sentence
from tests.models.tiny_checkpoint import save_checkpoint
from tests.texts import TextWith


def refusal(spec, **settings) -> str:
    with pytest.raises(AbaloError) as caught:
        load(str(spec), device="cpu", **settings)
    return str(caught.value)


def pickle_weights(folder):
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def test_a_folder_without_weights_is_an_error(broken_checkpoint):
    (broken_checkpoint / "model.safetensors").unlink()
    assert f"no model.safetensors in {broken_checkpoint}; save_pretrained writes one" in refusal(broken_checkpoint)


def test_pickled_weights_alone_are_an_error_that_names_the_option(broken_checkpoint):
    pickle_weights(broken_checkpoint)
    message = refusal(broken_checkpoint)
    assert "its weights are pickled (pytorch_model.bin), and loading a pickle can run any code" in message
    assert message.endswith("pass --abalo-allow-pickle")


def test_pickled_weights_are_loaded_when_told_to(broken_checkpoint, checkpoint):
    pickle_weights(broken_checkpoint)
    pickled = load(str(broken_checkpoint), device="cpu", allow_pickle=True)
    assert pickled.fingerprint == load(str(checkpoint), device="cpu").fingerprint


def test_safe_weights_are_preferred_even_where_pickles_are_allowed(broken_checkpoint):
    (broken_checkpoint / "pytorch_model.bin").write_bytes(b"not a pickle")
    [prediction] = load(str(broken_checkpoint), device="cpu", allow_pickle=True).predict([Sentence(("Ana",))])
    assert len(prediction.tags) == 1


def test_damaged_weights_are_an_error(broken_checkpoint):
    (broken_checkpoint / "model.safetensors").write_bytes(b"\x08\x00\x00\x00\x00\x00\x00\x00{}")
    assert f"model {broken_checkpoint}: its weights cannot be loaded: SafetensorError" in refusal(broken_checkpoint)


def test_a_folder_without_a_config_is_an_error(broken_checkpoint):
    (broken_checkpoint / "config.json").unlink()
    assert f"no config.json in {broken_checkpoint}; expected a folder that save_pretrained wrote" in refusal(
        broken_checkpoint
    )


def test_a_training_folder_points_to_the_last_checkpoint_inside(tmp_path):
    for step in ("checkpoint-100", "checkpoint-20"):
        (tmp_path / step).mkdir()
        (tmp_path / step / "config.json").write_text("{}")
    assert f"did you mean {tmp_path / 'checkpoint-100'}?" in refusal(tmp_path)


def test_a_damaged_config_is_an_error(broken_checkpoint):
    (broken_checkpoint / "config.json").write_text("{not json")
    assert "its config cannot be loaded: OSError: It looks like the config file" in refusal(broken_checkpoint)


def test_a_folder_without_a_tokenizer_is_an_error(broken_checkpoint):
    (broken_checkpoint / "tokenizer.json").unlink()
    (broken_checkpoint / "tokenizer_config.json").unlink()
    assert f"no tokenizer in {broken_checkpoint}" in refusal(broken_checkpoint)


def test_a_tokenizer_without_a_vocabulary_is_an_error(broken_checkpoint):
    (broken_checkpoint / "tokenizer.json").unlink()
    (broken_checkpoint / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    assert "its tokenizer has no vocabulary" in refusal(broken_checkpoint)


def test_a_slow_tokenizer_is_an_error(broken_checkpoint):
    (broken_checkpoint / "tokenizer.json").unlink()
    (broken_checkpoint / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}')
    assert "ByT5Tokenizer is a slow tokenizer, which cannot say which word a piece is of (word_ids)" in refusal(
        broken_checkpoint
    )


def test_a_checkpoint_whose_classifier_would_be_random_is_an_error(tmp_path):
    save_checkpoint(tmp_path / "mlm", network="BertForMaskedLM")
    message = refusal(tmp_path / "mlm")
    assert "not a token-classification checkpoint: it was saved as BertForMaskedLM" in message
    assert "lacks classifier.bias, classifier.weight, which would be random" in message


def test_a_head_for_another_task_is_an_error_although_its_weights_fit(tmp_path):
    save_checkpoint(tmp_path / "whole", network="BertForSequenceClassification")
    message = refusal(tmp_path / "whole")
    assert "it was saved as BertForSequenceClassification, whose head was trained for something else" in message
    assert "name BertForTokenClassification under architectures in its config.json" in message


@pytest.mark.parametrize("saved_as", [None, [], ["RobertaForTokenClassification"], ["BertForTokenClassification"]])
def test_a_token_classifier_may_be_saved_under_the_name_of_a_relative_or_none(broken_checkpoint, saved_as):
    config = json.loads((broken_checkpoint / "config.json").read_text())
    (broken_checkpoint / "config.json").write_text(json.dumps(config | {"architectures": saved_as}))
    assert len(load(str(broken_checkpoint), device="cpu").predict([Sentence(("Ana",))])) == 1


def test_a_tokenizer_with_more_pieces_than_there_are_embeddings_is_an_error(broken_checkpoint):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(broken_checkpoint)
    pieces = len(tokenizer)
    tokenizer.add_tokens(["Brasília", "Goiânia"])
    tokenizer.save_pretrained(broken_checkpoint)
    message = refusal(broken_checkpoint)
    assert f"its tokenizer has {pieces + 2} pieces, its network embeddings of {pieces}" in message
    assert f"resize_token_embeddings({pieces + 2})" in message


def test_a_version_of_a_checkpoint_is_an_error(checkpoint):
    assert "identified by its files: leave out --abalo-model-version" in refusal(checkpoint, model_version="3")


def test_a_classifier_of_another_shape_is_an_error(broken_checkpoint):
    config = json.loads((broken_checkpoint / "config.json").read_text())
    config["id2label"] = {"0": "O", "1": "B-PER"}
    (broken_checkpoint / "config.json").write_text(json.dumps(config))
    assert refusal(broken_checkpoint) == (
        f"model {broken_checkpoint}: its network has 5 outputs, but id2label in its config.json names 2 labels; name "
        "all 5 there, in the order of training"
    )


def test_a_label_that_is_named_twice_is_noticed(broken_checkpoint):
    changed(broken_checkpoint, **named("O", "B-PER", "I-PER", "B-PER", "B-LOC"))
    model = load(str(broken_checkpoint), device="cpu")
    assert model.labels == ("O", "B-PER", "I-PER", "B-LOC")
    facts = {"types": None, "model": {"settings": model.settings}}
    assert TASK.report.notice(facts) == TextWith("several outputs B-PER (id2label ", "as one label")
    assert TASK.report.notice({"types": None, "model": {"settings": {}}}) is None


def test_an_architecture_without_a_token_classifier_is_an_error(broken_checkpoint):
    (broken_checkpoint / "config.json").write_text('{"model_type": "clip"}')
    assert "transformers has no token classifier for its architecture" in refusal(broken_checkpoint)


def test_code_that_comes_with_a_model_is_not_run_unless_told(broken_checkpoint):
    (broken_checkpoint / "own.py").write_text("raise SystemExit('it ran')")
    names = {"AutoConfig": "own.Config", "AutoModelForTokenClassification": "own.Network"}
    (broken_checkpoint / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": names}))
    assert "comes with its own Python code" in refusal(broken_checkpoint)
    assert "--abalo-trust-remote-code" in refusal(broken_checkpoint)


def test_an_adapter_without_its_base_model_is_an_error(tmp_path):
    (tmp_path / "adapter_config.json").write_text("{}")
    assert "is a PEFT adapter without its base model" in refusal(tmp_path)


def test_a_hub_id_that_cannot_be_reached_is_an_error(monkeypatch, tmp_path):
    import huggingface_hub.constants

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    message = refusal("nobody/no-such-model")
    assert message.startswith("model nobody/no-such-model: neither a folder here nor a model that the Hugging Face hub")


def test_a_mistyped_relative_folder_is_not_only_sought_on_the_hub(monkeypatch, tmp_path, checkpoint):
    import huggingface_hub.constants

    shutil.copytree(checkpoint, tmp_path / "runs" / "legal-ner")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert refusal("runs/legal-nre").endswith("did you mean runs/legal-ner?")


def test_labels_without_names_load_and_are_explained_when_they_meet_a_corpus(tmp_path):
    from abalo.models.labelling.labels import BIO

    folder = save_checkpoint(tmp_path / "unnamed", network="BertForTokenClassification", named=False)
    model = load(str(folder), device="cpu")
    with pytest.raises(AbaloError, match=r"config\.json has no id2label"):
        BIO.check(model.labels, ["B-PESSOA"], model.name)
    names = {"LABEL_0": "O", "LABEL_1": "B-PESSOA", "LABEL_2": "I-PESSOA", "LABEL_3": "O", "LABEL_4": "O"}
    assert load(str(folder), device="cpu", label_map=names).labels == ("O", "B-PESSOA", "I-PESSOA")


# Files that are not what they are called, one row each ----------------------------------------------------------------


def changed(folder, file="config.json", **values):
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def named(*names):
    return {"id2label": dict(enumerate(names)), "label2id": {name: i for i, name in enumerate(names)}}


SAVE = "; fetch it, or save it with save_pretrained"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"

FILES = {
    "a config cut short": ("config.json", b'{"model_type": "be', "its config cannot be loaded: OSError"),
    "a config that is a page": ("config.json", b"<!DOCTYPE html>", "its config cannot be loaded: OSError"),
    "a config that is null": ("config.json", b"null", "its config cannot be loaded: TypeError"),
    "a config that is a list": ("config.json", b"[]", "its config cannot be loaded: ValueError"),
    "a config without end": ("config.json", b"[" * 100_000, "its config cannot be loaded: RecursionError"),
    "a config in Latin-1": ("config.json", b'{"a": "\xe7"}', "its config cannot be loaded: OSError"),
    "no weights in their file": ("model.safetensors", b"", "its weights cannot be loaded: SafetensorError"),
    "weights that are a page": ("model.safetensors", b"<!DOCTYPE html>", "its weights cannot be loaded: Safe"),
    "weights that are zip": ("model.safetensors", b"PK\x03\x04" + bytes(99), "its weights cannot be loaded: Safe"),
    "a tokenizer cut short": ("tokenizer.json", b'{"version": ', "its tokenizer cannot be loaded: JSONDecodeError"),
    "a tokenizer that is null": ("tokenizer.json", b"null", "its tokenizer cannot be loaded: AttributeError"),
    "a tokenizer in Latin-1": ("tokenizer.json", b'{"a": "\xe7"}', "its tokenizer cannot be loaded: UnicodeDecode"),
    "settings that are a list": ("tokenizer_config.json", b"[]", "its tokenizer cannot be loaded: AttributeError"),
}


@pytest.mark.parametrize(("file", "content", "said"), FILES.values(), ids=FILES)
def test_a_file_that_is_damaged_is_an_error_with_what_to_do(broken_checkpoint, file, content, said):
    (broken_checkpoint / file).write_bytes(content)
    message = refusal(broken_checkpoint)
    assert said in message
    assert message.endswith(SAVE)


@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_pointer_of_git_lfs_is_an_error_that_says_how_to_fetch_the_file(broken_checkpoint, file):
    (broken_checkpoint / file).write_bytes(LFS)
    assert refusal(broken_checkpoint).endswith(f": {file} is a pointer of Git LFS, not the file; run git lfs pull")


@pytest.mark.parametrize("size", [1, 100, 30_000])
def test_weights_cut_short_are_an_error(broken_checkpoint, size):
    weights = broken_checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:size])
    assert "its weights cannot be loaded: SafetensorError" in refusal(broken_checkpoint)


FIVE = "its network has 5 outputs, but id2label in its config.json names {} labels; name all 5 there, in the order of"
NAMES = "expected text for each of the numbers 0 to 4; correct id2label there"

CONFIGS = {
    "no labels": (named(), FIVE.format(0)),
    "two labels": (named("O", "B-PER"), FIVE.format(2)),
    "a type called O": (named("O", "B-O", "I-O", "B-LOC", "I-LOC"), "label 'B-O' is of an entity type called O"),
    "a label without a name": (named("O", "", "I-PER", "B-LOC", "I-LOC"), "label '' names no entity type that can"),
    "a label with an escape": (
        named("O", "B-\x1b[31m", "I-PER", "B-LOC", "I-LOC"),
        r"label 'B-\x1b[31m' names no entity type that can be seen",
    ),
    "labels by number": (
        {"id2label": dict(enumerate(range(5)))},
        f"names the labels {{0: 0, 1: 1, 2: 2, 3: 3, 4: 4}}; {NAMES}",
    ),
    "a label that is null": ({"id2label": {0: None, 1: "O", 2: "B-X", 3: "I-X", 4: "B-Y"}}, NAMES),
    "a number beyond": ({"id2label": {0: "O", 1: "B-X", 2: "I-X", 3: "B-Y", 7: "I-Y"}}, NAMES),
    "labels in a list": ({"id2label": ["O"] * 5}, "its config cannot be loaded: AttributeError"),
    "labels by letter": ({"id2label": {"a": "O"}}, "its config cannot be loaded: ValueError"),
    "another width": ({"hidden_size": 64}, "and lacks bert.embeddings.LayerNorm.bias"),
    "a layer more": ({"num_hidden_layers": 3}, "and lacks bert.encoder.layer.2.attention.output.LayerNorm.bias"),
    "another vocabulary": ({"vocab_size": 10}, "lacks bert.embeddings.word_embeddings.weight"),
    "more memory than there is": ({"vocab_size": 10**12}, "its weights cannot be loaded: RuntimeError"),
    "other positions": ({"max_position_embeddings": 2}, "lacks bert.embeddings.position_embeddings.weight"),
    "padding beyond": ({"pad_token_id": 99_999}, "its weights cannot be loaded: AssertionError"),
    "no kind of network": ({"model_type": None}, "its config cannot be loaded: ValueError"),
    "an unknown kind": ({"model_type": "nope"}, "its config cannot be loaded: ValueError"),
    "an unknown precision": ({"dtype": "float7"}, "its config cannot be loaded: AttributeError"),
    "another head": ({"architectures": ["Evil"]}, "it was saved as Evil, whose head was trained for something else"),
    "a head that is a number": ({"architectures": [3]}, "it was saved as 3, whose head was trained for something"),
    "code from elsewhere": (
        {"model_type": "evil", "auto_map": {"AutoModelForTokenClassification": "someone/else--evil.Evil"}},
        "its config cannot be loaded: ValueError",
    ),
}


@pytest.mark.parametrize(("values", "said"), CONFIGS.values(), ids=CONFIGS)
def test_a_config_that_does_not_fit_is_an_error(broken_checkpoint, values, said):
    changed(broken_checkpoint, **values)
    assert said in refusal(broken_checkpoint)


def test_code_beside_a_known_network_is_not_run(broken_checkpoint):
    (broken_checkpoint / "evil.py").write_text("raise SystemExit('it ran')")
    names = {"AutoConfig": "evil.Config", "AutoModelForTokenClassification": "evil.Network"}
    changed(broken_checkpoint, auto_map=names)
    changed(broken_checkpoint, "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.Slow", "evil.Fast"]})
    assert len(load(str(broken_checkpoint), device="cpu").predict([Sentence(("Ana",))])) == 1


def test_an_architecture_may_be_one_string(broken_checkpoint):
    changed(broken_checkpoint, architectures="BertForTokenClassification")
    assert len(load(str(broken_checkpoint), device="cpu").predict([Sentence(("Ana",))])) == 1


def test_an_index_cannot_lead_out_of_the_folder_quietly(broken_checkpoint):
    (broken_checkpoint / "model.safetensors").rename(broken_checkpoint / "part.safetensors")
    index = {"metadata": {}, "weight_map": {"classifier.weight": "part.safetensors", "classifier.bias": "../../passwd"}}
    (broken_checkpoint / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "its weights cannot be loaded: FileNotFoundError" in refusal(broken_checkpoint)


@pytest.mark.parametrize("limit", [0, -5, "lots"])
def test_a_tokenizer_without_a_sensible_limit(broken_checkpoint, limit):
    changed(broken_checkpoint, "tokenizer_config.json", model_max_length=limit)
    if limit == "lots":  # the network tells how many there is room for
        assert load(str(broken_checkpoint), device="cpu").settings["max_length"] == 64
    else:
        assert f"windows of {limit} pieces have room for {limit - 2} besides special ones" in refusal(broken_checkpoint)


def test_scores_that_are_no_numbers_are_an_error_before_anything_is_judged(broken_checkpoint):
    from safetensors.torch import load_file, save_file

    from abalo.models.tokens.checks import check_predictions

    weights = load_file(broken_checkpoint / "model.safetensors")
    weights["classifier.weight"][:] = float("nan")
    save_file(weights, broken_checkpoint / "model.safetensors", metadata={"format": "pt"})
    model, sentences = load(str(broken_checkpoint), device="cpu"), [Sentence(("Ana",))]
    with pytest.raises(AbaloError, match="score nan for label 0 of token 0 in a sentence of 1 tokens"):
        check_predictions(model, sentences, model.predict(sentences))


def test_a_word_of_nothing_or_of_a_hundred_thousand_letters_has_a_label(checkpoint):
    words = ("\u200b", "\ufe0f", "\0", "x" * 100_000, "<script>")
    [prediction] = load(str(checkpoint), device="cpu").predict([Sentence(words)])
    assert len(prediction.tags) == 5
