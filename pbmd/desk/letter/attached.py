"""Attached files: if nothing in a mail itself can be used, its orders are read from the text files that came with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from pbmd.desk.language.commands import Script
from pbmd.desk.letter.opened_letter import Arrived, Doubtful, Sender
from pbmd.desk.letter.opening import script_of, without_tokens_in
from pbmd.desk.letter.unread_orders import has_orders
from pbmd.post.lines.sorted_lines import left_out
from pbmd.post.proof_file import is_proof_name
from pbmd.post.read.letter import File, LeftOut, Letter, TextLine, unreadable
from pbmd.rules.words import listing

_INSTEAD = "it could not be used, so an attached file was read instead"
_BESIDE = "the attached file {name}, which is read only if nothing in the mail itself can be used"
_USELESS = "the attached file {name}, in which nothing could be used"


@dataclass(frozen=True, slots=True)
class _Own:
    """What a mail says itself, beside its files."""

    lines: tuple[TextLine, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    script: Script = field(default_factory=Script)


def _own(arrived: Arrived) -> _Own:
    """Nothing if it had no text, and the lines that were read as its own are those of a file."""
    letter = arrived.letter
    return _Own() if letter.source == "attachment" else _Own(letter.lines, letter.left_out, arrived.script)


def with_files(sender: Sender | Doubtful, arrived: Arrived) -> tuple[Arrived, str]:
    """The letter with the lines that are read as its own, and a sentence that says from which files they are, "" if from none.
    What is not read, and which files, stands in its `left_out`."""
    arrived = _without_proofs(arrived)
    letter = arrived.letter
    if not letter.files:
        return arrived, ""
    readable, own = [file for file in letter.files if file.lines], _own(arrived)
    if not readable or _is_enough(sender, arrived, own.script):
        return _without_files(arrived, readable), ""
    useful = [
        file for file in readable if _is_enough(sender, arrived, script_of(file.lines, sender.table.commands))
    ] or readable
    names = listing([f'"{file.name}"' for file in useful])
    files = "file" if len(useful) == 1 else "files"
    left = _left_out_of_files(readable, useful)
    return _out_of_files(sender, arrived, useful, left), f"Your orders were read from the attached {files} {names}."


def _without_proofs(arrived: Arrived) -> Arrived:
    """The letter without the files that came beside our mails: programs that send those back mean nothing by it."""
    files = tuple(file for file in arrived.letter.files if not is_proof_name(file.name))
    return arrived if len(files) == len(arrived.letter.files) else replace(arrived, letter=arrived.letter._replace(files=files))


def _without_files(arrived: Arrived, readable: Sequence[File]) -> Arrived:
    """The letter as it is, which says that the files were not read."""
    beside = [piece for file in readable for piece in _not_read(file, _BESIDE)]
    letter = arrived.letter
    return replace(arrived, letter=letter._replace(left_out=(*letter.left_out, *beside, *_unread(letter))))


def _out_of_files(sender: Sender | Doubtful, arrived: Arrived, useful: Sequence[File], left: Sequence[LeftOut]) -> Arrived:
    """The letter with the lines of the useful files, below the commands of its own. `left` is not read of the files."""
    own = _own(arrived)
    commands = {command.line.number for command in own.script.commands}
    used = [line for line in own.lines if line.number in commands]
    instead = left_out([line.original for line in own.lines if line.number not in commands], _INSTEAD)
    lines = _numbered([*used, *(line for file in useful for line in file.lines)])
    sheet = next((file.sheet for file in useful if file.sheet), arrived.letter.sheet)
    read = arrived.letter._replace(
        lines=lines, sheet=sheet, left_out=(*own.left_out, *instead, *left, *_unread(arrived.letter))
    )
    letter, blanked = without_tokens_in(read, arrived.blanker)
    blanked |= {new.number for old, new in zip(used, lines, strict=False) if old.number in arrived.blanked}
    return replace(arrived, letter=letter, script=script_of(letter.lines, sender.table.commands), blanked=blanked)


def _left_out_of_files(readable: Sequence[File], useful: Sequence[File]) -> list[LeftOut]:
    """What is not read of those that are useful, and then the others."""
    useless = [file for file in readable if file not in useful]
    return [
        *(piece for file in useful for piece in file.left_out),
        *(piece for file in useless for piece in _not_read(file, _USELESS)),
    ]


def _unread(letter: Letter) -> tuple[LeftOut, ...]:
    return (*unreadable(letter), *(piece for file in letter.files if not file.lines for piece in file.left_out))


def _is_enough(sender: Sender | Doubtful, arrived: Arrived, script: Script) -> bool:
    """Whether there is something in a text that can be used."""
    if any(command.kind != "orders" for command in script.commands):
        return True
    if not script.orders:
        return False
    of_stranger = isinstance(sender, Doubtful)
    return has_orders(sender.table, sender.seat.name, script.orders, arrived.arrival, of_stranger=of_stranger)


def _not_read(file: File, reason: str) -> tuple[LeftOut, ...]:
    return left_out([line.original for line in file.lines], reason.format(name=f'"{file.name}"')) + file.left_out


def _numbered(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    numbers = count(1)
    return tuple(line._replace(number=next(numbers)) for line in lines)
