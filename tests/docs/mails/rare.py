"""Mails that an ordinary game does not see: what makes each of them, at a desk with a running game."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlmodel import col

from pbmd.desk.changes import seats
from pbmd.desk.changes.gm import abandon
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.outages import end_outage, note_unreadable
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.mailroom import process_letters
from pbmd.desk.publish.archives import send_archives
from pbmd.desk.questions.seat_offers import offer_seat
from pbmd.desk.sending.sender import send_due
from pbmd.desk.step.dice_secrets import promise_anew
from pbmd.ledger.tables import Outbox
from pbmd.post.smtp.client import Deferred, SenderRefused
from tests.desk.sending.test_bounces import dsn
from tests.desk.sending.test_sender import FakeSmtp
from tests.desk.world import ADDRESS, World, address_of, body_of
from tests.docs.mails.found import Found, found, recorded

GAME = "galaxy-7"
SLUG = "rare"
_HOUR = timedelta(hours=1)
_ORDERS = "Altair: build 1 spy"
_SHEET = "Build 4 Laserfrigates\nBuild 2 Torpedocruisers"


def _defect(world: World, patch: pytest.MonkeyPatch) -> None:
    """A letter that meets a defect, and a turn that does."""

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    patch.setattr("pbmd.desk.player.serve.take_orders", breaks)
    world.send("Altair", _ORDERS)
    patch.undo()


def _defect_of_turn(world: World, patch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    patch.setattr("pbmd.desk.step.resolve.words_with", breaks)
    world.pass_time(timedelta(days=9))
    patch.undo()


def _archive(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.act(GAME, abandon, "nobody has time any more")
    world.send("Altair", "ARCHIVE")
    send_archives(world.desk)


def _archive_link(world: World, patch: pytest.MonkeyPatch) -> None:
    world.settle(pages={"public_url": "https://games.example.org"})
    _archive(world, patch)


def _unreadable(world: World, _patch: pytest.MonkeyPatch) -> None:
    with world.desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE game SET terms = substr(terms, 1, 20)")
    world.pass_time(timedelta(hours=1))


def _altered(world: World, _patch: pytest.MonkeyPatch) -> None:
    with world.desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE seat SET address = 'altbir@players.test' WHERE name = 'Altair'")
        connection.exec_driver_sql("UPDATE game SET terms = replace(terms, '0', '1')")
    world.pass_time(timedelta(days=4))


def _bounces(world: World, _patch: pytest.MonkeyPatch) -> None:
    with world.changed("Altair") as seat:
        seat.other_address = "altair@elsewhere.test"
    send_due(world.desk, FakeSmtp().connect)
    mail = world.outbox("report", "Altair")[-1]
    world.arrive(dsn(mail.recipient, "5.1.1", "failed", returned=mail.message_id))
    process_letters(world.desk)


def _refused_by_server(world: World, _patch: pytest.MonkeyPatch) -> None:
    everybody = {"altair": Deferred(450, "too many mails; try again later", about_us=True)}
    with suppress(SenderRefused):
        send_due(world.desk, FakeSmtp(**everybody).connect)


def _outage(world: World, _patch: pytest.MonkeyPatch) -> None:
    deadline = world.game().deadline
    assert deadline is not None
    world.now = deadline - 3 * _HOUR
    note_unreadable(world.desk)
    advance_games(world.desk)
    world.now += 2 * _HOUR
    end_outage(world.desk, world.now)


def _silence(world: World, _patch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        world.send("Altair", f"STATUS\nREPORT {number}")


def _seen_late(world: World, _patch: pytest.MonkeyPatch) -> None:
    began = world.now
    deadline = world.game().deadline
    assert deadline is not None
    world.pass_time(deadline - began + _HOUR)
    world.send("Altair", f"ORDERS FOR TURN 1\n{_ORDERS}", at=began + _HOUR)


def _late(world: World, _patch: pytest.MonkeyPatch) -> None:
    report = world.outbox("report", "Altair")[-1]
    deadline = world.game().deadline
    assert deadline is not None
    world.pass_time(deadline - world.now + _HOUR)
    world.reply(report, _ORDERS)


def _as_they_were(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", _SHEET)
    answer = world.outbox("acknowledgement", "Altair")[-1]
    quoted = "".join(f"> {line}\n" for line in body_of(answer).splitlines())
    world.reply(answer, f"Thanks!\n\nOn Fri, 20 Nov 2026 at 12:00, {ADDRESS} wrote:\n{quoted}")


def _in_a_quote(world: World, _patch: pytest.MonkeyPatch) -> None:
    heading = "---------- Forwarded message ---------\nFrom: Altair <altair@players.test>\nDate: Fri, 20 Nov 2026 at 11:40"
    world.send("Altair", f"Sent to the wrong address first.\n\n{heading}\nSubject: orders\nTo: <game@pbmd.test>\n\n{_SHEET}")


def _in_the_subject(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "see above", subject="Build 4 Laserfrigates")


def _encrypted(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "-----BEGIN PGP MESSAGE-----\n\nhQEMA5xq\n=3nVx\n-----END PGP MESSAGE-----")


def _passes(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "PASS")


def _all_refused(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "Trian spy\nBiuld 4 Laserfrigates")


def _some_refused(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", f"{_SHEET}\nTrian spy")


def _chapter(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "RULES spies")


def _absent(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "ABSENT FROM 2026-12-24 TO 2026-12-28")


def _seat_taken(world: World, _patch: pytest.MonkeyPatch) -> None:
    for name in ("ann", "ben"):
        world.send("", "STANDBY ALL", sender=f"{name}@players.test", to=ADDRESS)
        world.confirm(f"{name}@players.test")
    world.resign("Cygnus")
    world.act(GAME, offer_seat, "Cygnus")
    first = world.questions("ann@players.test")[-1]
    world.reply(first, "YES")


_STAND_IN = "ann@players.test"


def _substitute(world: World, days: str = "2026-11-20 TO 2026-11-24", *, agrees: bool = True) -> None:
    world.send("Altair", f"SUBSTITUTE {_STAND_IN} FROM {days}")
    if agrees:
        world.confirm(_STAND_IN)


def _asks_substitute(world: World, _patch: pytest.MonkeyPatch) -> None:
    _substitute(world, agrees=False)


def _substitute_agrees(world: World, _patch: pytest.MonkeyPatch) -> None:
    _substitute(world, "2026-12-20 TO 2027-01-02")


def _substitute_is_off(world: World, _patch: pytest.MonkeyPatch) -> None:
    _substitute(world, "2026-12-20 TO 2027-01-02")
    world.send("Altair", "CANCEL SUBSTITUTE")


def _substitute_plays(world: World, _patch: pytest.MonkeyPatch) -> None:
    """A turn that the substitute misses, a mail of the player meanwhile, and the end of it."""
    _substitute(world)
    mail = world.mails(col(Outbox.recipient) == "altair@players.test")[-1]
    world.pass_time(timedelta(hours=73))
    world.reply(mail, _SHEET)
    world.pass_time(timedelta(hours=40))


def _not_yours(world: World, _patch: pytest.MonkeyPatch) -> None:
    """Who had the seat writes for it."""
    mail = world.outbox("report", "Altair")[-1]
    heir = seats.Holder("Ann", "UTC")
    world.act(GAME, lambda work, table: seats.hand_over(work, table, table.seat("Altair"), _STAND_IN, seats.Consent(0), heir))
    world.reply(mail, "I'M BACK\nBuild 4 Laserfrigates")


def _seat_awake(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("", "STANDBY ALL", sender="ann@players.test", to=ADDRESS)
    world.confirm("ann@players.test")
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, _SHEET)
    world.pass_time(73 * _HOUR)
    world.send("Altair", "I'M BACK")


def _no_way_back(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("", "I'M BACK", sender="carol@strangers.test", to=ADDRESS)


def _which(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.start("galaxy-8", ("Altair", "Borealis"))
    world.send("Altair", _ORDERS, to=ADDRESS, subject="my orders")


def _disputed(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.reply(world.outbox("report", "Altair")[-1], f"#head {GAME} 1 {'0' * 24}\n{_ORDERS}")


def _hint(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.settle(mail={"hint_strangers": True})
    world.send("", "Hello there", sender="carol@strangers.test", to=ADDRESS)


def _digest_of_games(world: World, _patch: pytest.MonkeyPatch) -> None:
    """The morning after a turn of two games, in which there is nothing to do."""
    world.start("galaxy-8", ("Altair", "Borealis"))
    for name in ("Altair", "Borealis", "Cygnus"):
        world.send(name, _SHEET)
    world.pass_time(73 * _HOUR)
    world.pass_time(24 * _HOUR)


def _alarm(world: World, _patch: pytest.MonkeyPatch) -> None:
    with world.work() as work:
        alarm(work, "mailbox", "not since Mon 23 Nov 2026 12:00 UTC, by this machine's clock")


def _ceiling(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.settle(limits={"mails_per_minute": 2})
    send_due(world.desk, FakeSmtp().connect)


def _promised_anew(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.act(GAME, promise_anew)


def _new_token(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.act(GAME, lambda work, table: seats.send_new_token(work, table, table.seats[0]))


def _vote(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "PROPOSE PAUSE FOR 14 days")


def _vote_in_vain(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.send("Altair", "PROPOSE REPLACE Cygnus")
    world.send("Borealis", "VOTE YES")


def _visitor_rules(world: World, _patch: pytest.MonkeyPatch) -> None:
    world.open("galaxy-8", ruleset="galactic_overlord", listed=True)
    world.send("", "RULES", sender="carol@strangers.test", to=ADDRESS)


def _by_preference(world: World, _patch: pytest.MonkeyPatch) -> None:
    """Sign-ups with lists of seats: a question, and a welcome."""
    world.open("friday", ruleset="diplomacy", seating="preference", seats=7)
    world.send("", "JOIN friday PREFER F [EG] I", sender="Carol Kay <carol@players.test>", to=ADDRESS)
    world.confirm("carol@players.test")


def _spectators(world: World, _patch: pytest.MonkeyPatch) -> None:
    """Two watch the game, and one of them writes to the other."""
    for name in ("Carol", "Dora"):
        world.send("", f"WATCH {GAME}", sender=address_of(name), to=ADDRESS)
        world.confirm(address_of(name))
    report = world.outbox("report", "Dora")[-1]
    world.reply(report, f"PRESS TO SPECTATORS OF {GAME}\nWho do you think will win this?\nEND PRESS")


SCENES: dict[str, tuple[Callable[[World, pytest.MonkeyPatch], None], dict[str, object]]] = {
    "acknowledgement of orders that are late": (_late, {}),
    "acknowledgement with a chapter": (_chapter, {}),
    "acknowledgement of a sheet that came back": (_as_they_were, {}),
    "acknowledgement of orders in a quote": (_in_a_quote, {}),
    "acknowledgement of orders in the subject": (_in_the_subject, {}),
    "acknowledgement of an encrypted mail": (_encrypted, {}),
    "acknowledgement of nothing as orders": (_passes, {}),
    "acknowledgement of orders that are all refused": (_all_refused, {}),
    "acknowledgement of orders of which some are refused": (_some_refused, {}),
    "absent": (_absent, {"absences": "gm"}),
    "archive": (_archive, {"archive_kilobytes": 300}),
    "archive_link": (_archive_link, {}),
    "alarm": (_alarm, {}),
    "altered": (_altered, {}),
    "ask_join for seats by preference": (_by_preference, {}),
    "ask_which": (_which, {}),
    "ceiling": (_ceiling, {}),
    "defect": (_defect_of_turn, {}),
    "unreadable": (_unreadable, {}),
    "defect_of_letter": (_defect, {}),
    "defect_to_sender": (_defect, {}),
    "digest_of_games": (_digest_of_games, {}),
    "disputed": (_disputed, {}),
    "hint": (_hint, {}),
    "ask_substitute": (_asks_substitute, {}),
    "substitute_agreed": (_substitute_agrees, {}),
    "substitute_off": (_substitute_is_off, {}),
    "substitute_begins": (_substitute_plays, {}),
    "substitute_copy": (_substitute_plays, {}),
    "substitute_has_it": (_substitute_plays, {}),
    "substitute_missed": (_substitute_plays, {}),
    "spectators": (_spectators, {"listed": True, "spectators": True}),
    "substitute_over": (_substitute_plays, {}),
    "new_token": (_new_token, {}),
    "no_way_back": (_no_way_back, {}),
    "not_yours": (_not_yours, {}),
    "outage": (_outage, {}),
    "promised_anew": (_promised_anew, {}),
    "seat_awake": (_seat_awake, {"missed_in_a_row": 1, "sleeper": "offer"}),
    "seat_taken": (_seat_taken, {}),
    "seen_late": (_seen_late, {}),
    "sender_refused": (_refused_by_server, {}),
    "silence": (_silence, {}),
    "unreachable": (_bounces, {}),
    "vote": (_vote, {"votes": "all"}),
    "receipt_of_vote": (_vote, {"votes": "all"}),
    "vote_alarm": (_vote_in_vain, {"votes": "all"}),
    "visitor_rules": (_visitor_rules, {}),
    "welcome to a game of seats by preference": (_by_preference, {}),
    "your_mail_comes_back": (_bounces, {}),
}
"""What makes a mail of this template, the first word, and the terms of the game."""


def rare_mails() -> Iterator[Found]:
    """One mail of each of these templates. Raises `LookupError` if one is not made."""
    for name, (scene, terms) in SCENES.items():
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, recorded(patch) as names:
            yield _made(Path(folder), name.split()[0], scene, terms, names)


def _made(
    folder: Path,
    template: str,
    scene: Callable[[World, pytest.MonkeyPatch], None],
    terms: dict[str, object],
    names: dict[str, str],
) -> Found:
    world = World(folder)
    try:
        world.start(GAME, ("Altair", "Borealis", "Cygnus"), deadline="72h", **terms)
        with pytest.MonkeyPatch.context() as patch:
            scene(world, patch)
        mails = found(world.mails(col(Outbox.id) > 0), names)
    finally:
        world.close()
    made = [mail for mail in mails if mail.template == template]
    if not made:
        raise LookupError(f"no mail of {template}; there were {[(mail.template, mail.subject) for mail in mails]}")
    return made[-1]
