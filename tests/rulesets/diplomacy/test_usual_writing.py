"""Orders in the words of many players, of whatever programs they come from: each is said beforehand, in every phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbmd.rules import Status
from rulesets.diplomacy.world.state import Dislodged, Position
from rulesets.diplomacy.world.units import Unit
from tests.processor_time import takes_at_most
from tests.rulesets.diplomacy.harness import position
from tests.rulesets.diplomacy.letters import answered, filed, sent

UNITS = {
    "ENGLAND": ["F NTH", "F NWG", "A LON", "A YOR", "F ENG", "F LVP", "F MAO"],
    "FRANCE": ["A PAR", "A MAR", "F BRE", "A GAS", "F WES", "A PIC"],
    "GERMANY": ["A BER", "A MUN", "F KIE", "A RUH", "F DEN", "A SIL"],
    "ITALY": ["A VEN", "A ROM", "F NAP", "F TYS", "A TUN", "F LYO"],
    "AUSTRIA": ["A VIE", "A BUD", "F TRI", "A SER", "A GAL"],
    "RUSSIA": ["A WAR", "A MOS", "F SEV", "F BOT", "A STP", "F BAR"],
    "TURKEY": ["A ANK", "A CON", "F BLA", "A SMY", "F AEG", "A ARM", "A BUL"],
}
CENTRES = {"RUSSIA": ["MOS", "SEV", "STP", "WAR"], "AUSTRIA": ["BUD", "TRI", "VIE"]}
SPRING = position("S1902M", UNITS, CENTRES)
AUTUMN = position("F1902M", UNITS, CENTRES)
BUILDS = position("W1902A", {"AUSTRIA": ["A GAL", "A SER"]}, {"AUSTRIA": ["BUD", "SER", "TRI", "VIE"]})
REMOVALS = position("W1902A", {"AUSTRIA": ["A GAL", "A SER", "F ALB", "A VIE"]}, {"AUSTRIA": ["BUD", "VIE"]})


def _retreats(**to: tuple[str, ...]) -> Position:
    """Autumn 1902, in which these armies of Austria have to retreat."""
    here = position("F1902R", {**UNITS, "AUSTRIA": ["F TRI"]}, CENTRES)
    forced = tuple(Dislodged(Unit("A", place), "BUL", places) for place, places in to.items())
    powers = (replace(power, dislodged=forced) if power.name == "Austria" else power for power in here.powers)
    return replace(here, powers=tuple(powers))


ONE = _retreats(VIE=("BOH", "BUD", "GAL"))
TWO = _retreats(SER=("ALB", "GRE"), VIE=("BOH", "BUD"))


def _refused(here: Position, seat: str, text: str) -> str:
    """What is said of a line that orders nothing."""
    receipt = sent(here, seat, text)
    assert receipt.position.sheets == here.sheets, receipt.position.sheets
    return answered(here, seat, text).message


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("written", "alone"),
    [
        ("A Yor, F Nth C A Lon - Nwy", "A Yor"),
        ("F Nth, F Nwg - Nwy", "F Nth"),
        ("A Lon S A Yor, F Nth, F Nwg C A Lon - Nwy", "F Nth"),
        ("F Nth, F Nwg S F Eng - Bel", "F Nth"),
    ],
)
def test_a_unit_alone_before_an_order_that_may_not_be_its_own_is_told(written: str, alone: str) -> None:
    verdict = answered(SPRING, "England", written)
    assert f'not taken is "{alone}"' in verdict.message


@pytest.mark.rule("DI-90", "DI-91", "DI-93")
@pytest.mark.parametrize(
    ("seat", "written", "orders"),
    [
        ("Germany", "Ber supports Munich in place", ("A BER S A MUN",)),
        ("Germany", "A Ber support Kiel to hold", ("A BER S F KIE",)),
        ("England", "F Nth, F Nwg C A Lon-Nwy", ("F NTH C A LON - NWY", "F NWG C A LON - NWY")),
        ("England", "fleet nth; fleet Norwegian Sea convoys Lon - Nwy", ("F NTH C A LON - NWY", "F NWG C A LON - NWY")),
        (
            "England",
            "A Yor H, F Eng, F Mao C A Lon-Bre, F Nth H",
            ("A YOR H", "F ENG C A LON - BRE", "F MAO C A LON - BRE", "F NTH H"),
        ),
        ("Germany", "A Ber s own Mun", ("A BER S A MUN",)),
        ("France", "A Mar S Ita F Lyo - Spa", ("A MAR S F LYO - SPA",)),
        (
            "France",
            "A Mar supports the Italian fleet moving from Gulf of Lyon to Spain (south coast)",
            ("A MAR S F LYO - SPA/SC",),
        ),
        ("Russia", "Fleet Sevastopol: support, Armenia to Rumania", ("F SEV S A ARM - RUM",)),
        ("Russia", "F Sev S T A Bul - Rum", ("F SEV S A BUL - RUM",)),
        ("Russia", "F Sev s TUR: A Bul-Rum", ("F SEV S A BUL - RUM",)),
        ("Russia", "F Sev -s- A Bul-Rum", ("F SEV S A BUL - RUM",)),
        ("Russia", "F Sev supports move Bul to Rum", ("F SEV S A BUL - RUM",)),
        ("Russia", "F Sev supports Bul's attack on Rum", ("F SEV S A BUL - RUM",)),
        ("Russia", "F Sev supports attack on Rum from Bul", ("F SEV S A BUL - RUM",)),
        ("Austria", "A Bud & A Vie hold", ("A BUD H", "A VIE H")),
        ("Austria", "A Bud, A Vie H", ("A BUD H", "A VIE H")),
        ("Austria", "Bud, Vie, Tri hold", ("A BUD H", "A VIE H", "F TRI H")),
        ("Austria", "A Vie - Boh, Bud H, Tri and Ser hold", ("A VIE - BOH", "A BUD H", "F TRI H", "A SER H")),
        ("Austria", "hold A Vie and A Bud", ("A VIE H", "A BUD H")),
        ("Austria", "A Vie + Bud hold", ("A VIE H", "A BUD H")),
        ("Austria", "A Vie ⮕ Boh", ("A VIE - BOH",)),
        ("Austria", "A Vie 🡲 Boh", ("A VIE - BOH",)),
        ("Austria", "All armies hold", ("A BUD H", "A GAL H", "A SER H", "A VIE H")),
        ("Austria", "My fleets stay", ("F TRI H",)),
        *(("Austria", f"A Vie - Boh {face}", ("A VIE - BOH",)) for face in (":)", ";-)", ":D", ";)", ":-)")),
        ("Austria", "A Vie - Boh, all other armies hold", ("A VIE - BOH", "A BUD H", "A GAL H", "A SER H")),
        ("Austria", "The rest: hold", ("A BUD H", "A GAL H", "A SER H", "A VIE H", "F TRI H")),
        ("Austria", "All hold except A Vie - Boh", ("A VIE - BOH", "A BUD H", "A GAL H", "A SER H", "F TRI H")),
        ("Austria", "A Bud and A Vie support Gal", ("A BUD S A GAL", "A VIE S A GAL")),
        ("Austria", "Bud and Gal support Ser to Rum", ("A BUD S A SER - RUM", "A GAL S A SER - RUM")),
        ("Austria", "A Vie stands fast", ("A VIE H",)),
        ("Austria", "A Vie holds position", ("A VIE H",)),
        ("Austria", "The Vienna army moves to Bohemia", ("A VIE - BOH",)),
        ("Austria", "A Vie - Boh army Bud - Rum", ("A VIE - BOH", "A BUD - RUM")),
        ("Austria", "I'd like to move Vienna to Bohemia", ("A VIE - BOH",)),
        ("Austria", "A Vie moves on Boh", ("A VIE - BOH",)),
        ("Austria", "Here you go: A Vie-Boh, A Bud-Rum. Cheers", ("A VIE - BOH", "A BUD - RUM")),
        ("Austria", "Armies:\nVie - Boh\nFleets:\nTri - Adr", ("A VIE - BOH", "F TRI - ADR")),
        ("Austria", "A Vie ➔ Boh", ("A VIE - BOH",)),
        ("Austria", "A Vie ➡️ Boh", ("A VIE - BOH",)),
        ("Austria", "AUS: A Vie - Boh\nAUS: A Bud H", ("A VIE - BOH", "A BUD H")),
        ("Austria", "S02 Aus: A Vie - Boh", ("A VIE - BOH",)),
        ("Austria", "Austria - A Vie - Boh", ("A VIE - BOH",)),
        ("England", "ENG: F Eng - Bel\nENG: A Yor H", ("F ENG - BEL", "A YOR H")),
        ("England", "ENG F ENG - BEL", ("F ENG - BEL",)),
        ("England", "Eng: Bel", ("F ENG - BEL",)),
        ("Austria", "Vienna: A Vie - Boh\nBud: S Ser - Rum", ("A VIE - BOH", "A BUD S A SER - RUM")),
        ("Russia", "F Bar - Saint Petersburg/nc", ("F BAR - STP/NC",)),
        ("Italy", "F GOL - Spa s", ("F LYO - SPA/SC",)),
        ("Italy", "F GOL - Spa-S", ("F LYO - SPA/SC",)),
    ],
)
def test_moves(seat: str, written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, seat, written) == orders


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("Hi all, here we go. A Vie-Boh, A Bud-Rum. That's my move.", ("A VIE - BOH", "A BUD - RUM")),
        ("Hello everybody: A Vie-Boh", ("A VIE - BOH",)),
        ("Dear all, please find below my orders: A Vie-Boh; A Bud-Rum", ("A VIE - BOH", "A BUD - RUM")),
        ("Hi all, all armies hold", ("A BUD H", "A GAL H", "A SER H", "A VIE H")),
        ("Hi all, unless Italy moves, A Vie-Boh", ()),
        ("A Vie-Boh, hi all, A Bud-Rum", ()),
        ("Hi all A Vie-Boh", ()),
    ],
)
def test_a_greeting_to_all_before_the_orders_of_a_line_costs_none(written: str, orders: tuple[str, ...]) -> None:
    sheets = sent(SPRING, "Austria", written).position.sheets
    assert tuple(line for sheet in sheets for line in sheet.lines) == orders


@pytest.mark.rule("DI-92")
@pytest.mark.parametrize(
    ("seat", "written", "orders"),
    [
        ("England", "F MAO - Spain, south coast", ("F MAO - SPA/SC",)),
        ("England", "F MAO - Spain, the northern coast.", ("F MAO - SPA/NC",)),
        ("England", "F MAO - Spa, nc, F Nth - Nwy; F Nwg - Bar", ("F MAO - SPA/NC", "F NTH - NWY", "F NWG - BAR")),
        ("Russia", "F Bot - St. Petersburg, south coast", ("F BOT - STP/SC",)),
    ],
)
def test_a_coast_may_stand_behind_a_comma(seat: str, written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, seat, written) == orders


@pytest.mark.rule("DI-92", "DI-93")
@pytest.mark.parametrize("written", ["F MAO - Por, south coast", "F MAO - Por, sc", "F MAO - Por, south coast is weak"])
def test_a_coast_behind_a_comma_changes_no_order_to_a_province_without(written: str) -> None:
    assert filed(SPRING, "England", written) == ("F MAO - POR",)


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize("rest", ["and the rest hold", "and all other units hold", "& others hold"])
def test_what_is_said_of_all_others_may_stand_behind_an_and(rest: str) -> None:
    assert set(filed(SPRING, "Austria", f"A Vie - Boh {rest}")) == {"A VIE - BOH", "A BUD H", "F TRI H", "A SER H", "A GAL H"}


@pytest.mark.rule("DI-95", "DI-97")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("A Lon-Nwy (convoyed by F Nth)", ("A LON - NWY VIA",)),
        ("A Yor - Lon (convoyed by Nth)", ("A YOR - LON VIA",)),
        ("A Yor - Lon convoyed by F Nth", ("A YOR - LON VIA",)),
        ("A Yor - Lon, convoyed by F Nth", ("A YOR - LON VIA",)),
        ("A Yor - Lon (F Nth convoys)", ("A YOR - LON VIA",)),
        ("A Lon - Bel via Eng and Nth", ("A LON - BEL VIA",)),
        ("army London by sea to Norway", ("A LON - NWY VIA",)),
        ("A Lon via North Sea to Norway", ("A LON - NWY VIA",)),
        ("A Lon c Nwy", ("A LON - NWY VIA",)),
        ("A Lon convoys to Nwy via Nth", ("A LON - NWY VIA",)),
        ("London is convoyed to Norway", ("A LON - NWY VIA",)),
        ("A London - Norway using convoy", ("A LON - NWY VIA",)),
        ("F NTH & F ENG C A LON - BEL", ("F NTH C A LON - BEL", "F ENG C A LON - BEL")),
        ("F Nth c Fra A Pic - Nwy", ("F NTH C A PIC - NWY",)),
        ("A Yor - Lon by land", ("A YOR - LON",)),
        ("A Yor - Lon (overland)", ("A YOR - LON",)),
    ],
)
def test_convoys(written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, "England", written) == orders


@pytest.mark.rule("DI-93", "DI-95", "DI-97")
@pytest.mark.parametrize(
    ("seat", "written", "why"),
    [
        ("England", "A Lon via Wal to Yor", "Wales is none"),
        ("England", "A Yor - Lon via Wal", "Wales is none"),
        ("England", "F Nth: A Lon-Nwy", "a unit stands before a colon"),
        ("Austria", "F Tri: support, A Bud - Rum", "a unit stands before a colon"),
        ("Austria", "Support A Bud - Rum", "say which unit supports"),
        ("England", "Convoy A Lon - Nwy", "say which fleet convoys"),
        ("France", "A Mar supports Italy to Spain", "there is no province"),
        ("Austria", "A Bud and A Vie - Boh", "there is no province"),
        ("England", "A PI C- BEL", "there is no province"),
        ("Austria", "F Tri - s Ven", "there is no province"),
        ("England", "A Lon t Yor", "this is no order"),
        ("Austria", "A Vie - disband", "there is no province"),
        ("Austria", "I will not move A Vie - Boh", "may be a condition"),
        ("Austria", "A Vie - Boh (if possible)", "an order cannot depend on anything"),
        ("Austria", "A Vie D if dislodged", "an order cannot depend on anything"),
        ("Austria", "A Vie - Boh (assuming Mun has moved)", "an order cannot depend on anything"),
        ("Austria", "A Vie - Boh as long as Mun stays", "an order cannot depend on anything"),
        ("Germany", "F Kie - Hol, no: Hel", "may be taken back"),
        ("Germany", "F Kie - Hol; wait - Hel", "may be taken back"),
        ("Austria", "A Vie ↛ Boh", "there is no province"),
        ("Austria", "Boh ← Vie", "this is no order"),
        ("Austria", "All hold except Vie", "this is no order"),
        ("Austria", "A Bud - Rum sup from Ser", "a support is the order of the unit that gives it"),
    ],
)
def test_what_may_be_meant_otherwise_is_asked(seat: str, written: str, why: str) -> None:
    assert why in _refused(SPRING, seat, written)


@pytest.mark.rule("DI-93")
def test_a_comma_behind_a_support_makes_no_support_of_ones_own_next_order() -> None:
    receipt = sent(SPRING, "Austria", "A Gal S, A Vie - Boh")
    assert receipt.position.sheets[0].lines == ("A VIE - BOH",)
    assert 'not taken is "A Gal S"' in receipt.verdicts[0].message


@pytest.mark.rule("DI-94", "DI-96")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("Retreats:\nA Vie - Boh, Tyr", ("A VIE R BOH TYR",)),
        ("Retreats:\nA Vie: Boh, Tyr\nBud: Rum", ("A VIE R BOH TYR", "A BUD R RUM")),
        ("Retreats:\nA Vie to Boh or Tyr", ("A VIE R BOH TYR",)),
        ("Retreats:\nA Vie - Boh, then Tyr", ("A VIE R BOH TYR",)),
        ("A Vie H, retreat Boh, else Tyr", ("A VIE H", "A VIE R BOH TYR")),
        ("A Vie R Boh (second choice Tyr), Bud - Rum", ("A VIE R BOH TYR", "A BUD - RUM")),
        ("Retreats:\nA Vie - Boh, F Tri - Alb, Adr", ("A VIE R BOH", "F TRI R ALB ADR")),
        ("A Vie R Boh, Tyr, Bud - Rum", ("A VIE R BOH TYR", "A BUD - RUM")),
        *(
            (f"A Vie R Boh{choice}", ("A VIE R BOH TYR",))
            for choice in (
                " or else Tyr", ", else Tyr", ", otherwise to Tyr", " if possible, otherwise Tyr", "; if not, Tyr",
                ", if not possible Tyr", ", or if that is not possible to Tyr", ", failing that Tyr", ", alternatively Tyr",
                ", second choice Tyr", " (2nd choice: Tyr)", " or R Tyr",
            )
        ),
        ("A Vie R either Boh or Tyr", ("A VIE R BOH TYR",)),
        ("A Vie R Boh, else Tyr; A Bud - Rum", ("A VIE R BOH TYR", "A BUD - RUM")),
        ("A Vie H, if dislodged R Tyr else Boh", ("A VIE H", "A VIE R TYR BOH")),
        ("A Vie H, retreat preference: Boh, Tyr", ("A VIE H", "A VIE R BOH TYR")),
        ("A Vie - Boh (retreat preferences: Tyr, Bud)", ("A VIE - BOH", "A VIE R TYR BUD")),
        ("Retreat preference: A Vie - Boh, Tyr", ("A VIE R BOH TYR",)),
        *(
            (f"{heading}\nA Vie - Boh", ("A VIE R BOH",))
            for heading in (
                "Retreat orders", "Conditional retreats:", "Retreat preferences:", "Backup retreats:", "Retreats, if any:",
                "Retreats (if needed):",
            )
        ),
        ("In case of retreat: A Vie - Boh", ("A VIE R BOH",)),
        ("A Vie R Boh if dislodged", ("A VIE R BOH",)),
        ("A Vie retreats to Boh (if necessary)", ("A VIE R BOH",)),
        ("A Vie - Boh\nNo retreats\nA Bud - Rum", ("A VIE - BOH", "A BUD - RUM")),
        ("No retreats needed:\nA Vie - Boh", ("A VIE - BOH",)),
        ("A Vie - Boh\nRetreats: none\nBuilds: none", ("A VIE - BOH",)),
        ("No retreats, A Vie - Boh", ("A VIE - BOH",)),
        ("A Vie H, if dislodged Boh. A Bud - Rum", ("A VIE H", "A VIE R BOH", "A BUD - RUM")),
        ("A Vie H (if dislodged Boh). Bud - Rum", ("A VIE H", "A VIE R BOH", "A BUD - RUM")),
        ("A Vie - Boh; retreat preferences: Tyr. A Bud - Rum", ("A VIE - BOH", "A VIE R TYR", "A BUD - RUM")),
        ("My dislodged army in Vienna retreats to Bohemia", ("A VIE R BOH",)),
        ("Dislodged A Vie - Boh", ("A VIE R BOH",)),
    ],
)  # fmt: skip
def test_retreats_sent_ahead(written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, "Austria", written) == orders


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize("heading", ["Spared from removal:", "Rejected builds:", "Russian retreats:", "Press to disband:"])
def test_nothing_is_taken_below_a_heading_of_another_phase_that_may_say_something_else(heading: str) -> None:
    receipt = sent(AUTUMN, "Austria", f"A Vie - Boh\n{heading}\nA Bud\nA Ser - Gre\nMoves:\nA Gal H")
    (orders,) = (sheet.lines for sheet in receipt.position.sheets)
    assert orders == ("A VIE - BOH", "A GAL H")
    assert [each.line for each in receipt.verdicts if each.status is Status.ERROR] == [2, 3, 4]


@pytest.mark.rule("DI-90")
@pytest.mark.parametrize("written", ["A Vie in place of A Bud - Rum", "A Vie in position to attack Boh"])
def test_a_unit_in_place_of_another_does_not_hold(written: str) -> None:
    assert _refused(SPRING, "Austria", written)


@pytest.mark.rule("DI-90")
@pytest.mark.parametrize(("seat", "written"), [("Russia", "A Stp S, A Mos H"), ("Turkey", "A Bul S, A Con H")])
def test_a_letter_behind_a_unit_is_no_coast(seat: str, written: str) -> None:
    verdict = answered(SPRING, seat, written)
    assert (verdict.status, verdict.canonical) == (Status.WARNING, written.partition(", ")[2].upper())


@pytest.mark.rule("DI-74", "DI-94")
@pytest.mark.parametrize(
    ("here", "written", "why"),
    [
        (REMOVALS, "-Ser, -Alb", 'if it is to be removed, write "A SER D": that may be a retreat, and now it is winter.'),
        (REMOVALS, "−Ser", 'if it is to be removed, write "A SER D": that may be a retreat, and now it is winter.'),
        (REMOVALS, "-Mun", "you have no unit in Munich"),
        (BUILDS, "-Gal", "you have no unit to remove."),
        (REMOVALS, "A Ser R Gre", "that is a retreat, and now it is winter."),
    ],
)
def test_a_place_behind_a_minus_is_asked_about_in_winter(here: Position, written: str, why: str) -> None:
    assert _refused(here, "Austria", written).startswith(why)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["A Vie R OTB", "A Vie H, A Bud R Rum, A Gal - Boh if dislodged"])
def test_a_retreat_off_the_board_is_no_removal_and_a_move_none_that_depends(written: str) -> None:
    lines = [line for sheet in sent(SPRING, "Austria", written).position.sheets for line in sheet.lines]
    assert not {"A VIE D", "A GAL - BOH", "A GAL R BOH"}.intersection(lines)


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize("said", ["no change", "No changes.", "No changes to my orders", "no new changes this turn"])
def test_no_change_leaves_what_was_sent(said: str) -> None:
    before = sent(SPRING, "Austria", "A Vie - Boh").position
    receipt = sent(before, "Austria", said, 2)
    assert receipt.position.sheets == before.sheets
    assert answered(before, "Austria", said).message.startswith("this changes nothing, so what you had sent stands")


@pytest.mark.rule("DI-94", "DI-60")
@pytest.mark.parametrize("below", ["second choice Boh", "Second choice: Bohemia", "2nd: Boh", "my third choice is Bud"])
def test_another_goal_below_a_retreat_is_second_to_it(below: str) -> None:
    (sheet,) = (each for each in sent(ONE, "Austria", f"A Vie R Gal\n{below}").position.sheets if each.seat == "Austria")
    assert sheet.lines == ("A VIE R GAL",)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["A Vie R Gal, else hold", "A Vie R not Gal, else Boh", "Ser R Gre, else Vie R Boh"])
def test_what_is_no_second_goal_is_asked_about(written: str) -> None:
    assert "A VIE R" not in str(sent(ONE, "Austria", written).position.sheets)


@pytest.mark.rule("DI-94", "DI-60")
@pytest.mark.parametrize(
    ("here", "written", "orders"),
    [
        (ONE, "A Vie R Gal, Boh, Bud", ("A VIE R GAL",)),
        (ONE, "A Vie R Boh, Gal, off", ("A VIE R BOH",)),
        (ONE, "A Vie R Boh, otb", ("A VIE R BOH",)),
        (ONE, "A Vie R Boh / Bud / off", ("A VIE R BOH",)),
        (ONE, "A Vie R Boh or disband", ("A VIE R BOH",)),
        (ONE, "A Vie R Boh, otherwise Bud", ("A VIE R BOH",)),
        (ONE, "retreat preference: Boh, Bud", ("A VIE R BOH",)),
        (ONE, "Gal, then Boh", ("A VIE R GAL",)),
        *(
            (ONE, f"A Vie R Gal{second}", ("A VIE R GAL",))
            for second in (
                ", else Boh",
                "; otherwise Boh",
                " (2nd choice Boh)",
                ", second choice Boh",
                "; 2nd: Boh",
                " (or Bohemia)",
                ", if not possible Boh",
                ", failing that Boh",
                ", otherwise disband",
                " or disband",
                " then Boh then Bud",
            )
        ),
        (ONE, "Retreat to Gal, else Boh", ("A VIE R GAL",)),
        (ONE, "A Vie R Tyr, else Boh", ("A VIE R BOH",)),
        (TWO, "Ser R Gre, else Alb; Vie R Boh or Bud", ("A SER R GRE", "A VIE R BOH")),
        (ONE, "A Vie R 1. Gal 2. Boh", ("A VIE R GAL",)),
        (ONE, "A Vie R Gal > Boh", ("A VIE R GAL",)),
        (ONE, "Fall 1902 retreats: A Vie - Gal", ("A VIE R GAL",)),
        (ONE, "The dislodged army in Vienna retreats to Galicia", ("A VIE R GAL",)),
        (ONE, "A Vie - disband", ("A VIE D",)),
        (ONE, "A Vie is disbanded", ("A VIE D",)),
        (TWO, "A Vie R Boh, Gre", ("A VIE R BOH", "A SER R GRE")),
        (TWO, "Vie - Boh, Bud; Ser - Gre, Alb", ("A VIE R BOH", "A SER R GRE")),
        (TWO, "Vienna retreats to Bohemia and Serbia to Greece", ("A VIE R BOH", "A SER R GRE")),
        (TWO, "A Vie and A Ser disband", ("A VIE D", "A SER D")),
        (TWO, "A Vie, A Ser OTB", ("A VIE D", "A SER D")),
    ],
)
def test_of_several_goals_of_a_retreat_the_first_is_preferred(here: Position, written: str, orders: tuple[str, ...]) -> None:
    assert filed(here, "Austria", written) == orders


@pytest.mark.rule("DI-94", "DI-96", "DI-71", "DI-73", "DI-74")
@pytest.mark.parametrize(
    ("here", "written", "orders"),
    [
        *(
            (BUILDS, line, ("A VIE B", "F TRI B"))
            for line in (
                "2 builds: army Vienna, fleet Trieste", "Builds 2: A Vie, F Tri", "Build 1: A Vie\nBuild 2: F Tri",
                "First build: A Vie\nSecond build: F Tri", "I build an army in Vienna and a fleet in Trieste",
                "I'd like to build an army in Vienna and a fleet in Trieste", "Vienna army, Trieste fleet",
                "Austria builds an army in Vienna and a fleet in Trieste.", "Winter 1902: Build A Vie, Build F Tri",
                "W1902A: Build A Vie\nW1902A: Build F Tri", "Fall 1902 builds: A Vie, F Tri", "Builds - A Vie, F Tri",
                "I am building A Vie and F Tri", "I build:\nA Vie\nF Tri", "Builds (if any): A Vie, F Tri",
                "Build A Vie and F Tri if possible",
            )
        ),
        *(
            (BUILDS, line, ("A VIE B", "WAIVE"))
            for line in (
                "A Vie\nwaive the second", "A Vie, waive the second build", "Build A Vie. Waive second build.",
                "Build A Vie and waive one", "Build A Vie and waive the other",
            )
        ),
        *((BUILDS, line, ("WAIVE", "WAIVE")) for line in ("No builds please", "no builds this year", "Builds waived")),
        *(
            (REMOVALS, line, ("A SER D", "F ALB D"))
            for line in (
                "2 removals: A Ser, F Alb", "-A Ser, -F Alb", "A Ser and F Alb are removed", "I disband A Ser and F Alb.",
                "Removal: A Ser, F Alb", "Remove the army from Serbia\nremove the fleet from Albania",
                "Removing A Ser, F Alb", "Winter 1902 removals: A Ser, F Alb",
            )
        ),
    ],
)  # fmt: skip
def test_winters(here: Position, written: str, orders: tuple[str, ...]) -> None:
    assert filed(here, "Austria", written) == orders


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("Build A Mos if possible", "A MOS B"), ("Build preference: A Mos", "A MOS B"), ("Remove A War if needed", "A WAR D"),
        ("Fall 1902 retreats: A War - Sil", "A WAR R SIL"), ("Fall 1902 moves: A War - Sil", "A WAR - SIL"),
        ("Remove:\nA War", "A WAR D"), ("No retreats, no builds", "WAIVE"), ("Builds: none", "WAIVE"),
        ("Winter 1902: build A Mos", "A MOS B"),
    ],
)  # fmt: skip
def test_winters_sent_ahead(written: str, order: str) -> None:
    assert set(filed(AUTUMN, "Russia", written)) == {order}


@pytest.mark.rule("DI-94", "DI-96")
def test_a_unit_alone_that_may_be_built_or_removed_is_asked_about() -> None:
    assert _refused(AUTUMN, "Russia", "Winter 1902: A Mos") == "say whether it is built or removed: A MOS B or A MOS D."


@pytest.mark.rule("DI-97")
def test_an_unread_line_is_answered_by_what_stands_in_its_way() -> None:
    (verdict,) = (each for each in sent(SPRING, "Austria", "drop A Vie - Boh").verdicts if each.line)
    assert verdict.status is Status.ERROR
    assert '"drop" may be a condition; write the order alone' in verdict.message


@pytest.mark.rule("DI-90", "DI-92", "DI-95", "DI-97")
@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("F MAO heads for Por", "F MAO - POR"), ("F MAO ~ Por", "F MAO - POR"), ("F MAO_Por", "F MAO - POR"),
        ("F MAO sits tight", "F MAO H"), ("F MAO waits", "F MAO H"), ("F MAO does nothing", "F MAO H"),
        ("F Nth gives support to F Kie - Hol", "F NTH S F KIE - HOL"),
        ("F Nth is to support F Kie to Hol", "F NTH S F KIE - HOL"), ("F Nth is to move to Nwy", "F NTH - NWY"),
        ("support F Kie - Hol with F Nth", "F NTH S F KIE - HOL"), ("F Nth helps F Kie - Hol", "F NTH S F KIE - HOL"),
        ("convoy Lon - Nwy with F Nth", "F NTH C A LON - NWY"),
        ("A York -> Norway via convoy from North Sea", "A YOR - NWY VIA"),
        ("F MAO - Southern coast of Spain", "F MAO - SPA/SC"), ("F MAO - S. coast Spain", "F MAO - SPA/SC"),
        ("F MAO - spa_sc", "F MAO - SPA/SC"), ("F MAO-Spa/SouthC", "F MAO - SPA/SC"),
        ("FLT NTH MTO NWY", "F NTH - NWY"), ("F NTH CVY A YOR CTO NWY", "F NTH C A YOR - NWY"),
    ],
)  # fmt: skip
def test_moves_in_other_words(written: str, order: str) -> None:
    assert filed(SPRING, "England", written) == (order,)


@pytest.mark.rule("DI-97")
@pytest.mark.parametrize(
    "written",
    [
        "F MAO does nothing but S F Eng - Bre", "~F MAO - Por~", "F MAO ~ Por ~", "F Nth - Nwy with support from Nwg",
        "F Nth - Nwy with A Lon", "F MAO off to Por", "F MAO falls back to Por", "fall back to Por", "F MAO off",
    ],
)  # fmt: skip
def test_moves_in_words_that_may_say_another_thing_are_asked_about(written: str) -> None:
    assert _refused(SPRING, "England", written)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize(
    ("here", "written", "order"),
    [
        (REMOVALS, "A Ser off", "A SER D"), (REMOVALS, "Drop A Ser", "A SER D"), (ONE, "kill A Vie", "A VIE D"),
        (ONE, "A Vie off board", "A VIE D"), (ONE, "A Vie falls back to Gal", "A VIE R GAL"),
        (ONE, "fall back to Gal", "A VIE R GAL"),
    ],
)  # fmt: skip
def test_retreats_and_removals_in_other_words(here: Position, written: str, order: str) -> None:
    assert filed(here, "Austria", written) == (order,)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["-A Ser -F Alb", "- A Ser, - F Alb"])
def test_several_units_may_be_removed_by_a_minus_each(written: str) -> None:
    assert filed(REMOVALS, "Austria", written) == ("A SER D", "F ALB D")
    assert _refused(SPRING, "Austria", "-A Ser -A Gal").startswith("say which unit goes there")
    assert _refused(SPRING, "Austria", "A Vie - Boh -A Bud").startswith("this is no order")


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["disband all", "Disband both", "both disband", "all otb", "All units disband"])
def test_all_units_that_must_retreat_are_disbanded_together(written: str) -> None:
    assert filed(TWO, "Austria", written) == ("A SER D", "A VIE D")


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize(
    ("here", "written"),
    [
        (ONE, "disband both"), (SPRING, "disband all"), (AUTUMN, "both disband"), (REMOVALS, "disband all"),
        (REMOVALS, "Disband both"), (TWO, "A Ser R Gre; disband all"),
    ],
)  # fmt: skip
def test_which_units_are_disbanded_is_asked_where_all_may_not_be_meant(here: Position, written: str) -> None:
    assert _refused(here, "Austria", written).startswith("say which unit is disbanded.")


@pytest.mark.rule("DI-94")
def test_a_retreat_above_is_not_lost_when_all_are_disbanded() -> None:
    (sheet,) = (each for each in sent(TWO, "Austria", "A Ser R Gre\ndisband all").position.sheets if each.seat == "Austria")
    assert sheet.lines == ("A SER R GRE",)


@pytest.mark.rule("DI-93", "DI-97")
@pytest.mark.parametrize(
    ("here", "written", "said"),
    [
        (BUILDS, "Build Vie and Tri", "say whether it is an army or a fleet."),
        (ONE, "NRR", "a unit that does not retreat is disbanded; to say so, write A VIE D."),
        (REMOVALS, "Build A Vie", "you have nothing to build."),
        (
            REMOVALS,
            "Remove Ser or Alb",
            'an order cannot depend on a choice ("Remove Ser or Alb"); write what is to be done in any case, one order a line.',
        ),
    ],
)
def test_what_is_missing_is_asked_about(here: Position, written: str, said: str) -> None:
    assert _refused(here, "Austria", written) == said


@pytest.mark.rule("DI-95", "DI-97")
@pytest.mark.parametrize("joined", ["and", "&"])
def test_another_journey_behind_a_convoy_is_asked_about(joined: str) -> None:
    """The fleet may be meant to convoy both."""
    assert _refused(SPRING, "England", f"F Nth C Lon - Nwy {joined} Yor - Den")
    assert filed(SPRING, "England", f"F Nth C A Lon - Nwy {joined} A Yor - Den") == ("F NTH C A LON - NWY", "A YOR - DEN")


@pytest.mark.parametrize(
    "sign", [",", "(", ".", " ", ", if dislodged ", "(if dislodged", ",,,,,,,,,dislodged", "s and ", "A Vie s and "]
)
def test_long_lines_of_signs_are_read_quickly(sign: str) -> None:
    lines = [f"{(sign * 2000)[:1960]} {number}" for number in range(100)]
    with takes_at_most(_QUICK):  # each takes as long as all may, if it is read in the square of its length
        sent(SPRING, "Austria", "\n".join(lines))


_QUICK = 5
"""Seconds for a hundred lines: they take one, and took ten."""


@pytest.mark.parametrize("above", ["Moves and supports:", "Thanks for your support", "Hi S,", "Holds and supports:"])
def test_a_line_of_no_unit_costs_no_order_below_it(above: str) -> None:
    receipt = sent(SPRING, "Austria", f"F Tri - Alb\n{above}\nA Vie - Gal")
    assert next(sheet.lines for sheet in receipt.position.sheets if sheet.seat == "Austria") == ("F TRI - ALB", "A VIE - GAL")


@pytest.mark.parametrize("line", ["Drop F Tri", "kill F Tri", "Scrap F Tri"])
def test_among_moves_an_order_may_be_dropped_as_well_as_a_unit_so_it_is_asked(line: str) -> None:
    assert answered(SPRING, "Austria", line).status is Status.ERROR


def test_support_for_the_coast_of_a_province_is_no_move_there() -> None:
    there = position("S1901M", {"RUSSIA": ["A STP", "F NWY"]})
    assert answered(there, "Russia", "A Stp S Coast of Nwy").status is Status.ERROR


@pytest.mark.rule("DI-93")
def test_a_row_of_numbers_is_no_riddle() -> None:
    with takes_at_most(_QUICK):
        sent(SPRING, "Austria", "1111 " * 24 + "!")


@pytest.mark.rule("DI-97")
@pytest.mark.parametrize(
    "written",
    [
        "A Bud - Rum (Ser)", "A Bud - Rum (A Ser)", "A Bud - Rum [Serbia]", "A Bud - Rum (tbc)", "A Bud - Rum (T.B.D.)",
        "A Bud - Rum, tbc", "A Bud - Rum probably", "A Bud - Rum (preliminary)", "A Bud - Rum (unsure)",
        "A Bud - Rum, pending", "Wınter: A Bud - Rum", "~~A Bud - Rum~~",
        "~~A Bud - Rum~~ A Bud - Gal", "A Vie R Boh, otherwise hold", "A Vie R Boh, else A Bud H",
        "A Vie R Boh, else Bud - Rum", "A Vie - Boh, else Tyr",
    ],
)  # fmt: skip
def test_what_is_not_surely_meant_is_refused(written: str) -> None:
    assert _refused(SPRING, "Austria", written)


@pytest.mark.rule("DI-97")
@pytest.mark.parametrize(
    "written",
    [
        "A Bud (Budapest) - Rum (Rumania)",
        "A Bud - Rum (from Budapest)",
        "A Bud - Rum (Roumania)",
        "A Bud - Rum (thanks to Ser)",
    ],
)
def test_names_that_say_the_same_in_brackets_are_no_part_of_an_order(written: str) -> None:
    receipt = sent(SPRING, "Austria", written)
    assert next(sheet.lines for sheet in receipt.position.sheets if sheet.seat == "Austria") == ("A BUD - RUM",)


@pytest.mark.rule("DI-90")
@pytest.mark.parametrize("written", ["Nth-con Lon-Nwy", "Nth con Lon-Nwy", "F Nth con A Lon - Nwy", "Nth-con. Lon to Nwy"])
def test_con_behind_a_sea_is_a_convoy_where_a_move_by_sea_follows(written: str) -> None:
    assert filed(SPRING, "England", written) == ("F NTH C A LON - NWY",)


@pytest.mark.rule("DI-90", "DI-91")
def test_con_is_constantinople_where_the_move_behind_it_needs_no_convoy() -> None:
    assert filed(SPRING, "Turkey", "Aeg-con Smy-Arm") == ("F AEG - CON", "A SMY - ARM")
    assert filed(SPRING, "Turkey", "Aeg-con Smy-Gre") == ("F AEG C A SMY - GRE",)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["Build 2 armies: Vie, Bud, Tri", "2 armies: Vie, Bud, Tri", "build 2x A: Vie, Bud"])
def test_names_that_do_not_go_with_their_number_are_refused_together(written: str) -> None:
    assert _refused(BUILDS, "Austria", written) == "the number and the names do not go together; write one order a line."


@pytest.mark.rule("DI-93", "DI-97")
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("A Bud supports Ser - Rum and Vie - Boh", 'what stands behind the "and" may be an order of its own'),
        ("A Bud - Rum supported by A Vie", "a support is the order of the unit that gives it; write it in a line of its own"),
        ("A Bud - Rum probably", 'an order of this line may be taken back in it ("probably")'),
        ("~~A Bud - Rum~~", "this is marked as not meant, or as a question"),
    ],
)
def test_what_is_refused_is_told_how_to_be_written(written: str, said: str) -> None:
    assert _refused(SPRING, "Austria", written).startswith(said)


@pytest.mark.rule("DI-91")
def test_a_cross_before_a_name_is_no_letter_of_it() -> None:
    assert _refused(SPRING, "France", "A Pic -x Bel")


@pytest.mark.rule("DI-93", "DI-94")
def test_items_may_be_numbered_first_second_third() -> None:
    orders = ("A BUD - RUM", "A VIE - BOH", "F TRI H")
    assert filed(SPRING, "Austria", "1st: A Bud - Rum\n2nd: A Vie - Boh\n3rd) F Tri H") == orders
    receipt = sent(ONE, "Austria", "1st: A Vie - Boh\n2nd: A Vie - Gal")
    assert next(sheet.lines for sheet in receipt.position.sheets if sheet.seat == "Austria") == ("A VIE R BOH",)


@pytest.mark.rule("DI-90")
@pytest.mark.parametrize(
    "written",
    [
        "Attack Rumania with Budapest", "Attack Rum with A Bud", "To Rumania from Budapest army",
        "Move to Rumania from Budapest",
        "Move Bud east to Rum", "A Bud eastwards to Rum",
    ],
)  # fmt: skip
def test_the_goal_may_stand_first_or_behind_a_direction(written: str) -> None:
    assert filed(SPRING, "Austria", written) == ("A BUD - RUM",)


@pytest.mark.rule("DI-90", "DI-93")
@pytest.mark.parametrize(
    "written",
    [
        "Don't attack Rum with Bud", "Attack Rum with Bud and Gal", "Attack Rum with support from Ser",
        "Attack Rum with Ser or Bud",
        "!A Bud - Rum",
    ],
)  # fmt: skip
def test_a_goal_that_stands_first_is_refused_where_more_is_said(written: str) -> None:
    assert _refused(SPRING, "Austria", written)
