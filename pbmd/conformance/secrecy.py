"""Secrecy, as far as it is the same in all games: nobody sees what others have written before the step is resolved; and when
and how often they wrote, and what of it was refused or replaced, not even after it.

What may be seen of an order after the step is for each game to say; its own tests of non-interference prove that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbmd.conformance.everything_sent import answer, everybody, form_shown, reader_of, sent_to_all, told_of, view_shown
from pbmd.conformance.findings import Wrong
from pbmd.conformance.order_checks import LATER, NONSENSE
from pbmd.conformance.scenes import Scene, dice, is_due
from pbmd.rules import Line, Mail, seen_by
from pbmd.rules.lines import order_lines

_OTHERWISE = 1013
"""Changes a number's remainder, too, whatever rules may divide it by."""


def letters_on_file_are_in_no_view(scene: Scene) -> Iterator[Wrong]:
    """And in no order form."""
    rules = scene.rules
    for seat, now in with_letters_of_others(scene):
        if view_shown(rules, now, (), seat) != view_shown(rules, scene.position, (), seat):
            yield Wrong("secret.view", f"the view of {_whom(seat)} changes when others have sent orders", "view")
        if form_shown(rules, now, seat) != form_shown(rules, scene.position, seat):
            yield Wrong("secret.form", f"the order form of {_whom(seat)} changes when others have sent orders", "order_form")


def letters_on_file_are_in_no_answer(scene: Scene) -> Iterator[Wrong]:
    """Whether the letter has random orders, which do not depend on them either, the very orders that others have sent, nonsense
    or nothing. Only what is reported at once may appear."""
    rules = scene.rules
    for seat, now in with_letters_of_others(scene):
        if not seat:
            continue
        writes = seat in rules.awaiting(scene.position) or rules.sequential
        orders = [rules.random_orders(at, seat, dice("orders")) if writes else "" for at in (scene.position, now)]
        if orders[0] != orders[1]:
            yield Wrong("secret.random", f"the random orders of {seat} depend on what others have on file", "random_orders")
        theirs = [mail.lines for mail in scene.letters if mail.seat != seat][:1]
        for lines in (order_lines(orders[0]), *theirs, order_lines("\n".join(NONSENSE)), ()):
            yield from _same_answer(scene, now, seat, lines)
        yield from _same_deadline(scene, now, seat)


def _same_answer(scene: Scene, now: Any, seat: str, lines: Sequence[Line]) -> Iterator[Wrong]:
    one, other = (scene.rules.receive(at, Mail(seat, tuple(lines), LATER)) for at in (scene.position, now))
    told_at_once = one.events or other.events
    if not told_at_once and answer(one) != answer(other):
        words = f"the answer to orders of {seat} depends on what others have sent"
        differ = [
            (here.message, there.message) for here, there in zip(one.verdicts, other.verdicts, strict=False) if here != there
        ]
        yield Wrong("secret.answer", words + (f': "{differ[0][1]:.120}"' if differ else ""), "receive")


def _same_deadline(scene: Scene, now: Any, seat: str) -> Iterator[Wrong]:
    """What the seat and the public get at once about a deadline that it misses."""
    rules = scene.rules
    if seat not in rules.awaiting(scene.position) or is_due(rules, scene.position):
        return
    one, other = (rules.miss(at, seat).events for at in (scene.position, now))
    # Others may get it because of what they have sent themselves.
    if any(seen_by(one, reader_of(each)) != seen_by(other, reader_of(each)) for each in (seat, "")):
        yield Wrong("secret.at-once", f"what is told when {seat} misses the deadline depends on what others have sent", "miss")


def with_letters_of_others(scene: Scene) -> list[tuple[str, Any]]:
    """The position for each reader when all others have written; without letters that make a move due, and those that cause
    something that the reader gets at once."""
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


def the_instant_of_arrival_shows_to_nobody(scene: Scene) -> Iterator[Wrong]:
    """Only the order of letters may matter."""
    later = [replace(mail, arrival=(mail.arrival[0] * 1000 + _OTHERWISE, mail.arrival[1] + 5)) for mail in scene.letters]
    before, after = told_of(scene), sent_to_all(scene.rules, scene.position, later, scene.name)
    for seat in before:
        if before[seat] != after[seat]:
            yield Wrong("secret.arrival", f"what {_whom(seat)} gets depends on the instant at which letters arrived", "resolve")


def a_refused_letter_leaves_no_trace(scene: Scene) -> Iterator[Wrong]:
    """For anybody but its writer."""
    for mail in scene.letters[:1]:
        letter = replace(mail, lines=order_lines("\n".join(NONSENSE)))
        receipt = scene.rules.receive(scene.position, letter)
        if not receipt.filed and not receipt.granted:
            yield from _shows_to_nobody_else(scene, letter, 0, "that was refused")


def a_replaced_letter_leaves_no_trace(scene: Scene) -> Iterator[Wrong]:
    """Where a later letter replaces it, in the same step. No other letter comes in between: what a draft reserves until then,
    such as an offer that only one can take, others may rightly not get."""
    rules, policy = scene.rules, scene.rules.info.sheets
    for place in _finally_filed(scene) if policy.later == "replace" else ():
        seat, before = scene.letters[place].seat, scene.played.positions[place]
        if not (rules.sequential or seat in rules.awaiting(scene.position)):
            continue
        orders = rules.random_orders(scene.position, seat, dice("draft"))
        draft = Mail(seat, order_lines(orders), scene.letters[place].arrival)
        receipt = rules.receive(before, draft)
        if receipt.filed and not receipt.events and not is_due(rules, receipt.position):
            yield from _shows_to_nobody_else(scene, draft, place, "that was replaced by a later one")


def _finally_filed(scene: Scene) -> list[int]:
    """The places of letters that are the last of their seat, and filed."""
    last = {mail.seat: place for place, mail in enumerate(scene.letters)}
    return [place for place in last.values() if scene.played.receipts[place].filed][:1]


def _shows_to_nobody_else(scene: Scene, letter: Mail, place: int, which: str) -> Iterator[Wrong]:
    """A letter that comes before the one in that place."""
    later = [replace(mail, arrival=(mail.arrival[0] + 1, mail.arrival[1])) for mail in scene.letters[place:]]
    letters = [*scene.letters[:place], letter, *later]
    other = sent_to_all(scene.rules, scene.position, letters, scene.name)
    for seat, seen in told_of(scene).items():
        if seat != letter.seat and seen != other[seat]:
            yield Wrong(
                "secret.trace", f"{_whom(seat)} can tell from the report that {letter.seat} sent a letter {which}", "receive"
            )


def _whom(seat: str) -> str:
    return seat or "the public"
