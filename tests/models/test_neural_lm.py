"""Perplexity by neural language models, against transformers alone."""

import math

import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary.language_models import load_language_model
from perturbations import Sentence
from tests.sources.conftest import PIECES, save_bert


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def save_gpt(folder, *, marks=True):
    """A random GPT-2 of two layers × 16 with room for 16 pieces; a tokenizer of the same words as the BERT's."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    from abalo.models.networks.silence import quiet

    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    with quiet(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = transformers.GPT2Config(
            vocab_size=len(PIECES), n_positions=16, n_embd=16, n_layer=2, n_head=2, initializer_range=0.5
        )
        transformers.GPT2LMHeadModel(config).save_pretrained(folder)
        special = {"bos_token": "[CLS]", "eos_token": "[SEP]"} if marks else {}
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", **special
        ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def gpt(tmp_path_factory):
    return save_gpt(tmp_path_factory.mktemp("causal") / "gpt")


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return save_bert(tmp_path_factory.mktemp("masked") / "bert", "BertForMaskedLM")


def logs(folder, architecture: str, pieces: list[str]) -> list[dict[str, float]]:
    """The log-probability of every piece at every place of a row."""
    import torch
    import transformers

    from abalo.models.networks.silence import quiet

    with quiet(), torch.inference_mode():
        network = getattr(transformers, architecture).from_pretrained(folder).eval()
        found = network(torch.tensor([[PIECES.index(piece) for piece in pieces]])).logits[0].log_softmax(dim=-1)
    return [dict(zip(PIECES, row.tolist(), strict=True)) for row in found]


def perplexity(spec: str, *texts: str) -> list[float]:
    asked = [sentence(text) for text in texts]
    return load_language_model(spec, (), "nothing").perplexities(asked, asked).tolist()


def test_a_causal_model_reads_from_left_to_right_and_counts_words_not_pieces(gpt):
    after = logs(gpt, "GPT2LMHeadModel", ["[CLS]", "the", "cat", "##s", "sat"])
    total = sum(after[k][piece] for k, piece in enumerate(["the", "cat", "##s", "sat"]))
    assert perplexity(f"causal-lm:{gpt}", "the cats sat") == pytest.approx([math.exp(-total / 3)], rel=1e-4)


def test_many_texts_of_all_lengths_keep_their_order(gpt, bert):
    texts = ["the cat sat", "a dog", "the cats ran . a dog sat .", "Rex", "a dog"]
    for spec in (f"causal-lm:{gpt}", f"masked-lm:{bert}"):
        alone = [perplexity(spec, text)[0] for text in texts]
        assert perplexity(spec, *texts) == pytest.approx(alone, rel=1e-4)
        assert len(set(alone)) == 4


def test_a_text_longer_than_the_model_reads_is_read_in_stretches(gpt):
    words = ["the", "cat", "sat", "a", "dog"] * 4
    first = logs(gpt, "GPT2LMHeadModel", ["[CLS]", *words[:15]])
    second = logs(gpt, "GPT2LMHeadModel", ["[CLS]", *words[15:]])
    total = sum(first[k][word] for k, word in enumerate(words[:15]))
    total += sum(second[k][word] for k, word in enumerate(words[15:]))
    assert perplexity(f"causal-lm:{gpt}", " ".join(words)) == pytest.approx([math.exp(-total / 20)], rel=1e-4)


def test_a_masked_model_is_asked_for_each_piece_with_the_rest_of_its_word_hidden(bert):
    rows = [
        (["[CLS]", "[MASK]", "cat", "##s", "[SEP]"], 1, "the"),
        (["[CLS]", "the", "[MASK]", "[MASK]", "[SEP]"], 2, "cat"),
        (["[CLS]", "the", "cat", "[MASK]", "[SEP]"], 3, "##s"),
    ]
    total = sum(logs(bert, "BertForMaskedLM", row)[place][piece] for row, place, piece in rows)
    assert perplexity(f"masked-lm:{bert}", "the cats") == pytest.approx([math.exp(-total / 2)], rel=1e-4)


def test_the_head_beside_the_default_model_expects_what_is_said_in_court():
    usual, odd = perplexity(
        "masked-lm:bundled",
        "O Supremo Tribunal Federal negou provimento ao recurso .",
        "recurso provimento O negou Federal ao . Tribunal Supremo",
    )
    assert 5 * usual < odd


def test_names_say_what_was_asked(gpt, bert):
    assert load_language_model(f"causal-lm:{gpt}", (), "").name.startswith("perplexity by gpt (")
    assert load_language_model(f"masked-lm:{bert}", (), "").name.startswith("pseudo-perplexity by bert (")
    found = load_language_model("ngrams", [sentence("a b")], "dev.conll")
    assert found.name == "word 3-grams of dev.conll (1 sentences)"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ngram", "language model 'ngram': no such model; did you mean 'ngrams'?; there are: ngrams, causal-lm:FOLDER"),
        ("causal-lm:", "language model 'causal-lm:': no such model; there are: "),
        ("causal-lm:none", "causal-lm:none: no such folder"),
        ("masked-lm:none", "masked-lm:none: no such folder"),
    ],
)
def test_what_is_no_language_model_is_an_error(spec, message):
    with pytest.raises(AbaloError) as caught:
        load_language_model(spec, (), "nothing")
    assert str(caught.value).startswith(message)


def test_a_tokenizer_that_marks_no_begin_of_a_text_is_refused(tmp_path):
    folder = save_gpt(tmp_path / "bare", marks=False)
    with pytest.raises(AbaloError, match="marks neither begin nor end of a text"):
        load_language_model(f"causal-lm:{folder}", (), "nothing")
