"""Mutants of abalo/, drawn by a seed, and whether the nearest tests kill them.

    python -m benchmarks.mutations [--seed 1] [--count 30] [--commit REVISION] [--seconds 120]

Each mutant changes one place of one function: a comparison, a constant, a condition, a ``not``, an ``and`` or ``or``,
or it returns None at once. The nearest tests are the test files named after the module, then those that import it, then
those that import one of its importers, then those of its room. A mutant is *killed* if a test fails that passes
without the mutation, or if the tests hang only with it. Tests of a mutant end after ``--seconds``.

``--commit`` takes the tree of another commit. Draws depend on the functions, not on their lines: two commits share the
mutants of all functions that they share.
"""

from __future__ import annotations

import ast
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.arguments import Parser
from benchmarks.results import show

ROOT = Path(__file__).parents[1]

MOST_FILES = 12
"""Test files that are run for a mutant, the nearest first."""

OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

NOT_CHANGED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.JoinedStr)
"""Nodes whose content is skipped: functions are mutated on their own, and f-strings have no exact columns."""

FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """The code of ``module`` from ``start`` up to ``stop``, counted in bytes, replaced by ``new``."""

    module: str
    function: str
    kind: str
    line: int
    start: int
    stop: int
    old: str
    new: str
    number: int
    """The place of the mutation among those of this kind in the function, from 0."""

    def drawn(self, seed: int) -> str:
        """A key to sort by; it does not depend on lines or on other functions."""
        name = f"{seed} {self.module} {self.function} {self.kind} {self.number}"
        return hashlib.sha256(name.encode()).hexdigest()

    def applied(self, source: bytes) -> bytes:
        """The source of the module with the mutation."""
        return source[: self.start] + self.new.encode() + source[self.stop :]


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions below a node, inner ones too, each with its qualified name."""
    for child in ast.iter_child_nodes(node):
        name = f"{prefix}{child.name}" if isinstance(child, NOT_CHANGED[:3]) else prefix.rstrip(".")
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, child
        yield from functions(child, f"{name}." if name else "")


def statements(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """The body without its docstring."""
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what it holds, in the order of the source; no annotations."""
    if isinstance(node, NOT_CHANGED):
        return
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name != "annotation":
                yield from inside(child)


def changes(node: ast.AST) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """The mutations of one node: kind, what is replaced, and by what."""
    match node:
        case ast.Compare(left=left, ops=[op, *ops], comparators=comparators):
            yield "comparison", node, ast.Compare(left, [OPPOSITES[type(op)](), *ops], comparators)
        case ast.Constant(value=bool(value)):
            yield "constant", node, ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", node, ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not dropped", node, operand
        case ast.BoolOp(op=op, values=values):
            yield "and/or", node, ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "condition negated", test, ast.UnaryOp(ast.Not(), test)


def mutants(module: str, source: bytes) -> Iterator[Mutant]:
    """All mutants of a module."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for name, function in functions(ast.parse(source)):
        body = statements(function)
        seen: dict[str, int] = {}
        for node in (each for statement in body for each in inside(statement)):
            for kind, old, new in changes(node):
                start = starts[old.lineno - 1] + old.col_offset
                stop = starts[(old.end_lineno or old.lineno) - 1] + (old.end_col_offset or 0)
                number = seen[kind] = seen.get(kind, -1) + 1
                yield Mutant(
                    module,
                    name,
                    kind,
                    old.lineno,
                    start,
                    stop,
                    ast.unparse(old),
                    f"({ast.unparse(ast.fix_missing_locations(new))})",
                    number,
                )
        if body and any(isinstance(each, ast.Return) and each.value for each in ast.walk(function)):
            first = body[0]
            line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))])
            at, indent = starts[line - 1], " " * first.col_offset
            early = f"{indent}return None\n"
            yield Mutant(module, name, "early return", line, at, at, "", early, 0)


def draw(tree: Path, seed: int, count: int) -> list[Mutant]:
    """The first mutants in the order of the seed, at most one of a function."""
    every = [
        mutant
        for path in sorted((tree / "abalo").rglob("*.py"))
        for mutant in mutants(path.relative_to(tree).as_posix(), path.read_bytes())
    ]
    taken: dict[tuple[str, str], Mutant] = {}
    for mutant in sorted(every, key=lambda each: each.drawn(seed)):
        taken.setdefault((mutant.module, mutant.function), mutant)
        if len(taken) == count:
            break
    return list(taken.values())


def dotted(path: str) -> str:
    """The name by which a module is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(source: str) -> set[str]:
    """The dotted names of all that is imported, in functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@dataclass(frozen=True, slots=True)
class Imports:
    """The test files of a tree, and what they and the modules of abalo/ import."""

    files: Mapping[str, set[str]]
    modules: Mapping[str, set[str]]
    words: Mapping[str, set[str]]
    """The words of each test file."""

    @classmethod
    def of(cls, tree: Path) -> Imports:
        """Reads the imports of a tree."""

        def read(paths: Iterator[Path]) -> dict[str, set[str]]:
            return {each.relative_to(tree).as_posix(): imports(each.read_text(encoding="utf-8")) for each in paths}

        tests = {
            path: found for path, found in read((tree / "tests").rglob("test_*.py")).items() if "/real/" not in path
        }
        words = {path: set(re.findall(r"\w+", (tree / path).read_text(encoding="utf-8"))) for path in tests}
        return cls(tests, read((tree / "abalo").rglob("*.py")), words)

    def nearest(self, module: str) -> list[str]:
        """The test files of a module, the nearest first; of equally near ones those that import least of abalo."""
        name, stem = dotted(module), dotted(module).rpartition(".")[2]
        room = module.split("/")[1].removeprefix("pytest_").removesuffix(".py")
        importers = {dotted(path) for path, found in self.modules.items() if name in found}

        def distance(path: str) -> int | None:
            same = Path(path).stem == f"test_{stem}"
            if same and set(Path(path).parts[1:-1]) <= set(module.split("/")):
                return 0
            if name in self.files[path]:
                return 1
            if self.files[path] & importers:
                return 2
            if Path(path).parts[1] == room:
                return 3 if stem in self.words[path] else 4
            return None

        def size(path: str) -> int:
            return sum(each.startswith("abalo") for each in self.files[path])

        found = {path: far for path in self.files if (far := distance(path)) is not None}
        return sorted(found, key=lambda path: (found[path], size(path), path))[:MOST_FILES]


class Runner:
    """Runs test files in a tree, mutated and as they are."""

    def __init__(self, tree: Path, seconds: float) -> None:
        self.tree = tree
        self.seconds = seconds
        self.broken: set[str] = set()
        """Tests that fail without any mutation."""

    def outcome(self, mutant: Mutant, files: Sequence[str]) -> tuple[str, str]:
        """Killed, survived, out of time or no tests; and the test that killed it."""
        if not files:
            return "no tests", ""
        path = self.tree / mutant.module
        source, as_it_was = path.read_bytes(), path.stat()
        ends = time.monotonic() + self.seconds
        while True:
            path.write_bytes(mutant.applied(source))
            # Bytecode of the mutant must not pass for that of the module, nor of another mutant.
            later = as_it_was.st_mtime + 10 + int(mutant.drawn(0)[:6], 16) % 100_000
            os.utime(path, (later, later))
            try:
                failed = self.failed(files, ends - time.monotonic())
            finally:
                path.write_bytes(source)
                os.utime(path, (as_it_was.st_atime, as_it_was.st_mtime))
            if failed is None:
                hangs = self.failed(files, self.seconds) is not None
                return ("killed", "hangs") if hangs else ("out of time", "")
            if not failed:
                return "survived", ""
            without = self.failed(failed, self.seconds)
            if not without:
                return "killed", failed[0]
            self.broken.update(failed)

    def failed(self, tests: Collection[str], seconds: float) -> list[str] | None:
        """The first tests that fail; empty if all pass, and None after ``seconds``."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not real"]
        command += [f"--deselect={each}" for each in sorted(self.broken)]
        environment = {**os.environ, "PYTHONPATH": str(self.tree), "HF_HUB_OFFLINE": "1", "PYTHONHASHSEED": "0"}
        with subprocess.Popen(
            [*command, *tests],
            cwd=self.tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=max(1.0, seconds))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return None
        if process.returncode in (0, 5):
            return []
        return FAILED.findall(output)[:1] or list(tests)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--count", "1", "--seconds", "20", "--files", "1"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--files", type=int, default=MOST_FILES, help="test files of a mutant; default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Prints a row for each mutant, and how many were killed."""
    options = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        git = shutil.which("git") or sys.exit("mutations: needs git")
        archive = subprocess.run([git, "archive", options.commit], cwd=ROOT, check=True, stdout=subprocess.PIPE)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(tree, filter="data")
        tests, runner, rows = Imports.of(tree), Runner(tree, options.seconds), []
        for mutant in draw(tree, options.seed, options.count):
            nearest = tests.nearest(mutant.module)[: options.files]
            began = time.monotonic()
            outcome, test = runner.outcome(mutant, nearest)
            row = {
                "place": f"{mutant.module}:{mutant.line} {mutant.function}",
                "kind": mutant.kind,
                "was": _cell(mutant.old),
                "is": _cell(mutant.new),
                "test files": len(nearest),
                "outcome": outcome,
                "by": _cell(test),
                "seconds": round(time.monotonic() - began),
            }
            print(f"{outcome}: {row['place']}: {mutant.kind}", file=sys.stderr, flush=True)
            rows.append(row)
    show("mutations", rows)
    killed = sum(row["outcome"] == "killed" for row in rows)
    print(f"\n{killed} of {len(rows)} mutants killed, seed {options.seed}, commit {options.commit}")
    return 0


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:60]


if __name__ == "__main__":
    sys.exit(main())
