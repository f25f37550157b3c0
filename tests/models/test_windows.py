import numpy as np
import pytest

from abalo.models.networks.windows import SPECIAL, Batches, Windows


@pytest.fixture
def windows():
    """Words of two, three and one piece: the first two in two windows of four and two pieces that share one."""
    return Windows(
        inputs={"input_ids": np.array([2, 10, 11, 12, 13, 3, 2, 13, 14, 3, 2, 20, 3])},
        words=np.array([SPECIAL, 0, 0, 1, 1, SPECIAL, SPECIAL, 1, 1, SPECIAL, SPECIAL, 2, SPECIAL]),
        lengths=np.array([6, 4, 3]),
        sentences=np.array([0, 0, 1]),
        step=3,
    )


LOGITS = np.array([[9], [1], [3], [4], [8], [9], [9], [2], [6], [9], [9], [5], [9]], dtype=np.float32)


def test_scores_of_a_word_are_the_mean_over_its_pieces_and_then_over_its_windows(windows):
    # Word 0: (1 + 3) / 2. Word 1: (4 + 8) / 2 in its first window, (2 + 6) / 2 in its second. Word 2: 5.
    np.testing.assert_array_equal(windows.mean_scores(LOGITS, 3), [[2], [5], [5]])


def test_first_scores_pass_over_windows_in_which_a_word_goes_on(windows):
    np.testing.assert_array_equal(windows.first_scores(LOGITS, 3), [[1], [4], [5]])


def test_a_first_piece_that_two_windows_share_counts_in_both():
    shared = Windows(
        inputs={},
        words=np.array([0, 1, 1, 2]),  # windows of two pieces that share one: [0, 1] and [1, 2]
        lengths=np.array([2, 2]),
        sentences=np.array([0, 0]),
        step=1,
    )
    logits = np.array([[1], [2], [4], [7]], dtype=np.float32)
    np.testing.assert_array_equal(shared.first_scores(logits, 3), [[1], [3], [7]])


def test_a_word_without_a_piece_does_not_pass(windows):
    with pytest.raises(ValueError, match="3 of 4 words have a piece"):
        windows.mean_scores(LOGITS, 4)


def test_batches_take_the_longest_first_within_a_budget_of_padded_pieces(windows):
    batches = Batches(windows, {"input_ids": 0})
    first, second = batches.take(0, 11), batches.take(1, 32)
    np.testing.assert_array_equal(first.inputs["input_ids"], [[2, 10, 11, 12, 13, 3]])
    np.testing.assert_array_equal(second.inputs["input_ids"], [[2, 13, 14, 3], [2, 20, 3, 0]])
    np.testing.assert_array_equal(second.mask, [[True] * 4, [True, True, True, False]])
    np.testing.assert_array_equal(second.cells, [6, 7, 8, 9, 10, 11, 12])


def test_a_window_over_the_budget_is_a_batch_of_its_own(windows):
    assert Batches(windows, {"input_ids": 0}).take(0, 1).mask.shape == (1, 6)


def taken(lengths: list[int], budget: int) -> list[list[int]]:
    """The lengths of the windows in each batch."""
    pieces = np.arange(sum(lengths))
    windows = Windows({"input_ids": pieces}, pieces, np.array(lengths), np.arange(len(lengths)), 1)
    batches, found, done = Batches(windows, {"input_ids": 0}), [], 0
    while done < len(lengths):
        found.append(batches.take(done, budget).mask.sum(axis=1).tolist())
        done += len(found[-1])
    return found


def test_a_batch_ends_where_windows_are_shorter_than_four_fifths_of_its_longest():
    assert taken([10, 9, 8, 7, 4, 3], 1000) == [[10, 9, 8, 7, 4, 3]]  # far from full: one forward costs more
    assert taken([10, 9, 8, 7, 4, 3], 100) == [[10, 9, 8], [7, 4, 3]]  # 25 pieces: three windows of 10, four of 7
    assert taken([10, 10, 5, 5, 5, 5], 60) == [[10, 10], [5, 5, 5, 5]]


def test_windows_of_the_same_pieces_are_read_once(windows):
    # A window of its own, that of the first sentence again, and one that only begins like it.
    again = Windows(
        inputs={"input_ids": np.array([2, 20, 3, 2, 13, 14, 3, 2, 20, 3, 2, 20, 21, 3])},
        words=np.array([SPECIAL, 0, SPECIAL, SPECIAL, 1, 1, SPECIAL, SPECIAL, 2, SPECIAL, SPECIAL, 3, 3, SPECIAL]),
        lengths=np.array([3, 4, 3, 4]),
        sentences=np.array([0, 1, 2, 3]),
        step=3,
    )
    distinct, places = again.distinct()
    np.testing.assert_array_equal(distinct.lengths, [3, 4, 4])
    np.testing.assert_array_equal(distinct.inputs["input_ids"], [2, 20, 3, 2, 13, 14, 3, 2, 20, 21, 3])
    np.testing.assert_array_equal(places, [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 7, 8, 9, 10])
    np.testing.assert_array_equal(distinct.inputs["input_ids"][places], again.inputs["input_ids"])
    all_of_them, places = windows.distinct()
    assert len(all_of_them) == 3
    np.testing.assert_array_equal(places, np.arange(13))


def test_windows_that_differ_in_another_input_are_not_the_same():
    one = np.array([2, 20, 3, 2, 20, 3])
    types = np.array([0, 0, 0, 0, 1, 0])
    words = np.array([SPECIAL, 0, SPECIAL, SPECIAL, 1, SPECIAL])
    both = Windows({"input_ids": one, "token_type_ids": types}, words, np.array([3, 3]), np.array([0, 1]), 3)
    assert len(both.distinct()[0]) == 2
