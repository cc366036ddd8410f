"""What a host does around the words of a mail: in its header, its files and its titles; and what it leaves of an answer, of a
word that is confirmed, and of the lines of mail servers."""

import re
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from email.policy import SMTP

from pbmd.desk.changes import rollback
from tests.archive.cheats import hosts, time_given
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MOVES,
    Evidence,
    Played,
    World,
    joined,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import Change, in_all, rewritten

_REPORT, _ANSWER = "Turn 1: what happened", "t2] Borealis: orders in"
Host = Callable[[Played], Evidence]


def _alters(subject: str, change: Callable[[bytes], bytes]) -> Host:
    def host(played: Played) -> Evidence:
        raw = first_mail(played.mails, subject)
        return Evidence(played.archive, instead(played.mails, raw, change(raw)))

    return host


def _rewrites(evidence: Evidence, subject: str, text: Change = str, page: Change = str, file: Change = str) -> Evidence:
    raw = first_mail(evidence.mails, subject)
    return replace(evidence, mails=instead(evidence.mails, raw, rewritten(raw, text, page, file)))


# Its header


def sends_a_copy_to_a_friend(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: b"Cc: cygnus@players.test\r\n" + raw)(played)


def has_a_friend_told_when_it_is_read(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: b"Disposition-Notification-To: cygnus@players.test\r\n" + raw)(played)


def writes_more_than_its_name(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: raw.replace(b'"galaxy-7 (pbmd)"', b'"galaxy-7 (pbmd) Altair has resigned"'))(played)


def names_a_friend_in_answers(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: re.sub(rb"(?m)^Reply-To: (\S+)", rb"Reply-To: Cygnus <\1>", raw))(played)


def writes_as_another(played: Played) -> Evidence:
    return _alters("press from Altair", lambda raw: raw.replace(b'From: "galaxy-7 (pbmd)"', b"From: Altair"))(played)


def leads_answers_to_two(played: Played) -> Evidence:
    more = re.compile(rb"(?m)^(Reply-To: \S+)")
    return _alters(_REPORT, lambda raw: more.sub(rb"\1, cygnus@players.test", raw))(played)


def leads_a_button_of_programs_elsewhere(played: Played) -> Evidence:
    """The button by which programs offer to get no more of such mails takes orders back."""
    return _alters(_REPORT, lambda raw: raw.replace(b"body=RESIGN", b"body=CANCEL%20ORDERS"))(played)


def has_a_second_subject(played: Played) -> Evidence:
    return _alters(
        _REPORT, lambda raw: raw.replace(b"\r\nDate:", b"\r\nSubject: [pbmd galaxy-7 t2] nothing to do\r\nDate:", 1)
    )(played)


def has_a_second_place_for_answers(played: Played) -> Evidence:
    return _alters(
        _REPORT, lambda raw: raw.replace(b"\r\nIn-Reply-To:", b"\r\nReply-To: cygnus@players.test\r\nIn-Reply-To:", 1)
    )(played)


# Its token, its titles, its files


def gives_the_form_of_a_friend(played: Played) -> Evidence:
    """What is filled in counts for Cygnus."""
    own, other = (re.search(r"g1p\d\.\w{16}", first_mail(played.mails, _REPORT, seat).decode()) for seat in (CHEATED, FRIEND))
    assert own is not None
    assert other is not None
    forms = re.compile(rf"(#orders |%23orders%20){re.escape(own[0])}")
    change = in_all(lambda each: forms.sub(rf"\g<1>{other[0]}", each))
    return _rewrites(Evidence(played.archive, played.mails), _REPORT, *change)


def says_it_in_a_form_of_its_own(played: Played) -> Evidence:
    """Marked like an order form, and without a token."""
    form, evidence = "# orders\n# Altair has resigned.\n# end\n\nHELP lists", Evidence(played.archive, played.mails)
    return _rewrites(evidence, _REPORT, *in_all(lambda each: each.replace("HELP lists", form, 1)))


def gives_a_page_another_title(played: Played) -> Evidence:
    title, evidence = re.compile("<title>.*?</title>"), Evidence(played.archive, played.mails)
    return _rewrites(evidence, _REPORT, page=lambda page: title.sub("<title>galaxy-7: Cygnus has won</title>", page))


def has_something_else_read_aloud(played: Played) -> Evidence:
    evidence = Evidence(played.archive, played.mails)
    return _rewrites(evidence, _ANSWER, page=lambda page: page.replace("<h1", '<h1 aria-label="Send nothing more"', 1))


def _with_file(raw: bytes, name: str, kind: str, content: bytes) -> bytes:
    message = message_from_bytes(raw, policy=SMTP.clone(refold_source="none"))
    main, _, sub = kind.partition("/")
    message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return message.as_bytes()


def attaches_other_rules(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: _with_file(raw, "rules.pdf", "application/pdf", b"%PDF-1.4"))(played)


def attaches_a_map_to_an_answer(played: Played) -> Evidence:
    """What is drawn there is no map."""
    drawn = b"<svg xmlns='http://www.w3.org/2000/svg'><text>Altair has resigned</text></svg>"
    return _alters(_ANSWER, lambda raw: _with_file(raw, "map.svg", "image/svg+xml", drawn))(played)


def attaches_a_second_proof(played: Played) -> Evidence:
    """Its name is in the text of the answer as well, and it has no values."""
    name, words = "galaxy-7-t2-receipt-11.txt", b"RECEIPT 11 of galaxy-7, turn 3, for Borealis\r\n"
    return _alters(_ANSWER, lambda raw: _with_file(raw, name, "text/plain", words))(played)


def writes_for_another(played: Played) -> Evidence:
    return _alters(_REPORT, lambda raw: b"Sender: cygnus@players.test\r\n" + raw)(played)


def gives_a_calendar_another_deadline(played: Played) -> Evidence:
    lines = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261130T120000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    return _alters(_REPORT, lambda raw: _with_file(raw, "deadline.ics", "application/ics", lines))(played)


# Answers


def lists_orders_under_another_heading(played: Played) -> Evidence:
    """Orders were altered before intake; the answer has the true ones where nobody looks for them."""
    gone_on = hosts.alters_before_intake(played)

    def change(each: str) -> str:
        return re.sub(r",\s+as we read them", "", each).replace("Add 1", "Add 6")

    listed = re.compile(r"The orders that are in force with it:\n\| Add 1\n?")
    return _rewrites(gone_on, _ANSWER, change, change, lambda file: listed.sub("", file))


def drops_a_reader_of_press(played: Played) -> Evidence:
    """Borealis wrote to two, and the books have one."""
    press = sends(CHEATED, f"PRESS TO {LOOKS_ON}\nHello there.\nEND PRESS")
    gone_on = played.again("b2", b2=then(press, MOVES["b2"]))
    raw = next(each for each in gone_on.mails[CHEATED] if b"Your message went to" in each)
    change = in_all(lambda each: each.replace("went to Altair", "went to Altair, Cygnus"))
    return replace(gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, *change)))


def shortens_an_absence(played: Played) -> Evidence:
    gone_on = played.again("b3", b3=then(sends(CHEATED, "ABSENT FROM 2026-12-24 TO 2026-12-25"), MOVES["b3"]))
    raw = next(each for each in gone_on.mails[CHEATED] if b"You are away" in each)
    change = in_all(lambda each: each.replace("25 Dec", "28 Dec"))
    return replace(gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, *change)))


def _forgets(played: Played, move: Callable[[World], object]) -> Evidence:
    with played.gone_back("b3") as world:
        move(world)
        answered = mails_of(world)
    gone_on = played.again("b3")
    return replace(gone_on, mails={**gone_on.mails, CHEATED: joined(answered, gone_on.mails)[CHEATED]})


def forgets_a_resignation(played: Played) -> Evidence:
    return _forgets(played, lambda world: world.resign(CHEATED))


def forgets_a_new_secret(played: Played) -> Evidence:
    """So that who knows the old one can write for the seat."""
    return _forgets(played, sends(CHEATED, "NEW TOKEN"))


# A turn that is played again


def _taken_back(played: Played) -> Evidence:
    def back(world: World) -> None:
        world.act(GAME, rollback.roll_back, 2, "a mistake")

    again = then(passes(5 * DAY), *(MOVES[name] for name in ("c3", "b3", "a3")), passes())
    return played.again("vote a", vote_a=back, vote_b=None, vote_c=None, turn_3=again)


def alters_why_a_turn_is_played_again(played: Played) -> Evidence:
    change = in_all(lambda each: each.replace("a mistake", "Altair asked for it"))
    return _rewrites(_taken_back(played), "turn 2 is played again", *change)


def adds_to_what_is_said_of_a_turn_that_is_played_again(played: Played) -> Evidence:
    change = in_all(lambda each: each.replace("Orders are due", "Altair has resigned. Orders are due"))
    return _rewrites(_taken_back(played), "turn 2 is played again", *change)


# Lines of mail servers


def hides_a_late_report_by_a_server_that_there_is_not(played: Played) -> Evidence:
    line = b"Received: from pbmd.test by relay.isp.example; Fri, 20 Nov 2026 12:31:30 +0000\r\n"
    evidence = time_given.hands_a_report_over_late(played)
    raw = next(each for each in evidence.mails[CHEATED] if b"Received:" in each)
    return replace(evidence, mails=instead(evidence.mails, raw, raw.replace(b"From:", line + b"From:", 1)))
