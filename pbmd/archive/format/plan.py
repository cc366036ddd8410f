"""How much of a game an archive may hold: all of a finished game, and of a running one only what is resolved already."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import not_
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, func, or_, select

from pbmd.archive.format.audience import ALL, Audience
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.player_entries import PressEntry, PressMessage
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import ResolvedEntry, RolledBackEntry
from pbmd.ledger.hands import taken_over
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Letter, Seat, StepRecord, Submission, SubmissionState
from pbmd.notes.signed_note import Signer
from pbmd.rules import Ruleset
from pbmd.set_up import SetUp, set_up

START = -1
"""The step that the first report counts as."""


class NothingToExport(ValueError):
    """The game has no resolved part; the message says so to the GM."""


@dataclass(frozen=True, slots=True)
class Step:
    """A resolved step, or with `id` None the beginning. `folder` is its place in the archive: for one that was rolled back,
    below ``rolled-back`` and the number of the journal entry that did it. `name` is what the rules call it, `entry` the number
    of the journal entry that resolved it."""

    folder: str
    number: int
    turn: int = 0
    name: str = ""
    id: int | None = None
    entry: int = 0

    def record(self, session: Session) -> StepRecord | None:
        """The whole row in the ledger, None for the beginning. Records are large: look at one at a time."""
        return None if self.id is None else session.exec(select(StepRecord).where(StepRecord.id == self.id)).one()


@dataclass(frozen=True)
class Plan:
    """What is exported, and for whom. `last_entry` is the number of the last journal entry, `letters` are ids in order of
    arrival. `withheld` are the numbers of the entries whose secret part is shown to nobody. `searched` is how many letters are
    searched for names. `taken_over` is the number of the entry since which the seat that the archive is for has had its present
    holder, 0 if it always had."""

    game: Game
    seats: tuple[Seat, ...]
    ruleset: Ruleset[Any]
    setup: SetUp
    steps: tuple[Step, ...]
    last_entry: int
    letters: tuple[int, ...]
    withheld: frozenset[int]
    audience: Audience = ALL
    anonymised: bool = False
    searched: int = 0
    taken_over: int = 0
    signer: Signer | None = None

    def sees_sealed(self, number: int, entry: Entry) -> bool:
        """Whether the reader may know the sealed part of the entry with that number."""
        return number not in self.withheld and self.audience.sees_sealed(entry, before=number < self.taken_over)

    @property
    def items(self) -> int:
        """How many things will be done, for a progress bar: a step is written, put into the database and made a page; at the
        end come the checksums."""
        return self.searched + 3 * len(self.steps) + len(self.letters) + self.last_entry + 1


def plan_export(
    session: Session, game: Game, ruleset: Ruleset[Any], audience: Audience = ALL, *, anonymised: bool = False
) -> Plan:
    """Find out what may be exported of a game. Raises `NothingToExport` for a game that has not begun or never did, and for the
    views of players if the game is running and they may not see who has sent orders; and `MalformedEntry`."""
    if not game.position:
        why = "has not begun, so there is nothing to export yet"
        if game.status is GameStatus.FINISHED:
            why = "was abandoned before it began, so there is nothing to export"
        raise NothingToExport(f"{game.name} {why}")
    is_silent = game.status is not GameStatus.FINISHED and json.loads(game.terms).get("who_has_sent") == "nothing"
    if is_silent and not audience.everything:
        raise NothingToExport(
            f"{game.name} tells nobody who has sent, and its journal would: as long as it runs there is only --view all"
        )
    seats = tuple(session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.number))))
    last = _last_entry(session, game)
    no_letters = anonymised or not audience.everything or _has_no_letters(game)
    letters = () if no_letters else _letters(session, game, last)
    return Plan(
        game=game,
        seats=seats,
        ruleset=ruleset,
        setup=set_up(session, game, seats, ruleset),
        steps=_steps(session, game, last),
        last_entry=last,
        letters=letters,
        withheld=_withheld(session, game),
        audience=audience,
        anonymised=anonymised,
        searched=session.exec(select(func.count(col(Letter.id))).where(Letter.game_id == game.id)).one() if anonymised else 0,
        taken_over=taken_over(session, game, audience.seat),
    )


def folders_of(steps: Iterable[tuple[int, int, int]]) -> dict[int, str]:
    """Where steps are below ``turns/``, by their numbers; of each it takes the number, the turn, and the entry that rolled it
    back, or 0. A turn of several steps gets folders 003, 003.2, 003.3, and a turn 0, after the beginning, 000.2, 000.3."""
    seen = {(0, 0): 1}
    places = {START: "000"}
    for step, turn, branch in steps:
        count = seen[branch, turn] = seen.get((branch, turn), 0) + 1
        where = f"rolled-back/{branch}/" if branch else ""
        places[step] = f"{where}{turn:03d}" + (f".{count}" if count > 1 else "")
    return places


def _steps(session: Session, game: Game, last_entry: int) -> tuple[Step, ...]:
    """The beginning and every step that was resolved by the last entry. Later rollbacks are unknown to the archive."""
    columns = columns_of(
        col(StepRecord.id), col(StepRecord.step), col(StepRecord.turn), col(StepRecord.name), col(StepRecord.rolled_back)
    )
    of_game = columns.where(col(StepRecord.game_id) == game.id).order_by(col(StepRecord.step))
    resolved = entries_of(session, game.id, ResolvedEntry, where=col(JournalEntry.number) <= last_entry)
    known = {each.entry.step: each.number for each in resolved}
    rows = [row for row in map(tuple[Any, ...], session.connection().execute(of_game)) if row[1] in known]
    folders = folders_of((step, turn, back if back <= last_entry else 0) for _, step, turn, _, back in rows)
    steps = (Step(folders[step], step, turn, name, row, known[step]) for row, step, turn, name, _ in rows)
    return (Step(folders[START], START), *steps)


def _last_entry(session: Session, game: Game) -> int:
    """The end of the journal; while the game is running, its last resolution: what comes after that is secret now. While turns
    that were taken back are still to be played again it ends before them, since their orders may be used again."""
    if game.status is GameStatus.FINISHED:
        return game.chain_number
    ends = col(JournalEntry.kind).in_(("started", "imported", "resolved"))
    last = session.exec(select(func.max(JournalEntry.number)).where(JournalEntry.game_id == game.id, ends)).one() or 0
    rollbacks = (each.entry for each in entries_of(session, game.id, RolledBackEntry))
    return min([last, *(back.parent.number for back in rollbacks if back.turn >= game.turn)])


def _letters(session: Session, game: Game, last_entry: int) -> tuple[int, ...]:
    """The letters of the game; while it is running, without those for the current step and for steps that the archive leaves
    out."""
    statement = select(Letter.id).where(Letter.game_id == game.id).order_by(col(Letter.arrived_at), col(Letter.uid))
    if game.status is not GameStatus.FINISHED:
        at = select(JournalEntry.at).where(JournalEntry.game_id == game.id, JournalEntry.number == last_entry)
        ended_at = session.exec(at).one()
        orders = select(Submission.letter_id).where(Submission.game_id == game.id, col(Submission.letter_id).is_not(None))
        # What was on file when the game was rolled back can still be used.
        waits = col(Submission.state).in_((SubmissionState.FILED, SubmissionState.ROLLED_BACK))
        told = col(Submission.number).between(1, last_entry)
        before = col(Letter.id).in_(orders.where(told, not_(waits)))
        now = col(Letter.id).in_(orders.where(or_(not_(told), waits)))
        # Servers give arrivals in whole seconds: a letter of the second of the resolution may belong to either step.
        earlier = col(Letter.arrived_at) < ended_at.replace(microsecond=0)
        statement = statement.where(or_(before, earlier), not_(now))
    return tuple(letter_id for letter_id in session.exec(statement) if letter_id is not None)


# Which press an archive may contain: what the terms of the game say, and never who wrote anonymously. A withheld entry has its
# seal in place of its secret part, so that the chain can be checked without it. Letters quote each other, and our answers: if
# not all press may be shown, or some may be anonymous, there are none; the orders in them are in each turn's orders.toml.


def _withheld(session: Session, game: Game) -> frozenset[int]:
    """The numbers of the entries with press that an archive leaves out."""
    policy = json.loads(game.terms).get("press_archive", "all")
    found = entries_of(session, game.id, PressEntry, with_sealed=True)
    return frozenset(press.number for press in found if not _may_be_shown(policy, press.entry.sealed))


def _has_no_letters(game: Game) -> bool:
    terms = json.loads(game.terms)
    return terms.get("press_archive", "all") != "all" or bool(terms.get("anonymous_press"))


def _may_be_shown(policy: str, message: PressMessage | None) -> bool:
    """None of a message that the archive which the game was imported from has not shown: it may be anonymous."""
    if message is None or message.anonymous:
        return False
    return policy == "all" or (policy == "public" and bool(message.to_all))
