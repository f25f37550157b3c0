import sys

import pytest

from abalo.corpora import load
from abalo.corpora.hub import HubName, parse_hub_name

datasets = pytest.importorskip("datasets", reason="the hub extra is not installed: pip install 'abalo[hub]'")

NAMES = ["O", "B-PER", "I-PER", "B-LOC"]
TOKENS = [["Ann", "Smith", "left"], ["Rome"], ["Bob"]]
NUMBERS = [[1, 2, 0], [3], [1]]
TAGS = [["B-PER", "I-PER", "O"], ["B-LOC"], ["B-PER"]]
RENDERED = ["[Ann Smith PER] left", "[Rome LOC]", "[Bob PER]"]


@pytest.fixture(autouse=True)
def _offline_in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def made(columns, tags="ner_tags", each=None):
    features = datasets.Features(
        {name: datasets.List(datasets.Value("string")) for name in columns}
        | {tags: datasets.List(each or datasets.ClassLabel(names=NAMES))}
    )
    return datasets.Dataset.from_dict(columns, features=features)


def folder(data, name="./data", split="validation"):
    data.to_parquet(f"{name}/{split}.parquet")
    return name


@pytest.fixture
def data():
    """A folder with one split, `validation`, tags as numbers with names."""
    return folder(made({"tokens": TOKENS, "ner_tags": NUMBERS}))


def test_a_split_of_a_folder_is_read_with_the_names_of_its_tags(data, rendered):
    corpus = load(f"hub:{data}:validation")
    assert rendered(corpus) == RENDERED
    assert (corpus.name, corpus.scheme) == ("hub:./data:validation", "BIO")


def test_parts_of_speech_are_read_with_the_names_of_their_tags():
    names = datasets.List(datasets.ClassLabel(names=["NOUN", "VERB"]))
    kinds = [[i % 2 for i in range(len(tokens))] for tokens in TOKENS]
    data = made({"tokens": TOKENS, "ner_tags": NUMBERS}).add_column("pos_tags", kinds).cast_column("pos_tags", names)
    expected = tuple(tuple("VERB" if i % 2 else "NOUN" for i in range(len(tokens))) for tokens in TOKENS)
    assert load(f"hub:{folder(data)}:validation").parts_of_speech == expected


@pytest.mark.parametrize(
    "spec", ["hub:./data:validation:2", "hub:./data:validation[:2]", "hub:./data:default:validation:2"]
)
def test_a_number_at_the_end_takes_the_first_sentences(data, rendered, spec):
    assert rendered(load(spec)) == RENDERED[:2]


@pytest.mark.parametrize(("in_spec", "limit", "expected"), [(200, None, 3), (2, 3, 2), (3, 1, 1)])
def test_the_smaller_limit_counts(data, in_spec, limit, expected):
    assert len(load(f"hub:{data}:validation:{in_spec}", limit=limit).sentences) == expected


def test_other_column_names_and_tags_that_are_strings_are_found(rendered):
    name = folder(made({"words": TOKENS, "tags": TAGS}, tags="tags", each=datasets.Value("string")))
    assert rendered(load(f"hub:{name}:validation")) == RENDERED


def test_a_folder_of_json_lines_is_read_with_its_spacing(tmp_path):
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines" / "test.jsonl").write_text(
        '{"tokens": ["Ann", "."], "tags": ["B-PER", "O"], "spaces": ["", ""]}\n'
    )
    assert [sentence.text for sentence in load("hub:./lines:test").sentences] == ["Ann."]


def test_texts_with_spans_are_read(rendered):
    masks = [[{"value": "Ann", "start": 3, "end": 6, "label": "NAME"}], []]
    columns = {"source_text": ["Hi Ann", "Bye"], "privacy_mask": masks, "language": ["en", "en"]}
    name = folder(datasets.Dataset.from_dict(columns))
    assert rendered(load(f"hub:{name}:validation")) == ["Hi [Ann NAME]", "Bye"]


def test_what_save_to_disk_wrote_is_read(rendered):
    data = made({"tokens": TOKENS, "ner_tags": NUMBERS})
    datasets.DatasetDict(validation=data).save_to_disk("./saved")
    data.save_to_disk("./single")
    assert rendered(load("hub:./saved:validation:200")) == RENDERED
    assert rendered(load("hub:./single:train")) == RENDERED


def test_an_unknown_split_of_what_save_to_disk_wrote_is_an_error_with_the_nearest(refusal):
    datasets.DatasetDict(validation=made({"tokens": TOKENS, "ner_tags": NUMBERS})).save_to_disk("./saved")
    assert refusal("hub:./saved:validaton") == (
        "hub:./saved:validaton: no split 'validaton'; expected one of validation; did you mean 'validation'?"
    )
    assert refusal("hub:./saved:pt:validation") == (
        "hub:./saved:pt:validation: a data set saved to disk has no configurations; leave out 'pt'"
    )


def test_an_unknown_split_is_an_error_that_lists_the_known(data, refusal):
    message = refusal(f"hub:{data}:dev")
    assert message.startswith("hub:./data:dev: datasets cannot load it: ValueError: Unknown split")
    assert "validation" in message
    assert message.endswith("; check the name, the configuration, the split and the connection")


def test_a_folder_that_is_not_there_is_an_error(refusal):
    assert refusal("hub:./nowhere:train") == (
        "hub:./nowhere:train: there is no folder ./nowhere; expected a folder of data files, or a hub id"
    )


def test_a_missing_column_is_an_error_that_lists_those_there(refusal):
    name = folder(made({"tokens": TOKENS, "labels": TAGS}, tags="labels", each=datasets.Value("string")))
    assert refusal(f"hub:{name}:validation") == (
        "hub:./data:validation: no column 'ner_tags' or 'tags'; it has 'tokens', 'labels'; "
        "name the columns: hub:./data:validation?tokens=COLUMN&tags=COLUMN"
    )


def test_numbers_without_names_are_an_error(refusal):
    name = folder(made({"tokens": TOKENS, "ner_tags": NUMBERS}, each=datasets.Value("int64")))
    assert refusal(f"hub:{name}:validation") == (
        "hub:./data:validation: 'ner_tags' holds numbers, and the data set does not name the tags they stand for; "
        "expected tags, or a ClassLabel feature; write the sentences as JSONL with their tags and give that file"
    )


def test_bad_rows_are_one_error_with_their_numbers_from_0(refusal):
    name = folder(made({"tokens": [["Ann", "left"], ["Bob"], ["Rome", "Bob"]], "ner_tags": [[1], [-1], [3, 2]]}))
    *lines, last = refusal(f"hub:{name}:validation").splitlines()
    assert last.startswith("  hub:./data:validation row 2: 'Bob' is I-PER without a B-PER before it")
    assert lines == [
        "hub:./data:validation: 3 problems",
        "  hub:./data:validation row 0: 'tokens' holds 2, 'tags' 1; expected one tag for each token",
        "  hub:./data:validation row 1: a tag is -1; expected a number from 0 to 3, as the tags are named",
    ]


def test_loading_shows_no_progress_where_nobody_watches(data, capfd):
    load(f"hub:{data}:validation")
    assert capfd.readouterr() == ("", "")
    assert not datasets.are_progress_bars_disabled()


def test_loading_leaves_progress_as_it_is_where_the_user_switched_it_off(data):
    datasets.disable_progress_bars()
    try:
        load(f"hub:{data}:validation")
        assert datasets.are_progress_bars_disabled()
    finally:
        datasets.enable_progress_bars()


def test_a_row_without_tags_is_an_error(refusal):
    name = folder(made({"tokens": [["Ann"]], "ner_tags": [None]}))
    assert refusal(f"hub:{name}:validation") == (
        "hub:./data:validation row 0: 'tags' is None; expected a list of strings"
    )


def test_without_the_library_the_error_names_the_extra(data, refusal, monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert refusal("hub:./data:validation") == (
        "hub:./data:validation: data sets need the datasets library: pip install 'abalo[hub]'"
    )


def test_a_folder_that_save_to_disk_wrote_needs_no_prefix(rendered):
    data = made({"tokens": TOKENS, "ner_tags": NUMBERS})
    data.save_to_disk("./single")
    datasets.DatasetDict(test=data).save_to_disk("./lone")
    for name in ("./single", "./lone", "./lone/test"):
        assert rendered(load(name)) == RENDERED
    assert (load("single").name, load("single", limit=1).sentences) == ("single", load("single").sentences[:1])


def test_a_folder_of_several_splits_asks_which(refusal):
    data = made({"tokens": TOKENS, "ner_tags": NUMBERS})
    datasets.DatasetDict(train=data, test=data).save_to_disk("./saved")
    assert refusal("./saved") == "./saved: holds 2 splits; expected one of train, test; give hub:./saved:SPLIT"


def test_a_saved_folder_without_the_library_is_an_error_with_the_line_to_run(refusal, monkeypatch):
    made({"tokens": TOKENS, "ner_tags": NUMBERS}).save_to_disk("./single")
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert refusal("./single") == "./single: data sets need the datasets library: pip install 'abalo[hub]'"


def test_a_saved_data_set_without_rows_is_told_as_such(refusal):
    nothing = made({"tokens": TOKENS, "ner_tags": NUMBERS}).select([])
    nothing.save_to_disk("./nothing")
    datasets.DatasetDict(test=nothing).save_to_disk("./split")
    assert refusal("./nothing") == "./nothing: the data set has no rows; expected sentences; save it with some"
    assert refusal("./split").startswith("./split: the data set has no rows in its split test; ")


@pytest.mark.parametrize("damage", ["cut short", "away", "no JSON"])
def test_a_damaged_folder_of_save_to_disk_is_one_error(refusal, damage, tmp_path):
    made({"tokens": TOKENS, "ner_tags": NUMBERS}).save_to_disk("./single")
    (table,) = (tmp_path / "single").glob("*.arrow")
    if damage == "cut short":
        table.write_bytes(table.read_bytes()[:100])
    elif damage == "away":
        table.unlink()
    else:
        (tmp_path / "single" / "state.json").write_text("{")
    assert refusal("./single").startswith("./single: datasets cannot load it: ")


def test_a_file_of_a_saved_folder_names_the_folder(refusal, tmp_path):
    made({"tokens": TOKENS, "ner_tags": NUMBERS}).save_to_disk("./single")
    (table,) = (tmp_path / "single").glob("*.arrow")
    assert refusal(str(table)).endswith(
        ".arrow: an Arrow file; give the folder that save_to_disk wrote, in which it is"
    )


def test_a_parquet_file_names_the_way_to_read_it(data, refusal):
    assert refusal("data/validation.parquet") == (
        "data/validation.parquet: a Parquet file; put it in a folder by the name of its split and give hub:FOLDER:SPLIT"
    )


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("hub:conll2003:validation", HubName("conll2003", None, "validation", None)),
        ("hub:org/wikiann:pt:test:200", HubName("org/wikiann", "pt", "test", 200)),
        ("hub:org/wikiann:pt:test[:200]", HubName("org/wikiann", "pt", "test", 200)),
        ("hub:./path/to/dir:validation:200", HubName("./path/to/dir", None, "validation", 200)),
    ],
)
def test_a_hub_name_is_taken_apart(spec, name):
    assert parse_hub_name(spec) == name


@pytest.mark.parametrize(
    "spec", ["hub:", "hub:conll2003", "hub:conll2003:200", "hub:a:b:c:d", "hub::train", "hub:a:train:0"]
)
def test_a_hub_name_of_another_form_is_an_error(spec, refusal):
    assert refusal(spec) == (
        f"{spec}: cannot be read; expected hub:<dataset>[:config]:<split>[:200], such as "
        "hub:conll2003:validation:200 or hub:./folder:train"
    )
