"""A new game: it is created, its seats are taken, it is started.

Each function works within the caller's transaction. `Refused` carries a sentence for the person who asked.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import make_transient
from sqlmodel import col, delete, func, select, update

from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.holders import addresses_in, hidden_name, known_to_rules, signup_of
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.changes.openings.places import (
    Seating,
    gives_later,
    kept_list,
    list_in,
    list_verdict,
    must_have_fixed_seats,
    place_name,
    seat_words,
    seating,
    take_places,
)
from pbmd.desk.deadlines.next_deadline import first_deadline
from pbmd.desk.deadlines.phase_kinds import unknown_kinds
from pbmd.desk.deadlines.proof import must_be_proved
from pbmd.desk.language.likeness import game_like, game_name_problem, games_perhaps_like, name_problem
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.tokens import must_have_no_token
from pbmd.desk.step.absences import mind_absences, sentences
from pbmd.desk.step.dice_secrets import commitment_of, draw, new_secret, opened_salts, salts_commitment_of
from pbmd.desk.step.reporting import reports
from pbmd.desk.unreadable.unsettled import must_be_readable
from pbmd.edition import EDITION
from pbmd.ledger.entries.player_entries import ResignedEntry
from pbmd.ledger.entries.seating_entries import SignedUpEntry
from pbmd.ledger.entries.sleep_entries import DISORDER
from pbmd.ledger.entries.step_entries import CreatedEntry, JoinedEntry, JoiningPlayer, SetUpSecrets, StartedEntry
from pbmd.ledger.journal import written_deadline, written_time
from pbmd.ledger.tables import Absence, Game, GameStatus, JournalEntry, Letter, Outbox, Seat, SeatState, in_order_of_joining
from pbmd.post.addresses import folded, same_mailbox
from pbmd.post.compose import can_be_written
from pbmd.rendering.entry_notices import notices_of
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import Options, complete
from pbmd.rules.protocol import Line, Refused, Ruleset, Signup, Status, Verdict
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound_setup
from pbmd.rules.signups import name_given
from pbmd.terms.second_thought import second_thought_of
from pbmd.terms.terms import BY_PACE, BY_RULES, OF_GM, UNSAID, PhaseTerms, Terms
from pbmd.terms.times import TimeError, describe_time, rule_zone, zone

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def create_game(work: Transaction, name: str, ruleset: str, terms: Terms, options: Mapping[str, Any]) -> OpenGame:
    """A new game that takes sign-ups; an option of the rules with the length of a turn has priority over the terms, and so do
    its default and the rules' recommendation over the terms' defaults, and rules that keep secret who has sent orders. Raises
    `Refused`, `UnknownRuleset` or `OptionError`."""
    must_be_a_name(work, name)
    must_have_no_token(work, None, (name, *map(str, options.values())))
    if work.session.exec(select(Game.id).where(Game.name == name)).first() is not None:
        raise Refused(f'there is already a game "{name}"')
    must_look_like_no_other(work, name)
    rules = work.desk.ruleset(ruleset)
    chosen = complete(rules.info.options, options)
    fewest, most = rules.info.min_seats, rules.info.max_seats or terms.seats
    if terms.seats and not fewest <= terms.seats <= most:
        many = f"{fewest} to {most}" if rules.info.max_seats else f"at least {fewest}"
        raise Refused(f"{rules.info.title} is for {many} players, not for {terms.seats}")
    if terms.trust == "strict" and not work.desk.settings.mail.authserv_id:
        raise Refused('trust = "strict" needs the setting authserv_id under mail: whose word on senders is to be believed')
    if problem := _no_room_for_all(rules, chosen, terms.seats):
        raise Refused(f"with these options the game cannot have {terms.seats} players: {problem}")
    must_have_fixed_seats(rules, terms, chosen)
    terms = terms.model_copy(update={"deadline": _deadline(rules, options, chosen, terms)})
    said = terms
    terms = terms.model_copy(update={"second_thought": _second_thought(rules, terms)})
    _must_have_phases(rules, terms)
    if terms.sleeper == DISORDER and rules.disorder is None:
        raise Refused(
            f"{rules.info.title} has no civil disorder out of which a player could come back, so sleeper is default or offer"
        )
    terms = terms.model_copy(update={"phases": _with_pauses(rules, said, terms)})
    place = terms.quiet_zone or rule_zone(terms.deadline) or work.desk.settings.server.timezone
    terms = terms.model_copy(update={"quiet_zone": place})
    if rules.info.secret_arrival:
        terms = terms.model_copy(update={"who_has_sent": "nothing"})
    game = Game(
        name=name,
        ruleset=ruleset,
        status=GameStatus.SIGNUP,
        options=compact_json(dict(options)),
        terms=terms.model_dump_json(),
        created_at=work.now,
    )
    work.session.add(game)
    work.session.flush()
    table = OpenGame(game, [], work.desk.ruleset, terms, work.desk.commands, work.desk.clock)
    work.adopt(table)
    draw(work, game)  # for the set-up, so that nobody can repeat the set-up until they like the result
    entry = CreatedEntry(
        game=name,
        ruleset=ruleset,
        options=dict(options),
        terms=terms.model_dump(mode="json", exclude={*OF_GM}),
        commitment=commitment_of(table),
        salts_commitment=salts_commitment_of(table),
    )
    work.journal(table, entry)
    work.log("created", table, detail=f"{rules.info.title}; sign-up is open")
    return table


def must_be_a_name(work: Transaction, name: str) -> None:
    """Raises `Refused` if no game can have that name."""
    if not _NAME.fullmatch(name):
        raise Refused(f'"{name}" is no name for a game: small letters, digits and hyphens, at most 31, like galaxy-7')
    if problem := game_name_problem(name, work.desk.commands):
        raise Refused(f'"{name}" is no name for a game: {problem}')


def must_look_like_no_other(work: Transaction, name: str) -> None:
    """Raises `Refused` if the name of a game could be mistaken for another's."""
    perhaps = select(Game.name).where(col(Game.name).like(games_perhaps_like(name)), Game.name != name)
    if other := game_like(name, work.session.exec(perhaps).all()):
        raise Refused(f'"{name}" could be taken for the game "{other}"; choose another name')


def _deadline(rules: Ruleset[Any], given: Mapping[str, Any], options: Options, terms: Terms) -> str:
    """The rule for deadlines: first a chosen option, then the terms, then the default of the option, then what the rules
    recommend."""
    clock = rules.info.clock
    said = "deadline" in terms.model_fields_set and terms.deadline != BY_RULES
    if clock and (clock.turn_hours in given or not said):
        return f"{options[clock.turn_hours]}h"
    if said:
        return terms.deadline
    return BY_RULES if rules.hours else UNSAID


def _second_thought(rules: Ruleset[Any], terms: Terms) -> str:
    """The pause after the last orders: what the terms say, else what goes with the deadlines; none where nobody could use it,
    since a move is resolved when it comes, or orders are final."""
    if terms.second_thought != BY_PACE:
        return terms.second_thought
    return "0m" if rules.sequential or rules.info.sheets.later == "final" else second_thought_of(terms.deadline)


def _must_have_phases(rules: Ruleset[Any], terms: Terms) -> None:
    """Raises `Refused` for terms of phases that the rules do not have, or that say what the rules do not."""
    info = rules.info
    if wrong := unknown_kinds(info, terms.phases):
        raise Refused(wrong[0])
    for kind, said in terms.phases.items():
        if said.deadline == BY_RULES and not rules.hours:
            raise Refused(f"the rules of {info.title} recommend no time for {kind}; write it like 24h")


def _with_pauses(rules: Ruleset[Any], said: Terms, terms: Terms) -> Mapping[str, PhaseTerms]:
    """The terms of phases, with the pause after the last orders that goes with a deadline of their own. `said` are the terms
    before the game had a pause of a fixed length."""
    pauses = {kind: _second_thought(rules, said.of_phase(kind)) for kind in terms.phases}
    return {
        kind: own if pauses[kind] == terms.second_thought and own.second_thought is None else _with_pause(own, pauses[kind])
        for kind, own in terms.phases.items()
    }


def _with_pause(own: PhaseTerms, pause: str) -> PhaseTerms:
    return own.model_copy(update={"second_thought": pause})


def _no_room_for_all(rules: Ruleset[Any], options: Options, seats: int) -> str:
    """Why the last of this many players could not get a seat, empty if they could: an option may set a limit of its own.

    This is tested by asking for the seats, under names that nobody needs to like. Rules that refuse even the first of them want
    more in a sign-up than a name, so nothing can be said. One is always asked for: so options that make no game come to light.
    Raises `OptionError` for these.
    """
    asked = [Signup(f"Player {_letters(number)}") for number in range(max(seats, 1))]
    if _error(rules.check_signup(asked[0], (), options)) or not seats:
        return ""
    return _error(rules.check_signup(asked[-1], asked[:-1], options))


def _letters(number: int) -> str:
    """A word for a number that contains no digit: some rules allow none in a name."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number)).title()


def _error(verdicts: Sequence[Verdict]) -> str:
    return next((verdict.message for verdict in verdicts if verdict.status is Status.ERROR), "")


def signups(table: OpenGame) -> list[Signup]:
    """The seats taken so far, as the ruleset wants them: in the order in which their sign-ups arrived."""
    return [signup_of(table, seat) for seat in in_order_of_joining(table.seats)]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who takes a seat."""

    address: str
    holder: str
    timezone: str = "UTC"


def check_seat(
    work: Transaction, table: OpenGame, signup: Signup, newcomer: Newcomer, *, chosen_before: bool = False
) -> tuple[Verdict, ...]:
    """What the ruleset says about a sign-up; with an error among it there is no seat for it. Changes nothing.

    Raises `Refused` when sign-up is over or the game is full, or for a name that can be mistaken for another, unless it was
    `chosen_before`.
    """
    game, info, address = table.game, table.ruleset.info, newcomer.address
    if game.status is not GameStatus.SIGNUP:
        raise Refused(f"sign-up for {game.name} is over")
    options = complete(info.options, json.loads(game.options))
    if 0 < table.ruleset.room(options) <= len(table.seats):
        raise Refused(f"{game.name} is full")
    must_have_no_token(work, table, (signup.seat, newcomer.holder, *(line.text for line in signup.lines)))
    _must_be_writable(address)
    if same_mailbox(address, work.desk.settings.server.address):
        raise Refused("that is the address of the game itself")
    try:
        zone(newcomer.timezone)
    except TimeError as problem:
        raise Refused(str(problem)) from None
    signup = replace(signup, holder=known_to_rules(table, newcomer.holder, address))
    if gives_later(table) and not chosen_before:
        return (list_verdict(table, signup),)
    accepted = signups(table)
    verdicts = (*addresses_in(signup), *table.ruleset.check_signup(signup, accepted, options))
    if not chosen_before and not _error(verdicts):
        _must_be_told_from_others(table, signup, name_given(signup, verdicts), accepted)
    return verdicts


def _must_be_told_from_others(table: OpenGame, signup: Signup, name: str, accepted: Sequence[Signup]) -> None:
    """Raises `Refused` for a name that can be mistaken for another's, or for something other than a player. All rulesets pass
    here."""
    more = table.ruleset.names
    taken = [other for each in accepted for other in (each.seat, *more(each).values())]
    for what, chosen in {"": name, **more(signup)}.items():
        if problem := name_problem(chosen, taken, table.commands):
            raise Refused(f"{what}: {problem}" if what else problem)


def add_seat(
    work: Transaction,
    table: OpenGame,
    signup: Signup,
    newcomer: Newcomer,
    joined_at: datetime | None = None,
    *,
    chosen_before: bool = False,
) -> tuple[Verdict, ...]:
    """Give a seat to a player, or a place if seats are given later (`pbmd.desk.changes.openings.places`). The verdicts are the
    ruleset's; with an error among them nothing is changed.

    `joined_at` is when the sign-up arrived, which orders the seats for the rules; the default is now. Raises `Refused` as
    `check_seat` does.
    """
    must_be_readable(work, table)
    verdicts = check_seat(work, table, signup, newcomer, chosen_before=chosen_before)
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        return verdicts
    number, later = max((seat.number for seat in table.seats), default=0) + 1, gives_later(table) and not chosen_before
    seat = Seat(
        game_id=table.id,
        number=number,
        # The number may have belonged to somebody who left, and who still has the mails with that token.
        token_generation=1 + _left(work, table),
        name=place_name(number) if later else name_given(signup, verdicts),
        address=folded(newcomer.address),
        holder=newcomer.holder,
        timezone=newcomer.timezone,
        signup=kept_list(list_in(table, signup.seat)) if later else _kept_lines(signup.lines),
        joined_at=joined_at or work.now,
    )
    work.session.add(seat)
    work.session.flush()
    table.seats.append(seat)
    entry = SignedUpEntry if later else JoinedEntry
    work.journal(table, entry(seat=seat.name, number=seat.number, sealed=_joining(work, table, seat)))
    work.log("joined", table, seat.name, f"seat {seat.number}")
    return verdicts


def _kept_lines(lines: Sequence[Line]) -> str:
    return compact_json([[line.number, line.text] for line in lines])


def _joining(work: Transaction, table: OpenGame, seat: Seat) -> JoiningPlayer:
    return JoiningPlayer(
        address=seat.address,
        setup=seat.signup,
        holder=known_to_rules(table, seat.holder, seat.address),
        hidden=hidden_name(table, seat.holder, seat.address),
        joined_at=written_time(seat.joined_at or work.now),
        timezone=seat.timezone,
    )


def leave_signup(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """Free a seat before the game begins, as if it had never been taken. The seat's row is deleted, and `seat` is only good for
    answering its holder. Raises `Refused` when the game has begun."""
    if table.game.status is not GameStatus.SIGNUP:
        raise Refused(f"{table.game.name} has begun")
    work.journal(table, ResignedEntry(seat=seat.name))
    work.log("resigned", table, seat.name, "the seat is free again")
    work.write()
    for kind in (Letter, Outbox):
        forgotten = update(kind).where(col(kind.game_id) == table.id, col(kind.seat_id) == seat.id).values(seat_id=None)
        work.session.exec(forgotten, execution_options={"synchronize_session": False})
    work.session.exec(delete(Absence).where(col(Absence.seat_id) == seat.id))
    table.seats.remove(seat)
    work.session.delete(seat)
    work.session.flush()
    make_transient(seat)
    seat.id, seat.state = None, SeatState.RESIGNED


def _left(work: Transaction, table: OpenGame) -> int:
    """How many have left this game before it began."""
    work.write()
    entries = select(func.count()).where(JournalEntry.game_id == table.id, JournalEntry.kind == "resigned")
    return work.session.exec(entries).one()


def _must_be_writable(address: str) -> None:
    if not can_be_written(address):
        raise Refused(f'no mail can be sent to "{address}": an address has only ASCII letters, digits and some signs')


def _entrants(table: OpenGame, given: Seating) -> list[Signup]:
    """The seats with which the game begins. What somebody has signed up with who is only now given a seat is their list."""
    if not given.names:
        return signups(table)
    return [replace(signup_of(table, seat), seat=given.of(seat), lines=()) for seat in in_order_of_joining(table.seats)]


def _must_be_those_of(table: OpenGame, seats: Sequence[str], entrants: Sequence[Signup]) -> None:
    """Mail is sent, and orders are accepted, by the names of the seats, so these must match."""
    if list(seats) != (signed_up := [signup.seat for signup in entrants]):
        raise Refused(
            f"{table.ruleset.info.title} begins with the seats {', '.join(seats) or 'of nobody'}, and {', '.join(signed_up)} "
            f"have signed up; pbmd try {table.ruleset.info.slug} says where in the ruleset that is to be mended"
        )


def start_game(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """Set up the first position and send everybody the first report, with the `reason` why now if there is one. Raises
    `Refused`."""
    game, rules = table.game, table.ruleset
    if game.status is not GameStatus.SIGNUP:
        raise Refused(f"{game.name} has already begun")
    must_be_readable(work, table)
    if len(table.seats) < rules.info.min_seats:
        raise Refused(f"{rules.info.title} needs at least {rules.info.min_seats} players, {game.name} has {len(table.seats)}")
    for seat in table.seats:
        _must_be_writable(seat.address)
    must_be_proved(work, table)
    # A game that was created before set-ups were promised has no secrets yet.
    secret, salts = game.secret or new_secret(work), game.salts
    given = seating(table, secret, salts)
    entrants = _entrants(table, given)
    dice = HmacDice(secret, bound_setup(entrants, salts_of(salts, ((seat.number, given.of(seat)) for seat in table.seats))))
    position = rules.setup(entrants, complete(rules.info.options, json.loads(game.options)), dice)
    _must_be_those_of(table, rules.seats(position), entrants)
    seated = {seat.number: seat_words(table, seat, given) for seat in table.seats}
    take_places(
        work, table, given, ((seat, replace(_joining(work, table, seat), setup=_kept_lines(()))) for seat in table.seats)
    )
    game.status, game.opened_at, game.takes_from = GameStatus.RUNNING, work.now, work.as_of
    draw(work, game)
    work.move(table, position)
    game.deadline = first_deadline(table, work.now)
    work.write()
    names = [seat.name for seat in table.seats]
    entry = StartedEntry(
        seats=tuple(names),
        commitment=commitment_of(table),
        salts_commitment=salts_commitment_of(table),
        edition=EDITION,
        deadline=written_deadline(game.deadline),
        reason=reason or None,
        # Anybody who knows the secret can repeat the set-up, with everything that players may not know of each other.
        sealed=SetUpSecrets(secret=secret.hex(), salts=opened_salts(salts)),
    )
    number = work.journal(table, entry)
    work.log("started", table, detail=f"{len(names)} players; deadline {describe_time(game.deadline)}")
    options = f"House rules: {table.changed_options}." if table.changed_options else ""
    away = mind_absences(work, table)
    notes = {
        seat.number: [*seated[seat.number], *([options] if options else []), *sentences(away, seat)] for seat in table.seats
    }
    reports.send_reports(work, table, Tick(turn=game.turn - 1, position=table.position, receipts=notes))
    for told in notices_of(entry):
        tell(work, table, table.seats, Notice(f"notice {table.id} {number}", told.headline, told.words, told.reason))
