"""Files in mails: whether the time in one for calendars is one that its mail has, too, however it is written; and others."""

from email.message import EmailMessage

import pytest

from pbmd.archive.evidence.claims import Claims, claims_of_mail
from pbmd.archive.evidence.mail_kinds.mail_frame import FRAME
from pbmd.archive.evidence.mail_patterns import DUE

_SUMMER_TIME = (
    "BEGIN:VTIMEZONE\r\nTZID:{}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n"
    "END:STANDARD\r\nEND:VTIMEZONE\r\n"
)


def _event(begins: str, *more: str) -> str:
    return "\r\n".join(("BEGIN:VEVENT", "UID:g1p1@pbmd.test", begins, *more, "END:VEVENT", ""))


def _claims(events: str, text: str) -> Claims:
    mail = EmailMessage()
    mail["Message-ID"] = "<report-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail["Subject"] = "[pbmd galaxy-7 t1] the report"
    mail.set_content(text)
    entry = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n"
    mail.add_attachment(entry.encode(), "application", "ics", filename="deadline.ics")
    return claims_of_mail(mail.as_bytes())


def _told(events: str, text: str = "Orders are due Mon 23 Nov 2026 12:00 UTC.") -> list[tuple[str, bool]]:
    return [(each.words, each.whole) for each in _claims(events, text).itself if "calendars" in each.words]


@pytest.mark.parametrize(
    "events",
    [
        _event("DTSTART:20261123T120000Z"),
        _event("dtstart:20261123T120000Z"),
        _event("DTSTART:20261123T1\r\n 20000Z"),
        _event("DTSTART:20261123T120030Z"),
        _SUMMER_TIME.format("Europe/Berlin") + _event("DTSTART;TZID=Europe/Berlin:20261123T130000"),
        _event('DTSTART;X-A="b";TZID="Europe/Berlin":20261123T130000') + _SUMMER_TIME.format("Europe/Berlin"),
        _event("DTSTART:20261130T120000Z", "STATUS:CANCELLED"),
    ],
)
def test_the_time_of_the_mail_is_the_same_in_all_zones_and_lines(events: str) -> None:
    assert _told(events) == []


@pytest.mark.parametrize(
    "events",
    [
        _event("DTSTART:20261130T120000Z"),
        _event("DTSTART:20261130T1\r\n\t20000Z"),
        _event("dtstart:20261130T120000z"),
        _event("DTSTART;TZID=Europe/Berlin:20261123T120000"),
        _event("DTSTART:20261123T120000Z", "STATUS:CANCELLED") + _event("DTSTART:20261130T120000Z"),
        _SUMMER_TIME.format("UTC") + _event("DTSTART:20261130T120000Z"),
    ],
)
def test_another_time_is_told_in_whatever_way_it_is_written(events: str) -> None:
    ((words, is_whole),) = _told(events)
    assert "its text another time" in words
    assert is_whole


@pytest.mark.parametrize(
    "begins",
    [
        "DTSTART;TZID=W. Europe Standard Time:20261123T130000",
        'DTSTART;TZID="../../etc/localtime":20261123T130000',
        "DTSTART:20261123T120000",
        "DTSTART;VALUE=DATE:20261130",
        "DTSTART:20264023T120000Z",
        "DTSTART;TZID=Europe/Berlin:00010101T000000",
    ],
)
def test_a_time_that_is_not_known_here_is_told_as_not_compared(begins: str) -> None:
    ((words, is_whole),) = _told(_event(begins))
    assert words.startswith("not compared: ")
    assert not is_whole


def test_a_calendar_is_not_called_wrong_by_a_text_without_a_deadline() -> None:
    ((words, is_whole),) = _told(_event("DTSTART:20261130T120000Z"), "The clock stands since Mon 23 Nov 2026 12:00 UTC.")
    assert "its text no time" in words
    assert not is_whole


def test_the_time_of_a_calendar_in_an_answer_is_held_against_the_books() -> None:
    claims = _claims(_event("DTSTART:20261130T120000Z"), "Your mail arrived Mon 23 Nov 2026 12:00 UTC.")
    assert claims.first(DUE) == "Mon 30 Nov 2026 12:00 UTC"
    assert not any("calendars" in each.words for each in claims.itself)


@pytest.mark.parametrize(("more", "told"), [({"filename": "rules.pdf"}, "rules.pdf"), ({}, "application/pdf")])
def test_a_file_that_its_mail_does_not_name_is_told_of_with_a_name_and_without(more: dict[str, str], told: str) -> None:
    mail = EmailMessage()
    mail["Message-ID"] = "<report-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail["Subject"] = "[pbmd galaxy-7 t1] the report"
    mail.set_content("Orders are due Mon 23 Nov 2026 12:00 UTC.")
    mail.add_attachment(b"%PDF-1.4", "application", "pdf", **more)
    found = [each for each in claims_of_mail(mail.as_bytes()).itself if each.what == FRAME]
    assert [(told in each.words, each.whole) for each in found] == [(True, False)]
