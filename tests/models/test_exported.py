"""Checkpoints that were exported as ONNX graphs: they must say what the checkpoint says."""

import json
import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.classifiers.loading import load as load_classifier
from abalo.models.networks import exported
from abalo.models.networks.checkpoint import TEXTS
from abalo.models.options import ModelOptions
from abalo.models.tokens.loading import load
from abalo.models.training.choosing import trainer_of
from perturbations import Sentence
from tests.models.tiny_checkpoint import save_checkpoint

onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed: pip install 'abalo[onnx]'")
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed: pip install 'abalo[onnx]'")

from benchmarks.exporting import export, quantised  # noqa: E402

SENTENCES = [
    Sentence(tuple(text.split()))
    for text in ("Ana left today .", "Sao Paulo , Souza - left", "Paulo " * 30, "abcdefghijklm", "Ana")
]


@pytest.fixture(scope="module")
def graph(checkpoint, tmp_path_factory):
    """The graph of the checkpoint; not to be changed."""
    return export(checkpoint, tmp_path_factory.mktemp("exported") / "model")


@pytest.fixture
def folder(graph, tmp_path):
    """A copy of its folder, to be broken."""
    return shutil.copytree(graph.parent, tmp_path / "model")


def classifier(spec, **given):
    """The model of texts called so, with these options."""
    return load_classifier(str(spec), RunOptions(**{"device": "cpu", **given}), ())


def refusal(spec, loader=load, **settings) -> str:
    with pytest.raises(AbaloError) as caught:
        loader(str(spec), **settings).predict(SENTENCES)
    return str(caught.value)


# The same as the checkpoint -------------------------------------------------------------------------------------------


def test_windows_labels_and_scores_are_those_of_the_checkpoint(checkpoint, graph):
    settings = {"device": "cpu", "max_length": 16, "stride": 4, "label_map": {"LOC": "LUGAR"}}
    expected = load(str(checkpoint), **settings)
    model = load(str(graph.parent), **settings)
    assert (model.labels, model.mask_token) == (expected.labels, expected.mask_token)
    for found, wanted in zip(model.predict(SENTENCES), expected.predict(SENTENCES), strict=True):
        assert (found.tags, found.alternative, found.inputs) == (wanted.tags, wanted.alternative, wanted.inputs)
        np.testing.assert_allclose(found.scores, wanted.scores, atol=1e-4)
    assert model.predict(SENTENCES)[2].inputs > 1


def test_the_report_names_runtime_and_precision(graph):
    model = load(str(graph))
    assert model.device == "cpu"
    assert model.settings == {
        "architecture": "BertForTokenClassification",
        "runtime": "ONNX Runtime",
        "dtype": "fp32",
        "aggregation": "mean",
        "max_length": 64,
        "stride": 16,
    }


def test_texts_and_pairs_are_classified_as_by_the_checkpoint(tmp_path):
    checkpoint = save_checkpoint(tmp_path / "texts", ("NO", "YES"), network="BertForSequenceClassification")
    told = checkpoint / "tokenizer_config.json"
    names = {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}  # which text a piece is of
    told.write_text(json.dumps(json.loads(told.read_text()) | names))
    graph = export(checkpoint, tmp_path / "exported", TEXTS)
    assert "token_type_ids" in {each.name for each in onnx.load(graph).graph.input}
    expected, model = (classifier(spec, max_length=8, stride=2) for spec in (checkpoint, graph))
    given = ["Ana left", "Sao Paulo , Souza - left today", ("Ana left", "Souza left"), ("Paulo", "-")]
    for part in (given[:2], given[2:]):
        for found, wanted in zip(model.predict(part), expected.predict(part), strict=True):
            assert (found.labels, found.inputs) == (wanted.labels, wanted.inputs)
            np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-5)


def test_whole_numbers_of_8_bits_are_named_and_nearly_agree(graph, folder, capfd):
    model = load(str(quantised(folder / "model.onnx")))
    assert model.settings["dtype"].startswith("int8")
    capfd.readouterr()
    plain = load(str(graph))
    assert model.fingerprint != plain.fingerprint
    pairs = zip(model.predict(SENTENCES), plain.predict(SENTENCES), strict=True)
    labels = [one == other for a, b in pairs for one, other in zip(a.tags, b.tags, strict=True)]
    assert np.mean(labels) >= 0.9
    assert capfd.readouterr() == ("", "")


def test_the_fingerprint_is_that_of_graph_config_and_tokenizer_not_of_where_they_lie(graph, folder):
    first = load(str(graph)).fingerprint
    assert load(str(folder)).fingerprint == first
    assert load(str(folder), aggregation="first").fingerprint != first
    model = onnx.load(folder / "model.onnx")
    bias = next(each for each in model.graph.initializer if each.name == "classifier.bias")
    bias.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(bias) + np.float32(0.001), bias.name))
    onnx.save(model, folder / "model.onnx")
    assert load(str(folder)).fingerprint != first


def test_out_of_memory_halves_the_batch_and_goes_on(graph):
    model = load(str(graph))
    sentences = [Sentence(("Ana", letter)) for letter in "abcdefgh"]
    expected = model.predict(sentences)
    session, shapes = model.runtime._session, []

    def run(outputs, given):
        shapes.append(given["input_ids"].shape)
        if given["input_ids"].size > 10:
            raise RuntimeError("Failed to allocate memory for requested buffer of size 1024")
        return session.run(outputs, given)

    model.runtime._session = SimpleNamespace(run=run)
    found = model.predict(sentences)
    assert shapes == [(8, 4), (4, 4), *[(2, 4)] * 4]
    assert [each.tags for each in found] == [each.tags for each in expected]


# Where it lies --------------------------------------------------------------------------------------------------------


def test_a_folder_with_weights_of_pytorch_is_loaded_by_pytorch_unless_the_graph_is_named(checkpoint, folder):
    shutil.copy(checkpoint / "model.safetensors", folder)
    assert "runtime" not in load(str(folder), device="cpu").settings
    assert load(str(folder / "model.onnx")).settings["runtime"] == "ONNX Runtime"


def test_config_and_tokenizer_may_lie_above_the_folder_onnx(folder):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert load(str(folder)).settings["runtime"] == load(str(folder / "onnx" / "model.onnx")).settings["runtime"]


def test_a_single_graph_may_have_any_name_and_of_several_one_must_be_named(folder):
    (folder / "model.onnx").rename(folder / "small.onnx")
    assert load(str(folder)).settings["runtime"] == "ONNX Runtime"
    shutil.copy(folder / "small.onnx", folder / "large.onnx")
    assert refusal(folder).endswith(
        f"has several graphs, large.onnx, small.onnx, and no model.onnx; name one: {folder / 'large.onnx'}"
    )


def test_a_graph_that_is_not_there_is_an_error_with_the_nearest(folder):
    assert refusal(folder / "modle.onnx") == (
        f"model {str(folder / 'modle.onnx')!r}: no such file or folder; did you mean {folder / 'model.onnx'}?"
    )
    assert "no such file or folder; did you mean" in refusal(folder / "modle.onnx", classifier)


@pytest.mark.parametrize(
    ("name", "message"),
    [("config.json", "no config.json in"), ("tokenizer.json", "no tokenizer in")],
)
def test_a_graph_without_its_config_or_tokenizer_is_an_error(folder, name, message):
    for file in folder.glob(f"{name.partition('.')[0]}*"):
        file.unlink()
    assert message in refusal(folder / "model.onnx")


def test_a_pointer_of_git_lfs_is_no_graph(folder):
    (folder / "model.onnx").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert refusal(folder).endswith("model.onnx is a pointer of Git LFS, not the file; run git lfs pull")


# Numbers outside of the graph -----------------------------------------------------------------------------------------


def outside(folder, location: str) -> None:
    """Has the graph keep its numbers in the file of that name, which lies beside it to begin with."""
    model = onnx.load(folder / "model.onnx")
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="weights.bin", size_threshold=0)
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    for tensor in model.graph.initializer:
        for entry in tensor.external_data:
            if entry.key == "location":
                entry.value = location
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def test_numbers_in_a_file_beside_the_graph_are_read_and_in_the_fingerprint(folder, graph):
    outside(folder, "weights.bin")
    model = load(str(folder))
    assert [each.tags for each in model.predict(SENTENCES)] == [
        each.tags for each in load(str(graph)).predict(SENTENCES)
    ]
    numbers = np.fromfile(folder / "weights.bin", dtype=np.uint8)
    numbers[-1] ^= 1
    numbers.tofile(folder / "weights.bin")
    assert load(str(folder)).fingerprint != model.fingerprint


@pytest.mark.parametrize("place", ["above", "absolute", "link"])
def test_numbers_outside_of_the_folder_are_refused(folder, place):
    target = folder.parent / "weights.bin"
    location = {"above": "../weights.bin", "absolute": str(target), "link": "link.bin"}[place]
    outside(folder, location)
    (folder / "weights.bin").rename(target)
    (folder / "link.bin").symlink_to(target)
    assert f"model.onnx reads {location!a}, which is outside of its folder {folder}" in refusal(folder)


def test_numbers_that_are_not_there_are_an_error(folder):
    outside(folder, "weights.bin")
    (folder / "weights.bin").unlink()
    assert f"no 'weights.bin' in {folder}, which model.onnx reads; fetch it, too" in refusal(folder)


# Graphs that do not fit -----------------------------------------------------------------------------------------------


def rewritten(folder, change) -> None:
    model = onnx.load(folder / "model.onnx")
    change(model)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def renamed(old: str, new: str):
    """Gives an input or an output of the graph another name."""

    def change(model):
        for each in (*model.graph.input, *model.graph.output):
            each.name = new if each.name == old else each.name
        for node in model.graph.node:
            for names in (node.input, node.output):
                names[:] = [new if name == old else name for name in names]

    return change


def with_positions(model):
    model.graph.input.add().CopyFrom(model.graph.input[0])
    model.graph.input[-1].name = "position_ids"


def fixed(model):
    for each in model.graph.input:
        each.type.tensor_type.shape.dim[1].dim_value = 128


def in_fractions(model):
    given = next(each for each in model.graph.input if each.name == "attention_mask")
    given.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    model.graph.node.insert(0, onnx.helper.make_node("Cast", ["attention_mask"], ["whole"], to=onnx.TensorProto.INT64))
    for node in list(model.graph.node)[1:]:
        node.input[:] = ["whole" if name == "attention_mask" else name for name in node.input]


def foreign(model):
    model.graph.node[0].domain = "com.example"
    model.opset_import.append(onnx.helper.make_opsetid("com.example", 1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (renamed("attention_mask", "mask"), "its graph reads input_ids, mask; expected input_ids, attention_mask"),
        (with_positions, "its graph reads input_ids, attention_mask, position_ids; expected input_ids, attention_mask"),
        (renamed("logits", "last_hidden_state"), "its graph gives last_hidden_state; expected logits, one for each"),
        (fixed, "its graph reads input_ids as tensor(int64) of shape ['windows', 128]; expected whole numbers"),
        (in_fractions, "its graph reads attention_mask as tensor(float)"),
        (foreign, "cannot load"),
    ],
    ids=["no mask", "another input", "no logits", "one length", "another type", "operators of others"],
)  # fmt: skip
def test_a_graph_of_other_inputs_or_outputs_is_refused_with_what_to_do(folder, change, message, capfd):
    rewritten(folder, change)
    said = refusal(folder)
    assert message in said
    assert "xport it again" in said
    assert capfd.readouterr() == ("", "")


def test_a_graph_of_other_labels_than_the_config_names_is_refused(folder):
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": {"0": "O", "1": "B-PER"}, "label2id": {"O": 0, "B-PER": 1}}
    (folder / "config.json").write_text(json.dumps(config))
    model = onnx.load(folder / "model.onnx")
    shape = model.graph.output[0].type.tensor_type.shape
    shape.dim[2].Clear()
    shape.dim[2].dim_value = 5
    onnx.save(model, folder / "model.onnx")
    assert "its graph gives logits of shape ['windows', 'pieces', 5]; expected 3 dimensions, the last of 2" in refusal(
        folder
    )


def test_a_graph_of_another_kind_is_refused_by_its_config(folder):
    assert "not a sequence-classification checkpoint: it was saved as BertForToken" in refusal(folder, classifier)


def test_pairs_need_a_graph_that_tells_the_second_text(tmp_path):
    checkpoint = save_checkpoint(tmp_path / "texts", ("NO", "YES"), network="BertForSequenceClassification")
    graph = export(checkpoint, tmp_path / "exported", TEXTS)
    _, runtime = exported.open_exported(str(graph), graph, ModelOptions(), TEXTS)
    pieces = np.array([[2, 5, 3, 5, 3]])
    with pytest.raises(AbaloError, match="does not read token_type_ids, which tells the second text from the first"):
        runtime.logits({"input_ids": pieces, "attention_mask": pieces, "token_type_ids": np.array([[0, 0, 0, 1, 1]])})


def test_what_is_no_graph_is_told(folder):
    (folder / "model.onnx").write_bytes(b"\x01\x02\x03 this is no graph")
    assert f"{folder / 'model.onnx'} is no ONNX graph" in refusal(folder)


# Options --------------------------------------------------------------------------------------------------------------


def test_another_precision_is_another_graph(graph):
    assert "dtype 'bf16' has no meaning for an exported graph" in refusal(graph, dtype="bf16")


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_without_a_provider_is_an_error(graph, device, monkeypatch):
    import onnxruntime

    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    said = refusal(graph, device=device)
    assert f"cannot use device {device} here; it has CPUExecutionProvider. Use --abalo-device cpu" in said
    assert ("onnxruntime-gpu" in said) is (device == "cuda")


def test_a_provider_that_is_given_up_without_a_word_is_an_error(graph, monkeypatch):
    import onnxruntime

    plain = onnxruntime.InferenceSession
    present = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: present)
    asked = []

    def on_the_processor(path, options, providers):
        asked.extend(providers)
        return plain(path, options, providers=["CPUExecutionProvider"])

    monkeypatch.setattr(onnxruntime, "InferenceSession", on_the_processor)
    assert "cannot use device cuda here" in refusal(graph, device="cuda")
    assert asked == [("CUDAExecutionProvider", {"use_tf32": "0"})]
    assert load(str(graph)).device == "cpu"  # auto


@pytest.mark.parametrize("library", ["onnx", "onnxruntime"])
def test_without_a_library_the_line_that_installs_it_is_told(graph, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    assert refusal(graph).endswith("an ONNX graph needs ONNX Runtime: pip install 'abalo[onnx]'")


def test_code_that_comes_with_it_is_not_run(folder):
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text("raise SystemExit('it was run')\n")
    assert "comes with its own Python code" in refusal(folder)


def test_a_graph_cannot_be_trained(graph):
    with pytest.raises(AbaloError, match="is an exported graph, which cannot be trained; give the checkpoint"):
        trainer_of(load(str(graph)), ModelOptions())
