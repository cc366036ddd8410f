"""Greetings, thanks and names around orders are no refused orders, and an order that looks like one is read."""

import pytest

from pbmd.desk.language.greetings import without_greetings
from pbmd.rules.protocol import Line


def split(text: str, *orders: str) -> tuple[list[str], list[str]]:
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]
    kept, left = without_greetings(lines, lambda line: line.text in orders)
    return [line.text for line in kept], [line.text for line in left]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hi all,\nAdd 3\nThanks,\nAnna", ["Hi all,", "Thanks,", "Anna"]),
        ("Dear game master,\nAdd 3\nBest regards\nBob M.", ["Dear game master,", "Best regards", "Bob M."]),
        ("Add 3\nThanks for the game!\n- Zoë", ["Thanks for the game!", "- Zoë"]),
        ("Guten Tag,\nAdd 3\nViele Grüße\nJean-Luc O'Hara", ["Guten Tag,", "Viele Grüße", "Jean-Luc O'Hara"]),
        ("Add 3", []),
        ("Add 3\nThanks\nAdd 4", []),
        ("Dear Altair: add 3\nAdd 3", []),
    ],
)
def test_what_surrounds_orders_is_known(text: str, left: list[str]) -> None:
    kept, found = split(text)
    assert found == left
    assert kept
    assert set(kept).isdisjoint(found)


def test_what_the_rules_take_as_an_order_stays_one() -> None:
    assert split("Hello\nAdd 3\nBest", "Hello", "Best") == (["Hello", "Add 3", "Best"], [])


def test_a_mail_with_a_greeting_and_a_name_has_no_line_refused(running) -> None:
    answer = running.send("Altair", "Hi,\nAdd 3\nThanks\nAnna")
    assert "REFUSED" not in answer
    assert "A greeting or a name: Hi, / Thanks / Anna" in answer
    assert "NOTHING" not in running.send("Altair", "Hello,\nSTATUS\nCheers")


def test_one_without_anything_else_is_told_so(running) -> None:
    assert "nothing in your mail could be used as orders" in running.send("Altair", "Hello\nThanks")


def test_the_game_master_may_greet_too(running) -> None:
    answer = running.master("Hello,\nSTATUS\nCheers\nGwen")
    assert "is no command" not in answer
    assert '"Hello," is no command' in running.master("Hello,")
