import sys

import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary.parts_of_speech import load_spacy
from abalo.models.labelling.labels import PLAIN
from abalo.models.tokens.loading import load
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
    assert [p.inputs for p in found] == [1, 1, 0]
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


# One label per token --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tagging(tmp_path_factory):
    """The folder of a pipeline whose rules tag Ana as a name and a space as one."""
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("pt")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "ana"}]], {"POS": "PROPN", "TAG": "NP"})
    ruler.add([[{"LOWER": "_"}]], {"POS": "SPACE", "TAG": "SP"})
    ruler.add([[{"LOWER": "saiu"}]], {"POS": "VERB"})
    folder = tmp_path_factory.mktemp("spacy") / "tagging"
    nlp.to_disk(folder)
    return folder


def test_universal_parts_of_speech_are_read_off_the_tokens(tagging):
    model = load(f"spacy:{tagging}", labelling=PLAIN)
    found = model.predict([Sentence(("Ana", "saiu", "_", "ontem")), Sentence(())])
    assert [p.tags for p in found] == [("PROPN", "VERB", "X", "X"), ()]
    assert len(model.labels) == 17
    assert model.settings["labelling"] == "plain"
    assert load(f"spacy:{tagging}?pos", labelling=PLAIN).labels == model.labels


def test_a_label_map_renames_parts_of_speech(tagging):
    model = load(f"spacy:{tagging}", labelling=PLAIN, label_map={"PROPN": "NOUN"})
    assert model.predict([Sentence(("Ana",))])[0].tags == ("NOUN",)
    assert len(model.labels) == 16


def test_finer_tags_are_those_of_the_pipeline(tagging):
    model = load(f"spacy:{tagging}?tag", labelling=PLAIN)
    assert model.labels == ("NP", "SP")
    assert model.predict([Sentence(("Ana", "_"))])[0].tags == ("NP", "SP")
    with pytest.raises(AbaloError, match="gave the label ''; expected one that its components list: NP, SP"):
        model.predict([Sentence(("ontem",))])


def test_a_trained_tagger_and_a_morphologizer_give_tags_and_parts_of_speech(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    from spacy.training import Example

    nlp = spacy.blank("pt")
    nlp.add_pipe("morphologizer").add_label("POS=NOUN|Number=Sing")
    nlp.add_pipe("tagger").add_label("N")
    doc = nlp.make_doc("casa")
    nlp.initialize(lambda: [Example.from_dict(doc, {"tags": ["N"], "pos": ["NOUN"], "morphs": ["Number=Sing"]})])
    nlp.to_disk(tmp_path / "trained")
    for suffix, labels, tag in (("", None, "NOUN"), ("?tag", ("N",), "N")):
        model = load(f"spacy:{tmp_path / 'trained'}{suffix}", labelling=PLAIN)
        assert model.predict([Sentence(("casa",))])[0].tags == (tag,)
        assert labels is None or model.labels == labels


def test_features_are_read_off_the_tokens_and_without_any_it_is_an_error(tagging, tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("pt")
    nlp.add_pipe("attribute_ruler").add([[{"LOWER": "casa"}]], {"MORPH": "Gender=Fem|Number=Sing"})
    nlp.to_disk(tmp_path / "inflected")
    model = load_spacy(str(tmp_path / "inflected"))
    assert model.features([Sentence(("casa", "já")), Sentence(())]) == [({"Gender": "Fem", "Number": "Sing"}, {}), ()]
    with pytest.raises(AbaloError, match="gives no morphological features; its components are attribute_ruler"):
        load_spacy(str(tagging)).features([Sentence(("Ana",))])


def test_a_pipeline_that_tags_no_tokens_is_an_error(pipeline):
    with pytest.raises(AbaloError, match=r"no component assigns token\.pos; the pipeline has entity_ruler: expected a"):
        load(f"spacy:{pipeline}", labelling=PLAIN)
    with pytest.raises(AbaloError, match=r"no component assigns token\.tag"):
        load(f"spacy:{pipeline}?tag", labelling=PLAIN)


def test_an_attribute_that_is_none_or_has_no_meaning_is_refused(pipeline):
    with pytest.raises(AbaloError, match=r"no such attribute 'tags'; did you mean 'tag'\?; write spacy:.* for univers"):
        load(f"spacy:{pipeline}?tags", labelling=PLAIN)
    with pytest.raises(AbaloError, match=r"entities are judged here, so \?tag has no meaning; write spacy:"):
        load(f"spacy:{pipeline}?tag")
