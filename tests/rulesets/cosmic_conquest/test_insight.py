"""Telepathic Insight: who learns what, when, and how long a psionic may wait (9.2)."""

import pytest

from pbmd.rules import Wait
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, messages, play, position, receive

START = position(
    "Sol 20 Red, Sirius 9 Purple, Rigel 9 Teal, Algol 9 Purple",
    faction("Red", "tachyon", name="Crimson Concord", drones=2),
    faction("Purple", "psionic"),
    faction("Teal", "psionic"),
)
ASK = "Telepathic Insight on Red"
RED = "Defend Sol with 5 units\nVote for a draw"


def after(*letters: tuple[str, str]) -> object:
    """The position after these letters."""
    state = ruleset.load(START)
    for place, (seat, text) in enumerate(letters, start=1):
        state = ruleset.receive(state, mail(seat, text, place)).position
    return state


@pytest.mark.rule("CC-102", "CC-R59", "CC-R63", "CC-R62")
def test_orders_that_are_in_are_shown_at_once_with_every_line() -> None:
    receipt = ruleset.receive(after(("Red", RED)), mail("Purple", ASK, 2))
    assert (receipt.granted, receipt.filed) == (True, False)
    (event,) = receipt.events
    assert (event.kind, event.audience) == ("insight", ("Purple",))
    assert event.data["lines"] == ["Defend Sol with 5 units", "Vote for a draw"]
    assert ruleset.dump(receipt.position)["insights"] == [{"by": "Purple", "target": "Red", "answered": True}]


@pytest.mark.rule("CC-102", "CC-R59", "CC-R79")
def test_the_default_orders_of_a_target_that_stalls_are_shown_then() -> None:
    resolution = ruleset.miss(after(("Purple", ASK)), "Red")
    (event,) = resolution.events
    assert (event.audience, event.data["lines"]) == (("Purple",), ["Defend Sol with 20 units and 2 drones"])
    # What was shown is what is carried out.
    played = play(START, [("Purple", ASK), ("Purple", "Pass"), ("Teal", "Pass")])
    assert played.of("default_orders")[0]["lines"] == event.data["lines"]


@pytest.mark.rule("CC-R62", "CC-R84")
def test_the_default_orders_of_a_target_that_resigns_are_shown_then() -> None:
    assert ruleset.resign is not None
    resolution = ruleset.resign(after(("Purple", ASK)), "Red")
    assert [event.data["target"] for event in resolution.events] == ["Red"]
    assert ruleset.resign(resolution.position, "Red").events == ()


@pytest.mark.rule("CC-103", "CC-R59")
def test_an_insight_is_no_submission_and_may_come_after_ones_own_orders() -> None:
    assert ruleset.awaiting(after(("Purple", ASK))) == ("Red", "Purple", "Teal")
    own = after(("Purple", "Pass"))
    receipt = ruleset.receive(own, mail("Purple", ASK, 2))
    assert receipt.granted
    assert ruleset.waits(receipt.position) == ()
    later = ruleset.receive(receipt.position, mail("Red", RED, 3))
    assert [event.audience for event in later.events] == [("Purple",)]


@pytest.mark.rule("CC-104", "CC-49", "CC-R61")
def test_a_psionic_without_orders_has_a_day_from_the_orders_of_its_target() -> None:
    assert ruleset.waits(after()) == ()
    wait = (Wait("Purple", "Red", 24),)
    assert ruleset.waits(after(("Purple", ASK))) == wait
    # The same with the target's orders in: the day counts from their arrival.
    assert ruleset.waits(after(("Red", RED), ("Purple", ASK))) == wait
    assert ruleset.waits(after(("Purple", ASK), ("Purple", "Pass"))) == ()
    fewer = ruleset.load({**START, "options": {"insight_hours": 6}})
    assert ruleset.waits(ruleset.receive(fewer, mail("Purple", ASK)).position) == (Wait("Purple", "Red", 6),)


@pytest.mark.rule("CC-105", "CC-R62", "CC-103", "CC-R50")
@pytest.mark.parametrize(
    ("seat", "text", "words"),
    [
        ("Purple", "Telepathic Insight on Teal", "Psionics are immune to Telepathic Insight"),
        ("Purple", "Telepathic Insight on Purple", "you cannot use this on yourself"),
        ("Purple", "Telepathic Insight on Blue", 'unknown player "Blue"'),
        ("Red", "Telepathic Insight on Purple", "Telepathic Insight is a Psionic ability"),
    ],
)
def test_a_refused_insight_is_not_used_up(seat: str, text: str, words: str) -> None:
    receipt = receive(START, seat, text)
    assert (receipt.granted, receipt.filed, receipt.events) == (False, False, ())
    assert messages(receipt) == [f"{words}. Your Telepathic Insight is not used."]
    assert receipt.position == ruleset.load(START)


@pytest.mark.rule("CC-R62", "CC-102", "CC-103")
def test_there_is_one_insight_a_turn() -> None:
    start = position(
        "Sol 9 Red, Deneb 9 Green, Sirius 9 Purple", faction("Red"), faction("Green"), faction("Purple", "psionic")
    )
    state = ruleset.receive(ruleset.load(start), mail("Purple", ASK)).position
    second = ruleset.receive(state, mail("Purple", "Telepathic Insight into Green", 2))
    assert messages(second) == ["only once per turn. Your Telepathic Insight is not used."]
    assert second.position == state
    out = {**start, "factions": [*start["factions"], faction("Grey", status="resigned")]}
    gone = receive(out, "Purple", "Telepathic Insight of Grey")
    assert messages(gone) == ["Grey is out of the game. Your Telepathic Insight is not used."]
    # Who has used it up is not told of a line that would be refused as well.
    used = ruleset.receive(state, mail("Purple", "Telepathic Insight on Blue", 2))
    assert messages(used) == ['unknown player "Blue". Your Telepathic Insight is not used.']
    next_turn = play(start, [("Purple", ASK), *((colour, "Pass") for colour in ("Red", "Green", "Purple"))]).document
    assert next_turn["insights"] == []
    assert receive(next_turn, "Purple", ASK).granted


@pytest.mark.rule("CC-R60")
@pytest.mark.parametrize("on_error", ["refuse", "drop"])
@pytest.mark.parametrize("text", [f"{ASK}\nPass", f"Defend Sirius with 1 unit\n{ASK}", f"{ASK}\n{ASK}"])
def test_an_insight_among_other_lines_refuses_the_whole_mail(text: str, on_error: str) -> None:
    receipt = receive({**START, "options": {"on_error": on_error}}, "Purple", text)
    assert (receipt.granted, receipt.filed) == (False, False)
    assert any("Telepathic Insight must be sent in a mail of its own" in message for message in messages(receipt))
    assert ruleset.dump(receipt.position)["insights"] == []


@pytest.mark.rule("CC-R60", "CC-R74")
def test_an_insight_may_stand_in_bold_among_talk() -> None:
    assert receive(START, "Purple", f"Let me see.\n[b]{ASK}[/b]").granted


@pytest.mark.rule("CC-R59", "CC-R62")
def test_a_psionic_that_has_stalled_cannot_ask_any_more() -> None:
    state = ruleset.miss(after(), "Purple").position
    receipt = ruleset.receive(state, mail("Purple", ASK))
    assert (receipt.granted, receipt.position) == (False, state)


@pytest.mark.rule("CC-R63", "CC-102")
def test_two_psionics_can_ask_about_the_same_player() -> None:
    receipt = ruleset.receive(after(("Purple", ASK), ("Teal", ASK)), mail("Red", RED, 3))
    assert [event.audience for event in receipt.events] == [("Purple",), ("Teal",)]


@pytest.mark.rule("CC-R63")
def test_the_report_repeats_what_was_shown_to_the_psionic_only() -> None:
    played: Played = play(START, [("Purple", ASK), ("Red", RED), ("Purple", "Pass"), ("Teal", "Pass")])
    events = [event for event in played.events if event.kind == "insight"]
    assert [(event.audience, event.data["lines"]) for event in events] == [(("Purple",), RED.splitlines())]


def test_a_faction_whose_name_ends_like_anothers_colour_is_not_the_other() -> None:
    here = position(
        "Sol 20 Red, Sirius 9 Purple, Rigel 9 Teal",
        faction("Red", "tachyon", name="Teal Faction"), faction("Purple", "psionic"), faction("Teal", "tachyon"),
    )  # fmt: skip
    (verdict,) = ruleset.receive(ruleset.load(here), mail("Purple", "Telepathic Insight on Teal Faction", 1)).verdicts
    assert verdict.canonical == "Telepathic Insight on Red"
