"""What a letter asks for that needs no seat."""

import re
from dataclasses import replace

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.openings.series import open_games
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.opened_letter import Arrived, Former, Sender, Unclear, Whose
from pbmd.desk.questions.ask import Answering
from pbmd.rules.protocol import Line

_IN_FRONT = re.compile(r"(?:\s*(?:(?:re|aw|fwd?|wg|antw)\s*(?:\[\d+\])?\s*:|\[[^\]]*\]))*\s*", re.IGNORECASE)
"""What mail programs and lists put before a subject."""
_WANTS_TO_PLAY = re.compile(
    r"\b(?:join|sign(?:ing)?[ -]?up|sign me up|take part|to play|how (?:do|can) (?:i|we))\b", re.IGNORECASE
)
_MOST_LINES = 20
"""Lines of a letter whose words are looked at: people who ask how to begin say little more."""


def asked_for(work: Transaction, arrived: Arrived, sender: Whose) -> Command | None:
    """The command in a letter that asks for something that needs no seat. A sender who only shows an address may mean another
    game than their own, if it takes sign-ups. Other such commands count in a letter that says nothing more, or that belongs to
    no seat; in the latter, the subject and a question how to begin are read, too."""
    if isinstance(sender, Answering) or not arrived.letter.sender:
        return None
    if isinstance(sender, str):
        return _of_stranger(work, arrived)
    if isinstance(sender, Former):
        return _of_former(work, arrived)
    commands = [command for command in arrived.script.commands if command.kind in work.desk.commands.visiting]
    if not commands:
        return None
    if commands[0].kind == "join":
        return _newcomer(work, commands[0], sender)
    only = len(commands) == len(arrived.script.commands) and not arrived.script.orders
    return commands[0] if only and not isinstance(sender, Sender) else None


def _of_stranger(work: Transaction, arrived: Arrived) -> Command | None:
    answers, commands = work.desk.settings.mail.answer_strangers, work.desk.commands
    kinds = commands.of_strangers if answers else commands.visiting
    wanted = [command for command in _commands_in(commands, arrived.script) if command.kind in kinds]
    joins = [command for command in wanted if command.kind == "join"]
    if joins or wanted:
        return (*joins, *wanted)[0]
    return _in_words(commands, arrived) if answers else None


def _commands_in(commands: PlayerLanguage, script: Script) -> tuple[Command, ...]:
    """The commands of a letter, with those above a line that closes nothing, as END PRESS: without a seat people are asked
    before anything is done for them."""
    above = (line for each in script.unopened for line in each.body)
    return (*script.commands, *(commands.read(above).commands if script.unopened else ()))


def _of_former(work: Transaction, arrived: Arrived) -> Command | None:
    """What somebody asks for who has lost a seat: all else that they write was meant for that."""
    commands, answers = work.desk.commands, work.desk.settings.mail.answer_strangers
    kinds = commands.visiting | (commands.of_strangers & commands.asking if answers else frozenset())
    wanted = [command for command in _commands_in(commands, arrived.script) if command.kind in kinds]
    joins = [command for command in wanted if command.kind == "join"]
    return next(iter((*joins, *wanted)), None)


def _in_words(commands: PlayerLanguage, arrived: Arrived) -> Command | None:
    """What the subject asks for, or a question how to begin."""
    letter, orders = arrived.letter, arrived.script.orders
    subject = _IN_FRONT.sub("", letter.subject, count=1).strip()
    command = commands.command(Line(0, subject))
    if command is not None and command.kind in commands.of_strangers:
        return replace(command, body=orders) if command.kind == "join" else command
    said = (subject, *(line.text for line in orders)) if len(orders) <= _MOST_LINES else (subject,)
    return Command("help", Line(0, ""), {}) if any(map(_WANTS_TO_PLAY.search, said)) else None


def _newcomer(work: Transaction, command: Command, sender: Whose) -> Command | None:
    """The JOIN in a letter if it asks for a seat."""
    games = open_games(work)
    if isinstance(sender, Unclear):
        return command if games else None
    game = command.words["game"].lower()
    if isinstance(sender, Sender) and (not sender.by_address or game == sender.table.game.name):
        return None
    return command if game in games else None
