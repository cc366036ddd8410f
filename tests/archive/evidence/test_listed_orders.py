"""The orders that an answer lists, and the digest in the file beside it."""

import textwrap
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mail_kinds.answers import LISTED, ListedOrders, is_list, listed_orders, of_itself
from pbmd.archive.evidence.mail_patterns import DIGEST
from pbmd.rendering.render import quoted
from pbmd.rules.protocol import Sheet
from pbmd.rules.sheets import digest
from tests.archive.cheats.rewritten import in_all, rewritten
from tests.desk.world import World
from tests.doubts import doubts_of
from tests.processor_time import takes_at_most

_LONG = "Build 1 Laserfrigate, 1 Carrierfrigate, 1 Torpedofrigate, 1 Laserfrigate, 1 Carrierfrigate"
"""The file breaks it where not even sixty characters stand in a line."""

_SECONDS = 2.0
"""Of the processor."""


@pytest.fixture
def answer(tmp_path: Path) -> bytes:
    with closing(World(tmp_path)) as world:
        world.start()
        world.send("Altair", f"{_LONG}\nUse counter-espionage")
        return world.outbox("acknowledgement")[-1].raw


def test_an_order_that_is_broken_in_two_lines_is_one_order_of_its_digest(answer: bytes) -> None:
    assert doubts_of(answer) == []


def test_other_orders_are_found_though_one_of_them_is_broken_in_two_lines(answer: bytes) -> None:
    altered = rewritten(answer, *in_all(lambda text: text.replace("Build 1 Laserfrigate", "Build 2 Laserfrigates")))
    assert doubts_of(altered) == ["its orders: its digest is not that of the orders that it lists"]


def listed(orders: Sequence[str], of: Sequence[str] | None = None) -> ListedOrders:
    """What an answer has with these orders in its file, and the digest of those or others."""
    file = "\n".join(quoted(order) for order in orders)
    head = "RECEIPT 7 of galaxy-7, turn 1, for Altair\nKeep this file with the mail.\n\nThe orders that are in force with it:\n"
    made = digest([Sheet("Altair", (0, 0), tuple(of or orders))]).hex()
    return listed_orders("", [f"{head}{file}\n"], [(DIGEST, made)])


@pytest.mark.parametrize(
    "order",
    [
        "Message " + "x" * 150,
        "Message " + "x" * 50 + " " + "y" * 75,
        "x" * 70 + " is one word",
        "x" * 69 + " is one word",
        "Message of some words, each after the other, up to the end of it- then on",
        "Message of some words, each after the other, up to the end, to all who-play",
        "Message " + "ab-cd-" * 30,
    ],
)
def test_an_order_goes_on_in_the_next_line_wherever_it_is_broken(order: str) -> None:
    assert [*of_itself(listed(["Use counter-espionage", order, "Build 1 Laserfrigate"]))] == []
    (found,) = of_itself(listed(["Use counter-espionage", order], of=["Use counter-espionage"]))
    assert (found.holds, found.words) == (False, "its digest is not that of the orders that it lists")


def test_orders_whose_lines_can_go_on_in_too_many_ways_are_told_as_not_compared() -> None:
    (found,) = of_itself(listed(["x" * 60 + " one word", "y" * 69] * 20))
    assert (found.holds, found.whole) == (None, False)
    assert found.words == "not compared with its digest: too many of its lines may go on in the next"


_FULL, _SHORT = f"| {'x' * 68}\n", f"| {'x' * 40}\n"


@pytest.mark.parametrize("line", [_FULL, _SHORT, _FULL * 10 + _SHORT * 600, f"| {'x ' * 10_000}\n", "|\n"])
@pytest.mark.parametrize("many", [30_000, 1_000_000])
def test_no_list_takes_long_and_none_is_passed_over_in_silence(answer: bytes, line: str, many: int) -> None:
    altered = rewritten(answer, file=lambda text: text.replace("| Build 1", f"{line * (many // len(line))}| Build 1"))
    with takes_at_most(_SECONDS):
        claims = claims_of_mail(altered)
    assert [each for each in claims.itself if each.what == LISTED]


@pytest.mark.parametrize("order", [f"{_LONG[:69]}-of-the-line", "Message " + "x" * 150, "Message " + "ab-cd-" * 30])
@pytest.mark.parametrize("width", [66, 70])
def test_a_word_that_the_mail_breaks_is_that_of_the_books(order: str, width: int) -> None:
    said = " ".join(textwrap.wrap(order, width))
    assert is_list(f"{said} (as written) Use it", [order, "Use it"])
    assert not is_list(f"{said} (as written) Use it", [f"{order}y", "Use it"])
    assert not is_list("Add 1 1", ["Add 11"])


@pytest.mark.parametrize("written", ["(good luck!) :-)", "(good luck) (ok)", "(as ever) :-)"])
def test_a_last_line_may_have_brackets_in_what_was_written(written: str) -> None:
    assert is_list(f"Add 1 (Add 1 {written})", ["Add 1"])
    assert not is_list(f"Add 1 (Add 1 {written}) Add 2", ["Add 1"])
