"""Which cases of a file a run leaves out."""

import pytest

from abalo.pytest_plugin import cases

BLOCKING = "[[ner.accents]]\nmax_f1_drop = 0.5\n"
IDLE = '[[ner.slice]]\nof = "length"\nblocking = false\n'
QUICK = ("--abalo-profile", "quick")


@pytest.mark.parametrize(
    ("written", "profile", "run", "left"),
    [
        (BLOCKING + IDLE, (), {"accents", "slice"}, 0),
        (BLOCKING + IDLE, QUICK, {"accents"}, 1),
        (IDLE, QUICK, {"slice"}, 0),  # else nothing would run
        (BLOCKING, QUICK, {"accents"}, 0),
    ],
)
def test_a_quick_run_leaves_out_what_cannot_fail_it(project, monkeypatch, written, profile, run, left):
    counts, leave_out = {}, cases.leave_out

    def counted(config, items, gone, why):
        counts[why] = len(gone)
        leave_out(config, items, gone, why)

    monkeypatch.setattr(cases, "leave_out", counted)
    project.write("thresholds.toml", f"[gate]\nlanguage = 'pt'\n{written}")
    said = project.run("--collect-only", "-q", *profile).stdout.str()
    assert {name for name in ("accents", "slice") if f"test_{name}" in said} == run
    assert counts.get("that cannot fail a quick run", 0) == left
