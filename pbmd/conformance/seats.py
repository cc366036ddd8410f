"""Seats that change hands: given up for good, or taken over by somebody else, at the beginning of a step and with all letters
on file. The result can always be stored, and the game goes on."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbmd.conformance.documents import a_position_comes_back
from pbmd.conformance.findings import Wrong
from pbmd.conformance.flow import everybody_plays_on
from pbmd.conformance.order_checks import sheets_of_others
from pbmd.conformance.scenes import Scene, dice, dutifully, is_due, play, with_letters
from pbmd.rules import Dice, Line, Refused, Ruleset
from pbmd.rules.sheets import sheet_of

_SEATS = 2
"""This many seats of a scene are given up."""
_ROUNDS = 2
"""This many are played on."""


def seats_are_given_up(scene: Scene) -> Iterator[Wrong]:
    """Nobody waits for their orders, except that each may be skipped when its move begins."""
    rules = scene.rules
    for position in _moments(scene) if rules.resign else ():
        for seat in rules.seats(position)[:_SEATS]:
            after = _given_up(rules, position, seat)
            if after is not None:
                if not rules.sequential and seat in rules.awaiting(after):
                    yield Wrong("resign.awaited", f"{seat} is given up for good, and is still awaited", "resign")
                yield from _the_rest_stays(scene, position, after, seat, "resign")


def seats_are_taken_over(scene: Scene) -> Iterator[Wrong]:
    """Both those that were given up and those still played: with a new name for the holder, and with none."""
    rules = scene.rules
    for position in _moments(scene) if rules.take_over else ():
        for seat in rules.seats(position)[:_SEATS]:
            given_up = _given_up(rules, position, seat)
            for before in (position, *([] if given_up is None else [given_up])):
                for holder in ("Somebody", "", None):
                    yield from _taken_over(scene, before, seat, holder)


def seats_go_to_disorder(scene: Scene) -> Iterator[Wrong]:
    """And their players come back."""
    rules = scene.rules
    for position in _moments(scene) if rules.disorder else ():
        for seat in rules.seats(position)[:_SEATS]:
            assert rules.disorder is not None
            asleep = rules.disorder(position, seat, True)
            awake = rules.disorder(asleep, seat, False)
            if seat in rules.awaiting(asleep):
                yield Wrong("disorder.awaited", f"{seat} is in civil disorder, and is still awaited", "disorder")
            if missing := {*rules.awaiting(position)} - {*rules.awaiting(awake)}:
                words = f"{seat} is back from civil disorder, and {', '.join(sorted(missing))} is awaited no more"
                yield Wrong("disorder.awaited", words, "disorder")
            for after in (asleep, awake):
                yield from _the_rest_stays(scene, position, after, seat, "disorder")


def _taken_over(scene: Scene, before: Any, seat: str, holder: str | None) -> Iterator[Wrong]:
    rules = scene.rules
    assert rules.take_over is not None
    try:
        after = rules.take_over(before, seat, holder)
    except Refused:
        return
    if sheet_of(rules.sheets(before), seat) != sheet_of(rules.sheets(after), seat):
        yield Wrong("take-over.rest", f"take_over of {seat} changes its orders on file", "take_over")
    if awaited := {*rules.awaiting(before)} - {seat} - {*rules.awaiting(after)}:
        yield Wrong("take-over.rest", f"take_over of {seat} lets {', '.join(sorted(awaited))} be awaited no more", "take_over")
    yield from _the_rest_stays(scene, before, after, seat, "take_over")


def everybody_gives_up(scene: Scene) -> Iterator[Wrong]:
    """One after the other, until the game is over or nobody is left; even then a step can be resolved."""
    rules, position = scene.rules, scene.position
    for seat in rules.seats(position) if rules.resign else ():
        if rules.outcome(position) is None:
            position = _given_up(rules, position, seat) or position
    if position is not scene.position and rules.outcome(position) is None and not rules.sequential:
        play(rules, position, (), scene.name)
        if left := rules.awaiting(position):
            yield Wrong("resign.awaited", f"all seats are given up, and {', '.join(left)} is still awaited", "resign")


def nobody_waits_for_a_seat_given_up(scene: Scene) -> Iterator[Wrong]:
    """In the rounds that follow, in a sequential game in which nobody can take it over: its moves are skipped."""
    rules = scene.rules
    if not rules.sequential or rules.resign is None or rules.take_over is not None:
        return
    for seat in rules.seats(scene.position)[:_SEATS]:
        after = _given_up(rules, scene.position, seat)
        if after is not None and _is_waited_for(replace(scene, position=after, letters=()), seat):
            yield Wrong("resign.awaited", f"{seat} is given up for good, and all wait for its moves still", "resign")


def _is_waited_for(scene: Scene, seat: str) -> bool:
    """Whether that seat alone is awaited at the beginning of a later step, when all others have moved."""
    rules, chance = scene.rules, dice(scene.name, seat, "given up")

    def others(rules: Ruleset[Any], position: Any, chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
        yield from (each for each in dutifully(rules, position, chance) if each[0] != seat)

    for number in range(_ROUNDS * len(rules.seats(scene.position)) + 1):
        if rules.outcome(scene.position) is not None:
            return False
        if number and rules.awaiting(scene.position) == (seat,) and not is_due(rules, scene.position):
            return True
        played = with_letters(scene, chance, others).played
        scene = replace(scene, position=played.resolution.position)
    return False


def _moments(scene: Scene) -> tuple[Any, ...]:
    return tuple(position for position in (scene.position, scene.played.positions[-2]) if scene.rules.outcome(position) is None)


def _given_up(rules: Ruleset[Any], position: Any, seat: str) -> Any:
    """The position after a resignation; None if these rules have none, or refuse it."""
    try:
        return rules.resign(position, seat).position if rules.resign else None
    except Refused:
        return None


def _the_rest_stays(scene: Scene, before: Any, after: Any, seat: str, name: str) -> Iterator[Wrong]:
    rules, promise = scene.rules, f"{name.replace('_', '-')}.rest"
    for what in ("seats", "turn", "step_name"):
        if getattr(rules, what)(before) != getattr(rules, what)(after):
            yield Wrong(promise, f"{name} of {seat} changes what {what} gives", name)
    if sheets_of_others(rules, before, seat) != sheets_of_others(rules, after, seat):
        yield Wrong(promise, f"{name} of {seat} changes the orders of others", name)
    yield from a_position_comes_back(rules, after, f"a position after {name}")
    if rules.outcome(after) is None and (not rules.sequential or rules.awaiting(after)):
        yield from everybody_plays_on(replace(scene, position=after, letters=()))
