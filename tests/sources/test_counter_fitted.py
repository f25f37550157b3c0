"""Vectors fitted to lists of synonyms and antonyms (benchmarks/counter_fitted.py), on five words."""

import numpy as np
import pytest

from benchmarks.counter_fitted import fitted, read

ANGLES = {"warm": 0, "hot": 60, "cold": -30, "icy": -50, "boat": 200}


def test_synonyms_come_near_antonyms_part_and_neighbours_stay():
    vectors = np.array([[np.cos(np.radians(each)), np.sin(np.radians(each))] for each in ANGLES.values()], np.float32)
    after = fitted(vectors, np.array([[0, 1]]), np.array([[0, 2]]))
    cosine = after @ after.T
    assert np.linalg.norm(after, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert cosine[0, 1] > 0.95, "0.5 before"
    assert cosine[0, 2] < 0.05, "0.87 before"
    assert cosine[2, 3] > 0.9, "neighbours that no list names"


def test_a_pair_is_read_once_whichever_word_comes_first(tmp_path):
    file = tmp_path / "list.tsv"
    file.write_text("# A list.\nhot\tADJ\twarm|hot\nwarm\tADJ\thot|mild\n", "utf-8")
    assert read(file) == [("hot", "warm"), ("mild", "warm")]
