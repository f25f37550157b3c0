import json
import shutil

import pytest

from abalo.errors import AbaloError
from abalo.models.loading import load
from perturbations import Sentence
from tests.models.tiny_checkpoint import save_checkpoint


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


def test_a_tokenizer_without_a_vocabulary_is_an_error_although_transformers_makes_an_empty_one(broken_checkpoint):
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
    assert "lacks classifier.bias, classifier.weight" in refusal(broken_checkpoint)


def test_an_architecture_without_a_token_classifier_is_an_error(broken_checkpoint):
    (broken_checkpoint / "config.json").write_text('{"model_type": "clip"}')
    assert "transformers has no token classifier for its architecture" in refusal(broken_checkpoint)


def test_code_that_comes_with_a_model_is_not_run_unless_told(broken_checkpoint):
    (broken_checkpoint / "own.py").write_text("raise SystemExit('it ran')")
    names = {"AutoConfig": "own.Config", "AutoModelForTokenClassification": "own.Network"}
    (broken_checkpoint / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": names}))
    assert "comes with Python code of its own" in refusal(broken_checkpoint)
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
    from abalo.models.labels import BIO

    folder = save_checkpoint(tmp_path / "unnamed", network="BertForTokenClassification", named=False)
    model = load(str(folder), device="cpu")
    with pytest.raises(AbaloError, match=r"config\.json has no id2label"):
        BIO.check(model.labels, ["B-PESSOA"], model.name)
    names = {"LABEL_0": "O", "LABEL_1": "B-PESSOA", "LABEL_2": "I-PESSOA", "LABEL_3": "O", "LABEL_4": "O"}
    assert load(str(folder), device="cpu", label_map=names).labels == ("O", "B-PESSOA", "I-PESSOA")
