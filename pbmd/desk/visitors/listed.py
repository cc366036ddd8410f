"""LIST ME and DO NOT LIST ME of people without a seat, who may have held one once.

Anybody can put any address on a mail, so an address is listed only by a reply to a mail that it got from here. To be taken off
needs no proof: the name stays theirs, and LIST ME brings it back.
"""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import render
from pbmd.desk.player.listing.listed import UNLISTED, listed
from pbmd.desk.player.listing.listed_players import end_listing
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.desk.visitors.code_shown import brings_our_words, has_proof
from pbmd.rules.protocol import Refused

_BY_REPLY = (
    "Nothing was done yet, since anybody could have written that mail. If you want the results of games at this address to be "
    "listed for everybody, reply to this mail, and say LIST ME AS and the name on a line of its own. If not, do nothing."
)


def list_me(work: Transaction, arrived: Arrived, command: Command, _plays: bool) -> str:
    """LIST ME AS …"""
    letter = arrived.letter
    try:
        proven = has_proof(work, letter) and not brings_our_words(arrived.script)
        sentence = listed(work, letter.sender, letter.sender_name, arrived, command) if proven else _BY_REPLY
    except Refused as refusal:
        sentence = f"LIST ME: you are not listed: {refusal}."
    return _answer(work, arrived, sentence)


def do_not_list_me(work: Transaction, arrived: Arrived, _command: Command, _plays: bool) -> str:
    """DO NOT LIST ME: the answer is the same whatever there was."""
    end_listing(work, arrived.letter.sender)
    return _answer(work, arrived, UNLISTED)


def _answer(work: Transaction, arrived: Arrived, sentence: str) -> str:
    text = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
    answer_visitor(work, arrived.letter, arrived.id, "your mail", text)
    return ""
