"""Lines that say that nothing is done are understood in all games in which that is possible."""

import pytest

from pbmd.rules import Line, Mail, Status
from pbmd.rules.nothing import NO_ORDERS, gives_no_orders
from pbmd.rules.registry import get, slugs
from pbmd.rules.sheets import sheet_of
from tests.rulesets.random_games import steps

PLAIN = (
    "PASS", "NOTHING", "No orders.", "no order", "I will do nothing this turn", "All hold", "no builds", "waive all", "I pass",
    "we'll pass this round", "Nothing from me this month, thanks", "I have no orders", "doing nothing", "[b]Pass[/b]", "- pass",
    "I'd like to skip my turn", "hold all", "everything holds", "none", "pa[b]ss[/b]", "pa\u00ads\u00ads", "ſkipping",
    "EVERYONE STAYS", "all units wait",
)  # fmt: skip
OTHER = (
    "", "pass me the salt", "nothing ventured, nothing gained", "no new orders", "no changes", "hello all", "no",
    "I will not pass",     "Build nothing but bases", "all", "I", "Pass to Bob", "not now", "nothing " * 30,
)  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_common_words_are_understood(text: str) -> None:
    assert gives_no_orders(text)


@pytest.mark.parametrize("text", OTHER)
def test_what_says_something_else_is_not(text: str) -> None:
    assert not gives_no_orders(text)


def test_the_words_of_a_game_are_understood_in_it_alone() -> None:
    assert gives_no_orders("No retreats!", ("no retreats",))
    assert not gives_no_orders("No retreats!")


def first_step(slug: str) -> tuple[object, str]:
    """The first step of a random game in which a sheet may be empty, and a seat that is awaited in it."""
    rules = get(slug)
    for step in steps(rules, 0, 3):
        seat = rules.awaiting(step.position)[0]
        if slug != "starship_squadrons" or rules.turn(step.position):
            return step.position, seat
    raise AssertionError("no step")


def mail(seat: str, *texts: str) -> Mail:
    return Mail(seat, tuple(Line(number, text) for number, text in enumerate(texts, start=1)), (10**9, 0))


NOTHING = [
    (slug, text)
    for slug in slugs()
    for text in ("PASS", "Nothing", "NO ORDERS", "I will do nothing this turn", "all hold", "no builds")
    if (slug, text) != ("diplomacy", "no builds")  # in spring that says nothing of the moves
]


@pytest.mark.parametrize(("slug", "text"), NOTHING)
def test_who_does_nothing_has_sent(slug: str, text: str) -> None:
    rules = get(slug)
    position, seat = first_step(slug)
    receipt = rules.receive(position, mail(seat, text))
    assert receipt.filed
    assert sheet_of(rules.sheets(receipt.position), seat) is not None
    (verdict,) = [verdict for verdict in receipt.verdicts if verdict.line]
    assert (verdict.line, verdict.text, verdict.status) == (1, text, Status.OK)
    again = rules.receive(position, mail(seat, verdict.canonical))
    assert rules.sheets(again.position) == rules.sheets(receipt.position)


@pytest.mark.parametrize("slug", [slug for slug in slugs() if slug not in ("local_cluster", "diplomacy")])
def test_beside_orders_such_a_line_is_superfluous_and_refuses_nothing(slug: str) -> None:
    rules = get(slug)
    position, seat = first_step(slug)
    (order, *_) = [
        line.removeprefix("# ")
        for line in rules.order_form(position, seat).splitlines()
        if rules.receive(position, mail(seat, line.removeprefix("# "))).filed and not gives_no_orders(line.removeprefix("# "))
    ]
    plain = rules.receive(position, mail(seat, order))
    receipt = rules.receive(position, mail(seat, order, "I will do nothing this turn"))
    assert rules.sheets(receipt.position) == rules.sheets(plain.position)
    (said,) = [verdict for verdict in receipt.verdicts if verdict.line == 2]
    assert (said.status, said.message) == (Status.WARNING, "superfluous: the other lines of this mail are your orders")


@pytest.mark.parametrize("slug", [slug for slug in slugs() if slug != "diplomacy"])  # which reads such lines as orders
def test_beside_a_refused_line_nothing_is_not_filed(slug: str) -> None:
    """The refused line may be an order with a typing error, and earlier ones would be lost."""
    rules = get(slug)
    position, seat = first_step(slug)
    receipt = rules.receive(position, mail(seat, "I will do nothing this turn", "Atakc evrybody"))
    assert not receipt.filed
    assert [verdict.status for verdict in receipt.verdicts if verdict.line] == [Status.ERROR, Status.ERROR]


def test_where_something_has_to_be_done_the_answer_says_what() -> None:
    rules = get("starship_squadrons")
    position = next(iter(steps(rules, 0, 1))).position
    seat = rules.awaiting(position)[0]
    receipt = rules.receive(position, mail(seat, "nothing"))
    assert not receipt.filed
    assert [verdict.line for verdict in receipt.verdicts] == [1, 0]
    assert "here something has to be done" in receipt.verdicts[0].message
    line = receipt.verdicts[1].message.partition("it is a line like ")[2].removesuffix(".")
    assert rules.receive(position, mail(seat, line)).filed


def test_in_local_cluster_nothing_beside_diplomacy_ends_the_move() -> None:
    rules = get("local_cluster")
    position, seat = first_step("local_cluster")
    receipt = rules.receive(position, mail(seat, "Proclaim nobody", "nothing"))
    assert receipt.filed
    assert receipt.verdicts[1].canonical == "End move"


def test_with_bold_orders_only_the_bold_line_is_taken_for_one() -> None:
    rules = get("cosmic_conquest")
    position, seat = first_step("cosmic_conquest")
    receipt = rules.receive(position, mail(seat, "Hello", "[b]Nothing[/b]"))
    assert receipt.filed
    assert [verdict.canonical for verdict in receipt.verdicts if verdict.line == 2] == ["Pass"]


def test_games_without_an_order_for_it_write_it_out() -> None:
    rules = get("societies")
    position, seat = first_step("societies")
    (verdict,) = rules.receive(position, mail(seat, "nothing")).verdicts
    assert (verdict.canonical, verdict.message) == (NO_ORDERS, "you do nothing")
