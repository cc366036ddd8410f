"""Attached files: if nothing in a mail itself can be used, its orders are read from the text files that came with it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from pbmd.desk.language.player_commands import Script
from pbmd.desk.letters.arrived import Arrived, Doubtful, Sender, arrival_of
from pbmd.desk.letters.read import script_of, without_tokens_in
from pbmd.desk.letters.unread import accepted
from pbmd.post.lines.commands import left_out
from pbmd.post.read.letter import File, LeftOut, TextLine, unreadable

_INSTEAD = "it could not be used, so an attached file was read instead"
_BESIDE = "the attached file {name}, which is read only if nothing in the mail itself can be used"
_USELESS = "the attached file {name}, in which nothing could be used"


def with_files(sender: Sender | Doubtful, arrived: Arrived) -> tuple[Arrived, str]:
    """The letter with the lines that are read as its own, and a sentence that says from which files they are, "" if from none.
    What is not read, and which files, stands in its `left_out`."""
    letter = arrived.letter
    if not letter.files:
        return arrived, ""
    readable = [file for file in letter.files if file.lines]
    unread = (*unreadable(letter), *(piece for file in letter.files if not file.lines for piece in file.left_out))
    own = () if letter.source == "attachment" else letter.lines
    script = Script() if letter.source == "attachment" else arrived.script
    if not readable or _is_enough(sender, arrived, script):
        beside = [piece for file in readable for piece in _not_read(file, _BESIDE)]
        letter = letter._replace(left_out=(*letter.left_out, *beside, *unread))
        return replace(arrived, letter=letter), ""
    useful = [file for file in readable if _is_enough(sender, arrived, script_of(file.lines))] or readable
    commands = {command.line.number for command in script.commands}
    used = [line for line in own if line.number in commands]
    others = left_out([line.original for line in own if line.number not in commands], _INSTEAD)
    of_letter = () if letter.source == "attachment" else letter.left_out
    in_files = [piece for file in useful for piece in file.left_out]
    useless = [piece for file in readable if file not in useful for piece in _not_read(file, _USELESS)]
    lines = _numbered([*used, *(line for file in useful for line in file.lines)])
    letter = letter._replace(lines=lines, left_out=(*of_letter, *others, *in_files, *useless, *unread))
    letter, blanked = without_tokens_in(letter, arrived.blanker)
    blanked |= {new.number for old, new in zip(used, lines, strict=False) if old.number in arrived.blanked}
    names = " and ".join(f'"{file.name}"' for file in useful)
    arrived = replace(arrived, letter=letter, script=script_of(letter.lines), blanked=blanked)
    return arrived, f"Your orders were read from the attached file {names}."


def _is_enough(sender: Sender | Doubtful, arrived: Arrived, script: Script) -> bool:
    """Whether there is something in a text that can be used."""
    if any(command.kind != "orders" for command in script.commands):
        return True
    if not script.orders:
        return False
    table, of_stranger = sender.table, isinstance(sender, Doubtful)
    arrival = arrival_of(arrived)
    return bool(accepted(table, table.position, sender.seat.name, script.orders, arrival, of_stranger=of_stranger))


def _not_read(file: File, reason: str) -> tuple[LeftOut, ...]:
    return left_out([line.original for line in file.lines], reason.format(name=f'"{file.name}"')) + file.left_out


def _numbered(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    numbers = count(1)
    return tuple(line._replace(number=next(numbers)) for line in lines)
