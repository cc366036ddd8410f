"""The data for the dashboard, as the desk has it, and the pages kept up to date: they only read, and know nothing of the desk.
This runs beside everything else, so that nothing waits for it."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.exc import OperationalError

from pbmd.desk.books.attendance import digest_of_player
from pbmd.desk.books.checkpoints import log_of
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.extension_budget import extension_budget
from pbmd.desk.mail.alarms import headline, tell_of_failure
from pbmd.desk.sending.redact import without_addresses
from pbmd.desk.step.absences import announced, words_of
from pbmd.desk.step.substitutes.wishes import substitute_words
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.desk.upkeep.damaged import WayBack, known
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.pages.feed import News, news_since
from pbmd.pages.site import REFRESH, put_notice, update
from pbmd.pages.source import OfSeat, Source, Words
from pbmd.rules.troubles import DEFECTS, place_of
from pbmd.settings import Settings
from pbmd.terms.times import describe_briefly, describe_duration, describe_time

_log = logging.getLogger("pbmd.pages")
PAUSE_SECONDS = 10.0
"""Whoever leaves a page open sees it anew each minute, and writing three pages costs more than a letter does."""
SHARE = 20
"""The pages are checked again after this many times as long as it took: at most a twentieth of the time goes into writing
them."""
TROUBLE_SECONDS = 60.0


def dashboard_source(desk: Desk) -> Source:
    """For the pages in the folder ``dashboard`` of the data folder, for the audience that the settings name."""
    settings = desk.settings
    zone = settings.server.timezone
    words = Words(
        time=lambda at: describe_briefly(at, zone, desk.now()),
        whole=partial(describe_time, zone_name=zone),
        zone=zone,
        length=describe_duration,
        discreet=without_addresses,
        alarm=headline,
    )
    return Source(
        engine=desk.engine,
        folder=settings.data / "dashboard",
        audience=settings.dashboard.audience,
        now=desk.now,
        ruleset=desk.ruleset,
        mailbox=mailbox_name(desk),
        words=words,
        key=lambda game: str(log_of(desk, game).verifier),
        seats=partial(_of_seats, desk),
        whose=partial(digest_of_player, desk.key),
    )


def _of_seats(desk: Desk, game: Game) -> dict[str, OfSeat]:
    """What the game master sees of the seats of a game that can go on."""
    if game.id is None:
        return {}
    with Transaction(desk, reads=True) as work:
        table = work.table(game.id)
        playing = table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED)
        away = announced(work, table) if playing else []
        return {
            seat.name: OfSeat(
                seat.holder,
                describe_duration(_left(work, table, seat)) if playing and seat.state is SeatState.ACTIVE else "",
                (
                    *(words_of(absence) for absence in away if absence.seat_id == seat.id),
                    *(substitute_words(work, table, seat) if playing else ()),
                ),
            )
            for seat in table.seats
        }


def _left(work: Transaction, table: OpenGame, seat: Seat) -> timedelta:
    """How much more time the seat may take now without asking."""
    return max(extension_budget(work, table, seat), timedelta(0))


def news_after(desk: Desk, game: str, number: int) -> list[News]:
    """What everybody may know about a game after the line of the log with that number, oldest first."""
    with Transaction(desk, reads=True) as work:
        return news_since(work.session, dashboard_source(desk), game, number)


def observers_source(desk: Desk) -> Source:
    """For the public pages that `pbmd serve --public` shows: in a separate folder, so that it can never show other pages."""
    return replace(dashboard_source(desk), folder=desk.settings.data / "public", audience="public")


def show_to_observers(desk: Desk) -> bool:
    """The same as `show` for the public pages, if observers are shown any. Raises `DamagedLedger`."""
    return not desk.settings.pages.observers or known(desk.settings).found != "" or _updated(desk, observers_source(desk))


def show(desk: Desk) -> bool:
    """Bring the pages up to date, if the settings want them; returns whether that was possible. Obstacles are reported in the
    program's own log. While the ledger is known to be damaged they stay as they are, with the notice that says so. Raises
    `DamagedLedger`."""
    return not desk.settings.dashboard.pages or known(desk.settings).found != "" or _updated(desk, dashboard_source(desk))


def _updated(desk: Desk, source: Source) -> bool:
    try:
        _update(desk, source)
    except DamagedLedger:
        raise
    except OperationalError as problem:
        _log.error("the pages cannot be written just now (%s)", problem.orig)
    except OSError as problem:
        _log.error("the pages cannot be written just now: %s", problem)
        tell_of_failure(desk, f"the pages cannot be written: {problem}")
    except DEFECTS as problem:
        _log.error("a defect of pbmd while writing the pages (%s)", place_of(problem))
        tell_of_failure(desk, f"the pages cannot be written: {place_of(problem)}")
    else:
        return True
    return False


@despite_unreadable
def _update(_desk: Desk, source: Source) -> None:
    update(source)


def show_notice(settings: Settings, problem: str, back: WayBack, now: datetime) -> None:
    """Let the pages say that pbmd has stopped because its ledger is damaged. Raises `OSError`."""
    # The engine is not used: the notice does not need the ledger.
    desk = Desk(engine=open_engine(settings.database_url), settings=settings, key=b"", now=lambda: now)
    put_notice(dashboard_source(desk), problem, back.words, back.command)


def show_on(
    desk: Desk, stopping: threading.Event, written: threading.Event, is_ours: Callable[[], bool] = lambda: True
) -> None:
    """Keep the pages up to date until the event is set, and bring them up to date then, while this process `is_ours` to do so.
    `written` is set when the ledger has changed, and when it is to end: until then nothing is done but what the pages say of
    mailbox and outbox. Raises `DamagedLedger`."""
    pause = 0.0
    while not stopping.wait(pause):
        written.clear()
        begun = time.monotonic()
        done = not is_ours() or show(desk)
        pause = max(PAUSE_SECONDS, SHARE * (time.monotonic() - begun)) if done else TROUBLE_SECONDS
        if done and not stopping.is_set():  # else `written` was set before it was cleared
            written.wait(REFRESH.total_seconds())
    if is_ours():
        show(desk)
