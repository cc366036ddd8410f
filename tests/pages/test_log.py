"""``dashboard.log``: one line an event, aligned and greppable, each of them once whatever happens to the file."""

import gzip
import json
import re
import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import Session

from pbmd.ledger.database import migrate, open_engine, sqlite_url
from pbmd.ledger.log_file import format_line, json_line, twin, write_new_lines
from pbmd.ledger.tables import LogLine

BEGIN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path):
    url = sqlite_url(tmp_path / "ledger.sqlite")
    migrate(url)
    engine = open_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "dashboard.log"


def happen(engine, *whats, **more):
    with Session(engine) as session:
        for what in whats:
            session.add(LogLine(at=BEGIN + timedelta(seconds=1), what=what, **more))
        session.commit()


def events(*paths):
    """The third column from the end, as `awk` would have it: what happened, in the order of the files."""
    return [re.split(r"  +", line.strip())[4] for path in paths for line in path.read_text().splitlines()]


def line(**changes):
    given = {"id": 7, "at": BEGIN, "game": "galaxy-7", "turn": "t3", "what": "orders", "seat": "Altair", "detail": "receipt 12"}
    return LogLine(**(given | changes))


def test_number_time_game_turn_what_seat_detail_in_columns():
    assert format_line(line()).split() == ["7", "2026-11-20T12:00:00Z", "galaxy-7", "t3", "orders", "Altair", "receipt", "12"]


def test_columns_stand_below_each_other():
    first, second = format_line(line()), format_line(line(id=123456, game="a", turn="t12", what="nmr", seat="The Red Empire"))
    assert first.index("receipt 12") == second.index("receipt 12")
    assert first.index("Altair") == second.index("The Red Empire")


def test_columns_can_be_told_apart_also_when_one_is_longer_than_its_place():
    long = format_line(line(game="g" * 31, what="a long word", seat="An Empire With A Name That Fills More", detail="x  y"))
    assert re.split(r"  +", long.strip())[2:] == ["g" * 31, "t3", "a long word", "An Empire With A Name That Fills More", "x y"]


@pytest.mark.parametrize(
    "char", ["\n", "\r", "\r\n", "\t", "\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u200b", "\ud800"]
)
def test_nothing_in_a_name_or_a_detail_can_make_a_second_line_or_another_column(char):
    hostile = f"Altair{char}{char}99  2026-11-20T12:00:00Z  galaxy-7"
    written = format_line(line(seat=hostile, detail=hostile))
    assert written.isprintable()
    assert len(re.split(r"  +", written.strip())) == 7
    written.encode("utf-8")


def test_new_lines_are_appended_in_order(engine, path):
    happen(engine, "one", "two")
    assert write_new_lines(engine, path) == 2
    happen(engine, "three")
    assert write_new_lines(engine, path) == 1
    assert events(path) == ["one", "two", "three"]


def test_nothing_new_means_nothing_written(engine, path):
    assert write_new_lines(engine, path) == 0
    happen(engine, "one")
    write_new_lines(engine, path)
    assert write_new_lines(engine, path) == 0
    assert events(path) == ["one"]


def test_more_lines_than_are_read_at_a_time(engine, path):
    happen(engine, *(f"event{number}" for number in range(2500)))
    assert write_new_lines(engine, path) == 2500
    assert events(path) == [f"event{number}" for number in range(2500)]


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_that_was_cut_short_is_written_again_whole(engine, path, cut):
    happen(engine, "one", "two")
    write_new_lines(engine, path)
    path.write_bytes(path.read_bytes()[:-cut])
    write_new_lines(engine, path)
    assert events(path) == ["one", "two"]


def test_a_file_with_nothing_but_a_cut_line_is_begun_anew(engine, path):
    path.write_text("      1  2026-11")
    happen(engine, "one")
    write_new_lines(engine, path)
    assert events(path) == ["one"]


def test_a_cut_line_behind_the_longest_line_is_mended(engine, path):
    happen(engine, "one", detail="€" * 100_000)
    write_new_lines(engine, path)
    happen(engine, "two", detail="€" * 100_000)
    write_new_lines(engine, path)
    path.write_bytes(path.read_bytes()[:-1])
    write_new_lines(engine, path)
    assert events(path) == ["one", "two"]


@pytest.mark.parametrize("rotated", ["dashboard.log.1", "dashboard.log-20261121"])
def test_a_file_that_was_rotated_away_is_gone_on_with(engine, path, rotated):
    happen(engine, "one", "two")
    write_new_lines(engine, path)
    path.rename(path.with_name(rotated))
    happen(engine, "three")
    write_new_lines(engine, path)
    assert events(path.with_name(rotated), path) == ["one", "two", "three"]


def test_a_file_that_was_copied_and_emptied_is_gone_on_with(engine, path):
    happen(engine, "one")
    write_new_lines(engine, path)
    path.with_name("dashboard.log.1").write_bytes(path.read_bytes())
    path.write_bytes(b"")
    happen(engine, "two")
    write_new_lines(engine, path)
    assert events(path) == ["two"]


def test_of_several_rotated_files_the_newest_counts_packed_or_not(engine, path):
    happen(engine, "one")
    write_new_lines(engine, path)
    path.rename(path.with_name("dashboard.log.2"))
    happen(engine, "two")
    write_new_lines(engine, path)
    path.with_name("dashboard.log.1.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    happen(engine, "three")
    write_new_lines(engine, path)
    assert events(path) == ["three"]


def test_two_writers_at_once_write_each_line_once(engine, path):
    happen(engine, *(f"event{number}" for number in range(300)))
    threads = [threading.Thread(target=write_new_lines, args=(engine, path)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert events(path) == [f"event{number}" for number in range(300)]


def test_a_folder_that_is_not_there_is_an_error_of_the_system(engine, tmp_path):
    with pytest.raises(OSError):
        write_new_lines(engine, tmp_path / "gone" / "dashboard.log")


def test_what_a_line_rests_on_stands_behind_its_detail():
    assert format_line(line(cause="letter 9")).endswith("  receipt 12 (letter 9)")
    assert format_line(line(detail="", cause="letter 9")).endswith("Altair                (letter 9)")


def test_what_the_detail_says_itself_is_not_said_twice():
    assert format_line(line(detail="letter 9: no token", cause="letter 9")).endswith("  letter 9: no token")
    assert format_line(line(detail="letter 99: no token", cause="letter 9")).endswith("  letter 99: no token (letter 9)")


def test_however_long_the_detail_is_what_it_rests_on_is_not_cut_off():
    written = re.split(r"  +", format_line(line(detail="€" * 1000, cause="letter 9")))[-1]
    assert written.endswith("…(letter 9)".replace("(", " ("))
    assert len(written) == 400


def read_twin(path):
    return [json.loads(each) for each in twin(path).read_text().splitlines()]


def test_a_file_beside_it_has_the_same_lines_as_json(engine, path):
    happen(engine, "running")
    happen(engine, "orders", game="galaxy-7", turn="t3", seat="Altaïr", detail="receipt 12", cause="letter 9")
    write_new_lines(engine, path)
    nothing = {"game": None, "turn": None, "seat": None, "detail": "", "cause": None}
    about = {"game": "galaxy-7", "turn": 3, "seat": "Altaïr", "detail": "receipt 12", "cause": "letter 9"}
    at = "2026-11-20T12:00:01Z"
    assert path.with_name("dashboard.jsonl").exists()
    assert read_twin(path) == [
        {"number": 1, "time": at, "what": "running"} | nothing,
        {"number": 2, "time": at, "what": "orders"} | about,
    ]


def test_each_line_is_in_the_twin_once_whatever_happens_to_either_file(engine, path):
    happen(engine, "one", "two")
    write_new_lines(engine, path)
    twin(path).write_bytes(twin(path).read_bytes()[:-4])
    write_new_lines(engine, path)
    path.rename(path.with_name("dashboard.log.1"))
    happen(engine, "three")
    write_new_lines(engine, path)
    twin(path).rename(path.with_name("dashboard.jsonl.1"))
    happen(engine, "four")
    write_new_lines(engine, path)
    assert [each["number"] for each in read_twin(path)] == [4]
    assert [json.loads(each)["number"] for each in path.with_name("dashboard.jsonl.1").read_text().splitlines()] == [1, 2, 3]
    assert events(path.with_name("dashboard.log.1"), path) == ["one", "two", "three", "four"]


def test_a_ledger_from_before_there_was_a_twin_gets_a_whole_one(engine, path):
    happen(engine, "one", "two")
    write_new_lines(engine, path)
    twin(path).unlink()
    write_new_lines(engine, path)
    assert [each["what"] for each in read_twin(path)] == ["one", "two"]


@pytest.mark.parametrize("char", ["\n", "\x1b", "\u2028", "\ud800"])
def test_nothing_in_a_name_or_a_detail_can_make_a_second_line_of_json(char):
    written = json_line(line(seat=f"Altair{char}", detail=f'"}}{char}{{"number":99'))
    assert written.isprintable()
    assert json.loads(written)["number"] == 7
