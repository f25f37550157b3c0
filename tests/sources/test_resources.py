"""Resources of perturbations, found by their names in thresholds.toml."""

import pytest

from abalo.corpora import Corpus, load
from abalo.errors import AbaloError
from abalo.sources import resources as module
from abalo.sources.resources import Resources, problem_with
from perturbations import entity_spans, find, parse
from perturbations.lexicons import pairs
from perturbations.resources import NextSentences, Pool
from tests.conftest import problems
from tests.scripted import Gazetteer, corpus_of, read_case, session_of

JUDGED = corpus_of("[Ana PESSOA] foi a [Lima LOCAL]", "[Rui PESSOA] ficou", "[Rui PESSOA] e [Ana PESSOA]")
WOMEN = [name.capitalize() for name, gender in pairs("given_names_pt").items() if gender == "woman" and name != "ana"]
NAMES = tuple((name,) for name in sorted(WOMEN)[:20])
"""As many as a pool needs."""
TRAIN = "saiu O\n\n" + "".join(f"{name} B-PESSOA\n\n" for (name,) in NAMES * 2)


@pytest.fixture
def train(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.conll").write_text(TRAIN, encoding="utf-8")
    return "train.conll"


def given(name: str, **params):
    return Resources(JUDGED).configured(find(name), params)


def test_what_a_case_does_not_name_is_made_of_the_corpus_that_is_judged():
    assert given("swap_named_ent").params["entities"].entities("PESSOA") == (("Ana",), ("Rui",))
    assert list(given("concat_sent").params["following"].after(JUDGED.sentences[0], 1)) == [JUDGED.sentences[1]]


def test_out_of_vocabulary_is_by_default_invented_and_out_of_the_corpus_that_is_judged():
    swap = given("swap_ent_oov")
    assert swap.params["entities"].name == "invented:pt"
    assert swap.params["training"].has_word("LIMA")


def test_another_corpus_is_named_by_its_file(train):
    assert given("swap_named_ent", entities=train).params["entities"].entities("PESSOA") == NAMES
    assert given("swap_ent_oov", training=train).params["training"].has_word("saiu")


def test_a_bundled_corpus_and_what_the_bundled_model_has_learned_from():
    resources = Resources(JUDGED)
    both = [
        resources.configured(find("swap_named_ent"), {"entities": spec}).params["entities"]
        for spec in ("bundled:legal-pt", "bundled:legal-pt/train")
    ]
    assert not set(both[0].entities("PESSOA")) & set(both[1].entities("PESSOA"))


@pytest.mark.parametrize("language", ["pt", "en"])
def test_invented_names_are_named_by_their_language(language):
    assert given("swap_named_ent", entities=f"invented:{language}").params["entities"].entities("PER")


def test_a_corpus_is_read_once_a_session_whoever_asks_for_it(train, monkeypatch):
    read = []
    load = module.load_named
    monkeypatch.setattr(module, "load_named", lambda spec: read.append(spec) or load(spec))
    resources = Resources(JUDGED)
    pools = {
        resources.configured(find(name), {"entities": train}).params["entities"]
        for name in ("swap_named_ent", "swap_ent_longer", "swap_ent_oov")
    }
    resources.configured(find("concat_sent"), {"following": train})
    assert read == [train]
    assert len(pools) == 1


def test_documents_are_kept_apart():
    corpus = Corpus("x", JUDGED.sentences, document_starts=(0, 1))
    concat = Resources(corpus).configured(find("concat_sent"), {})
    assert concat.sample(JUDGED.sentences[0], seed=1) is None


def test_names_stay_what_they_are_in_the_report(train):
    swap = find("swap_ent_oov")
    assert Resources(JUDGED).named(swap, {"training": train, "rate": 0.5}) == {
        "training": train,
        "rate": 0.5,
        "entities": "invented:pt",
        "otherwise": "invented:pt",
        "language": "pt",
    }
    assert Resources(JUDGED).named(find("boundary"), {}) == {"mask_token": "[MASK]"}
    assert Resources(JUDGED, "<mask>").named(find("boundary"), {"mask_token": "auto"}) == {"mask_token": "<mask>"}


def test_a_corpus_that_cannot_be_read_is_told_with_its_case_and_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.conll").write_text("", encoding="utf-8")
    case = read_case("swap_named_ent", entities="empty.conll")
    with pytest.raises(AbaloError, match=r"ner/swap_named_ent\[.*\] entities: empty.conll: no sentences"):
        session_of(JUDGED, Gazetteer()).run(case)


@pytest.mark.parametrize(
    ("spec", "kind", "expected"),
    [
        (
            3,
            Pool,
            "3; expected invented:en, invented:pt, invented:zh, names:en, names:pt, names:zh, faker:LOCALE, or a ",
        ),
        ("", NextSentences, "''; expected a corpus: \"corpus\" for the one that is judged"),
        ("trian.conll", Pool, "'trian.conll'; no such file; expected"),
        ("corpsu", Pool, "'corpsu'; no such file; did you mean 'corpus'?; expected"),
        ("invented:fr", Pool, "'invented:fr'; no such file; did you mean 'invented:zh'?; expected"),
        ("invented:pt", NextSentences, "'invented:pt'; no such file; expected a corpus"),
        ("bundled:legal", Pool, "bundled:legal: no such bundled corpus; expected one of bundled:legal-pt"),
        ("bundled:legal-pt/trian", Pool, "did you mean 'legal-pt/train'?"),
        ("x", dict, "thresholds.toml has no word for a dict; leave it out"),
    ],
)
def test_what_names_nothing_is_told_with_what_would(spec, kind, expected):
    assert expected in problem_with(spec, kind)


@pytest.mark.parametrize("spec", ["corpus", "invented:en", "bundled:legal-pt/train", "train.conll", "hub:a:b"])
def test_what_names_a_pool_is_no_problem(spec, train):
    assert problem_with(spec, Pool) is None


def test_thresholds_toml_refuses_it_at_once_with_its_place(write):
    path = write('[[ner.swap_named_ent]]\nentities = "gone.conll"\n\n[[ner.concat_sent]]\nfollowing = 3\n')
    first, second = problems(path)
    assert first.startswith("thresholds.toml [[ner.swap_named_ent]] entities: 'gone.conll'; no such file; expected ")
    assert second.startswith("thresholds.toml [[ner.concat_sent]] following: 3; expected a corpus: ")


def test_the_slug_of_a_case_has_the_name_without_its_folder(train, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.conll").write_text(TRAIN, encoding="utf-8")
    case = read_case("swap_ent_oov", training="data/train.conll")
    assert case.id == "ner/swap_ent_oov[training-train.conll]"


def test_entities_from_elsewhere_reach_the_sentence(train):
    swap = given("swap_named_ent", entities=train)
    assert swap.sample(parse("[Ana PESSOA]"), seed=1).sentence.tokens[0] in {name for (name,) in NAMES}


def test_corpora_of_every_scheme_can_be_swapped_and_mistyped(tmp_path):
    """N4: samples in BIOES crash in the catalogue at the first replacement."""
    path = tmp_path / "bioes.conll"
    path.write_text("Ana B-PER\nSá E-PER\nRui S-PER\nsaiu O\n", encoding="utf-8")
    corpus = load(str(path))
    for name in ("swap_named_ent", "ent_typos", "swap_ent_oov"):
        found = Resources(corpus).configured(find(name), {}).sample(corpus.sentences[0], seed=1)
        assert [span.type for span in entity_spans(found.sentence.tags)] == ["PER", "PER"]
