"""`pbmd receipt`: what a receipt proves."""

import json
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.evidence.witness import Judged, Mail, judge, stands
from pbmd.archive.format.book_sources.ledger import books_of_ledger
from pbmd.archive.format.books import Books
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.kept_mails import (
    MOST_NAMED,
    archived,
    code_or_mails,
    counted,
    counts_line,
    counts_of,
    disagreement_lines,
    fail_for_nothing,
    nothing_in,
    show,
    show_mail,
    skipped_document,
    skipped_lines,
)
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.symptoms import more_told, of_receipt
from pbmd.desk.books.transaction import Transaction
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
            help="Mails of pbmd: .eml, .msg, mbox, Maildir, zip, folders of these; or the number, digest, chain head or "
            "four words in one.",
            metavar="CODE|MAILS",
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="The archive to look in; no settings needed.", metavar="PATH")] = None,
    game: Annotated[str, typer.Option(help="The game in the ledger to look in.", metavar="GAME")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Check what the mails that a player has kept prove, against the books and against each other.

    It tells whether each receipt, arrival, deadline, digest, word for the dice, chain head (also in an order form), dice secret
    and commitment in them is in the books, what became of the orders, and whether each report, and press that came by itself,
    has the text that the books have. Several mails are held against each other, too, as by `pbmd compare`, and what the books
    have for their reader and none of them shows is named.

    What programs show of a mail, its HTML, is held against its text and, of a report, against the page in the books.

    Mails of other games and such that are not of pbmd are left out, counted and named. Words around a report (what became of
    orders, when the next are due, the order form) are held against its page in an archive: what that has not is named, and not
    called wrong.

    Exit code 0: the books have all that was looked at. 1: they have not, or it cannot be told, or two mails disagree, or a mail
    cannot be read. 2: there was nothing to look at, or there are no such books.
    """
    if archive and game:
        fail("give --archive or --game, not both")
    mails = [mail for claim in claims for mail in code_or_mails(claim)]
    if nothing_in(mails):
        fail_for_nothing(mails)
    with archived(archive) if archive else nullcontext(_kept(settings, game or _only_game(mails))) as books:
        judged = judge(mails, books)
    _tell(judged, mails, as_json=as_json)


def _only_game(mails: Iterable[Mail]) -> str:
    """The game that the mails are about."""
    names = sorted({name for _, claims in mails if claims for name in claims.games})
    if len(names) != 1:
        told = f"; these mails are of {', '.join(names[:MOST_NAMED])}" if names else ""
        fail(f"which game? give --archive DIR or --game GAME{told}")
    return names[0]


def _kept(settings: Path, name: str) -> Books:
    if not settings.exists():  # whoever asks is a player, say, and runs no games
        fail(f"{settings}: there is no such file; name an archive with --archive. `pbmd compare` needs neither")
    with at_desk(settings) as desk, Transaction(desk, reads=True) as work:
        return books_of_ledger(work.session, table_of(work, name).game)


def _tell(judged: Judged, mails: Sequence[Mail], *, as_json: bool) -> None:
    if as_json:
        print(
            json.dumps({"proved": judged.holds, **_as_json(judged), "counted": counts_of(mails)}, ensure_ascii=False, indent=2)
        )
    else:
        assert judged.of_books is not None, "there are books"
        if len(mails) > 1:
            print(printable(counts_line(mails)))
        show(judged.of_books)
        for mail in judged.examined:
            show_mail(mail, alone=len(judged.looked) == 1)
        for line in (*disagreement_lines(judged), *skipped_lines(judged), _verdict(judged)):
            print(printable(line))
        for told in more_told((each.what, of_receipt(each.words)) for each in judged.findings):
            print(f"More of {told}")
    if not judged.holds:
        raise typer.Exit(WENT_WRONG)


def _as_json(judged: Judged) -> dict[str, Any]:
    of_mails = [asdict(each) | {"mail": mail.where} for mail in judged.examined for each in mail.findings]
    of_books = [] if judged.of_books is None else [asdict(judged.of_books)]
    disagreements = [asdict(each) for each in judged.agreement.disagreements]
    return {"findings": of_books + of_mails, "disagreements": disagreements, **skipped_document(judged)}


def _verdict(judged: Judged) -> str:
    findings, examined = judged.findings, judged.examined
    if any(each.holds is False for each in findings):
        return "This does not agree with the books; see the lines with NO."
    if judged.agreement.disagreements:
        return "These mails tell two histories; see the lines with NO."
    if not all(map(stands, findings)):
        return "Some things could not be checked; they are marked ?."
    count = sum(len(mail.findings) for mail in examined)
    if not judged.left_out and not judged.passed_over and not judged.absent:
        return f"Each value is in the books: {counted(count, 'value')}."
    looked_at = f"{counted(count - judged.passed_over, 'value')} in {counted(len(examined), 'mail')}"
    if judged.unreadable:
        return f"What could be read is in the books, {looked_at}; but some could not be read, see above."
    return f"What was looked at is in the books: {looked_at}. For the rest see above."
