"""Every refusal on arrival with its code, and every remark on what may fail later (section 6)."""

import re

import pytest

from pbmd.rules import Document, Status
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import fault, faults, filed, mail, ok, play, read, receive, warnings, world


def start(text: str = "aab.. / aab.. / .#cc. / ..... / z....", **changes: object) -> Document:
    """Ann can do everything; Zoe lives far away; Eve is no longer in the game."""
    societies = {
        "Ann": "Ann tech 15 gold 20000 armies 20 spies 5 nukes 5 sdi 2",
        "Bob": "Bob tech 5 armies 3 gold 100",
        "Cat": "Cat tech 5 gold 100",
        "Zoe": "Zoe tech 2 gold 10",
        "Eve": "Eve eliminated 3",
    }
    fields = {key: value for key, value in changes.items() if key not in societies}
    lines = [str(changes.get(name, line)) for name, line in societies.items()]
    return world(text, *lines, **fields)  # type: ignore[arg-type]


WONDERS = "Tower of Babel Bob C1, KGB Ann A1, Colosseum Bob C2 obsolete, Jihad destroyed by Bob"

REFUSED = [
    # in general
    ("Good luck", "no_such_order"),
    *((line, "no_such_order") for line in ("SDI 1", "Armies 5", "5 armies against Bob")),
    ("Build city at C3 not D3", "no_such_order"),
    ("Build city at C3 (6 gold), not D3", "no_such_order"),
    ("Build city at C3 with 3 armies", "no_such_order"),
    ("Build city at C3 next turn", "no_such_order"),
    ("Build a city next turn at C3", "no_such_order"),
    *(
        (f"Build city {word} C3", "no_such_order")
        for word in ("not at", "Not at", "never at", "but not in", ": not", "anywhere except", "next to", "north of")
    ),
    ("Build city at C3 maybe", "no_such_order"),
    ("Buy 2 armies (tbc)", "no_such_order"),
    ("Buy 2 armies (cancelled)", "no_such_order"),
    ("Buy 2 armies (next turn)", "no_such_order"),
    ("Buy 2 armies (?)", "no_such_order"),
    ("Buy 2 armies (x)", "no_such_order"),
    ("City at C3 and Colosseum for 6", "no_such_order"),
    ("Attack Bob with 4 armies, targets C1 when Cat attacks", "no_such_order"),
    *(
        (f"Build city at C3{said}", "no_such_order")
        for said in (
            ", Colosseum 6",
            " / Research 1",
            " Tom takes D3",
            " cancel",
            " - stop",
            " ?",
            " once Tom agrees",
            " on Friday",
            " (wait for my next mail)",
            " named Sparta and 3 armies",
            " instead",
            " in 2 turns",
            " if Cat agrees",
        )
    ),
    *(
        (f"Buy 2 armies {said}", "no_such_order")
        for said in ("(to be confirmed)", "(idea)", "(plan B)", "(stop)", "(last turn)", "(half)", "// ignore", "# not yet")
    ),
    ("Spend half on Colosseum", "no_such_order"),
    ("Put 3 armies into Colosseum", "no_such_order"),
    ("Build city at C3, D3 if Bob moves", "no_such_order"),
    ("Attack", "no_such_order"),
    ("Spy on Bob", "no_such_order"),
    ("Spy on Bob, target the king", "no_such_order"),
    ("Revolution to Anarchy, keep war", "no_such_order"),
    *((f"Buy 2 armies ({said})", "no_such_order") for said in ("and a nuke", "if Bob attacks", "not 3", "with A3")),
    ("Declare war on Nobody", "unknown_society"),
    ("Attack Nobody with 4 armies", "unknown_society"),
    ("Trade with Eve", "unknown_society"),
    ("Give Eve 1 army", "unknown_society"),
    ("Build 0 armies", "bad_quantity"),
    ("Buy 0 nukes", "bad_quantity"),
    ("Research 0", "bad_quantity"),
    ("Armies x0", "bad_quantity"),
    ("armies", "bad_quantity"),
    ("Buy nukes", "bad_quantity"),
    ("Spies on Bob, target trade", "bad_quantity"),
    ("Build cities at C3, C4", "bad_quantity"),
    ("Launch nukes at Bob, targets C1", "bad_quantity"),
    ("Trade with Bob x0", "bad_quantity"),
    ("0 spies on Bob, target trade", "bad_quantity"),
    ("Give Bob 0 gold", "bad_quantity"),
    ("Attack Bob with 0 armies", "bad_quantity"),
    ("Launch 0 nukes at Bob\nTargets: C1", "bad_quantity"),
    ("0 cities", "bad_quantity"),
    ("Attack Bob with 4 armies, targets F9", "off_map"),
    ("Build Mafia for 60 in F9", "off_map"),
    ("Targets: C1", "stray_targets"),
    ("Buy 1 army\nTargets: C1", "stray_targets"),
    ("Attack Bob with 4 armies\nTargets: C1\nTargets: C2", "stray_targets"),
    # spies
    pytest.param("Spy on Bob, target tax", "tax_immune", marks=pytest.mark.rule("SO-39", "SO-67")),
    pytest.param("Spy on Bob, target tax collection", "tax_immune", marks=pytest.mark.rule("SO-39")),
    pytest.param("Spy on Bob, target 6", "tax_immune", marks=pytest.mark.rule("SO-39")),
    pytest.param("Spy on Ann, target trade", "self_target", marks=pytest.mark.rule("SO-67")),
    ("Spy on me, target trade", "self_target"),
    pytest.param("Spy on me, target tax", "tax_immune", marks=pytest.mark.rule("SO-39")),
    ("Spy defend tax", "tax_immune"),
    ("Spy defend 6", "tax_immune"),
    pytest.param("Spy defend production", "name_step", marks=pytest.mark.rule("SO-R34", "SO-29")),
    pytest.param("2 spies defend 3", "name_step", marks=pytest.mark.rule("SO-R34")),
    # trade
    pytest.param("Trade with me", "no_nascar", marks=pytest.mark.rule("SO-139")),
    # research
    pytest.param("Geography", "out_of_sequence", marks=pytest.mark.rule("SO-98", "SO-R20")),
    # cities
    pytest.param("Build city at A1", "bad_squares", marks=pytest.mark.rule("SO-R22")),
    pytest.param("Build city at A1, B2", "bad_squares", marks=pytest.mark.rule("SO-R22")),
    pytest.param("Build city at B3", "bad_squares", marks=pytest.mark.rule("SO-110", "SO-R22")),
    ("Build city at F9", "bad_squares"),
    ("Build city at F9, B3, A1", "bad_squares"),
    # wonders
    pytest.param("Mafia", "need_spend", marks=pytest.mark.rule("SO-60")),
    pytest.param("Build Mafia in A1", "need_spend", marks=pytest.mark.rule("SO-60")),
    pytest.param("Mafia (48)", "below_base", marks=pytest.mark.rule("SO-118", "SO-R72")),
    pytest.param("Build Galactic Overlord for 195", "below_base", marks=pytest.mark.rule("SO-118", "SO-R72")),
    pytest.param("Build Babel for 1", "wonder_taken", marks=pytest.mark.rule("SO-116")),
    pytest.param("Colosseum (4)", "wonder_taken", marks=pytest.mark.rule("SO-116")),
    pytest.param("Jihad (36)", "wonder_taken", marks=pytest.mark.rule("SO-R70")),
    pytest.param("Mafia (49)\nMafia (60)", "duplicate", marks=pytest.mark.rule("SO-R72")),
    # spaceship
    pytest.param("Build spaceship part\nBuild spaceship part", "one_part", marks=pytest.mark.rule("SO-113", "SO-R90")),
    pytest.param("Spaceship\nEngines (1400)", "one_part", marks=pytest.mark.rule("SO-113", "SO-R90")),
    # the KGB
    pytest.param("KGB obsoletes KGB", "bad_wonder", marks=pytest.mark.rule("SO-140", "SO-R79")),
    pytest.param("KGB obsoletes Colosseum", "bad_wonder", marks=pytest.mark.rule("SO-R79")),
    pytest.param("KGB obsoletes Jihad", "bad_wonder", marks=pytest.mark.rule("SO-R79")),
    # aid
    ("Give me 1 army", "self_target"),
    pytest.param("Give Bob 1 army\nGive Cat 1 army", "one_recipient", marks=pytest.mark.rule("SO-143", "SO-R82")),
    pytest.param("Give Bob 1 city", "not_grantable", marks=pytest.mark.rule("SO-30", "SO-146", "SO-R80")),
    pytest.param("Give Bob KGB", "not_grantable", marks=pytest.mark.rule("SO-146", "SO-R80")),
    pytest.param("Give Bob 1 spaceship part", "not_grantable", marks=pytest.mark.rule("SO-146", "SO-R80")),
    # war
    pytest.param("Attack Bob", "need_number", marks=pytest.mark.rule("SO-151")),
    pytest.param("Attack Bob with armies", "need_number", marks=pytest.mark.rule("SO-151")),
    pytest.param("Attack Bob with 2 armies\nAttack Cat with 2 armies", "one_war", marks=pytest.mark.rule("SO-149", "SO-R54")),
    ("Attack me with 2 armies", "self_target"),
    ("Attack Ann with 2 armies", "self_target"),
    # nukes
    ("Launch 3 nukes at Bob", "no_targets"),
    ("Launch 3 nukes at Bob\nBuy 1 army", "no_targets"),
    ("Launch 3 nukes at Ann\nTargets: A1", "self_target"),
    # revolution
    pytest.param("Revolution to Monarchy", "no_keep", marks=pytest.mark.rule("SO-43", "SO-R41")),
    pytest.param("Revolution to Despotism, keep war", "same_government", marks=pytest.mark.rule("SO-R41")),
    # talk
    ("Declare war on me", "self_target"),
    ("Peace with Ann", "self_target"),
    ("Concede to me", "self_target"),
]


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_a_line_is_refused_with_its_code_and_a_right_line(text: str, code: str) -> None:
    receipt = receive(start(wonders=WONDERS), "Ann", text)
    assert [found for _, found in faults(receipt)] == [code]
    (verdict,) = [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR and verdict.line]
    assert verdict.text
    assert verdict.message
    assert verdict.canonical == ""


def test_spoils_go_to_another_than_the_victim() -> None:
    assert len(faults(receive(start(), "Ann", "Spoils of Bob to Bob"))) == 1
    assert len(faults(receive(start(), "Ann", "Spoils of Bob: Mafia to Bob"))) == 1


@pytest.mark.rule("SO-42", "SO-R41")
def test_a_second_revolution_is_refused() -> None:
    receipt = receive(start(), "Ann", "Revolution to Monarchy, keep war\nRevolution to Republic, keep war")
    assert [line for line, _ in faults(receipt)] == [2]


def test_an_ambiguous_name_is_unknown() -> None:
    position = start()
    position["society"][2]["name"] = "Bobby"
    for city in position["city"]:
        city["owner"] = "Bobby" if city["owner"] == "Cat" else city["owner"]
    assert fault(position, "Ann", "Declare war on Bo") == "unknown_society"
    assert read(position, "Ann", "Declare war on Bobb") == ("Declare war on Bobby",)


@pytest.mark.rule("SO-76", "SO-R44")
def test_trade_out_of_range_is_refused_on_arrival() -> None:
    assert fault(start(Ann="Ann tech 2"), "Ann", "Trade with Zoe") == "out_of_range"
    assert fault(start(Ann="Ann tech 1"), "Ann", "Trade with Cat") == "out_of_range"
    assert ok(start(Ann="Ann tech 3 gold 100"), "Ann", "Trade with Zoe")


@pytest.mark.rule("SO-132", "SO-R49")
def test_with_an_active_silk_road_no_partner_is_out_of_range() -> None:
    assert ok(start(Ann="Ann tech 1 gold 9", wonders="Silk Road Ann A1"), "Ann", "Trade with Zoe")
    assert fault(start(Ann="Ann tech 1", wonders="Silk Road Ann A1 obsolete"), "Ann", "Trade with Zoe") == "out_of_range"
    assert fault(start(Ann="Ann tech 1", wonders="Silk Road Zoe A5"), "Ann", "Trade with Zoe") == "out_of_range"


@pytest.mark.rule("SO-139", "SO-R50")
def test_trade_with_oneself_needs_an_active_nascar() -> None:
    assert ok(start(wonders="NASCAR Ann A1"), "Ann", "Trade with me")
    assert fault(start(wonders="NASCAR Ann A1 obsolete"), "Ann", "Trade with me") == "no_nascar"
    assert fault(start(wonders="NASCAR Bob C1"), "Ann", "Trade with me") == "no_nascar"


@pytest.mark.rule("SO-98", "SO-R20")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Geography", []),
        ("Religion", [1]),
        ("Architecture", [1]),
        ("Geography\nReligion\nEspionage", []),
        ("Geography\nGeography", [2]),
        ("Research 2\nEspionage\nIndustrialization", []),
        ("Research 2\nReligion", [2]),
        ("Geography\nEspionage\nReligion", [2]),
    ],
)
def test_a_named_technology_is_the_next_after_the_lines_above(text: str, wrong: list[int]) -> None:
    receipt = receive(start(Ann="Ann tech 4 gold 900"), "Ann", text)
    assert faults(receipt) == [(line, "out_of_sequence") for line in wrong]


@pytest.mark.rule("SO-41", "SO-105", "SO-R41", "SO-131")
@pytest.mark.parametrize(
    ("tech", "wonders", "government", "code"),
    [
        (2, "", "Monarchy", "gov_unavailable"),
        (3, "", "Monarchy", ""),
        (8, "", "Republic", "gov_unavailable"),
        (9, "", "Republic", ""),
        (1, "Acropolis Ann A1", "Republic", ""),
        (1, "Acropolis Ann A1 obsolete", "Republic", "gov_unavailable"),
        (1, "Acropolis Bob C1", "Republic", "gov_unavailable"),
        (1, "Acropolis Ann A1", "Monarchy", "gov_unavailable"),
    ],
)
def test_a_government_needs_its_technology_at_the_start_of_the_turn(
    tech: int, wonders: str, government: str, code: str
) -> None:
    receipt = receive(start(Ann=f"Ann tech {tech} gold 999", wonders=wonders), "Ann", f"Revolution to {government}, keep war")
    assert [found for _, found in faults(receipt)] == ([code] if code else [])


@pytest.mark.rule("SO-R41")
def test_despotism_can_always_be_returned_to_and_university_brings_no_government() -> None:
    assert ok(start(Ann="Ann monarchy tech 1"), "Ann", "Revolution to Despotism, keep tax")
    position = start(Ann="Ann tech 1", wonders="University of California Ann A1", Bob="Bob tech 12")
    assert fault(position, "Ann", "Revolution to Republic, keep tax") == "gov_unavailable"


@pytest.mark.rule("SO-114", "SO-R89", "SO-R90")
def test_a_complete_ship_needs_no_part() -> None:
    position = start(Ann="Ann tech 15 gold 5000 parts 4 engine_spend 1000")
    assert fault(position, "Ann", "Build spaceship part") == "ship_complete"


@pytest.mark.rule("SO-140", "SO-R79")
def test_the_kgb_may_be_aimed_at_a_wonder_still_to_be_built() -> None:
    assert filed(receive(start(wonders=WONDERS), "Ann", "KGB obsoletes Mafia")) == ("KGB obsoletes Mafia",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Attack Nobody with 0 armies", "unknown_society"),
        ("Attack me", "need_number"),
        ("Spy on Nobody, target tax", "unknown_society"),
        ("Build Babel for 0", "bad_quantity"),
        ("Revolution to Despotism", "no_keep"),
        ("Launch 2 nukes at me", "no_targets"),
    ],
)
def test_of_several_codes_the_general_ones_come_first_then_those_of_the_table_in_order(text: str, code: str) -> None:
    assert fault(start(wonders=WONDERS), "Ann", text) == code


def test_a_refused_line_has_no_effect_and_the_others_stand() -> None:
    text = "Buy 2 armies\nMafia\nGood luck\nResearch 1"
    receipt = receive(start(), "Ann", text)
    assert faults(receipt) == [(2, "need_spend"), (3, "no_such_order")]
    assert filed(receipt) == ("Buy 2 armies", "Research 1")


def test_a_refused_attack_takes_its_targets_with_it() -> None:
    """The line of targets belongs to the attack, refused or not: it is no stray, and no part of another order."""
    receipt = receive(start(), "Ann", "Buy 1 army\nAttack Nobody with 4 armies\nTargets: C1")
    assert faults(receipt)[0] == (2, "unknown_society")
    assert filed(receipt) == ("Buy 1 army",)


def test_the_specifications_answer_to_a_wonder_without_a_sum() -> None:
    receipt = receive(start(), "Ann", "Buy 1 army\n\nColosseum")
    (verdict,) = [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR]
    assert (verdict.line, verdict.text) == (3, "Colosseum")
    assert "state how much gold you spend" in verdict.message
    assert "Build Colosseum for " in verdict.message


@pytest.mark.parametrize(("text", "code"), [(row.values if hasattr(row, "values") else row) for row in REFUSED])
def test_what_is_advised_would_be_read(text: str, code: str) -> None:
    """At least its form is an order: it may be refused for what it orders, but not because it is none."""
    position = start(wonders=WONDERS)
    receipt = receive(position, "Ann", text)
    (verdict,) = [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR and verdict.line]
    for shown in re.split(" Right: | For example: ", verdict.message)[1:]:
        again = receive(position, "Ann", shown)
        assert not [fault for _, fault in faults(again) if fault == "no_such_order"], (verdict.message, faults(again))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cut", "For example: If short, cut armies"),
        ("Declare wr on Bob", "Right: Declare war on Bob"),
        ("Revolution to Monarchy", "For example: Revolution to Monarchy, keep production"),
        ("Revolution to anarchy, keep trade", 'this is no order; write it as "Revolution to <government>, keep <phase>".'),
        ("Buy 4 armies = some", 'write a number ("some"); write it as "Buy <number> armies".'),
        ("Buy 4 armies if Bob comes", 'an order cannot depend on anything ("if"); write it as "Buy <number> armies".'),
        ("Buy 4 armies or nukes", 'an order leaves no choice ("or"); write it as "Buy <number> armies".'),
        ("Buy up to 4 armies", 'write a number ("up to"); write it as "Buy <number> armies".'),
        ("Buy 4 armies next turn", 'an order is for now ("next turn"); write it as "Buy <number> armies".'),
        ("Don't buy armies", 'write only what is to be done ("Don\'t"); write it as "Buy <number> armies".'),
        ("Buy 4 armies (only one)", '"(only one)" may change the order, so write it alone; write it as "Buy <number> armies".'),
        ("Trade with Bob or Ann", 'there is no society "Bob or Ann"; an order leaves no choice ("or").'),
        ("City at C3 x2", 'write the number before the cities: "Build <number> cities at <squares>".'),
        ("City at C3, D4 2x", 'write the number before the cities: "Build <number> cities at <squares>".'),
        ("Attack C3", "C3 is a square; name the society whose city is there, and the square as a target."),
        ("Attack C3 with 5 armies", "C3 is a square; name the society whose city is there, and the square as a target."),
        ("Nuke Bob x2", 'this is no order; write it as "Launch <number> nukes at <society>".'),
        ("City at C3 and buy 4 armies", 'this is no order; write it as "Build city at <square>".'),
        ("Spoils of Bob", "For example: Spoils of Bob to me"),
        ("Attack Bob", "state how many armies attack."),
    ],
)
def test_the_line_shown_is_of_the_kind_that_seems_to_be_meant(text: str, shown: str) -> None:
    (verdict, *_) = receive(start(), "Ann", text).verdicts
    assert verdict.message.endswith(shown), verdict.message


@pytest.mark.parametrize(
    ("text", "kind", "wrong", "near", "shown"),
    [
        ("Build Acropolise for 20", "wonder", "Acropolise", "Acropolis", "Build Acropolis for 20"),
        ("Towr of Babel (4)", "wonder", "Towr of Babel", "Tower of Babel", "Tower of Babel (4)"),
        ("Revolution to Monarcy, keep war", "government", "Monarcy", "Monarchy", "Revolution to Monarchy, keep war"),
        ("Buld 3 armies", "word", "Buld", "build", "Build 3 armies"),
        ("Spy on Bob, target millitary", "phase or step", "millitary", "military", "Spy on Bob, target military"),
        ("Trade with Cta", "society", "Cta", "Cat", "Trade with Cat"),
        ("Declare war on Caat", "society", "Caat", "Cat", "Declare war on Cat"),
    ],
)
def test_what_is_misspelt_is_asked_about_and_shown_spelt_right(text: str, kind: str, wrong: str, near: str, shown: str) -> None:
    (verdict, *_) = receive(start(), "Ann", text).verdicts
    assert verdict.message == f'there is no {kind} "{wrong}"; did you mean "{near}"? Right: {shown}'


def test_what_would_be_refused_is_neither_asked_about_nor_shown() -> None:
    position = start(wonders=WONDERS)
    (verdict, *_) = receive(position, "Ann", "Build Colosseun for 4").verdicts
    assert "did you mean" not in verdict.message
    assert "Colosseum" not in verdict.message
    (verdict, *_) = receive(position, "Ann", "Declare war on Amn").verdicts
    assert verdict.message == 'there is no society "Amn".'


def test_no_example_is_about_another_society() -> None:
    (verdict, *_) = receive(start(Ann="Ann tech 2 gold 20"), "Ann", "Trade with Zoe").verdicts
    assert "Bob" not in verdict.message


def test_the_example_is_about_the_society_that_was_named() -> None:
    (verdict, *_) = receive(start(), "Ann", "Spy on Cat").verdicts
    assert verdict.message.endswith("For example: Spy on Cat, target research")
    (verdict, *_) = receive(start(), "Ann", "Launch 2 nukes at Cat").verdicts
    assert "For example" not in verdict.message


def test_with_an_empty_treasury_no_example_costs_anything() -> None:
    """What is shown could be carried out as things stand."""
    (verdict, *_) = receive(start(Ann="Ann tech 1 gold 0"), "Ann", "Mafia").verdicts
    assert "For example" not in verdict.message


# What is accepted with a warning because it may still come true


@pytest.mark.rule("SO-R14", "SO-86")
def test_more_than_the_present_gold_can_pay_is_warned_of_with_the_plan_cost() -> None:
    position = start(Ann="Ann tech 4 gold 50")
    text = "Buy 3 armies\nResearch 2\nBuild city\nBuild Acropolis for 20"
    # Two of four, Bob and Cat, know Geography; armies cost the level that the research will bring.
    assert (20 * 2 // 4 + 32) + 3 * 6 + 15 + 20 == 95
    assert any("95" in message for message in warnings(position, "Ann", text)), warnings(position, "Ann", text)
    assert not any("95" in message for message in warnings(start(Ann="Ann tech 4 gold 95"), "Ann", text))


@pytest.mark.parametrize(
    ("society", "text"),
    [
        pytest.param("Ann tech 7 spies 1", "3 spies on Bob, target trade", marks=pytest.mark.rule("SO-R28")),
        pytest.param("Ann tech 6 spies 0", "Spy defend trade", marks=pytest.mark.rule("SO-R28")),
        pytest.param("Ann tech 5 armies 3", "Attack Bob with 4 armies", marks=pytest.mark.rule("SO-R55")),
        pytest.param("Ann tech 11 nukes 1", "Launch 2 nukes at Bob\nTargets: C1", marks=pytest.mark.rule("SO-R66")),
        pytest.param("Ann tech 5 armies 3", "Give Bob 4 armies", marks=pytest.mark.rule("SO-R84")),
        pytest.param("Ann tech 5 gold 3", "Give Bob 4 gold", marks=pytest.mark.rule("SO-R84")),
        pytest.param("Ann tech 9 armies 3", "Attack Zoe with 3 armies", marks=pytest.mark.rule("SO-149")),
        pytest.param("Ann tech 9 armies 3", "Give Zoe 3 armies", marks=pytest.mark.rule("SO-144")),
        pytest.param("Ann tech 10 gold 900", "Buy 1 nuke", marks=pytest.mark.rule("SO-105")),
        pytest.param("Ann tech 12 gold 9000", "Buy 1 SDI", marks=pytest.mark.rule("SO-105")),
        pytest.param("Ann tech 14 gold 9000", "Build spaceship part", marks=pytest.mark.rule("SO-105")),
        pytest.param("Ann tech 6 gold 900", "Build Mafia for 49", marks=pytest.mark.rule("SO-105")),
        pytest.param("Ann tech 1 gold 900", "Trade with Bob x2", marks=pytest.mark.rule("SO-88")),
        pytest.param("Ann tech 5 gold 900", "Build city at A1, A3", marks=pytest.mark.rule("SO-R22")),
        pytest.param("Ann tech 5 gold 900", "Buy 2 armies (11)", marks=pytest.mark.rule("SO-R09")),
        pytest.param("Ann tech 5 gold 900", "Trade with Bob (11)", marks=pytest.mark.rule("SO-R09")),
        pytest.param("Ann tech 5 gold 900", "Build city (11)", marks=pytest.mark.rule("SO-R09")),
        pytest.param("Ann tech 5 gold 900", "Research 1 (999)", marks=pytest.mark.rule("SO-R09")),
        pytest.param("Ann tech 9 gold 900", "Revolution to Republic, keep war\nBuy 1 army", marks=pytest.mark.rule("SO-42")),
        pytest.param(
            "Ann tech 9 gold 900", "Revolution to Republic, keep tax\nTrade with Bob", marks=pytest.mark.rule("SO-42")
        ),
    ],
)
def test_what_may_still_come_true_is_accepted_with_a_warning(society: str, text: str) -> None:
    assert warnings(start(Ann=society), "Ann", text)


@pytest.mark.rule("SO-R14", "SO-R39")
@pytest.mark.parametrize(
    ("society", "text", "warning"),
    [
        ("Ann tech 11 gold 400", "Buy 1 nuke\nLaunch 1 nuke at Bob\nTargets: C1", "you have 0 nukes"),
        ("Ann tech 6 gold 40", "Build Mafia for 49\nResearch 1", "it needs technology level 7, and you will have 6"),
        ("Ann tech 9 armies 3 gold 90", "Revolution to Monarchy, keep aid\nBuy 2 armies\nGive Bob 5 armies", "only 3 armies"),
        ("Ann tech 5 gold 30", "Buy 5 armies\nGive Bob 6 gold", "only 5 gold"),
    ],
)
def test_what_will_be_cut_forfeited_or_spent_is_not_counted_on(society: str, text: str, warning: str) -> None:
    found = warnings(start(Ann=society), "Ann", text)
    assert any(warning in message for message in found), found


@pytest.mark.rule("SO-81")
def test_trade_with_an_enemy_is_accepted_with_a_warning() -> None:
    position = start(Ann="Ann tech 5 gold 900")
    assert ok(position, "Ann", "Trade with Bob")
    assert warnings({**position, "war": [{"between": ["Ann", "Bob"], "since": 3}]}, "Ann", "Trade with Bob")


@pytest.mark.rule("SO-R09", "SO-20", "SO-79")
def test_the_right_cost_in_parentheses_is_taken_without_a_word() -> None:
    position = start(Ann="Ann tech 5 gold 900")
    text = "Trade with Bob x2 (20)-->(+50)\nBuy 2 armies (10)\nBuild city (15)\nBuild 2 cities (39)"
    assert warnings(position, "Ann", text) == []


@pytest.mark.rule("SO-R09")
def test_a_cost_in_parentheses_binds_nobody() -> None:
    played = play(start(Ann="Ann tech 5 gold 900"), "Ann: Buy 2 armies (3)\nBuild city (1) at C4\nTrade with Bob (1)")
    assert played.spent("Ann") == 10 + 15 + 10 - 25


def test_the_acknowledgement_tells_the_plan_cost_of_an_affordable_plan_too() -> None:
    receipt = receive(start(Ann="Ann tech 5 gold 900"), "Ann", "Buy 2 armies\nBuild city")
    said = [*receipt.defaults, *(verdict.message for verdict in receipt.verdicts)]
    assert any("25" in sentence for sentence in said), said


def test_a_letter_for_a_game_that_is_over_or_of_an_eliminated_society_changes_nothing() -> None:
    position = start()
    receipt = receive(position, "Eve", "Buy 1 army")
    assert not receipt.filed
    assert ruleset.sheets(receipt.position) == ()
    assert not ruleset.receive(ruleset.load({**position, "result": {"over": True}}), mail("Ann", "Buy 1 army")).filed


@pytest.mark.rule("SO-R79")
def test_the_kgb_is_warned_of_only_where_there_will_be_none() -> None:
    position = start(Ann="Ann tech 12 gold 900", wonders="Mafia Bob C1")
    assert warnings(position, "Ann", "KGB obsoletes Mafia")
    assert warnings(position, "Ann", "KGB obsoletes Mafia\nBuild KGB for 144") == []
    assert ok(start(wonders="Mafia Bob C1, KGB Ann A1"), "Ann", "KGB obsoletes Mafia")
    # A wonder that nobody has built may still come in this turn.
    assert warnings(start(wonders="KGB Ann A1"), "Ann", "KGB obsoletes Mafia")


@pytest.mark.rule("SO-R94", "SO-R52")
def test_talk_about_nothing_is_accepted_with_a_remark() -> None:
    assert warnings(start(), "Ann", "Withdraw concession")
    assert ok(start(concessions="Ann Bob"), "Ann", "Withdraw concession")
    assert warnings(start(concessions="Cat Bob"), "Ann", "Withdraw concession")
    assert warnings(start(), "Ann", "Peace with Bob")
    assert ok(start(wars="Ann Bob 3"), "Ann", "Peace with Bob")


@pytest.mark.parametrize("line", ["TRADE", "diplomacy", "Military"])
def test_the_name_of_a_phase_alone_is_told_how_it_is_a_heading(line: str) -> None:
    (said,) = (verdict.message for verdict in receive(start(), "Ann", line).verdicts if verdict.line)
    assert f'As a heading it needs a colon: "{line}:"' in said


def test_a_word_with_which_orders_begin_is_told_what_it_lacks() -> None:
    (said,) = (verdict.message for verdict in receive(start(), "Ann", "TRADE").verdicts if verdict.line)
    assert said.startswith('this word alone does not say enough; write it as "Trade with <society> x<number>".')
