"""What follows when a vote is over: by its ballots, or by a word of the game master."""

from collections.abc import Sequence

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.books.votes import conclude, open_votes, poll, voters
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import GM, Notice, sealed_cause, tell
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.votes.kinds import KINDS, Passed, wish_in
from pbmd.ledger.ballots import Poll
from pbmd.ledger.entries.vote_entries import FAILED, PASSED, VETOED, VotesEntry
from pbmd.ledger.tables import Vote
from pbmd.rendering.vote_words import ballots_words, proposal_words
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import BrokenGame
from pbmd.rules.words import listing
from pbmd.terms.terms import VOTES, Terms


def decide(work: Transaction, table: OpenGame, vote: Vote, *, over: bool = False) -> bool:
    """Whether a vote is decided by its ballots; if so, what it leads to is done at once. `over`: all letters that count for it
    are known."""
    found = poll(work, table, vote)
    may = voters(table, found.said)
    result = found.result(may, over=over)
    if not result:
        return False
    with work.because(f"vote {vote.number}"):
        if result == PASSED:
            _carry_out(work, table, vote, found, may)
        else:
            conclude(work, table, vote, found.said, FAILED)
            if found.is_told:
                words = f"The vote on {proposal_words(found.said)} has not passed. Nothing changes. {ballots_words(found, may)}"
                _tell(work, table, vote, f"vote {vote.number} has failed", words.rstrip())
    return True


def _carry_out(work: Transaction, table: OpenGame, vote: Vote, found: Poll, may: Sequence[str]) -> None:
    kind, impossible = KINDS[vote.kind], ""
    try:
        kind.must_be_possible(work, table, wish_in(found.said))
    except (Refused, BrokenGame) as problem:
        impossible = problem.trouble if isinstance(problem, BrokenGame) else str(problem)
    conclude(work, table, vote, found.said, PASSED, impossible=impossible or None)
    words = f"Vote {vote.number}, on {proposal_words(found.said)}, has passed. {ballots_words(found, may)}".rstrip()
    if not impossible:
        kind.carry_out(work, table, Passed(vote, found.said, words))
        return
    why = f"{words} But nothing could be done: {impossible}."
    _tell(work, table, vote, f"vote {vote.number} has passed in vain", why)
    values = {"game": table.game, "headline": f"vote {vote.number} has passed in vain", "text": why}
    title = subject(table, f"vote {vote.number} has passed in vain")
    text = render("vote_alarm.txt", values)
    tell_gm(work, Draft("alarm", f"vote {table.id} {vote.number} in vain", title, text), table)


def _tell(work: Transaction, table: OpenGame, vote: Vote, headline: str, words: str, reason: str = "") -> None:
    tell(work, table, table.seats, Notice(f"vote {table.id} {vote.number} over", headline, words, reason))


def veto(work: Transaction, table: OpenGame, number: int, reason: str = "") -> str:
    """The game master ends a vote, whatever its ballots are; returns a sentence. Raises `Refused`."""
    found = open_votes(work, table)
    vote = next((each for each in found if each.number == number), None)
    if vote is None:
        others = listing(str(each.number) for each in found)
        raise Refused(f"there is no open vote {number} in {table.game.name}" + (f"; open are {others}" if others else ""))
    _veto(work, table, vote, reason)
    return f"Vote {number} is over; all players are told that you have stopped it."


def _veto(work: Transaction, table: OpenGame, vote: Vote, reason: str) -> None:
    said = poll(work, table, vote).said
    conclude(work, table, vote, said, VETOED, reason=reason or None)
    words = f"{GM.capitalize()} has stopped the vote on {proposal_words(said)}. Nothing changes."
    _tell(work, table, vote, f"vote {vote.number} is stopped", words, reason)


def set_votes(work: Transaction, table: OpenGame, written: str, reason: str = "") -> str:
    """Change what players may vote on, and tell them; open votes that they may not vote on any more are stopped. Returns a
    sentence. Raises `Refused`."""
    try:
        wanted = Terms.model_validate({"votes": _kinds_in(written)}).votes
    except ValueError:
        raise Refused(f'votes are on {listing(VOTES)}; or write ALL or NONE, not "{written[:40]}"') from None
    if wanted == table.terms.votes:
        raise Refused(f"players may vote on {listing(wanted) or 'nothing'} already")
    for vote in open_votes(work, table):
        if vote.kind not in wanted:
            _veto(work, table, vote, reason)
    table.terms = table.terms.model_copy(update={"votes": wanted})
    table.game.terms = table.terms.model_dump_json()
    entry = VotesEntry(turn=table.game.turn, votes=wanted, reason=reason, sealed=sealed_cause(work))
    number = work.journal(table, entry)
    what = listing(wanted) or "nothing"
    work.log("votes", table, detail=f"players may vote on {what}")
    words = f"From now on players may vote on {what}." + (" PROPOSE begins a vote (see HELP PROPOSE)." if wanted else "")
    tell(work, table, table.seats, Notice(f"notice {table.id} {number}", "what you may vote on has changed", words, reason))
    return f"Players may vote on {what} from now on; they are told."


def _kinds_in(written: str) -> list[str]:
    words = [word for word in written.replace(",", " ").lower().split() if word != "and"]
    return [{"on": "all", "off": "none"}.get(word, word) for word in words]
