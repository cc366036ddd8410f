"""What comes with a seat's reports because its holder wants it: the map as a drawing, and the report for programs."""

from datetime import UTC

from pbmd.desk.books.carried_out import START, Tick
from pbmd.desk.books.transaction import OpenGame
from pbmd.ledger.tables import Seat, step_words
from pbmd.post.compose import Attachment
from pbmd.rendering.as_json import Around, report_json
from pbmd.rules.protocol import View

SVG, JSON = "svg", "json"


def wants(seat: Seat, what: str) -> bool:
    """Whether the holder of a seat wants this with reports."""
    return what in seat.report_files.split()


def wanted(seat: Seat, what: str, *, on: bool) -> str:
    """The words for what the holder wants, with this one or without it."""
    words = {*seat.report_files.split()} - {what} | ({what} if on else set[str]())
    return " ".join(sorted(words))


def for_programs(table: OpenGame, seat: Seat, view: View, tick: Tick, form: str) -> tuple[Attachment, ...]:
    """The report for programs, if the holder of the seat wants it."""
    if not wants(seat, JSON):
        return ()
    reported = "the beginning" if tick.step == START else step_words(tick.turn, tick.name)
    outcome = tick.outcome.told(table.ruleset.seats(tick.position)) if tick.outcome else ""
    return (as_file(table, seat, view, reported, outcome, form),)


def as_file(table: OpenGame, seat: Seat, view: View, reported: str, outcome: str, form: str) -> Attachment:
    """The report for programs. No token and no secret of the dice is in it."""
    deadline = table.own_deadline(seat) if form and not table.trouble else None
    around = Around(
        game=table.game.name,
        reported=reported,
        step=table.game.step_words,
        outcome=outcome,
        awaited=bool(form),
        deadline=deadline.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if deadline else "",
    )
    data = report_json(table.ruleset.info, view, around, form)
    return Attachment("report.json", "application/json", data)
