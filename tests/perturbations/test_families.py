"""The perturbations of stage 2, each by hand."""

from collections import Counter
from math import sqrt
from string import ascii_letters

import pytest

from perturbations import Edit, Perturbation, Sentence, find, parse, render
from perturbations.families.word.word_lists import shipped_list
from tests.rows import every

WORDS = ("Ana", "não", "saiu", "do", "TRIBUNAL", ",", "´", "2ª")
MANY = tuple(Sentence(tuple(f"{word}{i}" for word in WORDS)) for i in range(2000))


def variant(perturbation: Perturbation, text: str, seed: int = 1) -> str | None:
    perturbed = perturbation.sample(parse(text), seed=seed)
    return None if perturbed is None else render(perturbed.sentence)


def options(name: str, word: str, **params: object) -> list[str]:
    return [edit.tokens[0] for site in find(name).configured(**params).sites(Sentence((word,))) for edit in site]


def edits_of(perturbation: Perturbation) -> list[Edit]:
    """All edits drawn for many sentences."""
    sampled = [perturbation.sample(sentence, seed=1) for sentence in MANY]
    return [edit for perturbed in sampled if perturbed is not None for edit in perturbed.edits]


def assert_is_share(found: int, sites: int, rate: float) -> None:
    """Within four standard errors of a binomial count."""
    assert abs(found - sites * rate) < 4 * sqrt(sites * rate * (1 - rate))


def test_accents_are_lost_and_nothing_else():
    assert variant(find("accents"), "[José Antônio PESSOA] não é órgão") == "[Jose Antonio PESSOA] nao e orgao"


@every(
    ("word", "plain"),
    [
        ("AÇÃO", "ACAO"),
        ("a\u0301", "a"),
        ("nº", "no"),
        ("½", "1\u20442"),
        ("ﬁm", "fim"),
        ("d´água", "dagua"),
    ],
)
def test_accents_are_lost_by_nfkd(word, plain):
    assert options("accents", word) == [plain]


@every("word", ["´", "¨", "\u0301", "acao", "10", "ß", "10\u00a0000", "中"])
def test_a_word_without_accents_or_of_nothing_else_stays(word):
    assert options("accents", word) == []


@every("word", ["йод", "и\u0306од", "їжак", "ёж", "が", "か\u3099", "हिन्दी", "ไม่", "한국", "آمین", "أنا", "ѓ"])
def test_letters_of_their_own_keep_their_marks(word):
    assert find("accents").sample(Sentence((word,)), seed=1) is None


@every(
    ("word", "plain"),
    [
        ("за\u0301мок", "замок"),
        ("كِتَابٌ", "كتاب"),
        ("שָׁלוֹם", "שלום"),
        ("Ελλάδα", "Ελλαδα"),
        ("2ª", "2a"),
        ("Nguyễn", "Nguyen"),
    ],
)
def test_accents_and_points_are_lost_in_every_script(word, plain):
    assert find("accents").sample(Sentence((word,)), seed=1).sentence.tokens == (plain,)


def test_white_space_within_a_word_outlives_its_accents():
    assert options("accents", "é\u00a0à") == ["e\u00a0a"]


def test_accents_are_lost_at_a_rate_too():
    accented = sum(not word.isascii() for word in WORDS)
    assert_is_share(len(edits_of(find("accents").configured(rate=0.3))), len(MANY) * accented, 0.3)


def test_noise_puts_another_ascii_letter_in_place_of_a_character():
    assert options("character_noise", "a") == [letter for letter in ascii_letters if letter != "a"]
    assert options("character_noise", "ç") == list(ascii_letters)
    assert options("character_noise", "1") == list(ascii_letters)


def test_noise_hits_each_character_with_its_rate_and_always_changes_it():
    noise = find("character_noise")
    assert noise.rate == 0.1
    edits = edits_of(noise)
    sites = sum(len(token) for sentence in MANY for token in sentence.tokens)
    assert_is_share(len(edits), sites, 0.1)
    changed = sum(
        old != new
        for sentence in MANY
        if (perturbed := noise.sample(sentence, seed=1)) is not None
        for before, after in zip(sentence.tokens, perturbed.sentence.tokens, strict=True)
        for old, new in zip(before, after, strict=True)
    )
    assert changed == len(edits)


def test_noise_draws_all_letters_equally():
    drawn = Counter(edit.tokens[0] for edit in edits_of(find("character_noise").configured(rate=1)))
    assert set(drawn) == set(ascii_letters)
    total = sum(drawn.values())
    for count in drawn.values():
        assert abs(count - total / 52) < 5 * sqrt(total / 52)


def test_noise_of_rate_one_leaves_no_character():
    assert all(
        old != new
        for old, new in zip("Tribunal", variant(find("character_noise").configured(rate=1), "Tribunal"), strict=True)
    )


def test_insertion_puts_fillers_behind_words_with_its_rate():
    insertion = find("word_insertion")
    assert insertion.rate == 0.1
    edits = edits_of(insertion)
    sites = sum(map(len, MANY))
    assert_is_share(len(edits), sites, 0.1)
    drawn = Counter(edit.tokens for edit in edits)
    assert set(drawn) == {("xxx",), ("lorem",), ("teste",), ("ruido",)}
    for count in drawn.values():
        assert_is_share(count, len(edits), 0.25)


def test_insertion_never_comes_before_the_first_word_and_may_come_after_the_last():
    everywhere = find("word_insertion").configured(rate=1, fillers=["x"])
    assert variant(everywhere, "[Ana Sá PESSOA] [Rui PESSOA] saiu") == "[Ana x Sá PESSOA] x [Rui PESSOA] x saiu x"


@pytest.mark.parametrize("fillers", [(), ("two words",), ("",)])
def test_what_is_no_filler_is_refused(fillers):
    with pytest.raises(ValueError, match="expected words, at least one, without white space"):
        variant(find("word_insertion").configured(rate=1, fillers=fillers), "Ana saiu")


def test_masking_replaces_words_with_its_rate():
    masking = find("token_masking")
    assert masking.rate == 0.15
    assert_is_share(len(edits_of(masking)), sum(map(len, MANY)), 0.15)
    assert variant(masking.configured(rate=1), "[Ana Sá PESSOA] saiu") == r"[\[MASK\] \[MASK\] PESSOA] \[MASK\]"


def test_masking_takes_the_mask_of_the_model_and_leaves_words_that_are_it():
    assert (
        variant(find("token_masking").configured(rate=1, mask_token="<mask>"), "a <mask> b") == "<mask> <mask> <mask>"
    )
    assert options("token_masking", "<mask>", mask_token="<mask>") == []


@every(
    ("word", "synonym"),
    [
        ("TRIBUNAL", "CORTE"),
        ("Tribunal", "Corte"),
        ("tribunal", "corte"),
        ("Acórdão", "Aresto"),
        ("Indenização", "Reparação"),
        ("INDENIZAÇÃO", "REPARAÇÃO"),
        ("indenizacao", "reparacao"),
        ("INDENIZACAO", "REPARACAO"),
        ("Juizes", "Magistrados"),
        ("Juízas", "Magistradas"),
    ],
)
def test_a_synonym_has_the_case_and_the_accents_of_the_word(word, synonym):
    assert options("synonyms", word, lexicon=shipped_list("legal_pt")) == [synonym]


@every("word", ["Ana", "tribunalzinho", "lei8.666", ",", "´"])
def test_a_word_without_synonym_stays(word):
    assert options("synonyms", word, lexicon=shipped_list("legal_pt")) == []


def test_synonyms_are_the_same_for_every_seed():
    text = "O [TRIBUNAL DE JUSTIÇA ORG] negou o intuito ."
    assert {
        variant(find("synonyms").configured(lexicon=shipped_list("legal_pt")), text, seed) for seed in range(5)
    } == {"A [CORTE DE JUSTIÇA ORG] negou o propósito ."}


def test_an_unknown_lexicon_is_an_error_that_names_those_there_are():
    with pytest.raises(ValueError, match=r"no lexicon 'legal_en'; there are: .*legal_pt"):
        variant(find("synonyms").configured(lexicon=shipped_list("legal_en")), "lei")
