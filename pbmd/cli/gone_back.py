"""What follows when a backup has become the ledger: log, pages and players are informed, and letters read again."""

from datetime import date

from sqlmodel import col, func, select, update

from pbmd.cli.changes import carry_out, writing
from pbmd.cli.desk import table_of
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import pauses
from pbmd.desk.changes.gm import announce
from pbmd.desk.upkeep.damaged import is_whole
from pbmd.desk.upkeep.restore import Difference, Lost, promised_before
from pbmd.ledger.database import number_on
from pbmd.ledger.log_file import last_number, twin
from pbmd.ledger.tables import GameStatus, Letter, LogLine, Mailbox
from pbmd.pages.site import forget
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.wire import Refused as ServerRefused
from pbmd.rules import Refused

UNKNOWN = (
    "Turns that were resolved since are resolved and reported again, perhaps with other dice: tell your players before "
    "you go on."
)
"""What follows if nobody knows what was in the replaced ledger."""


def must_not_have_reported(lacks: Difference, force: str) -> None:
    """Raises `Refused` where reports have gone out since the backup; `force` says what --force would do."""
    if lacks.reported:
        raise Refused(
            f"reports of {', '.join(lacks.reported)} have gone out since this backup, and would go out again with another "
            f"content; nothing was changed. If you have no other way: {force}"
        )


def words_of_games(lacks: Difference) -> list[str]:
    """What each game has lost, in words."""
    return [_words_of_game(lost) for lost in lacks.lost]


def go_on(desk: Desk, restored: str, lacks: Difference) -> tuple[int, str]:
    """Have the log, the pages and the players know, and the letters read again that the backup does not know: how many were put
    back, and what went wrong with that. `restored` is for the log."""
    forget(desk.settings.data / "dashboard")
    is_whole(desk.settings)
    with writing(desk) as work:
        work.log("restored", detail=restored)
        _number_on(work)
        tell_players(work, lacks)
    _promise_anew(desk)
    return _letters_again(desk)


def _number_on(work: Transaction) -> None:
    """Give the line just logged, and so those that follow, a number above all in the log files, which take any lower number for
    a line that they have."""
    work.write_rows()
    log = work.desk.settings.log_file
    last, newest = max(last_number(log), last_number(twin(log))), work.session.exec(select(func.max(LogLine.id))).one() or 0
    if last >= newest:
        work.session.exec(update(LogLine).where(col(LogLine.id) == newest).values(id=last + 1))
        number_on(work.session.connection(), str(LogLine.__tablename__), last + 1)


def tell_players(work: Transaction, lacks: Difference) -> None:
    """Tell the players of each game what it has lost. One of which reports have gone out since is paused."""
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
            pauses.pause(work, table, reason)
        elif table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
            announce(work, table, reason)


def _promise_anew(desk: Desk) -> None:
    """Have the dice of all games promised anew: that is done to whichever comes to the desk, so they need only come. One whose
    rules are not there, or that is broken, waits until it can go on."""
    with Transaction(desk, reads=True) as work:
        games = promised_before(work.session.connection())
    for game_id in games:
        carry_out(desk, lambda work, game_id=game_id: work.table(game_id))


def _letters_again(desk: Desk) -> tuple[int, str]:
    """Have the letters that the backup does not know read again; return how many were put back, and what went wrong."""
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
    with Transaction(desk, reads=True) as work:
        read = work.session.exec(select(Mailbox.read_through).where(Mailbox.name == mailbox_name(desk))).first()
        last = work.session.exec(select(func.max(Letter.arrived_at))).one()
    known = [at for at in (read, last) if at]
    return min(known).date() if known else date(1970, 1, 2)


def _words_of_game(lost: Lost) -> str:
    words = f"{lost.game}: entries {lost.first} to {lost.last} of its journal are lost; its players are told."
    return f"{words} {lost.reports} reports had gone out, so it is paused." if lost.reports else words
