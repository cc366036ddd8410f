"""What pbmd writes for players is what they may send: order forms, and the orders of random players.

A form is sent back by players who have filled in nothing, or who have taken away the "# " in front of an order. Orders that do
not go together stand below a remark of their own, for a letter each.
"""

from typing import Any

import pytest

from pbmd.adjudicate import order_lines
from pbmd.rules import Mail, Receipt, Ruleset, Status
from pbmd.rules.sheets import sheet_of
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import Promise, changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, scenes
from tests.rulesets.random_games import dice

WIDTH = 70
"""A program that wraps a longer comment when it quotes the form would make an order of the rest."""
LATER = (2**40, 0)


def sent(scene: Scene, seat: str, text: str) -> Receipt[Any]:
    return scene.rules.receive(scene.position, Mail(seat, order_lines(text), LATER))


def a_form_orders_nothing_as_it_stands(scene: Scene) -> None:
    """And has no line that a mail program would wrap."""
    for seat in scene.rules.seats(scene.position):
        form = scene.rules.order_form(scene.position, seat)
        assert all(len(line) <= WIDTH for line in form.splitlines()), form
        receipt = sent(scene, seat, form)
        assert not receipt.granted
        sheet = sheet_of(scene.rules.sheets(receipt.position), seat) if receipt.filed else None
        assert sheet is None or sheet.lines == (), form


def what_a_form_offers_is_taken(scene: Scene) -> None:
    """Whoever is awaited has a form."""
    for seat in scene.rules.awaiting(scene.position):
        form = scene.rules.order_form(scene.position, seat)
        assert form
        for letter in offered(form):
            receipt = sent(scene, seat, letter)
            assert receipt.filed or receipt.granted, (letter, receipt.verdicts)
            assert Status.ERROR not in {verdict.status for verdict in receipt.verdicts}, (letter, receipt.verdicts)


def offered(form: str) -> list[str]:
    """The letters that a form offers: the orders above its second remark in one, each order below it in one of its own."""
    together, alone = list[str](), list[str]()
    chosen = together
    for line in form.splitlines():
        if line.startswith("# "):
            chosen.append(line.removeprefix("# "))
        elif together:
            chosen = alone
    return ["\n".join(together), *alone] if together else []


def random_players_have_orders_taken(scene: Scene) -> None:
    """They may make mistakes, but not in every line."""
    for seat in scene.rules.awaiting(scene.position):
        receipt = sent(scene, seat, scene.rules.random_orders(scene.position, seat, dice(scene.name, seat)))
        assert receipt.filed or receipt.granted, receipt.verdicts


PROMISES: tuple[Promise, ...] = (
    a_form_orders_nothing_as_it_stands,
    what_a_form_offers_is_taken,
    random_players_have_orders_taken,
)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", NAMES)
def test_forms_and_random_players(name: str, promise: Promise) -> None:
    is_kept(promise, scenes(name))


def writes(form: str) -> Ruleset[Any]:
    """Count with that form for all."""
    return changed(count, order_form=lambda _position, _seat: form)  # pyright: ignore[reportUnknownLambdaType]


def orders(text: str) -> Ruleset[Any]:
    """Count with random players who all write that."""
    return changed(count, random_orders=lambda _position, _seat, _dice: text)  # pyright: ignore[reportUnknownLambdaType]


@pytest.mark.parametrize(
    ("promise", "wrong"),
    [
        pytest.param(a_form_orders_nothing_as_it_stands, writes("Add 3"), id="an order as it stands"),
        pytest.param(a_form_orders_nothing_as_it_stands, writes("## " + "how to add, " * 6), id="a line too long"),
        pytest.param(what_a_form_offers_is_taken, writes("## Add!\n# Add 10"), id="a wrong order"),
        pytest.param(what_a_form_offers_is_taken, writes("# Add 1\n## Or:\n# Ad 2"), id="a wrong choice"),
        pytest.param(what_a_form_offers_is_taken, writes(""), id="no form"),
        pytest.param(random_players_have_orders_taken, orders("Ad 3"), id="players who cannot spell"),
    ],
)
def test_a_ruleset_that_writes_what_it_does_not_take_is_found(promise: Promise, wrong: Ruleset[Any]) -> None:
    is_found_broken(promise, wrong)


def test_of_orders_that_do_not_go_together_each_has_a_letter() -> None:
    form = "## You have 3.\n# Add 1\n# Add 2\n## Only one of these:\n# Add 8\n# Add 9"
    assert offered(form) == ["Add 1\nAdd 2", "Add 8", "Add 9"]
