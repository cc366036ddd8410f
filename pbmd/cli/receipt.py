"""`pbmd receipt`: what a receipt proves."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbmd.archive.claims import LARGEST_MAIL, Claims, NoReceipt, claims_of_code, claims_of_mail
from pbmd.archive.receipt import Books, Finding, books_of_archive, books_of_ledger, examine
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk, table_of
from pbmd.dashboard.log import printable
from pbmd.desk.work import Work

app = typer.Typer(**SETTINGS)

_MARKS = {True: "yes", False: "NO", None: "?"}


@app.command(
    "receipt",
    epilog=examples(
        "pbmd receipt answer.eml --archive galaxy-7",
        "pbmd receipt 12 --game galaxy-7",
        "pbmd receipt 4be0fa1bc2d85b5c --archive galaxy-7 --json",
    ),
)
def command(
    claim: Annotated[
        str,
        typer.Argument(
            help="A mail of pbmd, saved as a file; or the number, digest or chain head in it.", metavar="CODE|FILE.eml"
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="The archive to look in; no settings are needed.", metavar="DIR")] = None,
    game: Annotated[str, typer.Option(help="The game in the ledger to look in.", metavar="GAME")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Tell what a receipt proves: whether its number, arrival, digest and chain head are in the books, and if it was used.

    Exit code 0: all that it claims is in the books. 1: something is not, or cannot be told. 2: it is no receipt, or no archive.
    """
    claims = _claims(claim)
    if archive and game:
        fail("give --archive or --game, not both")
    name = game or claims.game
    if archive is None and not name:
        fail("which game? give --archive DIR or --game GAME")
    findings = examine(claims, _archived(archive) if archive else _kept(settings, name))
    proved = all(finding.holds for finding in findings)
    if as_json:
        print(json.dumps({"proved": proved, "findings": [asdict(each) for each in findings]}, ensure_ascii=False, indent=2))
    else:
        _show(findings, proved=proved)
    if not proved:
        raise typer.Exit(WENT_WRONG)


def _claims(claim: str) -> Claims:
    path = Path(claim)
    try:
        if not path.is_file():
            return claims_of_code(claim)
        with path.open("rb") as file:
            return claims_of_mail(file.read(LARGEST_MAIL))
    except (NoReceipt, OSError) as problem:
        fail(problem)


def _archived(folder: Path) -> Books:
    payload = folder / "data"
    try:
        return books_of_archive(payload if payload.is_dir() else folder)
    except (OSError, ValueError) as problem:
        fail(f"{folder} is no archive that can be read: {printable(str(problem))}")


def _kept(settings: Path, name: str) -> Books:
    with at_desk(settings) as desk, Work(desk, reads=True) as work:
        return books_of_ledger(work.session, table_of(work, name).game)


def _show(findings: list[Finding], *, proved: bool) -> None:
    for each in findings:
        print(f"{_MARKS[each.holds]:<4} {each.what:<12} {printable(each.value)}\n{'':17} {printable(each.words)}")
    if proved:
        print("All of it is in the books.")
    elif any(each.holds is False for each in findings):
        print("This does not agree with the books; see the lines with NO.")
    else:
        print("Not all of it can be told from these books; see the lines with ?.")
