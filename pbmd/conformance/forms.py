"""What a ruleset writes for players is what they may send: order forms, and the orders of random players.

Players send a form back without filling in anything, or after taking away the "# " in front of an order. Orders that exclude
each other stand below separate remarks, each group for a letter of its own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.order_checks import LATER, refused
from pbmd.conformance.scenes import Scene, dice
from pbmd.rules import Mail, Receipt, Status, Verdict
from pbmd.rules.forms import offered
from pbmd.rules.lines import order_lines
from pbmd.rules.sheets import sheet_of

WIDTH = 70
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""
_TRIES = 12
NOBODY = "Xyzzy"
"""The name of no seat."""


def sent(scene: Scene, seat: str, text: str) -> Receipt[Any]:
    """What becomes of a letter at the beginning of a scene."""
    return scene.rules.receive(scene.position, Mail(seat, order_lines(text), LATER))


def a_form_orders_nothing_as_it_stands(scene: Scene) -> Iterator[Wrong]:
    """And it has no line that a mail program would wrap."""
    for seat in scene.rules.seats(scene.position):
        form = scene.rules.order_form(scene.position, seat)
        if long := [line for line in form.splitlines() if len(line) > WIDTH]:
            words = f"a line of the order form has {len(long[0])} characters, and at most {WIDTH} are safe: {long[0]!r:.40}"
            yield Wrong("form.width", words, "order_form")
        receipt = sent(scene, seat, form)
        sheet = sheet_of(scene.rules.sheets(receipt.position), seat) if receipt.filed else None
        if receipt.granted or (sheet is not None and sheet.lines):
            words = (
                f"the order form, sent back as it stands, orders something: {'; '.join(sheet.lines) if sheet else form!r:.80}"
            )
            yield Wrong("form.blank", words, "order_form")


def what_a_form_offers_is_taken(scene: Scene) -> Iterator[Wrong]:
    """Every awaited seat has a form."""
    for seat in scene.rules.awaiting(scene.position):
        form = scene.rules.order_form(scene.position, seat)
        if not form.strip():
            yield Wrong("form.there", f"{seat} is awaited, and its order form is empty", "order_form")
        for letter in offered(form).letters:
            receipt = sent(scene, seat, letter)
            if wrong := refused(receipt):
                text = next((verdict.text for verdict in wrong if verdict.line), letter)
                yield Wrong(
                    "form.taken",
                    f'the order form offers {text!r:.60}, which is refused: "{wrong[0].message:.120}"',
                    "order_form",
                )
            elif not receipt.filed and not receipt.granted:
                yield Wrong("form.taken", f"what the order form offers has no effect: {letter!r:.60}", "order_form")


def nobody_is_taken_for_somebody(scene: Scene) -> Iterator[Wrong]:
    """An order from a form that names another seat is refused if the name belongs to nobody."""
    rules = scene.rules
    for seat in rules.awaiting(scene.position):
        others = "|".join(re.escape(name) for name in rules.seats(scene.position) if name != seat)
        for letter in offered(rules.order_form(scene.position, seat)).letters if others else ():
            lines = letter.splitlines()
            for place, line in enumerate(lines):
                unknown = re.sub(rf"(?<!\w)(?:{others})(?!\w)", NOBODY, line)
                if unknown != line:
                    verdicts = sent(scene, seat, "\n".join([*lines[:place], unknown, *lines[place + 1 :]])).verdicts
                    yield from _taken_all_the_same(unknown, verdicts)


def _taken_all_the_same(text: str, verdicts: Sequence[Verdict]) -> Iterator[Wrong]:
    for verdict in verdicts:
        if verdict.line and verdict.status is Status.OK and verdict.text.strip() == text.strip():
            words = f"nobody is called {NOBODY}, and {text!r:.60} is taken for {verdict.canonical!r:.60}"
            yield Wrong("verdict.unknown", words, "receive")


def random_players_have_orders_taken(scene: Scene) -> Iterator[Wrong]:
    """They may make mistakes, but not in every letter."""
    for seat in scene.rules.awaiting(scene.position):
        why = ""
        for each in range(_TRIES):
            receipt = sent(scene, seat, scene.rules.random_orders(scene.position, seat, dice(scene.name, seat, each)))
            if receipt.filed or receipt.granted:
                break
            why = next((verdict.message for verdict in refused(receipt)), "")
        else:
            words = f'the orders of a random player are refused as a whole, in {_TRIES} letters: "{why:.120}"'
            yield Wrong("random.taken", words, "random_orders")
