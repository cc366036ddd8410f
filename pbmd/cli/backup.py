"""`pbmd backup` and `pbmd restore`: the ledger copied while the daemon runs, and put back."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlmodel import col, func, select, update

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk, settings_of, table_of, writing
from pbmd.cli.progress import progress
from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.dashboard.site import forget
from pbmd.desk.acts import game_clock
from pbmd.desk.acts.gm import announce
from pbmd.desk.books.desk import Desk, mailbox_name, utc_now
from pbmd.desk.books.work import Work
from pbmd.desk.keeping.backups import ledger_file, make_backup
from pbmd.desk.keeping.damaged import is_whole
from pbmd.desk.keeping.restore import Difference, Lost, difference, made_ready, put_back, put_key_back
from pbmd.desk.keeping.sizes import megabytes, size_words
from pbmd.ledger.backup import look_at
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.log_file import last_number, twin
from pbmd.ledger.tables import GameStatus, Letter, LogLine, Mailbox
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.wire import Refused as ServerRefused
from pbmd.rules import Refused
from pbmd.settings import Settings

app = typer.Typer(**SETTINGS)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("backup", epilog=examples("pbmd backup", "pbmd backup --to /srv/backup --keep 30"))
def backup(
    to: Annotated[
        Path | None, typer.Option(help="The folder to write to; else the one in the settings.", metavar="DIR")
    ] = None,
    keep: Annotated[int, typer.Option(min=0, help="Delete all but so many backups there; 0: none.")] = 0,
    as_json: AsJson = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Copy the ledger and its key as they are at this instant, while the daemon runs, and check the copy.

    It holds everything, also what is secret, and only its owner can read it.
    """
    with at_desk(settings) as desk, _troubles():
        with progress("backup") as told:
            made = make_backup(desk, to or desk.settings.data / desk.settings.backups.folder, keep, told)
        if as_json:
            shown = {"path": str(made.path), "megabytes": megabytes(made.bytes), "letters": made.letters, "games": made.games}
            print(json.dumps(shown))
        else:
            size = size_words(made.bytes)
            print(f"{made.path}: {made.games} games, {made.letters} letters, {size}; it was read again and is whole.")


@app.command("restore", epilog=examples("pbmd restore data/backups/ledger-20261121T184415Z.sqlite"))
def restore(
    file: Annotated[Path, typer.Argument(help="A backup that pbmd made.", metavar="FILE")],
    force: Annotated[bool, typer.Option("--force", help="Also if reports have gone out since the backup.")] = False,
    as_json: AsJson = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Put a backup in the place of the ledger; the daemon must not run. The replaced ledger is kept beside it.

    A backup of an older pbmd is brought up to date before it takes that place; of one that this pbmd cannot use nothing does.

    Letters that came since are read again. Where reports have gone out since, it is refused without --force: those turns would
    be resolved and reported again in another way. With it such games are paused, and all players told.
    """
    chosen = settings_of(settings)
    try:
        chosen.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _troubles(), only_one(chosen.data):
            told = _restore(chosen, settings, file, force=force)
    except (Refused, DamagedLedger) as problem:
        fail(problem)
    except AlreadyRunning as problem:
        fail(problem, 3)
    except OSError as problem:
        fail(problem, WENT_WRONG)
    if as_json:
        print(json.dumps(told, default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(told["words"]))
    if told["mailbox"]:
        raise typer.Exit(WENT_WRONG)


def _restore(chosen: Settings, settings: Path, file: Path, *, force: bool) -> dict[str, Any]:
    whole = look_at(file)
    lacks = difference(file, ledger_file(chosen))
    if lacks.reported and not force:
        raise Refused(
            f"reports of {', '.join(lacks.reported)} have gone out since this backup, and would go out again with another "
            "content; nothing was changed. If you have no other way: --force restores it, and pauses these games"
        )
    with ExitStack() as stack:
        with _unchanged(file), progress("restore") as told:
            fresh = stack.enter_context(made_ready(chosen, file, lacks, told))
        key = put_key_back(chosen, file)
        aside = put_back(chosen, fresh, utc_now())
    try:
        with at_desk(settings) as desk:
            forget(chosen.data / "dashboard")
            is_whole(chosen)
            with writing(desk) as work:
                work.log("restored", detail=f"{file.name}, {whole.games} games, {whole.letters} letters")
                _number_on(work)
                _tell_players(work, lacks)
            came, trouble = _letters_again(desk)
    except typer.Exit:
        typer.echo(f"pbmd: {' '.join(_words(file, aside, lacks))}", err=True)
        raise
    return {
        "restored": file,
        "replaced": aside,
        "lost": [asdict(each) for each in lacks.lost],
        "letters": lacks.letters,
        "brought_back": came,
        "mailbox": trouble,
        "words": [
            *_words(file, aside, lacks),
            *([key] if key else []),
            trouble or f"{came} letters are read again.",
        ],
    }


def _number_on(work: Work) -> None:
    """Give the line just logged, and so those that follow, a number above all that the log files have: what is not above
    these is there already, they go by."""
    work.write_rows()
    log = work.desk.settings.log_file
    last, newest = max(last_number(log), last_number(twin(log))), work.session.exec(select(func.max(LogLine.id))).one() or 0
    if last >= newest:
        work.session.exec(update(LogLine).where(col(LogLine.id) == newest).values(id=last + 1))


def _tell_players(work: Work, lacks: Difference) -> None:
    for lost in lacks.lost:
        try:
            table = table_of(work, lost.game)
        except Refused:
            continue  # It began after the backup.
        reason = (
            f"The books of this game were restored from a backup. Entries {lost.first} to {lost.last} of its journal are lost, "
            f"the last with the hash {lost.head}: receipts and reports of these are void. Letters since then are read again, "
            "and answered again"
        )
        if lost.reports and table.game.status is GameStatus.RUNNING:
            game_clock.pause(work, table, reason)
        elif table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
            announce(work, table, reason)


def _letters_again(desk: Desk) -> tuple[int, str]:
    """Have the letters read again that the backup does not know: how many were put back, and what went wrong."""
    inbox = Inbox(desk.settings.imap_account())
    since = _known_until(desk)
    try:
        inbox.connect()
        return inbox.bring_back(since), ""
    except (InboxLost, LoginRefused, ServerRefused) as problem:
        folder = desk.settings.imap.processed_folder
        return 0, (
            f"The mailbox could not be asked ({problem}). All else is done. Before you start the daemon, move the letters that "
            f"arrived since {since} from {folder} back into {desk.settings.imap.folder} with a mail program."
        )
    finally:
        inbox.close()


def _known_until(desk: Desk) -> date:
    with Work(desk, reads=True) as work:
        read = work.session.exec(select(Mailbox.read_through).where(Mailbox.name == mailbox_name(desk))).first()
        last = work.session.exec(select(func.max(Letter.arrived_at))).one()
    known = [at for at in (read, last) if at]
    return min(known).date() if known else date(1970, 1, 2)


def _words(file: Path, aside: Path | None, lacks: Difference) -> list[str]:
    words = [f"{file} is the ledger now."]
    if aside:
        words.append(f"The replaced one is {aside}.")
    if not lacks.readable:
        words.append(
            "What it had more than the backup cannot be told, since it is not there or cannot be read. Turns that were "
            "resolved since are resolved and reported again, perhaps with other dice: tell your players before you go on."
        )
    return [*words, *(_words_of_game(lost) for lost in lacks.lost)]


def _words_of_game(lost: Lost) -> str:
    words = f"{lost.game}: entries {lost.first} to {lost.last} of its journal are lost; its players are told."
    return f"{words} {lost.reports} reports had gone out, so it is paused." if lost.reports else words


@contextmanager
def _unchanged(file: Path) -> Generator[None]:
    try:
        yield
    except (DamagedLedger, OSError, sqlite3.Error) as problem:
        fail(f"{file} cannot be restored: {problem}; nothing was changed", WENT_WRONG)


@contextmanager
def _troubles() -> Generator[None]:
    try:
        yield
    except (DamagedLedger, sqlite3.Error) as problem:
        fail(problem, WENT_WRONG)
