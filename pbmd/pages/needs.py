"""What needs the game master: what waits for their decision, and what does not work as it should, each with what can be
done."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from sqlmodel import Session, col, func, select

from pbmd.ledger.tables import (
    AWAITED,
    GIVEN_UP,
    QUARANTINED,
    Confirmation,
    Game,
    GameStatus,
    LogLine,
    Outbox,
    OutboxState,
    Request,
    RequestState,
    Seat,
    UnreadableValue,
)
from pbmd.pages.log_lines import PageLine, page_lines
from pbmd.pages.source import Disclosure, Source
from pbmd.pages.state import GameRow, Health, letters_in

LATELY = timedelta(days=1)
"""Mail that a limit withheld is a need for this long."""
_LOOKED_THROUGH = 5000
"""The lines at the end of the log that are searched for exceeded limits."""
_TO_MASTER, _OFFER = "master", "take-over"


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for the game master, and what can be done: in words, and `commands` to type; `game` may be empty."""

    words: str
    what_to_do: str = ""
    game: str = ""
    since: datetime | None = None
    commands: tuple[str, ...] = ()


def needs(session: Session, source: Source, rows: Sequence[GameRow], mail: Health) -> list[Need]:
    """What waits for the game master, most urgent first."""
    found: list[Need] = []
    if mail.slow:
        when = "" if mail.read_through else " yet"
        not_read = f"The mailbox has not been read{when}"
        found.append(Need(not_read, "No turn is resolved until it is.", since=mail.read_through, commands=("pbmd check",)))
    if mail.stuck:
        found.append(Need("Mail waits to be sent", "The mail server does not take it.", commands=("pbmd outbox",)))
    found += [Need(f"Alarm: {source.words.alarm(kind)}", "", since=began) for kind, began in _alarms(mail)]
    found += _of_games(rows)
    put_aside = letters_in(session, QUARANTINED)
    if put_aside:
        found.append(Need(f"Letters put aside because of a defect: {put_aside}", commands=("pbmd letters --quarantined",)))
    if mail.failed:
        found.append(Need(f"Mails that were given up: {mail.failed}", commands=("pbmd outbox --state failed",)))
    found += [Need("All seats are taken", game=row.name, commands=(f"pbmd start {row.name}",)) for row in rows if _is_full(row)]
    return found + (_private(session, source, rows) if source.for_gm else [])


def _alarms(mail: Health) -> Iterable[tuple[str, datetime]]:
    """The kinds of alarms that still last, and since when: pages do not say which mailboxes are concerned."""
    return {alarm.kind: alarm.began for alarm in reversed(mail.alarms)}.items()


def _of_games(rows: Sequence[GameRow]) -> list[Need]:
    """The games that do not go on by themselves."""
    paused = (row for row in rows if row.status == GameStatus.PAUSED.value)
    return [
        *(Need(row.trouble, game=row.name, commands=("pbmd check",)) for row in rows if row.trouble),
        *(Need("Paused", game=row.name, since=row.paused_at, commands=(f"pbmd resume {row.name}",)) for row in paused),
    ]


def _is_full(row: GameRow) -> bool:
    """Whether a game that players can join has as many as it needs."""
    return row.status == GameStatus.SIGNUP.value and 0 < row.wanted <= len(row.seats)


def _private(session: Session, source: Source, rows: Sequence[GameRow]) -> list[Need]:
    """What only the game master may see: requests, questions, mail that was withheld, and mail that bounces."""
    return [
        *_unreadable(session),
        *_requests(session),
        *_questions(session, source, {row.name: row.level for row in rows}),
        *_withheld(session, source, rows),
        *(
            Need(
                f"Mail to {seat.name} comes back", "Their other address was told, if there is one.", row.name, seat.unreachable
            )
            for row in rows
            for seat in row.seats
            if seat.unreachable and row.status != GameStatus.FINISHED.value
        ),
    ]


def _unreadable(session: Session) -> list[Need]:
    """What could not be read, and nobody has dealt with yet."""
    columns = select(UnreadableValue, Game.name).outerjoin(Game, col(Game.id) == UnreadableValue.game_id)
    found = session.exec(columns.where(col(UnreadableValue.settled_at).is_(None)).order_by(col(UnreadableValue.id))).all()
    return [
        Need(
            f"{value.of_column} of {value.of_table} {value.of_row} in the ledger could not be read",
            "Go back to a backup, or see to what is missing.",
            name or "",
            value.found_at,
            (
                f"pbmd resume {name} --as-it-is"
                if name and value.of_table != "outbox"
                else f"pbmd outbox --drop {value.of_row}",
            ),
        )
        for value, name in found
    ]


def _requests(session: Session) -> list[Need]:
    requests = select(Request, Game.name).join(Game, col(Game.id) == Request.game_id).where(Request.state == RequestState.OPEN)
    return [
        Need(
            request.words,
            f"By mail: APPROVE {request.number} or REFUSE {request.number}.",
            game,
            request.asked_at,
            (f"pbmd approve {game} {request.number}", f"pbmd refuse {game} {request.number}"),
        )
        for request, game in session.exec(requests.order_by(col(Request.asked_at)))
    ]


def _questions(session: Session, source: Source, levels: Mapping[str, Disclosure]) -> list[Need]:
    """Open questions: those to the game master and offers of seats one by one; of the others, how many there are. If nobody may
    know who has sent, a question to a player may be about orders, and is left out."""
    still = AWAITED, col(Confirmation.expires_at) > source.now()
    asked = session.exec(select(Confirmation).where(*still).order_by(col(Confirmation.asked_at), col(Confirmation.id))).all()
    games = _names_of(session, Game, {each.game_id for each in asked})
    seats = _names_of(session, Seat, {each.seat_id for each in asked})
    found: list[Need] = []
    others: Counter[str] = Counter()
    for question in asked:
        game, until = games[question.game_id], f"until {source.words.time(question.expires_at)}"
        if question.subject == _TO_MASTER:
            what_to_do = f"Reply YES or NO to the mail “are you sure?”, {until}."
            found.append(Need("Your YES or NO is awaited", what_to_do, game, question.asked_at))
        elif question.subject == _OFFER:
            offered = f"{seats[question.seat_id] or 'A seat'} is offered to somebody"
            found.append(Need(offered, f"The offer stands {until}.", game, question.asked_at))
        elif not game or levels.get(game) is Disclosure.CAUSES:
            others[game] += 1
    return found + [_of_players(game, count) for game, count in others.items()]


def _names_of(session: Session, kind: type[Game] | type[Seat], numbers: Set[int | None]) -> Mapping[int | None, str]:
    """The names of games or seats by their ids; empty for none."""
    rows = session.exec(select(kind.id, kind.name).where(col(kind.id).in_(numbers - {None})))
    return {None: "", **dict(rows.all())}


def _of_players(game: str, count: int) -> Need:
    what_to_do = "They were asked by mail, such as whether a letter was theirs."
    return Need(f"Questions to players that are open: {count}", what_to_do, game, commands=("pbmd letters --held",))


def _withheld(session: Session, source: Source, rows: Sequence[GameRow]) -> list[Need]:
    """Mail that a limit, or the game master, holds back."""
    held = session.exec(select(func.count()).select_from(Outbox).where(GIVEN_UP, Outbox.state == OutboxState.HELD)).one()
    found = [Need(f"Mails that you hold back: {held}", commands=("pbmd outbox --state held",))] if held else []
    newest = select(func.max(LogLine.id)).scalar_subquery()
    lately = select(LogLine).where(
        col(LogLine.id) > newest - _LOOKED_THROUGH, LogLine.what == "brake", col(LogLine.at) > source.now() - LATELY
    )
    lines = session.exec(lately.order_by(col(LogLine.id).desc())).all()
    levels = {row.name: row.level for row in rows} | {"-": Disclosure.CAUSES}
    told = [line for each in lines for line in page_lines(source, [each], levels.get(each.game, Disclosure.NOTHING))]
    return found + [_braked(game, list(same)) for game, same in groupby(sorted(told, key=_game), key=_game)]


def _game(line: PageLine) -> str:
    return line.game


def _braked(game: str, lines: Sequence[PageLine]) -> Need:
    """`lines` belong to a game, or to none, newest first."""
    whose = _names(line.seat for line in lines)
    reason = lines[0].detail.partition("; ")[2]
    about = "" if game == "-" else game
    command = " ".join(filter(None, ("pbmd log", about, "--kind brake")))
    words = f"Answers that a brake withheld: {len(lines)}{f' (to {whose})' if whose else ''}"
    return Need(words, f"{reason[:1].upper()}{reason[1:]}." if reason else "", about, lines[-1].at, (command,))


def _names(seats: Iterable[str]) -> str:
    return ", ".join(sorted({seat for seat in seats if seat}))
