"""Whatever is made of a view works in a game that has just begun, in the middle, and when it is over: pages, charts, feeds,
maps, archives, invitations. For every ruleset, and for each value of its options that are words to choose from, or yes and no.

Games are played once for a ruleset, and the ledger is kept as it was at each stage.
"""

import json
import logging
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from icalendar import Calendar
from markupsafe import escape
from typer.testing import CliRunner

from pbmd import simulate
from pbmd.archive.format.audience import ALL, TO_PUBLIC, Audience
from pbmd.cli import app
from pbmd.desk.books.desk import Desk, Positions
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import deadline_changes, gm, new_game
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.backup import copy_to
from pbmd.ledger.database import open_engine, sqlite_url
from pbmd.ledger.tables import GameStatus
from pbmd.pages.site import update
from pbmd.pages.source import Audience as PagesFor
from pbmd.rendering.picture import svg_png
from pbmd.rules import Options, Ruleset
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import OptionSpec, complete
from pbmd.rules.registry import get, slugs
from pbmd.terms.terms import Terms
from tests.archive.made import export
from tests.desk.mail.test_invitation import calendars
from tests.desk.world import World
from tests.doses import dose

STAGES = ("begun", "middle", "over")
SPECIAL: Mapping[str, Mapping[str, Any]] = {
    "galactic_overlord": {"turn_limit": 3},
    "cosmic_conquest": {},
    "diplomacy": {"last_year": 1901},
    "local_cluster": {},
    "societies": {"public_chart": "gold, armies, spies, nukes, sdi"},
    "starship_squadrons": {"day_limit": 1, "points": 60, "systems": 3},
}
"""What makes games short, or shows more."""
LEFT_OUT = {("starship_squadrons", "map", "custom")}
"""What no new game can have: such a map comes with a position."""
CONCEDES = {"societies": "Concede to {}"}


@dataclass(frozen=True)
class Shelf:
    """The games of a ruleset, by name with their options, and a desk for each stage."""

    rules: Ruleset[Any]
    games: Mapping[str, Options]
    desks: Mapping[str, Desk]
    world: World


def values_of(slug: str, spec: OptionSpec) -> list[Any]:
    """What a view may depend on: words to choose from, and yes or no; its default first."""
    values: list[Any] = list(spec.choices) if spec.choices else [True, False] if isinstance(spec.default, bool) else []
    values = [value for value in values if (slug, spec.key, value) not in LEFT_OUT]
    return sorted(values, key=lambda value: value != spec.default)


def modes(rules: Ruleset[Any]) -> list[dict[str, Any]]:
    """So many sets of options that each option has each of its values in one of them; the first has the defaults."""
    choices = {key: found for key, spec in rules.info.options.items() if (found := values_of(rules.info.slug, spec))}
    many = max(len(found) for found in choices.values())
    if "players_per_side" in rules.info.options:
        choices["players_per_side"] = [1, 2]
    return [{key: found[number % len(found)] for key, found in choices.items()} for number in range(many)]


def begin(world: World, rules: Ruleset[Any], name: str, options: Mapping[str, Any]) -> None:
    players = 2 * int(options.get("players_per_side", 1))
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work, name, rules.info.slug, Terms(reminders=(), second_thought="0m", who_has_sent="names"), options
        )
        for place, signup in enumerate(simulate.signups(rules, players, complete(rules.info.options, options))):
            new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{place}@{name}.test", f"player {place}"))
        new_game.start_game(work, table)
    for seat in names_of(world, name):
        write(world, name, seat, "CALENDAR ON")


def names_of(world: World, name: str) -> list[str]:
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(name)
        assert table is not None
        return [seat.name for seat in table.seats]


def write(world: World, name: str, seat: str, text: str) -> None:
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(name)
        assert table is not None
        address = table.seat(seat).address
    world.send(seat, text, game=name, sender=address)


def step(world: World, name: str, *, orders: bool = True) -> None:
    """All who are awaited write, and the game goes a step on without waiting for anybody."""
    world.now += timedelta(hours=7)
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(name)
        assert table is not None
        rules, position = table.ruleset, table.position
        dice = HmacDice(b"what is shown", f"{name} {table.game.step}".encode())
        texts = [(seat, rules.random_orders(position, seat, dice)) for seat in rules.awaiting(position)] if orders else []
    for seat, text in texts:
        write(world, name, seat, text)
    if world.game(name).status is GameStatus.RUNNING:
        world.act(name, deadline_changes.resolve_now)


def finish(world: World, name: str) -> None:
    """Everybody but one gives up; what the rules do not end by that, or by themselves, the game master ends."""
    first, *others = names_of(world, name)
    for other in others:
        if concession := CONCEDES.get(world.game(name).ruleset):
            write(world, name, other, concession.format(first))
        elif world.game(name).status is GameStatus.RUNNING:
            with changing_games(world.desk) as work:
                table = work.table_named(name)
                assert table is not None
                gm.eject(work, table, table.seat(other))
    for _ in range(3):
        if world.game(name).status is GameStatus.RUNNING:
            step(world, name, orders=False)
    if world.game(name).status is not GameStatus.FINISHED:
        world.act(name, gm.abandon)


def kept(world: World, folder: Path, stage: str) -> Desk:
    """A desk with the ledger as it is now."""
    home = folder / stage
    home.mkdir()
    copy_to(world.folder / "ledger.sqlite", home / "ledger.sqlite")
    server = world.desk.settings.server.model_copy(update={"data": home})
    settings = world.desk.settings.model_copy(update={"server": server})
    now = world.now
    engine = open_engine(sqlite_url(home / "ledger.sqlite"))
    return replace(world.desk, engine=engine, settings=settings, now=lambda: now, positions=Positions())


@pytest.fixture(scope="module", params=slugs())
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp(request.param)
    world = World(folder)
    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    rules = get(request.param)
    played = {f"mode-{number}": SPECIAL[request.param] | mode for number, mode in enumerate(modes(rules))}
    desks: dict[str, Desk] = {}
    for name, options in played.items():
        begin(world, rules, name, options)
    desks["begun"] = kept(world, folder, "begun")
    for name in played:
        step(world, name)
    desks["middle"] = kept(world, folder, "middle")
    for name in played:
        finish(world, name)
    desks["over"] = kept(world, folder, "over")
    yield Shelf(rules, played, desks, world)
    for desk in desks.values():
        desk.engine.dispose()
    world.close()


def test_the_games_are_as_they_should_be(shelf: Shelf) -> None:
    """Else the other tests would show little."""
    for number, (name, options) in enumerate(shelf.games.items()):
        stages = []
        for stage in STAGES:
            with Transaction(shelf.desks[stage], reads=True) as work:
                table = work.table_named(name)
                assert table is not None
                stages.append((table.game.status, table.game.step, shelf.rules.outcome(table.position)))
        begun, middle, over = stages
        assert begun[:2] == (GameStatus.RUNNING, 0), options
        assert middle[0] is GameStatus.RUNNING, options
        assert middle[1] > 0, options
        assert over[0] is GameStatus.FINISHED, options
        assert over[2] is not None or number > 0, "with the options of the handbook it ends by its rules"


def test_each_value_of_an_option_is_played(shelf: Shelf) -> None:
    for key, spec in shelf.rules.info.options.items():
        if values := values_of(shelf.rules.info.slug, spec):
            assert {options[key] for options in shelf.games.values()} == set(values)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("audience", ["gm", "public"])
def test_pages_charts_and_feeds(
    shelf: Shelf, stage: str, audience: PagesFor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = replace(dashboard_source(shelf.desks[stage]), audience=audience, folder=tmp_path / "pages")
    with caplog.at_level(logging.WARNING):
        update(source)
    assert [record.getMessage() for record in caplog.records] == []
    assert json.loads(source.folder.with_suffix(".state").read_text())["again"] == []
    overview = (source.folder / "index.html").read_text()
    for name, options in shelf.games.items():
        folder = source.folder / "games" / name
        page = (folder / "index.html").read_text()
        assert name in overview
        assert "cannot be shown" not in overview + page, options
        assert ElementTree.parse(folder / "feed.xml").getroot().tag.endswith("feed")
        maps = sorted(folder.glob("map-*.svg"))
        assert bool(maps) == shelf.rules.info.map, options
        for path in maps:
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
            assert path.name in page
        steps = json.loads((folder / "steps.json").read_text())
        assert len(steps) > (stage != "begun"), options
        if stage != "begun" and any(look["numbers"] for look in steps.values()):
            assert "Numbers, turn by turn" in page, options
        assert steps["begin"]["aim"], options
        assert all(look["happened"] is not None for look in steps.values()), options
        *_, last = steps.values()
        assert [sentence for sentence in last["happened"] if escape(sentence) not in page] == [], options


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("stage", STAGES)
def test_archives(shelf: Shelf, stage: str, tmp_path: Path) -> None:
    world = replace_desk(shelf, stage)
    for number, (name, options) in enumerate(shelf.games.items(), STAGES.index(stage)):
        with Transaction(world.desk, reads=True) as work:
            table = work.table_named(name)
            assert table is not None
            seat = table.seats[-1].name
        # Of a game that runs and tells nobody who has sent, there is no other archive.
        secret = stage != "over" and (shelf.rules.info.secret_arrival or table.terms.who_has_sent == "nothing")
        views = (ALL,) if secret else (ALL, TO_PUBLIC, Audience("seat", seat))
        # In a small dose one of them, of the next game and at the next stage another.
        for view in dose((views[number % len(views)],), views):
            payload = export(world, tmp_path / f"{name}-{view.kind}", name, view) / "data"
            assert (payload / "index.html").exists(), options
            for page in (payload / "turns").rglob("numbers.json"):
                assert isinstance(json.loads(page.read_text()), dict)


@pytest.mark.in_turn(4)
@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("stage", STAGES)
def test_the_map_on_the_command_line(shelf: Shelf, stage: str, tmp_path: Path) -> None:
    for name, options in shelf.games.items():
        with Transaction(shelf.desks[stage], reads=True) as work:
            table = work.table_named(name)
            assert table is not None
            document, seats = shelf.rules.dump(table.position), [seat.name for seat in table.seats]
        (tmp_path / "position.toml").write_text(tomli_w.dumps(document), encoding="utf-8")
        for reader in ("public", "gm", *seats):
            target = tmp_path / "map.svg"
            done = CliRunner().invoke(app, ["map", str(tmp_path / "position.toml"), "-o", str(target), "--for", reader])
            if not shelf.rules.info.map:
                assert (done.exit_code, "has no map" in done.stderr) == (2, True)
                continue
            assert done.exit_code == 0, (options, reader, done.output)
            assert ElementTree.parse(target).getroot().tag.endswith("svg")
            if reader == "gm":
                assert svg_png(target.read_text(encoding="utf-8")).startswith(b"\x89PNG")


def test_invitations(shelf: Shelf) -> None:
    for name, options in shelf.games.items():
        own = [mail for mail in shelf.world.outbox() if mail.recipient.endswith(f"@{name}.test")]
        told = [Calendar.from_ical(found[0]) for mail in own if (found := calendars(mail))]
        assert {str(each["METHOD"]) for each in told} == {"REQUEST", "CANCEL"}, options
        for each in told:
            [event] = each.walk("VEVENT")
            assert name in event["SUMMARY"]


def replace_desk(shelf: Shelf, stage: str) -> World:
    """The world, with the desk as it was then."""
    world = object.__new__(World)
    vars(world).update(vars(shelf.world) | {"desk": shelf.desks[stage]})
    return world
