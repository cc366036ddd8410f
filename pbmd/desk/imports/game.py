"""Games from archives: a finished one as if it had been played here, or one that continues here from the beginning of a step.

The caller has verified the archive, since everything is taken from its journal (`pbmd.archive.replay.story`). A finished game
keeps its journal, including its hashes, so that receipts issued elsewhere prove here what they proved there. Its letters stay
in the archive.

The chain does not bind what was blanked, or is said to have been: it could be anything, such as who holds a seat, under a head
that players know. So none of that is used unless the word of the archive's maker is taken for it (`trusting`).

A game that continues is a new game: new tokens, a new dice secret, a journal of its own. Its entry `imported` names the head of
the old journal and the entry after which the position stood; what was secret there is no less secret here, and no roll can be
foreseen from what the other host knew.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlmodel import select

from pbmd.archive.format.editions import NO_REFUSALS, Refusals
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import plain
from pbmd.archive.format.outline import Outline, StoryError, outline
from pbmd.archive.replay.beginnings import StepPlace, beginning_of
from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.holders import called
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.changes import new_game
from pbmd.desk.deadlines.next_deadline import first_deadline
from pbmd.desk.digest.requests import ask_rulings
from pbmd.desk.imports.books import Entries, add_journal, add_steps
from pbmd.desk.step.dice_secrets import commitment_of, draw, opened_salts, salts_commitment_of
from pbmd.desk.step.reporting.reports import send_reports
from pbmd.edition import EDITION
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.master_entries import QuietEntry, SetEntry
from pbmd.ledger.entries.player_entries import AddressEntry, HolderEntry, ResignedEntry
from pbmd.ledger.entries.step_entries import (
    ArchivedGame,
    CreatedEntry,
    EntryReference,
    FinishedEntry,
    ImportedEntry,
    ImportedPosition,
    JoinedEntry,
    OpenedEntry,
    RolledBackEntry,
    StartedEntry,
)
from pbmd.ledger.entries.vote_entries import VotesEntry
from pbmd.ledger.journal import FIRST_HASH, written_deadline, written_time
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.post.addresses import folded
from pbmd.post.compose import can_be_written
from pbmd.rules import Line, Refused, Ruleset, Signup, Status
from pbmd.terms.terms import QUIET, Terms
from pbmd.terms.times import TimeError, zone

P = TypeVar("P")
_NEVER = datetime.min.replace(tzinfo=UTC)
_MOST_NAMED = 10
_KIND_CHARS = 20


@dataclass
class _Person:
    """A seat and its last holder, according to the journal."""

    number: int
    name: str
    address: str
    holder: str
    timezone: str
    lines: tuple[Line, ...]
    joined_at: datetime
    given_up: bool = False
    away: tuple[str, str] | None = None
    """Address and name of the player, while a substitute has the seat."""


@dataclass
class _Told:
    """What the journal says about the game as a whole. `changed` are the options that were changed in mid-game."""

    name: str = ""
    ruleset: str = ""
    options: Document = field(default_factory=dict[str, Any])
    changed: dict[str, Any] = field(default_factory=dict[str, Any])
    terms: Document = field(default_factory=dict[str, Any])
    people: dict[str, _Person] = field(default_factory=dict[str, _Person])
    begun: bool = False
    over: bool = False
    created_at: datetime = _NEVER
    last: Entry | None = None


def adopt_finished(
    work: Transaction, entries: Entries, name: str = "", *, trusting: bool = False, refusals: Refusals = NO_REFUSALS
) -> OpenGame:
    """Import a game that is over, under its own name or another; `refusals` are those that its archive has. Raises `Refused`
    and `UnknownRuleset`."""
    told = _told(entries, trusting=trusting)
    if not told.over or told.last is None:
        raise Refused("the game of this archive is not over; --go-on with --from-turn N or --from-step N.M goes on with it")
    terms = _terms(told, work.desk.ruleset(told.ruleset))
    _must_be_free(work, name or told.name)
    game = Game(
        name=name or told.name,
        ruleset=told.ruleset,
        status=GameStatus.FINISHED,
        options=compact_json(dict(told.options)),
        terms=terms.model_dump_json(),
        opened_at=told.last.at,
        takes_from=told.last.at,
        created_at=told.created_at,
    )
    work.session.add(game)
    work.session.flush()
    seats = [_seat(game, person) for person in told.people.values()]
    table = OpenGame(game, seats, work.desk.ruleset, terms, work.desk.commands, work.desk.clock)
    work.session.add_all(table.seats)
    work.session.flush()
    work.adopt(table)
    add_journal(work, table, entries)
    add_steps(work, table, entries, refusals)
    game.chain_number, game.chain_head = told.last.number, told.last.hash
    work.log("imported", table, detail=f"{game.step} steps, journal head {game.chain_head[:16]}")
    return table


def go_on(
    work: Transaction,
    entries: Entries,
    begins: StepPlace | int,
    name: str = "",
    *,
    trusting: bool = False,
    refusals: Refusals = NO_REFUSALS,
) -> OpenGame:
    """Begin a game with the position of the archive's game when a step began, the first of its turn if only that is said, and
    notify its players. Raises `Refused` and `UnknownRuleset`."""
    told = _told(entries, trusting=trusting)
    rules = work.desk.ruleset(told.ruleset)
    at = StepPlace(begins) if isinstance(begins, int) else begins
    try:
        seen = outline(entries())
        stood = beginning_of(rules, entries(), seen, at, refusals)
    except StoryError as problem:
        raise Refused(str(problem)) from None
    terms = _terms(told, rules)
    table = new_game.create_game(work, name or told.name, told.ruleset, terms, told.options)
    for person in sorted(told.people.values(), key=lambda person: (person.joined_at, person.number)):
        _take_seat(work, table, person)
    game = table.game
    game.status, game.opened_at, game.takes_from = GameStatus.RUNNING, work.now, work.as_of
    unused, salts = game.secret.hex(), opened_salts(game.salts)  # nothing is set up here
    draw(work, game)
    position = _awake(rules, stood.position, told)
    work.move(table, position)
    table.note_step()
    game.deadline = first_deadline(table, work.now)
    work.write()
    assert told.last is not None
    entry = ImportedEntry(
        seats=tuple(seat.name for seat in table.seats),
        given_up=tuple(seat.name for seat in table.seats if seat.state is SeatState.RESIGNED),
        turn=at.turn,
        archive=ArchivedGame(
            game=told.name,
            entries=told.last.number,
            head=told.last.hash,
            entry=EntryReference(number=stood.entry.number, hash=stood.entry.hash),
        ),
        secret=unused,
        commitment=commitment_of(table),
        salts_commitment=salts_commitment_of(table),
        edition=EDITION,
        deadline=written_deadline(game.deadline),
        sealed=ImportedPosition(
            position=rules.dump(position), salts=salts, cause=work.cause or None, opened=_opened(entries, stood.entry)
        ),
    )
    work.journal(table, entry)
    work.write_rows()  # reports are signed under a name that this entry gives
    work.log("imported", table, detail=f"goes on with {game.step_called}; the head of the old journal is {told.last.hash[:16]}")
    # The number of entries would let others count what was sent.
    where = "" if terms.who_has_sent == "nothing" else f"entry {told.last.number}, "
    note = (
        f"Until now it was played elsewhere, as {told.name}; here it goes on from the beginning of {game.step_called}. Seats "
        f"have new secrets, and the dice, too: mails of the other host count here no more. Its journal ended with "
        f"{where}{told.last.hash}."
    )
    note += _given_up(seen, at.turn)
    notes = {seat.number: [note] for seat in table.seats}
    send_reports(work, table, Tick(turn=game.turn - 1, position=table.position, receipts=notes))
    ask_rulings(work, table)
    return table


def _given_up(seen: Outline, turn: int) -> str:
    """The sentence about turns that were played elsewhere and are played again here, empty if there are none."""
    lost = sorted({played for step, played in seen.turns if step not in seen.branches and played >= turn})
    if not lost:
        return ""
    turns = f"Turn {lost[0]}" if len(lost) == 1 else f"Turns {lost[0]} to {lost[-1]}"
    return f" {turns} of what was played there {'is' if len(lost) == 1 else 'are'} given up."


def _opened(entries: Entries, entry: Entry) -> OpenedEntry:
    """The entry after which the game goes on, so that its hash can be made again without the old journal."""
    before = next((each.hash for each in entries() if each.number == entry.number - 1), FIRST_HASH)
    shown = entry.secret if entry.sure and entry.salt else None
    return OpenedEntry(
        before=before,
        at=written_time(entry.at),
        kind=entry.kind,
        public=entry.public or {},
        seal=entry.sealed,
        secret=shown,
        salt=entry.salt if shown else None,
    )


# What the journal says


def _told(entries: Entries, *, trusting: bool) -> _Told:
    told = _Told()
    unbound: list[str] = []
    try:
        for entry in entries():
            if not entry.sure and _is_believed(entry):
                unbound.append(f"{entry.number} ({plain(entry.kind)[:_KIND_CHARS]})")
            _take(told, entry)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise Refused(f"the journal of the archive has not what a game needs: {problem}") from None
    if unbound and not trusting:
        shown = ", ".join(unbound[:_MOST_NAMED]) + (" and more" if len(unbound) > _MOST_NAMED else "")
        raise Refused(
            f"something was blanked in entr{'y' if len(unbound) == 1 else 'ies'} {shown} of the journal, so the chain does not "
            "hold what stands there, and it may be forged; get an archive that has all of it, or look at these lines of "
            "data/journal.jsonl and say --trust if you take the word of whoever made the archive"
        )
    return told


def _is_believed(entry: Entry) -> bool:
    """Whether anything is taken from what the entry says: from press nothing is."""
    return entry.kind != "press" or "meanwhile" in (entry.secret or {})


def _take(told: _Told, entry: Entry) -> None:
    if entry.public is None:
        raise ValueError(f"entry {entry.number} is withheld")
    told.last = entry
    if entry.kind in _TAKEN and entry.content:
        _take_of_game(told, entry, entry.content)
        _take_of_seat(told, entry.content)


_TAKEN = frozenset(
    of.kind
    for of in (
        CreatedEntry,
        StartedEntry,
        ImportedEntry,
        SetEntry,
        QuietEntry,
        VotesEntry,
        FinishedEntry,
        RolledBackEntry,
        JoinedEntry,
        ResignedEntry,
        AddressEntry,
        HolderEntry,
    )
)
"""The others say nothing that a game needs."""


def _take_of_game(told: _Told, entry: Entry, content: Content) -> None:
    """What an entry says about the game as a whole."""
    match content:
        case CreatedEntry():
            told.name, told.ruleset = content.game, content.ruleset
            told.options, told.terms, told.created_at = content.options, content.terms, entry.at
        case StartedEntry() | ImportedEntry():
            told.begun = True
        case SetEntry():
            told.options = _shown(content.sealed).options
            told.changed[content.option] = content.now
        case QuietEntry():
            told.terms = {**told.terms, **{key: getattr(content, key) for key in QUIET}}
        case VotesEntry():
            told.terms = {**told.terms, "votes": content.votes}
        case FinishedEntry() | RolledBackEntry():
            told.over = isinstance(content, FinishedEntry)
        case _:
            pass


def _take_of_seat(told: _Told, content: Content) -> None:
    """What an entry says about who has a seat."""
    match content:
        case JoinedEntry():
            player = _shown(content.sealed)
            told.people[content.seat] = _Person(
                number=content.number,
                name=_name(content.seat),
                address=_address(player.address),
                holder=_holder(player.name, player.address),
                timezone=_zone(player.timezone),
                lines=tuple(Line(int(number), str(text)) for number, text in json.loads(player.setup)),
                joined_at=datetime.fromisoformat(player.joined_at),
            )
        case ResignedEntry() if not told.begun:
            told.people.pop(content.seat, None)
        case ResignedEntry():
            told.people[content.seat].given_up = True
        case AddressEntry():
            change = _shown(content.sealed)
            told.people[change.seat].address = _address(change.new)
        case HolderEntry():
            person, change = told.people[content.seat], _shown(content.sealed)
            person.away = (person.address, person.holder) if change.until else None
            person.address, person.holder, person.given_up = _address(change.new), _holder(change.name, change.new), False
        case _:
            pass


def _shown(sealed: P | None) -> P:
    if sealed is None:
        raise ValueError("the sealed part of an entry is not shown")
    return sealed


def _name(name: str) -> str:
    if plain(name) != name or "\n" in name:
        raise ValueError("a seat has a name that cannot be shown")
    return name


def _address(address: str) -> str:
    # Mails go there if the game continues, also after a rollback.
    if not can_be_written(address):
        raise ValueError(f"no mail can be sent to {address[:100]!a}")
    return address


def _holder(holder: str, address: str) -> str:
    """The holder's name; empty if the journal does not have it, or has only the address."""
    return called(plain(holder), address)


def _zone(name: str | None) -> str:
    try:
        return zone(name or "").key
    except TimeError:
        return "UTC"


def _terms(told: _Told, ruleset: Ruleset[Any]) -> Terms:
    """The terms as they were at the end."""
    clock = ruleset.info.clock
    hours = told.changed.get(clock.turn_hours) if clock else None
    try:
        return Terms.model_validate({**told.terms} | ({} if hours is None else {"deadline": f"{hours}h"}))
    except ValidationError as problem:
        raise Refused(f"the terms of the game are none that this pbmd knows: {problem.errors()[0]['msg']}") from None


def _must_be_free(work: Transaction, name: str) -> None:
    new_game.must_be_a_name(work, name)
    if work.session.exec(select(Game.id).where(Game.name == name)).first() is not None:
        raise Refused(f'there is already a game "{name}"; give the imported one another name with --as')
    new_game.must_look_like_no_other(work, name)


# A game that continues


def _awake(rules: Ruleset[Any], position: Any, told: _Told) -> Any:
    """The position in which nobody is in civil disorder who was only asleep: whoever plays on here begins anew."""
    for person in told.people.values() if rules.disorder else ():
        assert rules.disorder is not None
        position = rules.disorder(position, person.name, False)
    return position


def _player_of(person: _Person) -> tuple[str, str]:
    """Address and name of who has a seat from now on: the time of a substitute ends when a game moves."""
    return person.away or (person.address, person.holder)


def _take_seat(work: Transaction, table: OpenGame, person: _Person) -> None:
    signup = Signup(person.name, person.lines)
    address, holder = _player_of(person)
    newcomer = new_game.Newcomer(address, holder, person.timezone)
    verdicts = new_game.add_seat(work, table, signup, newcomer, person.joined_at, chosen_before=True)
    if wrong := [verdict.message for verdict in verdicts if verdict.status is Status.ERROR]:
        raise Refused(f"{person.name} cannot have its seat here: {'; '.join(wrong)}")
    if person.given_up:
        table.seats[-1].state = SeatState.RESIGNED


# A game that is over


def _seat(game: Game, person: _Person) -> Seat:
    assert game.id is not None
    address, holder = _player_of(person)
    return Seat(
        game_id=game.id,
        number=person.number,
        name=person.name,
        address=folded(address),
        holder=holder,
        timezone=person.timezone,
        signup=compact_json([[line.number, line.text] for line in person.lines]),
        joined_at=person.joined_at,
        state=SeatState.RESIGNED if person.given_up else SeatState.ACTIVE,
    )
