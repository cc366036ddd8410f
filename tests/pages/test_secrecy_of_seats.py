"""Non-interference of the pages of seats, as `test_secrecy.py` has it for those of games: two desks differ only in what one
seat does in secret, and every byte that the pages of another tell is the same, what their form says included."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd import simulate
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Report, SubmissionState
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.terms.terms import Terms
from tests.desk.gunboat import SECRETS
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
from tests.desk.world import World, address_of
from tests.pages.seats import PAGES, form, path_of, site_of, with_pages

TRIED = (
    f"Build 1 base named Rigel\n{OOB}\nAttack Altair with all",
    "Use spy on Altair\nTransfer Altair Base 1 to Cygnus\nnonsense",
    "Add 7\nTake back",
    "",
)


@pytest.fixture
def two_desks(tmp_path: Path) -> Iterator[tuple[World, World]]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
    ):
        yield with_pages(one), with_pages(two)


def pages(world: World, seat: str = "Borealis", tried: Sequence[str] = TRIED) -> dict[str, tuple[int, bytes]]:
    """All pages of a seat, and what its form says of what its holder might write."""
    site, path = site_of(world, clock=lambda: 0.0), path_of(world, seat)
    number = world.seat(seat).number
    steps = [row.step for row in world.rows(Report) if row.reader == f"seat:{number}" and row.step >= 0]
    names = [*PAGES, *(f"{kind}-{step}.{ending}" for step in steps for kind, ending in (("report", "html"), ("map", "svg")))]
    told = {name: site.seat_page(path + name, "-") for name in names}
    told |= {f"check {orders}": site.seat_page(f"{path}check", "-", form(orders).encode()) for orders in tried}
    assert all(told[name].status == 200 for name in told if not name.startswith("map-"))
    return {name: (answer.status, answer.body) for name, answer in told.items()}


def mails(world: World, seat: str = "Borealis") -> list[bytes]:
    return [mail.raw for mail in world.outbox("", seat)]


def same(two_desks: tuple[World, World], play: Callable[[World, str], None], altair: tuple[str, str]) -> None:
    for world, orders in zip(two_desks, altair, strict=True):
        play(world, orders)
    one, two = two_desks
    assert pages(one) == pages(two)
    assert mails(one) == mails(two)


@pytest.mark.parametrize(
    ("orders", "who_has_sent"),
    [(SAME_EFFECT[0], "names"), (("Build 4 Laserfrigates\nAttack Borealis with all", "Stockpile"), "count")],
)
def test_what_was_ordered_does_not_show_while_the_turn_is_open(
    two_desks: tuple[World, World], orders: tuple[str, str], who_has_sent: str
) -> None:
    def play(world: World, altair: str) -> None:
        world.start(who_has_sent=who_has_sent)
        world.send("Altair", altair)
        world.send("Borealis", OOB)
        world.read_mailbox()

    same(two_desks, play, orders)
    # The comparison would notice a difference: to Altair they differ.
    one, two = (pages(world, "Altair") for world in two_desks)
    assert one != two


@pytest.mark.parametrize("orders", SAME_EFFECT[1:4])
def test_nor_afterwards_if_it_has_no_effect_that_others_can_see(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    def play(world: World, altair: str) -> None:
        world.start()
        world.send("Altair", altair)
        world.now += timedelta(minutes=1)
        finish_the_turn(world)

    same(two_desks, play, orders)


def test_where_nobody_may_know_who_has_sent_neither_sending_nor_its_time_shows(two_desks: tuple[World, World]) -> None:
    for world, sends in zip(two_desks, (True, False), strict=True):
        world.start(who_has_sent="nothing", early=False, reminders=())
        world.send("Borealis", OOB)
        if sends:
            world.send("Altair", OOB)
    one, two = two_desks
    assert pages(one) == pages(two)


def test_a_move_that_waits_leaves_no_trace(two_desks: tuple[World, World]) -> None:
    for world, ahead in zip(two_desks, (True, False), strict=True):
        order = ("Borealis", "Cygnus", "Altair")
        past_turn_0(relay(world, *order), *order)
        if ahead:
            world.send("Altair", "Add 7")
        world.read_mailbox()
    one, two = two_desks
    assert pages(one) == pages(two)


def test_what_took_effect_between_two_shows_on_their_pages_alone(two_desks: tuple[World, World]) -> None:
    for world, altair in zip(two_desks, ("Give 2 to Borealis", "STATUS"), strict=True):
        world.start(ruleset="bazaar", reminders=())
        world.send("Altair", altair)
        world.read_mailbox()
    tried = ("Bid 3\nGive 2 to Altair", "")
    one, two = (pages(world, "Cygnus", tried) for world in two_desks)
    assert one == two
    theirs = pages(two_desks[0], "Borealis", tried)[""][1].decode()
    assert "How it is now" in theirs
    assert "Your coins: 11" in theirs


def test_a_request_that_was_granted_leaves_none_either(two_desks: tuple[World, World]) -> None:
    first, second = two_desks
    for _ in zip(play_around(first, ASK_RED), play_around(second, ASK_GREEN), strict=True):
        assert pages(first, "Red") == pages(second, "Red")


@pytest.mark.parametrize("slug", ["local_cluster", "starship_squadrons"])
def test_a_check_in_the_real_position_tells_nothing_of_what_another_has_ordered(
    two_desks: tuple[World, World], slug: str
) -> None:
    """Where no position is made up for it: neither of orders that were tried, nor of the other's own."""
    found, ordered = [], list[str]()
    for world, dice in zip(two_desks, (b"red", b"green"), strict=True):
        first, second = begin(world, slug)
        ordered.append(orders_of(world, second, dice))
        address = world.seat(second).address
        world.send(second, ordered[-1], sender=address)
        assert world.submissions()[-1].state is SubmissionState.FILED
        found.append((world, first))
    own = orders_of(found[0][0], found[0][1], b"own")
    one, two = (pages(world, seat, (*TRIED, own, *ordered, f"{own}\n{ordered[0]}")) for world, seat in found)
    assert ordered[0] != ordered[1]
    assert one == two


def begin(world: World, slug: str) -> list[str]:
    """A game of two, and their seats: first the one that is to move, where only one is."""
    rules = world.desk.ruleset(slug)
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", slug, Terms(early=False, second_thought="0m"), {})
        for place, signup in enumerate(simulate.signups(rules, 2, complete(rules.info.options, {}))):
            new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{place}@players.test", f"player {place}"))
        new_game.start_game(work, table)
        names = [seat.name for seat in table.seats]
    if rules.sequential:  # in its first turn all may move, and whatever they do is done
        for name in names:
            world.send(name, "End move", sender=world.seat(name).address)
    to_move = rules.awaiting(rules.load(world.position()))
    return sorted(names, key=lambda name: name not in to_move)


def orders_of(world: World, seat: str, dice: bytes) -> str:
    """Some orders that the seat could give if it were its turn."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        return table.ruleset.random_orders(table.position, seat, HmacDice(dice, b"orders"))


def test_who_else_writes_checks_or_has_a_link_shows_to_nobody(two_desks: tuple[World, World]) -> None:
    """Nor does a check leave anything that another check would find."""
    for world, tries in zip(two_desks, (True, False), strict=True):
        world.start()
        if tries:
            pages(world, "Altair")
    one, two = two_desks
    assert pages(one) == pages(two)


def test_no_token_or_address_of_others_is_on_any_page(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    world.start()
    world.send("Altair", f"Build 2 Laserfrigates\n{OOB}\nnonsense line")
    finish_the_turn(world)
    shown = repr(pages(world))
    for seat in ("Altair", "Cygnus"):
        token = world.reply_address(seat).partition("@")[0].rpartition(".")[2]
        for secret in (token, path_of(world, seat).rstrip("/").rpartition(".")[2], address_of(seat)):
            assert secret not in shown
    assert "nonsense line" not in shown
    assert address_of("Borealis") not in shown


def test_the_pages_of_a_seat_do_not_tell_who_plays_the_others_of_an_anonymous_game(two_desks: tuple[World, World]) -> None:
    for world, swapped in zip(two_desks, (False, True), strict=True):
        play_gunboat(world, swapped=swapped)
    one, two = (pages(world, "Cygnus") for world in two_desks)
    assert one == two
    assert not [word for word in SECRETS if word in repr(one)]
