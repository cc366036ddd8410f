"""What a host does who leaves values as they are, and says something else around them: in notices, votes, press and answers."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime

from pbmd.desk.changes import deadline_changes, quiet_days
from pbmd.desk.changes.gm import eject
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.peek import peek
from pbmd.desk.mail.draft import render
from pbmd.terms.times import describe_time
from tests.archive.cheats import hosts
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.other_subjects import with_subject
from tests.archive.cheats.played import CHEATED, DAY, GAME, LOOKS_ON, MOVES, Evidence, Mails, Played, World, late
from tests.archive.cheats.rewritten import Change, in_all, rewritten
from tests.archive.cheats.told_again import as_another

Game = Callable[[Played], Evidence]


def _as_played(played: Played) -> Evidence:
    return Evidence(played.archive, played.mails)


def _acts(act: Callable[..., object], *args: object) -> Game:
    """The game master does something in turn 2."""
    return lambda played: played.again("c2", c2=then(lambda world: world.act(GAME, act, *args), late))


def _rewrites(played: Played, subject: str, old: str, new: str, game: Game = _as_played) -> Evidence:
    """Other words in a mail, however they are wrapped."""
    words = re.compile(r"\s+".join(map(re.escape, old.split())))
    return _changes(played, subject, lambda text: words.sub(new, text), game)


def _changes(played: Played, subject: str, change: Change, game: Game = _as_played) -> Evidence:
    evidence = game(played)
    raw = first_mail(evidence.mails, subject)
    changed = rewritten(raw, *in_all(change))
    assert changed != rewritten(raw)
    return Evidence(evidence.archive, instead(evidence.mails, raw, changed))


def _makes_up(played: Played, kind: str, subject: str, text: str) -> Evidence:
    """A mail that the desk has never sent."""
    raw = first_mail(played.mails, "vote 1 has begun")
    page = re.compile(r"(?s)<h1.*(?=</body>)")
    made = rewritten(raw, lambda _: f"{text}\n", lambda each: page.sub(f"<p>{text}</p>", each))
    made = with_subject(as_another(made), lambda _: f"[pbmd galaxy-7 t3] {subject}")
    made = re.sub(rb"(?m)^(Message-ID: <)[a-z]+", rb"\g<1>" + kind.encode(), made, count=1)
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], made)})


# Notices


def _paused(played: Played) -> Evidence:
    def storm(world: World) -> None:
        world.act(GAME, pause, "a storm")
        world.now += DAY
        world.act(GAME, resume)

    return played.again("c2", c2=then(storm, MOVES["c2"]))


_more_time = _acts(deadline_changes.extend, DAY, "the game master", "a storm")


def says_that_players_gave_time(played: Played) -> Evidence:
    return _rewrites(played, "is 1 day later", "The game master gave", "A vote of the players gave", _more_time)


def says_that_more_time_was_given(played: Played) -> Evidence:
    return _rewrites(played, "is 1 day later", "gave 1 day more", "gave 3 days more")


def says_that_the_clock_goes_on_by_itself(played: Played) -> Evidence:
    old, new = (
        "The clock goes on when the game master resumes the game.",
        "The game goes on by itself Wed 25 Nov 2026 12:00 UTC.",
    )
    return _rewrites(played, "is paused", old, new, _paused)


def says_nothing_of_orders_in_a_pause(played: Played) -> Evidence:
    return _rewrites(played, "is paused", "You can still send orders.", "", _paused)


def says_that_another_was_looked_at(played: Played) -> Evidence:
    looks = _acts(lambda work, table: peek(work, table, table.seat(CHEATED)))
    return _rewrites(played, "looked at", "orders that Borealis has in", "orders that Altair has in", looks)


def says_that_a_player_resigned(played: Played) -> Evidence:
    ejects = _acts(lambda work, table: eject(work, table, table.seat(LOOKS_ON)))
    return _rewrites(played, "is empty", "The game master has taken the seat from its player.", "Altair resigned.", ejects)


def names_another_holiday(played: Played) -> Evidence:
    return _rewrites(played, "quiet days", "24 Dec", "25 Dec", _acts(quiet_days.add_holiday, "2026-12-24", "a feast"))


def says_that_a_deadline_is_for_some(played: Played) -> Evidence:
    sets = _acts(lambda work, table: deadline_changes.set_deadline(work, table, work.now + DAY))
    return _rewrites(
        played, "the new deadline", "a new deadline for turn 2.", "a new deadline for all who have sent orders.", sets
    )


def hands_a_notice_over_late(played: Played) -> Evidence:
    evidence = _more_time(played)
    raw = first_mail(evidence.mails, "is 1 day later")
    line = b"Received: from pbmd.test by mx.players.test; Tue, 24 Nov 2026 12:40:00 +0000\r\n"
    return Evidence(evidence.archive, instead(evidence.mails, raw, line + raw))


# Votes


def says_that_all_must_agree(played: Played) -> Evidence:
    return _rewrites(played, "vote 1 has begun", "2 of the 3 players who may vote", "All 3 players who may vote")


def says_that_the_first_ballot_counts(played: Played) -> Evidence:
    return _rewrites(played, "vote 1 has begun", "the last one counts", "the first one counts")


def confirms_a_ballot_on_something_else(played: Played) -> Evidence:
    old = "on 1 day more for the turn that is open when the vote has passed"
    return _rewrites(played, "voted", old, "on the end of the game without a result")


# Press


def adds_to_press(played: Played) -> Evidence:
    return _rewrites(played, "press from Altair", "To answer, reply", "Altair sends you his orders: Add 9. To answer, reply")


def leads_an_answer_to_press_to_all(played: Played) -> Evidence:
    return _rewrites(played, "press from Altair", "PRESS TO Altair", "PRESS TO ALL")


def says_above_press_that_it_was_read(played: Played) -> Evidence:
    return _rewrites(played, "press from Altair", "Press in galaxy-7", "The game master has read this.\nPress in galaxy-7")


def calls_press_to_one_press_to_all(played: Played) -> Evidence:
    raw = first_mail(played.mails, "press from Altair")
    changed = with_subject(raw, lambda subject: subject.replace("to Borealis", "to all"))
    return Evidence(played.archive, instead(played.mails, raw, changed))


# Answers, reports


def does_not_say_when_orders_came(played: Played) -> Evidence:
    came = re.compile(r"Receipt\s+11,\s+arrived.*?when\.", re.DOTALL)
    return _changes(played, "t2] Borealis: orders in", lambda text: came.sub("", text))


def does_not_say_when_orders_are_due(played: Played) -> Evidence:
    return _changes(played, "t2] Borealis: orders in", lambda text: re.sub(r"Orders are due[^.]*\.", "", text))


def makes_an_answer_up(played: Played) -> Evidence:
    orders = "YOUR ORDERS FOR TURN 3, as we read them\n  Add 8"
    arrived = "Your mail arrived Mon 23 Nov 2026 13:20:00 UTC."
    text = f"Borealis: your orders for turn 3 are in.\n\n{orders}\n\n{arrived}"
    return _makes_up(played, "acknowledgement", "Borealis: orders in", text)


def shows_an_old_head_in_the_form(played: Played) -> Evidence:
    """So a reply brings back what was told before."""
    forms = [re.compile(r"(?m)^#orders \S+ (\S+)").search(rewritten(raw).decode()) for raw in _reports(played)]
    old, now = (form[1] for form in forms if form)
    return _changes(played, "Turn 2: what happened", lambda text: text.replace(now, old))


def _reports(played: Played) -> list[bytes]:
    return [first_mail(played.mails, f"Turn {turn}: what happened") for turn in (1, 2)]


def says_that_answers_stop_and_orders_do_not_count(played: Played) -> Evidence:
    text = "This address has sent us so many mails that we stop answering for a while. Orders for turn 3 do not count."
    return _makes_up(played, "silence", "no answers for a while", text)


def writes_in_a_name_and_says_that_answers_stop(played: Played) -> Evidence:
    evidence = hosts.writes_in_a_name(played)
    at = played.kept["c2"].now
    return replace(evidence, mails=with_silence(evidence.mails, at, at + DAY))


def with_silence(mails: Mails, at: datetime, until: datetime, to: str = CHEATED) -> Mails:
    """With a mail among those of Borealis that says to a seat that until then there are no answers."""
    raw = first_mail({CHEATED: mails[to]}, "vote 1 has begun")
    text = render("silence.txt", {"until": describe_time(until)})
    page = re.compile(r"(?s)<h1.*(?=</body>)")
    made = rewritten(raw, lambda _: text, lambda each: page.sub(f"<p>{' '.join(text.split())}</p>", each), drops_file=True)
    made = with_subject(as_another(made), lambda _: "[pbmd galaxy-7 t2] no answers for a while")
    made = re.sub(rb"(?m)^(Message-ID: <)[a-z]+", rb"\g<1>silence", made, count=1)
    made = re.sub(rb"(?m)^Date: .*\r$", f"Date: {format_datetime(at)}\r".encode(), made, count=1)
    return {**mails, CHEATED: (*mails[CHEATED], made)}
