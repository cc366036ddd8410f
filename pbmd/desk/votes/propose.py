"""Players propose something to vote on, and vote."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import func, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.books.votes import open_votes, poll, sleeps, voters, with_vote
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.step.on_file import shown_number
from pbmd.desk.step.reporting.press_rooms import writes_to_all
from pbmd.desk.votes.decide import decide
from pbmd.desk.votes.kinds import Kind, Wish, kind_of
from pbmd.ledger.ballots import Poll, poll_of
from pbmd.ledger.entries.vote_entries import NOTHING, OPEN, BallotEntry, BallotPaper, ProposedEntry, VoterLetter
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import GameStatus, Seat, SeatState, Vote
from pbmd.post.compose import Attachment
from pbmd.post.proof_file import PROOF_TYPE, proof_name
from pbmd.rendering.notice_sentences import NO_VOTE
from pbmd.rendering.vote_words import poll_words, proposal_words, quorum_words, reason_words, secrecy_words
from pbmd.rules.protocol import Refused
from pbmd.rules.words import listing
from pbmd.terms.sleepers import BACK
from pbmd.terms.times import describe_time

MOST_IN_A_STEP = 3
"""So many votes a seat may propose in a step: each is a mail to all."""


@dataclass(frozen=True, slots=True)
class Voter:
    """The seat that votes, and when its letter arrived."""

    table: OpenGame
    seat: Seat
    arrived_at: datetime


class VoteAnswer(NamedTuple):
    """What to say to who has voted, and the file that proves it, if there is one."""

    words: str
    proof: Attachment | None

    @classmethod
    def of(cls, words: str, proof: Attachment | None) -> "VoteAnswer":
        """With a sentence that tells of the file."""
        return cls(f"{words} Keep this mail: it and the file attached to it prove that." if proof else words, proof)


def propose(work: Transaction, voter: Voter, text: str, reason: str = "", *, alone: bool) -> VoteAnswer:
    """Begin a vote on what stands after PROPOSE, with the yes of who proposes it; returns what to say to them. All are told the
    reason. `alone`: it is the only thing in its mail. Raises `Refused` and `TimeError`."""
    table, seat = voter.table, voter.seat
    must_have_votes(table)
    kind, said = kind_of(text)
    if kind.name not in table.terms.votes:
        raise Refused(f"in this game players vote on {listing(table.terms.votes)}, and on nothing else")
    if reason:
        _may_have_reasons(table, seat)
    if not alone and table.terms.vote_ballots != OPEN:
        raise Refused(
            "nobody is to know who proposes a vote in this game, and what comes at the same instant could show it; send "
            "PROPOSE in a mail of its own, without orders or other commands"
        )
    wish = kind.read(work, table, seat, said)
    kind.may_be_put(work, table, wish)
    _must_be_few(work, voter, kind)
    entry = _entry(work, voter, kind, wish, reason)
    may = voters(table, entry)
    if seat.name not in may:
        raise Refused(f"first {_wake_words(seat)}" if sleeps(table, seat) else "you are out of the game, so you have no vote")
    vote = _enter(work, voter, entry, kind)
    proof = _proof(voter, vote.number, vote.entry)
    work.session.flush()
    found = poll_of([entry])
    _tell(work, voter, vote, found, may)
    if decide(work, table, vote):
        words = f"Vote {vote.number} is on {proposal_words(entry)}. It is decided already, since nobody else has a vote."
        return VoteAnswer.of(words, proof)
    words = f"Vote {vote.number} has begun, on {proposal_words(entry)}. You have voted yes. {rules_words(found, may)}"
    return VoteAnswer.of(words, proof)


def must_have_votes(table: OpenGame) -> None:
    """Raises `Refused` for a game that does not run, or has no votes."""
    words = {"signup": "has not begun", "finished": "is over"}.get(table.game.status.value)
    if words:
        raise Refused(f"{table.game.name} {words}")
    if not table.terms.votes:
        raise Refused("in this game players have no votes; the game master may allow them")


def _may_have_reasons(table: OpenGame, seat: Seat) -> None:
    """Raises `Refused` where a reason would be press that the terms or the rules do not have."""
    if not table.terms.press:
        raise Refused("this game has no press, so a vote has no reason; send the same without one")
    if table.terms.vote_ballots != OPEN and not table.terms.anonymous_press:
        raise Refused(
            "nobody learns who proposes a vote in this game, and it has no anonymous press, so a vote has no reason; send the "
            "same without one, and the reason, if you like, as PRESS TO ALL"
        )
    if not writes_to_all(table, seat):
        raise Refused("by the rules you cannot write to all now, so your vote has no reason; send the same without one")


def _must_be_few(work: Transaction, voter: Voter, kind: Kind) -> None:
    table = voter.table
    if same := next((vote for vote in open_votes(work, table) if vote.kind == kind.name), None):
        raise Refused(f"there is a vote on that already: VOTE {same.number} YES or VOTE {same.number} NO")
    before = select(func.count()).where(Vote.game_id == table.id, Vote.seat_id == voter.seat.id, Vote.step == table.game.step)
    if work.session.exec(before).one() >= MOST_IN_A_STEP:
        raise Refused(f"you have proposed {MOST_IN_A_STEP} votes in {table.game.step_called}, which is enough")


def _entry(work: Transaction, voter: Voter, kind: Kind, wish: Wish, reason: str) -> ProposedEntry:
    table, terms = voter.table, voter.table.terms
    last = select(func.max(Vote.number)).where(Vote.game_id == table.id)
    return ProposedEntry(
        turn=table.game.turn,
        step=table.game.step,
        vote=(work.session.exec(last).one() or 0) + 1,
        proposal=kind.name,
        about=wish.about or None,
        minutes=None if wish.length is None else -(-wish.length // timedelta(minutes=1)),
        until=written_time(wish.until) if wish.until else None,
        reason=reason or None,
        ends=written_time(work.now + terms.vote_length),
        quorum=terms.vote_quorum,
        ballots=terms.vote_ballots,
        failure=terms.failed_votes,
        seat=voter.seat.name if terms.vote_ballots == OPEN else None,
        sealed=VoterLetter(seat=voter.seat.name, arrived=written_time(voter.arrived_at), cause=work.cause or None),
    )


def _enter(work: Transaction, voter: Voter, entry: ProposedEntry, kind: Kind) -> Vote:
    table, seat = voter.table, voter.seat
    assert seat.id is not None
    vote = Vote(
        game_id=table.id,
        number=entry.vote,
        entry=work.journal(table, entry),
        kind=kind.name,
        seat_id=seat.id,
        step=table.game.step,
        due_at=datetime.fromisoformat(entry.ends),
    )
    work.session.add(vote)
    detail = f"vote {vote.number}: {kind.name}"
    if entry.seat:
        work.log("proposed", table, seat.name, detail)
    else:
        # Other lines about the same letter name its seat, so this one must not name the letter.
        work.log("proposed", table, detail=detail, cause="")
    return vote


def _tell(work: Transaction, voter: Voter, vote: Vote, found: Poll, may: Sequence[str]) -> None:
    """A mail about a vote that has begun, to all; where nobody may know who has proposed it, to them, too."""
    table, said = voter.table, found.said
    have = with_vote(table, said)
    who = voter.seat.name if said.seat else "A player"
    for seat in table.seats:
        if (said.seat and seat is voter.seat) or seat.state is not SeatState.ACTIVE:
            continue
        votes = seat.name in have
        besides = _sleeper_words(table, seat) if votes else f" {NO_VOTE}"
        headline = f"vote {vote.number} has begun"
        values = {
            "game": table.game,
            "seat": seat.name,
            "headline": headline,
            "text": f"{who} proposes {proposal_words(said)}.{besides}",
            "who": who,
            "reason": said.reason or "",
            "votes": votes,
            "number": vote.number,
            "rules": rules_words(found, may, seat.timezone),
            "clock": clock_words(table, seat, work.now),
        }
        title = subject(table, f"{headline}: {vote.kind}")
        key = f"vote {table.id} {vote.number} {seat.number}"
        mail_to_seat(work, table, seat, Draft("notice", key, title, render("vote.txt", values)))


def _sleeper_words(table: OpenGame, seat: Seat) -> str:
    """What who is asleep must do besides, for their vote to count."""
    return f" Your vote counts as soon as you are awake: {_wake_words(seat)}." if sleeps(table, seat) else ""


def _wake_words(seat: Seat) -> str:
    return f"send orders, or write {BACK} on a line of its own, since {seat.name} is asleep"


def rules_words(found: Poll, may: Sequence[str], zone: str = "UTC") -> str:
    """By when to vote, how many must say yes, and who learns what."""
    quorum = quorum_words(found.said.quorum, len(may))
    return f"The vote ends {describe_time(found.ends, zone)}. {quorum} {secrecy_words(found.said)}"


def cast(work: Transaction, voter: Voter, said: Mapping[str, str]) -> VoteAnswer:
    """Note a ballot, and what follows if it was the last that was needed; returns what to say to who has voted. Raises
    `Refused`."""
    table, seat = voter.table, voter.seat
    must_have_votes(table)
    if "vote" in said and "behind" in said:
        raise Refused(f"your line names two votes; write VOTE {said['vote']} {said['answer'].upper()}")
    vote = _meant(work, table, said.get("vote") or said.get("behind"))
    found = poll(work, table, vote)
    if voter.arrived_at > found.ends:
        raise Refused(f"the time for vote {vote.number} was over {describe_time(found.ends, seat.timezone)}")
    if seat.name not in with_vote(table, found.said):
        why = "it is about your seat" if found.said.about == seat.name else "you are out of the game"
        raise Refused(f"you have no vote in vote {vote.number}: {why}")
    if seat.name in found.arrived and found.arrived[seat.name] > voter.arrived_at:
        raise Refused("a later mail of yours counts")
    answer = said["answer"].lower()
    sealed = BallotPaper(seat=seat.name, arrived=written_time(voter.arrived_at), cause=work.cause or None, answer=answer)
    entry = BallotEntry(turn=table.game.turn, vote=vote.number, sealed=sealed)
    number = work.journal(table, replace(entry, seat=seat.name, answer=answer) if found.is_open else entry)
    if found.is_open:
        work.log("ballot", table, seat.name, f"vote {vote.number}: {answer}")
    noted = "You have no ballot in" if answer == NOTHING else f"You have voted {answer} in"
    proof = _proof(voter, vote.number, number)
    decided = " With that the vote is over." if decide(work, table, vote) else ""
    words = f"{noted} vote {vote.number}, on {proposal_words(found.said)}.{_sleeper_words(table, seat)}{decided}"
    return VoteAnswer.of(words, proof)


def _proof(voter: Voter, vote: int, number: int) -> Attachment | None:
    """A file with the head of the journal with a ballot, which nobody can leave out of it any more; None where entries have no
    numbers in mails."""
    game, shown = voter.table.game, shown_number(voter.table, number)
    if not shown:
        return None
    text = render("receipt_of_vote.txt", {"game": game, "vote": vote, "seat": voter.seat.name, "number": shown})
    return Attachment(proof_name(game.name, game.turn, f"vote {vote}", "receipt"), PROOF_TYPE, text.encode())


def _meant(work: Transaction, table: OpenGame, number: str | None) -> Vote:
    """The open vote of that number, or the only one. Raises `Refused`."""
    found = open_votes(work, table)
    if not found:
        raise Refused("there is no open vote")
    if number is None and len(found) == 1:
        return found[0]
    for vote in found:
        if number is not None and vote.number == int(number):
            return vote
    open_ones = listing(str(vote.number) for vote in found)
    raise Refused(f"say which vote: open {'is' if len(found) == 1 else 'are'} {open_ones}; like VOTE {found[0].number} YES")


def vote_rows(work: Transaction, table: OpenGame, seat: Seat) -> list[str]:
    """The open votes of a game for the holder of a seat: what they are on, until when, and how they have voted."""
    return [_row(table, seat, poll(work, table, vote)) for vote in open_votes(work, table)]


def _row(table: OpenGame, seat: Seat, found: Poll) -> str:
    may = voters(table, found.said)
    if seat.name not in with_vote(table, found.said):
        yours = "you have no vote in it"
    elif own := found.ballots.get(seat.name):
        yours = f"you have voted {own}" + (", which counts as soon as you are awake" if sleeps(table, seat) else "")
    else:
        yours = f"you have not voted: VOTE {found.number} YES or VOTE {found.number} NO"
    return f"{poll_words(found, may, seat.timezone)}{reason_words(found.said)}; {yours}"


@dataclass(frozen=True, slots=True)
class HowToStop:
    """What the game master writes against votes, by mail or in a shell."""

    all_votes: str = "VOTES NONE"
    a_vote: str = "VETO {number}"


BY_MAIL = HowToStop()


def votes_of(work: Transaction, table: OpenGame, how: HowToStop = BY_MAIL) -> Iterator[tuple[str, str]]:
    """What players may vote on, and the open votes, for the game master: no more than everybody may know."""
    if not table.terms.votes or table.game.status is GameStatus.FINISHED:
        return
    yield "votes", f"players may vote on {listing(table.terms.votes)} ({how.all_votes} ends that)"
    for found in polls_of(work, table):
        words = f"{poll_words(found, voters(table, found.said))}{reason_words(found.said)}"
        yield "vote", f"{words} ({how.a_vote.format(number=found.number)} stops it)"


def no_votes_words(table: OpenGame, allow: str) -> str:
    """What the game master is told where `votes_of` has nothing; what they write to `allow` all votes."""
    is_over = table.game.status is GameStatus.FINISHED
    return "The game is over." if is_over else f"Players may vote on nothing. {allow} allows them all."


def polls_of(work: Transaction, table: OpenGame) -> Iterator[Poll]:
    """The open votes of a game with their ballots, which are not all for everybody."""
    return (poll(work, table, vote) for vote in open_votes(work, table))
