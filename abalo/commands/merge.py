"""``abalo merge``: join the shards of one run and judge them once."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import add_conftest_option, import_conftest, thresholds_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.core.records.json_records import Json


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "merge",
        help="judge the shards of a run as one run",
        description="Reads the reports of all runs with --abalo-shard 1/N to N/N, judges their evidence once, and "
        "writes the report that one run without shards would have written: the same numbers except for times. Exits "
        "as a run does: with 0; 1 if a blocking bound fails or a case could not run; 10 if nothing was decided; 2 if "
        "a shard is missing or did not finish, which the report also says. Exits with 2, too, if the shards cannot be "
        "merged: shards of different runs, the same shard twice, a damaged report.",
        epilog=example("abalo merge shard-1 shard-2 --out reports"),
    )
    parser.add_argument(
        "shards",
        type=Path,
        nargs="+",
        metavar="SHARD",
        help="folders of the reports of the shards, or the folder of abalo scale",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the report on the whole run, such as reports"
    )
    add_shared(parser, "thresholds", "against", thresholds="where the reports say")
    parser.add_argument(
        "--junit",
        type=Path,
        metavar="FILE",
        help="also write every case and every loss as a test in JUnit XML, such as to junit.xml",
    )
    add_shared(parser, "latex", "save_failures")
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes and prints the merged report; returns its exit code."""
    from abalo.attacks.regressions import save
    from abalo.comparison.blocks.newly_broken import with_records
    from abalo.config.thresholds import load
    from abalo.files import write_bytes
    from abalo.locking import FolderLock
    from abalo.reporting.formats import files
    from abalo.reporting.formats.junit import junit
    from abalo.reporting.formats.report_format import MARKDOWN_NAME, PAGE_NAME
    from abalo.reporting.formats.terminal import lines
    from abalo.reporting.runs.accepting import commands_after
    from abalo.reporting.runs.finished import whole
    from abalo.reporting.runs.reference import read_reference
    from abalo.reporting.runs.shards import merge_shards, read_shards
    from abalo.scale.manifest import is_manifest

    if options.conftest:
        import_conftest()
    if len(options.shards) == 1 and is_manifest(options.shards[0]):
        return _judge_scaled(options)
    shards = read_shards(options.shards)
    if any(each.folder.resolve() == options.out.resolve() for each in shards):
        raise AbaloError(f"--out {options.out}: is the folder of a shard; choose another folder")
    recorded = next((each.document.options for each in shards if each.document.options), {})
    thresholds = load(options.thresholds or _thresholds(recorded), recorded.get("language"), recorded.get("least"))
    named = options.against or (Path(thresholds.gate.against) if thresholds.gate.against else None)
    reference = None if named is None else read_reference(named)
    files.check_reports(options.out)
    with whole(shards[0].run.path):
        found = merge_shards(shards, thresholds, reference, date.today())
        if found.document.complete:
            after = commands_after(found.document, str(options.out))
            found = replace(found, document=replace(found.document, next=after))
        said = list(lines(found.document))
        tests = junit(with_records(found.document, found.records or ()), options.out)
    with FolderLock(options.out):
        files.write_report(
            found.document, found.evidence, found.records, options.out, latex_too=options.latex, logs=found.logs
        )
    if options.junit is not None:
        write_bytes(options.junit, tests)
    for line, _ in said:
        say(line)
    if options.save_failures is not None:
        new = save(options.save_failures, files.failures(found.document.results, options.out))
        say(f"{new} new failures in {options.save_failures}")
    if found.failed and found.document.verdict != "fail":
        say(f"a test failed for another reason than a bound in shard {', '.join(map(str, found.failed))}")
    for gap in found.gaps:
        say(gap)
    say(f"reports: {options.out / MARKDOWN_NAME}, .json, {PAGE_NAME}")
    return found.exit_code


def _judge_scaled(options: argparse.Namespace) -> int:
    from abalo.locking import FolderLock
    from abalo.reporting.documents.conclusion import conclude
    from abalo.reporting.formats.files import check_reports
    from abalo.reporting.formats.report_format import MARKDOWN_NAME, PAGE_NAME
    from abalo.reporting.formats.terminal import lines
    from abalo.scale.judging import judge_run
    from abalo.scale.manifest import read_manifest

    for name in ("thresholds", "against", "junit", "save_failures"):
        if getattr(options, name) is not None:
            raise AbaloError(
                f"--{name.replace('_', '-')}: is not for the folder of abalo scale; judge it with abalo merge, and the "
                "report that this writes with abalo rejudge"
            )
    check_reports(options.out)
    with FolderLock(options.out):
        document = judge_run(options.shards[0], read_manifest(options.shards[0]), options.out)
    for line, _ in lines(document):
        say(line)
    say(f"reports: {options.out / MARKDOWN_NAME}, .json, {PAGE_NAME}")
    return conclude(document).exit_code


def _thresholds(recorded: Json) -> Path:
    if "thresholds" not in recorded:
        return thresholds_here()
    return bundled_path(CASES) if recorded["thresholds"] is None else Path(recorded["thresholds"])
