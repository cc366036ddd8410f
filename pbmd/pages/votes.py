"""The open votes of a game, for its page: what everybody may know of them."""

import json

from sqlmodel import Session, col, select

from pbmd.ledger.ballots import KINDS, may_vote, poll_of
from pbmd.ledger.entries.kinds import read
from pbmd.ledger.tables import Game, JournalEntry, Seat, SeatState, Vote, VoteState
from pbmd.rendering.vote_words import poll_words


def vote_lines(session: Session, game: Game) -> tuple[str, ...]:
    """Each open vote in a line. Sealed parts of the journal are not looked at: who votes how is there only if all may know."""
    found = select(Vote).where(Vote.game_id == game.id, Vote.state == VoteState.OPEN).order_by(col(Vote.number))
    return tuple(_line(session, game, vote) for vote in session.exec(found))


def _line(session: Session, game: Game, vote: Vote) -> str:
    columns = select(JournalEntry.number, JournalEntry.kind, JournalEntry.public).where(
        JournalEntry.game_id == game.id, JournalEntry.number >= vote.entry, col(JournalEntry.kind).in_(KINDS)
    )
    entries = session.exec(columns.order_by(col(JournalEntry.number)))
    poll = poll_of(
        read(kind, json.loads(public), None) for number, kind, public in entries if kind != "proposed" or number == vote.entry
    )
    playing = select(Seat).where(Seat.game_id == game.id, Seat.state == SeatState.ACTIVE).order_by(col(Seat.number))
    waits_for_all = json.loads(game.terms).get("who_has_sent") == "nothing"  # or others would learn who sleeps
    names = (seat.name for seat in session.exec(playing) if waits_for_all or seat.is_awake)
    return poll_words(poll, may_vote(names, (), poll.said))
