"""`pbmd receipt`: what a receipt proves."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.ground.books import Books, books_of_ledger
from pbmd.archive.receipt.examine import Finding, examine_books
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk, table_of
from pbmd.cli.kept_mails import (
    MOST_NAMED,
    Looked,
    Mail,
    archived,
    code_or_mails,
    counted,
    fail_for_nothing,
    is_unreadable,
    left_out_words,
    look,
    show,
    show_mail,
    stands,
)
from pbmd.desk.books.work import Work
from pbmd.ledger.log_file import printable

app = typer.Typer(**SETTINGS)


@app.command(
    "receipt",
    epilog=examples(
        "pbmd receipt answer.eml --archive galaxy-7",
        "pbmd receipt ~/Maildir Archive.mbox --archive galaxy-7",
        "pbmd receipt 12 --game galaxy-7",
        "pbmd receipt 4be0fa1bc2d85b5c --archive galaxy-7 --json",
    ),
)
def command(
    claims: Annotated[
        list[str],
        typer.Argument(
            help="Mails of pbmd: files, mbox, Maildir, folders with any of these; or the number, digest or chain head in one.",
            metavar="CODE|MAILS...",
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="The archive to look in; no settings are needed.", metavar="DIR")] = None,
    game: Annotated[str, typer.Option(help="The game in the ledger to look in.", metavar="GAME")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Tell what the mails that a player has kept prove: whether each receipt, arrival, digest, chain head, dice secret and
    commitment in them is in the books, what became of the orders, and whether each report has the text that the books have.

    Mails of other games and such that are not of pbmd are left out, counted and named. What stands around a report (deadlines,
    press, the order form) is in no books, and not compared.

    Exit code 0: the books have all that was looked at. 1: they have not, or it cannot be told, or a mail cannot be read. 2:
    there was nothing to look at, or there are no such books.
    """
    if archive and game:
        fail("give --archive or --game, not both")
    mails = [mail for claim in claims for mail in code_or_mails(claim)]
    if not any(claimed and claimed.says_anything for _, claimed in mails):
        fail_for_nothing(mails)
    books = archived(archive) if archive else _kept(settings, game or _only_game(mails))
    of_books = examine_books(books)
    looked = list(look(mails, books)) if of_books.holds else []
    _tell(of_books, looked, as_json=as_json)


def _only_game(mails: Iterable[Mail]) -> str:
    """The game that the mails are about."""
    names = sorted({name for _, claims in mails if claims for name in claims.games})
    if len(names) != 1:
        told = f"; these mails are of {', '.join(names[:MOST_NAMED])}" if names else ""
        fail(f"which game? give --archive DIR or --game GAME{told}")
    return names[0]


def _kept(settings: Path, name: str) -> Books:
    with at_desk(settings) as desk, Work(desk, reads=True) as work:
        return books_of_ledger(work.session, table_of(work, name).game)


def _tell(of_books: Finding, looked: Sequence[Looked], *, as_json: bool) -> None:
    examined = [mail for mail in looked if not mail.left_out]
    left_out = [mail for mail in looked if mail.left_out]
    findings = [of_books, *(finding for mail in examined for finding in mail.findings)]
    proved = all(map(stands, findings)) and not any(map(is_unreadable, left_out))
    if as_json:
        told = {"proved": proved, **_as_json(of_books, examined, left_out)}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        show(of_books)
        for mail in examined:
            show_mail(mail, alone=len(looked) == 1)
        for line in (*left_out_words(left_out), _verdict(findings, examined, left_out)):
            print(printable(line))
    if not proved:
        raise typer.Exit(WENT_WRONG)


def _as_json(of_books: Finding, examined: Sequence[Looked], left_out: Sequence[Looked]) -> dict[str, Any]:
    of_mails = (asdict(each) | {"mail": mail.where} for mail in examined for each in mail.findings)
    left = [{"mail": mail.where, "subject": mail.subject, "left_out": mail.left_out, "why": mail.why} for mail in left_out]
    return {"findings": [asdict(of_books), *of_mails], "left_out": left}


def _verdict(findings: Sequence[Finding], examined: Sequence[Looked], left_out: Sequence[Looked]) -> str:
    if any(each.holds is False for each in findings):
        return "This does not agree with the books; see the lines with NO."
    if not all(map(stands, findings)):
        return "Not everything can be told from these books; see the lines with ?."
    count = sum(len(mail.findings) for mail in examined)
    if not left_out and all(each.whole for each in findings):
        return f"All of it is in the books: {counted(count, 'value')}."
    looked_at = f"{counted(count, 'value')} in {counted(len(examined), 'mail')}"
    if any(map(is_unreadable, left_out)):
        return f"What could be read is in the books, {looked_at}; but some could not be read, see above."
    return f"What was looked at is in the books: {looked_at}. For the rest see above."
