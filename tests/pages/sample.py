"""Games of every ruleset on one desk, played side by side by random players who write when people do."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlmodel import Session

from pbmd import __version__, simulate
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.parts import GAMES, PAGES, SENDING
from pbmd.ledger.sharing import HostState, SharedState
from pbmd.ledger.tables import Game, GameStatus, Report
from pbmd.pages.page_html import assets, render
from pbmd.pages.source import Audience, Source
from pbmd.pages.state import games, health
from pbmd.rendering.handbook import handbook_html
from pbmd.results.finished import GameResult, SeatResult, Steps
from pbmd.results.ratings import MEANING
from pbmd.results.table import PLACES, results_of
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.terms.terms import Terms
from tests.desk.world import World

Samples = Mapping[str, tuple[str, int, dict[str, str]]]
"""Names of games: of which ruleset, for how many players, by which terms."""
SAMPLES: Samples = {
    "galaxy-7": ("galactic_overlord", 4, {"deadline": "72h"}),
    "conquest-2": ("cosmic_conquest", 5, {"deadline": "96h", "who_has_sent": "names"}),
    "cluster-1": ("local_cluster", 3, {"deadline": "24h"}),
    "societies-3": ("societies", 4, {"deadline": "120h"}),
    "squadrons-4": ("starship_squadrons", 2, {"deadline": "24h"}),
}
OPEN = "newcomers"


@contextmanager
def desk(folder: Path, audience: Audience) -> Iterator[World]:
    """A desk of its own in that folder, whose pages are for that audience."""
    world = World(folder)
    # Many games of players who are in a hurry.
    world.settle(dashboard={"audience": audience}, limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    try:
        yield world
    finally:
        world.close()


def source_of(world: World) -> Source:
    """What the pages of this desk are made from."""
    return dashboard_source(world.desk)


def start(world: World, samples: Samples = SAMPLES) -> None:
    """All games begin; one more takes sign-ups."""
    for name, (ruleset, players, terms) in samples.items():
        with changing_games(world.desk) as work:
            rules = world.desk.ruleset(ruleset)
            options = complete(rules.info.options, {})
            table = new_game.create_game(work, name, ruleset, Terms(**({"second_thought": "0m"} | terms)), {})
            for place, signup in enumerate(simulate.signups(rules, players, options)):
                new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{place}@{name}.test", f"player {place}"))
            new_game.start_game(work, table)
    world.open(OPEN, "Vega", "Deneb", seats=4)


def play(world: World, days: int, seed: int = 1, samples: Samples = SAMPLES) -> None:
    """So many days pass, six hours at a time; who is awaited writes sooner or later, mostly later, and sometimes forgets."""
    chance = random.Random(seed)
    for _ in range(days * 4):
        world.now += timedelta(hours=6)
        for name in samples:
            _write(world, name, chance)
        world.pass_time(timedelta(seconds=1))


def _write(world: World, name: str, chance: random.Random) -> None:
    game = world.game(name)
    if game.status is not GameStatus.RUNNING or game.deadline is None or game.opened_at is None:
        return
    passed = (world.now - game.opened_at) / (game.deadline - game.opened_at)
    with Transaction(world.desk, reads=True) as work:
        table = work.table(game.id or 0)
        addresses = {seat.name: seat.address for seat in table.seats}
        awaited = [seat for seat in table.ruleset.awaiting(table.position) if chance.random() < 0.1 + passed / 2]
        texts = [
            (
                seat,
                table.ruleset.random_orders(table.position, seat, HmacDice(b"sample", f"{name} {world.now} {seat}".encode())),
            )
            for seat in awaited
        ]
    for seat, text in texts:
        world.now += timedelta(minutes=chance.randrange(1, 40))
        world.send(seat, text, game=name, sender=addresses[seat])


def put_reports(world: World, folder: Path) -> None:
    """The last report of the first seat of each game, as a mail program shows it."""
    folder.mkdir(exist_ok=True)
    names = {game.id: game.name for game in world.rows(Game)}
    for report in world.rows(Report):
        if report.reader == "seat:1":
            (folder / f"{names[report.game_id]}.html").write_text(report.html, encoding="utf-8")


def put_handbooks(folder: Path) -> None:
    """The handbook of each ruleset, as a mail program shows it."""
    folder.mkdir(exist_ok=True)
    for slug in slugs():
        (folder / f"handbook-{slug}.html").write_text(handbook_html(get(slug).info.handbook_with_scenes), encoding="utf-8")


def put_results_page(source: Source) -> None:
    """The page of results of many players, with long names and numbers."""
    names = ("Ada", "Wolfgang Amadeus Schmidt-Meier", "प्रिया", "Jo", "Kim")
    places = ((1, 2, 3, 4, 5), (5, 1, 1, 3, 4), (1, 1, 1, 1, 1), (2, 3, 1, 5, 4))
    games = [
        GameResult(
            number,
            [*SAMPLES][number % len(SAMPLES)],
            slug,
            slug.replace("_", " ").title(),
            source.now() - timedelta(days=30 - number),
            tuple(
                SeatResult(f"Seat {place}", place, won=place == 1, drew=False, player=name if place != 4 else "")
                for name, place in zip(names, ranked, strict=True)
            ),
            {name: Steps(number % 3, 12) for name in names},
        )
        for number, ranked in enumerate(places * 3)
        for slug in ("cosmic_conquest", "societies")
    ]
    values = {"results": results_of(games), "meaning": MEANING, "places": PLACES}
    (source.folder / "results.html").write_text(render("results.html.j2", source, **values), encoding="utf-8")


def put_sharing_page(world: World, folder: Path) -> None:
    """The page about mail as the game master has it where two hosts and a worker share the ledger, and not all is well."""
    source = replace(source_of(world), audience="gm")
    state = SharedState(
        parts={"reading games@localhost/INBOX": "alpha", SENDING: "alpha", GAMES: "beta", PAGES: ""},
        workers=2,
        lanes=31,
        longest_lane=7,
        unassigned_letters=3,
        oldest_letter=world.now - timedelta(minutes=4),
        games_due=40,
        oldest_due=world.now - timedelta(minutes=2),
        lag_seconds=120,
    )
    hosts = tuple(
        HostState(name, does, __version__, world.now - timedelta(seconds=20), 20, clock)
        for name, does, clock in (
            ("alpha", "run", "confirmed"),
            ("beta.a-rather-long-name.example.org", "run", "in doubt: it was set 2 h ahead"),
            ("beta.a-rather-long-name.example.org", "worker", "not in doubt"),
        )
    )
    with Session(source.engine) as session:
        mail = health(session, source, games(session, source))
    page = render("mail.html.j2", source, mail=mail, refused=[], service=[], sharing=(state, hosts), has_results=True)
    folder.mkdir(exist_ok=True)
    for name, text in {"mail.html": page, **assets()}.items():
        (folder / name).write_text(text, encoding="utf-8")
