"""`make near`: the tests that a change touches, as many as answer in half a minute.

What has changed since the branch left main, or the files and folders that are named (`ARGS="pbmd/desk/mail"`), is followed to
the tests: those of the folder that mirrors it, those that import it, and those that import what imports it, the nearest first,
by the import graph that import-linter has. Of each the quick ones are run (`make quick`). What is left out is told, too: `make
test` runs it before a commit.
"""

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

import grimp

from tests.times import RECORD, seconds_in

ROOT = Path(__file__).parents[1]
MOST = 600
"""So many tests take half a minute: half of it are the beginnings of Python."""
HUB = 40
"""Whoever goes by a helper that so many tests import comes to nearly all of them, and learns nothing."""
FARTHEST = 3
"""What is still farther away is nearly everything, and seldom breaks alone."""
GUARDS = ("tests/test_import_law.py", "tests/test_names.py", "tests/docs/test_completeness.py")
"""They ring for what has been forgotten, wherever that is."""
OF_DATA: Sequence[tuple[str, tuple[str, ...]]] = (
    (r"templates/mail/", ("tests/docs/mails", "tests/docs/test_mails.py", "tests/desk/mail")),
    (r"templates/reports/(\w+)/", (r"tests/rulesets/\1",)),
    (r"templates/reports/", ("tests/rendering",)),
    (r"templates/dashboard/", ("tests/pages",)),
    (r"templates/archive/", ("tests/archive/write", "tests/archive/format")),
    (r"templates/book/", ("tests/book",)),
    (r"templates/new_ruleset/", ("tests/cli/test_new_ruleset.py",)),
    (r"docs/mails/", ("tests/docs/mails", "tests/docs/test_mails.py")),
    (r"data/samples/archives/", ("tests/archive",)),
    (r"data/samples/(\w+)/", (r"tests/rulesets/\1",)),
    (r"deploy/mailserver/", ("tests/deploy/test_mailserver.py",)),
    (r"deploy/container/", ("tests/deploy/test_container_files.py",)),
    (r"deploy/", ("tests/deploy", "tests/docs/test_completeness.py")),
    (r"docs/|.*\.md$", ("tests/docs",)),
    (r"", ("tests/test_distribution.py", "tests/docs/test_dependencies.py")),
)
"""Which tests belong to files that nobody imports and no folder of tests mirrors: the first that fits."""
_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of tests that a change touches: over how many imports, 0 for the folder that mirrors it, and a word on it."""

    path: str
    distance: int
    why: str


@dataclass(frozen=True)
class Checkout:
    """The files of a checkout, those that import each (`importers`), and how many seconds slow tests take."""

    root: Path
    files: frozenset[str]
    importers: Mapping[str, Collection[str]]
    slow: Collection[str] = field(default_factory=frozenset)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The files of tests."""
        return frozenset(path for path in self.files if re.fullmatch(r"tests/(?:.*/)?test_\w+\.py", path))

    def quick(self, path: str) -> int:
        """How many tests of a file are quick."""
        names = _TEST.findall((self.root / path).read_text(encoding="utf-8"))
        return sum(f"{path}::{name}" not in self.slow for name in names)

    def within(self, place: str, *, deep: bool = True) -> set[str]:
        """The files of tests that a path is, or that are in that folder."""
        found = {path for path in self.tests if path == place or path.startswith(f"{place}/")}
        return found if deep else {path for path in found if str(Path(path).parent) == place}


def mirrored(checkout: Checkout, path: str) -> set[str]:
    """The tests in the folder named like that of a file, or, if there is none, those nearest to it that are named like it:
    for ``pbmd/daemon/roles.py`` those of ``tests/test_daemon.py`` and in ``tests/daemon_shared``."""
    inside = Path(path)
    place = (
        inside
        if inside.parts[0] == "tests"
        else Path("tests") / inside.relative_to("pbmd" if path.startswith("pbmd/") else ".")
    )
    name = place.stem
    for folder in place.parents:
        beside = checkout.within(str(folder), deep=False) if folder != Path("tests") else set[str]()
        if folder == place.parent and beside:
            return beside
        named = re.compile(rf"{folder}/(?:test_{re.escape(name)}(?:_\w+)?\.py|{re.escape(name)}(?:_\w+)?/test_\w+\.py)")
        if found := {test for test in checkout.tests if named.fullmatch(test)} or beside:
            return found
        name = folder.name
    return set()


def of_data(checkout: Checkout, path: str) -> set[str]:
    """The tests of a file that is no Python."""
    if _stands_with_code(path) and (found := mirrored(checkout, path)):
        return found
    match, places = next((match, places) for pattern, places in OF_DATA if (match := re.match(pattern, path)))
    return {test for place in places for test in checkout.within(match.expand(place))}


def _stands_with_code(path: str) -> bool:
    return path.startswith(("pbmd/", "rulesets/", "tests/"))


def naming(checkout: Checkout, path: str) -> set[str]:
    """The Python files that name a file of data, or a template that takes it in, or so on. What stands in the folder of its
    code has a name that others have, too."""
    if _stands_with_code(path):
        return set()
    texts = {each: (checkout.root / each).read_text(encoding="utf-8") for each in checkout.files if _may_name(each)}
    todo, seen = [path], {path}
    while todo:
        name = re.escape(Path(todo.pop()).name.removesuffix(".j2"))
        quoted = re.compile(rf"[\"'/]{name}(?:\.j2)?[\"']")
        further = [each for each, text in texts.items() if each not in seen and quoted.search(text)]
        seen |= {*further}
        todo += [each for each in further if not each.endswith(".py")]
    return {each for each in seen if each.endswith(".py")}


def _may_name(path: str) -> bool:
    return path.startswith(("pbmd/", "rulesets/", "tests/", "templates/")) and path.endswith((".py", ".j2"))


def touched(checkout: Checkout, changed: Iterable[str]) -> list[Touched]:
    """The files of tests that these changes touch, the nearest first."""
    found: dict[str, Touched] = {}
    sources: set[str] = set()
    for path in sorted(changed):
        if path in checkout.tests:
            found[path] = Touched(path, -1, "changed itself")
        elif path.endswith(".py"):
            sources.add(path)
            _add(found, mirrored(checkout, path), 0, f"tests of {Path(path).parent}")
        else:
            sources |= naming(checkout, path)
            _add(found, of_data(checkout, path), 0, f"tests of {path}")
    for distance, importers in enumerate(islice(_waves(checkout, sources), FARTHEST), start=1):
        why = "imports it" if distance == 1 else f"{distance} imports away"
        _add(found, checkout.tests & importers, distance, why)
    return sorted(found.values(), key=lambda each: (each.distance, each.path))


def _add(found: dict[str, Touched], tests: Iterable[str], distance: int, why: str) -> None:
    for test in tests:
        if test not in found:
            found[test] = Touched(test, distance, why)


def _waves(checkout: Checkout, changed: Iterable[str]) -> Iterator[set[str]]:
    """The files that import these, those that import them, and so on; each once. Hubs are not followed."""
    seen, wave = {*changed}, {*changed}
    while wave:
        wave = {importer for path in wave for importer in checkout.importers.get(path, ())} - seen
        seen |= wave
        yield wave
        wave = {path for path in wave if not _is_hub(checkout, path)}


def _is_hub(checkout: Checkout, path: str) -> bool:
    return path.startswith("tests/") and len(checkout.tests & {*checkout.importers.get(path, ())}) > HUB


def chosen(
    checkout: Checkout, found: Sequence[Touched], most: int = MOST
) -> tuple[list[Touched], list[Touched], list[Touched]]:
    """Those that are run, the nearest first, up to so many tests; those left out for that; those that have no quick test."""
    quick = {each.path: checkout.quick(each.path) for each in found}
    run: list[Touched] = []
    left: list[Touched] = []
    count = 0
    for each in found:
        if quick[each.path] and not left and (not run or count + quick[each.path] <= most):
            run.append(each)
            count += quick[each.path]
        elif quick[each.path]:
            left.append(each)
    return run, left, [each for each in found if not quick[each.path]]


def story(checkout: Checkout, run: Sequence[Touched], left: Sequence[Touched], slow: Sequence[Touched]) -> Iterator[str]:
    """What is run and why, and what is not."""
    for why, paths in _by_reason(run):
        yield f"near: run, {why}: {' '.join(_shortened(paths))}\n"
    for reason, group in (("half a minute is over", left), ("no test there is quick", slow)):
        for why, paths in _by_reason(group):
            yield f"near: left out since {reason}, {why}: {' '.join(_shortened(paths, 3))}\n"
    files = {each.path for each in run}
    if skipped := sum(name.partition("::")[0] in files for name in checkout.slow):
        yield f"near: left out since slow: {skipped} {'test' if skipped == 1 else 'tests'} in the files that are run\n"
    yield f"near: left out: whatever is more than {FARTHEST} imports away; `make test` has all, before a commit\n"


def _by_reason(group: Iterable[Touched]) -> Iterable[tuple[str, list[str]]]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for each in group:
        by_reason[each.why].append(each.path)
    return by_reason.items()


def _shortened(paths: Sequence[str], most: int = 12) -> list[str]:
    return [*paths] if len(paths) <= most else [*paths[:most], f"and {len(paths) - most} more"]


def this_checkout() -> Checkout:
    """The files here, those not added yet, too, and who imports whom; what a `conftest.py` imports its tests do."""
    graph = grimp.build_graph("pbmd", "rulesets", "tests", cache_dir=str(ROOT / ".import_linter_cache"))
    files = frozenset(
        path for path in _git("ls-files", "--cached", "--others", "--exclude-standard") if (ROOT / path).is_file()
    )
    path_of = {module: path for path in files if path.endswith(".py") for module in [_module(path)]}
    importers: dict[str, set[str]] = defaultdict(set)
    for module, path in path_of.items():
        if module in graph.modules:
            importers[path] |= {path_of[each] for each in graph.find_modules_that_directly_import(module) if each in path_of}
    for conftest in (path for path in files if Path(path).name == "conftest.py" and path != "tests/conftest.py"):
        importers[conftest] |= {path for path in files if path.startswith(f"{Path(conftest).parent}/test_")}
    return Checkout(ROOT, files, importers, frozenset(seconds_in(RECORD.read_text(encoding="utf-8"))))


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def changes(named: Sequence[str], files: Collection[str]) -> tuple[str, list[str]]:
    """What is asked about, in words, and the files that are. Raises `SystemExit` for a name that is neither file nor folder."""
    if named:
        found = {name: [path for path in files if path == name or path.startswith(f"{name.rstrip('/')}/")] for name in named}
        if unknown := [name for name, paths in found.items() if not paths]:
            raise SystemExit(f"near: there is nothing like that here: {', '.join(unknown)}")
        return "named", sorted({path for paths in found.values() for path in paths})
    base = next((commit for name in ("main", "origin/main") for commit in _git("merge-base", name, "HEAD", fails=True)), "HEAD")
    differ = {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}
    return "changed since main" if base != "HEAD" else "not committed", sorted(differ)


def _git(*arguments: str, fails: bool = False) -> list[str]:
    """The lines that git prints; none if it may fail and does."""
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if fails else None, text=True
    )
    if not fails:
        done.check_returncode()
    return done.stdout.splitlines() if done.returncode == 0 else []


def main(arguments: Sequence[str]) -> int:
    """Run the tests that a change touches; gives pytest's exit code. Arguments with a hyphen are pytest's, but `--list`, with
    which nothing is run."""
    checkout = this_checkout()
    what, changed = changes([each for each in arguments if not each.startswith("-")], checkout.files)
    if not changed:
        sys.stdout.write(f"near: nothing is {what}\n")
        return 0
    sys.stdout.write(f"near: {what}: {' '.join(_shortened(changed))}\n")
    run, left, slow = chosen(checkout, touched(checkout, changed))
    guards = [guard for guard in GUARDS if guard not in {each.path for each in run}]
    sys.stdout.writelines(story(checkout, run, left, slow))
    sys.stdout.write(f"near: run, whatever has changed: {' '.join(guards)}\n")
    sys.stdout.flush()
    if "--list" in arguments:
        return 0
    options = [each for each in arguments if each.startswith("-")]
    tests = [*(each.path for each in run), *guards]
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "--quick", "-n", "2", *options, *tests], cwd=ROOT).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
