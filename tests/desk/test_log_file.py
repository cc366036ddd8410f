"""The file of the dashboard log is made from the ledger: where it cannot be written nothing else waits for it."""

import os

import pytest

from pbmd.daemon.heartbeat import work_pass
from pbmd.desk.mail.alarms import watch
from pbmd.ledger.log_file import twin, write_new_lines
from tests.desk.world import body_of


@pytest.fixture(params=["a folder", "a pipe", "a device"])
def unwritable(request, running):
    """A game whose log is something that no lines can be written to."""
    log = running.desk.settings.log_file
    for file in (log, twin(log)):
        file.unlink(missing_ok=True)
    if request.param == "a folder":
        log.mkdir()
    elif request.param == "a pipe":
        os.mkfifo(log)
    else:
        log.symlink_to("/dev/full")
    return running


def test_what_is_no_file_is_told_and_not_waited_for(unwritable):
    with pytest.raises(OSError, match="is no regular file"):
        write_new_lines(unwritable.desk.engine, unwritable.desk.settings.log_file)


def test_letters_are_dealt_with_all_the_same(unwritable, caplog):
    unwritable.arrive(unwritable.letter("Altair", "Add 3"))
    work_pass(unwritable.desk, lambda: None)
    assert len(unwritable.outbox("acknowledgement")) == 1
    assert "the dashboard log cannot be written" in caplog.text


def test_the_game_master_is_told_once_and_again_when_it_is_well(unwritable):
    log = unwritable.desk.settings.log_file
    for _ in range(2):
        watch(unwritable.desk, kinds=["log"])
    (alarm,) = unwritable.outbox("alarm")
    assert "The dashboard log cannot be written: " in " ".join(body_of(alarm).split())
    assert "pbmd log" in body_of(alarm)
    log.rmdir() if log.is_dir() else log.unlink()
    watch(unwritable.desk, kinds=["log"])
    assert len(unwritable.log("all-clear")) == 1


def test_what_it_lacks_is_written_once_it_can_be(unwritable):
    log = unwritable.desk.settings.log_file
    unwritable.arrive(unwritable.letter("Altair", "Add 3"))
    work_pass(unwritable.desk, lambda: None)
    log.rmdir() if log.is_dir() else log.unlink()
    work_pass(unwritable.desk, lambda: None)
    assert "receipt" in log.read_text()
