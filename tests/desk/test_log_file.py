"""The file of the dashboard log is made from the ledger: where it cannot be written nothing else waits for it."""

import os
from unittest.mock import patch

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


def written(world):
    """A game whose log has some lines."""
    world.arrive(world.letter("Altair", "Add 3"))
    work_pass(world.desk, lambda: None)
    return world.desk.settings.log_file


SPOILED = {
    "a number that no ledger has": "99999999999999999999999999  2026-11-20T12:00:00Z  galaxy-7\n",
    "a number that is not reached yet": "  98765  2026-11-20T12:00:00Z  galaxy-7\n",
    "words of somebody": "here I have moved the house\n",
    "bytes that are no text": "\udcff\udc80\x00\n",
}


@pytest.mark.parametrize("last", SPOILED.values(), ids=SPOILED)
def test_what_somebody_else_has_put_at_its_end_keeps_no_line_out_and_repeats_none(running, last):
    log = written(running)
    with log.open("a", errors="surrogateescape") as file:
        file.write(last)
    running.arrive(running.letter("Borealis", "Add 4"))
    work_pass(running.desk, lambda: None)
    numbers = [line.split()[0] for line in log.read_text(errors="replace").splitlines() if "receipt" in line]
    assert len(numbers) == 2 == len(set(numbers))


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08\x00cut", b"no such file"])
def test_a_packed_one_that_is_cut_off_keeps_no_letter_from_being_dealt_with(running, content):
    log = written(running)
    for file in (log, twin(log)):
        file.with_name(f"{file.name}.1.gz").write_bytes(content)
        file.unlink()
    (log.parent / f"{log.name}.old").mkdir()
    running.arrive(running.letter("Borealis", "Add 4"))
    work_pass(running.desk, lambda: None)
    assert len(running.outbox("acknowledgement")) == 2
    assert "Borealis" in log.read_text()


def test_the_game_master_is_told_where_it_cannot_be_read(running):
    log = written(running)
    with patch("pbmd.ledger.log_file._tail", side_effect=PermissionError(13, "Permission denied", f"{log}.1")):
        watch(running.desk, kinds=["log"])
    (alarm,) = running.outbox("alarm")
    assert "Permission denied" in " ".join(body_of(alarm).split())
