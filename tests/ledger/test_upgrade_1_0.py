"""A host of 1.0.0 upgrades in the middle of everything: players answer the mails that they have, and nobody loses anything."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest
from sqlmodel import col
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.desk.books.desk import open_desk
from pbmd.desk.sending.sender import recover, send_due
from pbmd.ledger.database import migrate
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, LetterState, Outbox, OutboxState, Seat, Visitor
from tests.archive.made import export, verified, verify_by_itself
from tests.desk.sending.test_sender import FakeSmtp
from tests.desk.world import World, body_of, message_of, settings_in
from tests.ledger.in_the_air import (
    GAMES,
    GM,
    HOME,
    People,
    body,
    going_on,
    mails,
    put,
    put_installation,
    put_into,
    recipient,
    under_way,
)
from tests.pages.seats import ask, served, site_of
from tests.postgresql import PostgreSQL, about_files


@cache
def upgraded() -> bytes:
    """The ledger, brought up to date."""
    with TemporaryDirectory() as folder:
        ledger = put(Path(folder))
        open_desk(settings_in(Path(folder))).engine.dispose()
        return ledger.read_bytes()


@contextmanager
def desk(folder: Path) -> Iterator[World]:
    """A desk of today with that ledger."""
    (folder / "ledger.sqlite").write_bytes(upgraded())
    with going_on(folder) as world:
        world.pass_time()
        yield world


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk(tmp_path) as world:
        yield People(world)


def archived(world: World, game: str, folder: Path) -> Path:
    """The archive of a game, which verifies with us and by the program in it."""
    archive = export(world, folder / game, game, signed=True)
    assert verified(archive).problems == []
    verify_by_itself(archive)
    return archive


def play_on(people: People, game: str) -> None:
    """Some turns of a game, and its end: that of its rules, if it comes, or else the game master's word."""
    world, step = people.world, people.world.game(game).step
    if world.game(game).status is GameStatus.PAUSED:
        people.gm(game, "RESUME")
        world.pass_time()
    for _ in range(3):
        people.turn(game)
    while world.game(game).step == step:  # who said WAIT has the deadline awaited
        world.pass_time(timedelta(days=1))
    assert world.game(game).step > step
    if world.game(game).status is not GameStatus.FINISHED:
        people.gm(game, "ABANDON because it is late")
    assert world.game(game).status is GameStatus.FINISHED
    world.pass_time(timedelta(days=8))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_on_by_those_who_hold_old_mails(game: str, people: People, tmp_path: Path) -> None:
    world = people.world
    assert under_way(world) == [*GAMES]
    logged = world.log()[-1].id
    before = max(mail.id for mail in world.mails())
    play_on(people, game)
    smtp = FakeSmtp()
    send_due(world.desk, smtp.connect)
    assert {mail.state for mail in world.mails()} <= {OutboxState.SENT, OutboxState.FAILED}
    own = world.game(game).id
    told = {
        mail.recipient for mail in world.mails(col(Outbox.kind) == "report", col(Outbox.game_id) == own) if mail.id > before
    }
    assert told >= {seat.address for seat in world.rows(Seat, col(Seat.game_id) == own) if seat.is_awake}
    assert not {line.what for line in world.log() if line.id > logged} & {"defect", "quarantine", "unreadable"}
    archived(world, game, tmp_path)


def test_a_reply_to_an_old_report_with_the_form_filled_in_is_read(people: People) -> None:
    """The form of 1.0 begins with the tag of a seat, and has head and word in lines of their own."""
    [seat] = [seat for seat in people.awaited("societies-3") if seat.name == "Borealis"]
    report = people.held(seat.address, "[pbmd societies-3 t2]", "#orders", "#head", "#word")[-1]
    orders = people.orders("societies-3", seat.name)
    form = body(report)[body(report).index("#orders") : body(report).index("#end")]
    filled = "".join(f"> {line}\n" for line in form.splitlines() if line.startswith("#") and line[:2] != "# ")
    told = people.world.send(
        "",
        f"{filled}{orders}\n> #end\n",
        sender=seat.address,
        to=str(report["Reply-To"]),
        subject=f"Re: {report['Subject']}",
        headers={"In-Reply-To": str(report["Message-ID"])},
    )
    assert "Borealis: your orders for turn 2 are in." in told
    [entry] = people.world.submissions()[-1:]
    assert (bool(entry.head), bool(entry.word)) == (True, True)


def test_two_votes_for_a_draw_one_of_them_from_before_end_the_game(people: People, tmp_path: Path) -> None:
    """France has voted before the upgrade, and Austria does afterwards."""
    world = people.world
    [austria] = people.awaited("friday")
    assert austria.name == "Austria"
    report = people.held(austria.address, "[pbmd friday t1 autumn 1901")[-1]
    assert "are in" in people.reply(report, f"{people.orders('friday', 'Austria')}\nDRAW\nREADY")
    world.pass_time(timedelta(days=7))
    assert world.game("friday").status is GameStatus.FINISHED
    assert any("draw" in line.detail for line in world.log("finished"))
    archived(world, "friday", tmp_path)


def question(people: People, address: str, words: str) -> str:
    """Somebody says YES to what 1.0 has asked them; gives the answer."""
    return people.reply(people.held(address, words, "(c")[-1], "YES")


def test_questions_of_before_are_answered(people: People) -> None:
    world = people.world
    asked = {row.subject for row in world.rows(Confirmation) if row.state is ConfirmationState.OPEN}
    assert asked == {"letter", "which", "resign", "address", "take-over", "master", "join", "watch", "standby"}
    held = len([letter for letter in world.letters() if letter.state is LetterState.HELD])
    assert held == 2

    # A letter without a token, and one that may be for several games.
    assert "your orders for turn 2 are in" in question(people, "player2@players.test", "was this mail yours?")
    [which] = people.held("player0@players.test", "[pbmd] for which game")
    assert "conquest-2" in people.reply(which, "conquest-2")
    assert [letter for letter in world.letters() if letter.state is LetterState.HELD] == []

    # Seats and addresses.
    assert "A mail was sent to" in question(people, "player1@players.test", "play from a new address?")
    world.reply(world.questions("second.at.home@players.test")[-1], "YES")
    assert "You have resigned as Altair" in question(people, "player0@players.test", "do you want to resign?")
    question(people, "emil@strangers.test", "will you take this seat?")
    held_by = {seat.name: seat.address for seat in world.rows(Seat, col(Seat.game_id) == world.game("societies-3").id)}
    assert held_by == {
        "Altair": "player0@players.test",
        "Borealis": "second.at.home@players.test",
        "Cygnus": "emil@strangers.test",
    }

    # The game master, and people without a seat.
    assert "Cygnus" in question(people, GM, "[pbmd galaxy-7 t2] are you sure?")
    assert world.log("ejected")[-1].seat == "Cygnus"
    assert "newcomers" in question(people, "frida@strangers.test", "will you play?")
    assert "galaxy-7" in question(people, "gustav@strangers.test", "will you watch this game?")
    assert "standby list of galaxy-7" in question(people, "hanna@strangers.test", "will you stand by?")
    assert len(world.rows(Visitor)) == 5 - 1  # emil has a seat now
    assert [row for row in world.rows(Confirmation) if row.state is ConfirmationState.OPEN and row.subject != "take-over"] == []


def test_links_of_before_lead_to_the_pages_of_their_seats(people: People) -> None:
    """Who has given up a seat has none any more."""
    lines = {line.strip() for mail in mails() for line in body(mail).splitlines()}
    links = sorted(line for line in lines if line.startswith(f"{HOME}/s/"))
    with served(site_of(people.world)) as port:
        found = {link: ask(port, urlsplit(link).path) for link in links}
    assert len(found) == 18
    assert ["/s/g5p3." in link for link, (answer, _) in found.items() if answer.status == 404] == [True]
    assert all("Orders" in page for answer, page in found.values() if answer.status == 200)


def test_what_waited_goes_out_as_it_was(people: People) -> None:
    """One mail was on its way when pbmd ended: nobody knows whether it has arrived, and the log says so."""
    world, smtp = people.world, FakeSmtp()
    waited = {mail.key: mail.raw for mail in world.mails() if mail.state in (OutboxState.QUEUED, OutboxState.SENDING)}
    of_1_0 = {key: raw for key, raw in waited.items() if b"#orders" in raw}
    assert of_1_0
    assert recover(world.desk) == 1
    world.now += timedelta(minutes=2)
    send_due(world.desk, smtp.connect)
    gone = {raw for _, _, raw in smtp.taken}
    assert gone >= {*of_1_0.values()}
    assert {mail.key for mail in world.mails() if mail.state is not OutboxState.SENT} & waited.keys() == set()


def test_press_that_waited_comes_with_the_next_report(people: People) -> None:
    """The turn waits for its deadline, as its players have asked before."""
    world = people.world
    world.pass_time(timedelta(days=3))
    told = {
        mail.recipient: body_of(mail) for mail in world.mails(col(Outbox.kind) == "report") if "galaxy-7 t3" in str(mail.raw)
    }
    found = {
        address.partition("@")[0]: {words for words in ("Shall we?", "Hello, all!", "Guess who") if words in text}
        for address, text in told.items()
    }
    assert found == {
        "player0": {"Shall we?", "Hello, all!"},
        "player1": {"Guess who"},
        "player2": {"Hello, all!"},
        "carol": set(),
    }


def test_news_that_waited_for_an_hour_of_its_game_comes_in_one_mail_in_the_morning(people: People) -> None:
    """1.0 mailed each game's news a day after the first of it. Where there is something to do it still comes by itself."""
    world = people.world
    before = max(mail.id for mail in world.mails())
    for _ in range(40):
        world.pass_time(timedelta(hours=1))
    digests = [mail for mail in world.mails(col(Outbox.kind) == "digest") if mail.id > before]
    [mail] = [mail for mail in digests if "nothing to do" in message_of(mail)["Subject"]]
    assert mail.queued_at.hour == 8
    assert "News of cluster-1 and friday." in body_of(mail)
    assert [line.split()[-1] for line in body_of(mail).splitlines() if line.startswith("comes back")] == ["2", "Austria"]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("game", [*GAMES, "over-1"])
def test_the_mails_of_before_agree_with_the_books_of_today(game: str, people: People, tmp_path: Path) -> None:
    """Another version wrote them: what cannot be compared is said, and no honest host is accused."""
    box = tmp_path / "mails"
    box.mkdir()
    for number, mail in enumerate(mails()):
        if f"[pbmd {game}" in mail["Subject"] and recipient(mail) != GM:
            (box / f"{number}.eml").write_bytes(mail.as_bytes())
    archive = export(people.world, tmp_path / game, game, signed=True)
    told = CliRunner().invoke(app, ["compare", str(box), "--archive", str(archive)]).output
    assert "yes " in told
    assert [line for line in told.splitlines() if line.startswith("NO ")] == []
    unsent = [line for line in told.splitlines() if line.startswith("In the books, but not among these mails")]
    assert len(unsent) == (game == "cluster-1")  # whose reports were not sent yet


@pytest.mark.postgresql
@about_files
def test_it_is_brought_up_to_date_and_played_on_in_postgresql(postgresql: PostgreSQL, tmp_path: Path) -> None:
    url = put_into(postgresql)
    migrate(url)
    with going_on(tmp_path, url) as world:
        people = People(world)
        world.pass_time()
        assert under_way(world) == [*GAMES]
        people.gm("conquest-2", "RESUME")
        people.turn("conquest-2")
        people.turn("cluster-1")
        archived(world, "conquest-2", tmp_path)
        archived(world, "cluster-1", tmp_path)
    postgresql.drop(url)


@pytest.mark.postgresql
@about_files
def test_one_command_takes_the_old_file_into_postgresql(postgresql: PostgreSQL, tmp_path: Path) -> None:
    settings, url = put_installation(tmp_path), postgresql.new_database()
    done = CliRunner().invoke(app, ["ledger", "move", url, "--settings", str(settings)])
    assert done.exit_code == 0, done.output
    (there := tmp_path / "there").mkdir()
    with going_on(there, url) as world:
        people = People(world)
        world.pass_time()
        assert under_way(world) == [*GAMES]
        question(people, "player2@players.test", "was this mail yours?")
        people.turn("cluster-1")
        archived(world, "cluster-1", tmp_path)
    postgresql.drop(url)
