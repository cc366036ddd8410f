"""The steps of a pass: one that fails holds up none of the others, and somebody is told of it, once."""

from datetime import timedelta
from typing import Any

import pytest

from pbmd.daemon import heartbeat
from pbmd.daemon.heartbeat import work_pass
from pbmd.daemon.pass_steps import EndingError
from pbmd.desk.mail.alarms import tell_of_failure
from pbmd.desk.publish.dashboard import show
from pbmd.desk.upkeep.damaged import NOTE
from tests.desk.world import World, body_of

STEPS = ("deal_with_letters", "decide_votes", "advance_games", "tell_news")


def fail(*_: Any, **__: Any) -> None:
    raise ZeroDivisionError("Altair attacks at dawn")


@pytest.mark.parametrize("step", STEPS)
def test_all_else_is_done_and_what_went_wrong_is_raised(running: World, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    running.now += timedelta(hours=80)
    running.read_mailbox()
    monkeypatch.setattr(heartbeat, step, fail)
    turns, lines = running.game().turn, len(running.log())
    with pytest.raises(ZeroDivisionError):
        work_pass(running.desk, lambda: None)
    assert running.game().turn == turns + (step != "advance_games")
    assert len(running.log()) > lines or step == "advance_games"
    written = running.desk.settings.log_file.read_text()
    assert ("resolved" in written) == (step != "advance_games")


def test_of_what_else_fails_in_a_pass_the_game_master_is_told(running: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in ("deal_with_letters", "advance_games"):
        monkeypatch.setattr(heartbeat, step, fail)
    with pytest.raises(ZeroDivisionError):
        work_pass(running.desk, lambda: None)
    [mail] = [body_of(mail) for mail in running.outbox("alarm")]
    assert "ZeroDivisionError in tests.desk.due.test_steps.fail" in " ".join(mail.split())
    assert "at dawn" not in mail, "the text of a defect may tell what somebody has ordered"


def test_a_pass_that_is_to_end_goes_no_further(running: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends() -> None:
        raise EndingError

    running.arrive(running.letter("Altair", "Add 3"))
    monkeypatch.setattr(heartbeat, "advance_games", fail)
    with pytest.raises(EndingError):
        work_pass(running.desk, ends)


def test_what_went_wrong_before_a_pass_had_to_end_is_in_the_log(
    running: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def ends() -> None:
        raise EndingError

    running.now += timedelta(hours=80)
    running.read_mailbox()
    monkeypatch.setattr(heartbeat, "deal_with_letters", fail)
    with pytest.raises(EndingError):
        work_pass(running.desk, ends)
    assert "ZeroDivisionError in tests.desk.due.test_steps.fail" in caplog.text


def test_of_what_fails_again_and_again_there_is_one_mail(running: World) -> None:
    for _ in range(100):
        tell_of_failure(running.desk, "KeyError in pbmd.somewhere, line 3")
        running.now += timedelta(seconds=1)
    mails = [body_of(mail) for mail in running.outbox("alarm") if mail.key.startswith("alarm")]
    assert len(mails) == 1
    assert "KeyError in pbmd.somewhere, line 3" in mails[0]


def test_pages_that_cannot_be_written_are_told_of(running: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.desk.publish.dashboard.update", fail)
    assert not show(running.desk)
    assert not show(running.desk)
    mails = [body_of(mail) for mail in running.outbox("alarm") if mail.key.startswith("alarm")]
    assert ["the pages cannot be written" in " ".join(mail.split()) for mail in mails] == [True]


@pytest.mark.parametrize("note", ['{"found": null}', '{"told": 5}', "[" * 100_000])
def test_a_note_of_damage_that_cannot_be_read_stops_no_pages(running: World, note: str) -> None:
    (running.folder / NOTE).write_text(note)
    assert show(running.desk)
    assert (running.folder / "dashboard" / "index.html").is_file()
