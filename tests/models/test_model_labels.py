import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.labelling.labels import BIO
from abalo.models.labelling.maps import parse_label_map


@pytest.mark.parametrize(
    ("own", "bio"),
    [
        ("O", "O"),
        ("B-PER", "B-PER"),
        ("I-PER", "I-PER"),
        ("S-PER", "B-PER"),
        ("U-PER", "B-PER"),
        ("E-PER", "I-PER"),
        ("L-PER", "I-PER"),
        ("M-PER", "I-PER"),
        ("PER", "I-PER"),
        ("B-ORG-GOV", "B-ORG-GOV"),
        ("X-RAY", "I-X-RAY"),
    ],
)
def test_labels_of_other_schemes_become_bio(own, bio):
    assert BIO.label(own, {}) == bio


def test_columns_that_mean_the_same_are_merged_by_their_maximum():
    columns = BIO.columns(["O", "B-PER", "I-PER", "E-PER", "S-PER"], None, "m")
    assert columns.labels == ("O", "B-PER", "I-PER")
    scores = np.array([[0, 1, 2, 3, 4], [9, 7, 5, -3, -1]], dtype=np.float32)
    np.testing.assert_array_equal(columns.fold(scores), [[0, 4, 3], [9, 7, 5]])


def test_columns_keep_the_order_of_the_model():
    assert BIO.columns(["B-PER", "O", "I-PER"], None, "m").labels == ("B-PER", "O", "I-PER")


def test_a_map_renames_types_whatever_their_prefix_whole_labels_and_drops_types():
    label_map = {"PER": "PESSOA", "LABEL_1": "B-LOCAL", "MISC": "O"}
    own = ["O", "B-PER", "E-PER", "LABEL_1", "B-MISC", "I-MISC", "MISC"]
    assert [BIO.label(label, label_map) for label in own] == ["O", "B-PESSOA", "I-PESSOA", "B-LOCAL", "O", "O", "O"]


def test_a_map_entry_that_renames_nothing_is_an_error_with_the_nearest_name():
    with pytest.raises(
        AbaloError, match="label map PRE=PESSOA: model m has no label or type 'PRE'; did you mean 'PER'"
    ):
        BIO.columns(["O", "B-PER"], {"PRE": "PESSOA"}, "m")
    with pytest.raises(AbaloError, match="its labels are O, B-PER"):
        BIO.columns(["O", "B-PER"], {"XYZ": "PESSOA"}, "m")


def test_a_label_without_a_type_is_an_error():
    with pytest.raises(AbaloError, match="model m: label 'B-' names no entity type"):
        BIO.columns(["O", "B-"], None, "m")


def test_a_label_map_is_read_from_pairs_or_from_json(tmp_path):
    assert parse_label_map("PER=PESSOA, LOC = LOCAL") == {"PER": "PESSOA", "LOC": "LOCAL"}
    (tmp_path / "map.json").write_text('{"PER": "PESSOA"}', encoding="utf-8")
    assert parse_label_map(str(tmp_path / "map.json")) == {"PER": "PESSOA"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PER=PESSOA,LOC", "found 'LOC', expected entries such as PER=PESSOA"),
        ("PER=", "found 'PER=', expected entries"),
        ("PER=A,PER=B", "'PER' is renamed twice"),
        ("PER", "neither entries such as PER=PESSOA nor a JSON file that can be read"),
    ],
)
def test_a_label_map_that_cannot_be_read_is_an_error(text, message):
    with pytest.raises(AbaloError, match=message):
        parse_label_map(text)


@pytest.mark.parametrize("content", ["{", '["PER"]', '{"PER": 1}', '{"PER": ""}'])
def test_a_label_map_file_of_another_form_is_an_error(tmp_path, content):
    path = tmp_path / "map.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(AbaloError, match="expected an object such as"):
        parse_label_map(str(path))


def test_a_corpus_may_lack_types_of_the_model():
    BIO.check(["O", "B-PER", "I-PER", "B-LOC"], ["B-PER"], "m")


def test_a_black_box_that_tells_no_labels_is_not_checked():
    BIO.check([], ["B-PER"], "m")


def test_a_model_that_lacks_types_of_the_corpus_is_refused_with_both_sets_and_a_ready_map():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "B-PER", "I-PER", "B-LOC", "B-ORG"], ["B-ORG", "B-LOCAL", "I-PESSOA"], "./mine")
    assert str(caught.value) == (
        "model ./mine cannot be judged on this corpus: it has no label for LOCAL, PESSOA\n"
        "  types of the model:  LOC, ORG, PER\n"
        "  types of the corpus: LOCAL, ORG, PESSOA\n"
        "  If the model knows these types under other names, say so, for example: "
        "--abalo-label-map LOC=LOCAL,PER=PESSOA"
    )


def test_no_map_is_offered_where_none_could_help():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "B-PER"], ["B-PER", "B-LOC"], "m")
    assert str(caught.value).splitlines()[3:] == [
        "  Choose a model trained for these types.",
        "  To judge only some types of the corpus: --abalo-types PER",
    ]


def test_pairs_of_names_that_do_not_match_are_never_proposed():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "B-DATE", "B-GIVEN_NAME", "B-PERSON"], ["B-creative-work", "B-person", "B-group"], "m")
    assert str(caught.value).splitlines()[3:] == [
        "  If the model knows these types under other names, say so, for example: --abalo-label-map PERSON=person",
        "  To judge only some types of the corpus: --abalo-label-map PERSON=person --abalo-types person",
    ]


def test_where_no_name_matches_the_form_of_a_map_is_shown():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "B-DATE", "B-GIVEN_NAME"], ["B-creative-work", "B-person"], "m")
    assert str(caught.value).splitlines()[3:] == [
        "  If the model knows these types under other names, say so: --abalo-label-map MODEL_TYPE=CORPUS_TYPE",
        "  To judge only some types of the corpus: --abalo-types TYPE,TYPE",
    ]


BIO_LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


@pytest.mark.parametrize(
    ("own", "wanted", "expected"),
    [
        (
            ["o", "b-per", "i-per", "b-loc", "i-loc"],
            BIO_LABELS,
            "b-loc=B-LOC,b-per=B-PER,i-loc=I-LOC,i-per=I-PER,o=O",
        ),
        (
            ["O", "B_PER", "I_PER", "B_LOC", "I_LOC"],
            BIO_LABELS,
            "B_LOC=B-LOC,B_PER=B-PER,I_LOC=I-LOC,I_PER=I-PER",
        ),
        (
            ["O", "PER-B", "PER-I", "LOC-B", "LOC-I"],
            BIO_LABELS,
            "LOC-B=B-LOC,LOC-I=I-LOC,PER-B=B-PER,PER-I=I-PER",
        ),
        (
            ["O", "PER-B", "PER-I", "LOC-B", "LOC-I"],
            ["O", "B-PESSOA", "B-LOCAL"],
            "LOC-B=B-LOCAL,LOC-I=I-LOCAL,PER-B=B-PESSOA,PER-I=I-PESSOA",
        ),
        (["O", "b-per", "i-per", "X", "[CLS]"], ["B-PER"], "X=O,[CLS]=O,b-per=B-PER,i-per=I-PER"),
        (["O", "b_per", "m_per", "e_per", "s_per"], ["B-PER"], "b_per=B-PER,e_per=E-PER,m_per=M-PER,s_per=S-PER"),
        (["O", "B", "I"], ["B-PER", "I-PER"], "B=B-PER,I=I-PER"),
        (BIO_LABELS, ["B-ENTITY", "I-ENTITY"], "LOC=ENTITY,PER=ENTITY"),
    ],
)
def test_labels_in_another_form_than_bio_get_the_exact_map(own, wanted, expected):
    labels = BIO.columns(own, None, "m").labels
    with pytest.raises(AbaloError) as caught:
        BIO.check(labels, wanted, "m")
    assert f"--abalo-label-map {expected}" in str(caught.value)
    renamed = BIO.columns(own, parse_label_map(expected), "m").labels
    BIO.check(renamed, wanted, "m")
    assert "--abalo-types" not in str(caught.value)


def test_the_map_keeps_beginnings_and_insides_apart():
    own = ["O", "PER-B", "PER-I"]
    made = BIO.columns(own, parse_label_map("PER-B=B-PER,PER-I=I-PER"), "m")
    assert (made.labels, made.columns) == (("O", "B-PER", "I-PER"), (0, 1, 2))


def test_a_corpus_without_types_says_so():
    with pytest.raises(AbaloError, match="The tags of the corpus name no types"):
        BIO.check(["O", "B-PER"], ["B-ENTITY"], "m")


def test_types_of_several_entities_are_not_made_up():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "I-B", "I-I"], ["B-PER", "B-LOC"], "m")
    assert "--abalo-label-map MODEL_TYPE=CORPUS_TYPE" in str(caught.value)


def test_names_that_are_only_numbers_get_an_explanation_of_their_own():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["I-LABEL_0", "I-LABEL_1"], ["B-PER"], "m")
    assert "config.json has no id2label" in str(caught.value)
    assert str(caught.value).endswith("--abalo-label-map LABEL_0=O,LABEL_1=B-CORPUS_TYPE,LABEL_2=I-CORPUS_TYPE")
