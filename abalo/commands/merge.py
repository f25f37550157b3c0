"""``abalo merge``: the shards of one run as one run, judged once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from abalo.bundled import CASES, bundled
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "merge",
        help="judge the shards of a run as one run",
        description="Reads the reports of all runs with --abalo-shard 1/N to N/N, judges their evidence once, and "
        "writes the report that one run without shards would have written: the same numbers except for times. The "
        "exit code is that of a run: 0; 1 if a blocking bound fails or a case could not run; 10 if nothing was "
        "decided; 2 if a shard is missing or did not finish, which the report also says. It is 2 as well if the "
        "shards cannot be merged: shards of different runs, the same shard twice, a damaged report.",
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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the report of the whole run, prints it, and gives the exit code that the run would have had."""
    from abalo.attacks.regressions import save
    from abalo.config.thresholds import load
    from abalo.files import write_bytes
    from abalo.locking import FolderLock
    from abalo.reporting import files
    from abalo.reporting.accepting import commands_after
    from abalo.reporting.comparing import read_reference
    from abalo.reporting.finished import whole
    from abalo.reporting.junit import junit
    from abalo.reporting.shards import merged, read_shards
    from abalo.reporting.terminal import lines
    from abalo.scale.manifest import is_manifest

    import_conftest()
    if len(options.shards) == 1 and is_manifest(options.shards[0]):
        return _judged_in_parts(options)
    shards = read_shards(options.shards)
    if any(each.folder.resolve() == options.out.resolve() for each in shards):
        raise AbaloError(f"--out {options.out}: is the folder of a shard; choose another folder")
    recorded: Mapping[str, Any] = next((found for each in shards if (found := each.document.get("options"))), {})
    thresholds = load(options.thresholds or _thresholds(recorded), recorded.get("language"), recorded.get("least"))
    named = options.against or (Path(thresholds.gate.against) if thresholds.gate.against else None)
    reference = None if named is None else read_reference(named)
    files.check_reports(options.out)
    with whole(shards[0].run.path):
        found = merged(shards, thresholds, reference, date.today())
        if found.document["complete"]:
            found.document["next"] = commands_after(found.document, str(options.out))
        said = list(lines(found.document))
        tests = junit(found.document)
    with FolderLock(options.out):
        files.write_all(
            found.document, found.evidence, found.records, options.out, latex_too=options.latex, logs=found.logs
        )
    if options.junit is not None:
        write_bytes(options.junit, tests)
    for line, _ in said:
        say(line)
    if options.save_failures is not None:
        new = save(options.save_failures, files.failures(found.document["results"], options.out))
        say(f"{new} new failures in {options.save_failures}")
    if found.failed and found.document["verdict"] != "fail":
        say(f"a test failed for another reason than a bound in shard {', '.join(map(str, found.failed))}")
    for gap in found.gaps:
        say(gap)
    say(f"reports: {options.out / files.MARKDOWN_NAME}, .json, {files.PAGE_NAME}")
    return found.exit_code


def _judged_in_parts(options: argparse.Namespace) -> int:
    """The same for the folder of abalo scale, whose shards are parts of a corpus."""
    from abalo.locking import FolderLock
    from abalo.reporting.conclusion import concluded
    from abalo.reporting.files import MARKDOWN_NAME, PAGE_NAME, check_reports
    from abalo.reporting.terminal import lines
    from abalo.scale.judging import judged
    from abalo.scale.manifest import read_manifest

    for name in ("thresholds", "against", "junit", "save_failures"):
        if getattr(options, name) is not None:
            raise AbaloError(
                f"--{name.replace('_', '-')}: is not for the folder of abalo scale; judge it with abalo merge, and the "
                "report that this writes with abalo rejudge"
            )
    check_reports(options.out)
    with FolderLock(options.out):
        document = judged(options.shards[0], read_manifest(options.shards[0]), options.out)
    for line, _ in lines(document):
        say(line)
    say(f"reports: {options.out / MARKDOWN_NAME}, .json, {PAGE_NAME}")
    return concluded(document).exit_code


def _thresholds(recorded: Mapping[str, Any]) -> Path:
    """The file that the shards name, None the one that ships; that of here where they do not say."""
    if "thresholds" not in recorded:
        return thresholds_here()
    return bundled(CASES) if recorded["thresholds"] is None else Path(recorded["thresholds"])
