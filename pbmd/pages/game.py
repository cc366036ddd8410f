"""The contents of the page of a game, and of its feed: turns, orders over time, missed turns, the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import Session, col, func, select

from pbmd.ledger.entries.rows import last_turn_entry
from pbmd.ledger.tables import Game, JournalEntry, LogLine, Report, Seat, StepRecord, Submission, SubmissionState
from pbmd.notes.four_words import four_words
from pbmd.pages.log_lines import PageLine, lines_of, page_lines
from pbmd.pages.maps import Look, looks, series
from pbmd.pages.scoreboard import Standings, standings
from pbmd.pages.source import Disclosure, OfSeat, Source
from pbmd.pages.state import UNDER_WAY, GameRow, game_row
from pbmd.rendering.charts import Arrivals, LineChart, arrivals, line_chart

MOST_LINES = 200
MOST_ARRIVALS = 12
"""The number of turns whose arrivals are drawn."""
_FILED = (SubmissionState.FILED, SubmissionState.USED, SubmissionState.REPLACED)
_MOST_MISSED = 2000


@dataclass(frozen=True, slots=True)
class Missed:
    """A seat that missed a turn; `cause` is empty if it may not be shown."""

    seat: str
    cause: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that is over. `moves` counts its steps, of which a sequential game has many; `number_missed` is None if nobody may
    know it, and `missed` empty if the names may not be shown."""

    turn: int
    step: int
    began: datetime | None
    ended: datetime
    cause: str
    moves: int
    number_missed: int | None
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """See the module. `latest` is the text of the last public report; `lost` is how many turns have no map and no numbers
    because their positions cannot be shown; `key` is the one that signs the heads of the journal, and `words` are those of the
    last report; `standings` are the seats in order, and `seats` what only the game master sees of them."""

    row: GameRow
    standings: Standings
    seats: Mapping[str, OfSeat]
    turns: tuple[Turn, ...]
    looks: tuple[Look, ...]
    charts: tuple[LineChart, ...]
    arrivals: Arrivals | None
    lines: tuple[PageLine, ...]
    latest: str
    missed_by: Mapping[str, int]
    lost: int
    key: str
    words: str

    @property
    def has_maps(self) -> bool:
        """Whether there is a map for any turn."""
        return any(look.map for look in self.looks)

    @property
    def now(self) -> Look | None:
        """How the game stands; None if it has not begun, or cannot be shown."""
        return self.looks[-1] if self.looks else None


def game_page(session: Session, source: Source, game: Game, folder: Path) -> GamePage:
    """Everything that the page shows. Draws maps into `folder`."""
    row = game_row(session, source, game)
    begun = bool(game.position) and not row.trouble
    found, lost = looks(session, game, source.ruleset(game.ruleset), folder) if begun else ([], 0)
    turns = _turns(session, game, row.level)
    seats = [seat.name for seat in row.seats]
    missed = [each.seat for turn in turns for each in turn.missed]
    return GamePage(
        row=row,
        standings=standings(found, row.seats),
        seats=source.seats(game) if source.for_gm and not row.trouble else {},
        turns=tuple(turns),
        looks=tuple(found),
        charts=_charts(found, seats),
        arrivals=_arrivals(session, source, game, row, turns),
        lines=tuple(page_lines(source, lines_of(session, game.name, MOST_LINES), row.level)),
        latest=_report(session, game, turns[-1].step if turns else -1),
        missed_by={seat: missed.count(seat) for seat in seats} if row.level >= Disclosure.NAMES else {},
        lost=lost,
        key=source.key(game),
        words=_words(session, game),
    )


def _words(session: Session, game: Game) -> str:
    last = last_turn_entry(session, game.id)
    return four_words(last.hash) if last else ""


def _charts(found: Sequence[Look], seats: Sequence[str]) -> tuple[LineChart, ...]:
    """A chart for each number, in the colours of the maps."""
    labels = dict.fromkeys(label for look in found for label in look.numbers)
    colours = {seat: colour for look in found for seat, colour in look.colours.items()}
    start = next((look.after for look in found if look.begin), None)
    charts = (line_chart(label, series(found, label), seats, colours, start) for label in labels)
    return tuple(chart for chart in charts if chart)


def report_of(session: Session, game: Game, step: int) -> str:
    """The public report of a step as text, empty if there is none."""
    return _report(session, game, step)


def _report(session: Session, game: Game, step: int) -> str:
    # Moves that were resolved together have one report, that of the last.
    public = select(Report.text).where(Report.game_id == game.id, Report.reader == "public", Report.step >= step)
    return session.exec(public.order_by(col(Report.step)).limit(1)).first() or ""


def _turns(session: Session, game: Game, level: Disclosure) -> list[Turn]:
    """The turns that are over; in a sequential game, those that have begun; oldest first."""
    columns = select(StepRecord.turn, StepRecord.step, StepRecord.resolved_at, StepRecord.cause)
    steps = columns.where(StepRecord.game_id == game.id, StepRecord.rolled_back == 0).order_by(col(StepRecord.step))
    nmr = list(reversed(lines_of(session, game.name, _MOST_MISSED, ("nmr",)))) if level is not Disclosure.NOTHING else []
    taken_back = [line.at for line in lines_of(session, game.name, _MOST_MISSED, ("rolled-back",))]
    started = select(func.min(JournalEntry.at)).where(JournalEntry.game_id == game.id, JournalEntry.kind == "started")
    found: list[Turn] = []
    began = session.exec(started).first()
    for turn, step, ended, cause in session.exec(steps):
        moves = 1
        if found and found[-1].turn == turn:
            last = found.pop()
            moves, began = last.moves + 1, last.began
        # What was missed in turns that were taken back does not count.
        began = max((at for at in (began, *taken_back) if at and at < ended), default=None)
        missed = _missed(nmr, began, ended)
        found.append(
            Turn(
                turn,
                step,
                began,
                ended,
                cause,
                moves,
                None if level is Disclosure.NOTHING else len(missed),
                tuple(Missed(line.seat, line.detail if level is Disclosure.CAUSES else "") for line in missed)
                if level >= Disclosure.NAMES
                else (),
            )
        )
        began = ended
    return found


def _missed(nmr: Sequence[LogLine], began: datetime | None, ended: datetime) -> list[LogLine]:
    return [line for line in nmr if line.at <= ended and (began is None or line.at > began)]


def _arrivals(session: Session, source: Source, game: Game, row: GameRow, turns: Sequence[Turn]) -> Arrivals | None:
    """When the orders in force first came, turn by turn, newest first; None if that may not be shown."""
    if row.level is Disclosure.NOTHING or row.sequential:
        return None
    spans = [(turn.turn, turn.step, turn.began, turn.ended, turn.number_missed) for turn in turns[-MOST_ARRIVALS:]]
    if game.status in UNDER_WAY and game.opened_at and game.deadline:
        spans.append((game.turn, game.step, game.opened_at, max(game.deadline, source.now()), None))
    rows: list[tuple[int, list[tuple[float, str]], str]] = []
    for turn, step, began, ended, missed in reversed(spans):
        if began is None or ended <= began:
            continue
        came: list[tuple[float, str]] = []
        for seat, arrived_at in _first_arrivals(session, game, step, began):
            at = max(arrived_at, began)
            who = f"{seat}, " if row.level >= Disclosure.NAMES else ""
            came.append(((at - began) / (ended - began), f"{who}{source.words.length(at - began)} after turn {turn} began"))
        rows.append((turn, came, f"{len(came)} came" + (f", {missed} missed it" if missed else "")))
    return arrivals(rows)


def _first_arrivals(session: Session, game: Game, step: int, began: datetime) -> list[tuple[str, datetime]]:
    """Seats by name, and when the first usable orders of each came."""
    # Mailboxes give whole seconds only: what came in the second in which the step began may seem to have come before.
    since = began.replace(microsecond=0)
    arrived = func.min(Submission.arrived_at)
    statement = (
        select(Seat.name, arrived)
        .join(Seat, col(Seat.id) == Submission.seat_id)
        .where(Submission.game_id == game.id, Submission.step == step, col(Submission.state).in_(_FILED))
        .where(Submission.arrived_at >= since)
        .group_by(col(Seat.name))
        .order_by(arrived)
    )
    return [(name, at) for name, at in session.exec(statement)]
