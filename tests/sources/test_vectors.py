"""Synonyms from word vectors."""

import gzip
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.errors import AbaloError
from abalo.sources import Synonym
from abalo.sources.loading import load_synonyms
from abalo.sources.vectors import VectorSynonyms, WordVectors, read_vectors
from perturbations import Sentence

# Lengths 5, 5, 1, 1, 10: cosines with cat are dog 24/25, tom 3/5, sun 4/5 and rat -1.
ROWS = "cat 3 4\ndog 4 3\ntom 1 0\nsun 0 1\nrat -6 -8\n"


@pytest.fixture
def file(tmp_path):
    def written(text: str, name: str = "v.txt"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return written


def test_the_cosines_are_those_worked_out_by_hand_and_the_most_similar_come_first(file, site):
    source = load_synonyms(f"vectors:{file(ROWS)}")
    assert source.of([site("cat")]) == [(Synonym("dog", 0.96), Synonym("sun", 0.8), Synonym("tom", 0.6))]


def test_the_threshold_is_not_reached_by_a_cosine_equal_to_it(file, words_of):
    path = file(ROWS)
    assert words_of(load_synonyms(f"vectors:{path}", least=0.6), "cat") == ["dog", "sun"]
    assert words_of(load_synonyms(f"vectors:{path}", least=0.59), "cat") == ["dog", "sun", "tom"]
    assert words_of(load_synonyms(f"vectors:{path}", least=-1), "cat") == ["dog", "sun", "tom"]


def test_no_more_than_asked_are_given_and_ties_go_by_the_alphabet(file, words_of):
    path = file("cat 1 0\nd 2 0\nb 3 0\nc 0.5 0\na 9 0.0\n")
    assert words_of(load_synonyms(f"vectors:{path}", most=3), "cat") == ["a", "b", "c"]


def test_a_word_without_a_vector_is_looked_up_in_lower_case_and_answered_in_its_own(file, words_of):
    source = load_synonyms(f"vectors:{file(ROWS + 'Cat 0 1')}", least=0.9)
    assert words_of(source, "CAT") == ["DOG"]
    assert words_of(source, "Cat") == ["Sun"]
    assert words_of(source, "bird") == []


def test_a_vector_of_zeros_is_like_nothing(file, words_of):
    path = file("cat 0 0\ndog 1 0\n")
    source = load_synonyms(f"vectors:{path}", least=0.1)
    assert words_of(source, "cat") == words_of(source, "dog") == []


@pytest.mark.parametrize("name", ["v.vec", "v.vec.gz"])
def test_a_first_line_of_counts_trailing_spaces_and_compression_change_nothing(file, name):
    found = read_vectors(file("5 2\r\n" + ROWS.replace("\n", " \r\n"), name))
    assert found.words == ("cat", "dog", "tom", "sun", "rat")
    assert np.allclose(found.unit, [[0.6, 0.8], [0.8, 0.6], [1, 0], [0, 1], [-0.6, -0.8]])
    assert found.unit.dtype == np.float32


def test_numpy_arrays_say_the_same_as_text(file, tmp_path, site):
    text = read_vectors(file(ROWS))
    np.savez(tmp_path / "v.npz", words=text.words, vectors=text.unit)
    arrays = load_synonyms(f"vectors:{tmp_path / 'v.npz'}")
    assert arrays.of([site("cat")]) == VectorSynonyms(text, 50, 0.5).of([site("cat")])


def test_the_first_of_two_vectors_of_a_word_counts(file, tmp_path):
    found = read_vectors(file("cat 1 0\ndog 0 1\ncat 0 1\n"))
    assert (found.words, found.unit.tolist()) == (("cat", "dog"), [[1, 0], [0, 1]])
    np.savez(tmp_path / "v.npz", words=["dog", "cat", "dog"], vectors=[[0, 2], [2, 0], [2, 2]])
    found = read_vectors(tmp_path / "v.npz")
    assert (found.words, found.unit.tolist()) == (("dog", "cat"), [[0, 1], [1, 0]])


def test_what_has_a_space_in_it_is_left_out_and_other_white_space_ends_no_word(file):
    assert read_vectors(file("cat 3 4\n. . 1 1\na\u2028b 1 1\n")).words == ("cat", "a\u2028b")


def test_only_the_first_rows_are_read_where_so_asked(file, tmp_path):
    path = file("5 2\n" + ROWS)
    assert load_synonyms(f"vectors:{path}:2").name.startswith("vectors v.txt (2 words × 2, ")
    np.savez(tmp_path / "v.npz", words=["a", "b", "c"], vectors=np.eye(3))
    assert read_vectors(tmp_path / "v.npz", 2).words == ("a", "b")


def test_the_name_tells_all_that_changes_the_answers(file):
    source = load_synonyms(f"vectors:{file(ROWS)}", most=10, least=0.7)
    assert re.fullmatch(r"vectors v\.txt \(5 words × 2, [0-9a-f]{8}\), at most 10 above 0\.7", source.name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a word and its numbers, with single spaces between"),
        ("cat\n", "line 1: expected a word and its numbers, with single spaces between"),
        ("5 2\n", "holds no vectors"),
        ("cat 3 4\ndog 4\n", "line 2: 1 numbers; expected 2, as the lines before; correct it"),
        ("2 3\ncat 3 4\n", "line 2: 2 numbers; expected 3, as the lines before; correct it"),
        ("cat 3 4\ndog 4 3 2\n", "line 2: 3 numbers; expected 2, as the lines before; correct it"),
        ("cat 3 4\ndog 4 x\n", "line 2: a value is no number; expected a word and 2 numbers"),
        ("cat 3 4\ndog nan 3\n", "line 2: the vector of 'dog' holds NaN or infinity; leave the line out"),
        ("cat 3 4\ndog 1 1e60\n", "line 2: the vector of 'dog' holds NaN or infinity; leave the line out"),
    ],
)
def test_what_is_wrong_in_a_text_file_is_said_with_the_line(file, text, message):
    path = file(text)
    with pytest.raises(AbaloError) as caught:
        read_vectors(path)
    assert str(caught.value).startswith(f"vectors:{path}")
    assert message in str(caught.value)


def test_binary_and_broken_files_are_errors(tmp_path, file):
    (tmp_path / "v.bin").write_bytes(b"1 2\ncat \xff\xfe\x00\x01")
    with pytest.raises(AbaloError, match=r"not UTF-8 text .*; the binary formats cannot be read"):
        read_vectors(tmp_path / "v.bin")
    cut = file(ROWS * 99, "v.gz")
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(AbaloError, match="cannot be read: "):
        read_vectors(cut)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": ["cat"]}, "expected the arrays words (text) and vectors (numbers)"),
        ({"words": np.array(["cat"], dtype=object), "vectors": np.eye(1)}, "expected the arrays words (text)"),
        ({"words": [1], "vectors": np.eye(1)}, "words are int64 of shape (1,)"),
        ({"words": ["cat", "dog"], "vectors": np.eye(3)}, "expected text of shape (n,) and numbers of shape"),
        ({"words": ["cat", "dog"], "vectors": [[0.0, 1.0], [np.inf, 0.0]]}, "the vector of 'dog' holds NaN"),
        ({"words": np.array([], dtype=str), "vectors": np.zeros((0, 3))}, "holds no vectors"),
    ],
)
def test_what_is_wrong_in_arrays_is_said(tmp_path, arrays, message):
    np.savez(tmp_path / "v.npz", **arrays)
    with pytest.raises(AbaloError, match=re.escape(message)):
        read_vectors(tmp_path / "v.npz")


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut short"])
def test_a_file_that_only_claims_to_be_arrays_is_an_error(tmp_path, content):
    (tmp_path / "v.npz").write_bytes(content)
    with pytest.raises(AbaloError, match="expected the arrays"):
        read_vectors(tmp_path / "v.npz")


def test_an_array_of_its_own_is_an_error(tmp_path):
    np.save(tmp_path / "v.npy", np.eye(2))
    with pytest.raises(AbaloError, match="expected the arrays"):
        read_vectors((tmp_path / "v.npy").rename(tmp_path / "v.npz"))


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=2, max_size=40),
    st.integers(1, 5),
    st.sampled_from([-1.0, 0.0, 0.5]),
)
def test_asked_together_or_alone_the_answers_are_those_of_plain_arithmetic(rows, most, least):
    numbers = np.array(rows, dtype=np.float64)
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    unit = (numbers / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    words = tuple(f"w{k:02}" for k in range(len(rows)))
    vectors = WordVectors("v", words, unit)
    sites = [(Sentence((word,)), 0) for word in words]
    together = VectorSynonyms(vectors, most, least).of(sites)
    alone = [VectorSynonyms(vectors, most, least).of([site])[0] for site in sites]
    plain = []
    for k in range(len(words)):
        pairs = [
            (round(sum(a * b for a, b in zip(unit[k].tolist(), unit[i].tolist(), strict=True)), 6), words[i])
            for i in range(len(words))
            if i != k
        ]
        near = sorted((pair for pair in pairs if pair[0] > least), key=lambda pair: (-pair[0], pair[1]))[:most]
        plain.append(tuple(Synonym(word, cosine + 0.0) for cosine, word in near))
    assert together == alone == plain


def test_a_byte_order_mark_is_no_part_of_the_first_word(tmp_path, words_of):
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b"bom 1 0\nbon 1 0.1\n")
    source = VectorSynonyms(read_vectors(path), 5, 0.5)
    assert words_of(source, "bom") == ["bon"]


def test_complex_numbers_are_no_vectors(tmp_path):
    path = tmp_path / "complex.npz"
    np.savez(path, words=np.array(["a"]), vectors=np.array([[1 + 2j]]))
    with pytest.raises(AbaloError, match="expected the arrays words"):
        read_vectors(path)
