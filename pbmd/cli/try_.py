"""`pbmd try`: whether a ruleset keeps what the protocol promises, for those who write one."""

import json
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail, is_path
from pbmd.cli.progress import progress
from pbmd.cli.rulesets import ruleset_named, shown_place
from pbmd.cli.untried import as_json as untried_as_json
from pbmd.cli.untried import sentences
from pbmd.conformance.determinism import Trip
from pbmd.conformance.exercise import Exercise
from pbmd.conformance.findings import Finding
from pbmd.conformance.load import loaded
from pbmd.conformance.own_tests import can_be_run, failed_tests, has_tests
from pbmd.conformance.promises import PROMISES, SUBJECTS
from pbmd.conformance.rerun import found_again
from pbmd.conformance.scene_file import NotAgain
from pbmd.conformance.trial import Plan, Seen, gathered, try_ruleset
from pbmd.conformance.untried import Untried, untried
from pbmd.play.telling import tell
from pbmd.resources import folder
from pbmd.rules import Ruleset
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.scenes import FOLDER
from pbmd.rules.troubles import PlaceInFile, in_a_line

app = typer.Typer(**SETTINGS)
_GAMES, _SEED = 5, 1
_GAMES_ELSEWHERE = 2
"""This many of the games are played in other processes, too."""
Silenced = tuple[Finding, str]
"""What is found and counts no more, and the author's reason."""


@app.command(
    "try",
    epilog=examples(
        "pbmd try ./count",
        "pbmd try galactic_overlord --games 50 --seed 7",
        "pbmd try ./count --json",
        "pbmd try --again try-count/document.round-trip.json",
    ),
)
def command(
    ruleset: Annotated[str | None, typer.Argument(help="A ruleset, or the path of its folder.", metavar="RULESET")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many random games, besides those of all special kinds.")] = _GAMES,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = _SEED,
    as_json: Annotated[bool, typer.Option("--json", help="Print what is found as JSON.")] = False,
    again: Annotated[
        Path | None, typer.Option(help="Make one check again, from a file that this command has written.", metavar="FILE")
    ] = None,
    no_tests: Annotated[bool, typer.Option("--no-tests", help="Do not run the tests in the ruleset's folder.")] = False,
    to: Annotated[
        Path | None, typer.Option("--to", help="Where those files go; try-RULESET if you do not say.", metavar="FOLDER")
    ] = None,
) -> None:
    """Check that a ruleset keeps every promise that pbmd relies on, before anybody plays it.

    It plays games of random and of hostile orders: with all numbers of seats, odd names, options at the ends of their limits,
    games in which nobody writes. In each it looks at positions, answers, views, reports and forms, and whether anything depends
    on chance, on the machine, or on what others have sealed. What is wrong is told with the promise that it breaks, the line in
    your files, how to mend it, and a file with which to see it again. It runs the tests in the ruleset's folder, too, and tells
    its stories.

    Exit code 1 if there is anything.
    """
    written = _read(again) if again else {}
    name = ruleset or str(written.get("ruleset", ""))
    if not name:
        fail("which ruleset? pbmd try RULESET, or pbmd try --again FILE")
    try:
        rules = loaded(lambda: ruleset_named(name), Path(name).resolve() if is_path(name) else None)
    except UnknownRuleset as problem:
        fail(problem)
    left, silenced = None, list[Silenced]()
    if isinstance(rules, list):
        found, slug = rules, Path(name).resolve().name
    elif again:
        found, slug = _again(rules, written), rules.info.slug
    else:
        everything, left = _try(rules, name, Plan(games, seed), no_tests)
        found, silenced = _parted(everything, rules.info.silenced)
        slug = rules.info.slug
    files = {} if again else _write(found, to or Path(f"try-{slug}"), name, games, seed)
    if as_json:
        told = _as_json(slug, games, seed, found, files) | _silenced_as_json(silenced) | (untried_as_json(left) if left else {})
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _print(slug, found, files, silenced, left)
    if found:
        raise typer.Exit(WENT_WRONG)


def _parted(found: Iterable[Finding], reasons: Mapping[str, str]) -> tuple[list[Finding], list[Silenced]]:
    """What is found, and what of it is silenced for which reason."""
    kept, silenced = list[Finding](), list[Silenced]()
    for each in found:
        if each.promise in reasons:
            silenced.append((each, reasons[each.promise]))
        else:
            kept.append(each)
    return kept, silenced


def _try(rules: Ruleset[Any], name: str, plan: Plan, no_tests: bool) -> tuple[list[Finding], Untried]:
    where = str(Path(name).resolve()) if is_path(name) else name
    trip, exercise = Trip(where, min(plan.games, _GAMES_ELSEWHERE), plan.seed), Exercise(rules)
    with progress(f"trying {rules.info.slug}") as told, exercise:
        found = try_ruleset(rules, replace(plan, trip=trip, exercise=exercise), told)
        otherwise = {file: [*_story(file, rules)] for file in _stories(rules)}
    found += chain.from_iterable(otherwise.values())
    folder, left_out = Path(str(rules.info.folder)), ""
    if has_tests(folder):
        left_out = "--no-tests" if no_tests else "" if can_be_run() else "pip install pytest"
        found += failed_tests(folder) if not left_out else ()
    return found, untried(rules, exercise, left_out, [file for file, wrong in otherwise.items() if not wrong])


def _stories(rules: Ruleset[Any]) -> list[Path]:
    return sorted(Path(str(rules.info.folder)).resolve().joinpath(FOLDER).glob("*.txt"))


def _story(file: Path, rules: Ruleset[Any]) -> Iterator[Finding]:
    """What a story tells otherwise than it happens."""
    try:
        yield from (Finding("stories.told", problem, PlaceInFile(str(file), line), "") for line, problem in tell(file, rules))
    except Exception as problem:  # a template, say, may fail in any way
        yield Finding("stories.told", f"it cannot be told: {in_a_line(problem)}", PlaceInFile(str(file), 0), "")


# --- Once more --------------------------------------------------------------------------------------------------------------


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        fail(f"--again: {file}: {problem.strerror or problem}")
    except ValueError:
        found = None
    if not isinstance(found, dict) or "check" not in found or "ruleset" not in found:
        fail(f"--again: {file}: this is no file that pbmd try has written")
    return cast("dict[str, Any]", found)


def _again(rules: Ruleset[Any], written: Mapping[str, Any]) -> list[Finding]:
    """What is found again, about the same promise or others, with the traceback of what was raised."""
    games, seed = (value if type(value := written.get(key)) is int else 1 for key in ("games", "seed"))
    try:
        seen = found_again(rules, Plan(games, seed, trip=Trip(str(written["ruleset"]), 1, seed)), written)
    except NotAgain as problem:
        fail(f"--again: {problem}")
    for cause in _causes(seen):
        typer.echo("".join(traceback.format_exception(cause)), err=True)
    return gathered(rules, seen)


def _causes(seen: Iterable[Seen]) -> list[BaseException]:
    """The first that was raised, if any was."""
    return [each.cause for each in seen if each.cause is not None][:1]


def _write(found: Sequence[Finding], folder: Path, name: str, games: int, seed: int) -> dict[int, Path]:
    """A file for each finding, by its place in the list; those of another time are taken away."""
    where = str(Path(name).resolve()) if is_path(name) else name
    files: dict[int, Path] = {}
    try:
        for old in folder.glob("*.json"):
            if re.sub(r"-\d+$", "", old.stem) in PROMISES:
                old.unlink()
        for number, finding in enumerate(found):
            if not finding.again:
                continue
            folder.mkdir(exist_ok=True)
            same = [path for path in files.values() if re.sub(r"-\d+$", "", path.stem) == finding.promise]
            file = folder / f"{finding.promise}{f'-{len(same) + 1}' if same else ''}.json"
            told = {"ruleset": where, "games": games, "seed": seed, "promise": finding.promise, "found": finding.words}
            file.write_text(json.dumps(told | dict(finding.again), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            files[number] = file
    except OSError as problem:
        typer.echo(f"pbmd: what it takes to see it again is not written: {folder}: {problem.strerror or problem}", err=True)
    return files


# --- What is told -----------------------------------------------------------------------------------------------------------


def _as_json(slug: str, games: int, seed: int, found: Sequence[Finding], files: Mapping[int, Path]) -> dict[str, Any]:
    return {
        "ok": not found,
        "ruleset": slug,
        "games": games,
        "seed": seed,
        "findings": [
            {
                "promise": finding.promise,
                "found": finding.words,
                "file": finding.place.file if finding.place else None,
                "line": (finding.place.line or None) if finding.place else None,
                "function": (finding.place.within or None) if finding.place else None,
                "scene": finding.scene or None,
                "times": finding.times,
                "promised": PROMISES[finding.promise].kept,
                "mend": _mend(finding),
                "again": str(files[number]) if number in files else None,
            }
            for number, finding in enumerate(found)
        ],
    }


def _silenced_as_json(silenced: Sequence[Silenced]) -> dict[str, Any]:
    return {"silenced": [{"promise": each.promise, "found": each.words, "reason": reason} for each, reason in silenced]}


def _print(
    slug: str,
    found: Sequence[Finding],
    files: Mapping[int, Path],
    silenced: Sequence[tuple[Finding, str]],
    left: Untried | None,
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if left:
        console.print(_table(found))
        for sentence in sentences(left):
            console.print(Text(sentence, style="yellow"))
        if left.unrun_lines is None:
            console.print("Which lines never ran is not known: pip install 'pbmd-games[authors]'", markup=False)
    for number, finding in enumerate(found):
        _print_finding(console, finding, files.get(number))
    for finding, reason in silenced:
        console.print(Text(f"Silenced in ruleset.toml: {finding.promise}: {finding.words}. The reason there: {reason}"))
    if found:
        console.print(f"{slug}: {len(found)} {'thing is' if len(found) == 1 else 'things are'} wrong", style="bold red")
    elif silenced:
        console.print(f"{slug}: nothing is wrong but what is silenced", style="bold green")
    else:
        console.print(f"{slug}: nothing is wrong" if left else "nothing is wrong any more", style="bold green")


def _mend(finding: Finding) -> str:
    """How, with the pages where they are installed."""
    return re.sub(r"docs/(?=[\w-]+\.md)", lambda _: f"{folder('docs')}/", PROMISES[finding.promise].mend)


def _table(found: Sequence[Finding]) -> Table:
    table = Table("what was looked at", "promises", "wrong")
    for subject, promises in SUBJECTS.items():
        wrong = sum(finding.promise in promises for finding in found)
        table.add_row(subject, str(len(promises)), Text(str(wrong), style="bold red") if wrong else Text("–", style="green"))
    return table


def _print_finding(console: Console, finding: Finding, file: Path | None) -> None:
    promise = PROMISES[finding.promise]
    times = f"; {finding.times} times in all" if finding.times > 1 else ""
    console.print(Text.assemble((finding.promise, "bold red"), f": {finding.words}"))
    if finding.place:
        console.print(Text(f"  {shown_place(finding.place)}", style="bold"))
    if finding.scene:
        console.print(Text(f"  in {finding.scene}{times}"))
    console.print(Text(f"  Promised: {promise.kept}"))
    console.print(Text(f"  To mend it: {_mend(finding)}"))
    if file:
        console.print(Text(f"  To see it again: pbmd try --again {file}"))
    console.print()
