"""Options of a run, read back from its report to measure its model again."""

from pathlib import Path

import pytest

from abalo.config.options import make_options, recorded_options, remake_options
from abalo.errors import AbaloError

GIVEN = {
    "model": "models:make",
    "limit": 40,
    "label_map": "PER=PESSOA",
    "markers": "<s>,</s>,<o>,</o>",
    "repeats": 3,
}


def test_every_option_that_a_report_records_is_read_back():
    made = make_options(thresholds=Path("thresholds.toml"), seeds=(4,), **GIVEN)
    assert remake_options(recorded_options(made), {}) == made
    assert remake_options(recorded_options(made), {"limit": 9, "repeats": 1}).limit == 9


def test_a_former_option_that_was_recorded_has_to_stand_behind_the_corpus():
    recorded = recorded_options(make_options(thresholds=Path("thresholds.toml"), corpus="dev.conll"))
    assert remake_options({**recorded, "lenient": False, "scheme": None}, {}).corpus == "dev.conll"
    old = {**recorded, "lenient": True}
    with pytest.raises(AbaloError, match=r'lenient: is a setting of the corpus now: .* "FILE\?lenient"$'):
        remake_options(old, {})
    assert remake_options(old, {"corpus": "dev.conll?lenient"}).corpus == "dev.conll?lenient"
