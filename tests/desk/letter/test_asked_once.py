"""How often the rules are asked about a letter."""

from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules.protocol import Mail
from tests.desk.world import World


@pytest.fixture
def asked(running: World, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The lines of each letter about which the rules are asked."""
    letters: list[tuple[str, ...]] = []
    rules = running.desk.ruleset("count")

    def receive(position: Any, mail: Mail) -> Any:
        letters.append(tuple(line.text for line in mail.lines))
        return rules.receive(position, mail)

    monkeypatch.setattr(type(running.desk), "ruleset", lambda _desk, _slug: replace(rules, receive=receive))
    return letters


def test_once_about_plain_orders_that_are_looked_at_and_then_filed(running: World, asked: list[tuple[str, ...]]) -> None:
    running.send("Altair", "add 3")
    assert asked == [("add 3",)]


def test_again_in_another_position(running: World, asked: list[tuple[str, ...]]) -> None:
    running.send("Altair", "add 3")
    running.send("Altair", "add 3")
    assert asked == [("add 3",)] * 2
