"""How a slice compares to the rest."""

import math
from dataclasses import replace

import pytest

from abalo.tasks.ner.task import TASK
from perturbations import parse
from tests.scripted import measured, outcome


def gap(*outcomes, kind=None):
    return measured(outcomes).estimate("f1_gap", kind).value


def said(text: str, predicted: str, *, outside: bool):
    return outcome(text, parse(predicted).tags, outside=outside)


FOUND_OUTSIDE = said("[Ana PER] viu [Rui PER]", "[Ana PER] viu [Rui PER]", outside=True)
HALF_INSIDE = said("[Eva PER] viu [Ivo PER]", "[Eva PER] viu Ivo", outside=False)


def test_the_gap_is_f1_outside_less_f1_inside():
    assert gap(FOUND_OUTSIDE, HALF_INSIDE) == pytest.approx(1 - 2 / 3)
    swapped = [replace(each, outside=not each.outside) for each in (FOUND_OUTSIDE, HALF_INSIDE)]
    assert gap(*swapped) == pytest.approx(2 / 3 - 1)


def test_counts_add_up_on_either_side():
    missed = said("[Lia PER] viu", "Lia viu", outside=False)
    assert gap(FOUND_OUTSIDE, HALF_INSIDE, missed) == pytest.approx(1 - 2 / 4)


def test_an_invented_entity_counts_without_gold():
    invented = said("nada aqui", "[nada PER] aqui", outside=False)
    assert gap(FOUND_OUTSIDE, invented) == 1


@pytest.mark.parametrize("outcomes", [(FOUND_OUTSIDE,), (HALF_INSIDE,)])
def test_without_a_side_there_is_no_gap(outcomes):
    assert math.isnan(gap(*outcomes))
    nothing = said("nada aqui", "nada aqui", outside=not outcomes[0].outside)
    assert math.isnan(gap(*outcomes, nothing))


def test_types_have_gaps_of_their_own():
    inside = said("[Eva PER] em [Natal LOC]", "Eva em [Natal LOC]", outside=False)
    outside = said("[Ana PER] em [Belém LOC]", "[Ana PER] em [Belém LOC]", outside=True)
    assert gap(inside, outside, kind="PER") == 1
    assert gap(inside, outside, kind="LOC") == 0


def test_it_is_measured_of_slices_alone():
    metric = TASK.metrics()["f1_gap"]
    assert [name for name in TASK.probes if metric.fits(name)] == ["slice"]
