"""What servers, programs and people do to honest mails besides, and games of honest hosts that go on oddly."""

import re
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from functools import partial
from typing import Any

from pbmd.desk.changes import deadline_changes, quiet_days
from pbmd.desk.changes.gm import announce
from pbmd.desk.changes.pauses import pause, resume
from tests.archive.cheats.hosts import then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MINUTE,
    MOVES,
    SEATS,
    Evidence,
    Move,
    Played,
    deadline,
    fills,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import on_its_way
from tests.archive.made import export
from tests.desk.world import World, address_of

Game = Callable[[Played], Evidence]


def _mails(change: Callable[[bytes], bytes]) -> Game:
    return lambda played: Evidence(played.archive, {seat: tuple(map(change, raws)) for seat, raws in played.mails.items()})


def _texts(change: Callable[[str], str]) -> Game:
    return _mails(lambda raw: on_its_way(raw, change))


def _pages(change: Callable[[str], str]) -> Game:
    return _mails(lambda raw: on_its_way(raw, page=change))


def _with_field(field: str) -> Game:
    return _mails(lambda raw: field.encode() + b"\r\n" + raw)


def _dated(change: Callable[[str], str]) -> Game:
    return _mails(
        lambda raw: re.sub(rb"(?m)^Date: ([^\r\n]*)", lambda at: f"Date: {change(at[1].decode())}".encode(), raw, count=1)
    )


def _in_charset(raw: bytes, name: str) -> bytes:
    """A server writes text and page in another character set."""
    message = message_from_bytes(raw, policy=default)
    for part in [*message.walk()]:
        if part.get_content_maintype() == "text" and not part.get_filename():
            assert isinstance(part, EmailMessage)
            part.set_content(part.get_content(), subtype=part.get_content_subtype(), charset=name, cte="base64")
    head, packed = raw.partition(b"\r\nContent-Type:")[0], message.as_bytes(policy=SMTP)
    return head + b"\r\n" + packed[packed.index(b"Content-Type:") :]


def _inside(raw: bytes, kind: str) -> bytes:
    """A server puts the whole body into another, with a part below."""
    head, _, body = raw.partition(b"\r\nContent-Type:")
    below = b'Content-Type: application/%s; name="s.asc"\r\nContent-Disposition: attachment; filename="s.asc"\r\n\r\nxx\r\n'
    last = b"pgp-signature" if kind == "signed" else b"octet-stream"
    outer = b'Content-Type: multipart/%s; boundary="=-out"\r\n\r\n--=-out\r\n' % kind.encode()
    return head + b"\r\n" + outer + b"Content-Type:" + body + b"\r\n--=-out\r\n" + below % last + b"--=-out--\r\n"


def _flowed(text: str) -> str:
    """Each line that goes on in the next ends with a blank."""
    return re.sub(r"(?<=[a-z,])\n(?=[a-z])", " \n", text)


def _instead(name: str, *moves: Move) -> Game:
    return lambda played: played.again(name, **{name.replace(" ", "_"): then(*moves)})


def _with_terms(*moves: Move, **terms: Any) -> Game:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", **({"reminders": ()} | terms))

    nothing = dict.fromkeys(("vote_a", "vote_b", "vote_c"))
    return lambda played: played.again("begins", begins=begins, b2=then(*moves, MOVES["b2"]), **nothing)


def _acts(act: Callable[..., Any], *args: Any, **more: Any) -> Move:
    return lambda world: world.act(GAME, act, *args, **more)


def _until_summer(world: World) -> None:
    """The deadline is behind the night in which clocks are changed."""
    world.act(GAME, deadline_changes.extend, 130 * DAY, "the game master", "a long winter")


def _near_the_deadline(world: World) -> None:
    world.now = deadline(world) - DAY / 2
    world.pass_time(DAY / 24)


def _all_in_one_minute(world: World) -> None:
    for seat in (CHEATED, LOOKS_ON):
        world.send(seat, "Add 3")


def _out_of_order(world: World) -> None:
    """The mail server hands a later letter over first."""
    world.now += 9 * MINUTE
    world.send(CHEATED, "Add 4\nWAIT")
    world.send(CHEATED, "ADD\nAdd 5", at=world.now - 5 * MINUTE)
    world.send(CHEATED, "Add 6\nREADY", at=world.now - 7 * MINUTE)


def _is_held(world: World) -> None:
    """A letter that proves no seat is on hold until others have come, and then confirmed."""
    world.now += 7 * MINUTE
    world.send(CHEATED, "Add 6", to="games@pbmd.test", subject=f"[pbmd {GAME}] orders")
    asked = world.questions(address_of(CHEATED))[-1]
    sends(CHEATED, "Add 7")(world)
    world.reply(asked, "YES")


def _own(world: World) -> dict[str, tuple[bytes, ...]]:
    """All that each seat has sent."""
    raws = [letter.raw for letter in world.letters()]
    heads = {raw: raw.partition(b"\r\n\r\n")[0] for raw in raws}
    return {seat: tuple(raw for raw in raws if f"From: {address_of(seat)}".encode() in heads[raw]) for seat in SEATS}


def _with_own(*moves: Move, other: str = "", **terms: Any) -> Game:
    """A game of which all keep what they have sent, and perhaps that to another game at the host, too."""

    def game(played: Played) -> Evidence:
        with closing(World(played.room())) as world:
            for name in filter(None, (GAME, other)):
                world.start(name, SEATS, {"target": 60}, ruleset="count", **({"reminders": ()} | terms))
            for seat in SEATS if other else ():
                sends(seat, f"Add 7\nWAIT\nPRESS TO {FRIEND if seat != FRIEND else CHEATED}\nHi.\nEND PRESS", game=other)(world)
            then(*moves, *(sends(seat, "Add 5") for seat in SEATS), passes(4 * DAY), passes(4 * DAY))(world)
            mails, own = mails_of(world), _own(world)
            archive = export(world, played.room() / "archive")
            return Evidence(archive, {seat: (*mails[seat], *own[seat]) for seat in SEATS})

    return game


_SELDOM = "You don't often get mail from this address. {} at https://ask.example.org/why"
"""What a server puts above a mail from somebody who writes seldom; in the page the address is behind the words."""


def _marked_as_seldom(raw: bytes) -> bytes:
    link = '<a href="https://ask.example.org/why">Learn why</a>'
    page = _SELDOM.partition(" {}")[0]
    return on_its_way(
        raw,
        lambda text: f"[{_SELDOM.format('Learn why')} ]\n\n{text}",
        lambda text: re.sub(r"(<body[^>]*>)", rf"\1<div>{page} {link}</div>", text, count=1),
    )


_LIKE_A_RECEIPT = "Your orders for turn 2 are in.\nReceipt 3 of game galaxy-7, turn 2, for Borealis\nOrders are due today."
_FOOTER = "\n-- \nThis list is club. To leave it:\nhttps://lists.example.org/leave?id=47&to=me\n"
MAILBOXES: dict[str, Game] = {
    "letters came out of order": _with_own(_out_of_order),
    "letters came out of order, and all are told who has sent": _with_own(_out_of_order, who_has_sent="names"),
    "a letter on hold was confirmed when others had come": _with_own(_is_held),
    "a letter on hold was confirmed, and all are told who has sent": _with_own(_is_held, who_has_sent="names"),
    "orders were cancelled, and all are told who has sent": _with_own(
        sends(FRIEND, "Add 1"),
        sends(FRIEND, "CANCEL ORDERS"),
        sends(CHEATED, "Add 2\nSTATUS"),
        sends(LOOKS_ON, "Add 3\nWAIT"),
        who_has_sent="names",
    ),
    "players sleep, and all are told who has sent": _with_own(
        passes(5 * DAY), passes(5 * DAY), sends(CHEATED, "I'M BACK\nAdd 2"), missed_in_a_row=1, who_has_sent="names"
    ),
    "own letters to another game are there, too": _with_own(other="other-1"),
    "own press looks like a mail of the game": _with_own(
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\n{_LIKE_A_RECEIPT}\nEND PRESS\nADD\nAdd 1"),
        sends(LOOKS_ON, f"PRESS TO ALL\n{_LIKE_A_RECEIPT}\nEND PRESS"),
    ),
    "the clock stood beyond the deadline, and letters came": _with_own(
        _acts(pause, "a storm"), passes(9 * DAY), sends(CHEATED, "STATUS"), sends(LOOKS_ON, "Add 4"), _acts(resume, "")
    ),
    "a list puts a footer with numbers below the text alone": _texts(lambda text: f"{text}{_FOOTER}"),
    "subjects have a mark in other letters, which is not encoded": _mails(
        lambda raw: re.sub(rb"(?m)^Subject: ", "Subject: 回复：".encode(), raw, count=1)
    ),
    "texts are in Latin-1": _mails(partial(_in_charset, name="iso-8859-1")),
    "texts are in the character set of Windows": _mails(partial(_in_charset, name="windows-1252")),
    "texts are flowed": _texts(_flowed),
    "blanks at the ends of lines are lost": _texts(lambda text: re.sub(r"(?m)[ \t]+$", "", text)),
    "two blanks become one": _texts(lambda text: re.sub(r"(?m)(?<=\S)  +", " ", text)),
    "blanks at the beginnings of lines are lost": _texts(lambda text: re.sub(r"(?m)^ +(?=[^|])", "", text)),
    "empty lines are lost": _texts(lambda text: re.sub(r"\n\n+", "\n\n", text)),
    "texts end with many empty lines": _texts(lambda text: text + "\n" * 20),
    "texts end with a mark of the end of a file": _texts(lambda text: f"{text}\x1a\n"),
    "lines that begin with From are quoted": _texts(lambda text: re.sub(r"(?m)^From ", ">From ", text)),
    "a server stamps each mail with where it went": _with_field(
        "Delivered-To: me@players.test\r\nX-Original-To: me@players.test"
    ),
    "a server signs each mail": _with_field(
        "DKIM-Signature: v=1; a=rsa-sha256; d=pbmd.test; s=x; h=from:to; b=AAAA\r\nARC-Seal: i=1"
    ),
    "a program keeps flags": _with_field("X-Mozilla-Status: 0001\r\nStatus: RO\r\nX-Keywords: games"),
    "a filter has judged each mail": _with_field(
        "X-Spam-Status: No, score=-1.0\r\nX-Virus-Scanned: yes\r\nAuthentication-Results: mx; dkim=pass"
    ),
    "a relay has an odd clock": _with_field("Received: from a by relay.test; Fri, 20 Nov 1970 12:00:00 +0000"),
    "a relay writes no date": _with_field("Received: from a by relay.test (x) with SMTP id 1"),
    "dates are in another zone": _dated(lambda at: re.sub(r"(\d\d):(\d\d):(\d\d) \+0000", lambda t: f"{t[0][:8]} -0000", at)),
    "dates have the name of their zone": _dated(lambda at: at.replace("+0000", "GMT")),
    "dates have a remark behind them": _dated(lambda at: f"{at} (UTC)"),
    "mails have no dates": _mails(lambda raw: re.sub(rb"(?m)^Date: [^\r\n]*\r\n", b"", raw, count=1)),
    "names of fields are in capitals": _mails(
        lambda raw: re.sub(
            rb"(?m)\A(?:.+\r\n)+", lambda head: re.sub(rb"(?m)^[A-Z][\w-]*:", lambda name: name[0].upper(), head[0]), raw
        )
    ),
    "the address is written with a name": _mails(
        lambda raw: re.sub(rb"(?m)^To: .*?<?([^\s<>]+@[^\s<>]+)>?\r$", rb'To: "Me, myself" <\1>\r', raw, count=1)
    ),
    "a page is in a frame of a program": _pages(
        lambda page: re.sub(r"(<body[^>]*>)", r'\1<div class="x" dir="ltr">', page).replace("</body>", "</div></body>")
    ),
    "a program takes the head of pages away": _pages(lambda page: re.sub(r"<head>.*?</head>", "", page, flags=re.DOTALL)),
    "a program drops the languages of pages": _pages(lambda page: page.replace(' lang="en"', "")),
    "a program writes tags in capitals": _pages(
        lambda page: re.sub(r"</?[a-z]+\d?(?=[\s>])", lambda tag: tag[0].upper(), page)
    ),
    "a program writes blanks as such in pages": _pages(lambda page: page.replace("&nbsp;", "\u00a0")),
    "a server says above each mail that its writer writes seldom": _mails(_marked_as_seldom),
    "pages begin with a declaration of XML": _pages(lambda page: f'<?xml version="1.0" encoding="utf-8"?>\n{page}'),
    "a program puts a comment above and below pages": _pages(
        lambda page: f"<!-- scanned -->{page}".replace("</body>", "<!-- the end --></body>")
    ),
    "a server signs the whole mail": _mails(partial(_inside, kind="signed")),
    "a server wraps the whole mail": _mails(partial(_inside, kind="mixed")),
    "players are told who has sent": _with_terms(who_has_sent="names"),
    "players are reminded": _with_terms(_near_the_deadline, reminders=("24h",)),
    "players are reminded twice, one in another zone": _with_terms(
        sends(CHEATED, "TIMEZONE America/St_Johns"), _near_the_deadline, reminders=("24h", "12h")
    ),
    "two letters came at once": _instead("b2", _all_in_one_minute),
    "a deadline is in summer, and told in a zone with summer time": _instead(
        "b3", sends(CHEATED, "TIMEZONE Europe/Berlin"), _until_summer, sends(CHEATED, "STATUS"), MOVES["b3"]
    ),
    "a deadline is in summer, far in the south": _instead(
        "b3", sends(CHEATED, "TIMEZONE America/Santiago"), _until_summer, sends(CHEATED, "CALENDAR ON"), MOVES["b3"]
    ),
    "a calendar was asked for in a pause": _instead(
        "c2", _acts(pause, "a storm"), sends(CHEATED, "CALENDAR ON"), passes(DAY), _acts(resume), MOVES["c2"]
    ),
    "a calendar was asked for, and the deadline moved twice": _instead(
        "c2",
        sends(CHEATED, "CALENDAR ON"),
        _acts(deadline_changes.extend, DAY, "the game master", "a storm"),
        _acts(deadline_changes.extend, DAY, "the game master", "another"),
        MOVES["c2"],
    ),
    "all commands stood in one letter": _instead(
        "b2",
        sends(CHEATED, f"Add 6\nSTATUS\nHELP\nTIMEZONE Asia/Tokyo\nWAIT\nPRESS TO {LOOKS_ON}\nHi.\nEND PRESS"),
        MOVES["b2"],
    ),
    "a report was asked for again twice in turn 3": _instead(
        "b3", sends(CHEATED, "REPORT 2"), sends(CHEATED, "REPORT 1\nREPORT DATA"), MOVES["b3"]
    ),
    "orders were refused as a whole": _instead("b2", sends(CHEATED, "Add nothing\nSit down"), MOVES["b2"]),
    "orders came too late, and their sender was told": _instead("turn 2", passes(), sends(CHEATED, "ORDERS FOR TURN 2\nAdd 3")),
    "orders were for another turn": _instead("b2", sends(CHEATED, "ORDERS FOR TURN 9\nAdd 3"), MOVES["b2"]),
    "a vote was over with a ballot": _instead(
        "vote b", sends(CHEATED, "VOTE 1 YES"), sends(FRIEND, "VOTE 1 YES"), sends(CHEATED, "STATUS")
    ),
    "there was a vote that nobody could pass": _instead("vote b", sends(CHEATED, "VOTE 9 YES"), MOVES["vote b"]),
    "an announcement has a web address and a table": _instead(
        "c2",
        _acts(announce, "See https://example.org/a?b=c&d=e\n\n| a | b |\n|---|---|\n\n#orders\nAdd 9\n#end"),
        MOVES["c2"],
    ),
    "there was a holiday in the turn": _instead(
        "c2",
        lambda world: world.act(GAME, quiet_days.add_holiday, (world.now + DAY).date().isoformat(), "a feast"),
        MOVES["c2"],
    ),
    "orders and their word came again an hour later": _instead(
        "b2", fills(CHEATED, "Add 6", word="a word"), passes(61 * MINUTE), fills(CHEATED, "Add 6", word="a word")
    ),
    "press was written while all were away": _instead(
        "press",
        sends(CHEATED, "ABSENT FROM 2026-12-01 TO 2026-12-02"),
        MOVES["press"],
        sends(CHEATED, f"PRESS TO {FRIEND}\nx\nEND PRESS"),
    ),
}
"""By what is odd in them."""
