"""Orders in notations of their own, and whose they are: beside each that is read, the nearest that may be meant otherwise."""

from __future__ import annotations

import pytest

from pbmd.rules import Status
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.letters import answered, filed, sent
from tests.rulesets.diplomacy.test_usual_writing import AUTUMN, BUILDS, ONE, REMOVALS, SPRING, TWO


def _taken(here: Position, seat: str, text: str) -> tuple[str, ...]:
    """The orders on file after a letter, whatever is said of it."""
    return next((sheet.lines for sheet in sent(here, seat, text).position.sheets if sheet.seat == seat), ())


@pytest.mark.rule("DI-90")
@pytest.mark.parametrize(
    ("here", "seat", "written", "orders"),
    [
        (SPRING, "England", "( ENG AMY LON ) HLD", ("A LON H",)),
        (SPRING, "England", "(ENG FLT NTH) MTO NWY", ("F NTH - NWY",)),
        (SPRING, "England", "(ENG FLT ECH) MTO BEL", ("F ENG - BEL",)),
        (SPRING, "England", "( ENG FLT MAO ) MTO ( SPA NCS )", ("F MAO - SPA/NC",)),
        (SPRING, "England", "(ENG FLT NTH) SUP (ENG FLT NWG)", ("F NTH S F NWG",)),
        (SPRING, "England", "(ENG FLT NTH) SUP (GER FLT KIE) MTO HOL", ("F NTH S F KIE - HOL",)),
        (SPRING, "England", "(ENG FLT NTH) CVY (ENG AMY LON) CTO NWY", ("F NTH C A LON - NWY",)),
        (SPRING, "England", "(ENG AMY LON) CTO NWY VIA (NTH)", ("A LON - NWY VIA",)),
        (SPRING, "England", "(ENG AMY YOR) CTO SPA VIA (NTH ECH MAO)", ("A YOR - SPA VIA",)),
        (SPRING, "England", "SUB ((ENG FLT NTH) HLD) ((ENG AMY LON) MTO YOR)", ("F NTH H", "A LON - YOR")),
        (SPRING, "England", "ENG FLT NTH HLD", ("F NTH H",)),
        (ONE, "Austria", "(AUS AMY VIE) RTO BOH", ("A VIE R BOH",)),
        (ONE, "Austria", "( AUS AMY VIE ) DSB", ("A VIE D",)),
        (BUILDS, "Austria", "(AUS AMY VIE) BLD\nAUS WVE", ("A VIE B", "WAIVE")),
        (REMOVALS, "Austria", "(AUS AMY SER) REM", ("A SER D",)),
    ],
)
def test_orders_of_daide(here: Position, seat: str, written: str, orders: tuple[str, ...]) -> None:
    assert filed(here, seat, written) == orders


@pytest.mark.rule("DI-90", "DI-93")
@pytest.mark.parametrize(
    "written",
    [
        "(GER AMY LON) HLD", "NOT ((ENG AMY LON) MTO YOR)", "NOT (SUB ((ENG AMY LON) MTO YOR))",
        "(ENG AMY LON) MTO YOR (MAYBE)",
        "SUB ((ENG AMY LON) HLD) ((GER AMY MUN) HLD)", "PRP (ORR ((ENG AMY LON) HLD) ((ENG AMY LON) MTO YOR))",
    ],
)  # fmt: skip
def test_what_says_more_in_daide_is_no_order(written: str) -> None:
    assert _taken(SPRING, "England", written) == ()


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("ENG-BRE NTH-NWY LON-H", ("F ENG - BRE", "F NTH - NWY", "A LON H")),
        ("ENG-BRE NTH-NWY LON H", ("F ENG - BRE", "F NTH - NWY", "A LON H")),
        ("Moves: Eng-Bre Mao-Spa/nc", ("F ENG - BRE", "F MAO - SPA/NC")),
    ],
)
def test_orders_in_short_may_be_parted_by_blanks(written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, "England", written) == orders


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize("written", [
        "Nth S Eng-Bel Lon-Yor", "Lon-Yor or Lon-Wal", "not Lon-Yor Eng-Bel", "Eng-Bre Lon Yor-H", "Nth-C Lon-Nwy",
        "not-Lon Lon-Yor", "Lon-Yor never-Eng Eng-Bel", "Lon-Yor Lon-Wal", "F Nth C: Lon-Nwy Yor-Den",
    ],
)  # fmt: skip
def test_but_not_where_a_word_between_them_may_say_more(written: str) -> None:
    assert _taken(SPRING, "England", written) == ()


@pytest.mark.rule("DI-90", "DI-93")
def test_a_verb_behind_a_hyphen_is_no_goal() -> None:
    assert filed(SPRING, "England", "Nth-supports Lon-Nwy") == ("F NTH S A LON - NWY",)


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize(
    ("here", "written", "orders"),
    [
        (BUILDS, "2 armies: Vie, Bud", ("A VIE B", "A BUD B")),
        (BUILDS, "Build two armies in Vie and Bud", ("A VIE B", "A BUD B")),
        (BUILDS, "Armies: Vie, Tri", ("A VIE B", "A TRI B")),
        (REMOVALS, "remove armies Ser and Gal", ("A SER D", "A GAL D")),
        (REMOVALS, "lose A Ser, F Alb", ("A SER D", "F ALB D")),
        (TWO, "Retreat: Gre and Boh", ("A SER R GRE", "A VIE R BOH")),
        (TWO, "disband all\ndisband all", ("A SER D", "A VIE D")),
        (TWO, "A Ser D\ndisband all", ("A SER D", "A VIE D")),
    ],
)
def test_what_is_said_of_several_units(here: Position, written: str, orders: tuple[str, ...]) -> None:
    assert filed(here, "Austria", written) == orders


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize("written", ["lose A Ser", "I lose A Ser", "2 armies: Ser, Gal"])
def test_among_moves_it_may_be_said_of_something_else(written: str) -> None:
    assert _taken(SPRING, "Austria", written) == _taken(AUTUMN, "Austria", written) == ()


@pytest.mark.rule("DI-94")
def test_more_units_than_their_number_says_are_not_built() -> None:
    assert _taken(BUILDS, "Austria", "2 armies: Vie, Bud, Tri") == ()


@pytest.mark.rule("DI-95")
def test_a_journey_behind_its_convoy_is_the_order_of_the_army() -> None:
    assert filed(SPRING, "England", "F Nth C Lon-Nwy and Lon-Nwy") == ("F NTH C A LON - NWY", "A LON - NWY")
    assert _taken(SPRING, "England", "F Nth C Lon-Nwy and Lon-Bel") == ()


@pytest.mark.rule("DI-92")
@pytest.mark.parametrize("written", ["F MAO - Spain , sc", "F MAO - Spain; south coast", "F MAO - Spain ; sc."])
def test_marks_before_a_coast(written: str) -> None:
    assert filed(SPRING, "England", written) == ("F MAO - SPA/SC",)


@pytest.mark.rule("DI-97")
def test_a_goal_that_is_the_units_own_place_is_no_slip_of_the_pen() -> None:
    verdict = answered(SPRING, "England", "F MAO - MAO")
    assert verdict.message == "it is there already; it will hold"


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "written",
    [
        "A Vie - Boh? A Bud - Rum", "A Vie - Boh ? A Bud - Rum", "A Vie-Boh?, A Bud-Rum", "A Vie - Boh (Tyr?), A Bud - Rum",
        "A Vie - Boh ?!", "Should I? A Vie - Boh", "Should A Vie ? Boh", "A Vie ? Boh ?", "A Vie to Tyr ? Boh",
    ],
)  # fmt: skip
def test_a_question_in_a_line_takes_its_orders_with_it(written: str) -> None:
    assert _taken(SPRING, "Austria", written) == ()
    assert "as a question" in answered(SPRING, "Austria", written).message


@pytest.mark.rule("DI-90", "DI-93")
def test_a_question_mark_between_two_places_is_an_arrow_that_a_mail_program_did_not_know() -> None:
    orders = "A Vie ? Boh\nA Bud S A Ser ? Rum\nF Tri ? Adriatic"
    assert filed(SPRING, "Austria", orders) == ("A VIE - BOH", "A BUD S A SER - RUM", "F TRI - ADR")


@pytest.mark.rule("DI-90", "DI-93")
@pytest.mark.parametrize(
    "written",
    [
        "Rus: A Vie - Boh", "Russia: A Vie - Boh", "Rus A Vie - Boh", "Russian A Vie - Boh", "Russia - A Vie - Boh",
        "(Russia) A Vie - Boh", "Russia's army Vie - Boh", "RUS: A War - Gal, A Vie - Boh", "S02 Rus: A Vie - Boh",
        "Russia:\nA Vie - Boh", "Russian orders:\nA Vie - Boh", "To Russia:\n\nA Vie - Boh", "Russian moves: A Vie - Boh",
    ],
)  # fmt: skip
def test_orders_with_the_name_of_another_power_before_them_are_not_taken(written: str) -> None:
    assert _taken(SPRING, "Austria", written) == ()
    told = [verdict.message for verdict in sent(SPRING, "Austria", written).verdicts if verdict.status is Status.ERROR]
    assert any(told)


@pytest.mark.rule("DI-90", "DI-96")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("Rus: A War - Gal\nAus: A Vie - Boh", ("A VIE - BOH",)),
        ("Russia:\nA War - Gal\n\nAustria:\nA Vie - Boh\nA Bud H", ("A VIE - BOH", "A BUD H")),
        ("Russia:\nA War - Gal\nMoves:\nA Vie - Boh", ("A VIE - BOH",)),
        ("Austrian A Vie - Boh\nA Gal S Russian A War - Sil", ("A VIE - BOH", "A GAL S A WAR - SIL")),
        ("Retreats:\nAustria:\nA Vie - Boh", ("A VIE R BOH",)),
    ],
)
def test_with_ones_own_name_they_are(written: str, orders: tuple[str, ...]) -> None:
    assert _taken(SPRING, "Austria", written) == orders


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "written",
    [
        "A Bud supports Ser - Rum and Gal - Rum", "Bud S Ser-Rum & Gal-Rum", "A Bud S Gal and Vie - Boh", "A Vie - Boh (maybe)",
        "A Vie - Boh, maybe", "A Vie - Boh (withdrawn)", "A Vie - Boh (old)", "Correction: not A Vie - Boh",
        "Correction: A Vie - Boh instead of Tyr", "not new: A Vie - Boh",
    ],
)  # fmt: skip
def test_moves_that_may_not_be_meant_are_not_taken(written: str) -> None:
    assert _taken(SPRING, "Austria", written) == ()


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("A Bud S A Ser - Rum and A Gal - Rum", ("A BUD S A SER - RUM", "A GAL - RUM")),
        ("Correction: A Vie - Boh", ("A VIE - BOH",)),
        ("A Vie - Tyr\nMy corrected orders: A Vie - Boh", ("A VIE - BOH",)),
        ("New orders: A Vie - Boh", ("A VIE - BOH",)),
        ("A Vie H Bud H Tri - Alb", ("A VIE H", "A BUD H", "F TRI - ALB")),
        ("A Vie » Boh", ("A VIE - BOH",)),
        ("A Vie S Ita Ven - Tyr", ("A VIE S A VEN - TYR",)),
    ],
)
def test_moves_that_are_clear(written: str, orders: tuple[str, ...]) -> None:
    assert filed(SPRING, "Austria", written) == orders


@pytest.mark.rule("DI-95")
@pytest.mark.parametrize(
    ("written", "order"), [("F Nth conv. A Yor - Nwy", "F NTH C A YOR - NWY"), ("A Yor conv Nwy", "A YOR - NWY VIA")]
)
def test_a_convoy_cut_short(written: str, order: str) -> None:
    assert filed(SPRING, "England", written) == (order,)


@pytest.mark.rule("DI-91", "DI-92")
def test_of_two_goals_the_one_that_can_be_reached_is_told_and_two_are_asked_about() -> None:
    verdict = answered(SPRING, "Germany", "F Kie - Hol/Bel")
    assert (verdict.canonical, verdict.message) == ("F KIE - HOL", '"Hol/Bel" is taken for Holland')
    assert "it could mean F MAO - SPA or F MAO - GAS" in answered(SPRING, "England", "F MAO - Spa/Gas").message


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize(
    ("here", "written", "orders"),
    [
        (TWO, "Retreat to Boh and Gre", ("A VIE R BOH", "A SER R GRE")),
        (TWO, "Dislodged units: A Ser - Gre, A Vie - Boh", ("A SER R GRE", "A VIE R BOH")),
        (ONE, "1. Boh\n2. Gal", ("A VIE R BOH",)),
        (ONE, "1. A Vie - Boh\n2. A Vie - Gal", ("A VIE R BOH",)),
        (ONE, "A Vie - Boh\nA Vie - Gal", ("A VIE R GAL",)),
        (ONE, "1. A Vie - Boh\n2. A Vie - Gal\n3. A Vie D", ("A VIE R BOH",)),
        (ONE, "1. A Vie - Boh\n2. Correction: A Vie - Gal", ("A VIE R GAL",)),
        (TWO, "1. A Vie - Bud\n2. A Ser - Alb\nNew:\n1. A Vie - Bud\n2. A Ser - Gre", ("A VIE R BUD", "A SER R GRE")),
        (SPRING, "Retreats:\n1. A Vie - Boh\n2. A Vie - Tyr", ("A VIE R BOH TYR",)),
        (SPRING, "1. A Vie - Boh\n2. A Vie - Tyr", ("A VIE - TYR",)),
        (
            SPRING,
            "A Vie - Boh (R Tyr), A Bud - Rum (retreat to Tri)",
            ("A VIE - BOH", "A VIE R TYR", "A BUD - RUM", "A BUD R TRI"),
        ),
        (SPRING, "A Vie - Boh, retreat Tyr", ("A VIE - BOH", "A VIE R TYR")),
        (SPRING, "A Vie - Boh, A Bud H, retreat Gal", ("A VIE - BOH", "A BUD H")),
        (SPRING, "A Vie - Boh (no retreat)", ("A VIE - BOH",)),
        (BUILDS, "Build Vie A, Tri F", ("A VIE B", "F TRI B")),
        (BUILDS, "Build Vie (A), Tri (F)", ("A VIE B", "F TRI B")),
        (BUILDS, "Vienna - Army\nTrieste - Fleet", ("A VIE B", "F TRI B")),
        (BUILDS, "Build an A in Vie and a F in Tri", ("A VIE B", "F TRI B")),
        (BUILDS, "Build A Vie / F Tri", ("A VIE B", "F TRI B")),
        (BUILDS, "Add A Vie and F Tri", ("A VIE B", "F TRI B")),
        (BUILDS, "waive x2", ("WAIVE", "WAIVE")),
        (REMOVALS, "Remove 2: A Ser, F Alb", ("A SER D", "F ALB D")),
        (REMOVALS, "Removals in order: A Ser, F Alb", ("A SER D", "F ALB D")),
        (BUILDS, "Builds, in order of preference: A Vie, F Tri", ("A VIE B", "F TRI B")),
    ],
)
def test_retreats_and_winters_that_are_clear(here: Position, written: str, orders: tuple[str, ...]) -> None:
    assert _taken(here, "Austria", written) == orders


@pytest.mark.rule("DI-94")
@pytest.mark.parametrize(
    ("here", "written"), [(BUILDS, "Build A Vie/Bud"), (REMOVALS, "Remove A Ser/Gal"), (REMOVALS, "A Ser/Gal D")]
)
def test_a_stroke_between_units_may_be_a_choice(here: Position, written: str) -> None:
    assert _taken(here, "Austria", written) == ()


@pytest.mark.rule("DI-93", "DI-96")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("Primary orders:\nA Bud - Rum\nBackup orders:\nA Bud - Ser\nA Vie - Boh", ("A BUD - RUM",)),
        ("Plan A\nA Bud - Rum\nPlan B\nA Bud - Ser", ("A BUD - RUM",)),
        ("Option 1:\nA Bud - Rum\nOption 2:\nA Bud - Ser", ()),
        ("Alternatives:\nA Bud - Rum", ()),
        ("A Bud - Rum\nPlan B, if Italy attacks:\nA Vie - Tyr", ("A BUD - RUM",)),
        ("A Bud - Rum\nor\nA Bud - Ser", ("A BUD - RUM",)),
        ("A Bud - Rum or\nA Bud - Ser", ()),
        ("A Bud - Rum\nA Bud - Ser (alternative)", ("A BUD - RUM",)),
        ("Backup orders:\nA Bud - Ser\nFinal orders:\nA Bud - Rum", ("A BUD - RUM",)),
        ("Contingency:\nA Bud - Ser\nMoves:\nA Bud - Rum", ("A BUD - RUM",)),
        ("A Bud - Ser\nCorrection:\nA Bud - Rum", ("A BUD - RUM",)),
        ("Retreats:\nCorrection:\nA Vie - Boh", ("A VIE R BOH",)),
        ("Backup retreats:\nA Vie - Boh", ("A VIE R BOH",)),
        ("Retreat options:\nA Vie - Boh", ("A VIE R BOH",)),
    ],
)
def test_below_the_heading_of_another_plan_nothing_is_taken(written: str, orders: tuple[str, ...]) -> None:
    assert _taken(SPRING, "Austria", written) == orders


@pytest.mark.rule("DI-91")
def test_a_whole_name_with_one_typing_error_goes_before_a_name_cut_short() -> None:
    assert answered(SPRING, "Germany", "F Kie - Holand").canonical == "F KIE - HOL"
    assert "it could mean" in answered(ONE, "Austria", "A Vie R Bod").message


@pytest.mark.rule("DI-92", "DI-97")
def test_a_support_needs_no_coast() -> None:
    assert filed(SPRING, "France", "F Wes S F MAO - Spa") == ("F WES S F MAO - SPA",)


@pytest.mark.rule("DI-91")
def test_a_power_with_the_name_of_a_province_is_that_province() -> None:
    assert filed(SPRING, "England", "Eng: Bel") == ("F ENG - BEL",)
    assert _taken(SPRING, "France", "Eng: A Par - Bur") == ()
