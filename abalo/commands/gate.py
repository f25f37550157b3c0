"""``abalo gate``: judge scores that others made against a reference."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from abalo.commands.options import Commands
from abalo.commands.output import add_output_options, output_of, say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

_THRESHOLDS = "thresholds.toml"


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "gate",
        mixes=True,
        usage="abalo gate [-h] [OLD] NEW [--metric NAME] [--max-loss LOSS] [--minimum SCORE] [--out DIR] …",
        help="judge scores of any evaluation against earlier scores",
        description="Reads two files with a score for each example, and judges whether the new scores are worse. It "
        "reads JSON Lines and CSV with the columns id and score, and logs of Inspect (.eval, JSON), lm-eval "
        "(samples_*.jsonl, or their folder) and promptfoo (JSON). Rows may have the columns metric, run, cluster, "
        "slice and weight. A file without a column score holds one metric in each column that --metric names. The exit "
        "code is 0; 1 if a metric, a slice or a limit failed; 10 if nothing was decided; 2 if a file cannot be judged. "
        "Limits of each metric can be written in [[scores.NAME]] of thresholds.toml here.",
        epilog=example("abalo gate old.jsonl new.jsonl --max-loss 0.02 --out reports/gate"),
    )
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="[OLD] NEW",
        help="file of earlier scores, or a folder that abalo accept made, and file of new scores; without OLD, the "
        "reference is that of --against",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="accepted scores, such as references/answers (default: against of [gate], if that folder holds scores)",
    )
    parser.add_argument(
        "--thresholds", type=Path, metavar="FILE", help="thresholds file (default: thresholds.toml here, if it exists)"
    )
    columns = parser.add_argument_group("columns")
    columns.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="judge this metric alone, or read this column as scores, such as faithfulness; may be repeated",
    )
    columns.add_argument("--id", metavar="COLUMN", default="id", help="column that identifies an example (default: id)")
    columns.add_argument(
        "--cluster",
        metavar="COLUMN",
        default="cluster",
        help="column of examples that belong together, such as document (default: cluster)",
    )
    columns.add_argument(
        "--slice",
        action="append",
        metavar="COLUMN",
        help="column of parts to judge too, such as language; may be repeated (default: slice)",
    )
    rules = parser.add_argument_group("limits, for every metric that is judged")
    rules.add_argument(
        "--max-loss",
        type=float,
        metavar="LOSS",
        help="largest loss of the mean as a share of the range, such as 0.02; without a range, in the unit of the "
        "scores (default: max_loss of [gate], 0.01)",
    )
    rules.add_argument("--minimum", type=float, metavar="SCORE", help="smallest mean of the new scores, such as 0.8")
    rules.add_argument("--maximum", type=float, metavar="SCORE", help="largest mean of the new scores, such as 2.5")
    rules.add_argument(
        "--max-newly-wrong",
        type=float,
        metavar="SHARE",
        help="largest share of examples that were right and are wrong now, such as 0.02, for scores 0 and 1, one of "
        "each example",
    )
    rules.add_argument(
        "--range",
        metavar="LOW,HIGH",
        help="smallest and largest score, such as 1,5, or none; losses are shares of it (default: 0,1)",
    )
    rules.add_argument("--better", choices=("more", "less"), help="whether more or less is better (default: more)")
    rules.add_argument(
        "--missing",
        choices=("worst", "drop"),
        help="an example or a run without a new score has the worst score, or is dropped (default: worst)",
    )
    add_output_options(parser, "gate")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints and writes the judged scores; returns the exit code."""
    from dataclasses import replace

    from abalo.reporting.formats.score_files import score_files, score_page
    from abalo.reporting.runs.kept_scores import judge_files, kept_rows
    from abalo.scores.rows import ScoreColumns

    if options.out is not None and not options.out.name:
        raise AbaloError(f"--out {options.out}: expected a folder for the reports, such as reports/gate")
    if len(options.files) > 2 or (len(options.files) == 2 and options.against is not None):
        raise AbaloError("OLD NEW: expected one or two files, or one and --against; leave the others out")
    columns = ScoreColumns(
        options.id, options.cluster, tuple(options.slice or ("slice",)), tuple(dict.fromkeys(options.metric or ()))
    )
    old = options.files[0] if len(options.files) == 2 else options.against
    thresholds = options.thresholds or (Path(_THRESHOLDS) if Path(_THRESHOLDS).is_file() else None)
    document, new = judge_files(old, options.files[-1], columns, thresholds, _given(options))
    output = output_of(score_page(document), options)
    if options.out is not None:
        output = replace(output, files={**score_files(document), **kept_rows(new)})
    output.deliver()
    if options.out is not None and options.format == "text":
        say(f"written: {options.out / 'gate.html'}, .md, .json, junit.xml, report.metrics.json")
    return document.exit_code


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of a rule that options give."""
    names = ("max_loss", "minimum", "maximum", "max_newly_wrong", "better", "missing")
    found: dict[str, Any] = {name: value for name in names if (value := getattr(options, name)) is not None}
    if options.range is not None:
        found["range"] = _range(options.range)
    return found


def _range(said: str) -> object:
    if said == "none":
        return said
    try:
        return [float(part) for part in said.split(",")]
    except ValueError:
        raise AbaloError(f"--range {said}: expected two numbers, such as 1,5, or none") from None
