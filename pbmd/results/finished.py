"""The games that count: those that are over, were played to an end, and have something of a listed player.

A seat's place is that of whoever held it at the end, and not that of a substitute, who held it for its player; a missed step is
that of whoever held the seat then. Of anybody who is not listed nothing counts.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, select

from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.digests import altered, words_of
from pbmd.ledger.entries.step_entries import FinishedEntry
from pbmd.ledger.tables import (
    Game,
    GameStatus,
    JournalEntry,
    ListedPlayer,
    ListingState,
    Seat,
    StepPlayed,
    StepRecord,
    Substitution,
    SubstitutionState,
)
from pbmd.results.places import places_at_end
from pbmd.rules import Ruleset
from pbmd.rules.troubles import AlteredGame, place_of, read_position, usable_ruleset

_AT_ONCE = 200
"""So many games are read together: their positions may be long."""
# Made once: building a statement takes longer than the ledger takes to answer.
_END = (
    select(JournalEntry.at, JournalEntry.public)
    .where(JournalEntry.game_id == bindparam("game"), JournalEntry.kind == FinishedEntry.kind)
    .order_by(col(JournalEntry.number).desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat ended. `player` is the name of a listed player, empty for anybody else."""

    seat: str
    place: int
    won: bool
    drew: bool
    player: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """How many steps a player was to play in a game, and how many of them they missed."""

    missed: int = 0
    played: int = 0

    @property
    def all(self) -> int:
        """How many there were."""
        return self.missed + self.played

    def __add__(self, other: "Steps") -> "Steps":
        return Steps(self.missed + other.missed, self.played + other.played)


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that is over: its seats, the first place first, and the steps of listed players, also of those who have left."""

    id: int
    name: str
    ruleset: str
    title: str
    ended: datetime
    seats: tuple[SeatResult, ...]
    steps: Mapping[str, Steps]


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """The games that count, in the order in which they ended, and for each that cannot be read why not."""

    games: tuple[GameResult, ...]
    troubles: tuple[str, ...] = ()


def finished_games(session: Session, rulesets: Callable[[str], Ruleset[Any]], whose: Callable[[str], str]) -> FinishedGames:
    """All that count. `whose` is how an address is written in the rows of steps."""
    listed = dict(
        session.exec(select(ListedPlayer.address, ListedPlayer.name).where(ListedPlayer.state == ListingState.LISTED)).all()
    )
    if not listed:
        return FinishedGames(())
    steps = _steps(session, {whose(address): name for address, name in listed.items()})
    found: list[GameResult] = []
    troubles: list[str] = []
    for ended in _ended(session, sorted({*steps, *_games_of_listed(session)})):
        try:
            result = _result(ended, listed, rulesets, steps.get(ended.game.id or 0, {}))
            found += [result] if result else []
        except UNUSABLE:
            raise
        except Exception as problem:  # whatever is wrong with one game, the others count
            troubles.append(f"{ended.game.name}: {place_of(problem)}")
    return FinishedGames(tuple(sorted(found, key=lambda each: (each.ended, each.id))), tuple(troubles))


def _games_of_listed(session: Session) -> Sequence[int]:
    """The games that are over in which a listed player held a seat at the end, or a substitute held one for them."""
    over = (ListedPlayer.state == ListingState.LISTED, Game.status == GameStatus.FINISHED)
    held = select(Seat.game_id).join(ListedPlayer, col(ListedPlayer.address) == Seat.address).join(Game)
    away = select(Substitution.game_id).join(ListedPlayer, col(ListedPlayer.address) == Substitution.address)
    away = away.join(Game, col(Game.id) == Substitution.game_id).where(Substitution.state == SubstitutionState.PLAYING)
    return [*session.exec(held.where(*over)), *session.exec(away.where(*over))]


def _with_substitutes(session: Session, games: Sequence[int]) -> Mapping[int, str]:
    """By the number of each seat's row that a substitute had when its game ended, the address of its player."""
    columns = select(Substitution.seat_id, Substitution.address)
    had = columns.where(col(Substitution.game_id).in_(games), Substitution.state == SubstitutionState.PLAYING)
    return dict(session.exec(had).all())


def _steps(session: Session, names: Mapping[str, str]) -> Mapping[int, Mapping[str, Steps]]:
    """Game → player → their steps in it. What was rolled back counts no more."""
    stands = and_(
        col(StepRecord.game_id) == StepPlayed.game_id, col(StepRecord.step) == StepPlayed.step, col(StepRecord.rolled_back) == 0
    )
    columns = select(StepPlayed.game_id, StepPlayed.whose, StepPlayed.met, func.count()).join(StepRecord, stands)
    rows = session.exec(
        columns.join(Game, col(Game.id) == StepPlayed.game_id)
        .where(Game.status == GameStatus.FINISHED, col(StepPlayed.whose).in_(names))
        .group_by(col(StepPlayed.game_id), col(StepPlayed.whose), col(StepPlayed.met))
    ).all()
    counts: dict[int, Counter[tuple[str, bool]]] = {}
    for game, whose, met, count in rows:
        counts.setdefault(game, Counter())[names[whose], met] += count
    return {
        game: {name: Steps(of[name, False], of[name, True]) for name in sorted({name for name, _ in of})}
        for game, of in counts.items()
    }


class _Ended(NamedTuple):
    """A game that is over, its seats, the address of each one's player, and what its journal has last of its end."""

    game: Game
    seats: Sequence[Seat]
    players: Mapping[str, str]
    at: datetime
    public: str


def _ended(session: Session, numbers: Sequence[int]) -> Iterator[_Ended]:
    """Those of these games whose end is in their journals."""
    for begin in range(0, len(numbers), _AT_ONCE):
        some = numbers[begin : begin + _AT_ONCE]
        games = session.exec(select(Game).where(col(Game.id).in_(some)).order_by(col(Game.id))).all()
        seats: dict[int, list[Seat]] = {}
        for seat in session.exec(select(Seat).where(col(Seat.game_id).in_(some)).order_by(col(Seat.number))):
            seats.setdefault(seat.game_id, []).append(seat)
        away = _with_substitutes(session, some)
        for game in games:
            if end := session.connection().execute(_END, {"game": game.id}).first():
                of_game = seats.get(game.id or 0, ())
                players = {seat.name: away.get(seat.id or 0, seat.address) for seat in of_game}
                yield _Ended(game, of_game, players, end.at, end.public)


def _result(
    ended: _Ended, listed: Mapping[str, str], rulesets: Callable[[str], Ruleset[Any]], steps: Mapping[str, Steps]
) -> GameResult | None:
    """How a game ended; None if it does not count. Raises whatever is wrong with it."""
    game, seats, told = ended.game, ended.seats, json.loads(ended.public)
    drawn = frozenset[str](told.get("draw") or ())
    if told.get("abandoned") and not drawn:
        return None
    if parts := altered(game, seats):
        raise AlteredGame(game.name, [*words_of(parts, seats)])
    rules, winners = usable_ruleset(game.name, game.ruleset, rulesets), frozenset[str](told["winners"])
    places = places_at_end(rules, read_position(game.name, rules, game.position), drawn or winners)
    if not places:
        return None
    names = {seat: listed.get(address, "") for seat, address in ended.players.items()}
    ranked = sorted(places.items(), key=lambda each: (each[1], names.get(each[0], ""), each[0]))
    players = _each_once(names.get(seat, "") for seat, _ in ranked)
    return GameResult(
        id=game.id or 0,
        name=game.name,
        ruleset=game.ruleset,
        title=rules.info.title,
        ended=ended.at,
        seats=tuple(
            SeatResult(seat, place, seat in winners, not winners and place == 1, player)
            for (seat, place), player in zip(ranked, players, strict=True)
        ),
        steps=steps,
    )


def _each_once(players: Iterable[str]) -> Iterator[str]:
    """Whoever held several seats counts for the first of them; the others are nobody's."""
    seen = set[str]()
    for player in players:
        yield "" if player in seen else player
        seen.add(player)
