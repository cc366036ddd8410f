"""What a letter asks for that needs no seat."""

from pbmd.desk.books.work import Work
from pbmd.desk.language.commands import Command
from pbmd.desk.language.player_commands import VISITING
from pbmd.desk.letters.arrived import Arrived, Sender, Unclear, Whose
from pbmd.desk.letters.questions import Answering
from pbmd.desk.visitors.signup import open_games


def asked_for(work: Work, arrived: Arrived, sender: Whose) -> Command | None:
    """The command of a letter that asks for something that needs no seat. Who only shows an address may mean another game than
    their own, if it is one that takes sign-ups; and where none does, a JOIN is a letter like any other. What else needs no seat
    counts in a letter that says nothing more, or that is nobody's."""
    commands = [command for command in arrived.script.commands if command.kind in VISITING]
    if not commands or isinstance(sender, Answering) or not arrived.letter.sender:
        return None
    if commands[0].kind == "join":
        return _newcomer(work, commands[0], sender)
    only = len(commands) == len(arrived.script.commands) and not arrived.script.orders
    return commands[0] if isinstance(sender, str) or (only and not isinstance(sender, Sender)) else None


def _newcomer(work: Work, command: Command, sender: Whose) -> Command | None:
    """The JOIN of a letter if it asks for a seat."""
    games = open_games(work)
    if isinstance(sender, str | Unclear):
        return command if games else None
    game = command.words["game"].lower()
    if isinstance(sender, Sender) and (not sender.by_address or game == sender.table.game.name):
        return None
    return command if game in games else None
