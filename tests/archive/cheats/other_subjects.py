"""What a host does who writes the truth into a mail, and something else into its subject, which is all that a list of mails
shows."""

import re
from collections.abc import Callable
from urllib.parse import quote

from pbmd.desk.changes.deadline_changes import set_deadline
from tests.archive.cheats import shown_otherwise
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.played import CHEATED, FRIEND, GAME, MINUTE, Evidence, Played, World, fills, passes, sends
from tests.archive.cheats.rewritten import rewritten

Change = Callable[[str], str]


_SUBJECT = re.compile(rb"(?m)^Subject: (.*\r\n(?:[ \t].*\r\n)*)")


def with_subject(raw: bytes, change: Change) -> bytes:
    """The mail with another subject, in its button, too."""
    found = _SUBJECT.search(raw)
    assert found is not None
    old = " ".join(found[1].decode().split())
    fitted = rewritten(raw, page=lambda text: text.replace(quote(old), quote(change(old))))
    return _SUBJECT.sub(lambda _: f"Subject: {change(old)}\r\n".encode(), fitted, count=1)


def _says(evidence: Evidence, subject: str, change: Change) -> Evidence:
    raw = first_mail(evidence.mails, subject)
    return Evidence(evidence.archive, instead(evidence.mails, raw, with_subject(raw, change)))


def _as_played(played: Played) -> Evidence:
    return Evidence(played.archive, played.mails)


def _swap(old: str, new: str) -> Change:
    return lambda subject: subject.replace(old, new)


def calls_refused_orders_accepted(played: Played) -> Evidence:
    gone_on = played.again("b2", b2=fills(CHEATED, "Sit down"))
    return _says(gone_on, "NOT TAKEN", _swap("NOT TAKEN", "orders in"))


def does_not_say_that_a_line_was_refused(played: Played) -> Evidence:
    gone_on = played.again("b2", b2=fills(CHEATED, "Add 6", "Add nothing"))
    return _says(gone_on, "1 line refused", _swap(", 1 line refused", ""))


def calls_late_orders_accepted(played: Played) -> Evidence:
    gone_on = played.again("b2", b2=None, turn_2=then(passes(), sends(CHEATED, "ORDERS FOR TURN 2\nAdd 6")))
    return _says(gone_on, "too late for turn 2", lambda subject: re.sub("Borealis: .*", "Borealis: orders in", subject))


def calls_an_answer_one_of_the_next_turn(played: Played) -> Evidence:
    return _says(_as_played(played), "t2] Borealis: orders in", _swap("t2]", "t3]"))


def gives_another_day_for_orders(played: Played) -> Evidence:
    return _says(_as_played(played), "Turn 1: what happened", _swap("by Mon 23", "by Wed 25"))


def says_that_there_is_nothing_to_do(played: Played) -> Evidence:
    return _says(_as_played(played), "Turn 1: what happened", lambda subject: re.sub(r"\] .*", "] nothing to do", subject))


def calls_an_earlier_deadline_a_later_one(played: Played) -> Evidence:
    def word(world: World) -> None:
        world.act(GAME, set_deadline, world.now + 30 * MINUTE)

    gone_on = played.again("b2", b2=None, c2=then(sends(FRIEND, "Add 9"), word, passes(120 * MINUTE)))
    return _says(gone_on, "new deadline", lambda subject: re.sub(r"\] .*", "] the deadline is 1 day later", subject))


def names_another_who_has_won(played: Played) -> Evidence:
    return _says(_as_played(played), "has won", _swap("Altair has won", "Cygnus has won"))


def names_another_writer_of_press(played: Played) -> Evidence:
    return _says(_as_played(played), "press from Altair", _swap("from Altair", "from Cygnus"))


def writes_to_another_seat(played: Played) -> Evidence:
    return _says(_as_played(played), "t2] Borealis: orders in", _swap("Borealis: ", "Cygnus: "))


def announces_an_end(played: Played) -> Evidence:
    return _says(shown_otherwise.announces(played), "an announcement", _swap("an announcement", "the game is cancelled"))


def calls_a_vote_one_on_something_else(played: Played) -> Evidence:
    return _says(_as_played(played), "vote 1 has begun", _swap("extension", "draw"))
