"""The engine's commands in a letter: what is a command, what is an order, and what is not read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.desk.language.player_commands import FORMS, PLAYERS
from pbmd.rules.protocol import Line
from tests.processor_time import takes_at_most


def script(text):
    return PLAYERS.read(Line(number, line) for number, line in enumerate(text.splitlines(), start=1))


def kinds(text):
    return [command.kind for command in script(text).commands]


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("JOIN galaxy-7 AS Altair", "join", {"game": "galaxy-7", "seat": "Altair"}),
        ("JOIN galaxy-7 AS The Red Empire", "join", {"game": "galaxy-7", "seat": "The Red Empire"}),
        ("JOIN galaxy-7", "join", {"game": "galaxy-7"}),
        ("ORDERS", "orders", {}),
        ("Orders:", "orders", {}),
        ("ORDERS FOR TURN 12", "orders", {"turn": "12"}),
        ("Orders for turn 12:", "orders", {"turn": "12"}),
        ("CANCEL ORDERS", "cancel", {}),
        ("STATUS", "status", {}),
        ("REPORT", "report", {}),
        ("REPORT 3", "report", {"turn": "3"}),
        ("report data", "report-data", {}),
        ("Report the map", "report-map", {}),
        ("SET REPORT DATA", "set-report", {"files": "data"}),
        ("SET REPORT NO JSON", "set-report", {"files": "no json"}),
        ("RULES", "rules", {}),
        ("HELP", "help", {}),
        ("HELP press", "help", {"topic": "press"}),
        ("WAIT", "wait", {}),
        ("READY", "ready", {}),
        ("EXTEND 24h", "extend", {"time": "24h"}),
        ("EXTEND 1 day because of a wedding", "extend", {"time": "1 day", "reason": "a wedding"}),
        ("EXTEND 1 day because I am ill", "extend", {"time": "1 day", "reason": "I am ill"}),
        ("RESIGN", "resign", {}),
        ("ADDRESS anna@elsewhere.test", "address", {"address": "anna@elsewhere.test"}),
        ("NEW ADDRESS: <anna@elsewhere.test>", "address", {"address": "anna@elsewhere.test"}),
        ("NEW TOKEN", "new-token", {}),
    ],
)
@pytest.mark.parametrize(
    "written", [str, str.lower, str.upper, lambda line: f"  {line} ", lambda line: line.replace(" ", "   ") + "."]
)
def test_each_command_in_any_case_and_spacing(line, kind, words, written):
    (command,) = script(written(line)).commands
    assert command.kind == kind
    assert {key: value.lower() for key, value in command.words.items()} == {key: value.lower() for key, value in words.items()}


@given(st.one_of([st.from_regex(form.pattern, fullmatch=True) for form in FORMS]))
def test_whatever_the_pattern_of_a_command_takes_is_that_command(line):
    plain = " ".join(line.split()).rstrip(".!;")
    expected = [form.kind for form in FORMS if form.pattern.fullmatch(plain)][:1]
    assert [command.kind for command in PLAYERS.read([Line(1, line)]).commands] == expected


def test_no_command_that_players_know_is_gone_and_every_one_explains_itself():
    assert len({form.kind for form in FORMS}) == len(FORMS)
    assert {form.kind for form in FORMS} >= {
        "join", "orders", "add", "only", "cancel", "use",
        "status", "report", "report-data", "report-map", "rules", "help", "press", "wait", "ready", "extend", "resign",
        "address", "new-token", "list", "watch", "unwatch", "standby", "preview",
        "timezone", "absent", "present", "calendar", "record", "set-report",
    }  # fmt: skip
    assert all(form.usage.isprintable() and form.help for form in FORMS)


def test_all_other_lines_are_orders_with_their_numbers():
    read = script("Build 2 Titans\n\nORDERS\nRaise shields")
    assert [(line.number, line.text) for line in read.orders] == [(1, "Build 2 Titans"), (4, "Raise shields")]


@pytest.mark.parametrize(
    "line",
    [
        "STATUS now", "ORDERS FOR TURN soon", "ORDERS FOR TURN", "ORDERS FOR TURN 1234567", "REPORT often", "WAIT FOR ME",
        "EXTEND", "PRESS", "PRESS TO", "END PRESS", "JOIN", "RESIGNED", "CANCEL",
        "ADDRESS", "ADDRESS anna", "ADDRESS anna at home@x.test", "TOKEN", "PASSWORD secret99", "SET PASSWORD secret99",
    ],
)  # fmt: skip
def test_a_line_that_only_looks_like_a_command_is_no_command(line):
    read = script(line)
    assert read.commands == ()
    assert [order.text for order in read.orders] == [line]


@pytest.mark.parametrize(("line", "turn"), [("ORDERS FOR TURN five", "5"), ("REPORT three", "3")])
def test_the_number_of_a_command_may_be_in_words(line, turn):
    (command,) = script(line).commands
    assert command.words == {"turn": turn}


def test_blank_lines_and_comments_are_skipped():
    read = script("\n# Build 9 Titans\n   \n  #STATUS\nRaise shields")
    assert read.commands == ()
    assert [line.text for line in read.orders] == ["Raise shields"]


@pytest.mark.parametrize(
    "end",
    [
        *("END", "end", " End. ", "END ORDERS", "End of orders.", "end of my orders", "END OF THE LIST"),
        *("-- end --", "*** End of Orders ***", "=== END ==="),
    ],
)
def test_end_stops_the_reading(end):
    read = script(f"Build a Cruiser\n{end}\nRESIGN\n\nBest wishes")
    assert [line.text for line in read.orders] == ["Build a Cruiser"]
    assert read.commands == ()
    assert [line.text for line in read.unread] == ["RESIGN", "Best wishes"]


@pytest.mark.parametrize(
    "line",
    [
        "End of the world",
        "End the orders of Vienna",
        "-- end of turn 3 --",
        "Ending orders",
        "End of message",
        "End move",
        "The end",
    ],
)
def test_a_line_that_only_has_end_in_it_does_not_stop_the_reading(line):
    assert kinds(f"{line}\nSTATUS") == ["status"]


@pytest.mark.parametrize("close", ["END PRESS", "end press", " End Press. ", "END  PRESS"])
def test_press_takes_all_lines_to_its_end_as_they_are(close):
    read = script(f"PRESS TO Borealis, Cygnus:\nDear all,\n\n# no comment\nEND\nRESIGN\n{close}\nRaise shields")
    (press,) = read.commands
    assert press.words == {"to": "Borealis, Cygnus"}
    assert [line.text for line in press.body] == ["Dear all,", "", "# no comment", "END", "RESIGN"]
    assert not press.open
    assert [line.text for line in read.orders] == ["Raise shields"]


def test_press_without_its_end_is_marked_and_nothing_after_it_is_carried_out():
    read = script("Raise shields\nPRESS TO ALL\nhello\nRESIGN")
    (press,) = read.commands
    assert press.open
    assert [line.text for line in press.body] == ["hello", "RESIGN"]
    assert [line.text for line in read.orders] == ["Raise shields"]


def test_several_messages_in_one_letter():
    read = script("PRESS TO ALL\nhello\nEND PRESS\nPRESS TO Cygnus\npsst\nEND PRESS")
    assert [[line.text for line in press.body] for press in read.commands] == [["hello"], ["psst"]]


def test_the_lines_after_join_are_its_set_up_until_the_next_command():
    read = script("JOIN galaxy-7 AS Altair\ncolour red\n\n# a remark\nhome Vega\nSTATUS\nBuild a Cruiser")
    join, status = read.commands
    assert [line.text for line in join.body] == ["colour red", "home Vega"]
    assert status.kind == "status"
    assert [line.text for line in read.orders] == ["Build a Cruiser"]


@pytest.mark.parametrize(
    ("line", "usage"),
    [
        ("STATSU", "STATUS"),
        ("Satus please", "STATUS"),
        ("REPROT 3", "REPORT [n]"),
        ("JION galaxy-7 AS Altair", "JOIN <game> AS <seat name>"),
        ("CANCLE ORDERS", "CANCEL ORDERS"),
        ("EXTNED 24h", "EXTEND <time> [because …]"),
        ("ORDRES FOR TURN 3", "ORDERS [FOR TURN n]"),
        ("stat", "STATUS"),
    ],
)
def test_a_misspelt_command_is_recognised(line, usage):
    assert PLAYERS.nearest(line) == usage


@pytest.mark.parametrize("line", ["", "Build 2 Titans", "Repair all", "Attack Borealis with all", "Raise shields", "Train spy"])
def test_an_order_is_not_taken_for_a_misspelt_command(line):
    assert PLAYERS.nearest(line) == ""


@pytest.mark.parametrize("line", ["Sent to the wrong address first.", "Sent in haste"])
def test_prose_that_begins_with_part_of_a_command_is_not_taken_for_one(line):
    assert PLAYERS.nearest(line) == ""


def test_a_long_hostile_line_is_read_quickly():
    long = "press to " + "because " * 20_000
    assert kinds(long) == ["press"]
    assert kinds("extend " + "because " * 20_000) == ["extend"]
    assert kinds("x" * 500_000) == []


@pytest.mark.parametrize("line", ["address " + "a@" * 100_000 + " x", "new address: <" + "a@" * 100_000 + "<"])
def test_nor_does_a_line_with_many_addresses_take_long(line):
    with takes_at_most(1):
        assert kinds(line) == []
