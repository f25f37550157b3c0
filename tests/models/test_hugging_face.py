import json
import random
import shutil
import threading

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load
from perturbations import Sentence
from tests.models.tiny_checkpoint import LABELS


@pytest.fixture(scope="module")
def model(checkpoint):
    """Windows of 16 pieces, 14 besides [CLS] and [SEP], each beginning 10 further than the one before."""
    return load(str(checkpoint), device="cpu", max_length=16, stride=4)


def sentence(*tokens: str) -> Sentence:
    return Sentence(tokens)


def slow_scores(model, tokens, aggregation):
    """Scores of words as the definitions say it, one window and one word at a time."""
    import torch

    tokenizer = model._windows._tokenizer
    pieces = [(w, k, piece) for w, token in enumerate(tokens) for k, piece in enumerate(tokenizer.tokenize(token))]
    starts = [0]
    while starts[-1] + 14 < len(pieces):
        starts.append(starts[-1] + 10)
    windows = [pieces[start : start + 14] for start in starts]
    of_word = [[] for _ in tokens]
    for window in windows:
        ids = tokenizer.convert_tokens_to_ids(["[CLS]", *(piece for _, _, piece in window), "[SEP]"])
        with torch.inference_mode():
            logits = model.runtime.network(input_ids=torch.tensor([ids])).logits[0, 1:-1].numpy()
        for w in range(len(tokens)):
            rows = [
                logits[i] for i, (word, k, _) in enumerate(window) if word == w and (aggregation == "mean" or k == 0)
            ]
            if rows:
                of_word[w].append(np.mean(rows, axis=0))
    return np.array([np.mean(rows, axis=0) for rows in of_word]), len(windows)


MIXED = (
    ("Ana", "Souza", "left", "São", "Paulo", "today", "."),
    ("x",),
    ("abc", "Ana", "defghij", "k") * 6,
    ("Ana", "q" * 33, "-", "left", "r" * 12, "today"),
    ("São-Paulo,today", "Ana"),
)


@pytest.mark.parametrize("aggregation", ["mean", "first"])
@pytest.mark.parametrize("tokens", MIXED)
def test_scores_are_those_of_a_slow_reading_word_by_word(checkpoint, tokens, aggregation):
    model = load(str(checkpoint), device="cpu", max_length=16, stride=4, aggregation=aggregation)
    expected, windows = slow_scores(model, tokens, aggregation)
    [prediction] = model.predict([sentence(*tokens)])
    np.testing.assert_allclose(prediction.scores, expected, atol=1e-5)
    assert prediction.tags == tuple(LABELS[column] for column in expected.argmax(axis=1))
    assert prediction.inputs == windows


def test_the_other_aggregation_comes_from_the_same_forward(checkpoint):
    by_mean, by_first = (
        load(str(checkpoint), device="cpu", max_length=16, stride=4, aggregation=how) for how in ("mean", "first")
    )
    sentences = [sentence(*tokens) for tokens in MIXED]
    mean, first = by_mean.predict(sentences), by_first.predict(sentences)
    assert [p.alternative for p in mean] == [p.tags for p in first]
    assert [p.alternative for p in first] == [p.tags for p in mean]
    assert any(p.alternative != p.tags for p in mean)


def test_forty_one_piece_words_need_four_windows_of_fourteen_that_share_four(model):
    [prediction] = model.predict([sentence(*("Ana",) * 40)])
    assert prediction.inputs == 4
    assert len(prediction.tags) == len(prediction.scores) == 40


def test_a_word_of_three_hundred_pieces_is_one_row(model):
    [prediction] = model.predict([sentence("Ana", "x" * 300, "left")])
    assert prediction.scores.shape == (3, len(LABELS))
    assert prediction.inputs == 30


def test_a_word_without_pieces_is_sent_as_the_unknown_token_and_counted(model):
    bare = [sentence("Ana", "\ufe0f", "left"), sentence("\ue000"), sentence("Ana")]
    sent = [sentence("Ana", "[UNK]", "left"), sentence("[UNK]"), sentence("Ana")]
    found, expected = model.predict(bare), model.predict(sent)
    assert [p.wordless for p in found] == [1, 1, 0]
    assert [p.wordless for p in expected] == [0, 0, 0]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a.scores, b.scores)


def test_a_word_without_pieces_and_without_an_unknown_token_is_an_error(broken_checkpoint):
    model = load(str(broken_checkpoint), device="cpu")
    model._windows._tokenizer.unk_token = None
    with pytest.raises(AbaloError, match=r"makes nothing of the token '\\ufe0f' and has no unknown token"):
        model.predict([sentence("Ana", "\ufe0f")])


def many_sentences(longest):
    draws = random.Random(1)
    words = ("Ana", "abc", "left", "São", "defghijklm", "today")
    return [sentence(*draws.choices(words, k=draws.randint(1, longest))) for _ in range(60)]


def test_tags_do_not_depend_on_the_company(model):
    sentences = many_sentences(longest=30)
    together = model.predict(sentences)
    alone = [model.predict([each])[0] for each in sentences]
    assert [p.tags for p in together] == [p.tags for p in alone]
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a.scores, b.scores, atol=1e-5)


def test_nothing_is_predicted_for_nothing(model):
    assert model.predict([]) == []
    empty, full, last = model.predict([sentence(), sentence("Ana"), sentence()])
    assert (empty.tags, empty.scores.shape, empty.alternative, empty.inputs) == ((), (0, len(LABELS)), (), 0)
    assert len(full.tags) == 1
    assert last.tags == ()
    [alone] = model.predict([sentence()])
    assert alone.tags == ()


def test_scores_are_single_precision_and_cannot_be_written_to(model):
    [prediction] = model.predict([sentence("Ana")])
    assert prediction.scores.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        prediction.scores[0, 0] = 1


def test_progress_is_told_after_each_batch(checkpoint):
    model = load(str(checkpoint), device="cpu")
    model.budget = 10
    told = []
    model.on_progress = lambda done, total: told.append((done, total))
    model.predict([sentence("Ana"), sentence("Ana", "left"), sentence("Ana", "left", "today")])  # 3, 4 and 5 pieces
    assert told == [(2, 3), (3, 3)]


class Watched:
    """A network that keeps in which thread it ran, and with how many of PyTorch."""

    def __init__(self, network):
        self.network, self.ran_in = network, []

    def __call__(self, **inputs):
        import torch

        self.ran_in.append((threading.get_ident(), torch.get_num_threads()))
        return self.network(**inputs)


class Stingy:
    """A network with memory for few cells."""

    def __init__(self, network, cells):
        self.network, self.cells, self.shapes = network, cells, []

    def __call__(self, input_ids, **more):
        import torch

        self.shapes.append(tuple(input_ids.shape))
        if input_ids.numel() > self.cells:
            raise torch.OutOfMemoryError
        return self.network(input_ids=input_ids, **more)


def test_out_of_memory_halves_the_batch_and_goes_on(checkpoint):
    model = load(str(checkpoint), device="cpu")
    sentences = [sentence("Ana", letter) for letter in "abcdefgh"]
    expected = model.predict(sentences)
    model.runtime.network = Stingy(model.runtime.network, cells=10)
    found = model.predict(sentences)
    assert model.runtime.network.shapes == [(8, 4), (4, 4), (2, 4), (2, 4), (2, 4), (2, 4)]
    assert model.budget == 8
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.scores, b.scores, atol=1e-5)


@pytest.fixture
def three_threads():
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("three_threads")
def test_batches_beside_each_other_give_the_same_bits_as_one_after_the_other(checkpoint):
    import torch

    model = load(str(checkpoint), device="cpu")
    model.budget = 64
    model.runtime.network = network = Watched(model.runtime.network)
    found = model.predict(many_sentences(longest=12))
    beside = network.ran_in.copy()
    assert len({thread for thread, _ in beside}) == 3
    assert {threads for _, threads in beside} == {1}
    assert torch.get_num_threads() == 3
    torch.set_num_threads(1)
    expected = model.predict(many_sentences(longest=12))
    assert network.ran_in[len(beside) :] == [(threading.get_ident(), 1)] * len(beside)
    for a, b in zip(found, expected, strict=True):
        assert a.tags == b.tags
        np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.usefixtures("three_threads")
def test_one_batch_alone_has_all_threads(checkpoint):
    model = load(str(checkpoint), device="cpu")
    model.runtime.network = network = Watched(model.runtime.network)
    model.predict(many_sentences(longest=12))
    assert {*network.ran_in} == {(threading.get_ident(), 3)}


@pytest.mark.usefixtures("three_threads")
def test_out_of_memory_beside_other_batches_loses_none_of_them(checkpoint):
    model = load(str(checkpoint), device="cpu")
    model.budget = 160
    expected = model.predict(many_sentences(longest=12))
    model.runtime.network = Stingy(model.runtime.network, cells=80)
    found = model.predict(many_sentences(longest=12))
    assert model.budget <= 80
    for a, b in zip(found, expected, strict=True):
        assert a.tags == b.tags
        np.testing.assert_allclose(a.scores, b.scores, atol=1e-5)


@pytest.mark.usefixtures("three_threads")
def test_an_error_beside_other_batches_is_raised_and_threads_are_as_before(checkpoint):
    import torch

    model = load(str(checkpoint), device="cpu")
    model.budget = 64

    def broken(**_):
        raise RuntimeError("device-side assert triggered")

    model.runtime.network = broken
    with pytest.raises(RuntimeError, match="device-side assert"):
        model.predict(many_sentences(longest=12))
    assert torch.get_num_threads() == 3


def test_out_of_memory_for_a_single_window_is_an_error(checkpoint):
    model = load(str(checkpoint), device="cpu")
    model.runtime.network = Stingy(model.runtime.network, cells=3)
    with pytest.raises(AbaloError, match="out of memory for a single window of 4 pieces"):
        model.predict([sentence("Ana", "left")])


def test_other_errors_of_the_network_are_not_taken_for_a_lack_of_memory(checkpoint):
    model = load(str(checkpoint), device="cpu")

    def broken(**_):
        raise RuntimeError("device-side assert triggered")

    model.runtime.network = broken
    with pytest.raises(RuntimeError, match="device-side assert"):
        model.predict([sentence("Ana")])


def test_the_positions_of_the_model_limit_the_windows_and_the_stride_shrinks_with_them(checkpoint):
    settings = load(str(checkpoint), device="cpu", max_length=512, stride=128).settings
    assert (settings["max_length"], settings["stride"]) == (64, 16)


def test_the_limit_of_the_tokenizer_counts_too(broken_checkpoint):
    config = broken_checkpoint / "tokenizer_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"model_max_length": 32}))
    assert load(str(broken_checkpoint), device="cpu").settings["max_length"] == 32


def test_a_model_without_any_limit_reads_windows_as_long_as_asked(tmp_path):
    import torch
    from transformers import XLNetConfig, XLNetForTokenClassification, XLNetTokenizer

    from abalo.models.networks.silence import quiet

    torch.manual_seed(0)
    with quiet():
        pieces = [("<unk>", 0.0), ("<sep>", 0.0), ("<cls>", 0.0), ("<pad>", 0.0), ("▁Ana", -1.0), ("▁left", -1.0)]
        XLNetTokenizer(vocab=pieces, unk_id=0).save_pretrained(tmp_path)
        config = XLNetConfig(
            vocab_size=20, d_model=32, n_layer=1, n_head=2, d_inner=64, id2label=dict(enumerate(LABELS))
        )
        XLNetForTokenClassification(config).save_pretrained(tmp_path)
    model = load(str(tmp_path), device="cpu", max_length=100)
    assert model.settings["max_length"] == 100
    [found] = model.predict([sentence(*("Ana", "left") * 60)])
    assert (len(found.tags), found.inputs) == (120, 2)


def test_a_stride_that_leaves_no_way_forward_is_an_error(checkpoint):
    with pytest.raises(AbaloError, match="room for 14 besides special ones: a stride of 14 leaves no way forward"):
        load(str(checkpoint), device="cpu", max_length=16, stride=14)


def test_settings_name_what_numbers_depend_on(model):
    assert model.settings == {
        "architecture": "BertForTokenClassification",
        "dtype": "fp32",
        "aggregation": "mean",
        "max_length": 16,
        "stride": 4,
    }
    assert (model.mask_token, model.device, model.reads_text) == ("[MASK]", "cpu", False)


def test_half_precision_on_disk_is_read_as_what_was_asked_for(checkpoint, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "half"
    shutil.copytree(checkpoint, folder)
    weights = {name: tensor.half() for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    assert load(str(folder), device="cpu").runtime.network.dtype == torch.float32
    lower = load(str(folder), device="cpu", dtype="bf16")
    assert lower.runtime.network.dtype == torch.bfloat16
    [prediction] = lower.predict([sentence("Ana", "left")])
    assert prediction.scores.dtype == np.float32
    assert lower.settings["dtype"] == "bf16"


def test_the_fingerprint_is_that_of_what_was_loaded_not_of_where_it_lay(checkpoint, broken_checkpoint):
    from safetensors.torch import load_file, save_file

    original = load(str(checkpoint), device="cpu")
    assert load(str(broken_checkpoint), device="cpu").fingerprint == original.fingerprint
    assert load(str(checkpoint), device="cpu", aggregation="first").fingerprint != original.fingerprint
    weights = load_file(broken_checkpoint / "model.safetensors")
    weights["classifier.bias"] += 0.001
    save_file(weights, broken_checkpoint / "model.safetensors", metadata={"format": "pt"})
    assert load(str(broken_checkpoint), device="cpu").fingerprint != original.fingerprint


def test_an_upgrade_of_transformers_makes_no_other_model(checkpoint, monkeypatch):
    before = load(str(checkpoint), device="cpu").fingerprint
    monkeypatch.setattr("transformers.configuration_utils.__version__", "99.0.0")
    after = load(str(checkpoint), device="cpu")
    assert "99.0.0" in after.runtime.network.config.to_json_string()  # what the digest leaves out
    assert after.fingerprint == before


def test_a_label_map_renames_the_columns(checkpoint):
    model = load(str(checkpoint), device="cpu", label_map={"PER": "PESSOA", "LOC": "O"})
    assert model.labels == ("O", "B-PESSOA", "I-PESSOA")
    [prediction] = model.predict([sentence("Ana", "left", "São", "Paulo")])
    assert prediction.scores.shape == (4, 3)
    assert model.settings["label_map"] == "PER=PESSOA,LOC=O"


def test_loading_and_predicting_are_silent_and_leave_transformers_as_it_was(checkpoint, capfd):
    import torch
    from transformers.utils import logging

    before = (logging.get_verbosity(), logging.is_progress_bar_enabled(), torch.backends.cudnn.conv.fp32_precision)
    load(str(checkpoint), device="cpu").predict([sentence("Ana")])
    after = (logging.get_verbosity(), logging.is_progress_bar_enabled(), torch.backends.cudnn.conv.fp32_precision)
    assert after == before
    assert capfd.readouterr() == ("", "")


def test_a_byte_level_tokenizer_reads_words_with_the_space_before_them(tmp_path):
    import torch
    from transformers import RobertaConfig, RobertaForTokenClassification, RobertaTokenizer

    from abalo.models.networks.silence import quiet

    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "A", "Ġ", "n", "a", "ĠA", "na", "ĠAna"]
    merges = [("Ġ", "A"), ("n", "a"), ("ĠA", "na")]
    torch.manual_seed(0)
    with quiet():
        tokenizer = RobertaTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, merges=merges)
        tokenizer.save_pretrained(tmp_path)
        config = RobertaConfig(
            vocab_size=len(pieces),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=66,
            id2label=dict(enumerate(LABELS)),
        )
        RobertaForTokenClassification(config).save_pretrained(tmp_path)
    model = load(str(tmp_path), device="cpu", max_length=512)
    seen = []
    network = model.runtime.network
    model.runtime.network = lambda **inputs: seen.append(inputs) or network(**inputs)
    model.predict([sentence("Ana", "Ana")])
    assert [pieces[i] for i in seen[0]["input_ids"][0]] == ["<s>", "ĠAna", "ĠAna", "</s>"]
    assert sorted(seen[0]) == ["attention_mask", "input_ids"]
    assert model.settings["space_before_words"] == "added"
    assert model.settings["max_length"] == 64  # 66 positions less those up to the padding index


@pytest.mark.parametrize(("spaced", "told"), [(True, None), (False, "none")])
def test_a_tokenizer_that_reads_words_without_spaces_between_them_is_told(broken_checkpoint, spaced, told):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE({"[UNK]": 0, "a": 1, "Ġ": 2, "Ġa": 3}, [("Ġ", "a")], unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=spaced)
    made.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=made, unk_token="[UNK]").save_pretrained(broken_checkpoint)
    assert load(str(broken_checkpoint), device="cpu").settings.get("space_before_words") == told
