"""Orders written down: in the journal, and among the submissions."""

from typing import Any

from pbmd.desk.books.work import Work, compact_json
from pbmd.desk.game.events import keep_for_journal
from pbmd.desk.game.on_file import digest_of, written_verdicts
from pbmd.desk.letters.arrived import Arrived, Sender, arrival_of
from pbmd.ledger.tables import Submission, SubmissionState
from pbmd.rules.protocol import Sheet, Verdict


def record(
    work: Work,
    sender: Sender,
    arrived: Arrived,
    sheet: Sheet | None,
    verdicts: tuple[Verdict, ...],
    state: SubmissionState,
    of: tuple[int, int],
    *,
    kept: bool = False,
) -> int:
    """Journal entry and submission of orders received for a turn and step; gives the receipt's number. A request that was
    granted, and what is `kept` back, gets its entry when the step is over, and has no number until then. What the rules never
    got to see is marked, so that the game can be played again from its journal."""
    table, seat = sender.table, sender.seat
    turn, step = of
    secret: dict[str, Any] = {
        "seat": seat.name,
        "state": state.value,
        "letter": arrived.letter.fingerprint,
        "arrival": list(arrival_of(arrived)),
        "lines": [[line.number, line.text] for line in arrived.script.orders],
    }
    if not verdicts and state not in (SubmissionState.FILED, SubmissionState.GRANTED):
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
        digest=digest_of(sheet) if sheet else "",
        state=state,
        orders=compact_json(list(sheet.lines) if sheet else []),
        verdicts=written_verdicts(verdicts),
    )
    return number
