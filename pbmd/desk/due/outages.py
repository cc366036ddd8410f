"""Times in which the mailbox could not be read, and the time that players get back for them.

Letters that arrived in time count, however late they are read. But who gets no answer shortly before a deadline cannot mend
what was wrong, and mail may not even have got into the mailbox. So what an outage took of the last hours before a deadline (the
term ``outage_window``) is given back: the deadline moves by as much, counted from the end of the outage if that came after it.

It is done before the reading that ended the outage becomes evidence, so that no step is resolved by a deadline that is to move;
each game in a transaction of its own, and each but once for an outage, whatever happens between.

The entry in the journal names the outage, so none is counted twice.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlmodel import col, select

from pbmd.desk.books.deadlines import move_deadlines, not_missed, sealed_deadlines
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.next_deadline import LEAST_OUTAGE, deadline_after_outage
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.desk.unreadable.stop_or_tell import stop_or_tell
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.entries.master_entries import ShiftedEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Mailbox, Outage
from pbmd.rendering.entry_notices import LATER
from pbmd.rendering.notice_sentences import TIME_BACK
from pbmd.rules.troubles import DEFECTS, place_of
from pbmd.terms.times import describe_duration, describe_time

_trouble = logging.getLogger("pbmd.outages")


@dataclass(frozen=True, slots=True)
class _Lost:
    """An outage that is over."""

    id: int
    began: datetime
    ended: datetime

    def words(self, zone: str = "UTC") -> str:
        """From when to when, for people in that zone."""
        return f"from {describe_time(self.began, zone)} to {describe_time(self.ended, zone)}"


@despite_unreadable
def note_unreadable(desk: Desk) -> None:
    """A try to read the mailbox has failed."""
    with Transaction(desk, reads=True) as work:
        if _open(work) is not None or doubt(work):
            return
    with Transaction(desk) as work:
        name = mailbox_name(desk)
        box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first() or Mailbox(name=name)
        work.session.add(box)
        work.session.flush()
        work.session.add(Outage(mailbox_id=box.id or 0, began=work.now))
        work.session.flush()


@despite_unreadable
def end_outage(desk: Desk, ended: datetime) -> None:
    """The mailbox was read to its end, in a reading that began at `ended`: give time back for the outage before it, if any."""
    with Transaction(desk, reads=True) as work:
        outage = _open(work)
        if outage is None or doubt(work):
            return
        running = work.session.exec(select(Game.id).where(Game.status == GameStatus.RUNNING).order_by(col(Game.id))).all()
    lost = _Lost(outage.id or 0, outage.began, ended)
    if lost.ended - lost.began >= LEAST_OUTAGE:
        for game_id in running:
            _give_back(desk, game_id or 0, lost)
    with Transaction(desk) as work:
        row = work.session.get(Outage, lost.id)
        assert row is not None
        row.ended = ended
        if moved := _moved(work, lost):
            text = render("outage.txt", {"when": lost.words(work.desk.settings.server.timezone), "games": moved})
            tell_gm(work, Draft("alarm", f"outage {lost.id}", "[pbmd] deadlines have moved after an outage", text))


def _open(work: Transaction) -> Outage | None:
    of_mailbox = select(Outage).join(Mailbox, col(Mailbox.id) == Outage.mailbox_id)
    return work.session.exec(
        of_mailbox.where(Mailbox.name == mailbox_name(work.desk), col(Outage.ended).is_(None)).limit(1)
    ).first()


def _give_back(desk: Desk, game_id: int, lost: _Lost) -> None:
    """Move the deadlines of a game. One that makes trouble is paused, so that the others get theirs."""
    try:
        with changing_games(desk, f"outage {lost.id} of the mailbox") as work:
            table = work.table(game_id)
            if table.game.status is GameStatus.RUNNING and not any(_shifts(work, lost, game_id)):
                _shift(work, table, lost)
    except UNUSABLE:
        raise
    except DEFECTS as trouble:
        _trouble.error("no time can be given back in game %d, which is paused: %s", game_id, place_of(trouble))
        stop_or_tell(desk, game_id, place_of(trouble))


def _shift(work: Transaction, table: OpenGame, lost: _Lost) -> None:
    """Move the deadlines of the current step from which enough was taken, and tell those whose they are."""
    game, moved = table.game, partial(deadline_after_outage, table, (lost.began, lost.ended))
    if game.deadline is None:
        return
    before, after = game.deadline, moved(game.deadline)
    told = [seat for seat in not_missed(table) if moved(at := seat.deadline or before) != at]
    if after == before and not told:
        return
    table.must_go_on()
    move_deadlines(table, moved)
    entry = ShiftedEntry(
        turn=game.turn,
        outage=lost.id,
        began=written_time(lost.began),
        ended=written_time(lost.ended),
        deadline=written_time(after),
        before=written_time(before),
        seats={seat.name: written_time(seat.deadline) for seat in told if seat.deadline},
        sealed=sealed_deadlines(table),
    )
    number = work.journal(table, entry)
    length = describe_duration(after - before) if after != before else "later for some"
    work.log(
        "shifted", table, detail=f"{length}; deadline {describe_time(after)}: the mailbox could not be read {lost.words()}"
    )
    for seat in told:
        words = f"The mailbox of the game could not be read {lost.words(seat.timezone)}. {TIME_BACK}"
        notice = Notice(f"notice {table.id} {number}", LATER, words, due=f"{LATER}: {{due}}")
        tell(work, table, [seat], notice)


def _shifts(work: Transaction, lost: _Lost, game_id: int) -> Iterator[ShiftedEntry]:
    """What the journal of a game has of this outage. Raises `MalformedEntry`."""
    shifted = (each.entry for each in entries_of(work.session, game_id, ShiftedEntry))
    return (entry for entry in shifted if entry.outage == lost.id)


def _moved(work: Transaction, lost: _Lost) -> list[str]:
    """A line for each game whose deadlines have moved."""
    shifted = select(Game.id, Game.name).join(JournalEntry, col(JournalEntry.game_id) == Game.id)
    games = work.session.exec(shifted.where(JournalEntry.kind == ShiftedEntry.kind).distinct().order_by(Game.name)).all()
    moved: list[str] = []
    for game_id, name in games:
        try:
            deadlines = [shift.deadline for shift in _shifts(work, lost, game_id or 0)]
        except MalformedEntry as problem:  # the outage is to end for the others
            _trouble.error("what the journal of %s has of outage %d cannot be read: %s", name, lost.id, problem)
            continue
        moved += [f"{name}: {describe_time(datetime.fromisoformat(deadline))}" for deadline in deadlines[-1:]]
    return moved
