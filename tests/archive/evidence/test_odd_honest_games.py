"""Honest hosts are not accused, however odd their games went, and whatever gateways did to the mails."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest

from pbmd.archive.evidence.mail_kinds.sent_letters import words_of
from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.verdict import Finding
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
    fills,
    go_on,
    joined,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import relayed, rewritten
from tests.archive.made import examined, export, verified
from tests.desk.restored import restored
from tests.desk.step.test_words import begun
from tests.desk.world import SteadyEntropy, World, body_of, opened

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
    return lambda played: Evidence(played.archive, {seat: tuple(map(change, mails)) for seat, mails in played.mails.items()})


def _marked(raw: bytes) -> bytes:
    """A gateway warns of every mail, in its subject and on top of it."""
    raw = re.sub(rb"(?m)^Subject: ", b"Subject: [EXTERNAL] ", raw, count=1)
    return rewritten(raw, "[EXTERNAL] This mail is from outside. Be careful.\n\n{}".format, _on_top)


def _on_top(page: str) -> str:
    return re.sub(r"(<body[^>]*>)", r"\1<p>[EXTERNAL] This mail is from outside. Be careful.</p>", page, count=1)


def _with_other_blanks(raw: bytes) -> bytes:
    return rewritten(raw, lambda text: text.replace(" ", "\u00a0"))


def _with_footer(raw: bytes) -> bytes:
    """A mailing list says at the end of each mail how to leave it."""
    return rewritten(raw, lambda text: f"{text}\n____\nTo leave this list, write to leave@lists.example.org\n")


def _relayed(raw: bytes) -> bytes:
    return relayed(raw, hash(raw) % 1_000_000)


def _below(words: str, page: str) -> Callable[[bytes], bytes]:
    """A server puts words below each mail, and the same below its page."""
    return lambda raw: rewritten(raw, lambda text: f"{text}\n{words}\n", lambda text: text.replace("</body>", f"{page}</body>"))


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
    return rewritten(
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


def _with_blanks_in_empty_lines(raw: bytes) -> bytes:
    return rewritten(raw, lambda text: re.sub(r"(?m)^$", "\u00a0", text))


def _with_double_spacing(raw: bytes) -> bytes:
    return rewritten(raw, lambda text: text.replace("\n", "  \n\n"))


def _with_blanks_in_files(raw: bytes) -> bytes:
    return rewritten(raw, file=lambda text: text.replace("\n", " \n"))


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


def _with_links_looked_at(played: Played) -> Evidence:
    """A server puts an address of its own around each link of press."""
    link = "https://maps.example.org/7"
    gone_on = played.again("press", press=sends(LOOKS_ON, f"PRESS TO {CHEATED}\nLook at {link} please.\nEND PRESS"))

    def change(text: str) -> str:
        return text.replace(link, f"https://safe.example.org/?url={quote(link, safe='')}&data=1")

    mails = {seat: tuple(rewritten(raw, change, change) for raw in mails) for seat, mails in gone_on.mails.items()}
    return replace(gone_on, mails=mails)


def _with_other_id(raw: bytes) -> bytes:
    """A provider gives a letter another Message-ID on its way than that of the copy in the folder of sent mail."""
    return raw.replace(b"Message-ID: <letter", b"Message-ID: <kept-")


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


def _with_terms(**terms: Any) -> Game:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **terms)

    return lambda played: played.again("begins", begins=begins, vote_a=None, vote_b=None, vote_c=None)


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
    "own ballots that were turned round are there, too": _keeps_own(
        CHEATED, "vote b", sends(CHEATED, "VOTE 1 NO\nVOTE 1 YES"), sends(CHEATED, "VOTE 1 NOTHING"), MOVES["vote b"]
    ),
    "an own resignation is there, too": _keeps_own(CHEATED, "b3", lambda world: world.resign(CHEATED)),
    "own letters have other Message-IDs": _keeps_own(CHEATED, "b2", MOVES["b2"], as_sent=_with_other_id),
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
    "a player has a new token": _instead("b3", sends(CHEATED, "NEW TOKEN"), MOVES["b3"]),
}


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


def test_a_mailbox_that_keeps_html_alone_is_told_that_texts_are_lost(played: Played) -> None:
    evidence = _mails(_with_html_alone)(played)
    mails = [(StoredMail("a mail"), judged.claims(raw)) for raw in evidence.mails[CHEATED]]
    found = judge(mails, judged.books(evidence.archive / "data"))
    assert [each.words for each in found.findings if each.holds is False] == []
    assert any("its text is lost" in each.words for each in found.findings)


def test_the_time_of_an_own_letter_is_told_in_utc(played: Played) -> None:
    letter = next(raw for raw in _has_own_letters(played).mails[CHEATED] if b"From: borealis@" in raw)
    sent = judged.claims(re.sub(rb"(?m)^Date: .*$", b"Date: Fri, 20 Nov 2026 10:45:00 -0300\r", letter)).sent
    assert sent is not None
    assert "2026-11-20 13:45 UTC" in words_of(sent)


def test_there_are_many_odd_games() -> None:
    assert len(GAMES) >= 40
