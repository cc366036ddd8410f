"""`pbmd map`: the map of a position as a picture, as a reader would get it. No mail, no database."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.cli.authors import made_in
from pbmd.cli.common import SETTINGS, FileProblem, PositionRules, examples, fail
from pbmd.cli.files import read_position, seat_named
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import map_svg, svg_png
from pbmd.rules import GM, PUBLIC, Reader, Ruleset, seat_reader
from pbmd.rules.registry import UnknownRuleset

app = typer.Typer(**SETTINGS)

_READERS = {"public": PUBLIC, "gm": GM}


@app.command(
    "map",
    epilog=examples(
        "pbmd map position.toml -o map.svg",
        "pbmd map position.toml --for Red -o red.png",
        "pbmd map position.toml --ruleset ./count -o map.svg",
    ),
)
def command(
    position: Annotated[Path, typer.Argument(help="The position document of the ruleset.", metavar="POSITION.toml")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The picture, of the kind that its ending says.", metavar="FILE.svg|FILE.png")
    ],
    reader: Annotated[
        str, typer.Option("--for", help="Whose map: a seat's name, public, or gm.", metavar="SEAT|public|gm")
    ] = "public",
    ruleset: PositionRules = None,
) -> None:
    """Draw the map of a position as SVG or PNG, with what this reader may know and nothing else.

    It is the map of the position alone: what a report stresses because it happened in the last turn is not in it.
    """
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".png"):
        fail(f"--output: {output}: the name of a picture ends in .svg or .png")
    try:
        rules, loaded, _ = read_position(position, ruleset)
        view = rules.view(loaded, (), _reader(reader, rules, loaded))
        try:
            svg = map_svg(view)
        except MapError as problem:
            raise FileProblem(position, "map", f"{problem}{made_in(rules, 'view')}") from problem
        if svg is None:
            raise FileProblem(position, "", f"{rules.info.title} has no map")
        output.write_bytes(svg.encode() if suffix == ".svg" else svg_png(svg))
    except (FileProblem, UnknownRuleset) as problem:
        fail(problem)
    except MapError as problem:
        fail(f"--output: {output}: {problem}")
    except OSError as problem:
        fail(f"--output: {output}: {problem.strerror or problem}")


def _reader(name: str, ruleset: Ruleset[Any], position: Any) -> Reader:
    if name in _READERS:
        return _READERS[name]
    try:
        return seat_reader(seat_named(name, ruleset.seats(position), ruleset.info.seat_word))
    except LookupError as problem:
        fail(f"--for: {problem}, or public, or gm")
