"""Whose letter it is: a seat's, the game master's, a pbmd's, or nobody's. A seat is acted for only by who proves to hold it, as
far as the game's terms ask for.

| `trust` | what acts for a seat, always from its registered address |
|---|---|
| ``open`` | the address alone |
| ``token`` | the seat's token |
| ``strict`` | the same, and the mail server vouches for the address |

Who once had a seat and replies to a mail of that time acts for none, not even another of theirs: they are told so.

A letter that points to a seat and falls short of that is doubtful: its holder is asked. All else changes nothing and is
answered by nothing, so that a wrong token, an unknown game and an unknown player look the same from outside.

The game master's token, in every mail to them about a game, is proof of the same kind, and bound to that game. It counts if the
letter is from their address, in a strict game if the mail server vouches for that; in an open one so does the name of the game
in the subject as our mails have it, unless the game master plays in it, too. What falls short of that is a stranger's letter,
and treated as any other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from sqlmodel import col, select

from pbmd.desk.books.question_payloads import Subject
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.letter.opened_letter import ELSEWHERE, UNVOUCHED, Away, Doubtful, Former, Lost, Master, Sender, Unclear
from pbmd.desk.mail.tags import GM_SEAT, gm_tag, is_sheet_of, seat_tag
from pbmd.desk.mail.tokens import generations_known
from pbmd.desk.step.substitutes.away_mails import away_tag
from pbmd.desk.step.substitutes.wishes import time_of_substitute
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.entries.player_entries import AddressChange, AddressEntry, EjectedEntry, HandOver, HolderEntry, ResignedEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Confirmation, Game, GameStatus, Seat, SeatState, Substitution, SubstitutionState
from pbmd.post.addresses import folded, same_address, same_mailbox
from pbmd.post.lines.form_line import is_sheet
from pbmd.post.read.authentication import checks, is_aligned
from pbmd.post.read.letter import Letter
from pbmd.post.tags import Tag, make_code, make_token, ranked_tags, read_tag, token_matches

_SUBJECT = re.compile(r"\[pbmd (?P<game>\S{1,60})(?: t(?P<turn>\d{1,6})(?: (?P<step>[\w -]{1,40}))?)?\]", re.IGNORECASE)
_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


def subject_step(letter: Letter) -> tuple[str, int, str] | None:
    """Game, turn, and the name of the step, if it has one, of the mail that this letter answers, as its subject has them."""
    found = _SUBJECT.search(letter.subject)
    return (found["game"].lower(), int(found["turn"]), found["step"] or "") if found and found["turn"] else None


_HAPPENED = re.compile(r"\[pbmd [^\]]{1,80}\] (?:nothing to do; )?(?P<step>\w[\w -]{0,60}): what happened", re.IGNORECASE)


def subject_reported(letter: Letter) -> str:
    """What the report told of that this letter answers, as its subject calls it, in small letters; empty if it was none."""
    found = _HAPPENED.search(letter.subject)
    return found["step"].lower() if found else ""


def named_game(letter: Letter) -> str:
    """The game that the subject of a letter names as those of our mails do, in small letters; empty if it names none."""
    found = _SUBJECT.search(letter.subject)
    return found["game"].lower() if found else ""


def proven_seat(work: Transaction, tag: Tag, address: str) -> bool:
    """Whether the tag is right, and its seat is played from that address."""
    proven = _by_token(work, tag)
    return proven is not None and same_address(proven.seat.address, address)


def identify(work: Transaction, letter: Letter) -> Sender | Doubtful | Away | Former | Unclear | str:
    """The seat, or the seat that is to be asked, or that of which the sender is away or which they have lost, or those that it
    could be, or the reason for the log why this letter is nobody's."""
    if not letter.sender:
        return ": ".join(filter(None, ("no single sender", letter.sender_doubt)))
    ranks = ranked_tags(letter, work.desk.settings.server.address)
    own, of_others = _proven(work, letter, ranks)
    if own:
        besides = tuple([f"{each.seat.name} in {each.table.game.name}" for each in own[1:]])
        return _vouched_for(work, letter, replace(own[0], besides=besides) if besides else own[0])
    if (away := _away(work, letter, ranks)) is not None:
        return away
    if (former := _former(work, letter, ranks)) is not None:
        return former
    seats = _seats_of(work, letter, ranks)
    trusting = [sender for sender in seats if sender.table.terms.trust == "open"]
    if len(trusting) == 1:
        return trusting[0]
    reason = "no token that is valid" if any(ranks) else "no token"
    if len(seats) == 1:
        return _doubtful(seats[0], reason)
    if of_others:
        return _doubtful(of_others[0], ELSEWHERE)
    return Unclear(tuple(seats), f"{reason}, and several seats that it could be for") if seats else reason


def _proven(work: Transaction, letter: Letter, ranks: Sequence[Sequence[Tag]]) -> tuple[list[Sender], list[Sender]]:
    """The sender's own seats whose tokens the letter shows in the first place where it shows any of theirs, and if there are
    none, the seats of others whose tokens it shows: it may quote their mails."""
    of_others: list[Sender] = []
    for rank in ranks:
        proven = [sender for tag in rank if (sender := _by_token(work, tag)) is not None]
        if own := [each for each in proven if same_address(each.seat.address, letter.sender)]:
            return own, []
        of_others += proven
    return [], of_others


def _doubtful(meant: Sender, reason: str) -> Doubtful | str:
    """The seat that is to be asked; before and after a game there is nothing to ask about."""
    return Doubtful(meant.table, meant.seat, reason) if meant.table.game.status in _UNDER_WAY else reason


def _away(work: Transaction, letter: Letter, ranks: Sequence[Sequence[Tag]]) -> Away | None:
    """The seat that a substitute has and that the sender has proved to be the player of, by what proved it before; where the
    address alone does, by that, if the letter shows no other game."""
    shown = {(tag.game, tag.seat): tag for rank in ranks for tag in rank}
    for wish in work.session.exec(_AWAY.where(Substitution.address == letter.sender)):
        table = work.table(wish.game_id)
        seat = table.seat_of_id(wish.seat_id)
        if seat is None:
            continue
        tag = shown.get((table.id, seat.number))
        proven = tag is not None and token_matches(away_tag(work, seat, wish).token, tag.token)
        named = table.terms.trust == "open" and named_game(letter) == table.game.name
        if (proven and _is_vouched_for(work, letter, table)) or named:
            return Away(table, seat, wish)
    return None


_AWAY = select(Substitution).where(Substitution.state == SubstitutionState.PLAYING).order_by(col(Substitution.id))


def _former(work: Transaction, letter: Letter, ranks: Sequence[Sequence[Tag]]) -> Former | None:
    """The seat that the sender once had, if the letter shows an old token of it, and none of a seat of theirs before that."""
    ended: dict[int, tuple[str, ...]] = {}  # of each seat: a letter may show thousands of tags
    for tag in chain.from_iterable(ranks):
        table = work.table_if_any(tag.game)
        seat = next((seat for seat in table.seats if seat.number == tag.seat), None) if table else None
        if table is None or seat is None:
            continue
        if seat.state is SeatState.ACTIVE and same_address(seat.address, letter.sender):
            return None
        if (number := seat.id or 0) not in ended:
            ended[number] = _ended_tokens(work, seat)
        shown = any(token_matches(token, tag.token) for token in ended[number])
        if shown and (lost := _lost(work, table, seat, letter.sender)):
            return Former(table, seat, lost)
    return None


def _ended_tokens(work: Transaction, seat: Seat) -> tuple[str, ...]:
    """The last tokens of a seat that hold no more."""
    earlier = (each for each in generations_known(seat.token_generation) if each != seat.token_generation)
    return tuple([make_token(work.desk.key, seat.game_id, seat.number, each) for each in earlier])


def _lost(work: Transaction, table: OpenGame, seat: Seat, address: str) -> Lost | None:
    """How somebody lost a seat; None if they never had it, or get it back, or if a journal that is damaged does not say so any
    more."""
    away = time_of_substitute(work, table, seat)
    if away is not None and same_address(away.address, address):
        return None  # it is theirs, and comes back
    work.write_rows()
    try:
        if seat.state is SeatState.RESIGNED and same_address(seat.address, address):
            return "ejected" if _was_ejected(work, seat) else "given up"
        return _changed_hands(work, seat, address)
    except MalformedEntry:
        return None


def _was_ejected(work: Transaction, seat: Seat) -> bool:
    """Whether the game master took an empty seat from its last player. Raises `MalformedEntry`."""
    found = entries_of(work.session, seat.game_id, HolderEntry, ResignedEntry, EjectedEntry, newest_first=True)
    before = islice((each.entry for each in found if each.entry.seat == seat.name), 1, None)  # the newest: it was given up
    return isinstance(next(before, None), EjectedEntry)


def _changed_hands(work: Transaction, seat: Seat, address: str) -> Lost | None:
    """What became of a seat when it left an address. The change of another address tells nothing: it is their secret. Raises
    `MalformedEntry`."""
    found = entries_of(work.session, seat.game_id, HolderEntry, AddressEntry, with_sealed=True, newest_first=True)
    changes = [each for one in found if (each := one.entry.sealed) is not None and each.seat == seat.name]
    left = next((place for place, each in enumerate(changes) if same_address(each.old, address)), None)
    if left is None:
        return None
    if seat.state is not SeatState.ACTIVE or any(isinstance(each, HandOver) for each in changes[:left]):
        return "gone"
    return _lost_by(changes[left:])


def _lost_by(changes: Sequence[AddressChange]) -> Lost:
    """The same by the change with which it left, and those before it, the newest first."""
    last = next((each for each in changes if isinstance(each, HandOver)), None)
    if last is not None and last.until:
        return "gone"  # a seat that the rules count out comes back from a substitute as if it had only moved
    if last is None or last is not changes[0]:
        return "moved"
    return "returned" if last.back else "taken over"


def own_form(work: Transaction, sender: Sender | Doubtful) -> Callable[[str], bool]:
    """Tells the tag of this seat's order forms and sheets from all others, as `pbmd.post.read.letter.for_seat` wants to know
    it."""

    def own(text: str) -> bool:
        if is_sheet(text):
            return is_sheet_of(work, sender.seat, text)
        given, tag = read_tag(text), seat_tag(work, sender.seat)
        return given is not None and (given.game, given.seat) == (tag.game, tag.seat) and token_matches(tag.token, given.token)

    return own


def _vouched_for(work: Transaction, letter: Letter, sender: Sender) -> Sender | Doubtful:
    """The sender, unless the game is strict and the mail server does not say that the address is right. Before and after a
    game there is nothing to be strict about."""
    if _is_vouched_for(work, letter, sender.table):
        return sender
    server = work.desk.settings.mail.authserv_id
    return Doubtful(sender.table, sender.seat, UNVOUCHED, checks(letter.results, server, letter.sender))


def _is_vouched_for(work: Transaction, letter: Letter, table: OpenGame) -> bool:
    strict = table.terms.trust == "strict" and table.game.status in _UNDER_WAY
    return not strict or is_aligned(letter.results, work.desk.settings.mail.authserv_id, letter.sender)


def _by_token(work: Transaction, tag: Tag) -> Sender | None:
    table = work.table_if_any(tag.game)
    seat = next((seat for seat in table.seats if seat.number == tag.seat), None) if table else None
    if (
        table is None
        or seat is None
        or seat.state is not SeatState.ACTIVE
        or not token_matches(seat_tag(work, seat).token, tag.token)
    ):
        return None
    return Sender(table, seat)


def _seats_of(work: Transaction, letter: Letter, ranks: Sequence[Sequence[Tag]]) -> list[Sender]:
    """The seats that the sender's address holds in games that are not over: those whose number a tag shows, whatever its
    token is worth, else those in the game named in the subject, else all."""
    statement = (
        select(Seat.name, Seat.number, Game.id, Game.name)
        .join(Game)
        .where(Seat.address == letter.sender, Seat.state == SeatState.ACTIVE, Game.status != GameStatus.FINISHED)
    )
    held = [_Held(*row) for row in work.session.exec(statement).all()]
    tables = [(each.seat, work.table(each.game_id or 0)) for each in _meant(held, letter, ranks)]
    return [Sender(table, table.seat(seat), by_address=True) for seat, table in tables]


class _Held(NamedTuple):
    seat: str
    number: int
    game_id: int | None
    game: str


def _meant(held: Sequence[_Held], letter: Letter, ranks: Sequence[Sequence[Tag]]) -> Sequence[_Held]:
    for rank in ranks:
        shown = {(tag.game, tag.seat) for tag in rank}
        if found := [each for each in held if (each.game_id, each.number) in shown]:
            return found
    game = named_game(letter)
    return [each for each in held if game in ("", each.game)]


# --- The game master --------------------------------------------------------------------------------------------------------

ABOUT_GM: Subject = "master"
"""The subject of the questions to the game master."""


def master_of(work: Transaction, letter: Letter, questions: Sequence[Confirmation]) -> Master | None:
    """The game that a letter masters, None if it is not certain that the game master sent it."""
    server = work.desk.settings.server
    if not letter.sender or letter.automatic or letter.vacation or letter.sender != folded(server.gm):
        return None
    found = _answering_master(work, questions) or _master_by_token(work, letter) or _master_by_name(work, letter)
    if found is None:
        return None
    strict = found.table.terms.trust == "strict"
    vouched = is_aligned(letter.results, work.desk.settings.mail.authserv_id, letter.sender)
    return found if vouched or not strict else None


def _answering_master(work: Transaction, questions: Sequence[Confirmation]) -> Master | None:
    of_games = ((each.game_id, each) for each in questions if each.subject == ABOUT_GM)
    return next((Master(work.table(game_id), question) for game_id, question in of_games if game_id is not None), None)


def _master_by_token(work: Transaction, letter: Letter) -> Master | None:
    for rank in ranked_tags(letter, work.desk.settings.server.address):
        for tag in rank:
            if tag.seat == GM_SEAT:
                table = work.table_if_any(tag.game)
                if table is not None and token_matches(gm_tag(work, table).token, tag.token):
                    return Master(table)
            elif proven_seat(work, tag, letter.sender):
                return None  # They play, too, and this is their seat's.
    return None


def _master_by_name(work: Transaction, letter: Letter) -> Master | None:
    name = named_game(letter)
    table = work.table_named(name) if name else None
    if table is None or table.terms.trust != "open":
        return None
    plays = any(seat.address == letter.sender and seat.state is SeatState.ACTIVE for seat in table.seats)
    return None if plays else Master(table, proven=False)


# --- A pbmd: its Message-ID has a form of its own, by which its mail is known when all other marks are gone -----------------

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
