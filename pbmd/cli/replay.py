"""`pbmd replay`: an archived game, played again to be read."""

import json
from typing import Annotated, Any

import typer

from pbmd.archive.format.entries import BrokenJournal
from pbmd.archive.format.findings import plain
from pbmd.archive.format.outline import StoryError
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.seals import NotReadable
from pbmd.archive.replay.replay import NotShown, Report, as_page, replay
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.options import RulesetSettings
from pbmd.cli.rulesets import folders_named
from pbmd.cli.verify import Archive, RulesetFolder, rules_from
from pbmd.rules.registry import UnknownRuleset

app = typer.Typer(**SETTINGS)


@app.command(
    "replay",
    epilog=examples("pbmd replay galaxy-7", "pbmd replay galaxy-7 --turn 4", "pbmd replay galaxy-7 --html > game.html"),
)
def command(
    path: Archive,
    turn: Annotated[int | None, typer.Option(help="Only this turn, with the reports of all.", metavar="N")] = None,
    html: Annotated[bool, typer.Option("--html", help="Print one HTML page with the maps, that loads nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ruleset: RulesetFolder = None,
    settings: RulesetSettings = None,
) -> None:
    """Play an archived game again and print the public report of each turn, or all reports of one.

    It needs neither mail nor database. What is shown comes out of the rules and the journal of the archive, and not out of its
    pages. Of an archive that has only a part of the game, the reports are shown as they are kept.
    """
    if html and as_json:
        fail("only one of --html and --json")
    folders = folders_named(settings, path)
    try:
        with unpacked(path) as folder:
            reports = replay(folder, rules_from(ruleset, folders), turn)
            if html:
                for piece in as_page(path.resolve().name, reports):
                    print(piece, end="")
                return
            if as_json:
                print(json.dumps({"reports": [_row(report) for report in reports]}, ensure_ascii=False, indent=2))
                return
            for report in reports:
                print(f"=== {plain(report.heading)}: {plain(report.reader)} ===\n\n{plain(report.text).rstrip()}\n")
    except NotReadable as problem:
        fail(plain(f"{path}: {problem}"), WENT_WRONG)
    except OSError as problem:
        fail(plain(f"{problem.filename or path}: {problem.strerror or problem}"), WENT_WRONG)
    except (NotShown, UnknownRuleset, BrokenJournal, StoryError) as problem:
        fail(plain(str(problem)), WENT_WRONG)


def _row(report: Report) -> dict[str, Any]:
    """A report for programs: its text, without the page."""
    texts = {"heading": report.heading, "reader": report.reader, "text": report.text}
    return {"turn": report.turn, **{key: plain(text) for key, text in texts.items()}}
