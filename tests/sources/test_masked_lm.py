"""Words that a masked language model would put in a place."""

import re

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary.masked_lm import load_masked_lm
from abalo.sources.loading import load_synonyms
from perturbations import Sentence
from tests.sources.conftest import PIECES, save_bert

WHOLE = {"the", "a", "cat", "dog", "sat", "ran", "Rex"}


def by_hand(folder, pieces, place):
    """The probability of every piece of the vocabulary at the mask, from transformers alone."""
    import torch
    from transformers import AutoModelForMaskedLM

    from abalo.models.networks.silence import quiet

    with quiet(), torch.inference_mode():
        network = AutoModelForMaskedLM.from_pretrained(folder).eval()
        logits = network(torch.tensor([[PIECES.index(piece) for piece in pieces]])).logits[0, place]
        return dict(zip(PIECES, logits.softmax(dim=0).tolist(), strict=True))


def test_whole_words_are_proposed_with_the_probability_that_the_model_gives_them(masked_lm):
    (found,) = load_masked_lm(str(masked_lm)).proposals([(Sentence(("the", "cat", "sat")), 1)], 99)
    expected = by_hand(masked_lm, ["[CLS]", "the", "[MASK]", "sat", "[SEP]"], 2)
    assert {word for word, _ in found} == WHOLE
    assert [word for word, _ in found] == sorted(WHOLE, key=lambda word: -expected[word])
    assert np.allclose([value for _, value in found], [expected[word] for word, _ in found], rtol=1e-4)


def test_sentences_of_all_lengths_in_one_batch_keep_their_order_and_their_answers(masked_lm):
    model = load_masked_lm(str(masked_lm))
    tokens = ("the", "cat", "sat", ".", "a", "dog", "ran")
    sites = [(Sentence(tokens[:length]), place) for length in (3, 7, 1, 5) for place in range(length)]
    together, alone = model.proposals(sites, 3), [model.proposals([site], 3)[0] for site in sites]
    assert [[word for word, _ in found] for found in together] == [[word for word, _ in found] for found in alone]
    flat = [[value for proposals in found for _, value in proposals] for found in (together, alone)]
    assert np.allclose(*flat, rtol=1e-4)
    assert len({word for found in together for word, _ in found[:1]}) > 1
    assert model.proposals([], 3) == []


def test_in_a_long_text_the_pieces_around_the_mask_are_read(masked_lm):
    tokens = ("the",) * 60 + ("cat", "sat", "a", "dog") + ("ran",) * 60
    (found,) = load_masked_lm(str(masked_lm)).proposals([(Sentence(tokens), 61)], 99)
    near = [
        by_hand(masked_lm, ["[CLS]", *tokens[start:61], "[MASK]", *tokens[62 : start + 30], "[SEP]"], 62 - start)
        for start in range(40, 55)
    ]
    assert any(np.allclose([p[word] for word, _ in found], [value for _, value in found], rtol=1e-3) for p in near)


def test_a_token_that_looks_like_the_mask_is_not_taken_for_it(masked_lm):
    (found,) = load_masked_lm(str(masked_lm)).proposals([(Sentence(("[MASK]", "the", "cat", "[MASK]")), 2)], 99)
    expected = by_hand(masked_lm, ["[CLS]", "[MASK]", "the", "[MASK]", "[MASK]", "[SEP]"], 3)
    assert np.allclose([value for _, value in found], [expected[word] for word, _ in found], rtol=1e-4)


def test_as_synonyms_they_leave_out_the_word_and_take_its_letter_case(masked_lm):
    source = load_synonyms(f"masked-lm:{masked_lm}", most=4, least=0.99)
    plain, capital = source.of([(Sentence(("the", "cat", "sat")), 1), (Sentence(("the", "CAT", "sat")), 1)])
    assert len(plain) == 4
    assert "cat" not in [synonym.word for synonym in plain]
    assert [synonym.word for synonym in capital] == [synonym.word.upper() for synonym in plain]
    assert [synonym.similarity for synonym in plain] == sorted((s.similarity for s in plain), reverse=True)


def test_the_name_says_that_similarities_are_probabilities(masked_lm):
    name = load_synonyms(f"masked-lm:{masked_lm}").name
    assert re.match(r"masked LM lm \([0-9a-f]{8}\), the 50 likeliest, .*probabilities", name)


def test_the_head_beside_the_default_model_knows_its_field():
    source = load_synonyms("masked-lm:bundled", most=3)
    tokens = ("O", "Supremo", "Tribunal", "Estadual", "negou", "provimento", "ao", "recurso", ".")
    (found,) = source.of([(Sentence(tokens), 3)])
    assert found[0].word == "Federal"
    assert found[0].similarity > 0.5
    assert source.name.startswith("masked LM bundled (")


def test_what_is_no_masked_language_model_is_an_error(tmp_path, masked_lm):
    with pytest.raises(AbaloError, match="no such folder"):
        load_synonyms(f"masked-lm:{tmp_path / 'none'}")
    with pytest.raises(AbaloError, match=r"no model\.safetensors in"):
        load_synonyms(f"masked-lm:{tmp_path}")
    headless = save_bert(tmp_path / "headless", "BertModel")
    with pytest.raises(AbaloError, match=r"lacks cls\.predictions.*which would be random; it was saved as BertModel"):
        load_synonyms(f"masked-lm:{headless}")
    (tmp_path / "broken").mkdir()
    for file in masked_lm.iterdir():
        (tmp_path / "broken" / file.name).write_bytes(file.read_bytes()[:100])
    with pytest.raises(AbaloError, match=r"masked-lm:.*AutoModelForMaskedLM cannot load it"):
        load_synonyms(f"masked-lm:{tmp_path / 'broken'}")
