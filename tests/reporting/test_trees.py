"""Trees in the report: what is written above the arcs can be read."""

import re
from itertools import combinations

from abalo.core.documents.blocks import DrawnTree, TreeArc
from abalo.reporting.drawing.trees import draw_tree

LABEL = re.compile(r'<text x="([\d.]+)" y="([\d.]+)">([^<]+)</text>')


def labels_of(tree):
    return [(float(x), float(y), text) for x, y, text in LABEL.findall(str(draw_tree(tree)))]


def test_long_labels_of_neighbouring_arcs_stand_one_above_the_other():
    words = ("umfassendsten", "a", "international")
    arcs = (TreeArc(0, 1, "nmod:tmod:longer"), TreeArc(1, -1, "root"), TreeArc(2, 1, "nsubj:pass:longer", "obj"))
    left, right = (each for each in labels_of(DrawnTree(words, arcs, "a tree")) if "longer" in each[2])
    assert abs(left[1] - right[1]) >= 20


def test_short_labels_of_neighbouring_arcs_stay_side_by_side():
    arcs = (TreeArc(0, 1, "det"), TreeArc(1, -1, "root"), TreeArc(2, 1, "punct"))
    found = [y for _, y, text in labels_of(DrawnTree(("the", "house", "."), arcs, "a tree")) if text != "root"]
    assert len(set(found)) == 1


def test_up_to_nine_levels_no_two_labels_overlap():
    words = tuple("abcdefgh")
    arcs = tuple(TreeArc(k, (k + 3) % 8 if k != 4 else -1, "compound:prt") for k in range(8))
    found = labels_of(DrawnTree(words, arcs, "a tree"))
    for one, other in combinations(found, 2):
        assert abs(one[0] - other[0]) >= 5 * len("compound:prt") or one[1] != other[1], (one, other)
