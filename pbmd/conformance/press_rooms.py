"""Press by the rules: rooms that can be written to, and that show nothing which a seat may not know."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene
from pbmd.conformance.secrecy import with_letters_of_others
from pbmd.rules import Ruleset, canonical_json
from pbmd.rules.names import fold

_LONGEST = 40
_NAME = re.compile(rf"(?!.*\band\b)(?=.{{1,{_LONGEST}}}$)[^\W_]+(?:[ -][^\W_]+)*", re.IGNORECASE)
"""What can stand behind PRESS TO, where commas and *and* are between names."""


def rooms_known_to(rules: Ruleset[Any], position: Any, seat: str) -> bytes:
    """What a seat gets to know of rooms: where it may write, and who reads that; and who may write to it, and where."""
    if rules.press is None:
        return b""
    theirs = {writer: rules.press(position, writer) for writer in rules.seats(position)}
    heard = {writer: {room: [*who] for room, who in rooms.items() if seat in who} for writer, rooms in theirs.items()}
    own = [[room, [*who]] for room, who in theirs.get(seat, {}).items()]
    return canonical_json([own, {writer: rooms for writer, rooms in heard.items() if rooms}])


def rooms_can_be_written_to(scene: Scene) -> Iterator[Wrong]:
    """By their names, and by all who may; and somebody reads there."""
    rules = scene.rules
    for position in (scene.position, scene.played.resolution.position) if rules.press else ():
        if rules.outcome(position) is not None:
            return
        seats = rules.seats(position)
        for seat in seats:
            assert rules.press is not None
            rooms = rules.press(position, seat)
            for name, readers in rooms.items():
                if problem := _problem(name, readers, [*rooms], seats):
                    yield Wrong("press.rooms", f'the room "{name:.60}" of {seat} {problem}', "press")
                    return


def _problem(name: str, readers: Sequence[str], names: Sequence[str], seats: Sequence[str]) -> str:
    if name not in seats and not _NAME.fullmatch(name):
        made = "letters, digits, hyphens and single blanks, without the word and"
        return f"has a name that is not made of at most {_LONGEST} {made}"
    if sum(fold(name) == fold(other) for other in (*names, *(seat for seat in seats if seat not in names))) > 1:
        return "is called like another room or seat"
    if strange := [reader for reader in readers if reader not in seats]:
        return f'is read by "{strange[0]:.60}", who is no seat of the game'
    if name in seats and {*readers} != {name}:
        return "is a seat, and is not read by that seat alone"
    return ""


def letters_on_file_open_no_room(scene: Scene) -> Iterator[Wrong]:
    """Nor close one."""
    rules = scene.rules
    for seat, now in with_letters_of_others(scene) if rules.press else ():
        if seat and rooms_known_to(rules, now, seat) != rooms_known_to(rules, scene.position, seat):
            yield Wrong("secret.press", f"to whom {seat} may write, or who to it, depends on what others have on file", "press")
            return
