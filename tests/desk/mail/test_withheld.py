"""What a brake keeps back is told in the next mail to whom it would have gone."""

import re
from datetime import timedelta

import pytest

from pbmd.desk.changes.gm import announce
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.tables import Withheld
from tests.desk.mail.test_rate_limits import flood, limit
from tests.desk.world import address_of, body_of, message_of

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def told(text: str) -> str:
    """What a mail says of mails that were not sent, on one line."""
    return " ".join(re.findall(r"\d+ mails? to you[^.]*\.", text))


@pytest.fixture
def braked(running):
    """Altair has written thirteen times in a quarter of an hour, and was answered ten times."""
    begin = running.now
    flood(running, 13)
    running.begin = begin
    running.now = begin + 2 * HOUR
    return running


def test_the_next_answer_says_how_many_were_not_sent_and_from_when_to_when_and_why(braked):
    first, last = (f"{braked.begin + minutes * MINUTE:%H:%M} UTC" for minutes in (10, 12))
    answer = " ".join(braked.send("Altair", "STATUS").split())
    day = f"{braked.begin:%a} {braked.begin.day} {braked.begin:%b} {braked.begin:%Y}"
    why = "10 answers in an hour are the most for one address"
    assert f"3 mails to you were not sent between {day} {first} and {day} {last}: {why}." in answer
    assert "Everything we could read in your mails still counts, orders included." in answer


def test_it_is_told_once(braked):
    assert told(braked.send("Altair", "STATUS"))
    assert not told(braked.send("Altair", "Add 1"))
    assert braked.rows(Withheld) == []


def test_it_is_told_above_the_last_lines_of_a_mail_which_are_shown_pale(braked):
    answer = braked.send("Altair", "STATUS")
    body, foot = answer.rsplit("\n--\n", 1)
    assert "still counts, orders included." in body
    assert "not sent" not in foot


def test_any_mail_tells_it_be_it_a_notice_or_a_report(braked):
    braked.act("galaxy-7", announce, "hello")
    notice = next(mail for mail in braked.outbox("notice") if mail.recipient == address_of("Altair"))
    assert told(body_of(notice))


def test_a_report_tells_it_in_its_page_too(braked):
    braked.pass_time(80 * HOUR)
    report = braked.outbox("report", "Altair")[-1]
    page = next(part for part in message_of(report).walk() if part.get_content_type() == "text/html").get_content()
    assert told(body_of(report))
    assert told(" ".join(page.split()))


def test_nobody_else_is_told_of_it(braked):
    assert not told(braked.send("Borealis", "STATUS"))
    assert told(braked.send("Altair", "STATUS"))


def test_the_same_answer_to_the_same_text_is_kept_back_once_and_told(running):
    running.send("Altair", "STATUS")
    assert running.send("Altair", "STATUS") == ""
    running.now += MINUTE
    assert "1 mail to you was not sent" in running.send("Altair", "HELP")


def test_of_mails_that_somebody_else_has_caused_it_does_not_say_that_they_answer_the_reader(running):
    limit(running, mails_per_letter=1)
    running.send("Altair", "EXTEND 1m\nEXTEND 2m")
    answer = " ".join(running.send("Cygnus", "STATUS").split())
    assert re.search(r"mails? to you w(as|ere) not sent, [^:]*:\d\d UTC: somebody's letter had caused enough mails\.", answer)
    assert "Your mails were read" not in answer


def test_the_notice_of_silence_is_no_place_to_tell_it(running):
    flood(running, 11)
    assert not told(body_of(running.outbox("silence")[0]))


def test_the_game_master_is_told_too(running):
    limit(running, gm_answers_per_hour=1)
    running.master("STATUS")
    assert running.master("LOG") == ""
    running.now += 2 * HOUR
    running.master("HELP")
    assert [told(body_of(mail))[:27] for mail in running.outbox("alarm")][-1] == "1 mail to you was not sent,"


def test_no_line_is_above_72_columns(braked):
    limit(braked, answers_per_hour=100)
    lines = braked.send("Altair", "STATUS").splitlines()
    start = next(number for number, line in enumerate(lines) if "to you were not sent" in line)
    assert max(map(len, lines[start : start + 5])) <= 72


def test_what_nobody_was_told_for_so_long_that_it_is_no_news_is_tidied_away(braked):
    braked.now += timedelta(days=31)
    tidy(braked.desk, rest=lambda _seconds: None)
    assert braked.rows(Withheld) == []
