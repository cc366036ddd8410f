"""PRESS: messages between players by way of pbmd, without anybody's address."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.likeness import is_game_master
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.rate_limits import DAY, HOUR, CausedMails
from pbmd.desk.player.own_words import must_not_name_its_writer
from pbmd.desk.step.reporting.press import Message, pass_on
from pbmd.desk.step.reporting.press_rooms import ALL, chosen_rooms, reaches_all, readers_in, rooms_of, to_spectators
from pbmd.desk.step.reporting.spectators import must_be_seldom
from pbmd.ledger.entries.player_entries import PressEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import GameStatus, JournalEntry, Seat, SeatState
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rendering.render import quoted as marked
from pbmd.rules.canonical import canonical_json
from pbmd.rules.names import BETWEEN_NAMES, match_name
from pbmd.rules.protocol import Refused
from pbmd.rules.words import listing

PRESS_CHARS = 10_000


def press(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """[ANONYMOUS] PRESS TO <seats|ALL> … END PRESS: to the others by way of pbmd, without anybody's address."""
    table, seat = sender.table, sender.seat
    written = {line.number: line.original for line in arrived.letter.lines}
    text = "\n".join(written[line.number].rstrip() for line in command.body).strip("\n")
    anonymous, to = "anonymous" in command.words, command.words["to"]
    try:
        _must_be_closed(command, text, answer)
        if not table.terms.press:
            raise Refused("this game has no press")
        if anonymous:
            _must_hide_its_writer(table, arrived, text, answer)
        _must_be_one(table, command, text, answer)
        _must_be_names(table, seat, to)
        if not text.strip() or len(text) > PRESS_CHARS:
            raise Refused(f"a message has 1 to {PRESS_CHARS} characters, yours has {len(text)}")
        _must_not_show_its_writer(table, seat, text, answer)
        addressed = _addressed(table, seat, to, anonymous=anonymous)
        readers = addressed.readers
        _must_be_little(work, sender, max(len(readers), 1))
        if to_spectators(table, addressed.rooms):
            must_be_seldom(work, table)
    except Refused as refusal:
        answer.refuse("PRESS", refusal)
        return
    waits = table.terms.press_delivery == "report" and table.game.status is not GameStatus.FINISHED
    names = tuple(reader.name for reader in readers)
    message = Message(
        seat.name,
        names,
        text,
        arrived.id,
        to_all=addressed.to_all,
        anonymous=anonymous,
        waits=waits,
        rooms=addressed.rooms,
    )
    _send(work, table, readers, message, f"press {arrived.id} {command.line.number}")
    when = "goes out with the next report, to" if waits else "went to"
    answer.remark(f"Your message {when} {listing(message.rooms or names)}{', without your name' if anonymous else ''}.")


def _must_be_closed(command: Command, text: str, answer: Answer) -> None:
    """Whether the end of a message is known. Raises `Refused`."""
    if command.open:
        answer.left_out += left_out(text.split("\n"), "it stands below PRESS, and END PRESS is missing")
        raise Refused(
            "your message was not sent, since the line END PRESS is missing below it, and nothing below PRESS was read "
            "as orders"
        )


_KINDS_OF_PRESS = ("press", "spectators")


def begins_another(commands: PlayerLanguage, command: Command, seats: Sequence[str]) -> bool:
    """Whether another message begins in a message: if the END PRESS between them was forgotten, the second would be read by
    those whom the first is for. "Press to the east!" in small letters and to nobody is prose."""
    within = (found for line in command.body for found in commands.read([line]).commands)
    return any(
        found.kind in _KINDS_OF_PRESS and (found.line.text.split()[0].isupper() or _names_somebody(found, seats))
        for found in within
    )


def _must_be_one(table: OpenGame, command: Command, text: str, answer: Answer) -> None:
    """Raises `Refused` for a message in which another begins, and gives it back."""
    if begins_another(table.commands, command, [seat.name for seat in table.seats]):
        answer.section("your message, which was not sent", marked(text))
        raise Refused(
            "another PRESS begins in your message before END PRESS, so it was not sent, and it stands below: each message "
            "needs an END PRESS of its own"
        )


def _names_somebody(command: Command, seats: Sequence[str]) -> bool:
    to = command.words.get("to", "all")
    return _is_all(to) or any(match_name(name, seats).found for name in _names_in(to, seats))


def _must_hide_its_writer(table: OpenGame, arrived: Arrived, text: str, answer: Answer) -> None:
    """Whether a message without a name may be sent, by which nobody could tell who wrote it. Raises `Refused`."""
    if not table.terms.anonymous_press:
        raise Refused("this game has no anonymous press, so nothing was sent")
    if not _is_alone(arrived.script):
        answer.section("your message, which was not sent", marked(text))
        raise Refused(
            "a message without your name must be the only thing in its mail, since from what comes at the same instant "
            "others could tell who wrote it, now or from the archive; so it was not sent. It stands below: send it again "
            "in a mail of its own, from ANONYMOUS PRESS to END PRESS, without orders or other commands"
        )


def _must_not_show_its_writer(table: OpenGame, seat: Seat, text: str, answer: Answer) -> None:
    """Raises `Refused`, and gives the message back, if nobody may know who plays and it would say so."""
    try:
        must_not_name_its_writer(table, seat, text, "your message")
    except Refused:
        answer.section("your message, which was not sent", marked(text))
        raise


def _send(work: Transaction, table: OpenGame, readers: Sequence[Seat], message: Message, key: str) -> None:
    """Note a message, and pass it on unless it waits for the next report."""
    number = work.journal(table, PressEntry(turn=table.game.turn, sealed=message.sealed))
    if message.waits:
        table.game.press_waits = compact_json([*json.loads(table.game.press_waits), number])
    else:
        pass_on(work, table, readers, message, key)
    if message.anonymous:
        # Other lines about the same letter name its seat, so this one must not name the letter.
        work.log("press", table, detail="anonymous", cause="")
    else:
        work.log("press", table, message.writer, f"letter {message.letter}")


def _is_alone(script: Script) -> bool:
    """Whether a letter has one command and nothing else that leaves a trace."""
    return not script.orders and len(script.commands) == 1


def _is_all(to: str) -> bool:
    return _ALL.fullmatch(" ".join(to.split())) is not None


_ALL = re.compile(r"all(?: (?:the )?(?:other )?(?:players|others))?|everybody|everyone", re.IGNORECASE)
_BUT = re.compile(r"(?:\b(?:all|everybody|everyone)\b.*|^)\b(?:but|except|without|not)\b", re.IGNORECASE)
"""Names of those who are not to get a message: nothing must go to them instead."""


def _must_be_names(table: OpenGame, writer: Seat, to: str) -> None:
    """Raises `Refused` for what stands behind PRESS TO and says more than who is to get the message."""
    rooms = rooms_of(table, writer)
    known = [seat.name for seat in table.seats] if rooms is None else [*rooms]
    names = _names_in(to, known)
    if len(names) > 1 and match_name(to, known).found:
        raise Refused(
            "nothing was sent, since this is one name here, and the names of several; write to each of them by itself"
        )
    for name in names:
        if match_name(name, known).found:
            continue
        if _BUT.search(name.strip()):
            raise Refused("nothing was sent; write the names of all who are to get your message, with commas between them")
        if "anonymous" in name.casefold():
            raise Refused("nothing was sent; a message without your name begins with ANONYMOUS PRESS TO")
        if ":" in name:
            raise Refused("nothing was sent; behind PRESS TO stand only names, and your message begins on the line below them")
        if is_game_master(name):
            raise Refused(
                "it goes to players, and the game master is none; write to them outside of the game, or ask for more time with "
                "EXTEND 24h because …"
            )


class _Addressed(NamedTuple):
    """To whom a message goes, and, where the rules say so, to which of their rooms."""

    readers: list[Seat]
    to_all: bool
    rooms: tuple[str, ...] = ()


def _addressed(table: OpenGame, writer: Seat, to: str, *, anonymous: bool) -> _Addressed:
    """Raises `Refused`."""
    rooms = rooms_of(table, writer)
    if rooms is None:
        names = _names_in(to, [seat.name for seat in table.seats])
        return _Addressed(_press_readers(table, writer, names, anonymous=anonymous), any(map(_is_all, names)))
    chosen = chosen_rooms(rooms, _names_in(to, [*rooms]))
    readers = readers_in(table, writer, rooms, chosen, anonymous=anonymous)
    return _Addressed(readers, reaches_all(table, writer, readers, chosen), chosen)


def _names_in(to: str, known: Sequence[str]) -> list[str]:
    """The names in a list of them. What is a name as a whole ("Black & White") is one, unless each part of it is the name of
    another: then they are those who were listed, whatever somebody calls themselves."""
    text = to.strip(" ,;")
    parts = next((parts for between in _BETWEEN if len(parts := between.split(text)) > 1), [text])
    if len(parts) == 1:
        return [ALL if _is_all(text) and text.casefold() != ALL else text]
    names = [name for part in parts for name in _names_in(part, known)]
    if (whole := match_name(text, known).found) is None:
        return names
    found = [match_name(name, known).found for name in names]
    return [text] if whole in found or None in found else names


_BETWEEN = tuple(re.compile(between, re.IGNORECASE) for between in BETWEEN_NAMES)


def _must_be_little(work: Transaction, sender: Sender, more: int) -> None:
    """So many mails more must be within what a seat may cause. Raises `Refused`."""
    limits = work.desk.settings.limits
    work.write()
    # Only its own are read, of what may be much: the others have no such text, since quotes in what people write are escaped.
    own = col(JournalEntry.secret).contains(canonical_json({"from": sender.seat.name})[1:-1].decode(), autoescape=True)
    own_of_today = lately(JournalEntry.at, work.now, DAY) & own
    written = entries_of(work.session, sender.table.id, PressEntry, with_sealed=True, where=own_of_today)
    messages = ((each.at, each.entry.sealed) for each in written)
    sent = [(at, max(len(message.to), 1)) for at, message in messages if message and message.writer == sender.seat.name]
    for most, span, words in ((limits.press_per_hour, HOUR, "an hour"), (limits.press_per_day, DAY, "24 hours")):
        before = sum(readers for at, readers in sent if work.now - at < span)
        if before + more > most:
            raise Refused(f"the game passes on at most {most} mails of yours in {words}, and this would be {before + more}")
    caused = work.slot(CausedMails).count
    if caused is not None and caused + more > limits.mails_per_letter:
        raise Refused(f"one letter may cause at most {limits.mails_per_letter} mails")


def _press_readers(table: OpenGame, writer: Seat, names: Sequence[str], *, anonymous: bool) -> list[Seat]:
    """Who gets a message. One that is anonymous may go to its writer, too, and does if it goes to all: else those who compare
    what they got would know who wrote it."""
    active = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    others = [seat for seat in active if seat is not writer]
    if not others:
        raise Refused("nobody else plays in this game any more")
    possible = active if anonymous else others
    if any(map(_is_all, names)):
        return possible
    return list({seat.number: seat for seat in (_named(name, possible, writer, table) for name in names)}.values())


def _named(name: str, possible: Sequence[Seat], writer: Seat, table: OpenGame) -> Seat:
    match = match_name(name, possible, lambda seat: seat.name)
    if match.found is None:
        if match_name(name, [writer], lambda seat: seat.name).found and not match.ambiguous:
            raise Refused(f'"{name.strip()}" is your own {table.ruleset.info.seat_word}')
        raise Refused(match.problem(name.strip(), table.ruleset.info.seat_word))
    return match.found
