"""LIST ME and DO NOT LIST ME: whether the results of a player's games are shown under a name."""

from pbmd.desk.books.holders import called
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.tokens import IN_NAMES
from pbmd.desk.player.listing.listed_players import end_listing, list_player
from pbmd.rules.protocol import Refused

UNLISTED = (
    "The results of games at this address are not listed, also not those from before. Their names are not in the results "
    "of others. LIST ME lists them again."
)


def list_me(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """LIST ME AS …: for the address of the seat, whoever else may have written the letter."""
    seat = sender.seat
    try:
        answer.remark(listed(work, seat.address, seat.holder, arrived, command))
    except Refused as refusal:
        answer.remark(f"LIST ME: you are not listed: {refusal}.")


def do_not_list_me(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """DO NOT LIST ME."""
    end_listing(work, sender.seat.address)
    answer.remark(UNLISTED)


def listed(work: Transaction, address: str, holder: str, arrived: Arrived, command: Command) -> str:
    """List an address under the name in a command, or else under the one that it had, or that of its holder. Returns the
    sentence for the answer. Raises `Refused`."""
    if arrived.shows_token(command):
        raise Refused(IN_NAMES)
    name = list_player(work, address, command.words.get("name", ""), called(holder, address))
    return (
        f"The results of games at this address are listed under the name {name}, as soon as a game is over: places, draws, "
        f"missed turns, and a rating{_where(work)}. Everybody may see them. DO NOT LIST ME ends that at once."
    )


def _where(work: Transaction) -> str:
    """Where everybody can see them, if there is such a page."""
    pages = work.desk.settings.pages
    return f", at {pages.public_url}/results.html" if pages.public_url and pages.observers else ""
