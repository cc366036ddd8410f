"""A reply to a mail of ours shows that its writer reads the mail of their address: the code was only to be seen there."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Script
from pbmd.post.read.letter import Letter
from pbmd.post.tags import Code, codes_of, make_visitor_code, token_matches

OUR_WORDS = "only explain, and need not be sent"
"""These stand above the lines that newcomers copy, and are not copied with them."""


def brings_our_words(script: Script) -> bool:
    """Whether a letter contains a mail of ours as if it were written there: programs that answer for people may return it
    whole, including the lines that were to be copied."""
    lines = (*script.left, *(line for command in script.commands for line in command.body))
    return any(OUR_WORDS in line.text for line in lines)


def proof_for(work: Transaction, address: str) -> Code:
    """The code in what somebody without a seat is sent."""
    return make_visitor_code(work.desk.key, address)


def has_proof(work: Transaction, letter: Letter) -> bool:
    """Whether a letter shows the code of its sender's address."""
    right = proof_for(work, letter.sender)
    shown = codes_of(letter, work.desk.settings.server.address)
    return any(code.question == right.question and token_matches(right.secret, code.secret) for code in shown)
