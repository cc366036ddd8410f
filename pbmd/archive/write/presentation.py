"""An archive as its readers look at it: its steps by their names, what was said in them, and what its numbers came to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbmd.archive.format.documents import Numbers
from pbmd.archive.write.chronicle import Chronicle, Note
from pbmd.archive.write.map_colours import colours_on
from pbmd.archive.write.reader import PUBLIC_REPORT, Archive, DatedEntry, Turn
from pbmd.ledger.entries.master_entries import AnnouncedEntry
from pbmd.ledger.entries.player_entries import PressEntry, PressMessage
from pbmd.ledger.tables import called
from pbmd.rendering.charts import LineChart, line_chart, plain

NumbersOfTurns = Mapping[int | None, Numbers]
"""Turn, None for the beginning → label → seat → number."""
_MOST_TALLIED = 8


@dataclass(frozen=True, slots=True)
class StepSummary:
    """A step as the overview needs it."""

    page: str
    folder: str
    words: str
    turn: int
    step: int
    rolled_back: bool
    resolved_at: datetime | None
    cause: str
    maps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """Press or an announcement in the journal of this archive. `for_all`: it was to everybody."""

    at: str
    who: str
    to: str
    text: str
    for_all: bool = True


def step_shown(turn: Turn) -> StepSummary:
    """The names and times of a step for its page."""
    told = turn.resolution
    name = told.get("name")
    what = called(f"{name} of turn {told['turn']}") if name else f"turn {told['turn']}"
    count = int(turn.folder.rpartition("/")[2].partition(".")[2] or 1) - (not told["turn"] and not turn.rolled_back)
    words = f"{what}, step {count}" if count > 1 and not name else what
    words = f"{words}, rolled back" if turn.rolled_back else words
    return StepSummary(
        page=turn.folder.replace("/", "-") + ".html",
        folder=turn.folder,
        words=words if turn.began else "the beginning",
        turn=told["turn"],
        step=told["step"],
        rolled_back=turn.rolled_back,
        resolved_at=told.get("resolved_at"),
        cause=told.get("cause", ""),
        maps=tuple(turn.maps),
    )


def said_in(entries: Iterable[DatedEntry]) -> list[Message]:
    """What was said in these entries, as far as the archive may show it."""
    said: list[Message] = []
    for entry in entries:
        match entry.content:
            case PressEntry(sealed=PressMessage() as press):
                to = "all" if press.to_all else ", ".join(press.rooms or press.to)
                said.append(Message(entry.at, press.writer, to, press.text, bool(press.to_all)))
            case AnnouncedEntry(text=text):
                said.append(Message(entry.at, "the game master", "all", text))
            case _:
                pass
    return said


def happened_in(chronicle: Chronicle, entries: Iterable[DatedEntry], where: str) -> list[Note | Message]:
    """What happened to the game in these entries and what was said, in order."""
    return [each for entry in entries for each in (*chronicle.take((entry,), where), *said_in((entry,)))]


@dataclass(frozen=True, slots=True)
class Standing:
    """The final figures of the reports: a row for each seat with its colour on the maps, the winners first, then by the first
    of the numbers."""

    labels: tuple[str, ...]
    rows: tuple["Stands", ...]


@dataclass(frozen=True, slots=True)
class Stands:
    """A row of a standing: the numbers of a seat as text."""

    seat: str
    colour: str
    won: bool
    gone: bool
    numbers: tuple[str, ...]


def standing_of(archive: Archive, shown: Sequence[StepSummary], numbers: NumbersOfTurns) -> Standing:
    """How the seats stand after the last step whose report has figures."""
    last = next((told for told in reversed([*numbers.values()]) if told), {})
    game, labels = archive.game, tuple(last)
    won = set(game.get("outcome", {}).get("winners", ()))
    seats, colours = game["seats"], _colours(archive, shown, [seat["name"] for seat in game["seats"]])
    first = last[labels[0]] if labels else {}
    ordered = sorted(seats, key=lambda seat: (seat["name"] not in won, -float(first.get(seat["name"], 0))))
    rows = (
        Stands(
            name := seat["name"],
            colours.get(name, ""),
            name in won,
            seat["state"] == "resigned",
            tuple(plain(float(last[label][name])) if name in last[label] else "" for label in labels),
        )
        for seat in ordered
    )
    return Standing(labels, tuple(rows))


def tally_of(numbers: Numbers) -> str:
    """The first of the figures in a report, the highest first: "Bases: Altair 9, Deneb 3"; empty if there is none."""
    label, row = next(iter(numbers.items()), ("", {}))
    ranked = sorted(row.items(), key=lambda told: -float(told[1]))
    told = ", ".join(_tallied(seat, plain(float(number))) for seat, number in ranked[:_MOST_TALLIED])
    more = ", …" if len(ranked) > _MOST_TALLIED else ""
    return f"{label[:1].upper()}{label[1:]}: {told}{more}" if row else ""


def _tallied(seat: str, number: str) -> str:
    """A name that itself ends in a number is separated by a colon."""
    return f"{seat}: {number}" if seat[-1:].isdigit() else f"{seat} {number}"


def closing_of(archive: Archive, shown: Sequence[StepSummary]) -> StepSummary | None:
    """The page for what came after the last step, once the game is over; before that an archive knows nothing of it."""
    if archive.game["status"] != "finished":
        return None
    last = [each for each in shown if not each.rolled_back][-1]
    cause = archive.game.get("outcome", {}).get("reason", "")
    return replace(last, page="end.html", folder="", words=f"after {last.words}", resolved_at=None, cause=cause, maps=())


def charts_of(archive: Archive, shown: Sequence[StepSummary], numbers: NumbersOfTurns) -> list[LineChart]:
    """A chart for each of the numbers. The beginning (None) stands before the first turn, which may be number 0."""
    start = min((each.turn for each in shown if each.step >= 0), default=1) - 1
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for turn, told in numbers.items():
        for label, row in told.items():
            for seat, number in row.items():
                at = start if turn is None else turn
                found.setdefault(label, {}).setdefault(seat, []).append((at, float(number)))
    order = [seat["name"] for seat in archive.game["seats"]]
    colours = _colours(archive, shown, order)
    charts = (line_chart(label, lines, order, colours, start) for label, lines in found.items())
    return [chart for chart in charts if chart]


def _colours(archive: Archive, shown: Sequence[StepSummary], seats: Sequence[str]) -> dict[str, str]:
    """The colours of the seats on the public maps."""
    found: dict[str, str] = {}
    for each in shown:
        if PUBLIC_REPORT in each.maps and len(found) < len(seats):
            drawn = archive.payload / "turns" / each.folder / "maps" / f"{PUBLIC_REPORT}.svg"
            found |= colours_on(drawn.read_text(encoding="utf-8"), seats)
    return found


def reader_named(archive: Archive, name: str) -> str:
    """The reader of a report, by the name of its file; "everybody" for the public one."""
    if name == PUBLIC_REPORT:
        return "everybody"
    number = int(name.partition("-")[0])
    return next(seat["name"] for seat in archive.game["seats"] if seat["number"] == number)
