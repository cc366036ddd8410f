"""What players are called where others read it: their own name, that of whoever holds the seat now, and never an address."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.desk.books.holders import called
from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import abandon, eject
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Holder
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.questions.seat_offers import offer
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Report, SeatState
from pbmd.pages.site import update
from pbmd.rules import HmacDice, Refused
from pbmd.rules.options import complete
from pbmd.rules.registry import get
from pbmd.simulate import signups, usual_players
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.world import World, body_of, message_of
from tests.rulesets.random_games import SLUGS

GAME = "galaxy-7"
HOMES = {"Terrans": "Aquila", "Zorg": "Garnet", "Qix": "Quill"}


def local_part(place: int) -> str:
    """Of the address of a player: a word that stands nowhere else."""
    return f"zyzzyva{'abcdefghij'[place]}local"


def address(place: int) -> str:
    return f"{local_part(place)}@players.test"


def join(world: World, place: int, name: str, lines: tuple[str, ...], sender: str = "") -> str:
    """Somebody asks for a seat by mail and says yes; gives the text of the answer to that."""
    text = "\n".join([f"JOIN {GAME} AS {name}", *lines])
    answer = world.send("", text, sender=sender or address(place), to="games@pbmd.test")
    return answer if "is not right" in answer else world.confirm(address(place))


@pytest.fixture(params=SLUGS)
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A game of each ruleset whose players joined by mail, without a word of what they are called, and that has had a step."""
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        world.as_ever(f"all join {request.param} by mail", lambda: play(world, request.param), request.param)
        yield world


def play(world: World, slug: str) -> None:
    ruleset = get(slug)
    options = complete(ruleset.info.options, {})
    with changing_games(world.desk) as work:
        new_game.create_game(work, GAME, slug, Terms(second_thought="0m"), {})
    wanted = signups(ruleset, min(3, usual_players(ruleset, options)), options)
    for place, signup in enumerate(wanted):
        # Nothing of the form says what the player is called, and nothing of the mail.
        lines = tuple(line.text for line in signup.lines if not line.text.startswith("Player Name"))
        join(world, place, signup.seat, lines)
    if len(world.rows(new_game.Seat)) < ruleset.info.min_seats:
        pytest.fail(str([body_of(mail) for mail in world.outbox()]))
    world.act(GAME, new_game.start_game)
    for place, seat in enumerate(world.rows(new_game.Seat)):
        text = ruleset.random_orders(ruleset.load(world.position()), seat.name, HmacDice(b"", bytes([place])))
        world.send(seat.name, f"{text}\nPRESS TO ALL\nhello all\nEND PRESS", sender=address(place))
    world.pass_time(timedelta(days=30))


@pytest.mark.in_turn(3)
def test_no_part_of_an_address_is_published(played: World, tmp_path: Path) -> None:
    """Mails to others, pages, feeds, the log, and archives that are not of everything or of the seat itself."""
    locals_ = [local_part(place) for place in range(len(played.rows(new_game.Seat)))]
    for mail in played.outbox():
        own = mail.recipient.partition("@")[0]
        said = "".join(str(part.get_payload(decode=True)) for part in message_of(mail).walk() if not part.is_multipart())
        headers = "".join(f"{name}: {value}\n" for name, value in message_of(mail).items() if name != "To")
        found = [
            word for word in locals_ if word in f"{said}{headers}" and not (word == own and mail.kind in ("visit", "welcome"))
        ]
        assert found == [], (mail.kind, mail.recipient)
    played.settle(dashboard={"audience": "public"})
    pages = dashboard_source(played.desk)
    update(pages)
    played.act(GAME, abandon)  # some games show nothing of it all as long as they run
    export(played, tmp_path / "public", audience=TO_PUBLIC)
    export(played, tmp_path / "blank", anonymised=True)
    seats = [seat.name for seat in played.rows(new_game.Seat)]
    looked_at = {place: seats[place] for place in (0, len(seats) - 1)}
    for place, seat in looked_at.items():
        export(played, tmp_path / f"own{place}", audience=Audience("seat", seat))
    everybodys = (pages.folder, tmp_path / "public", tmp_path / "blank")
    for path in (path for folder in everybodys for path in folder.rglob("*") if path.is_file()):
        assert not [word for word in locals_ if word.encode() in path.read_bytes()], path
    for place in looked_at:
        for path in (path for path in (tmp_path / f"own{place}").rglob("*") if path.is_file()):
            others = [word for word in locals_ if word != local_part(place)]
            assert not [word for word in others if word.encode() in path.read_bytes()], path
    assert not [line for line in played.log() if any(word in line.detail for word in locals_)]


@pytest.mark.parametrize(
    ("holder", "of", "name"),
    [
        ("", "kim@players.test", ""),
        ("Kim Beck", "kim@players.test", "Kim Beck"),
        ("Kim", "kim@players.test", "Kim"),
        ("kim", "kim@players.test", ""),
        ("kim", "kim+games@players.test", ""),
        ("KIM", "kim@players.test", ""),
        ("McKim", "mckim@players.test", "McKim"),
        ("Kim.Beck", "kim.beck@players.test", ""),
        ("'kim.beck'", "kim.beck@players.test", ""),
        ("Kim Beck", "kim.beck@players.test", "Kim Beck"),
        ("Kim\N{FULLWIDTH COMMERCIAL AT}players.test", "kim@players.test", ""),
        ("kim@players.test", "kim@players.test", ""),
        ("somebody@else.test", "kim@players.test", ""),
        (" Kim \n Beck ", "kim@players.test", "Kim Beck"),
    ],
)
def test_what_a_mail_program_puts_in_for_want_of_a_name_is_no_name(holder: str, of: str, name: str) -> None:
    assert called(holder, of) == name


@pytest.mark.parametrize("place", [0, 1])
def test_a_sign_up_that_would_publish_an_address_is_refused(place: int, tmp_path: Path) -> None:
    with closing(World(tmp_path)) as world:
        with changing_games(world.desk) as work:
            new_game.create_game(work, GAME, "local_cluster" if place else "starship_squadrons", Terms(second_thought="0m"), {})
        form = ("Race Name: Terrans", f"Leader: {address(0)}", "Home Planet: Aquila", "Extra Traits: Warlike, Scholars")
        join(world, 0, "Terrans" if place else address(0), form if place else ())
        assert world.rows(new_game.Seat) == []
        assert "cannot have an address in it" in " ".join(body_of(world.outbox()[-1]).split())


# Local Cluster, whose reports say by whom a nation is played


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[World]:
    """Three nations in Turn 1; Kim, Sam and one who gives no name."""
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        with changing_games(world.desk) as work:
            new_game.create_game(work, GAME, "local_cluster", Terms(reminders=(), second_thought="0m"), {})
        for place, ((race, home), name) in enumerate(zip(HOMES.items(), ("Kim Beck", "Sam", ""), strict=True)):
            form = (f"Race Name: {race}", f"Leader: Head of {race}", f"Home Planet: {home}", "Extra Traits: Warlike, Scholars")
            join(world, place, race, form, f"{name} <{address(place)}>" if name else "")
        world.act(GAME, new_game.start_game)
        turn(world)
        yield world


def turn(world: World) -> None:
    """A Turn in which nobody does anything; who has given up is skipped."""
    world.pass_time()
    for seat in world.rows(new_game.Seat):
        if seat.state is SeatState.ACTIVE:
            world.send(seat.name, "End move", sender=seat.address)
    world.pass_time()


def played_by(world: World, reader: str = "public") -> dict[str, str]:
    """Nation → by whom it is played, as the newest report for that reader says."""
    text = world.rows(Report, col(Report.reader) == reader)[-1].text
    nations = re.split(r"\n(?= {0,2}\S)", text)
    return {
        race: found[1]
        for race in HOMES
        for nation in nations
        if nation.lstrip().startswith(race) and (found := re.search(r"Played\s+by\s+([^.]*)\.", nation))
    }


def hand_over(world: World, seat: str, to: str, holder: str, meanwhile: Callable[[], object] = lambda: None) -> None:
    with world.work() as work:
        table = work.table_named(GAME)
        assert table is not None
        offer(work, table, seat, to, Holder(holder, "UTC"))
    meanwhile()
    world.reply(world.questions(to)[-1], "YES")


def test_the_name_of_a_holder_follows_the_holder(cluster: World, tmp_path: Path) -> None:
    assert played_by(cluster) == {"Terrans": "Kim Beck", "Zorg": "Sam"}
    hand_over(cluster, "Terrans", "new@players.test", "Noor")
    turn(cluster)
    for reader in ("public", "seat:1", "seat:3"):
        assert played_by(cluster, reader) == {"Terrans": "Noor", "Zorg": "Sam"}
    assert "Kim" not in cluster.rows(Report)[-1].text
    # Who gives no name has none, and one that is taken is nobody else's.
    hand_over(cluster, "Terrans", "new2@players.test", "")
    turn(cluster)
    assert played_by(cluster) == {"Zorg": "Sam"}
    for name in ("sam", "Zorg", "Game Master"):
        with pytest.raises(Refused, match=r"could be taken for|a word for a role|is kept for"):
            hand_over(cluster, "Terrans", "new3@players.test", name)
    # Nor is one that was free when the seat was offered.
    hand_over(
        cluster, "Terrans", "new4@players.test", "Pat", meanwhile=lambda: hand_over(cluster, "Zorg", "new5@players.test", "pat")
    )
    turn(cluster)
    assert played_by(cluster) == {"Zorg": "pat"}
    findings = verified(export(cluster, tmp_path / "archive"))
    assert findings.problems == []


def test_an_empty_seat_is_played_by_nobody(cluster: World, tmp_path: Path) -> None:
    cluster.act(GAME, lambda work, table: eject(work, table, table.seat("Terrans"), "silence"))
    turn(cluster)
    assert played_by(cluster) == {"Zorg": "Sam"}
    hand_over(cluster, "Terrans", "new@players.test", "Noor")
    turn(cluster)
    assert played_by(cluster)["Terrans"] == "Noor"
    assert verified(export(cluster, tmp_path / "archive")).problems == []


def test_a_rollback_to_before_a_seat_changed_hands_keeps_the_new_name(cluster: World, tmp_path: Path) -> None:
    turn(cluster)
    hand_over(cluster, "Terrans", "new@players.test", "Noor")
    turn(cluster)
    cluster.act(GAME, lambda work, table: roll_back(work, table, 1, "once more"))
    assert played_by(cluster)["Terrans"] == "Noor"
    turn(cluster)
    assert played_by(cluster)["Terrans"] == "Noor"
    assert verified(export(cluster, tmp_path / "archive")).problems == []


def test_another_address_is_no_other_holder(cluster: World) -> None:
    cluster.send("Zorg", "ADDRESS sam@elsewhere.test", sender=address(1))
    cluster.reply(cluster.questions(address(1))[-1], "YES")
    cluster.reply(cluster.questions("sam@elsewhere.test")[-1], "YES")
    turn(cluster)
    assert played_by(cluster)["Zorg"] == "Sam"
    assert not any("holder" in entry.secret for entry in cluster.journal("address"))
