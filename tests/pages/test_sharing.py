"""What the page about mail has of those who share a ledger on PostgreSQL: the game master sees it, and nobody else."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from pbmd.daemon.roles import Role
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.letter.lanes import assign_lanes
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.ledger.database import reading
from pbmd.ledger.parts import SENDING
from pbmd.ledger.sharing import SharedState, shared_state
from pbmd.pages.site import forget, update
from tests.desk.test_secrecy import SAME_EFFECT, finish_the_turn, ideal_seal
from tests.desk.world import BEGIN, World, settings_in
from tests.postgresql import PostgreSQL, about_files

HOSTS = {"alpha": "a" * 16, "beta": "b" * 16}
SHARING = "Who does what"


@pytest.fixture
def two_shared(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[tuple[World, World]]:
    """Two desks, each with a ledger of its own on PostgreSQL."""
    addresses = [postgresql.new_ledger() for _ in range(2)]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal, database=addresses[0])) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal, database=addresses[1])) as two,
    ):
        yield one, two
    for address in addresses:
        postgresql.drop(address)


@pytest.fixture
def shared(two_shared: tuple[World, World]) -> World:
    return two_shared[0]


def at_work(world: World, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Hosts of these names say that they are there."""
    for name in names:
        monkeypatch.setattr("socket.gethostname", lambda name=name: name)
        desk = replace(world.desk, host=HOSTS[name])
        say_we_are_here(desk, "run")
        look_at_clock(desk)


def page_about_mail(world: World, audience: str = "gm") -> str:
    """The page as it is now, for that audience."""
    return pages(world, audience)["mail.html"].decode()


def pages(world: World, audience: str) -> dict[str, bytes]:
    world.settle(dashboard={"audience": audience})
    source = dashboard_source(world.desk)
    forget(source.folder)
    update(source)
    return {str(path.relative_to(source.folder)): path.read_bytes() for path in source.folder.rglob("*") if path.is_file()}


def told_by_status(world: World) -> SharedState:
    """What `pbmd status` has."""
    with Session(reading(world.desk.engine)) as session:
        state = shared_state(session, world.now, mailbox_name(world.desk))
    assert state is not None
    return state


@about_files
def test_with_a_ledger_in_a_file_there_is_nothing_to_tell(world: World) -> None:
    world.count()
    assert SHARING not in page_about_mail(world)


def test_nor_is_there_where_one_host_does_all_of_it(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.count()
    at_work(shared, monkeypatch, "alpha")
    assert SHARING not in page_about_mail(shared)


def test_the_game_master_sees_who_does_what_and_how_far_behind_they_are(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.count()
    shared.count("galaxy-8")
    at_work(shared, monkeypatch, "alpha", "beta")
    for seat, text in (("Altair", "Add 1"), ("Borealis", "Add 2")):
        shared.arrive(shared.letter(seat, text))
    shared.arrive(shared.letter("Altair", "Add 3", game="galaxy-8"))
    shared.arrive(shared.letter("Altair", "Add 3", to="games@pbmd.test"))
    assert assign_lanes(shared.desk)
    role = Role(shared.database, SENDING)
    assert role.is_ours()
    shared.now = BEGIN + timedelta(days=4)
    page, state = page_about_mail(shared), told_by_status(shared)
    role.give_back()
    assert (state.lanes, state.longest_lane, state.unassigned_letters, state.games_due) == (2, 2, 1, 2)
    assert state.oldest_letter == BEGIN
    assert state.parts[SENDING] == "beta"
    assert (f'<th scope="row" class="words">{SENDING}</th><td>beta</td>') in page
    assert '<th scope="row" class="words">looking after the games</th><td><span class="pill bad">nowhere</span>' in page
    for title, shown in (
        ("Workers", "0"),
        ("Games with letters waiting", '2<p class="small soft">up to 2 in one</p>'),
        ("Letters not sorted by game yet", "1"),
        ("Games that are due", '2<p class="small soft">the first since'),
    ):
        assert f'<dt>{title}</dt><dd class="big">{shown}' in page
    assert [f'<th scope="row">{name}</th>' in page for name in HOSTS] == [True, True]


def test_a_clock_in_doubt_is_named_with_its_host(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.count()
    at_work(shared, monkeypatch, "alpha", "beta")
    assert page_about_mail(shared).count("clock not in doubt") == 2
    shared.set_clock(timedelta(hours=2))
    look_at_clock(replace(shared.desk, host=HOSTS["beta"]))
    page = page_about_mail(shared)
    row = next(row for row in page.split("<tr>") if '<th scope="row">beta</th>' in row)
    assert '<span class="pill bad">in doubt</span> it was set 2 h ahead' in row
    assert page.count("clock not in doubt") == 1


def test_every_mailbox_that_some_host_reads_is_a_part(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work(shared, monkeypatch, "alpha")
    other = settings_in(shared.folder).imap.model_copy(update={"user": "letters"})
    settings = shared.desk.settings
    shared.desk = replace(shared.desk, settings=settings.model_copy(update={"imap": other}))
    at_work(shared, monkeypatch, "beta")
    read = [part for part in told_by_status(shared).parts if part.startswith("reading ")]
    assert read == ["reading games@localhost/INBOX", "reading letters@localhost/INBOX"]


def test_the_public_sees_none_of_it(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.count()
    at_work(shared, monkeypatch, "alpha", "beta")
    assert SHARING in page_about_mail(shared)
    everything = b"".join(pages(shared, "public").values()).decode()
    secrets = (SHARING, "alpha", "beta", *HOSTS.values(), "looking after the games", "Workers", "letters waiting")
    assert [secret for secret in secrets if secret in everything] == []


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("audience", ["public", "gm"])
@pytest.mark.parametrize("orders", SAME_EFFECT[:2])
def test_what_was_ordered_does_not_show_in_it(
    two_shared: tuple[World, World], monkeypatch: pytest.MonkeyPatch, audience: str, orders: tuple[str, str]
) -> None:
    for world, altair in zip(two_shared, orders, strict=True):
        world.start()
        at_work(world, monkeypatch, "alpha", "beta")
        world.arrive(world.letter("Altair", altair))
        assert assign_lanes(world.desk)
    one, two = (pages(world, audience) for world in two_shared)
    assert one == two
    assert (SHARING in one["mail.html"].decode()) == (audience == "gm")
    for world in two_shared:
        finish_the_turn(world)
    one, two = (pages(world, audience) for world in two_shared)
    assert one == two


def test_nor_whose_letter_waits_in_which_game(two_shared: tuple[World, World], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where players may not know who has sent, the game master is one of them."""
    for world, (game, seat) in zip(two_shared, (("galaxy-7", "Altair"), ("galaxy-8", "Borealis")), strict=True):
        for name in ("galaxy-7", "galaxy-8"):
            world.count(name, who_has_sent="nothing", early=False)
        at_work(world, monkeypatch, "alpha", "beta")
        world.arrive(world.letter(seat, "Add 7", game=game))
        assert assign_lanes(world.desk)
    one, two = (pages(world, "gm") for world in two_shared)
    assert one == two
    assert '<dt>Games with letters waiting</dt><dd class="big">1' in one["mail.html"].decode()
