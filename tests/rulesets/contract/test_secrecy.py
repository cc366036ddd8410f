"""Secrecy, as far as it is the same in all games: what others have written shows to nobody before the step is carried out, and
when and how often they wrote, and what of it was refused or replaced, not after it either.

What of an order is to be seen after the step, each game says for itself; its own tests of non-interference prove that.
"""

# pyright: reportUnknownLambdaType=false
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbmd.adjudicate import order_lines
from pbmd.rules import Dice, Event, Mail, Receipt, Resolution, Ruleset, Status, Verdict, View, seen_by
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import Promise, changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, is_due, played, scenes
from tests.rulesets.contract.told import answer, everybody, reader_of, shown, told, told_of
from tests.rulesets.random_games import dice

NONSENSE = order_lines("Xyzzy 99999 Harow\nutter nonsense")
LATER = (2**40, 0)


def letters_on_file_are_in_no_view(scene: Scene) -> None:
    """And in no order form."""
    for seat, now in with_letters_of_others(scene):
        assert shown(scene.rules, now, (), seat) == shown(scene.rules, scene.position, (), seat), seat


def letters_on_file_are_in_no_answer(scene: Scene) -> None:
    """Be it to random orders, which do not know of them either, or to the very same that others have sent. Only what is told at
    once may be spoken of."""
    rules = scene.rules
    for seat, now in with_letters_of_others(scene):
        if not seat:
            continue
        writes = seat in rules.awaiting(scene.position) or rules.sequential
        orders = [rules.random_orders(at, seat, dice("orders")) if writes else "" for at in (scene.position, now)]
        assert orders[0] == orders[1]
        for lines in (order_lines(orders[0]), *[mail.lines for mail in scene.letters if mail.seat != seat][:1]):
            one, other = (rules.receive(at, Mail(seat, lines, LATER)) for at in (scene.position, now))
            assert one.events or other.events or answer(one) == answer(other), (seat, lines)


@cache
def with_letters_of_others(scene: Scene) -> list[tuple[str, Any]]:
    """The position for each reader when all others have written; but for letters that make a move due, and for those that bring
    about what the reader is told of at once."""
    found: list[tuple[str, Any]] = []
    for seat in everybody(scene.rules, scene.position):
        now = scene.position
        for mail in scene.letters:
            receipt = scene.rules.receive(now, mail)
            is_told = seen_by(receipt.events, reader_of(seat))
            if mail.seat != seat and not is_told and not is_due(scene.rules, receipt.position):
                now = receipt.position
        found.append((seat, now))
    return found


def the_instant_of_arrival_shows_to_nobody(scene: Scene) -> None:
    """Only which letter came before which may matter."""
    later = [replace(mail, arrival=(mail.arrival[0] * 1000, 3)) for mail in scene.letters]
    assert told(scene.rules, scene.position, later, scene.name) == told_of(scene)


def a_refused_letter_leaves_no_trace(scene: Scene) -> None:
    """For anybody but its writer."""
    for mail in scene.letters[:1]:
        letter = replace(mail, lines=NONSENSE)
        receipt = scene.rules.receive(scene.position, letter)
        if not receipt.filed and not receipt.granted:
            shows_to_nobody_else(scene, letter)


def a_replaced_letter_leaves_no_trace(scene: Scene) -> None:
    """Where a later letter replaces it, in the same step."""
    for seat in finally_filed(scene) if scene.rules.info.sheets.later == "replace" else ():
        orders = scene.rules.random_orders(scene.position, seat, dice("draft"))
        draft = Mail(seat, order_lines(orders), scene.letters[0].arrival)
        receipt = scene.rules.receive(scene.position, draft)
        if receipt.filed and not receipt.events and not is_due(scene.rules, receipt.position):
            shows_to_nobody_else(scene, draft)


def finally_filed(scene: Scene) -> list[str]:
    """One of those whose last letter was filed."""
    last = {mail.seat: receipt.filed for mail, receipt in zip(scene.letters, played(scene).receipts, strict=True)}
    return [seat for seat, filed in last.items() if filed][:1]


def shows_to_nobody_else(scene: Scene, letter: Mail) -> None:
    """A letter before all others."""
    later = [replace(mail, arrival=(mail.arrival[0] + 1, mail.arrival[1])) for mail in scene.letters]
    other = told(scene.rules, scene.position, [letter, *later], scene.name)
    for seat, seen in told_of(scene).items():
        assert seat == letter.seat or seen == other[seat], f"{seat or 'the public'} can tell"


PROMISES: tuple[Promise, ...] = (
    letters_on_file_are_in_no_view,
    letters_on_file_are_in_no_answer,
    the_instant_of_arrival_shows_to_nobody,
    a_refused_letter_leaves_no_trace,
    a_replaced_letter_leaves_no_trace,
)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", NAMES)
def test_secrecy(name: str, promise: Promise) -> None:
    is_kept(promise, scenes(name))


def view_with_letters(position: Any, events: Any, reader: Any) -> View:
    right = count.view(position, events, reader)
    return replace(right, data={**right.data, "letters": len(position.sheets)})


def form_with_letters(position: Any, _seat: str) -> str:
    return f"## {len(position.sheets)} have written.\n# Add 1"


def one_more_than_letters(position: Any, _seat: str, _dice: Dice) -> str:
    return f"Add {1 + len(position.sheets)}"


def nothing_twice(position: Any, mail: Mail) -> Receipt[Any]:
    """Nobody may order what is ordered."""
    ordered = {line for sheet in position.sheets if sheet.seat != mail.seat for line in sheet.lines}
    receipt = count.receive(position, mail)
    taken = [verdict for verdict in receipt.verdicts if verdict.canonical in ordered]
    return Receipt(position, (Verdict(1, "", Status.ERROR, "taken"),), filed=False) if taken else receipt


def tell_when(position: Any, chance: Dice) -> Resolution[Any]:
    resolution = count.resolve(position, chance)
    came = [Event("came", {"when": sheet.arrival[0]}) for sheet in position.sheets]
    return replace(resolution, events=(*came, *resolution.events))


def a_point_a_letter(position: Any, mail: Mail) -> Receipt[Any]:
    receipt = count.receive(position, mail)
    scores = {**position.scores, mail.seat: position.scores[mail.seat] + 1}
    return replace(receipt, position=replace(receipt.position, scores=scores))


@pytest.mark.parametrize(
    ("promise", "wrong"),
    [
        (letters_on_file_are_in_no_view, changed(count, view=view_with_letters)),
        (letters_on_file_are_in_no_view, changed(count, order_form=form_with_letters)),
        (letters_on_file_are_in_no_answer, changed(count, random_orders=one_more_than_letters)),
        (letters_on_file_are_in_no_answer, changed(count, receive=nothing_twice)),
        (the_instant_of_arrival_shows_to_nobody, changed(count, resolve=tell_when)),
        (a_refused_letter_leaves_no_trace, changed(count, receive=a_point_a_letter)),
        (a_replaced_letter_leaves_no_trace, changed(count, receive=a_point_a_letter)),
    ],
)
def test_a_ruleset_that_tells_of_the_letters_of_others_is_found(promise: Promise, wrong: Ruleset[Any]) -> None:
    is_found_broken(promise, wrong)
