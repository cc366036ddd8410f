"""Votes whose time is over, and pauses that end because players voted for their length.

A vote ends on evidence, as a step does: only when all letters that arrived in its time are known and dealt with. Of a vote and
a step that are both over, the one that was over first goes first.
"""

import logging
from datetime import datetime

from sqlalchemy import bindparam, update
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, OutOfLane, Transaction
from pbmd.desk.books.votes import end_by_defect, open_votes
from pbmd.desk.changes.pauses import resume
from pbmd.desk.deadlines.awaiting import is_due
from pbmd.desk.deadlines.evidence import Evidence, due_until, evidence_for, read_until
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.step.game_transaction import change_games
from pbmd.desk.step.stop import lacks_rules
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.desk.unreadable.stop_or_tell import stop_or_tell
from pbmd.desk.votes.decide import decide
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.entries.vote_entries import VOTE
from pbmd.ledger.tables import GameStatus, UtcDateTime, Vote, VoteState
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import DEFECTS, BrokenGame, place_of

_trouble = logging.getLogger("pbmd.due")
AT_ONCE = 100
"""So many are looked at in one pass; the others a second later."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_DUE = (
    select(col(Vote.id), col(Vote.game_id))
    .where(col(Vote.due_at).is_not(None), col(Vote.due_at) <= bindparam("until", type_=UtcDateTime))
    .order_by(col(Vote.due_at), col(Vote.id))
    .limit(AT_ONCE)
)


@despite_unreadable
def decide_votes(desk: Desk) -> int:
    """Look at the votes that are due, each in its own transaction; gives how many were over. One that makes trouble holds up no
    other."""
    with Transaction(desk, reads=True) as work:
        until = due_until(work)
        if until is None or doubt(work):
            return 0
        due = work.session.connection().execute(_DUE, {"until": until}).all()
    return sum(_look_at_or_give_up(desk, number or 0, game_id or 0) for number, game_id in due)


def _look_at_or_give_up(desk: Desk, number: int, game_id: int) -> bool:
    try:
        with Transaction(desk, reads=True) as work:
            ready = _is_ready(work, number)
        return ready and _look_at(desk, number, game_id, None)
    except UNUSABLE:
        raise
    except DEFECTS as trouble:
        place = place_of(trouble)
        _trouble.error("vote %s can neither be decided nor ended: %s", number, place)
        with Transaction(desk) as work:  # no row of its game is touched: one of them may be why
            work.session.connection().execute(update(Vote).where(col(Vote.id) == number).values(due_at=None))
        stop_or_tell(desk, game_id, place)
        return False


def _is_ready(work: Transaction, number: int) -> bool:
    """Whether there is something to do for a vote, as far as can be told without its game's rules going wrong."""
    vote = work.session.get(Vote, number)
    if vote is None:
        return False
    if vote.state is not VoteState.OPEN:
        return vote.due_at is not None and vote.due_at <= work.now
    evidence = evidence_for(work, work.table(vote.game_id))
    return evidence is not None and vote.due_at is not None and evidence.covers(vote.due_at)


def is_vote_due(work: Transaction, table: OpenGame, evidence: Evidence) -> bool:
    """Whether a vote in a game is over by this evidence, and nothing else that was over before it is still to be done."""
    return any(_is_over(table, vote, evidence) for vote in open_votes(work, table))


def _is_over(table: OpenGame, vote: Vote, evidence: Evidence) -> bool:
    if vote.due_at is None or not evidence.covers(vote.due_at):
        return False
    runs = table.game.status is GameStatus.RUNNING and not table.trouble
    return not (runs and is_due(table, Evidence(vote.due_at)))


def decide_before(desk: Desk, game_id: int, known: Evidence, lane: int | None = None) -> bool:
    """Decide the votes of a game that were over before the letter at `known.before`, as far as the mailbox was read for it.
    False if there was none."""
    with Transaction(desk, reads=True) as work:
        due = [vote.id for vote in open_votes(work, work.table(game_id))]
    return sum(_look_at(desk, number, game_id, known, lane) for number in due if number) > 0


def _look_at(desk: Desk, number: int, game_id: int, known: Evidence | None, lane: int | None = None) -> bool:
    try:
        return change_games(desk, lambda work: _decide(work, number, game_id, known), lane=lane)
    except UNUSABLE:
        raise
    except OutOfLane:
        return _look_at(desk, number, game_id, known)
    except DEFECTS as trouble:
        # The text of the exception may tell secrets, so only its kind goes into log and ledger.
        place = place_of(trouble)
        _trouble.error("vote %s cannot be decided: %s", number, place)
        desk.troubled(trouble)
        return change_games(desk, lambda work: _stop(work, number, game_id, place))


def _decide(work: Transaction, number: int, game_id: int, known: Evidence | None) -> bool:
    table, vote = work.table(game_id), work.session.get(Vote, number)
    if vote is None or vote.due_at is None or table.anew or doubt(work):
        return False
    if work.desk.host and lacks_rules(table):
        return False  # another host may have them, and then be able to do what was voted for
    if vote.state is not VoteState.OPEN:
        return _resume(work, table, vote, vote.due_at)
    evidence = known or evidence_for(work, table)
    if evidence is None or not _is_over(table, vote, evidence):
        return False
    work.cause, work.moment = read_until(evidence), vote.due_at
    return decide(work, table, vote, over=True)


def _resume(work: Transaction, table: OpenGame, vote: Vote, at: datetime) -> bool:
    """A pause for which players have voted ends, unless it has ended, or is another."""
    if at > work.now:
        return False
    vote.due_at = None
    if table.game.status is not GameStatus.PAUSED or table.game.paused_at != vote.decided_at:
        return False
    with work.because(f"vote {vote.number}"):
        try:
            resume(work, table, f"The pause is over for which the players voted (vote {vote.number}).", by=VOTE)
        except (Refused, BrokenGame) as problem:
            _tell_gm(work, table, vote, problem)
    return True


def _tell_gm(work: Transaction, table: OpenGame, vote: Vote, problem: Exception) -> None:
    why = problem.trouble if isinstance(problem, BrokenGame) else str(problem)
    headline = "the pause could not end"
    text = f"The pause for which the players voted is over, but the game could not go on: {why}. RESUME lets it go on."
    values = {"game": table.game, "headline": headline, "text": text}
    draft = Draft("alarm", f"vote {table.id} {vote.number} pause", subject(table, headline), render("vote_alarm.txt", values))
    tell_gm(work, draft, table)


def _stop(work: Transaction, number: int, game_id: int, place: str) -> bool:
    """A vote that makes trouble is looked at no more."""
    table, vote = work.table(game_id), work.session.get(Vote, number)
    if vote is None:
        return False
    if vote.state is VoteState.OPEN:
        end_by_defect(work, table, vote)
    vote.due_at = None
    work.log("no-vote", table, detail=f"vote {vote.number}: {place}")
    return True
