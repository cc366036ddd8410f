"""`pbmd new` and `pbmd start`: create a game, and begin it."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any

import typer
from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from pbmd.cli.changes import carry_out, for_players
from pbmd.cli.common import SETTINGS, FileProblem, Problems, examples, fail, is_path, time_as_json
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.files import read_toml
from pbmd.cli.gm import Because
from pbmd.cli.options import DEFAULT_SETTINGS, GameName, SettingsFile
from pbmd.cli.rulesets import found_by_name, typed_options
from pbmd.cli.terms import NewCommand, option_of, takes_terms
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.changes.openings.series import opening_words
from pbmd.desk.changes.openings.standing_games import begin, first_name, stand
from pbmd.desk.deadlines.forecast import outlook
from pbmd.desk.deadlines.phase_kinds import must_be_kinds_of_rules
from pbmd.desk.visitors.signup_form import form_of, to_copy
from pbmd.ledger.tables import GameStatus
from pbmd.post.addresses import folded
from pbmd.post.compose import can_be_written
from pbmd.rendering.render import load_templates
from pbmd.rules import Line, Refused, Signup, Status, Verdict
from pbmd.rules.registry import from_folder
from pbmd.settings import Zone
from pbmd.terms.phases import TermProblem, with_changes
from pbmd.terms.terms import ASKED, Terms
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)
_ENTRY = re.compile(r"\s*\[\[\s*\"?players\"?\s*\]\]")


def _address(text: str) -> str:
    local, _, domain = text.partition("@")
    if not local or "." not in domain or "@" in domain or not can_be_written(text):
        raise ValueError("must be an e-mail address like ada@example.org")
    return text


class Player(BaseModel):
    """An entry ``[[players]]`` of a players file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    seat: str = Field(min_length=1, max_length=60, validation_alias=AliasChoices("seat", "name"))
    address: Annotated[str, AfterValidator(_address)]
    holder: str = ""
    timezone: Zone = "UTC"
    other_address: Annotated[str, AfterValidator(_address)] = ""
    setup: tuple[str, ...] = ()

    @property
    def signup(self) -> Signup:
        """The seat and its set-up lines, as from a mail."""
        return Signup(self.seat, tuple(Line(number, text) for number, text in enumerate(self.setup, start=1)))


@app.command(
    "new",
    cls=NewCommand,
    epilog=examples(
        "pbmd new galaxy-7 --ruleset galactic_overlord",
        "pbmd new galaxy-7 --ruleset galactic_overlord --players players.toml --deadline 'every Friday 20:00 Europe/Berlin'",
        "pbmd new test --ruleset galactic_overlord --seats 4 --option turn_limit=20 --no-press",
        "pbmd new test --ruleset ./count --seats 2",
        "pbmd new galaxy --ruleset galactic_overlord --seats 5 --standing",
        "pbmd new friday --ruleset diplomacy --deadline 'every Friday 20:00' --deadline retreats=24h --deadline builds=24h "
        "--no-early moves",
    ),
)
@takes_terms
def new(
    game: Annotated[str, typer.Argument(help="Its name: small letters, digits and hyphens.", metavar="GAME")],
    ruleset: Annotated[
        str, typer.Option(help="The ruleset, as `pbmd rules` lists it, or its folder's path.", metavar="RULESET")
    ],
    players: Annotated[
        Path | None, typer.Option(help="Who plays; the game begins at once. Without it players join by mail.", metavar="FILE")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the ruleset, as often as needed.", metavar="KEY=VALUE")
    ] = None,
    standing: Annotated[
        bool, typer.Option("--standing", help="When it is full the next one takes sign-ups: GAME-1, GAME-2 and so on.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
    *,
    given: Mapping[str, Any],
) -> None:
    """Make a game. With --players it begins at once; without, players join by mail until it is full or you start it.

    The players file is TOML with an entry for each seat: `[[players]]`, below it `seat` (the name), `address`, and perhaps
    `holder` (the player's name), `timezone`, and `setup = ["…", "…"]` with the set-up lines of the ruleset.
    """
    if standing and players:
        fail("--standing is for games that players join by mail; take it out, or --players")
    with at_desk(settings) as desk:
        name = _name_of(ruleset, desk, settings)
        info = desk.ruleset(name).info
        terms = _terms(desk.settings.game, given, info.phases)
        if players:
            terms = _with_seats_named(terms, given)
        if standing and not terms.seats:
            fail("a game that stands needs a number of seats, or it is never full; add it like: --seats 5")
        entries = read_players(players) if players else ()
        load_templates([info])

        def make(work: Transaction) -> tuple[OpenGame, list[str]]:
            must_be_kinds_of_rules(desk)
            called = first_name(game) if standing else game
            table = new_game.create_game(work, called, name, terms, typed_options(info, option or []))
            if standing:
                stand(work, table)
            if players:
                warnings = _seat(work, table, players, entries)
                new_game.start_game(work, table)
                return table, warnings
            send_gm_token(work, table, f"gm-mail {table.id}")
            return table, []

        table, warnings = carry_out(desk, make)
        for warning in warnings:
            typer.echo(warning, err=True)
        if as_json:
            print(json.dumps(_document(table, desk, warnings), default=time_as_json, ensure_ascii=False, indent=2))
        else:
            _tell(table, desk)


@app.command("start", epilog=examples("pbmd start galaxy-7"))
def start(game: GameName, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Begin a game with the seats that are taken so far: everybody gets the first report."""
    with at_desk(settings) as desk:
        with Transaction(desk, reads=True) as work:
            load_templates([table_of(work, game).ruleset.info])
        table, following = carry_out(desk, partial(_start, game, because))
        _tell(table, desk)
        if following:
            print(f"\n{following}; a mail to the game master has the words for players.")


def _start(game: str, because: str, work: Transaction) -> tuple[OpenGame, str]:
    table = table_of(work, game)
    following = begin(work, table, for_players(work, table, because))
    return table, f"{following.game.name} {opening_words(work, following)}" if following else ""


def _name_of(ruleset: str, desk: Desk, file: Path) -> str:
    """The name by which pbmd finds a ruleset from now on, even if its path was typed. Raises `Refused` and `UnknownRuleset`."""
    if not is_path(ruleset):
        found_by_name(ruleset, desk.ruleset)
        return ruleset
    folder = Path(ruleset).resolve()
    if folder in [place.resolve() for place in desk.settings.rulesets]:
        return folder.name
    from_folder(folder)
    line = f'rulesets = ["{folder}"]'
    raise Refused(f"the daemon must find {ruleset}, too: put {line} into {file}, above its first section, and try again")


def read_players(path: Path) -> tuple[Player, ...]:
    """The entries of a players file. Raises `FileProblem`."""
    content = read_toml(path)
    for key in content:
        if key != "players":
            raise FileProblem(path, key, 'a players file has only "[[players]]" entries')
    entries = content.get("players")
    if not isinstance(entries, list) or not entries:
        raise FileProblem(path, "players", 'there is no entry; each begins with "[[players]]" on a line of its own')
    players: list[Player] = []
    wrong: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            players.append(Player.model_validate(entry))
        except ValidationError as problem:
            wrong += [_wrong(path, number, error) for error in problem.errors()]
    if wrong:
        raise Problems(wrong)
    return tuple(players)


def _wrong(path: Path, number: int, error: Any) -> str:
    key = ".".join(map(str, error["loc"]))
    return f"{path}: [[players]] no. {number}: {key}: {_plain(error)}{_line_of(path, number, key)}"


def _line_of(path: Path, number: int, key: str = "") -> str:
    """Where in a players file an entry, or a key of it, is, for the end of a sentence; empty if unknown."""
    lines = path.read_bytes().decode("utf-8-sig").splitlines()
    begins = [place for place, line in enumerate(lines) if _ENTRY.match(line)]
    if number > len(begins):
        return ""
    first, end = begins[number - 1], [*begins, len(lines)][number]
    of_key = (
        place for place in range(first, end) if key and lines[place].replace('"', "").strip().startswith((f"{key} ", f"{key}="))
    )
    return f" (line {next(of_key, first) + 1})"


def _plain(error: Any) -> str:
    """A validation error in words for a GM."""
    words = {
        "missing": "this is missing",
        "extra_forbidden": "there is no such key",
        "string_type": "text is wanted here",
        "tuple_type": 'a list of texts is wanted here, like ["…", "…"]',
    }
    return words.get(error["type"]) or str(error["msg"]).removeprefix("Value error, ")


def _terms(defaults: Terms, given: Mapping[str, Any], kinds: Sequence[str]) -> Terms:
    try:
        return with_changes(defaults, given, kinds)
    except TermProblem as problem:
        fail(f"--{option_of(problem.term)}{f' {problem.kind}' if problem.kind else ''}: {problem}")


def _with_seats_named(terms: Terms, given: Mapping[str, Any]) -> Terms:
    """The terms of a game whose players file says who has which seat."""
    if given.get("seating", ASKED) != ASKED:
        fail("--seating is for games that players join by mail, and a players file says who has which seat; take one out")
    return terms.model_copy(update={"seating": ASKED})


def _seat(work: Transaction, table: OpenGame, path: Path, entries: Sequence[Player]) -> list[str]:
    """Give every player their seat and return the remarks on them. Raises `Problems` with all errors."""
    remarks: list[str] = []
    wrong: list[str] = []
    for number, player in enumerate(entries, start=1):
        place = f"{path}: [[players]] no. {number} ({player.seat})"
        try:
            verdicts = new_game.add_seat(
                work, table, player.signup, new_game.Newcomer(player.address, player.holder, player.timezone)
            )
        except Refused as refusal:
            wrong.append(f"{place}: {refusal}{_line_of(path, number)}")
            continue
        if not any(verdict.status is Status.ERROR for verdict in verdicts):
            table.seats[-1].other_address = folded(player.other_address)
        wrong += [
            f"{_remark(place, verdict)}{_line_of(path, number)}" for verdict in verdicts if verdict.status is Status.ERROR
        ]
        remarks += [_remark(place, verdict) for verdict in verdicts if verdict.status is Status.WARNING]
    if wrong:
        raise Problems(wrong)
    return remarks


def _remark(place: str, verdict: Verdict) -> str:
    line = f': setup line {verdict.line} "{verdict.text}"' if verdict.line else ""
    return f"{place}{line}: {verdict.message}"


def _document(table: OpenGame, desk: Desk, warnings: Sequence[str]) -> dict[str, Any]:
    game, is_open = table.game, table.game.status is GameStatus.SIGNUP
    return {
        "game": game.name,
        "ruleset": game.ruleset,
        "status": game.status.value,
        "address": desk.settings.server.address,
        "seats": len(table.seats),
        "seats_wanted": table.terms.seats if is_open else len(table.seats),
        "join": to_copy(table, form_of(table)) if is_open else "",
        "deadline": game.deadline,
        "warnings": [*warnings],
    }


def _tell(table: OpenGame, desk: Desk) -> None:
    game, address = table.game, desk.settings.server.address
    if game.status is GameStatus.SIGNUP:
        print(f"{game.name} takes sign-ups. Players write to {address}, in the body of the mail, for example:")
        print(indent(to_copy(table, form_of(table)), "  "))
        print(
            f"It begins when {table.terms.seats} seats are filled."
            if table.terms.seats
            else f"pbmd start {game.name} begins it."
        )
        if game.standing:
            print(f"Then the next game takes sign-ups, with the same set-up; pbmd standing {game.name} off ends that.")
        print(f"\n{outlook(table, desk.now(), desk.settings.server.timezone)}", end="")
        return
    when = f"; the first deadline is {describe_time(game.deadline)}" if game.deadline else ""
    print(f"{game.name} has begun with {len(table.seats)} players{when}.")
    print("The first reports are in the outbox; pbmd run (or pbmd tick) sends them.")
    print(f"\n{outlook(table, desk.now(), desk.settings.server.timezone)}", end="")
