"""Non-interference of the pages and feeds, as `tests/desk/test_secrecy.py` has it for all else: two desks differ only in what
one seat does in secret, and every byte of every file is the same, its time included."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.cli.status import read_state
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.gm import abandon
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.ledger.tables import OutboxState
from pbmd.pages.site import update
from tests.desk.gunboat import GAME, SECRETS
from tests.desk.relay import past_turn_0, relay
from tests.desk.test_secrecy import (
    ASK_GREEN,
    ASK_RED,
    OOB,
    SAME_EFFECT,
    finish_the_turn,
    ideal_seal,
    play_around,
    play_gunboat,
)
from tests.desk.test_secret_lists import LISTS, sign_up
from tests.desk.world import World, address_of
from tests.pages.test_needs import standing

Files = dict[str, tuple[bytes, bool]]
AUDIENCES = pytest.mark.parametrize("audience", ["public", "gm"])


@pytest.fixture
def two_desks(tmp_path: Path) -> Iterator[tuple[World, World]]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
    ):
        yield one, two


def pages(world: World, audience: str) -> Files:
    """Every file for that audience, and whether it was written anew since the last look."""
    world.settle(dashboard={"audience": audience})
    source = dashboard_source(world.desk)
    before = contents(source.folder)
    update(source)
    return {path: (content, path not in before or before[path] != content) for path, content in contents(source.folder).items()}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def but_for_mail(files: Files, audience: str) -> Files:
    """The game master sees how much mail waits to go out, as whoever runs the mail server does."""
    return {path: file for path, file in files.items() if audience == "public" or path != "mail.html"}


def all_text(world: World, audience: str) -> str:
    return repr([content for content, _ in pages(world, audience).values()])


@AUDIENCES
@pytest.mark.parametrize("orders", [*SAME_EFFECT[:2], ("Build 4 Laserfrigates\nAttack Borealis with all", "Stockpile")])
def test_what_was_ordered_does_not_show_while_the_turn_is_open(
    two_desks: tuple[World, World], audience: str, orders: tuple[str, str]
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        world.send("Altair", altair)
        world.read_mailbox()
    one, two = (pages(world, audience) for world in two_desks)
    assert one == two


@AUDIENCES
def test_no_list_of_seats_shows_before_the_game_begins(two_desks: tuple[World, World], audience: str) -> None:
    for world, (first, then) in zip(two_desks, LISTS[0], strict=True):
        sign_up(world, first, then)
        world.read_mailbox()
    one, two = (pages(world, audience) for world in two_desks)
    assert but_for_mail(one, audience) == but_for_mail(two, audience)
    assert "by the lists that players have sent with PREFER" in all_text(two_desks[0], audience)


@pytest.mark.in_turn(2)
@AUDIENCES
@pytest.mark.parametrize("orders", SAME_EFFECT)
def test_nor_afterwards_if_it_has_no_effect_that_all_can_see(
    two_desks: tuple[World, World], audience: str, orders: tuple[str, str]
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        pages(world, audience)
        world.send("Altair", altair)
        world.now += timedelta(minutes=1)
        finish_the_turn(world)
    one, two = (pages(world, audience) for world in two_desks)
    assert one == two


def test_where_nobody_may_know_who_has_sent_neither_sending_nor_its_time_shows(two_desks: tuple[World, World]) -> None:
    for world, sends in zip(two_desks, (True, False), strict=True):
        world.start(who_has_sent="nothing", early=False, reminders=())
        if sends:
            world.send("Altair", OOB)
        world.read_mailbox()
    one, two = (pages(world, "public") for world in two_desks)
    assert one == two


def test_the_game_master_is_told_there_who_has_sent_as_by_status_and_neither_when_nor_what(
    two_desks: tuple[World, World],
) -> None:
    for world, orders, later in zip(two_desks, (OOB, f"{OOB}\nnonsense\nBuild 2 Laserfrigates"), (0, 50), strict=True):
        world.start(who_has_sent="nothing", early=False, reminders=())
        world.now += timedelta(minutes=later)
        world.send("Altair", orders)
        world.now += timedelta(minutes=60 - later)
        world.read_mailbox()
    one, two = (pages(world, "gm") for world in two_desks)
    assert but_for_mail(one, "gm") == but_for_mail(two, "gm")
    with Transaction(two_desks[0].desk, reads=True) as work:
        (state,) = read_state(work).games
    assert (state.sheets, state.awaited) == (1, ("Borealis", "Cygnus"))
    page = one["games/galaxy-7/index.html"][0].decode()
    assert "1 of 3 is in; <strong>Borealis and Cygnus</strong> are missing" in page
    assert standing(page) == [("Altair", "in"), ("Borealis", "missing"), ("Cygnus", "missing")]


@AUDIENCES
def test_nor_does_what_goes_wrong_with_mail_tell_whose_it_is(two_desks: tuple[World, World], audience: str) -> None:
    for world, seats in zip(two_desks, (("Altair", "Borealis"), ("Borealis", "Altair")), strict=True):
        world.start(who_has_sent="nothing", early=False, reminders=())
        for seat in seats:
            world.send(seat, OOB)
        with world.work() as work:
            for mail in world.outbox():
                mail.state, mail.error = OutboxState.FAILED, f"550 <{mail.recipient}>: no such user"
                work.session.merge(mail)
        world.read_mailbox()
    one, two = (pages(world, audience) for world in two_desks)
    assert one == two
    assert ("no such user" in all_text(two_desks[0], audience)) == (audience == "gm")


def test_where_only_their_number_is_told_the_public_does_not_learn_who_has_sent(two_desks: tuple[World, World]) -> None:
    for world, seat in zip(two_desks, ("Altair", "Borealis"), strict=True):
        world.start(who_has_sent="count")
        world.send(seat, OOB)
        world.read_mailbox()
    one, two = (pages(world, "public") for world in two_desks)
    assert one == two
    assert "1 of 3 is in" in all_text(two_desks[0], "public")


def test_nor_who_has_missed_the_turn(two_desks: tuple[World, World]) -> None:
    for world, misses in zip(two_desks, ("Altair", "Borealis"), strict=True):
        world.start(who_has_sent="count", reminders=("24h",))
        for seat in ("Altair", "Borealis", "Cygnus"):
            if seat != misses:
                world.send(seat, OOB)
        assert world.pass_time(timedelta(hours=73)) == 1
    one, two = (pages(world, "public") for world in two_desks)
    assert one == two


@AUDIENCES
def test_a_move_that_waits_leaves_no_trace(two_desks: tuple[World, World], audience: str) -> None:
    for world, ahead in zip(two_desks, (True, False), strict=True):
        order = ("Borealis", "Cygnus", "Altair")
        past_turn_0(relay(world, *order), *order)
        pages(world, audience)
        if ahead:
            world.send("Altair", "Add 7")
        world.read_mailbox()
    one, two = (pages(world, audience) for world in two_desks)
    assert but_for_mail(one, audience) == but_for_mail(two, audience)


@AUDIENCES
def test_a_request_that_was_granted_leaves_none_either(two_desks: tuple[World, World], audience: str) -> None:
    first, second = two_desks
    for _ in zip(play_around(first, ASK_RED), play_around(second, ASK_GREEN), strict=True):
        one, two = (pages(world, audience) for world in two_desks)
        assert but_for_mail(one, audience) == but_for_mail(two, audience)


@AUDIENCES
def test_no_order_token_press_or_address_is_on_any_page(two_desks: tuple[World, World], audience: str) -> None:
    world, _ = two_desks
    world.start()
    world.send("Altair", f"Build 2 Laserfrigates\n{OOB}\nnonsense line")
    world.send("Borealis", "PRESS TO ALL\nMeet me at dawn\nEND PRESS\nEXTEND 90 days because of my wedding")
    world.send("Cygnus", "ADDRESS anna@elsewhere.test")
    shown = all_text(world, audience)
    token = world.reply_address("Altair").partition("@")[0].rpartition(".")[2]
    secrets = (
        "Laserfrigates",
        "LFTLTF",
        "nonsense",
        "geheim4711",
        "at dawn",
        "wedding",
        "elsewhere.test",
        "players.test",
        token,
    )
    assert "galaxy-7" in shown
    assert [secret for secret in secrets if secret in shown] == []
    assert address_of("Altair") not in shown


def test_whatever_the_pages_are_for_the_feed_is_for_everybody(two_desks: tuple[World, World]) -> None:
    for world in two_desks:
        world.start(who_has_sent="names")
        world.send("Altair", OOB)
    one, two = (pages(world, audience) for world, audience in zip(two_desks, ("public", "gm"), strict=True))
    assert one["games/galaxy-7/feed.xml"] == two["games/galaxy-7/feed.xml"]
    assert b"orders" not in one["games/galaxy-7/feed.xml"][0].partition(b"<content")[0]


def test_nobody_learns_there_who_plays_which_seat_of_an_anonymous_game(two_desks: tuple[World, World]) -> None:
    """Nor afterwards: whoever played or watched has it by mail, and these pages are for everybody."""
    told: list[list[Files]] = []
    for world, swapped in zip(two_desks, (False, True), strict=True):
        game = play_gunboat(world, swapped=swapped, slug="local_cluster")
        told.append([pages(world, "public")])
        world.act(GAME, abandon)
        told[-1].append(pages(world, "public"))
        assert all(name in all_text(world, "gm") for name, *_ in game.people.values())
    one, two = told
    assert one == two
    assert not [word for word in SECRETS if word in repr(one)]


@AUDIENCES
@pytest.mark.parametrize("who_has_sent", ["names", "count", "nothing"])
def test_who_is_asleep_shows_to_the_public_only_where_all_may_know_who_has_sent(
    two_desks: tuple[World, World], audience: str, who_has_sent: str
) -> None:
    world, _ = two_desks
    world.start(who_has_sent=who_has_sent, missed_in_a_row=1, reminders=())
    world.send("Borealis", OOB)
    world.send("Cygnus", OOB)
    world.pass_time(timedelta(hours=73))
    assert world.seat("Altair").is_asleep
    assert ("asleep" in all_text(world, audience)) is (audience == "gm" or who_has_sent == "names")


@AUDIENCES
def test_who_wakes_up_with_orders_does_not_show_what_these_are(two_desks: tuple[World, World], audience: str) -> None:
    shown: list[Files] = []
    for world, orders in zip(two_desks, ("Build 4 Laserfrigates", "Train spy"), strict=True):
        world.start(missed_in_a_row=1, reminders=())
        world.send("Borealis", OOB)
        world.send("Cygnus", OOB)
        world.pass_time(timedelta(hours=73))
        world.send("Altair", orders)
        assert not world.seat("Altair").is_asleep
        shown.append(but_for_mail(pages(world, audience), audience))
    assert shown[0] == shown[1]
