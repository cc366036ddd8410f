"""PREVIEW's position is made from a view alone: to its player it looks like the real one, and odd assumptions are refused."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pbmd.conformance.documents import a_position_comes_back
from pbmd.conformance.everything_sent import view_and_form
from pbmd.conformance.findings import Wrong
from pbmd.conformance.hostile_texts import ODD
from pbmd.conformance.scenes import Scene
from pbmd.rules import Line, Refused, seat_reader
from pbmd.rules.options import complete


def imagined(scene: Scene, seat: str, *assumed: str) -> Any:
    """The position as that seat imagines it at the beginning of the scene, while nobody has orders on file."""
    assert scene.rules.imagine is not None
    view = scene.rules.view(without_letters(scene), (), seat_reader(seat))
    options = complete(scene.rules.info.options, scene.rules.dump(scene.position).get("options", {}))
    return scene.rules.imagine(view, options, [Line(number, line) for number, line in enumerate(assumed, start=1)])


def without_letters(scene: Scene) -> Any:
    """The position at the beginning of a scene without any orders on file."""
    position = scene.position
    for sheet in scene.rules.sheets(position):
        position = scene.rules.withdraw(position, sheet.seat)
    return position


def the_imagined_position_looks_like_the_real_one(scene: Scene) -> Iterator[Wrong]:
    """To its player, who can write orders in it; and it could be stored."""
    rules, real = scene.rules, without_letters(scene)
    for seat in rules.awaiting(real) if rules.imagine else ():
        try:
            position = imagined(scene, seat)
        except Refused as problem:
            yield Wrong("imagine.looks", f"imagine refuses to picture anything without assumptions: {problem}", "imagine")
            continue
        if seat not in rules.awaiting(position):
            yield Wrong("imagine.looks", f"in the position that {seat} imagines it is not awaited", "imagine")
        if view_and_form(rules, position, (), seat) != view_and_form(rules, real, (), seat):
            yield Wrong("imagine.looks", f"the position that {seat} imagines does not look to it like the real one", "imagine")
        yield from a_position_comes_back(rules, position, "an imagined position")


def odd_assumptions_are_refused(scene: Scene) -> Iterator[Wrong]:
    """Or accepted; other exceptions are caught when calls are watched."""
    rules, seats = scene.rules, scene.rules.seats(scene.position)
    for seat in rules.awaiting(scene.position)[:1] if rules.imagine else ():
        for odd in ODD:
            for line in (odd, f"{odd}: spies 1", f"{seats[-1]}: {odd} 1", f"{seats[-1]}: spies {odd}", f"{seat}: {odd}"):
                with suppress(Refused):
                    imagined(scene, seat, line)
    yield from ()
