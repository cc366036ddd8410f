"""The rules of New Game, one by one. What every ruleset must keep is looked at by `pbmd try`."""

from pathlib import Path
from typing import Any

import pytest

from pbmd.rules import Mail, PositionError, Receipt, ScriptedDice, Status, seat_reader
from pbmd.rules.lines import order_lines
from pbmd.rules.registry import from_folder

RULES = from_folder(Path(__file__).parents[1])


def begun(**gold: int) -> Any:
    """A game of these seats with so much gold each."""
    return RULES.load({"ruleset": RULES.info.slug, "names": [*gold], "gold": gold, "to_move": [*gold]})


def send(position: Any, seat: str, text: str) -> Receipt[Any]:
    """What comes of a letter."""
    return RULES.receive(position, Mail(seat, order_lines(text), (len(RULES.sheets(position)), 0)))


def after(position: Any, *rolls: int, **letters: str) -> Any:
    """The position after these letters, with these rolls of the dice."""
    for seat, text in letters.items():
        position = send(position, seat, text).position
    return RULES.resolve(position, ScriptedDice(rolls)).position


def gold(position: Any) -> dict[str, int]:
    """What each has."""
    return RULES.dump(position)["gold"]


def test_who_has_enough_has_won() -> None:  # NG-1
    assert RULES.outcome(begun(Ann=19, Bob=3)) is None
    won = RULES.outcome(begun(Ann=20, Bob=3))
    assert won is not None
    assert won.winners == ("Ann",)


def test_who_digs_finds_what_the_die_shows() -> None:  # NG-2
    assert gold(after(begun(Ann=0, Bob=0), 4, Ann="dig")) == {"Ann": 4, "Bob": 0}


def test_a_thief_gets_three_gold_or_what_there_is() -> None:  # NG-3
    assert gold(after(begun(Ann=0, Bob=5), Ann="steal from b")) == {"Ann": 3, "Bob": 2}
    assert gold(after(begun(Ann=0, Bob=1), Ann="Steal from Bob")) == {"Ann": 1, "Bob": 0}


def test_nobody_steals_from_themselves_or_from_nobody() -> None:  # NG-3
    for line in ("Steal from Ann", "Steal from Zoe"):
        receipt = send(begun(Ann=0, Bob=5), "Ann", line)
        assert [verdict.status for verdict in receipt.verdicts[:1]] == [Status.ERROR]
        assert "Right: " not in receipt.verdicts[0].message


def test_who_misspells_a_name_is_told_the_likest() -> None:  # NG-3
    told = send(begun(Ann=0, Bob=5, Carla=0), "Ann", "Steal from Karla").verdicts[0].message
    assert told.endswith('did you mean "Carla"? Right: Steal from Carla')


def test_a_wrong_line_is_left_out_and_so_is_the_same_again() -> None:  # NG-4
    receipt = send(begun(Ann=0, Bob=0), "Ann", "Dig\nDgi\nDig")
    assert [verdict.status for verdict in receipt.verdicts] == [Status.OK, Status.ERROR, Status.ERROR]
    assert receipt.filed


def test_a_move_that_is_sent_ahead_waits() -> None:  # NG-5
    ahead = send(begun(Ann=0, Bob=0), "Bob", "Dig").position
    assert RULES.ready is not None
    assert not RULES.ready(ahead)
    moved = after(ahead, 4, Ann="Dig")
    assert gold(moved) == {"Ann": 4, "Bob": 0}
    assert RULES.ready(moved)
    assert RULES.turn(after(moved, 2)) == 2


def test_who_does_not_move_in_time_is_passed_over() -> None:  # NG-6
    missed = RULES.miss(begun(Ann=0, Bob=2), "Ann").position
    assert RULES.awaiting(missed) == ()
    resolved = RULES.resolve(missed, ScriptedDice([]))
    assert RULES.awaiting(resolved.position) == ("Bob",)
    assert resolved.events[0].audience is None


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"names": ["Ann", "ann"]}, "names[1]"),
        ({"gold": {"Ann": 3}}, "gold"),
        ({"options": {"target": 1}}, "options"),
        ({"sheets": [{"player": "Zoe", "arrival": [1, 0], "lines": []}]}, "sheets[0].player"),
        ({"sheets": [{"player": "Ann", "arrival": [1, 0], "lines": ["Dig", "Fly"]}]}, "sheets[0].lines[1]"),
        ({"missed": ["Zoe"]}, "missed[0]"),
    ],
)
def test_a_document_that_no_game_has_is_refused_with_the_place(part: dict[str, Any], place: str) -> None:
    with pytest.raises(PositionError) as refused:
        RULES.load(RULES.dump(begun(Ann=0, Bob=0)) | part)
    assert refused.value.place == place


def test_nobody_sees_what_another_has() -> None:
    view = RULES.view(begun(Ann=7, Bob=5), (), seat_reader("Ann"))
    assert view.data["gold"] == {"Ann": 7}
