"""Votes of the players: those that are open, their ballots, which are in the journal, and who may vote."""

from collections.abc import Iterator

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.ballots import OF_VOTES, Poll, may_vote, poll_of
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.vote_entries import ENDED, FAILED, OF_DEFECT, ProposedEntry, VotedEntry, VoteEnd
from pbmd.ledger.tables import GameStatus, JournalEntry, Seat, SeatState, Vote, VoteState
from pbmd.rendering.render import is_out
from pbmd.rules.protocol import seat_reader


def open_votes(work: Transaction, table: OpenGame) -> list[Vote]:
    """The open votes of a game, oldest first. None where players have nothing to vote on: then nothing is looked up."""
    if not table.terms.votes or table.game.status not in (GameStatus.RUNNING, GameStatus.PAUSED):
        return []
    return _still_open(work, table)


def _still_open(work: Transaction, table: OpenGame) -> list[Vote]:
    work.session.flush()
    found = select(Vote).where(Vote.game_id == table.id, Vote.state == VoteState.OPEN)
    return list(work.session.exec(found.order_by(col(Vote.number))))


def poll(work: Transaction, table: OpenGame, vote: Vote) -> Poll:
    """A vote with its ballots, as the journal has them."""
    return poll_of(_entries(work, table, vote))


def _entries(work: Transaction, table: OpenGame, vote: Vote) -> Iterator[Entry]:
    work.write_rows()
    since = col(JournalEntry.number) >= vote.entry
    for each in entries_of(work.session, table.id, *OF_VOTES, with_sealed=True, where=since):
        if each.number == vote.entry or not isinstance(each.entry, ProposedEntry):
            yield each.entry


def voters(table: OpenGame, said: ProposedEntry) -> tuple[str, ...]:
    """Whose votes count now: of those who have a vote, who is not asleep."""
    return tuple(name for name in with_vote(table, said) if not sleeps(table, table.seat(name)))


def with_vote(table: OpenGame, said: ProposedEntry) -> tuple[str, ...]:
    """Who has a vote on that: who plays, and is not out of the game. That of who is asleep counts as soon as they wake up."""
    names = [seat.name for seat in table.seats if seat.state is SeatState.ACTIVE]
    return may_vote(names, out_of_game(table, names), said)


def sleeps(table: OpenGame, seat: Seat) -> bool:
    """Whether nobody waits for the vote of a seat. Where nobody may know who has sent nothing, the votes of those who sleep
    are waited for, or the others would learn of them."""
    return seat.is_asleep and table.terms.who_has_sent != "nothing"


def out_of_game(table: OpenGame, names: list[str]) -> set[str]:
    """Those who are out of the game, which others go on with, as their own reports say; nobody if the game cannot go on."""
    if table.trouble:
        return set()
    return {name for name in names if is_out(table.ruleset.view(table.position, (), seat_reader(name)))}


def conclude(work: Transaction, table: OpenGame, vote: Vote, said: ProposedEntry, result: str, **more: str | None) -> int:
    """Write down that a vote is over, and how; returns the number of the entry. `more`: why nothing is done, or a reason."""
    is_untold = result == FAILED and said.failure == "untold"
    sealed = VoteEnd(cause=work.cause or None, result=result if is_untold else None)
    entry = VotedEntry(
        turn=table.game.turn,
        vote=vote.number,
        result=None if is_untold else result,
        voters=voters(table, said),
        impossible=more.get("impossible"),
        reason=more.get("reason"),
        sealed=sealed if sealed.cause or sealed.result else None,
    )
    return _enter_end(work, table, vote, entry, result)


def end_by_defect(work: Transaction, table: OpenGame, vote: Vote) -> None:
    """End a vote that meets a bug, or is not in the journal where it should be. It rests on nothing that could meet the bug
    again: not on the rules, nor on what was proposed."""
    playing = tuple(seat.name for seat in table.seats if seat.state is SeatState.ACTIVE)
    sealed = VoteEnd(cause=work.cause) if work.cause else None
    entry = VotedEntry(turn=table.game.turn, vote=vote.number, result=ENDED, voters=playing, reason=OF_DEFECT, sealed=sealed)
    _enter_end(work, table, vote, entry, ENDED)


def _enter_end(work: Transaction, table: OpenGame, vote: Vote, entry: VotedEntry, result: str) -> int:
    vote.state, vote.due_at, vote.decided_at = VoteState(result), None, work.as_of
    number = work.journal(table, entry)
    work.log("voted", table, detail=f"vote {vote.number} ({vote.kind}) {entry.result or 'is over'}")
    return number


def end_votes(work: Transaction, table: OpenGame) -> None:
    """End the open votes of a game that is over, or taken back; pauses that were voted for no longer end by themselves."""
    if not table.terms.votes:
        return
    for vote in _still_open(work, table):
        conclude(work, table, vote, poll(work, table, vote).said, ENDED)
    waits = select(Vote).where(Vote.game_id == table.id, col(Vote.due_at).is_not(None))
    for vote in work.session.exec(waits):
        vote.due_at = None
