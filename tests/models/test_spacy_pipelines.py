import sys

import pytest

from abalo.errors import AbaloError
from abalo.models.loading import load
from perturbations import Sentence


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    """The folder of a pipeline that knows Ana Souza and Paris."""
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("pt")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Ana Souza"}, {"label": "LOC", "pattern": "Paris"}])
    folder = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp.to_disk(folder)
    return folder


def test_entities_become_tags_of_the_tokens_as_they_are_in_the_corpus(pipeline):
    model = load(f"spacy:{pipeline}")
    found = model.predict([Sentence(("Ana", "Souza", "left", "Paris")), Sentence(("Ana-Souza",)), Sentence(())])
    assert [p.tags for p in found] == [("B-PER", "I-PER", "O", "B-LOC"), ("O",), ()]
    assert [p.windows for p in found] == [1, 1, 0]
    assert found[0].scores is None
    assert model.labels == ("O", "B-LOC", "I-LOC", "B-PER", "I-PER")
    assert (model.reads_text, model.mask_token, model.device) == (True, None, "cpu")


def test_a_label_map_renames_what_a_pipeline_finds(pipeline):
    model = load(f"spacy:{pipeline}", label_map={"PER": "PESSOA"})
    assert model.predict([Sentence(("Ana", "Souza"))])[0].tags == ("B-PESSOA", "I-PESSOA")


def test_the_fingerprint_of_a_pipeline_is_that_of_its_files(pipeline, tmp_path):
    import shutil

    shutil.copytree(pipeline, tmp_path / "copy")
    original = load(f"spacy:{pipeline}").fingerprint
    assert load(f"spacy:{tmp_path / 'copy'}").fingerprint == original
    meta = tmp_path / "copy" / "meta.json"
    meta.write_text(meta.read_text().replace('"0.0.0"', '"0.0.1"'))
    assert load(f"spacy:{tmp_path / 'copy'}").fingerprint != original


def test_a_folder_of_a_pipeline_without_its_prefix_is_an_error_that_gives_it(pipeline):
    with pytest.raises(AbaloError, match="is a spaCy pipeline; write spacy:"):
        load(str(pipeline))


def test_an_unknown_pipeline_is_an_error():
    pytest.importorskip("spacy", reason="spaCy is an extra")
    with pytest.raises(AbaloError, match=r"spaCy cannot load 'xx_no_such_pipeline'.*python -m spacy download NAME"):
        load("spacy:xx_no_such_pipeline")


def test_a_pipeline_that_finds_no_entities_is_an_error(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    spacy.blank("pt").to_disk(tmp_path / "blank")
    with pytest.raises(AbaloError, match="no component finds entities; the pipeline has none"):
        load(f"spacy:{tmp_path / 'blank'}")


def test_a_pipeline_that_merges_tokens_is_an_error(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("pt")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PER", "pattern": "Ana Souza"}])
    nlp.add_pipe("merge_entities")
    nlp.to_disk(tmp_path / "merging")
    with pytest.raises(AbaloError, match="the pipeline made 2 tokens of 3; leave out the component that merges"):
        load(f"spacy:{tmp_path / 'merging'}").predict([Sentence(("Ana", "Souza", "left"))])


def test_without_spacy_the_error_is_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(AbaloError) as caught:
        load("spacy:pt_core_news_sm")
    assert str(caught.value) == "the spaCy adapter needs spaCy: pip install 'abalo[spacy]'"
