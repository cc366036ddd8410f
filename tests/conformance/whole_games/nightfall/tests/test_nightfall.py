"""The rules of Nightfall, one by one. What every ruleset must keep is looked at by `pbmd try`."""

from pathlib import Path
from typing import Any

import pytest

from pbmd.rules import Mail, Receipt, Refused, ScriptedDice, Signup, Status, seat_reader
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import from_folder

RULES = from_folder(Path(__file__).parents[1])


ROLES = {"Ann": "wolf", "Bob": "seer", "Cem": "doctor", "Dora": "villager", "Eve": "villager"}


def begun(phase: str = "night", dead: str = "", more: str = "", **head: Any) -> Any:
    """A game of these seats with their roles, and more wolves."""
    roles = ROLES | dict.fromkeys(more.split(), "wolf")
    villagers = [{"name": name, "role": role, "alive": name not in dead.split()} for name, role in roles.items()]
    return RULES.load({"ruleset": RULES.info.slug, "villagers": villagers, "phase": phase} | head)


def send(position: Any, seat: str, text: str) -> Receipt[Any]:
    """What comes of a letter."""
    return RULES.receive(position, Mail(seat, order_lines(text), (len(RULES.sheets(position)), 0)))


def after(position: Any, **letters: str) -> Any:
    """The resolution after these letters."""
    for seat, text in letters.items():
        position = send(position, seat, text).position
    return RULES.resolve(position, ScriptedDice([]))


def dead(position: Any) -> list[str]:
    """Who is."""
    return [each["name"] for each in RULES.dump(position)["villagers"] if not each["alive"]]


def told(receipt: Receipt[Any]) -> Status:
    """What is said of the only line."""
    return receipt.verdicts[0].status


def test_roles_are_dealt_by_lot() -> None:  # NI-1
    signups = [Signup(name) for name in ("Ann", "Bob", "Cem", "Dora")]
    position = RULES.setup(signups, complete(RULES.info.options, {}), ScriptedDice([1, 1, 1]))
    assert [each["role"] for each in RULES.dump(position)["villagers"]] == ["seer", "doctor", "villager", "wolf"]


def test_there_are_more_others_than_wolves() -> None:  # NI-1
    options = complete(RULES.info.options, {"wolves": 2})
    signups = [Signup(name) for name in ROLES]
    roles = [each["role"] for each in RULES.dump(RULES.setup(signups, options, ScriptedDice([1] * 4)))["villagers"]]
    assert sorted(roles) == ["doctor", "seer", "villager", "wolf", "wolf"]
    with pytest.raises(Refused):
        RULES.setup(signups[:4], options, ScriptedDice([1] * 4))


def test_a_turn_has_a_night_and_a_day() -> None:  # NI-2
    day = after(begun()).position
    assert (RULES.turn(day), RULES.step_name(day)) == (1, "day")
    assert RULES.turn(after(day).position) == 2


def test_one_thing_in_a_phase() -> None:  # NI-2
    assert [each.status for each in send(begun(), "Ann", "Kill Bob\nRest").verdicts] == [Status.OK, Status.ERROR]


def test_wolves_kill() -> None:  # NI-3
    assert dead(after(begun(), Ann="kill b").position) == ["Bob"]
    assert told(send(begun(), "Ann", "Kill Ann")) is Status.ERROR
    assert told(send(begun(), "Bob", "Kill Ann")) is Status.ERROR


def test_most_wolves_choose_and_the_first_of_equal_ones() -> None:  # NI-3
    position = begun(more="Fay Gil")
    assert dead(after(position, Fay="Kill Bob", Ann="Kill Cem", Gil="Kill Cem").position) == ["Cem"]
    assert dead(after(position, Fay="Kill Cem", Ann="Kill Bob").position) == ["Cem"]


def test_who_is_guarded_is_not_killed() -> None:  # NI-4
    done = after(begun(), Ann="Kill Bob", Cem="Guard Bob").position
    assert dead(done) == []
    assert told(send(after(done).position, "Cem", "Guard Bob")) is Status.ERROR


def test_the_seer_is_told_the_role() -> None:  # NI-5
    done = after(begun(), Ann="Kill Bob", Bob="Look at Ann")
    shown = RULES.view(done.position, done.events, seat_reader("Bob")).data["told"]
    assert "You looked at Ann: wolf." in shown


def test_who_has_most_votes_is_hanged() -> None:  # NI-6, NI-8
    done = after(begun("day"), Ann="Vote for Bob", Bob="Vote for Ann", Cem="Vote for Ann")
    assert dead(done.position) == ["Ann"]
    assert dead(after(begun("day"), Ann="Vote for Bob").position) == ["Bob"]
    assert dead(after(begun("day"), Ann="Vote for Bob", Bob="Vote for Ann").position) == []
    assert told(send(begun("day"), "Ann", "Vote for Ann")) is Status.ERROR


def test_mercy() -> None:  # NI-7
    votes = {"Ann": "Vote for Bob", "Bob": "Vote for Ann", "Cem": "Vote for Ann", "Dora": "Vote for Cem"}
    assert dead(after(begun("day"), **votes).position) == ["Ann"]
    assert dead(after(begun("day"), **votes, Eve="Vote for Dora").position) == []
    assert dead(after(begun("day", options={"mercy": False}), **votes, Eve="Vote for Dora").position) == ["Ann"]


def test_the_dead_do_nothing() -> None:  # NI-8
    assert not send(begun("day", dead="Eve"), "Eve", "Vote for Ann").filed
    assert "Eve" not in RULES.awaiting(begun("day", dead="Eve"))


def test_who_wins() -> None:  # NI-9
    assert RULES.outcome(begun("day", dead="Eve")) is None
    village = RULES.outcome(begun("night", dead="Ann"))
    assert village is not None
    assert village.winners == ("Bob", "Cem", "Dora", "Eve")
    wolves = RULES.outcome(begun("night", dead="Bob Cem Dora"))
    assert wolves is not None
    assert wolves.winners == ("Ann",)


def test_the_wolves_win_when_the_days_are_over() -> None:  # NI-9
    assert RULES.outcome(begun(turn=10)) is None
    late = RULES.outcome(begun(turn=11))
    assert late is not None
    assert late.winners == ("Ann",)


def test_who_writes_to_whom() -> None:  # NI-10
    assert RULES.press is not None
    assert "Bob" in RULES.press(begun("day"), "Ann")
    assert "Ann" not in RULES.press(begun("night"), "Bob")


def test_who_sends_nothing_does_nothing_and_all_get_to_know() -> None:  # NI-11
    missed = RULES.miss(begun("day"), "Bob").position
    assert RULES.resolve(missed, ScriptedDice([])).events[0].audience is None
