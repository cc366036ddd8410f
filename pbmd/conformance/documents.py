"""A position is its document: it can be stored as JSON and as TOML at any instant of a step, and read back unchanged."""

import json
import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import tomli_w

from pbmd.conformance.fields import field_place
from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.scenes import Played, Scene, play
from pbmd.conformance.watched_ruleset import named
from pbmd.rules import Document, PositionError, Ruleset, canonical_json
from pbmd.rules.options import OptionSpec, OptionValue, changed, complete
from pbmd.rules.troubles import difference, place_in_files


def at(place: str) -> str:
    """Where in a document, as the end of a sentence; empty if it is the document as a whole."""
    return f", at {place}" if place else ""


def read_again(rules: Ruleset[Any], document: Document, written: Any) -> Any:
    """The position in a document that the ruleset has `written` for another. Raises `Broken` if it refuses that."""
    try:
        return rules.load(document)
    except PositionError as problem:
        words = f"load refuses a document that dump has written{at(problem.place)}: {problem.problem}"
        place = place_in_files(problem) or field_place(rules, written, problem.place, "load")
        raise Broken(Wrong("document.readable", words, place)) from problem


def stored(document: Document, *, by_keys: bool = False) -> Document:
    """A document as it comes back from storage; in the journal, sorted `by_keys`. Raises `Broken` if it cannot be stored."""
    try:
        canonical = canonical_json(document)
        return json.loads(canonical if by_keys else json.dumps(document))
    except (TypeError, ValueError, RecursionError) as problem:
        words = f"what dump gives cannot be JSON{at(_not_json(document))}: {named(problem)}"
        raise Broken(Wrong("document.json", words, "dump")) from problem


def a_position_comes_back(rules: Ruleset[Any], position: Any, what: str) -> Iterator[Wrong]:
    """Whether a position, described by these words, is the same after it has been stored."""
    again = read_again(rules, stored(rules.dump(position)), position)
    if again != position:
        place = difference(rules.dump(position), rules.dump(again)) or _field_that_differs(position, again)
        words = f"{what} is not what it was when it is loaded again{at(place)}"
        yield Wrong("document.round-trip", words, field_place(rules, position, place, "load"))


def documents_come_back(scene: Scene) -> Iterator[Wrong]:
    """For each position that there was in the step."""
    for position in scene.played.positions:
        yield from _comes_back(scene.rules, position)


def _comes_back(rules: Ruleset[Any], position: Any) -> Iterator[Wrong]:
    document = rules.dump(position)
    if document.get("ruleset") != rules.info.slug:
        yield Wrong("document.head", f'the document has ruleset = {document.get("ruleset")!r}, not "{rules.info.slug}"', "dump")
    if not isinstance(document.get("options"), dict):
        yield Wrong("document.head", "the document has no table options", "dump")
    kept = stored(document)
    if kept != document:
        place = difference(document, kept)
        words = f"the document is not what it was when it comes back from JSON{at(place)}"
        yield Wrong("document.json", words, field_place(rules, position, place, "dump"))
    again = read_again(rules, document, position)
    written = rules.dump(again)
    if written != document:
        place = difference(document, written)
        words = f"load loses or changes something that dump has written{at(place)}"
        yield Wrong("document.round-trip", words, field_place(rules, position, place, "load"))
    elif (other := _other_in_order(rules, position, rules.load(stored(document, by_keys=True)))) or (
        other := _other_in_order(rules, position, again)
    ):
        yield Wrong(
            "document.round-trip",
            f"what {other} gives is other, or in another order, when the position is loaded again",
            field_place(rules, position, _field_that_differs(position, again), "load"),
        )
    elif again != position:
        words = (
            "load gives another position than dump was given, though their documents are the same: dump leaves something out"
        )
        field = _field_that_differs(position, again)
        name = f" ({field} of {type(position).__name__})" if field else ""
        yield Wrong("document.round-trip", words + name, field_place(rules, position, field, "dump"))


def _other_in_order(rules: Ruleset[Any], position: Any, again: Any) -> str:
    """Which function tells the positions apart: tables are equal in whatever order, also sorted as in the journal."""
    functions = ("seats", "awaiting", "sheets")
    return next((name for name in functions if getattr(rules, name)(position) != getattr(rules, name)(again)), "")


def _field_that_differs(one: Any, other: Any) -> str:
    names = getattr(type(one), "__dataclass_fields__", {})
    return next((name for name in names if getattr(one, name) != getattr(other, name, None)), "")


def documents_can_be_toml(scene: Scene) -> Iterator[Wrong]:
    """For two positions, since it takes long: the one with all letters on file, and the one after the step."""
    for position in scene.played.positions[-2:]:
        document = scene.rules.dump(position)
        try:
            kept = tomllib.loads(tomli_w.dumps(document))
        except (TypeError, ValueError, RecursionError) as problem:
            place = _not_toml(document)
            words = f"the document cannot be TOML{at(place)}: {named(problem)}"
            yield Wrong("document.toml", words, field_place(scene.rules, position, place, "dump"))
            continue
        if kept != document:
            place = difference(document, kept)
            words = f"the document is not what it was when it comes back from TOML{at(place)}"
            yield Wrong("document.toml", words, field_place(scene.rules, position, place, "dump"))


def a_step_can_be_stored_at_any_instant(scene: Scene) -> Iterator[Wrong]:
    """Also with its keys sorted, as in the journal. The fields that positions are compared by may not be all there is to them,
    so the step is played on with what was read back."""
    again = play(_kept(scene.rules), scene.position, scene.letters, scene.name)
    before, after = in_plain(scene.rules, scene.played), in_plain(scene.rules, again)
    if before != after:
        what = ("answers to letters", "events", "dice", "positions")
        which = next(what[place] for place, one in enumerate(before) if one != after[place])
        words = f"a game that goes on after each position was stored and read again comes out otherwise: its {which} are others"
        yield Wrong("document.plays-on", words, field_place(scene.rules, scene.position, "", "load"))


def _kept(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset with each position stored and read before anything is done with it."""

    def kept(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(position: Any, *given: Any) -> Any:
            return function(read_again(rules, stored(rules.dump(position), by_keys=True), position), *given)

        return call

    return replace(rules, receive=kept(rules.receive), miss=kept(rules.miss), resolve=kept(rules.resolve))


def in_plain(rules: Ruleset[Any], step: Played) -> list[Any]:
    """The whole of a step, with documents in place of positions, since the options may come in another order."""
    answers = [(receipt.verdicts, receipt.defaults, receipt.filed, receipt.granted) for receipt in step.receipts]
    return [answers, step.events, step.drawn, [rules.dump(position) for position in step.positions]]


def a_document_is_a_copy(scene: Scene) -> Iterator[Wrong]:
    """Changing it changes no position, neither the one that it was written from nor the one that was read from it."""
    rules, position = scene.rules, scene.played.positions[-2]
    document = rules.dump(position)
    before = canonical_json(document)
    read = read_again(rules, document, position)
    read_before = canonical_json(rules.dump(read))
    _empty(document)
    if canonical_json(rules.dump(position)) != before:
        yield Wrong("document.copy", "whoever changes a document changes the position that it was dumped from", "dump")
    if canonical_json(rules.dump(read)) != read_before:
        yield Wrong("document.copy", "whoever changes a document changes the position that was loaded from it", "load")


def _empty(part: Any) -> None:
    """Empty a table or a list, and everything inside it."""
    if isinstance(part, dict | list):
        found = cast("dict[Any, Any] | list[Any]", part)
        for each in [*found.values()] if isinstance(found, dict) else found:
            _empty(each)
        found.clear()


# --- Options that change in mid-game ----------------------------------------------------------------------------------------


def options_can_be_changed_in_midgame(scene: Scene) -> Iterator[Wrong]:
    """Those declared so, to the ends of their limits, while orders are on file; or `load` says why not."""
    rules, position = scene.rules, scene.played.positions[-2]
    document = rules.dump(position)
    now = complete(rules.info.options, document.get("options", {}))
    for spec in rules.info.options.values():
        for value in values_of(spec) if spec.midgame else ():
            if value == now[spec.key]:
                continue
            given = changed(rules.info.options, {**now, spec.key: value})
            try:
                other = rules.load({**document, "options": given})
            except PositionError:
                continue
            yield from _has_the_option(rules, position, other, spec.key, value)


def _has_the_option(rules: Ruleset[Any], position: Any, other: Any, key: str, value: OptionValue) -> Iterator[Wrong]:
    has = complete(rules.info.options, rules.dump(other).get("options", {}))[key]
    if has != value:
        yield Wrong(
            "options.midgame", f"the option {key} is set to {value!r} in mid-game, and the position has {has!r}", "load"
        )
    if (rules.seats(other), rules.turn(other)) != (rules.seats(position), rules.turn(position)):
        yield Wrong(
            "options.midgame", f"seats or turn are others when the option {key} is set to {value!r} in mid-game", "load"
        )
    if rules.sheets(other) != rules.sheets(position):
        yield Wrong(
            "options.midgame", f"orders on file are others when the option {key} is set to {value!r} in mid-game", "load"
        )
    yield from _comes_back(rules, other)


def values_of(spec: OptionSpec) -> tuple[OptionValue, ...]:
    """All values of an option: for a number the ends of its limits, or 0 and a large one where it has none; for a text none."""
    if isinstance(spec.default, bool):
        return (True, False)
    if isinstance(spec.default, int):
        lowest, highest = spec.minimum, spec.maximum
        # Nobody will choose an absurdly large value, so no limit is needed against that.
        return (min(spec.default, 0) if lowest is None else lowest, 10 * max(spec.default, 10) if highest is None else highest)
    return spec.choices


# --- Places ----------------------------------------------------------------------------------------------------------------


def places_of(part: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all places in a document."""
    if isinstance(part, dict | list):
        found = cast("Document | list[Any]", part)
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield (*way, key)
            yield from places_of(value, (*way, key))


def _not_json(part: Any) -> str:
    """The first place that JSON cannot hold."""
    return _first_place(part, lambda value: value is None or isinstance(value, str | int) or _is_finite(value))


def _not_toml(part: Any) -> str:
    """The first place that TOML cannot hold."""
    return _first_place(part, lambda value: isinstance(value, str | int | float))


def _is_finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _first_place(part: Any, fits: Callable[[Any], bool]) -> str:
    for way in places_of(part):
        value = part
        for step in way:
            value = value[step]
        if not isinstance(value, dict | list) and not fits(value):
            return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in way).lstrip(".")
    return ""
