"""What becomes of orders: how that is found in a game, and how it is written down in the journal and among the submissions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbmd.desk.books.transaction import Transaction, compact_json
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer, OrdersAnswer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.player.orders.echoed_head import head_in, word_in
from pbmd.desk.player.orders.timing import Mistimed
from pbmd.desk.step.events import keep_for_journal
from pbmd.desk.step.on_file import arrival_words, digest_of, written_verdicts
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.entries.player_entries import UNTIL_ORDERS, OrdersEntry, WaitEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Submission, SubmissionState
from pbmd.rules.joining import Joined
from pbmd.rules.protocol import Receipt, Sheet, Status, Verdict
from pbmd.rules.words import counted
from pbmd.terms.times import EPOCH


@dataclass(frozen=True, slots=True)
class Filing:
    """What becomes of orders, and the `headline` that tells their sender. `verdicts` is what the rules said, nothing if
    they never got to see them. What is `journalled_later` gets into the journal when the step is over, and has no number
    until then. `short` is the headline for a subject, where that is another. `log` is what the log calls it, empty if it is
    silent, and says `why`. `of` is the turn and step they are for, None for what runs.
    """

    state: SubmissionState
    headline: str
    verdicts: tuple[Verdict, ...] = ()
    journalled_later: bool = False
    log: str = ""
    why: str = ""
    of: tuple[int, int] | None = None
    short: str = ""


@dataclass(frozen=True, slots=True)
class Taking:
    """How a kind of game takes orders; `take_orders` goes by it.

    `not_for_now` says why a letter does not count, before the rules are asked, by what is on file too, and `untimely` why not
    though they would put it on file. `file` says what becomes of one that counts, by the position as it was before it. If what
    does not count is `journalled_later`, nobody can tell from the journal and its numbers that something came.
    """

    not_for_now: Callable[[Transaction, Sender, Arrived, Command | None, Sheet | None], Mistimed | None]
    file: Callable[[Transaction, Sender, Arrived, Receipt[Any], Answer], Filing]
    untimely: Callable[[Transaction, Sender, Arrived, Receipt[Any]], Mistimed | None] | None = None
    journalled_later: bool = False

    def refusal(self, problem: Mistimed) -> Filing:
        """What becomes of a letter that does not count."""
        if self.journalled_later:
            return Filing(problem.state, problem.sentence, journalled_later=True)
        log = "late" if problem.state is SubmissionState.LATE else "refused"
        why = problem.why or problem.sentence
        return Filing(problem.state, problem.sentence, log=log, why=why, of=(problem.turn, problem.step))


def refusal_words(verdicts: tuple[Verdict, ...]) -> str:
    """That the rules took nothing of a letter, for the head of its answer."""
    if any(verdict.line and verdict.status is not Status.ERROR for verdict in verdicts):
        return "your mail was refused as a whole, and nothing in it was accepted"
    return "nothing in your mail could be used as orders"


def record(
    work: Transaction,
    sender: Sender,
    arrived: Arrived,
    filing: Filing,
    joined: Joined | None = None,
    on_file: Sheet | None = None,
) -> int | None:
    """Journal entry, submission and log line of orders received; gives the receipt's number, None if they have none until the
    step is over. `joined` is what the rules were given; what they never got to see is marked, so that the game can be played
    again from its journal. `on_file` is the sheet of the seat afterwards."""
    table, seat, state = sender.table, sender.seat, filing.state
    turn, step = filing.of or (table.game.turn, table.game.step)
    sheet = on_file if state is SubmissionState.FILED else None
    given = joined if joined and not joined.dropped else None
    verdicts = filing.verdicts if given else ()
    sealed = _letter_with_orders(sender, arrived, state, given, unseen=_is_unseen(state, verdicts))
    number: int | None = None
    if filing.journalled_later:
        keep_for_journal(work, table, sealed)
    else:
        number = work.journal(table, OrdersEntry(turn=turn, step=step, sealed=sealed))
    work.add(
        Submission,
        game_id=table.id,
        seat_id=seat.id,
        step=step,
        letter_id=arrived.id,
        number=number or 0,
        arrived_at=arrived.arrived_at,
        digest=digest_of(sheet) if sheet else "",
        state=state,
        orders=compact_json(list(sheet.lines) if sheet else []),
        verdicts=written_verdicts(verdicts),
        head=sealed.head or "",
        word=sealed.word or "",
    )
    _end_waiting_for_orders(work, sender, arrived, state)
    if filing.log:
        work.log(filing.log, table, seat.name, f"receipt {number}: {filing.why}" if filing.why else f"receipt {number}")
    return number


def _letter_with_orders(
    sender: Sender, arrived: Arrived, state: SubmissionState, given: Joined | None, *, unseen: bool
) -> Orders:
    """A letter as the journal has it: with the lines that the rules were `given`, if they were."""
    lines = given.mail.lines if given else arrived.script.orders
    trace = arrived.letter.brought
    return Orders(
        seat=sender.seat.name,
        state=state.value,
        letter=arrived.letter.fingerprint,
        arrival=arrived.arrival,
        lines=tuple((line.number, line.text) for line in lines),
        joined=given.kept or None if given else None,
        head=(head_in(arrived, sender.table.game.name) or None) if trace.heads else None,
        word=(word_in(arrived) or None) if trace.word else None,
        unseen=unseen or None,
    )


def _is_unseen(state: SubmissionState, verdicts: tuple[Verdict, ...]) -> bool:
    """Whether the rules never got to see it."""
    return not verdicts and state not in (SubmissionState.FILED, SubmissionState.GRANTED)


def _end_waiting_for_orders(work: Transaction, sender: Sender, arrived: Arrived, state: SubmissionState) -> None:
    """Who was given more time has used it, unless these orders arrived before, and were only read now."""
    seat = sender.seat
    if state is SubmissionState.FILED and seat.waits_for_orders and arrived.arrived_at >= _given(work, sender):
        seat.waits = seat.waits_for_orders = False


def _given(work: Transaction, sender: Sender) -> datetime:
    """When the seat was given more time last, to the second, as letters have it; the beginning of time if nothing tells."""
    work.write()
    entries = entries_of(work.session, sender.table.id, WaitEntry, with_sealed=True, newest_first=True)
    waits = (wait.entry.sealed for wait in entries)
    own = (wait for wait in waits if wait and wait.seat == sender.seat.name and wait.until == UNTIL_ORDERS)
    return next((datetime.fromisoformat(wait.arrived).replace(microsecond=0) for wait in own if wait.arrived), EPOCH)


def with_replaced(sender: Sender, orders: OrdersAnswer, before: Sheet, after: Sheet, joined: Joined) -> OrdersAnswer:
    """The answer to orders that were filed, with what became of the sheet `before`, if the one `after` is another: the
    commonest accident in the field is a player who sends "and also …" and loses the rest, so it is said first of all."""
    if after.lines == before.lines:
        return orders
    gone = fallen_away(before.lines, after.lines)
    came = arrival_words(before, sender.seat)
    info, is_move = sender.table.ruleset.info, sender.table.ruleset.sequential
    joins = joined.kept or (info.letters == "amend" and not gone)
    words, short = _added(came, len(gone)) if joins else _replaced(came, len(gone), is_move)
    short = orders.short if is_move else short
    return replace(orders, replacing=words, short=short, no_longer=gone)


def fallen_away(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a sheet that do not stand in the one after it, in their order; one that stood twice counts twice."""
    left, gone = Counter(after), list[str]()
    for line in before:
        if left[line]:
            left[line] -= 1
        else:
            gone.append(line)
    return tuple(gone)


def _replaced(came: str, gone: int, is_move: bool) -> tuple[str, str]:
    """Of a letter that took the place of the one before: a sentence, and the words for the subject."""
    what = f"It replaces the one that came on {came}" if is_move else f"They replace those that came on {came}"
    if not gone:
        return f"{what}.", "orders replaced"
    stand = "1 line no longer stands" if gone == 1 else f"{gone} lines no longer stand"
    return f"{what}, so {stand}.", f"orders replaced; {counted(gone, 'old line')} dropped"


def _added(came: str, gone: int) -> tuple[str, str]:
    """The same of one beside whose orders others stand."""
    in_place = f", in place of {gone} of them" if gone else ""
    words = f"They were added to those that came on {came}{in_place}; all of them count as sent now."
    return words, f"orders added; {counted(gone, 'old line')} replaced" if gone else "orders added to those before"
