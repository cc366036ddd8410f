"""Orders written down: in the journal, and among the submissions."""

from dataclasses import dataclass
from typing import Any

from pbmd.desk.books.work import Work, compact_json
from pbmd.desk.game.events import keep_for_journal
from pbmd.desk.game.on_file import digest_of, written_verdicts
from pbmd.desk.letters.arrived import Arrived, Sender, arrival_of
from pbmd.ledger.tables import Submission, SubmissionState
from pbmd.rules.protocol import Sheet, Verdict


@dataclass(frozen=True, slots=True)
class Filing:
    """What became of orders: of which turn and step they are, the sheet in force with them, and what the rules said."""

    state: SubmissionState
    of: tuple[int, int]
    sheet: Sheet | None = None
    verdicts: tuple[Verdict, ...] = ()


def record(
    work: Work,
    sender: Sender,
    arrived: Arrived,
    filing: Filing,
    *,
    kept: bool = False,
) -> int:
    """Journal entry and submission of orders received; gives the receipt's number. A request that was
    granted, and what is `kept` back, gets its entry when the step is over, and has no number until then. What the rules never
    got to see is marked, so that the game can be played again from its journal."""
    table, seat = sender.table, sender.seat
    (turn, step), state = filing.of, filing.state
    secret: dict[str, Any] = {
        "seat": seat.name,
        "state": state.value,
        "letter": arrived.letter.fingerprint,
        "arrival": list(arrival_of(arrived)),
        "lines": [[line.number, line.text] for line in arrived.script.orders],
    }
    if not filing.verdicts and state not in (SubmissionState.FILED, SubmissionState.GRANTED):
        secret["unseen"] = True
    number = 0
    if kept or state is SubmissionState.GRANTED:
        keep_for_journal(work, table, secret)
    else:
        number = work.journal(table, "orders", {"turn": turn, "step": step}, secret)
    work.add(
        Submission,
        game_id=table.id,
        seat_id=seat.id,
        step=step,
        letter_id=arrived.id,
        number=number,
        arrived_at=arrived.arrived_at,
        digest=digest_of(filing.sheet) if filing.sheet else "",
        state=state,
        orders=compact_json(list(filing.sheet.lines) if filing.sheet else []),
        verdicts=written_verdicts(filing.verdicts),
    )
    return number
