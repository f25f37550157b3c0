import pytest

from abalo.corpora import load, loading


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """An installation that ships two corpora, and a folder that is none."""
    for name, word in [("legal-pt", "Brasil"), ("news-en", "London")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "eval.conll").write_text(f"{word}\tB-LOC\n", encoding="utf-8")
    (tmp_path / "legal-pt" / "train.conll").write_text("Acre\tB-LOC\n", encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    monkeypatch.setattr(loading, "bundled_path", {"fixtures/corpora": tmp_path}.__getitem__)


@pytest.mark.usefixtures("shipped")
def test_a_bundled_corpus_is_found_by_name(rendered):
    corpus = load("bundled:news-en")
    assert (corpus.name, rendered(corpus)) == ("bundled:news-en", ["[London LOC]"])


@pytest.mark.usefixtures("shipped")
def test_so_is_what_the_bundled_model_has_learned_from(rendered):
    assert rendered(load("bundled:legal-pt/train")) == ["[Acre LOC]"]


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("bundled:legalpt", "; did you mean 'legal-pt'?"),
        ("bundled:scripts", ""),
        ("bundled:../news-en", "; did you mean 'news-en'?"),
    ],
)
def test_an_unknown_name_is_an_error_that_lists_those_there_are(refusal, spec, hint):
    known = "bundled:legal-pt, bundled:legal-pt/train, bundled:news-en"
    assert refusal(spec) == f"{spec}: no such bundled corpus; expected one of {known}{hint}"
