"""``abalo merge``: the shards of one run as one run, judged once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from abalo.bundled import bundled
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "merge",
        help="judge the shards of a run as the one run that they are",
        description="Reads the reports of all runs with --abalo-shard 1/N to N/N, judges their evidence once, and "
        "writes the report that one run without shards would have written: the same numbers but for times. The exit "
        "code is that of a run: 0, 1 where a blocking bound fails or a case could not run, 10 where nothing was "
        "decided; 2 where a shard is missing or did not come to its end, which the report says too, and where nothing "
        "can be merged: shards of different runs, the same shard twice, a damaged report.",
    )
    parser.add_argument("shards", type=Path, nargs="+", metavar="SHARD", help="the folders of the shards")
    parser.add_argument("--out", type=Path, required=True, help="folder of the report of the whole run")
    parser.add_argument("--thresholds", type=Path, help="the thresholds file of the shards, where it has moved")
    parser.add_argument("--against", type=Path, help="judge losses against this accepted run")
    parser.add_argument(
        "--junit", type=Path, metavar="FILE", help="write every case as a test in JUnit XML, as --junit-xml of pytest"
    )
    parser.add_argument("--latex", action="store_true", help="write the tables as LaTeX too")
    parser.add_argument("--save-failures", type=Path, metavar="FILE", help="as the option of pytest")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the report of the whole run, prints it, and gives the exit code that the run would have had."""
    from abalo.attacks.regressions import save
    from abalo.config.thresholds import load
    from abalo.files import write_bytes
    from abalo.locking import FolderLock
    from abalo.reporting import files
    from abalo.reporting.comparing import read_reference
    from abalo.reporting.finished import whole
    from abalo.reporting.junit import junit
    from abalo.reporting.shards import merged, read_shards
    from abalo.reporting.terminal import lines

    import_conftest()
    shards = read_shards(options.shards)
    if any(each.folder.resolve() == options.out.resolve() for each in shards):
        raise AbaloError(f"--out {options.out}: is the folder of a shard; choose another folder")
    recorded: Mapping[str, Any] = next((found for each in shards if (found := each.document.get("options"))), {})
    thresholds = load(options.thresholds or _thresholds(recorded), recorded.get("language"))
    named = options.against or (Path(thresholds.gate.against) if thresholds.gate.against else None)
    reference = None if named is None else read_reference(named)
    files.check_reports(options.out)
    with whole(shards[0].run.path):
        found = merged(shards, thresholds, reference, date.today())
        said = list(lines(found.document))
        tests = junit(found.document)
    with FolderLock(options.out):
        files.write_all(
            found.document, found.evidence, found.records, options.out, latex_too=options.latex, logs=found.logs
        )
    if options.junit is not None:
        write_bytes(options.junit, tests)
    for line, _ in said:
        print(line)
    if options.save_failures is not None:
        new = save(options.save_failures, files.failures(found.document["results"], options.out))
        print(f"{new} new failures in {options.save_failures}")
    if found.failed and found.document["verdict"] != "fail":
        print(f"a test failed for another reason than a bound in shard {', '.join(map(str, found.failed))}")
    for gap in found.gaps:
        print(gap)
    print(f"reports: {options.out / files.MARKDOWN_NAME}, .json, {files.PAGE_NAME}")
    return found.exit_code


def _thresholds(recorded: Mapping[str, Any]) -> Path:
    """The file that the shards name, None the one that ships; that of here where they do not say."""
    if "thresholds" not in recorded:
        return thresholds_here()
    return bundled("thresholds.toml") if recorded["thresholds"] is None else Path(recorded["thresholds"])
