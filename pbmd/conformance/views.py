"""What a reader gets: a view that is JSON, made from what this reader may know of the events, and a report made from the
view."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

from pbmd.conformance.documents import read_again, stored
from pbmd.conformance.everything_sent import everybody, reader_of, view_shown
from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene
from pbmd.conformance.watched_ruleset import named
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import map_svg, read_map
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import GM, PUBLIC, Event, Reader, Ruleset, View, canonical_json, seat_reader, seen_by
from pbmd.rules.protocol import event_document, event_of
from pbmd.rules.troubles import PlaceInFile, place_in_files

_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def moments(scene: Scene) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """Positions to check, with what has happened: the first of a game, with letters on file, and after the step; of a light
    scene only the last."""
    if not scene.past:
        yield scene.position, ()
    if not scene.light:
        yield scene.played.positions[-2], ()
    yield scene.played.resolution.position, scene.played.events


def views(scene: Scene, position: Any, events: tuple[Event, ...]) -> Iterator[tuple[Reader, View]]:
    """What each reader is shown."""
    for reader in (PUBLIC, GM, *map(seat_reader, scene.rules.seats(position))):
        yield reader, scene.rules.view(position, events, reader)


def _whom(reader: Reader) -> str:
    return reader.seat or {"gm": "the game master", "public": "the public"}.get(reader.kind, "")


def views_are_what_they_must_be(scene: Scene) -> Iterator[Wrong]:
    """For the right reader, of the turn that the position is in, JSON, and with maps and numbers that can be drawn."""
    for position, events in moments(scene):
        seats = {*scene.rules.seats(position)}
        for reader, view in views(scene, position, events):
            if view.reader != reader:
                yield Wrong("view.reader", f"the view for {_whom(reader)} says that it is for {_whom(view.reader)}", "view")
            if view.turn != scene.rules.turn(position):
                yield Wrong(
                    "view.reader", f"the view is of turn {view.turn}, the position of {scene.rules.turn(position)}", "view"
                )
            try:
                canonical_json(view.data)
            except (TypeError, ValueError, RecursionError) as problem:
                yield Wrong("view.json", f"the view for {_whom(reader)} cannot be JSON: {named(problem)}", "view")
            if place := next(_decimals({key: view.data[key] for key in view.data if key not in _DRAWN}), ""):
                yield Wrong(
                    "view.decimals", f"the view for {_whom(reader)} has an inexact floating-point number, at {place}", "view"
                )
            if "numbers" in view.data:
                for words in _wrong_numbers(view.data["numbers"], seats):
                    yield Wrong("numbers.shape", f"the numbers in the view for {_whom(reader)}: {words}", "view")
            for words in _wrong_you(view):
                yield Wrong("you.shape", f"what became of {_whom(reader)}, in the view: {words}", "view")
            for words in _wrong_stand(view):
                yield Wrong("stand.shape", f"how it stands, in the view for {_whom(reader)}: {words}", "view")
            for words in _wrong_happened(view):
                yield Wrong("happened.shape", f"what happened, in the view for {_whom(reader)}: {words}", "view")
            if "map" in view.data:
                yield from _map_problem(scene.rules, reader, lambda view=view: read_map(view.data["map"]))


_DRAWN = ("map", "numbers")
"""A map has its own measures, and for numbers there is a promise of their own."""
_EXACT = 1 / 1024
"""Multiples of it are exact."""


def _decimals(value: Any, place: str = "") -> Iterator[str]:
    """Where floating-point numbers are that are near the right number, such as 0.1: some day they are off by a cent, or
    shown with twenty digits. Halves and quarters are exact."""
    if isinstance(value, float):
        if value % _EXACT:
            yield f"{place}, {value!r}"
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from _decimals(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(cast("list[Any]", value)):
            yield from _decimals(item, f"{place}[{number}]")


def events_are_json_for_those_who_play(scene: Scene) -> Iterator[Wrong]:
    """And those with effect at once have words."""
    rules, seats = scene.rules, {*scene.rules.seats(scene.position)}
    for event in scene.played.events:
        try:
            canonical_json(event_document(event))
        except (TypeError, ValueError, RecursionError) as problem:
            yield Wrong("event.json", f'the event "{event.kind}" cannot be JSON: {named(problem)}', "resolve")
        if strangers := {*(event.audience or ()), *event.insiders} - seats:
            yield Wrong(
                "event.audience",
                f'the event "{event.kind}" is for {", ".join(sorted(strangers))}, and there is no such seat',
                "resolve",
            )
        elif event.audience is not None and (outside := {*event.insiders} - {*event.audience}):
            yield Wrong(
                "event.audience",
                f'{", ".join(sorted(outside))} is an insider of the event "{event.kind}" and not of its audience',
                "resolve",
            )
    if scene.played.at_once and rules.tell is None:
        yield Wrong("event.told", "something happens in the middle of a step, and there is no function tell", "receive")
    for seat in everybody(rules, scene.position) if rules.tell else ():
        for event in seen_by(scene.played.at_once, reader_of(seat)):
            words = rules.tell(event) if rules.tell else ""
            if not words.partition("\n")[0].strip():
                yield Wrong("event.told", f'tell has no heading for the event "{event.kind}"', "tell")


def views_are_made_of_what_the_reader_may_know(scene: Scene) -> Iterator[Wrong]:
    """While the game is running: at its end the rules may show everything."""
    rules, position, events = scene.rules, scene.played.resolution.position, scene.played.events
    for seat in everybody(rules, position) if rules.outcome(position) is None else ():
        full = view_shown(rules, position, events, seat)
        if view_shown(rules, position, seen_by(events, reader_of(seat)), seat) != full:
            yield Wrong("view.events", f"the view for {seat or 'the public'} is made of events that it may not know", "view")


def views_can_be_made_of_what_was_stored(scene: Scene) -> Iterator[Wrong]:
    """Pages and archives make views from positions and events that were stored as JSON."""
    rules, position, events = scene.rules, scene.played.resolution.position, scene.played.events
    try:
        kept = [event_of(json.loads(json.dumps(event_document(event)))) for event in events]
    except (TypeError, ValueError, RecursionError):
        return  # another check reports it
    again = read_again(rules, stored(rules.dump(position)), position)
    for seat in (*everybody(rules, position)[:2], ""):
        if view_shown(rules, again, kept, seat) != view_shown(rules, position, events, seat):
            yield Wrong(
                "view.stored", f"the view for {seat or 'the public'} is another when it is made of what was stored", "view"
            )


def html_escapes_what_players_write(scene: Scene) -> Iterator[Wrong]:
    """In some games seat names contain markup: no page shows it as HTML."""
    marked = [seat for seat in scene.rules.seats(scene.position) if "<" in seat]
    for _, view in views(scene, scene.played.resolution.position, scene.played.events) if marked else ():
        page = ""
        with suppress(Exception):  # another check reports it
            page = report_html(scene.rules, view)
        for seat in marked:
            if seat in page:
                words = f"the report in HTML shows the name {seat!r} as HTML, and not as text"
                yield Wrong("template.escapes", words, _line_with(scene.rules, ("safe", "autoescape")))


def _line_with(rules: Ruleset[Any], words: tuple[str, ...]) -> PlaceInFile:
    """The first line of the HTML template that has one of the words in it."""
    place = first_template(rules, "html")
    with suppress(OSError):
        for number, line in enumerate(Path(place.file).read_text(encoding="utf-8").splitlines(), start=1):
            if any(word in line for word in words):
                return place._replace(line=number)
    return place


def every_reader_gets_a_report(scene: Scene) -> Iterator[Wrong]:
    """In text and in HTML, with a picture if there is a map, and without."""
    for position, events in moments(scene):
        for reader, view in views(scene, position, events):
            try:
                text = report_text(scene.rules, view)
                pages = [report_html(scene.rules, view, picture) for picture in ("", "<svg></svg>")]
            except TemplateError as problem:
                yield template_problem(scene.rules, problem, _whom(reader))
                continue
            except Exception as problem:  # what a template calls may fail in any way
                place = place_in_files(problem) or first_template(scene.rules)
                yield Wrong("template.shows", f"the report for {_whom(reader)} cannot be made: {named(problem)}", place)
                continue
            yield from _sound(scene.rules, text, pages)


def _sound(rules: Ruleset[Any], text: str, pages: list[str]) -> Iterator[Wrong]:
    if not text.strip() or not pages[0].strip():
        yield Wrong("template.shows", "a report is empty", first_template(rules))
    if "<" not in pages[0]:
        yield Wrong("template.shows", "the report in HTML has no HTML", first_template(rules, "html"))


def template_problem(rules: Ruleset[Any], problem: TemplateError, whom: str, form: str = "txt") -> Wrong:
    """A template that cannot be used, with its line."""
    for missing in ("txt", "html") if isinstance(problem, TemplateNotFound) else ():
        file = first_template(rules, missing).file
        if file.endswith(f"/{problem}"):
            return Wrong("files.templates", f"there is no template {problem}", PlaceInFile(file, 0))
    place = place_in_files(problem) or first_template(rules, form)
    if isinstance(problem, TemplateSyntaxError) and problem.filename:
        place = PlaceInFile(problem.filename, problem.lineno)
    return Wrong("template.names", f"the report for {whom} cannot be made: {named(problem)}", place)


def first_template(rules: Ruleset[Any], form: str = "txt") -> PlaceInFile:
    """The template of that form; the one for both where it has none."""
    folder = f"{rules.info.folder}/templates/reports/{rules.info.slug}"
    files = (f"{folder}/report.{form}.j2", f"{folder}/report.j2")
    return PlaceInFile(files[not Path(files[0]).is_file() and Path(files[1]).is_file()], 1)


# --- Facts ----------------------------------------------------------------------------------------------------------------

_YOU = re.compile(r"\byou(rs?)?\b", re.IGNORECASE)


def _wrong_you(view: View) -> Iterator[str]:
    told = view.data.get("you")
    if told is None:
        return
    if not isinstance(told, Mapping) or {*cast("Mapping[Any, Any]", told)} != {"headline", "orders", "more"}:
        yield "it is not made by you(headline, orders, more)"
        return
    if view.reader.kind != "seat":
        yield "it is for seats alone"
    facts = cast("Mapping[str, Any]", told)
    pairs = [*facts["orders"]]
    if any(not isinstance(pair, list) or len(cast("list[Any]", pair)) != len(("order", "result")) for pair in pairs):
        yield "each order has a result, and nothing else"
        return
    for line in (facts["headline"], *facts["more"], *(part for pair in pairs for part in pair)):
        if not isinstance(line, str) or len(line.splitlines()) > 1:
            yield f"{line!r}: text in one line is wanted"


def _wrong_stand(view: View) -> Iterator[str]:
    told = view.data.get("stand")
    if told is None:
        return
    if not isinstance(told, Mapping) or {*cast("Mapping[Any, Any]", told)} != {"aim", "place"}:
        yield "it is not made by stand(aim, place)"
        return
    for part, sentence in cast("Mapping[str, Any]", told).items():
        if not isinstance(sentence, str) or not sentence.strip() or len(sentence.splitlines()) > 1:
            yield f"its {part} is {sentence!r}: a sentence in one line is wanted"
        elif _YOU.search(sentence) and (part == "aim" or view.reader.kind != "seat"):
            yield f'its {part} says "you" to everybody'


def _wrong_happened(view: View) -> Iterator[str]:
    told = view.data.get("happened")
    if told is None:
        return
    if view.reader.kind != "public":
        yield "it is for the public alone"
    if not isinstance(told, list):
        yield "it is not made by happened(reader, sentences)"
        return
    for sentence in cast("list[Any]", told):
        if not isinstance(sentence, str) or not sentence.strip() or len(sentence.splitlines()) > 1:
            yield f"{sentence!r}: a sentence in one line is wanted"
        elif _YOU.search(sentence):
            yield f'{sentence!r} says "you" to everybody'


# --- Pictures and figures -------------------------------------------------------------------------------------------------


def maps_can_be_drawn(scene: Scene) -> Iterator[Wrong]:
    """For all readers, with everything on them in its place."""
    for reader, view in views(scene, scene.played.resolution.position, scene.played.events):
        if "map" in view.data:
            yield from _map_problem(scene.rules, reader, lambda view=view: map_svg(view))


def _map_problem(rules: Ruleset[Any], reader: Reader, drawn: Callable[[], object]) -> Iterator[Wrong]:
    if not rules.info.map:
        yield Wrong("map.declared", "there is a map in a view, and no map = true in ruleset.toml", "view")
    try:
        drawn()
    except MapError as problem:
        yield Wrong("map.drawn", f"the map for {_whom(reader)} cannot be drawn: {problem}", "view")
    except Exception as problem:  # whatever stands there instead of a map
        words = f"the map for {_whom(reader)} cannot be drawn, since something in it is missing or of another type"
        yield Wrong("map.drawn", f"{words}: {named(problem)}", "view")


def _wrong_numbers(numbers: Any, seats: set[str]) -> Iterator[str]:
    if not isinstance(numbers, Mapping):
        yield "they are no table"
        return
    for what, of_seats in cast("Mapping[Any, Any]", numbers).items():
        if not isinstance(of_seats, Mapping):
            yield f"{what} is no table of seats"
            continue
        for seat, number in cast("Mapping[Any, Any]", of_seats).items():
            if seat not in seats:
                yield f"{what} has {seat!r}, and there is no such seat"
            is_whole = isinstance(number, int) and not isinstance(number, bool)
            if not is_whole and not (isinstance(number, str) and _DECIMAL.fullmatch(number)):
                yield f"{what} of {seat} is {number!r}: a whole number is wanted, or a decimal as text"
