"""Press by the rules, as `pbmd try` looks at it: rooms that can be written to, and that give nothing away."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbmd.conformance import declared_paths, mutation, press_rooms
from pbmd.conformance.trial_seats import NAMES
from tests.conformance.test_checks import found
from tests.rules.count import ruleset as count
from tests.rules.tides import ruleset as tides
from tests.rules.village import ruleset as village

ONE, OTHER = NAMES[:2]
CHECKS = (
    press_rooms.rooms_can_be_written_to,
    press_rooms.letters_on_file_open_no_room,
    declared_paths.declared_secrets_show_to_nobody_else,
    mutation.nothing_is_changed,
)


@pytest.mark.parametrize("rules", [village, count, tides], ids=["rooms", "no rooms", "no rooms, phases"])
def test_nothing_is_found_where_nothing_is(rules: Any) -> None:
    assert [found(check, rules) for check in CHECKS] == [set[str]()] * len(CHECKS)


@pytest.mark.parametrize(
    "rooms",
    [
        {"": (ONE,)},
        {"wolves, and others": (ONE,)},
        {"you and me": (ONE,)},
        {"x" * 41: (ONE,)},
        {"wolves\n": (ONE,)},
        {"wolves": (ONE,), "WOLVES": (OTHER,)},
        {ONE.upper(): (OTHER,)},
        {"wolves": ("Vega",)},
        {ONE: (ONE, OTHER)},
        {OTHER: (ONE,)},
    ],
)
def test_rooms_that_nobody_can_write_to_are_found(rooms: Mapping[str, tuple[str, ...]]) -> None:
    wrong = replace(count, press=lambda _position, _seat: rooms)
    assert found(press_rooms.rooms_can_be_written_to, wrong) == {"press.rooms"}


def test_rooms_of_the_wrong_type_are_found() -> None:
    wrong = replace(count, press=lambda _position, _seat: {"all": ONE})
    assert found(press_rooms.rooms_can_be_written_to, wrong) == {"code.returns"}


def test_a_room_that_opens_by_letters_of_others_is_found() -> None:
    def press(position: Any, _seat: str) -> dict[str, tuple[str, ...]]:
        return {"all": tuple(sheet.seat for sheet in position.sheets)}

    assert found(press_rooms.letters_on_file_open_no_room, replace(tides, press=press)) == {"secret.press"}


def test_a_room_that_tells_others_who_is_a_wolf_is_found() -> None:
    def press(position: Any, _seat: str) -> dict[str, tuple[str, ...]]:
        return {"wolves": tuple(each.name for each in position.villagers if each.wolf)}

    wrong = replace(village, press=press)
    assert found(declared_paths.declared_secrets_show_to_nobody_else, wrong) == {"secret.declared"}


def test_a_message_to_a_room_whose_writers_are_secret_is_found() -> None:
    """Whoever reads what only wolves may write knows them by it."""

    def press(position: Any, seat: str) -> dict[str, tuple[str, ...]]:
        wolves = [each.name for each in position.villagers if each.wolf]
        return {"howls": tuple(village.seats(position))} if seat in wolves else {}

    wrong = replace(village, press=press)
    assert found(declared_paths.declared_secrets_show_to_nobody_else, wrong) == {"secret.declared"}
