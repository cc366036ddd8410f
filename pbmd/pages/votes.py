"""The open votes of a game, for its page: what everybody may know of them."""

import json

from sqlmodel import Session, col, select

from pbmd.ledger.ballots import OF_VOTES, may_vote, poll_of
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.vote_entries import ProposedEntry
from pbmd.ledger.tables import Game, JournalEntry, Seat, SeatState, Vote, VoteState
from pbmd.rendering.vote_words import poll_words


def vote_lines(session: Session, game: Game) -> tuple[str, ...]:
    """Each open vote in a line. Sealed parts of the journal are not looked at: who votes how is there only if all may know."""
    found = select(Vote).where(Vote.game_id == game.id, Vote.state == VoteState.OPEN).order_by(col(Vote.number))
    return tuple(_line(session, game, vote) for vote in session.exec(found))


def _line(session: Session, game: Game, vote: Vote) -> str:
    entries = entries_of(session, game.id, *OF_VOTES, where=col(JournalEntry.number) >= vote.entry)
    poll = poll_of(each.entry for each in entries if each.number == vote.entry or not isinstance(each.entry, ProposedEntry))
    playing = select(Seat).where(Seat.game_id == game.id, Seat.state == SeatState.ACTIVE).order_by(col(Seat.number))
    waits_for_all = json.loads(game.terms).get("who_has_sent") == "nothing"  # or others would learn who sleeps
    names = (seat.name for seat in session.exec(playing) if waits_for_all or seat.is_awake)
    return poll_words(poll, may_vote(names, (), poll.said))
