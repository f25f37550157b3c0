from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abalo.corpora import Corpus, load, write_conll, write_jsonl
from abalo.errors import AbaloError
from perturbations import Sentence, parse

characters = st.characters(exclude_categories=["Cs"])
kinds = st.sampled_from(["PER", "LOC", "creative-work", "É"])
gaps = st.text(alphabet=" \t\n\r\u00a0\u2028", max_size=3)
everywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def tokens(alphabet):
    return st.text(alphabet, min_size=1, max_size=6).filter(str.strip)


@st.composite
def labelled(draw, words, spacing=False):
    """A sentence of well-formed BIO with one to three stretches, each an entity or not."""
    stretches = draw(
        st.lists(st.tuples(st.none() | kinds, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=3)
    )
    tags = [
        "O" if kind is None else f"{'I' if i else 'B'}-{kind}"
        for kind, stretch in stretches
        for i in range(len(stretch))
    ]
    strings = tuple(word for _, stretch in stretches for word in stretch)
    spaces = tuple(draw(gaps) for _ in strings) if spacing else ()
    return Sentence(strings, tuple(tags), spaces)


in_columns = labelled(tokens(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\0")))
in_records = labelled(tokens(characters), spacing=True)


def corpus_or_message(path, lenient):
    try:
        return load(f"{path}{lenient}")
    except AbaloError as error:
        return str(error)


@everywhere
@given(sentences=st.lists(in_columns, min_size=1, max_size=4))
def test_what_is_written_in_columns_is_read_back_as_it_was(sentences, tmp_path):
    path = tmp_path / "corpus.conll"
    write_conll(Corpus("made up", tuple(sentences)), path)
    assert replace(load(str(path)), notices=()) == Corpus(str(path), tuple(sentences))


@everywhere
@given(sentences=st.lists(in_records, min_size=1, max_size=4))
def test_what_is_written_as_json_lines_is_read_back_as_it_was(sentences, tmp_path):
    path = tmp_path / "corpus.jsonl"
    write_jsonl(Corpus("made up", tuple(sentences)), path)
    assert replace(load(str(path)), notices=()) == Corpus(str(path), tuple(sentences))


@everywhere
@given(
    content=st.binary(max_size=60) | st.text("aB-IOX#\t \r\n", max_size=60).map(str.encode),
    lenient=st.sampled_from(["", "?lenient"]),
)
@pytest.mark.parametrize("name", ["any.conll", "any.jsonl"])
def test_any_file_is_a_corpus_or_one_error_that_names_it(content, lenient, name, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    outcome = corpus_or_message(path, lenient)
    if isinstance(outcome, str):
        assert outcome.startswith(str(path))
    else:
        assert outcome.sentences
        assert lenient or outcome.repairs == 0


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_parts_of_speech_are_read_back(write, tmp_path):
    kinds = (("PROPN", "VERB"), ("PROPN", "PROPN"))
    corpus = Corpus("made up", (parse("[Ann PER] left"), parse("[Paris LOC] [Rome LOC]")), parts_of_speech=kinds)
    path = tmp_path / f"corpus.{write.__name__.removeprefix('write_')}"
    write(corpus, path)
    assert load(str(path)).parts_of_speech == kinds


def test_both_formats_hold_the_same_corpus(tmp_path):
    corpus = Corpus("made up", (parse("[Ann Smith PER] left"), parse("[Paris LOC] [Rome LOC]")))
    write_conll(corpus, tmp_path / "a.conll")
    write_jsonl(corpus, tmp_path / "a.jsonl")
    assert (tmp_path / "a.conll").read_text(encoding="utf-8") == (
        "Ann\tB-PER\nSmith\tI-PER\nleft\tO\n\nParis\tB-LOC\nRome\tB-LOC\n"
    )
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == (
        '{"tokens": ["Ann", "Smith", "left"], "tags": ["B-PER", "I-PER", "O"]}\n'
        '{"tokens": ["Paris", "Rome"], "tags": ["B-LOC", "B-LOC"]}\n'
    )
    assert load(str(tmp_path / "a.conll")).sha256 == load(str(tmp_path / "a.jsonl")).sha256 == corpus.sha256


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        (Sentence(("10 000",), ("O",)), "has '10 000'"),
        (Sentence(("a\rb",), ("O",)), r"has 'a\rb'"),
        (Sentence(("a",), ("B-work of art",)), "has 'B-work of art'"),
        (Sentence(("-DOCSTART-",), ("O",)), "has '-DOCSTART-'"),
        (Sentence(("a", "."), ("O", "O"), ("", "")), "has spacing other than one space between tokens"),
        (Sentence((), ()), "has no tokens"),
    ],
    ids=["space", "carriage-return", "type", "docstart", "spacing", "empty"],
)
def test_what_columns_cannot_hold_is_refused(sentence, what, tmp_path):
    path = tmp_path / "corpus.conll"
    with pytest.raises(AbaloError) as caught:
        write_conll(Corpus("made up", (parse("Ann"), sentence)), path)
    assert str(caught.value) == (
        f"{path}: sentence 2 {what}, which CoNLL columns cannot hold; write JSON lines: a .jsonl file"
    )
    assert not path.exists()


@pytest.mark.parametrize(
    ("sentence", "what"),
    [(Sentence(("\ud83d",), ("O",)), "half of a surrogate pair"), (Sentence((), ()), "no tokens")],
    ids=["half-a-surrogate-pair", "empty"],
)
def test_what_json_lines_cannot_hold_is_refused(sentence, what, tmp_path):
    path = tmp_path / "corpus.jsonl"
    with pytest.raises(AbaloError) as caught:
        write_jsonl(Corpus("made up", (sentence,)), path)
    assert str(caught.value) == f"{path}: sentence 1 has {what}, which cannot be read back; leave it out or correct it"


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_an_empty_corpus_is_not_written(write, tmp_path):
    with pytest.raises(AbaloError, match="made up has no sentences to write"):
        write(Corpus("made up", ()), tmp_path / "corpus")


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_a_folder_that_is_not_there_is_made(write, tmp_path):
    path = tmp_path / "nowhere" / "corpus"
    write(Corpus("made up", (parse("Ann"),)), path)
    assert path.is_file()


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_writing_that_is_cut_short_leaves_the_old_file_and_nothing_else(write, tmp_path, monkeypatch):
    path = tmp_path / "corpus"
    path.write_text("old")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(AbaloError, match="cannot be written: No space left on device"):
        write(Corpus("made up", (parse("Ann"),)), path)
    assert [child.name for child in tmp_path.iterdir()] == ["corpus"]
    assert path.read_text() == "old"


@everywhere
@given(
    sentences=st.lists(in_columns, min_size=1, max_size=3),
    values=st.lists(st.text() | st.integers()) | st.text() | kinds,
)
@pytest.mark.parametrize(("write", "name"), [(write_conll, "a.conll"), (write_jsonl, "a.jsonl")])
def test_notes_beside_sentences_are_skipped_by_the_reader(write, name, sentences, values, tmp_path):
    notes = [{"id": f"{number}/O", "values": values} for number in range(len(sentences))]
    write(Corpus("made up", tuple(sentences)), tmp_path / name, notes)
    assert load(str(tmp_path / name)).sentences == tuple(sentences)
    assert b"0/O" in (tmp_path / name).read_bytes()


def test_a_note_stays_on_its_line_whatever_it_holds(tmp_path):
    write_conll(
        Corpus("made up", (parse("[Ann PER] left"),)),
        tmp_path / "a.conll",
        [{"said": "a\nO\u2028", "tag": "O", "to": "b"}],
    )
    text = (tmp_path / "a.conll").read_text("utf-8")
    assert text == '# said = "a\\nO\\u2028"\n# tag = "O"\n# to = b\nAnn\tB-PER\nleft\tO\n'
