"""Whether a game comes out the same in other processes: with other hash seeds, in another time zone, language and folder; and
whether a ruleset uses files or other processes while it works.

Run as a module it is such a process: it plays some games and prints what came of each scene.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbmd.conformance.everything_sent import answer, everybody, form_shown
from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.purity import changed_table, set_order
from pbmd.conformance.scenes import Scene, scenes_by_number
from pbmd.conformance.watched_ruleset import functions_of, guarded
from pbmd.rules import GM, PUBLIC, Ruleset, canonical_json, seat_reader
from pbmd.rules.protocol import event_document
from pbmd.rules.registry import from_folder, get, is_of_rules
from pbmd.rules.troubles import PlaceInFile

SURROUNDINGS: tuple[Mapping[str, str], ...] = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "2", "TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"},
    {"PYTHONHASHSEED": "3", "TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"},
    {"PYTHONHASHSEED": "4", "TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8"},
)
"""In the last one the games are played backwards."""
_SECONDS = 600
"""After this long another process is stopped."""
_PARTS = {
    "letters": ("random_orders", "the orders of random players"),
    "answers": ("receive", "the answers to letters"),
    "missed": ("miss", "what becomes of missed deadlines"),
    "drawn": ("resolve", "the dice that are rolled"),
    "events": ("resolve", "what happens in a step"),
    "documents": ("resolve", "the positions"),
    "views": ("view", "the views"),
    "forms": ("order_form", "the order forms"),
}
"""What is compared, in the order in which one leads to the other, and which function is to blame."""


@dataclass(frozen=True, slots=True)
class Trip:
    """What is played elsewhere: a ruleset by its name or the path of its folder, this many games, from a seed."""

    ruleset: str
    games: int
    seed: int


def comes_out_the_same_elsewhere(rules: Ruleset[Any], trip: Trip) -> Iterator[Wrong]:
    """In all `SURROUNDINGS`, with the processes running in parallel."""
    with tempfile.TemporaryDirectory() as folder:
        orders = ["forwards"] * (len(SURROUNDINGS) - 1) + [_BACKWARDS]
        started = [_start(trip, each, order, folder) for each, order in zip(SURROUNDINGS, orders, strict=True)]
        ended = [_ended(process) for process in started]
    if failed := [said for out, said in ended if not out]:
        yield Wrong("code.elsewhere", f"in another process the ruleset cannot be tried: {failed[0]}")
        return
    found = [json.loads(out) for out, _ in ended]
    yield from _differences(rules, [each["scenes"] for each in found])
    for event, file, line in sorted({tuple(door) for each in found for door in each["doors"]}):
        yield Wrong("code.doors", f"the ruleset uses the machine while it works ({event})", PlaceInFile(file, line))


def _start(trip: Trip, surroundings: Mapping[str, str], order: str, folder: str) -> subprocess.Popen[str]:
    path = os.pathsep.join(os.path.abspath(each or ".") for each in sys.path)
    command = [sys.executable, "-m", __name__, trip.ruleset, str(trip.games), str(trip.seed), order]
    environment = {**os.environ, **surroundings, "PYTHONPATH": path}
    return subprocess.Popen(  # noqa: S603 – our own interpreter and module
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The last line that the process printed, empty if it failed, and the last line of its error output."""
    try:
        out, said = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, said = process.communicate()
    printed = out.splitlines()[-1:] if process.returncode == 0 else []
    return "".join(printed), "".join(said.splitlines()[-1:])[:300] or f"exit code {process.returncode}"


def _differences(rules: Ruleset[Any], found: Sequence[Sequence[Mapping[str, str]]]) -> Iterator[Wrong]:
    """The first difference, since it causes all others."""
    *forwards, backwards = found
    if first := _first_difference(forwards):
        function, what = first
        where = "in another process, with another hash seed, time zone or language"
        yield Wrong("code.elsewhere", f"{what} are others {where}", set_order(rules) or function)
    elif first := _first_difference((forwards[0], backwards)):
        function, what = first
        words = f"{what} are others when other games, or later steps, were looked at before"
        yield Wrong("code.keeps", words, changed_table(rules) or function)


def _first_difference(found: Sequence[Sequence[Mapping[str, str]]]) -> tuple[str, str] | None:
    """Which function is to blame for it, and what differs, in which scene; None if all are the same."""
    for scenes in zip(*found, strict=False):
        for part, (function, what) in _PARTS.items():
            if len({scene[part] for scene in scenes}) > 1:
                return function, f"in {scenes[0]['name']}, {what}"
    return ("resolve", "the steps of games") if len({len(scenes) for scenes in found}) > 1 else None


# --- In the other process ---------------------------------------------------------------------------------------------------


_BACKWARDS = "backwards"
_GAMES_BACKWARDS = 2
"""At least this many, so that there is one before."""


def fingerprints(rules: Ruleset[Any], games: int, seed: int | str = "") -> Iterator[dict[str, str]]:
    """What came of each scene of this many games, a digest for each part of `_PARTS`."""
    for number in range(games):
        yield from _of_game(rules, number, seed, backwards=False)


def _fingerprints_backwards(rules: Ruleset[Any], games: int, seed: int | str) -> list[dict[str, str]]:
    """The same, beginning with the last game, and in each game with the last scene: this exposes whatever is remembered in
    between."""
    numbers = reversed(range(max(games, _GAMES_BACKWARDS)))
    found = {number: _of_game(rules, number, seed, backwards=True) for number in numbers}
    return [each for number in range(games) for each in found[number]]


def _of_game(rules: Ruleset[Any], number: int, seed: int | str, *, backwards: bool) -> list[dict[str, str]]:
    scenes, broken = list[Scene](), list[dict[str, str]]()
    try:
        scenes.extend(scenes_by_number(rules, number, seed))
    except _TOLD_BY_OTHERS as fault:
        broken.append(_all_parts(fault))
    found = [_of_scene(scene) for scene in (reversed(scenes) if backwards else scenes)]
    return [*(reversed(found) if backwards else found), *broken]


def _of_scene(scene: Scene) -> dict[str, str]:
    try:
        return {"name": scene.name, **{part: _digest(made) for part, made in _made(scene).items()}}
    except _TOLD_BY_OTHERS as fault:
        return _all_parts(fault)


_TOLD_BY_OTHERS = (Broken, TypeError, ValueError)
"""Other checks report these; here it only matters that they happen everywhere."""


def _all_parts(fault: Exception) -> dict[str, str]:
    what = fault.wrong.promise if isinstance(fault, Broken) else type(fault).__name__
    return {"name": what, **dict.fromkeys(_PARTS, what)}


def _made(scene: Scene) -> dict[str, Any]:
    rules, step = scene.rules, scene.played
    after = step.resolution.position
    seats = map(seat_reader, rules.seats(after))
    return {
        "letters": [[mail.seat, [line.text for line in mail.lines]] for mail in scene.letters],
        "answers": [answer(receipt) for receipt in step.receipts],
        "missed": [[event_document(event) for event in missed.events] for missed in step.missed],
        "drawn": step.drawn,
        "events": [event_document(event) for event in step.events],
        "documents": [json.dumps(rules.dump(position)) for position in step.positions],
        "views": [json.dumps(rules.view(after, step.events, reader).data) for reader in (GM, PUBLIC, *seats)],
        "forms": [form_shown(rules, after, seat) for seat in everybody(rules, after)],
    }


def _digest(made: Any) -> str:
    return hashlib.sha256(canonical_json(made)).hexdigest()[:16]


_DOORS = (
    "open",
    "os.",
    "socket.",
    "subprocess.",
    "shutil.",
    "glob.",
    "sqlite3.",
    "tempfile.",
    "time.sleep",
    "urllib.",
    "builtins.input",
)
_ALLOWED = ("os.listdir", "os.scandir")  # imports use these
_inside: list[str] = []
_opened: set[tuple[str, str, int]] = set()


def _watch_doors(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset, with a record of what it does to the machine. Reading from its own folder, or from Python's, counts as
    loading code."""
    own = [str(Path(each).resolve()) for each in (str(rules.info.folder), sys.prefix, sys.base_prefix, *sys.path[1:]) if each]

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if not _inside or not event.startswith(_DOORS) or event in _ALLOWED:
            return
        if event == "open" and _only_reads(given) and str(Path(str(given[0])).resolve()).startswith(tuple(own)):
            return
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None and not is_of_rules(str(frame.f_globals.get("__name__", ""))):
            frame = frame.f_back
        if frame is not None:
            _opened.add((event, frame.f_code.co_filename, frame.f_lineno))

    sys.addaudithook(hook)
    return replace(rules, **{name: _noting(function) for name, function in functions_of(rules).items()})


def _only_reads(given: tuple[Any, ...]) -> bool:
    return not isinstance(given[1], str) or not {*"wax+"} & {*given[1]}


def _noting(function: Any) -> Any:
    def call(*given: Any) -> Any:
        _inside.append("")
        try:
            return function(*given)
        finally:
            _inside.pop()

    return call


def main(ruleset: str, games: str, seed: str, order: str) -> None:
    """Play, and print the result."""
    rules = from_folder(Path(ruleset)) if "/" in ruleset else get(ruleset)
    watched, made = guarded(_watch_doors(rules)), _fingerprints_backwards if order == _BACKWARDS else fingerprints
    found = [*made(watched, int(games), int(seed))]
    print(json.dumps({"scenes": found, "doors": sorted(_opened)}))  # noqa: T201 – it is what the process is for


if __name__ == "__main__":
    main(*sys.argv[1:])
