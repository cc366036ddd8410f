"""What small games have in common, in those of the course."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbmd.rules import Mail, PositionError, Receipt, Refused, Ruleset, ScriptedDice, Status, seat_reader
from pbmd.rules.dice import HmacDice
from pbmd.rules.lines import order_lines
from pbmd.rules.registry import UnusableRuleset, from_folder

COURSE = Path(__file__).parents[2] / "docs" / "course"
DIKE, ICE, SALON, WOLVES = (from_folder(COURSE / game) for game in ("dike", "ice", "salon", "wolves"))
DOCUMENTS: Mapping[str, Mapping[str, Any]] = {
    "dike": {"coming": {"place": "North", "strength": 3}},
    "ice": {"at": {"Ann": "B1", "Bob": "B3"}, "ice": ["A1", "B1", "C1", "A2", "B3"], "to_move": "Ann", "options": {"size": 3}},
    "salon": {
        "pile": ["Dutch"],
        "wall": ["French"],
        "hands": {"Ann": ["Roman"], "Bob": []},
        "money": {"Ann": 5, "Bob": 6},
        "offers": {"Ann": [], "Bob": []},
    },
    "wolves": {
        "names": ["Ann", "Bob", "Cy", "Di"],
        "alive": ["Ann", "Bob", "Cy"],
        "roles": {"Ann": "wolf", "Bob": "seer", "Cy": "villager", "Di": "villager"},
    },
}


def document(rules: Ruleset[Any], **more: Any) -> dict[str, Any]:
    return {"ruleset": rules.info.slug, "names": ["Ann", "Bob"], **DOCUMENTS[rules.info.slug], **more}


def begun(rules: Ruleset[Any], **more: Any) -> Any:
    """A position of that game."""
    return rules.load(document(rules, **more))


def send(rules: Ruleset[Any], position: Any, seat: str, text: str) -> Receipt[Any]:
    """What becomes of a letter."""
    return rules.receive(position, Mail(seat, order_lines(text), (len(rules.sheets(position)) + 1, 0)))


def messages(receipt: Receipt[Any]) -> list[str]:
    return [verdict.message for verdict in receipt.verdicts]


def test_one_line_of_a_group_stands_on_a_sheet() -> None:
    for text in ("Watch\nHeap North", "Heap North\nHeap South"):
        receipt = send(DIKE, begun(DIKE), "Ann", text)
        assert [verdict.status for verdict in receipt.verdicts] == [Status.OK, Status.ERROR]
        assert "only once" in receipt.verdicts[1].message
        assert DIKE.sheets(receipt.position)[0].lines == tuple(text.splitlines()[:1])


def test_a_wrong_line_is_answered_with_one_that_would_stand() -> None:
    assert messages(send(DIKE, begun(DIKE), "Ann", "Heap Nroth"))[0].endswith('did you mean "North"? Right: Heap North')


def test_a_line_that_is_no_order_is_refused() -> None:
    receipt = send(DIKE, begun(DIKE), "Ann", "Pray")
    assert not receipt.filed
    assert receipt.verdicts[0].message.startswith("this is no order.")


def test_a_later_letter_replaces_and_can_be_withdrawn() -> None:
    first = send(DIKE, begun(DIKE), "Ann", "Watch").position
    second = send(DIKE, first, "Ann", "Heap North").position
    assert [sheet.lines for sheet in DIKE.sheets(second)] == [("Heap North",)]
    assert DIKE.awaiting(second) == ("Bob",)
    assert DIKE.awaiting(DIKE.withdraw(second, "Ann")) == ("Ann", "Bob")


def test_a_step_takes_the_sheets_away_and_who_missed() -> None:
    position = DIKE.miss(send(DIKE, begun(DIKE), "Ann", "Watch").position, "Bob").position
    after = DIKE.resolve(position, ScriptedDice([2, 1, 1]))
    assert (DIKE.sheets(after.position), DIKE.awaiting(after.position), DIKE.turn(after.position)) == ((), ("Ann", "Bob"), 2)
    assert [event.kind for event in after.events] == ["slept", "watched", "broke", "seen"]


def test_who_does_not_act_in_a_step_has_no_orders() -> None:
    for text in ("Visit Ann", ""):
        receipt = send(WOLVES, begun(WOLVES), "Di", text)
        assert not receipt.filed
        assert "you have nothing to order in this step" in messages(receipt)[-1] + messages(receipt)[0]
    assert WOLVES.awaiting(begun(WOLVES)) == ("Ann", "Bob", "Cy")
    assert WOLVES.order_form(begun(WOLVES), "Di") == ""


def test_moves_come_one_by_one() -> None:
    assert ICE.ready is not None
    position = begun(ICE)
    assert (ICE.awaiting(position), ICE.ready(position)) == (("Ann",), False)
    assert messages(send(ICE, position, "Bob", "Go A2"))[0].startswith("it is the move of Ann")
    moved = send(ICE, position, "Ann", "go to a2").position
    assert (ICE.awaiting(moved), ICE.ready(moved)) == (("Ann",), True)
    after = ICE.resolve(moved, ScriptedDice([])).position
    assert (ICE.awaiting(after), ICE.ready(after), ICE.dump(after)["at"]["Ann"]) == (("Bob",), False, "A2")


def test_a_sheet_of_the_other_waits_where_moves_come_one_by_one() -> None:
    waiting = send(ICE, begun(ICE), "Bob", "").position
    skipped = ICE.resolve(ICE.miss(waiting, "Ann").position, ScriptedDice([]))
    assert [event.data["by"] for event in skipped.events] == ["Ann"]
    assert [sheet.seat for sheet in ICE.sheets(skipped.position)] == ["Bob"]


def test_an_effect_comes_at_once_and_is_told_to_its_audience() -> None:
    receipt = send(SALON, begun(SALON), "Ann", "offer roman to b for 3")
    assert (receipt.granted, receipt.filed) == (True, False)
    assert [(event.kind, event.audience) for event in receipt.events] == [("offered", ("Ann", "Bob"))]
    assert receipt.verdicts[0].canonical == "Offer Roman to Bob for 3"
    bought = send(SALON, receipt.position, "Bob", "Accept Ann").position
    assert SALON.dump(bought)["hands"] == {"Ann": [], "Bob": ["Roman"]}
    assert SALON.dump(bought)["money"] == {"Ann": 8, "Bob": 3}
    assert SALON.awaiting(bought) == ("Ann", "Bob")


def test_an_effect_and_orders_in_one_letter_are_judged_each_by_itself() -> None:
    receipt = send(SALON, begun(SALON), "Ann", "Bid 3\nOffer Roman to Bob for 3\nOffer Dutch to Bob for 3\nsell all")
    assert (receipt.granted, receipt.filed, receipt.effects) == (True, True, (2, 3))
    assert [bool(verdict.canonical) for verdict in receipt.verdicts] == [True, True, False, False]
    assert [sheet.lines for sheet in SALON.sheets(receipt.position)] == [("Bid 3",)]
    assert [event.kind for event in receipt.events] == ["offered"]


def test_orders_are_judged_in_the_position_to_which_effects_have_led() -> None:
    for text in ("Offer Roman to Bob for 3\nbid 0", "bid 0\nOffer Roman to Bob for 3"):
        receipt = send(SALON, begun(SALON), "Ann", text)
        assert (receipt.granted, receipt.filed) == (True, False)
        assert "bid 1 at least" in "".join(messages(receipt))


def test_beside_an_effect_a_line_that_says_nothing_is_no_empty_sheet() -> None:
    filed = send(SALON, begun(SALON), "Ann", "Bid 3").position
    receipt = send(SALON, filed, "Ann", "Offer Roman to Bob for 3\n-")
    assert (receipt.granted, receipt.filed) == (True, False)
    assert [sheet.lines for sheet in SALON.sheets(receipt.position)] == [("Bid 3",)]


def test_no_effect_stands_on_a_sheet() -> None:
    sheet = {"player": "Ann", "arrival": [1, 0], "lines": ["Offer Roman to Bob for 3"]}
    with pytest.raises(PositionError, match="has its effect at once"):
        begun(SALON, sheets=[sheet])


def test_a_refused_effect_grants_nothing() -> None:
    receipt = send(SALON, begun(SALON), "Bob", "Accept Ann")
    assert (receipt.granted, receipt.filed, receipt.events) == (False, False, ())


def test_the_form_parts_what_stands_together_from_what_does_not() -> None:
    assert SALON.order_form(begun(SALON), "Ann").splitlines() == [
        "## For example:",
        "# Bid 1",
        "## At once:",
        "# Offer Roman to Bob for 3",
    ]


def test_random_players_write_effects_alone_and_beside_orders() -> None:
    letters = [SALON.random_orders(begun(SALON), "Ann", HmacDice(b"%d" % number, b"")) for number in range(60)]
    kinds = {frozenset(line.split()[0] for line in letter.splitlines()) for letter in letters}
    assert {frozenset({"Bid"}), frozenset({"Offer"}), frozenset({"Bid", "Offer"})} <= kinds


def test_a_grammar_that_cannot_be_read_is_told_when_the_game_is_loaded(tmp_path: Path) -> None:
    shutil.copytree(COURSE / "dike", tmp_path / "dike", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "dike" / "orders.lark").write_text("?start: heap\n")
    with pytest.raises(UnusableRuleset, match=r"orders\.lark"):
        from_folder(tmp_path / "dike")


def test_options_are_kept_where_they_differ_from_the_handbook() -> None:
    assert DIKE.dump(begun(DIKE, options={"storms": 6}))["options"] == {}
    assert DIKE.dump(begun(DIKE, options={"storms": 2}))["options"] == {"storms": 2}
    assert DIKE.outcome(begun(DIKE, options={"storms": 2}, turn=3)) is not None
    assert DIKE.outcome(begun(DIKE, turn=3)) is None


def test_too_few_make_no_game() -> None:
    with pytest.raises(Refused):
        DIKE.setup([], {"storms": 6}, ScriptedDice([]))


def test_a_view_is_made_of_events_that_the_reader_may_know() -> None:
    done = DIKE.resolve(send(DIKE, begun(DIKE), "Ann", "Watch").position, ScriptedDice([2, 1, 1]))
    told = {name: DIKE.view(done.position, done.events, seat_reader(name)).data["told"] for name in ("Ann", "Bob")}
    assert [line for line in told["Ann"] if line not in told["Bob"]] == [
        "You saw from the tower: a storm of 2 comes to the Middle next."
    ]
