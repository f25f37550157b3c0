"""Options of a run, read back from its report to measure its model again."""

from pathlib import Path

from abalo.config.options import make_options, recorded_options, remake_options

GIVEN = {
    "model": "models:make",
    "limit": 40,
    "label_map": "PER=PESSOA",
    "negative": "Other",
    "markers": "<s>,</s>,<o>,</o>",
    "singletons": "drop",
    "repeats": 3,
}


def test_every_option_that_a_report_records_is_read_back():
    made = make_options(thresholds=Path("thresholds.toml"), seeds=(4,), **GIVEN)
    assert remake_options(recorded_options(made), {}) == made
    assert remake_options(recorded_options(made), {"limit": 9, "repeats": 1}).limit == 9
