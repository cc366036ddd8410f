"""Honest hosts are not accused, however odd their games went, and whatever gateways did to the mails."""

import base64
import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence.mail_kinds.mail_frame import FRAME
from pbmd.archive.evidence.mail_kinds.sent_letters import words_of
from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.witness import judge
from pbmd.archive.format.books import Books
from pbmd.desk.changes import deadline_changes, quiet_days, rollback
from pbmd.desk.changes.gm import abandon, announce, eject
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.peek import peek
from pbmd.desk.changes.seats import Hands, Holder, to_other_hands
from pbmd.desk.votes.decide import veto
from tests.archive.cheats import judged, time_given
from tests.archive.cheats.hosts import first_mail, then
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
    fills,
    go_on,
    joined,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import on_its_way, relayed, without_page
from tests.archive.evidence.mailboxes import MAILBOXES
from tests.archive.evidence.whole_games import WHOLE_GAMES
from tests.archive.made import examined, export, verified
from tests.desk.relay import past_turn_0, relay
from tests.desk.restored import restored
from tests.desk.step.test_words import begun
from tests.desk.world import SteadyEntropy, World, address_of, body_of, opened

Game = Callable[[Played], Evidence]


@pytest.fixture(scope="module", autouse=True)
def _each_is_examined_once() -> Iterator[None]:
    with judged.each_examined_once():
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with closing(Played(tmp_path_factory.mktemp("honest"))) as played:
        yield played


def _acts(act: Callable[..., Any], *args: Any, **more: Any) -> Game:
    """The game master does something in turn 2, with a reason."""

    def move(world: World) -> None:
        world.act(GAME, act, *args, **more)
        MOVES["c2"](world)

    return lambda played: played.again("c2", c2=move)


def _of_seat(act: Callable[..., Any], seat: str) -> Callable[..., Any]:
    return lambda work, table: act(work, table, table.seat(seat))


def _more_time_for_one(work: Any, table: Any) -> None:
    deadline_changes.extend(work, table, DAY, "the game master", "a storm", table.seat(FRIEND))


def _stands_for_a_day(world: World) -> None:
    world.act(GAME, pause, "a storm")
    world.now += DAY
    world.act(GAME, resume, "it is over")


def _instead(name: str, *moves: Move) -> Game:
    return lambda played: played.again(name, **{name.replace(" ", "_"): then(*moves)})


def _mails(change: Callable[[bytes], bytes]) -> Game:
    return lambda played: _changed(Evidence(played.archive, played.mails), change)


def _changed(evidence: Evidence, change: Callable[[bytes], bytes]) -> Evidence:
    return replace(evidence, mails={seat: tuple(map(change, mails)) for seat, mails in evidence.mails.items()})


def _with_commas(played: Played) -> Evidence:
    """Press to two, and an answer that names them as pbmd 1.1.0 did."""
    written = sends(LOOKS_ON, f"PRESS TO {CHEATED}, {FRIEND}\nHello, you two.\nEND PRESS")
    evidence = _instead("press", written)(played)
    now, before = (f"went to {CHEATED}{between}{FRIEND}.".encode() for between in (" and ", ", "))
    assert any(now in raw for raw in evidence.mails[LOOKS_ON])
    return _changed(evidence, lambda raw: raw.replace(now, before))


def _marked(raw: bytes) -> bytes:
    """A gateway warns of every mail, in its subject and on top of it."""
    raw = re.sub(rb"(?m)^Subject: ", b"Subject: [EXTERNAL] ", raw, count=1)
    return on_its_way(raw, "[EXTERNAL] This mail is from outside. Be careful.\n\n{}".format, _on_top)


def _on_top(page: str) -> str:
    return re.sub(r"(<body[^>]*>)", r"\1<p>[EXTERNAL] This mail is from outside. Be careful.</p>", page, count=1)


def _with_other_blanks(raw: bytes) -> bytes:
    return on_its_way(raw, lambda text: text.replace(" ", "\u00a0"))


def _with_footer(raw: bytes) -> bytes:
    """A mailing list says at the end of each mail how to leave it."""
    return on_its_way(raw, lambda text: f"{text}\n____\nTo leave this list, write to leave@lists.example.org\n")


def _relayed(raw: bytes) -> bytes:
    return relayed(raw, hash(raw) % 1_000_000)


def _below(words: str, page: str) -> Callable[[bytes], bytes]:
    """A server puts words below each mail, and the same below its page."""
    return lambda raw: on_its_way(
        raw, lambda text: f"{text}\n{words}\n", lambda text: text.replace("</body>", f"{page}</body>")
    )


_SCANNED = _below(
    "-- \nNo virus was found. www.scanner.example",
    '<div><a href="https://www.scanner.example/seal"><img src="https://www.scanner.example/seal.png" alt=""></a>'
    'No virus was found. <a href="https://www.scanner.example/seal">www.scanner.example</a></div>',
)
_GROUP = "https://groups.example.org/d/msgid/club/1"
_OF_GROUP = _below(
    f"-- \nYou are in the group club.\nTo see this mail there, visit {_GROUP}.",
    f'<p></p>-- <br>You are in the group club.<br>To see this mail there, visit <a href="{_GROUP}?from=footer">{_GROUP}</a>.',
)
_WITH_PIXEL = _below("", '<img src="https://count.example.org/1.gif" width="1" height="1" alt="">')


def _with_report_link(raw: bytes) -> bytes:
    """A gateway marks each mail as one from outside, with a link to report it."""
    to = "https://mark.example.org/r?id=1"
    page = rf'\1<p>[EXTERNAL] <a href="{to}">Report it</a></p>'
    return on_its_way(
        raw, f"[EXTERNAL] Report it: {to}\n\n{{}}".format, lambda text: re.sub(r"(<body[^>]*>)", page, text, count=1)
    )


def _with_footer_part(raw: bytes) -> bytes:
    """A mailing list puts its footer below each mail as a part of its own."""
    message = message_from_bytes(raw, policy=default)
    footer = EmailMessage(policy=default)
    footer.set_content("____\nThe list of the club\nhttps://lists.example.org/club\n", disposition="inline")
    if message.get_content_type() != "multipart/mixed":
        message.make_mixed()
    message.attach(footer)
    return message.as_bytes()


def _with_html_alone(raw: bytes) -> bytes:
    message = message_from_bytes(raw, policy=default)
    for part in (each for each in message.walk() if each.get_content_type() == "multipart/alternative"):
        part.set_payload([each for each in part.iter_parts() if each.get_content_type() != "text/plain"])
    return message.as_bytes()


def _with_subject(change: Callable[[str], str]) -> Game:
    """What programs, lists and gateways do to subjects."""

    def changed(found: re.Match[bytes]) -> bytes:
        return f"Subject: {change(' '.join(found[1].decode().split()))}\r\n".encode()

    return _mails(lambda raw: re.sub(rb"(?m)^Subject: (.*\r\n(?:[ \t].*\r\n)*)", changed, raw, count=1))


def _with_blanks_in_empty_lines(raw: bytes) -> bytes:
    return on_its_way(raw, lambda text: re.sub(r"(?m)^$", "\u00a0", text))


def _with_double_spacing(raw: bytes) -> bytes:
    return on_its_way(raw, lambda text: text.replace("\n", "  \n\n"))


def _with_blanks_in_files(raw: bytes) -> bytes:
    return on_its_way(raw, file=lambda text: text.replace("\n", " \n"))


def _without_mail_links(raw: bytes) -> bytes:
    return on_its_way(raw, page=lambda page: re.sub(r'<a [^>]*href="mailto:[^>]*>(.*?)</a>', r"\1", page, flags=re.DOTALL))


def _with_files_of_no_type(raw: bytes) -> bytes:
    return re.sub(rb"Content-Type: text/plain; charset=utf-8; name=", b"Content-Type: application/octet-stream; name=", raw)


def _a_little_late(raw: bytes) -> bytes:
    return b"Received: from a by mx.players.test; Fri, 20 Nov 2026 19:00:00 +0000\r\n" + raw


def _begun_again(played: Played) -> Evidence:
    """The ledger is lost without a backup; the club begins again under the old name, with the old key."""
    with closing(World(played.room())) as world:
        entropy = SteadyEntropy()
        entropy.drawn = 9000
        world.desk, world.now = replace(world.desk, entropy=entropy), world.now + 9 * DAY
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=())
        for seat in SEATS:
            sends(seat, "Add 5")(world)
        world.pass_time(30 * MINUTE)
        archive, since = export(world, played.room() / "archive", signed=True), mails_of(world)
    return Evidence(archive, joined(played.mails, since))


def _has_own_letters(played: Played) -> Evidence:
    """Borealis keeps all that it has sent beside what it got."""
    with played.gone_back("turn 3") as world:
        MOVES["turn 3"](world)
        sent = tuple(letter.raw for letter in world.letters() if b"borealis@" in letter.raw.partition(b"\r\n\r\n")[0])
    assert len(sent) > 2
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], *sent)})


def _keeps_own(seat: str, name: str, *moves: Move, as_sent: Callable[[bytes], bytes] = bytes) -> Game:
    """A seat keeps all that it has sent, as its provider has it, in a game that went otherwise."""

    def game(played: Played) -> Evidence:
        with played.gone_back(name) as world:
            go_on(world, name, {name: then(*moves)})
            gone_on = Evidence(export(world, played.room() / "archive"), mails_of(world))
            sender = f"{seat.lower()}@".encode()
            sent = tuple(as_sent(each.raw) for each in world.letters() if sender in each.raw.partition(b"\r\n\r\n")[0])
        return replace(gone_on, mails={**gone_on.mails, seat: (*gone_on.mails[seat], *sent)})

    return game


def _quotes_all_below(world: World) -> None:
    """Borealis writes above the whole of its last report, which its program quotes without any marks."""
    world.now += 7 * MINUTE
    report = begun(world, CHEATED)
    above = "_" * 32 + "\nFrom: galaxy-7 (pbmd) <games@pbmd.test>\nSent: Monday, November 23, 2026 12:51 PM"
    world.reply(report, f"Add 7\n\n{above}\nTo: Borealis\nSubject: turn 2\n\n{body_of(report)}")


_LINK = "https://maps.example.org/7"


def _with_links_looked_at(played: Played) -> Evidence:
    press = sends(LOOKS_ON, f"PRESS TO {CHEATED}\nLook at {_LINK} please.\nEND PRESS")
    return _links_looked_at(played.again("press", press=press))


def _links_looked_at(gone_on: Evidence) -> Evidence:
    """A server puts an address of its own around each link of press."""

    def change(text: str) -> str:
        return text.replace(_LINK, f"https://safe.example.org/?url={quote(_LINK, safe='')}&data=1")

    return _changed(gone_on, lambda raw: on_its_way(raw, change, change))


_ANY_LINK = re.compile(r"https://[a-z.]+/(?:[\w/-]|\.(?=\w))*")
_GATEWAYS = (
    lambda link: f"https://look.example/v2/url?u={_with_other_marks(link)}&d=DwMFaQ&c=x",
    lambda link: f"https://look.example.com/?url={quote(link, safe='')}&data=05%7C02%7C&reserved=0",
    lambda link: f"https://look.example/v3/__{link}__;!!ab-cd!x$",
)


def _with_other_marks(link: str) -> str:
    return quote(link.replace("-", "%2D"), safe="/%").replace("%", "-").replace("/", "_")


def _all_links_looked_at(leads: Callable[[str], str], *, labels: bool) -> Game:
    """A gateway puts an address of its own around each link, in texts and pages, but for what links show there if they have
    other `labels`."""

    def led(found: re.Match[str]) -> str:
        return leads(found[0])

    def in_page(page: str) -> str:
        return (
            _ANY_LINK.sub(led, page)
            if labels
            else re.sub(r'(?<=href=")https://[^"]+', lambda at: _ANY_LINK.sub(led, at[0]), page)
        )

    def game(played: Played) -> Evidence:
        with closing(World(played.room())) as world:
            world.settle(pages={"public_url": "https://play.test"})
            world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=())
            sends(LOOKS_ON, f"PRESS TO {CHEATED}\nLook at {_LINK}.\nEND PRESS")(world)
            world.pass_time(MINUTE)
            world.act(GAME, announce, f"All is at {_LINK}, for all.")
            for seat in SEATS:
                world.reply(begun(world, seat), "Add 5")
            world.pass_time(10 * MINUTE)
            gone_on = Evidence(export(world, played.room() / "archive"), mails_of(world))
        return _changed(gone_on, lambda raw: on_its_way(raw, lambda text: _ANY_LINK.sub(led, text), in_page))

    return game


def _with_other_id(raw: bytes) -> bytes:
    """A provider gives a letter another Message-ID on its way than that of the copy in the folder of sent mail."""
    return raw.replace(b"Message-ID: <letter", b"Message-ID: <kept-")


def _each_sent_twice(game: Game) -> Game:
    """Own letters are in two folders, or in an attached mailbox, too."""

    def again(played: Played) -> Evidence:
        kept = game(played)
        copies = (raw for raw in kept.mails[CHEATED] if b"Message-ID: <kept-" in raw)
        return replace(kept, mails={**kept.mails, CHEATED: (*kept.mails[CHEATED], *copies)})

    return again


def _keeps_a_draft(played: Played) -> Evidence:
    """Borealis has thought of other orders and never sent them."""
    evidence = _has_own_letters(played)
    draft = evidence.mails[CHEATED][-1].replace(b"Message-ID: <letter", b"X-Draft-Info: plain\r\nMessage-ID: <draft")
    return replace(evidence, mails={**evidence.mails, CHEATED: (*evidence.mails[CHEATED], draft.replace(b"Add 7", b"Add 8"))})


def _moves_to(address: str) -> Game:
    """Borealis is in other hands before the last turn, and one mailbox has the mails of both."""

    def hand_over(work: Any, table: Any) -> None:
        to_other_hands(work, table, table.seat(CHEATED), Hands(address, Holder("Dora", "UTC")))

    def game(played: Played) -> Evidence:
        with played.gone_back("c3") as world:
            world.act(GAME, hand_over)
            go_on(world, "c3", {"b3": sends(CHEATED, "Add 7", sender=address)})
            gone_on = Evidence(export(world, played.room() / "archive"), mails_of(world))
            addresses = (f"{CHEATED.lower()}@players.test", address)
            both = tuple(opened(mail.raw) for mail in world.outbox() if mail.recipient in addresses)
        return replace(gone_on, mails={**gone_on.mails, CHEATED: both})

    return game


def _taken_back(played: Played) -> Evidence:
    """Turn 2 is played again, and then turn 3."""

    def back(world: World) -> None:
        world.act(GAME, rollback.roll_back, 2, "a mistake")

    again = then(passes(5 * DAY), *(MOVES[name] for name in ("c3", "b3", "a3")), passes())
    return played.again("vote a", vote_a=back, vote_b=None, vote_c=None, turn_3=again)


def _silent(played: Played) -> Evidence:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), who_has_sent="nothing")

    return played.again("begins", begins=begins, vote_a=None, vote_b=None, vote_c=None)


def _with_terms(press: Move = MOVES["press"], **terms: Any) -> Game:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **terms)

    return lambda played: played.again("begins", begins=begins, press=press, vote_a=None, vote_b=None, vote_c=None)


def _voted_in_the_open(played: Played) -> Evidence:
    def begins(world: World) -> None:
        votes = {"votes": ("extension",), "vote_quorum": 60, "vote_ballots": "open"}
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **votes)

    return played.again("begins", begins=begins)


def _all_vote_for(what: str) -> tuple[Move, ...]:
    return sends(LOOKS_ON, f"PROPOSE {what}"), sends(CHEATED, "VOTE 1 YES"), sends(FRIEND, "VOTE 1 YES"), passes()


def _ended_by(*moves: Move, **terms: Any) -> Game:
    """The game ends after turn 2, by no rule."""

    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **terms)

    nothing = dict.fromkeys(("vote_b", "vote_c", "c3", "b3", "a3"))
    return lambda played: played.again("begins", begins=begins, vote_a=then(*moves), turn_3=passes(), **nothing)


_LIKE_A_MAIL = "| To: x\n--\nTo answer, reply with\nPRESS TO Altair\nFrom: me\n\nx: the game is paused. xx é 你"


def _each_twice(played: Played) -> Evidence:
    return Evidence(played.archive, {seat: raws * 2 for seat, raws in played.mails.items()})


def _with_other_quotes(raw: bytes) -> bytes:
    return on_its_way(raw, lambda text: text.replace("'", "\u2019"))


def _with_short_lines(raw: bytes) -> bytes:
    def short(line: str) -> str:
        return line if line.startswith(("|", "#", " ")) else textwrap.fill(line, 60)

    return on_its_way(raw, lambda text: "\n".join(map(short, text.split("\n"))))


def _forwarded(raw: bytes) -> bytes:
    """Somebody sends a mail on, as it came."""
    message = EmailMessage(policy=default)
    message["Subject"], message["From"], message["To"] = "Look", "ada@players.test", "bob@players.test"
    message.set_content("See this.\n")
    message.add_attachment(message_from_bytes(raw, policy=default))
    return message.as_bytes()


def _while_it_stands(*moves: Move) -> Move:
    """The clock stands for an hour."""

    def begins(world: World) -> None:
        world.act(GAME, pause, "a storm")

    def ends(world: World) -> None:
        world.now += 60 * MINUTE
        world.act(GAME, resume)

    return then(begins, *moves, ends)


def _gives_a_day(work: Any, table: Any, seat: Any) -> None:
    deadline_changes.extend(work, table, DAY, "the game master", "a storm", seat)


def _more_time_over_quiet_days(played: Played) -> Evidence:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), quiet_days=("tuesday",))

    def storm(world: World) -> None:
        world.act(GAME, deadline_changes.extend, DAY, "the game master", "a storm")

    nothing = dict.fromkeys(("vote_a", "vote_b", "vote_c"))
    return played.again("begins", begins=begins, c2=then(storm, passes(5 * DAY)), **nothing)


_WITH_DOT, _WITH_QUOTE = "St. Petersburg", "O'Brien"


def _half_a_minute(work: Any, table: Any, seat: Any) -> None:
    deadline_changes.extend(work, table, MINUTE / 2, "the game master", "", seat)


def _of_odd_names(played: Played) -> Evidence:
    """Seats have names with dots and quote marks in them: in a vote about one, and in press."""
    seats = (LOOKS_ON, CHEATED, _WITH_DOT, _WITH_QUOTE)
    with closing(World(played.room())) as world:
        world.start(GAME, seats, {"target": 60}, ruleset="count", reminders=(), votes=("replace",), vote_quorum=60)
        for move in (
            sends(LOOKS_ON, f"PROPOSE REPLACE {_WITH_DOT}"),
            sends(CHEATED, "VOTE 1 NO"),
            sends(CHEATED, "VOTE 1 YES"),
            sends(_WITH_QUOTE, f"PRESS TO {_WITH_DOT}, {CHEATED}\nHello.\nEND PRESS"),
            sends(_WITH_DOT, "PRESS TO ALL\nHello, all.\nEND PRESS"),
            lambda world: world.act(GAME, _of_seat(peek, _WITH_QUOTE)),
            lambda world: world.act(GAME, _of_seat(peek, _WITH_DOT)),
            lambda world: world.act(GAME, deadline_changes.extend, DAY, "the game master", "a storm", None),
            lambda world: world.act(GAME, _of_seat(_half_a_minute, _WITH_DOT)),
            *(sends(seat, "Add 5") for seat in seats),
            passes(),
        ):
            move(world)
        mails = {seat: tuple(opened(mail.raw) for mail in world.outbox("", seat)) for seat in seats}
        return Evidence(export(world, played.room() / "archive"), mails)


def _acts_twice(one: Callable[..., Any], other: Callable[..., Any]) -> Game:
    return _instead("c2", lambda world: world.act(GAME, one), lambda world: world.act(GAME, other), MOVES["c2"])


def _with_votes(**moves_and_terms: Any) -> Game:
    """The game with votes on everything."""
    terms = {each: moves_and_terms.pop(each) for each in ("vote_quorum",) if each in moves_and_terms}
    votes = {"votes": ("pause", "extension", "draw", "cancel", "replace"), "vote_quorum": 60} | terms

    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **votes)

    return lambda played: played.again("begins", begins=begins, **moves_and_terms)


def _votes_for(what: str, *moves: Move) -> Game:
    """Two of three vote for something; what comes then."""
    return _with_votes(vote_a=sends(LOOKS_ON, f"PROPOSE {what}"), vote_c=then(sends(FRIEND, "VOTE 1 YES"), *moves))


def _instead_of_votes(*moves: Move) -> Game:
    return _with_votes(vote_a=then(*moves), vote_b=None, vote_c=None)


def _with_part_above(raw: bytes) -> bytes:
    """A gateway warns of each mail in a part of its own, above all others."""
    message = message_from_bytes(raw, policy=default)
    above = EmailMessage(policy=default)
    above.set_content("This mail comes from outside.\n", disposition="inline")
    if message.get_content_type() != "multipart/mixed":
        message.make_mixed()
    message.set_payload([above, *message.iter_parts()])
    return message.as_bytes()


def _with_signed_footer(raw: bytes) -> bytes:
    """A list puts a part of its own below, and signs all of it."""
    message = message_from_bytes(raw, policy=default)
    footer, signature, inner, outer = EmailMessage(), EmailMessage(), EmailMessage(), message_from_bytes(raw, policy=default)
    footer.set_content("You get this as a member of the club.\n", disposition="inline")
    signature.set_content(b"\0" * 40, "application", "pkcs7-signature", filename="smime.p7s")
    if message.get_content_type() != "multipart/mixed":
        message.make_mixed()
    inner["Content-Type"] = "multipart/mixed"
    inner.set_payload([*message.iter_parts(), footer])
    del outer["Content-Type"]
    outer["Content-Type"] = "multipart/signed"
    outer.set_payload([inner, signature])
    return outer.as_bytes()


def _with_long_footer(raw: bytes) -> bytes:
    return on_its_way(raw, lambda text: "\n".join([text, *(f"Line {'i' * number} of the law" for number in range(75)), ""]))


def _has_a_friends_mail(played: Played) -> Evidence:
    """Cygnus has passed a report on to Borealis."""
    report = next(raw for raw in played.mails[FRIEND] if b"Turn 1: what happened" in raw)
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], _forwarded(report))})


def _gives_up_and_comes_back(played: Played) -> Evidence:
    """Nobody holds Borealis from turn 2 to turn 3."""

    def comes_back(work: Any, table: Any) -> None:
        to_other_hands(work, table, table.seat(CHEATED), Hands("borealis@players.test", Holder("Ada", "UTC")))

    def returns(world: World) -> None:
        world.act(GAME, comes_back)
        sends(CHEATED, "Add 7")(world)

    nothing = dict.fromkeys(("vote_a", "vote_b", "vote_c"))
    return played.again("press", b2=lambda world: world.resign(CHEATED), b3=returns, **nothing)


def _with_encoding_marks(raw: bytes) -> bytes:
    return on_its_way(raw, "\ufeff{}".format, "\ufeff{}".format)


def _sent_to_a_friend(played: Played) -> Evidence:
    """Each seat shows its mails to a friend, and its program writes that they answer the game's."""

    def shown(raw: bytes) -> bytes:
        message = message_from_bytes(raw, policy=default)
        body = message.get_body(("plain",))
        assert isinstance(body, EmailMessage)
        reply = EmailMessage(policy=default)
        reply["From"], reply["To"], reply["Date"] = "ada@players.test", "dora@friends.test", "Mon, 23 Nov 2026 12:00:00 +0000"
        reply["Message-ID"], reply["In-Reply-To"] = f"<shown-{abs(hash(raw))}@players.test>", message["Message-ID"]
        reply["Subject"] = f"Fwd: {message['Subject']}"
        reply.set_content(f"Look!\n\n-----Original Message-----\n{body.get_content()}")
        return reply.as_bytes()

    return Evidence(played.archive, {seat: (*mails, *map(shown, mails)) for seat, mails in played.mails.items()})


def _each_second_forwarded(played: Played) -> Evidence:
    mails = {
        seat: tuple(_forwarded(raw) if at % 2 else raw for at, raw in enumerate(raws)) for seat, raws in played.mails.items()
    }
    return Evidence(played.archive, mails)


def _all_attached_to_one(played: Played) -> Evidence:
    """A player marks all mails but one, and sends them on as attachments of one."""

    def attached(mails: tuple[bytes, ...]) -> bytes:
        message = EmailMessage(policy=default)
        message["Subject"], message["From"], message["To"] = "All", "ada@players.test", "bob@players.test"
        message.set_content("See these.\n")
        for raw in mails:
            message.add_attachment(message_from_bytes(raw, policy=default))
        return message.as_bytes()

    return Evidence(played.archive, {seat: (raws[0], attached(raws[1:])) for seat, raws in played.mails.items()})


def _mails_to(address: str) -> Game:
    """Only those of one of the two who held Borealis one after the other."""

    def game(played: Played) -> Evidence:
        evidence = _moves_to("new@players.test")(played)
        mails = tuple(raw for raw in evidence.mails[CHEATED] if address in str(message_from_bytes(raw, policy=default)["To"]))
        assert mails
        return replace(evidence, mails={**evidence.mails, CHEATED: mails})

    return game


def _moves_on_to(address: str, *kept: str) -> Game:
    """Borealis plays on from another address, and asks with the mails to those addresses."""

    def moves(world: World) -> None:
        world.now += MINUTE
        world.send(CHEATED, f"ADDRESS {address}")
        for each in (address_of(CHEATED), address):
            world.reply(world.questions(each)[-1], "YES", sender=each)

    def game(played: Played) -> Evidence:
        with played.gone_back("c3") as world:
            go_on(world, "c3", {"c3": then(moves, MOVES["c3"]), "b3": sends(CHEATED, "Add 7", sender=address)})
            gone_on = Evidence(export(world, played.room() / "archive"), mails_of(world))
            mails = tuple(opened(mail.raw) for mail in world.outbox() if mail.recipient in kept)
        return replace(gone_on, mails={**gone_on.mails, CHEATED: mails})

    return game


def _called_like_a_turn(played: Played) -> Evidence:
    seats = (LOOKS_ON, CHEATED, "Turn 2")
    with closing(World(played.room())) as world:
        world.start(GAME, seats, {"target": 60}, ruleset="count", reminders=())
        for move in (*(sends(seat, "Add 5") for seat in seats), passes()):
            move(world)
        mails = {seat: tuple(opened(mail.raw) for mail in world.outbox("", seat)) for seat in seats}
        return Evidence(export(world, played.room() / "archive"), {**mails, CHEATED: mails["Turn 2"]})


def _packed(raw: bytes, how: str) -> bytes:
    """A server packs the parts of a mail otherwise."""
    message = message_from_bytes(raw, policy=default)
    for part in [*message.walk()]:
        if part.get_content_maintype() == "text" and not part.get_filename():
            assert isinstance(part, EmailMessage)
            part.set_content(part.get_content(), subtype=part.get_content_subtype(), cte=how)
    head, packed = raw.partition(b"\r\nContent-Type:")[0], message.as_bytes()
    return head + b"\r\n" + packed[packed.index(b"Content-Type:") :]


def _of_list(raw: bytes) -> bytes:
    """A mailing list sends each mail on as its own."""
    for field, own in (
        (b"From", b'"galaxy-7 (pbmd) via Club" <club@lists.example.org>'),
        (b"List-Unsubscribe", b"<https://lists.example.org/club>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click"),
    ):
        raw = re.sub(rb"(?m)^%s: .*\r\n(?:[ \t].*\r\n)*" % field, b"%s: %s\r\n" % (field, own), raw, count=1)
    return b"Cc: club@lists.example.org\r\nList-Post: <mailto:club@lists.example.org>\r\n" + raw


def _with_sender(raw: bytes) -> bytes:
    sender = parseaddr(str(message_from_bytes(raw, policy=default)["From"]))[1]
    return b"Sender: %s\r\n" % sender.encode() + raw


def _without_marks(raw: bytes) -> bytes:
    return re.sub(rb"(?m)^(?:Reply-To|List-Id): .*\r\n", b"", _relayed(raw))


def _with_files(raw: bytes) -> bytes:
    message = message_from_bytes(raw, policy=default)
    message.add_attachment(b"no virus", maintype="application", subtype="octet-stream", filename="ATT00001.txt")
    message.add_attachment(b"0", maintype="application", subtype="pkcs7-signature", filename="smime.p7s")
    return message.as_bytes()


def _held_up(raw: bytes) -> bytes:
    """The reader's own server takes a mail in when there is hardly any time left."""
    first = b"Received: from a by mx.players.test; Fri, 20 Nov 2026 12:31:10 +0000\r\n"
    return b"Received: from mx by pop.players.test; Thu, 26 Nov 2026 23:00:00 +0000\r\n" + first + raw


def _with_other_zones(raw: bytes) -> bytes:
    """A server that knows calendars writes those in mails anew, in zones and under names of its own."""
    message = message_from_bytes(raw, policy=default)
    for part in [each for each in message.walk() if each.get_content_type() in ("text/calendar", "application/ics")]:
        entry = part.get_payload(decode=True)
        assert isinstance(entry, bytes)
        utc = re.compile(rb"DTSTART(?:;[^:\r\n]*)?:(\d{8}T\d{6})Z")
        zone = (
            b"BEGIN:VTIMEZONE\r\nTZID:%s\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0000\r\n"
            b"TZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT"
        )
        name = [b"Africa/Abidjan", b'"Greenwich Standard Time"', b"Greenwich Standard Time"][len(raw) % 3]
        entry = utc.sub(rb"DTSTART;TZID=%s:\1" % name, entry).replace(b"BEGIN:VEVENT", zone % name)
        part.set_payload(base64.encodebytes(entry))
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "base64"
    return message.as_bytes()


def _is_on_holiday(world: World) -> None:
    world.now += MINUTE
    world.reply(begun(world, CHEATED), "I am away until Monday.", headers={"Auto-Submitted": "auto-replied"})


def _with_settings(**settings: dict[str, Any]) -> Game:
    def game(played: Played) -> Evidence:
        with closing(World(played.room())) as world:
            world.settle(**settings)
            world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=())
            for seat in SEATS:
                world.reply(begun(world, seat), "Add 5")
            world.pass_time(10 * MINUTE)
            return Evidence(export(world, played.room() / "archive"), mails_of(world))

    return game


def _watched_by_step(played: Played) -> Evidence:
    """Who plays France watches the game from another address, too; each turn has several steps, with names."""
    watcher = "watcher@players.test"
    with closing(World(played.room())) as world:
        world.start(GAME, ("France", "Austria"), {"map": "france_austria"}, ruleset="diplomacy", reminders=(), listed=True)
        world.send("", f"WATCH {GAME}", sender=watcher, to="games@pbmd.test")
        world.confirm(watcher)
        for _ in range(3):
            world.pass_time(9 * DAY)
        watched = tuple(opened(mail.raw) for mail in world.outbox() if mail.recipient == watcher)
        assert any(b"what happened" in raw for raw in watched)
        return Evidence(
            export(world, played.room() / "archive"),
            {CHEATED: watched, LOOKS_ON: tuple(opened(mail.raw) for mail in world.outbox("", "France"))},
        )


def _has_its_map_again(played: Played) -> Evidence:
    """France has asked for the report that it had last, which comes with its map."""
    with closing(World(played.room())) as world:
        world.start(GAME, ("France", "Austria"), {"map": "france_austria"}, ruleset="diplomacy", reminders=())
        world.pass_time(9 * DAY)
        world.send("France", "REPORT")
        mails = tuple(opened(mail.raw) for mail in world.outbox("", "France"))
        return Evidence(export(world, played.room() / "archive"), {LOOKS_ON: mails, CHEATED: mails})


def _has_several_steps_again(played: Played) -> Evidence:
    """All move one after the other; a report of a turn is asked for again, so its answer has a proof of each step."""
    with closing(World(played.room())) as world:
        past_turn_0(relay(world))
        for seat in SEATS:
            sends(seat, "Add 1")(world)
            world.now += MINUTE
        sends(FRIEND, "REPORT 1")(world)
        mails = mails_of(world)
        assert mails[FRIEND][-1].count(b'filename="galaxy-7-t1-proof.txt"') > 1
        return Evidence(export(world, played.room() / "archive"), {LOOKS_ON: mails[FRIEND], CHEATED: mails[CHEATED]})


def _moved_ahead(played: Played) -> Evidence:
    """All move one after the other. The last has written before the second was over, so both steps end at once."""
    with closing(World(played.room())) as world:
        world.start(GAME, SEATS, {"die": False}, ruleset="relay", reminders=())
        for writes in (*SEATS, LOOKS_ON, FRIEND):
            sends(writes, "Add 1")(world)
        world.pass_time(9 * DAY)
        sends(LOOKS_ON, "Add 1")(world)
        mails = mails_of(world)
        return Evidence(export(world, played.room() / "archive"), {CHEATED: mails[CHEATED], LOOKS_ON: mails[FRIEND]})


def _holds_two(played: Played) -> Evidence:
    """Altair and Borealis are of one player, with one mailbox."""
    own = address_of(LOOKS_ON)
    with closing(World(played.room())) as world:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=())
        with world.changed(CHEATED) as seat:
            seat.address = own
        for name in SEATS:
            sends(name, "Add 5", sender=address_of(FRIEND) if name == FRIEND else own)(world)
        world.pass_time(10 * MINUTE)
        both = tuple(opened(mail.raw) for mail in world.outbox() if mail.recipient in (own, address_of(CHEATED)))
        return Evidence(export(world, played.room() / "archive"), {**mails_of(world), LOOKS_ON: both, CHEATED: both})


GAMES: dict[str, Game] = {
    "as it went": lambda played: Evidence(played.archive, played.mails),
    "each mail is marked as one from outside": _mails(_marked),
    "a program writes no-break blanks": _mails(_with_other_blanks),
    "a list puts a footer below": _mails(_with_footer),
    "a scanner puts its seal below": _mails(_SCANNED),
    "a group puts a link below that counts who follows it": _mails(_OF_GROUP),
    "a server counts who looks, with a picture": _mails(_WITH_PIXEL),
    "each mail is marked, with a link to report it": _mails(_with_report_link),
    "a list puts a footer into a part of its own": _mails(_with_footer_part),
    "subjects are those of replies": _with_subject("Re: {}".format),
    "subjects have marks of a list, and of answers in German": _with_subject("[club] AW: {}".format),
    "subjects are those of replies in Chinese": _with_subject("回复：{}".format),
    "subjects are marked by a filter": _with_subject("***SPAM*** {}".format),
    "subjects end early": _with_subject(lambda said: said[:40]),
    "subjects are encoded anew": _with_subject(lambda said: Header(said, "utf-8").encode(linesep="\r\n")),
    "mails have no subjects": _with_subject(lambda _said: ""),
    "empty lines have blanks": _mails(_with_blanks_in_empty_lines),
    "all lines are double-spaced": _mails(_with_double_spacing),
    "files have blanks at the ends of lines": _mails(_with_blanks_in_files),
    "files come as files of any type": _mails(_with_files_of_no_type),
    "a relay writes Message-IDs of its own": _mails(_relayed),
    "mails come some hours late": _mails(_a_little_late),
    "the deadline was later": _acts(deadline_changes.extend, DAY, "the game master", "a storm"),
    "one seat had more time": _acts(_more_time_for_one),
    "the clock stood for a day": _instead("c2", _stands_for_a_day, MOVES["c2"]),
    "there was a holiday": _acts(quiet_days.add_holiday, "2026-12-24", "a feast"),
    "an option changed": _acts(set_option, "target", "61", "too low"),
    "the game master looked at orders": _acts(_of_seat(peek, CHEATED)),
    "the game master wrote to all": _acts(announce, "All is well.\n\nGo on."),
    "a player was ejected": _instead("c3", lambda world: world.act(GAME, _of_seat(eject, LOOKS_ON)), MOVES["c3"]),
    "one of three was ejected, and press went to all": _instead(
        "c3",
        lambda world: world.act(GAME, _of_seat(eject, FRIEND)),
        sends(LOOKS_ON, "PRESS TO ALL\nHello.\nEND PRESS"),
        passes(),
    ),
    "a turn was taken back": _taken_back,
    "a backup was restored": _instead("a3", restored, MOVES["a3"]),
    "the game began again under its old name": _begun_again,
    "it moved to another host": partial(time_given.goes_on, turn=3),
    "own letters are there, too": _has_own_letters,
    "own press is there, too": _keeps_own(LOOKS_ON, "press", MOVES["press"]),
    "own letters with all kinds of commands are there, too": _keeps_own(
        CHEATED,
        "b3",
        *(sends(CHEATED, each) for each in ("STATUS", "HELP", "REPORT", "REPORT 1", "REPORT 1", "RECORD", "RULES", "LIST")),
        *(sends(CHEATED, each) for each in ("TIMEZONE Europe/Berlin", "WAIT", "READY", "SET REPORT SVG")),
        MOVES["b3"],
    ),
    "own orders that were cancelled are there, too": _keeps_own(
        CHEATED, "b2", fills(CHEATED, "Add 1"), sends(CHEATED, "CANCEL ORDERS"), MOVES["b2"]
    ),
    "own orders with press and words around them are there, too": _keeps_own(
        CHEATED,
        "b2",
        sends(CHEATED, f'Hello,\n\n1) *Add 1*\n2) Add 1.\n\nPRESS TO {LOOKS_ON}:\nDon\'t\ntrust "him".\nEND PRESS\n\nAda'),
        sends(CHEATED, "ADD\nAdd 3"),
    ),
    "own letters with commands below END and in press are there, too": _keeps_own(
        CHEATED, "b2", fills(CHEATED, "Add 6"), sends(CHEATED, f"PRESS TO {LOOKS_ON}\nWAIT\nEND PRESS\nEND\nWAIT\nAdd 9")
    ),
    "own letters with WAIT twice, READY, and a time off are there, too": _keeps_own(
        CHEATED,
        "b2",
        sends(CHEATED, "WAIT\nWAIT"),
        sends(CHEATED, "WAIT\nREADY"),
        sends(CHEATED, "ABSENT FROM 2026-12-24 TO 2026-12-28\nEXTEND 1h\nEXTEND 90 days"),
        sends(CHEATED, "CANCEL ORDERS\nCANCEL ABSENCE\nVOTE 1 YES\nPROPOSE DRAW"),
        MOVES["b2"],
    ),
    "own letters that were not read are there, too": _keeps_own(
        CHEATED,
        "b2",
        MOVES["b2"],
        fills(CHEATED, "Sit down"),
        fills(CHEATED),
        lambda world: world.reply(begun(world, CHEATED), "> Add 9\n\nThank you."),
        lambda world: world.reply(
            world.outbox("acknowledgement", CHEATED)[-1], body_of(world.outbox("acknowledgement", CHEATED)[-1])
        ),
    ),
    "a player was away, and is back": _instead(
        "b2", sends(LOOKS_ON, "ABSENT FROM 2026-12-24 TO 2026-12-28"), sends(LOOKS_ON, "CANCEL ABSENCE"), MOVES["b2"]
    ),
    "own ballots that were turned round are there, too": _keeps_own(
        CHEATED, "vote b", sends(CHEATED, "VOTE 1 NO\nVOTE 1 YES"), sends(CHEATED, "VOTE 1 NOTHING"), MOVES["vote b"]
    ),
    "an own resignation is there, too": _keeps_own(CHEATED, "b3", lambda world: world.resign(CHEATED)),
    "own letters have other Message-IDs": _keeps_own(CHEATED, "b2", MOVES["b2"], as_sent=_with_other_id),
    "own letters with other Message-IDs are there twice": _each_sent_twice(
        _keeps_own(CHEATED, "b2", MOVES["b2"], as_sent=_with_other_id)
    ),
    "own letters and those to others have other Message-IDs": _keeps_own(
        LOOKS_ON, "press", MOVES["press"], as_sent=_with_other_id
    ),
    "an own letter has its whole report below, without marks": _keeps_own(CHEATED, "b3", _quotes_all_below),
    "links of press are looked at by a server": _with_links_looked_at,
    "a draft that was never sent is there, too": _keeps_a_draft,
    "the last turn was played from a new address": _moves_to("new@players.test"),
    "orders were sent three times": _instead("b2", fills(CHEATED, "Add 1"), fills(CHEATED, "Add 2"), MOVES["b2"]),
    "orders were cancelled and sent again": _instead(
        "b2", fills(CHEATED, "Add 1"), sends(CHEATED, "CANCEL ORDERS"), MOVES["b2"]
    ),
    "a player wanted to wait": _instead("b3", sends(CHEATED, "WAIT"), MOVES["b3"], sends(CHEATED, "READY")),
    "a report was asked for again": _instead("b3", sends(CHEATED, "REPORT 1"), sends(CHEATED, "REPORT"), MOVES["b3"]),
    "the host was off for two days": _instead("turn 3", passes(2 * DAY)),
    "nobody is told who has sent": _silent,
    "press has no names": _with_terms(anonymous_press=True),
    "press without a name was written": _with_terms(
        anonymous_press=True, press=sends(LOOKS_ON, f"ANONYMOUS PRESS TO {CHEATED}\nBeware.\nEND PRESS")
    ),
    "press comes with reports": _with_terms(press_delivery="report"),
    "a player is told the time of another zone": _instead("b2", sends(CHEATED, "TIMEZONE Europe/Berlin"), MOVES["b2"]),
    "a vote failed": _instead("vote b", sends(CHEATED, "VOTE 1 NO"), sends(FRIEND, "VOTE 1 NO"), passes(2 * DAY)),
    "a ballot was turned round": _instead("vote b", sends(CHEATED, "VOTE 1 NO"), MOVES["vote b"]),
    "a ballot was taken back": _instead(
        "vote b", sends(CHEATED, "VOTE 1 YES"), sends(CHEATED, "VOTE 1 NOTHING"), MOVES["vote b"]
    ),
    "the game master stopped a vote": _instead("vote b", lambda world: world.act(GAME, veto, 1, "a storm")),
    "players voted for a pause": _instead(
        "vote a", sends(LOOKS_ON, "PROPOSE PAUSE FOR 2 days"), MOVES["vote b"], MOVES["vote c"], passes(3 * DAY)
    ),
    "everybody sees who votes how": _voted_in_the_open,
    "press went to all and to two": _instead(
        "press",
        sends(LOOKS_ON, "PRESS TO ALL\nHello.\nEND PRESS"),
        sends(LOOKS_ON, f"PRESS TO {CHEATED}, {FRIEND}\nHello, you two.\nEND PRESS"),
    ),
    "press went to two, in the words of pbmd 1.1.0": _with_commas,
    "press was written twice in two turns": _instead("b3", MOVES["press"], MOVES["b3"]),
    "a player asked for all that there is": _instead(
        "b3", *(sends(CHEATED, each) for each in ("STATUS", "HELP", "RULES", "REPORT DATA", "RECORD")), MOVES["b3"]
    ),
    "the game master abandoned it": _ended_by(lambda world: world.act(GAME, abandon, "nobody has time")),
    "the game master abandoned an anonymous game": _ended_by(lambda world: world.act(GAME, abandon), holders="hidden"),
    "an anonymous game was over, taken back, and over again": _ended_by(
        lambda world: world.act(GAME, abandon),
        lambda world: world.act(GAME, rollback.roll_back, 2, "too early"),
        sends(FRIEND, "RESIGN"),
        lambda world: world.act(GAME, abandon),
        holders="hidden",
    ),
    "players voted for a draw": _ended_by(*_all_vote_for("DRAW"), votes=("draw",)),
    "players voted to cancel it": _ended_by(*_all_vote_for("CANCEL"), votes=("cancel",)),
    "a player gave up": _instead("c3", sends(FRIEND, "RESIGN"), MOVES["c3"]),
    "orders came without a word": _instead("b2", sends(CHEATED, "Add 6")),
    "orders were refused in part": _instead("b2", fills(CHEATED, "Add 6", "Add nothing")),
    "press has a word that is too long for a line": _keeps_own(
        LOOKS_ON, "press", sends(LOOKS_ON, f"PRESS TO {CHEATED}\nSee https://example.org/{'a' * 120} now.\nEND PRESS")
    ),
    "press has words with hyphens where lines end": _instead(
        "press",
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\n{'x' * 60} well-meant-advice--not-an-order, {'y' * 50} well-known\nEND PRESS"),
    ),
    "the game master wrote a word that is too long for a line": _acts(announce, f"See https://example.org/{'a' * 120} now."),
    "the game master wrote what looks like another mail": _acts(
        announce, "galaxy-7, turn 2: the game is paused.\nOrders are due Mon 30 Nov 2026 12:31 UTC.\n| x\n#orders g1p2.aaaa"
    ),
    "press without its end looks like another mail": _instead(
        "press",
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\nPress in galaxy-7, turn 2\nFrom: Cygnus\nTo: Altair\n\n| x\n--\nEND PRESS"),
    ),
    "press looks like another mail": _instead(
        "press",
        sends(LOOKS_ON, "PRESS TO ALL\n| To: x\n--\nTo answer, reply with\nPRESS TO Altair\nFrom: me\n\nxx é 你\nEND PRESS"),
    ),
    "a player wrote so much that answers stopped": _instead(
        "b3", *(sends(CHEATED, f"STATUS\nHELP {number}") for number in range(30)), MOVES["b3"]
    ),
    "a program writes other quote marks": _mails(_with_other_quotes),
    "lines are broken early": _mails(_with_short_lines),
    "each mail is there twice": _each_twice,
    "mails are forwarded as attachments": _mails(_forwarded),
    "the game master wrote while the clock stood": _instead(
        "c2", _while_it_stands(lambda world: world.act(GAME, announce, "Wait.\n\nStill.")), MOVES["c2"]
    ),
    "the clock stood twice": _instead("c2", _stands_for_a_day, _while_it_stands(passes()), MOVES["c2"]),
    "the clock stood, told in another zone": _instead(
        "b2", sends(CHEATED, "TIMEZONE Asia/Kolkata"), _stands_for_a_day, MOVES["b2"]
    ),
    "a vote was told in another zone": _instead("vote a", sends(CHEATED, "TIMEZONE Asia/Kolkata"), MOVES["vote a"]),
    "more time went on over quiet days": _more_time_over_quiet_days,
    "one had more time who had sent orders": _instead(
        "c2", lambda world: world.act(GAME, _of_seat(_gives_a_day, CHEATED)), MOVES["c2"]
    ),
    "a player took more time": _instead("c2", sends(CHEATED, "EXTEND 1h"), MOVES["c2"]),
    "the game master ended a turn": _instead(
        "c3", MOVES["c3"], lambda world: world.act(GAME, deadline_changes.close_step, "enough")
    ),
    "the deadline was earlier": _instead(
        "c2",
        lambda world: world.act(GAME, deadline_changes.set_deadline, world.now + DAY, "a | b\n\n-- \nx: the game is paused."),
    ),
    "there were two holidays": _acts_twice(
        partial(quiet_days.add_holiday, days="2026-12-24", reason="a feast"),
        partial(quiet_days.add_holiday, days="2026-12-25", reason="another"),
    ),
    "an option changed, and back": _acts_twice(
        partial(set_option, key="target", text="61", reason="low"), partial(set_option, key="target", text="60", reason="high")
    ),
    "players voted for a pause without an end": _votes_for("PAUSE", lambda world: world.act(GAME, resume, "go on")),
    "players voted for a pause until a day": _votes_for("PAUSE UNTIL 2026-12-24", passes(40 * DAY)),
    "players voted for another player": _votes_for(f"REPLACE {FRIEND}", passes()),
    "two votes went on at once": _instead_of_votes(
        sends(LOOKS_ON, "PROPOSE DRAW"), sends(CHEATED, "PROPOSE EXTENSION 5h"), sends(FRIEND, "VOTE 2 YES\nVOTE 1 NO")
    ),
    "all must agree": _with_votes(vote_quorum=100),
    "names have dots and quote marks": _of_odd_names,
    "names have quote marks, and a program writes others": lambda played: _changed(_of_odd_names(played), _with_other_quotes),
    "a player tried orders out": _instead("b3", sends(CHEATED, "PREVIEW\nAdd 5\nEND PREVIEW"), MOVES["b3"]),
    "a player gave no orders": _instead("b2", sends(CHEATED, "ORDERS")),
    "orders were added, and others taken out": _instead(
        "b2", MOVES["b2"], sends(CHEATED, "ADD\nAdd 3"), sends(CHEATED, "ONLY\nAdd 2")
    ),
    "a player has a new token": _instead("b3", sends(CHEATED, "NEW TOKEN"), MOVES["b3"]),
    "a gateway puts a part of its own above": _mails(_with_part_above),
    "two gateways put parts of their own above": _mails(lambda raw: _with_part_above(_with_part_above(raw))),
    "a server puts a long footer below": _mails(_with_long_footer),
    "a list puts a part of its own below, and signs it": _mails(_with_signed_footer),
    "a friend has passed a report on": _has_a_friends_mail,
    "a player gave up, and came back": _gives_up_and_comes_back,
    "texts begin with a mark of their encoding": _mails(_with_encoding_marks),
    "subjects are marked behind": _with_subject("{} (fwd) [SEC=OFFICIAL]".format),
    "a player shows all mails to a friend": _sent_to_a_friend,
    "each second mail is forwarded as an attachment": _each_second_forwarded,
    "all mails but one are attached to one": _all_attached_to_one,
    "who took the seat over has only their own mails": _mails_to("new@"),
    "who gave the seat away has only their own mails": _mails_to("borealis@"),
    "a player plays on from another address, and has the mails to the old one": _moves_on_to(
        "new@players.test", address_of(CHEATED)
    ),
    "a player plays on from another address, and has the mails to it": _moves_on_to("new@players.test", "new@players.test"),
    "a player plays on from another address, and has the mails to both": _moves_on_to(
        "new@players.test", "new@players.test", address_of(CHEATED)
    ),
    "a seat is called like a turn": _called_like_a_turn,
    "own ballots with words beside them are there, too": _keeps_own(
        CHEATED,
        "vote b",
        sends(CHEATED, "VOTE 1 NO\nYou have voted no, why?\nYou have voted yes in vote 1, on the end of the world."),
        sends(CHEATED, "VOTE 1 YES"),
    ),
    "links of press in reports are looked at by a server": lambda played: _links_looked_at(
        _with_terms(press_delivery="report", press=sends(LOOKS_ON, f"PRESS TO {CHEATED}\nLook at {_LINK} please.\nEND PRESS"))(
            played
        )
    ),
    "texts and pages are packed in base64": _mails(partial(_packed, how="base64")),
    "texts and pages are packed in another way": _mails(partial(_packed, how="quoted-printable")),
    "lines end otherwise": _mails(lambda raw: raw.replace(b"\r\n", b"\n")),
    "files stand in mails as texts": _mails(lambda raw: raw.replace(b"Disposition: attachment", b"Disposition: inline")),
    "mails went to another address": _mails(lambda raw: re.sub(rb"(?m)^To: .*", b"To: me@alias.example\r", raw, count=1)),
    "a server writes the address of its host as the one who sends": _mails(_with_sender),
    "a list writes who sends, where answers go and how to leave it": _mails(_of_list),
    "a relay drops where answers go": _mails(lambda raw: re.sub(rb"(?m)^Reply-To: .*\r\n", b"", raw)),
    "a relay drops all by which mails are known": _mails(_without_marks),
    "a program takes away what hides words": _mails(
        lambda raw: on_its_way(raw, page=lambda page: re.sub(r'display:none;?[^"]*', "", page))
    ),
    "a webmail takes links away that open a mail": _mails(_without_mail_links),
    "mails have no pages": _mails(without_page),
    "a gateway attaches files": _mails(_with_files),
    "mails were held up at the own server": _mails(_held_up),
    "programs write another title, and what links are": _mails(
        lambda raw: on_its_way(
            raw, page=lambda page: re.sub("<title>.*?</title>", "<title>Mail</title>", page).replace("<a ", '<a title="Link" ')
        )
    ),
    "own letters have another year": _keeps_own(
        CHEATED, "b2", MOVES["b2"], as_sent=lambda raw: raw.replace(b"01 Jan 1999", b"20 Nov 2027")
    ),
    "own letters have no Message-IDs": _keeps_own(
        CHEATED, "b2", MOVES["b2"], as_sent=lambda raw: re.sub(rb"(?m)^Message-ID: .*\r?\n", b"", raw)
    ),
    "own lines that begin with From are quoted": _keeps_own(
        CHEATED,
        "b2",
        MOVES["b2"],
        sends(CHEATED, f"PRESS TO {LOOKS_ON}\nFrom here on we fight.\nEND PRESS"),
        as_sent=lambda raw: raw.replace(b"\nFrom here", b"\n>From here"),
    ),
    "an own letter is from a program on holiday": _keeps_own(CHEATED, "b3", _is_on_holiday, MOVES["b3"]),
    "own press is in other letters": _keeps_own(
        CHEATED, "b2", MOVES["b2"], sends(CHEATED, f"PRESS TO {LOOKS_ON}\nПривет! 你好 \U0001f600\nEND PRESS")
    ),
    "orders were sent twice by a slip": _keeps_own(CHEATED, "b2", MOVES["b2"], MOVES["b2"], MOVES["b2"]),
    "a ballot was sent twice by a slip": _keeps_own(CHEATED, "vote b", MOVES["vote b"], MOVES["vote b"]),
    "press was sent twice by a slip": _keeps_own(LOOKS_ON, "press", MOVES["press"], MOVES["press"]),
    "READY was sent twice by a slip": _keeps_own(CHEATED, "b3", *[sends(CHEATED, "READY")] * 2, MOVES["b3"]),
    "more time was taken twice": _keeps_own(CHEATED, "c2", *[sends(CHEATED, "EXTEND 1h")] * 2, MOVES["c2"]),
    "an own letter with an old token is on hold": _keeps_own(CHEATED, "b3", sends(CHEATED, "NEW TOKEN"), MOVES["b3"]),
    "the host has no plus addresses": _with_settings(server={"plus_addresses": False}),
    **{
        f"gateway {place} puts an address around each link{', and shows it' * labels}": _all_links_looked_at(
            leads, labels=labels
        )
        for place, leads in enumerate(_GATEWAYS, 1)
        for labels in (False, True)
    },
    "seats have pages, and mails lead there": _with_settings(pages={"public_url": "https://play.test"}),
    "a deadline stands in a calendar, and moves": _instead(
        "c2",
        sends(CHEATED, "CALENDAR ON\nTIMEZONE America/St_Johns"),
        lambda world: world.act(GAME, deadline_changes.extend, DAY, "the game master", "a storm"),
        sends(CHEATED, "CALENDAR OFF"),
        MOVES["c2"],
    ),
    "a server writes calendars anew, in its own zones": lambda played: _changed(
        _instead("c2", sends(CHEATED, "CALENDAR ON"), MOVES["c2"])(played), _with_other_zones
    ),
    "a turn was taken back, and somebody sent others long after": _ended_by(
        lambda world: world.resign(FRIEND),
        lambda world: world.act(GAME, rollback.roll_back, 2, "a mistake"),
        passes(2 * DAY),
        sends(LOOKS_ON, "Add 9"),
        sends(CHEATED, "Add 4"),
        passes(DAY),
        lambda world: world.act(GAME, abandon, "enough"),
    ),
    "turns were taken back twice": _ended_by(
        lambda world: world.act(GAME, rollback.roll_back, 2, "a mistake\n\n| and another"),
        passes(5 * DAY),
        lambda world: world.act(GAME, rollback.roll_back, 1, ""),
        passes(5 * DAY),
        lambda world: world.act(GAME, abandon, "enough"),
    ),
    "a turn was taken back while the clock stood": _ended_by(
        _while_it_stands(lambda world: world.act(GAME, rollback.roll_back, 2, "a mistake")),
        passes(9 * DAY),
        lambda world: world.act(GAME, abandon, "enough"),
    ),
    "a backup was restored, and a turn taken back": _ended_by(
        restored,
        lambda world: world.act(GAME, rollback.roll_back, 2, "a mistake"),
        passes(9 * DAY),
        lambda world: world.act(GAME, abandon, "enough"),
    ),
    "one person holds two seats": _holds_two,
    "a report and its map were asked for again": _has_its_map_again,
    "a report of a turn with several moves was asked for again": _has_several_steps_again,
    "somebody moved ahead, and two steps ended at once": _moved_ahead,
    "somebody watches a game with several steps in each turn": _watched_by_step,
    "two messages were in one letter, with a day off": _instead(
        "b2",
        sends(CHEATED, f"PRESS TO ALL\nHi.\nEND PRESS\nPRESS TO {FRIEND}\nYou.\nEND PRESS\nABSENT FROM 2026-12-24"),
        MOVES["b2"],
    ),
    "a player far in the east is away": _instead(
        "b2",
        sends(CHEATED, "TIMEZONE Pacific/Kiritimati"),
        sends(CHEATED, "ABSENT FROM 2026-12-24 TO 2026-12-28"),
        MOVES["b2"],
    ),
}


GAMES.update(MAILBOXES | WHOLE_GAMES)
_ALTERED_AROUND = frozenset(
    {
        "a list puts a part of its own below, and signs it",
        "a list writes who sends, where answers go and how to leave it",
        "a gateway attaches files",
        "a server writes calendars anew, in its own zones",
        "a server signs the whole mail",
        "a server wraps the whole mail",
    }
)
"""Where others have put fields and files into mails, or taken some out: that is told, and nobody is accused."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", GAMES)
def test_an_odd_honest_game_is_clean(played: Played, name: str) -> None:
    evidence = GAMES[name](played)
    assert verified(evidence.archive).problems == []
    books = judged.books(evidence.archive / "data")
    for seat in (LOOKS_ON, CHEATED):
        mails = [(StoredMail(f"mail {place}"), judged.claims(raw)) for place, raw in enumerate(evidence.mails[seat], 1)]
        found = judge(mails, books)
        wrong = [f"{each.what}: {each.words}" for each in found.findings if not _is_clean(each, books)]
        assert ([*found.agreement.disagreements], [*found.absent], wrong) == ([], [], [])
        assert [each.words for each in found.findings if not each.holds and "by the entries" in each.words] == []
        assert [each.words for each in found.findings if each.words.endswith("stands in front")] == []
        around = [each.words for each in found.findings if each.what == FRAME]
        assert name in _ALTERED_AROUND or around == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("the game master abandoned it", "abandoned"),
        ("the game master abandoned an anonymous game", "abandoned"),
        ("an anonymous game was over, taken back, and over again", "abandoned"),
        ("players voted for a draw", "a draw"),
        ("players voted to cancel it", "cancelled"),
    ],
)
def test_the_mail_that_a_game_is_over_is_held_against_its_entry(played: Played, name: str, headline: str) -> None:
    evidence = GAMES[name](played)
    books = judged.books(evidence.archive / "data")
    mails = [raw for raw in evidence.mails[CHEATED] if f": the game is {headline}.".encode() in raw]
    for told in mails:
        notices = [each for each in examined(judged.claims(told), books) if each.what == "notice"]
        # By how many votes it came to that, no entry tells in these words.
        assert (notices[0].value, notices[0].holds) == (f"the game is {headline}", True)
        assert all("has passed" in each.words for each in notices[1:]), notices
    told = mails[-1]
    altered = told.replace(b"nobody has time", b"Cygnus asked for it").replace(b"Altair, Borealis and Cygnus", b"Altair")
    altered = altered.replace(b"without a winner", b"before it began").replace(b"without a result", b"and Cygnus has won")
    assert [each for each in examined(judged.claims(altered), books) if each.what == "notice" and not each.holds]


def _is_clean(finding: Finding, books: Books) -> bool:
    """Of a game that goes on the archive ends with the last step, and some mails are newer."""
    is_newer = books.open_end and any(words in finding.words for words in ("of a later one", "told here", "not shown here"))
    return finding.holds is True or (finding.holds is None and (not finding.whole or is_newer))


def test_a_report_of_a_turn_with_several_moves_that_was_sent_again_has_no_odd_files(played: Played) -> None:
    evidence = _has_several_steps_again(played)
    mails = [(StoredMail("a mail"), judged.claims(evidence.mails[LOOKS_ON][-1]))]
    found = judge(mails, judged.books(evidence.archive / "data"))
    assert [each.words for each in found.findings if each.what == FRAME] == []


def test_the_map_of_a_report_that_was_sent_again_is_compared(played: Played) -> None:
    evidence = _has_its_map_again(played)
    again = message_from_bytes(evidence.mails[LOOKS_ON][-1], policy=default)
    own = next(part for part in again.walk() if part.get_content_type() == "image/png")
    own.set_payload(base64.encodebytes((Path(__file__).parents[2] / "desk" / "dot.png").read_bytes()))
    found = examined(judged.claims(again.as_bytes()), judged.books(evidence.archive / "data"))
    assert [each.words for each in found if each.what == "its map"] == ["it does not look like the one in the books"]


def test_a_mailbox_that_keeps_html_alone_is_told_that_texts_are_lost(played: Played) -> None:
    evidence = _mails(_with_html_alone)(played)
    mails = [(StoredMail("a mail"), judged.claims(raw)) for raw in evidence.mails[CHEATED]]
    found = judge(mails, judged.books(evidence.archive / "data"))
    assert [each.words for each in found.findings if each.holds is False] == []
    assert any("its text is lost" in each.words for each in found.findings)
    assert not any("list of orders" in each.words for each in found.findings)


def test_the_time_of_an_own_letter_is_told_in_utc(played: Played) -> None:
    letter = next(raw for raw in _has_own_letters(played).mails[CHEATED] if b"From: borealis@" in raw)
    sent = judged.claims(re.sub(rb"(?m)^Date: .*$", b"Date: Fri, 20 Nov 2026 10:45:00 -0300\r", letter)).sent
    assert sent is not None
    assert "2026-11-20 13:45 UTC" in words_of(sent)


@pytest.mark.parametrize("date", ["Fri, 31 Dec 9999 23:59:59 +0000", "Mon, 1 Jan 0001 00:00:00 +0000"])
def test_mails_of_any_date_are_looked_at(played: Played, date: str) -> None:
    evidence = GAMES["the last turn was played from a new address"](played)
    raws = [re.sub(rb"(?m)^Date: [^\r\n]*", b"Date: " + date.encode(), raw) for raw in evidence.mails[CHEATED]]
    mails = [(StoredMail("a mail"), judged.claims(raw)) for raw in raws]
    assert judge(mails, judged.books(evidence.archive / "data")).findings


def test_press_after_the_end_of_an_archive_is_called_newer(played: Played) -> None:
    with played.gone_back("turn 3") as world:
        MOVES["turn 3"](world)
        archive = export(world, played.room() / "archive")
        world.now += DAY
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\nA good game.\nEND PRESS")(world)
        evidence = Evidence(archive, mails_of(world))
    for seat in (LOOKS_ON, CHEATED):
        mails = [(StoredMail(f"mail {place}"), judged.claims(raw)) for place, raw in enumerate(evidence.mails[seat], 1)]
        found = judge(mails, judged.books(archive / "data"))
        wrong = [each.words for each in found.findings if each.holds is not True and each.whole]
        assert all("this mail is newer than these books" in each for each in wrong), wrong
        assert [*found.absent] == []


def test_a_notice_after_the_end_of_an_archive_is_called_newer(played: Played) -> None:
    raw = first_mail(_acts(announce, "A good game.")(played).mails, "an announcement")
    books = judged.books(played.archive / "data")
    newer = re.sub(rb"(?m)^Date: [^\r\n]*", b"Date: Fri, 18 Dec 2026 12:00:00 +0000", raw)
    found = [[each.holds for each in examined(judged.claims(each), books) if each.what == "notice"] for each in (raw, newer)]
    assert found == [[False], [None]]


def test_a_report_to_the_new_holder_is_missed_where_the_answer_to_their_orders_is_there(played: Played) -> None:
    evidence = GAMES["the last turn was played from a new address"](played)
    subjects = [str(message_from_bytes(raw, policy=default)["Subject"]) for raw in evidence.mails[CHEATED]]
    kept = [raw for raw, subject in zip(evidence.mails[CHEATED], subjects, strict=True) if "the game is over" not in subject]
    found = judge([(StoredMail("a mail"), judged.claims(raw)) for raw in kept], judged.books(evidence.archive / "data"))
    assert [*found.absent] == ["the report of turn 3 for Borealis"]


def test_there_are_many_odd_games() -> None:
    assert len(GAMES) >= 190
