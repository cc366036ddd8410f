"""Whether a letter was made by a pbmd, or is one of our own mails.

A pbmd's Message-ID has a form of its own. So a pbmd knows mail of its kind when all other marks are gone.
"""

import re
from collections.abc import Callable

from sqlalchemy import select
from sqlmodel import col

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tokens import generations_known
from pbmd.ledger.tables import Game, Seat
from pbmd.post.addresses import folded, same_mailbox
from pbmd.post.read.letter import Letter
from pbmd.post.tags import make_code, make_token, read_tag, token_matches

_SEAT = r"(?:g\d{1,9}p\d{1,6}|c\d{1,9})\.[a-z2-7]{16}\."
_OWN_ID = re.compile(
    rf"<(?:[a-z]+(?:-t\d{{1,6}}(?:s\d{{1,9}})?)?\.(?P<seat>{_SEAT})|(?:acknowledgement|alarm|hint|notice|refusal|report|silence|visit)\.)[a-z2-7]{{16}}@(?P<domain>[^<>@]+)>",
    re.IGNORECASE,
)
_CODE = re.compile(r"c(\d{1,9})\.([a-z2-7]{16})", re.IGNORECASE | re.ASCII)


def made_by_pbmd(letter: Letter, address: str, is_ours: Callable[[str], bool]) -> str:
    """Why a letter is a mail of pbmd itself, or of another pbmd, and must be dropped; empty if it is none.

    `address` is pbmd's own. That the letter only *answers* such a mail says nothing: players do. `is_ours` tells the tags
    and codes of this pbmd from others: what it sent before its domain became another is not of another pbmd.
    """
    if same_mailbox(letter.sender, address):
        return "it is from pbmd's own address"
    if _OWN_ID.fullmatch(letter.message_id):
        return "a pbmd has written it"
    domain = folded(address.rpartition("@")[2])
    shown = [found for each in letter.references if (found := _OWN_ID.fullmatch(each)) and found["seat"]]
    foreign = [found["seat"].rstrip(".") for found in shown if folded(found["domain"]) != domain]
    if foreign and not any(is_ours(each) for each in foreign[:_MOST_LOOKED_AT]):
        return "a pbmd has written it, in a game of its own"
    return ""


_MOST_LOOKED_AT = 20


def is_of(work: Transaction, text: str) -> bool:
    """Whether a tag or code is one that this pbmd has made, ended lately or not. It proves nothing of who writes."""
    if found := _CODE.fullmatch(text):
        return token_matches(make_code(work.desk.key, int(found[1])).secret, found[2])
    tag = read_tag(text)
    if tag is None:
        return False
    of_seat = select(col(Seat.token_generation)).where(col(Seat.game_id) == tag.game, col(Seat.number) == tag.seat)
    if not tag.seat:  # the game master's
        of_seat = select(col(Game.gm_generation)).where(col(Game.id) == tag.game)
    last = work.session.connection().execute(of_seat).scalar()
    tokens = (make_token(work.desk.key, tag.game, tag.seat, each) for each in generations_known(last or 0))
    return any(token_matches(each, tag.token) for each in tokens)
