"""How the games, the mailbox and the outbox are doing, as shown on the pages."""

import json
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, func, select

from pbmd.ledger.digests import altered, words_of
from pbmd.ledger.tables import (
    GIVEN_UP,
    HELD,
    NEW,
    UNSENT,
    Alarm,
    Bounce,
    Game,
    GameStatus,
    Letter,
    Mailbox,
    Outbox,
    OutboxState,
    Seat,
    SeatState,
    called,
    step_words,
)
from pbmd.pages.source import Disclosure, Source, disclosure_of
from pbmd.pages.votes import vote_lines
from pbmd.rules.protocol import Ruleset
from pbmd.rules.sheets import seats_with_orders
from pbmd.rules.troubles import DEFECTS, AlteredGame, place_of, read_position, usable_ruleset
from pbmd.terms.phases import phase_words
from pbmd.terms.seating import seating_words
from pbmd.terms.terms import Terms

MOST_GAMES = 300
"""More games do not fit on one screen; those that ended longest ago are left out."""
MOST_MAILS = 50
SLOW = timedelta(minutes=15)
"""If a mailbox was not read for this long, or a mail waits for this long, something is wrong."""
UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat. `awaited` is None if it may not be shown; only the game master sees `unreachable`, and `asleep` where not
    all may know by name who has sent."""

    name: str
    resigned: bool
    awaited: bool | None
    unreachable: datetime | None
    sent: bool = False
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a line. `sent` is how many seats have orders on file, of `of`, None if nobody may know; `awaited` are the seats
    that still have to send, None if their names may not be shown. `phases` are the terms of each kind of phases, if they
    differ, `votes` the open votes of the players; `seating` says how seats will be given, if they are not asked for; `trouble`
    says why it cannot be shown completely."""

    name: str
    title: str
    status: str
    turn: int
    level: Disclosure
    of: int
    sequential: bool = False
    deadline: datetime | None = None
    paused_at: datetime | None = None
    seats: tuple[SeatRow, ...] = ()
    sent: int | None = None
    awaited: tuple[str, ...] | None = None
    outcome: str = ""
    wanted: int = 0
    trouble: str = ""
    step_name: str = ""
    phases: str = ""
    seating: str = ""
    votes: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """What players call the step that the game is in."""
        return called(step_words(self.turn, self.step_name))

    @property
    def page(self) -> str:
        """The address of the game's page, relative to the overview."""
        return f"games/{self.name}/index.html"


@dataclass(frozen=True, slots=True)
class UnsentMail:
    """A mail that is not out, or bounced."""

    number: int
    kind: str
    game: str
    seat: str
    state: str
    tries: int
    next_try: datetime | None
    words: str


@dataclass(frozen=True, slots=True)
class Health:
    """Mailbox and outbox. Numbers of letters and mails are None for the public: they would show who writes."""

    read_through: datetime | None
    slow: bool
    stuck: bool
    failed: int
    letters_to_do: int | None
    held: int | None
    queued: int | None
    oldest: datetime | None
    unsent: tuple[UnsentMail, ...]
    bounced: tuple[UnsentMail, ...]
    alarms: tuple[Alarm, ...]

    @property
    def good(self) -> bool:
        """Whether mail comes in and goes out as it should."""
        return not (self.slow or self.stuck or self.failed or self.alarms)


def games(session: Session, source: Source) -> list[GameRow]:
    """The games: running ones first, by their next deadline; ended ones last, the last to end first."""
    order = (
        col(Game.status).not_in(UNDER_WAY),
        col(Game.status) == GameStatus.FINISHED,
        col(Game.deadline).is_(None),
        col(Game.deadline),
        col(Game.opened_at).desc(),
        col(Game.id),
    )
    # Their numbers first: sorting whole rows with their positions would take long where there are many games.
    chosen = session.exec(select(Game.id).order_by(*order).limit(MOST_GAMES)).all()
    found = {game.id: game for game in session.exec(select(Game).where(col(Game.id).in_(chosen)))}
    return [game_row(session, source, found[number]) for number in chosen]


def game_row(session: Session, source: Source, game: Game) -> GameRow:
    """A game in a line. One with damaged rules or position has a line, too, which says so."""
    seats = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.number))).all()
    plain = _without_rules(source, game, seats)
    try:
        if parts := altered(game, seats):
            raise AlteredGame(game.name, [*words_of(parts, seats)])
        votes = vote_lines(session, game) if game.status in UNDER_WAY and "votes" in json.loads(game.terms) else ()
        return _row(source, game, seats, replace(plain, votes=votes))
    except DEFECTS as problem:
        # Whatever is wrong with one game, the others are shown.
        return replace(plain, trouble=_trouble(source, game, problem))


def _without_rules(source: Source, game: Game, seats: Sequence[Seat]) -> GameRow:
    """What can be said about a game without its rules."""
    return GameRow(
        name=game.name,
        title=game.ruleset,
        status=game.status.value,
        turn=game.turn,
        level=Disclosure.NOTHING,
        of=len(seats),
        deadline=game.deadline if game.status in UNDER_WAY else None,
        paused_at=game.paused_at,
        seats=tuple(
            SeatRow(seat.name, seat.state is SeatState.RESIGNED, None, seat.unreachable_since if source.for_gm else None)
            for seat in seats
        ),
        wanted=int(json.loads(game.terms).get("seats", 0)),
        step_name=game.step_name,
    )


def _trouble(source: Source, game: Game, problem: BaseException) -> str:
    """Why a game cannot be shown completely. The place of the error may depend on what was ordered."""
    if isinstance(problem, AlteredGame):
        return f"This game cannot be shown whole: {problem.trouble}."
    words = f"This game cannot be shown whole: see to its ruleset, {game.ruleset}"
    try:
        level = disclosure_of(source, source.ruleset(game.ruleset), json.loads(game.terms)["who_has_sent"])
    except DEFECTS:  # the rules are at fault
        return f"{words}."
    return f"{words} ({place_of(problem)})." if level is Disclosure.CAUSES else f"{words}."


def _row(source: Source, game: Game, seats: Sequence[Seat], plain: GameRow) -> GameRow:
    rules = usable_ruleset(game.name, game.ruleset, source.ruleset)
    level = disclosure_of(source, rules, json.loads(game.terms)["who_has_sent"])
    position = read_position(game.name, rules, game.position) if game.position else None
    row = replace(plain, title=rules.info.title, level=level, sequential=rules.sequential, phases=_phases(game, rules))
    row = replace(row, seating=_seating(game, rules))
    if game.status in UNDER_WAY:
        # As with `pbmd status`, the game master sees here who has sent, but not when or what.
        names, awaiting = source.for_gm or level >= Disclosure.NAMES, set(rules.awaiting(position))
        row = _with_sleepers(row, seats, names=names)
        if (names or level is not Disclosure.NOTHING) and not rules.sequential:
            row = _with_sent(row, seats_with_orders(rules, position), awaiting, names=names)
        # Everybody knows from the reports whose move it is.
        if names or rules.sequential:
            row = _with_awaited(row, game, [seat for seat in seats if seat.name in awaiting])
    if game.status is GameStatus.FINISHED and position is not None:
        outcome = rules.outcome(position)
        row = replace(row, outcome=outcome.told(rules.seats(position)) if outcome else "")
    return row


def _seating(game: Game, rules: Ruleset[Any]) -> str:
    """How seats will be given, if they are not asked for."""
    if game.status is not GameStatus.SIGNUP:
        return ""
    return seating_words(Terms.model_validate_json(game.terms), rules.info.seat_word)


def _phases(game: Game, rules: Ruleset[Any]) -> str:
    """The terms of each kind of phases, if they differ and the game is not over."""
    if game.status is GameStatus.FINISHED:
        return ""
    return phase_words(Terms.model_validate_json(game.terms), rules.info.phases)


def _with_sleepers(row: GameRow, seats: Sequence[Seat], *, names: bool) -> GameRow:
    """The game with the seats for which nobody waits, since they missed too much; if their `names` may be shown."""
    asleep = {seat.name for seat in seats if names and seat.is_asleep}
    return replace(row, seats=tuple(replace(seat, asleep=seat.name in asleep) for seat in row.seats))


def _with_sent(row: GameRow, sent: Set[str], awaiting: Set[str], *, names: bool) -> GameRow:
    """The game with how many have sent, and which seats, if their names may be shown."""
    row = replace(row, sent=len(sent), of=len(awaiting | sent))
    return replace(row, seats=tuple(replace(seat, sent=seat.name in sent) for seat in row.seats)) if names else row


def _with_awaited(row: GameRow, game: Game, seats: Sequence[Seat]) -> GameRow:
    """The game with the names of those of these seats that are waited for: not given up, and before their deadline."""
    names = tuple(seat.name for seat in seats if seat.missed_step < game.step and seat.is_awake)
    return replace(row, seats=tuple(replace(seat, awaited=seat.name in names) for seat in row.seats), awaited=names)


def health(session: Session, source: Source, rows: Sequence[GameRow]) -> Health:
    """How mailbox and outbox are doing. For mails in games where nobody may know who has sent, neither kind nor seat is shown:
    an acknowledgement says that somebody has."""
    open_games = {row.name for row in rows if row.level is not Disclosure.NOTHING}
    now, private = source.now(), source.for_gm
    read = session.exec(select(Mailbox.read_through).where(Mailbox.name == source.mailbox)).first()
    queued = session.exec(select(func.count()).select_from(Outbox).where(UNSENT)).one()
    oldest = session.exec(select(Outbox.queued_at).where(UNSENT).order_by(col(Outbox.queued_at)).limit(1)).first()
    failed = session.exec(select(func.count()).select_from(Outbox).where(GIVEN_UP, Outbox.state == OutboxState.FAILED)).one()
    new, held = (letters_in(session, condition) if private else None for condition in (NEW, HELD))
    return Health(
        read_through=read,
        slow=read is None or now - read > SLOW,
        stuck=oldest is not None and now - oldest > SLOW,
        failed=failed,
        letters_to_do=new,
        held=held,
        queued=queued if private else None,
        oldest=oldest if private else None,
        unsent=_discreet(_unsent(session, source), open_games) if private else (),
        bounced=_discreet(_bounced(session, source), open_games) if private else (),
        alarms=tuple(session.exec(select(Alarm).where(col(Alarm.ended).is_(None)).order_by(col(Alarm.began)))),
    )


def _discreet(mails: Iterable[UnsentMail], open_games: Collection[str]) -> tuple[UnsentMail, ...]:
    return tuple(
        mail if not mail.game or mail.game in open_games else replace(mail, kind="mail to a player", seat="") for mail in mails
    )


def letters_in(session: Session, condition: Any) -> int:
    """How many letters there are in a state that has an index of its own."""
    return session.exec(select(func.count()).select_from(Letter).where(condition)).one()


def _unsent(session: Session, source: Source) -> list[UnsentMail]:
    # By time: in the order of their numbers, all mails there ever were would be searched instead of this index.
    newest = (col(Outbox.queued_at).desc(), col(Outbox.id).desc())
    numbers = [
        number
        for condition in (UNSENT, GIVEN_UP)
        for number in session.exec(select(Outbox.id).where(condition).order_by(*newest).limit(MOST_MAILS))
    ]
    waits = (OutboxState.QUEUED, OutboxState.SENDING)
    return [
        UnsentMail(
            row.number,
            row.kind,
            row.game or "",
            row.seat or "",
            row.state.value,
            row.tries,
            row.next_try_at if row.state in waits else None,
            source.words.discreet(row.error),
        )
        for row in session.connection().execute(_mails().where(col(Outbox.id).in_(numbers)))
    ]


def _bounced(session: Session, source: Source) -> list[UnsentMail]:
    lately = source.now() - timedelta(days=30)
    came = _mails().join(Bounce, col(Bounce.outbox_id) == Outbox.id).where(col(Bounce.at) > lately)
    came = came.add_columns(col(Bounce.hard), col(Bounce.status), col(Bounce.at))
    return [
        UnsentMail(
            row.number,
            row.kind,
            row.game or "",
            row.seat or "",
            "for good" if row.hard else "for now",
            row.tries,
            row.at,
            row.status,
        )
        for row in session.connection().execute(came)
    ]


def _mails() -> Any:
    """The newest mails with their game and seat; of each only what a page shows."""
    named = (col(Outbox.id).label("number"), col(Game.name).label("game"), col(Seat.name).label("seat"))
    plain = (col(Outbox.kind), col(Outbox.state), col(Outbox.tries), col(Outbox.next_try_at), col(Outbox.error))
    chosen = sqlalchemy.select(*named, *plain).select_from(Outbox)
    chosen = chosen.outerjoin(Game, col(Outbox.game_id) == Game.id).outerjoin(Seat, col(Outbox.seat_id) == Seat.id)
    return chosen.order_by(col(Outbox.id).desc()).limit(MOST_MAILS)
