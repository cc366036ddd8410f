"""Orders as e-mail players write them, and what they are taken for."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import ScriptedDice, Status
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.orders import read_canonical
from rulesets.diplomacy.world.board import board
from tests.rulesets.budgets import SMALL
from tests.rulesets.diplomacy.harness import position
from tests.rulesets.diplomacy.letters import answered, begun, filed, sent, understood

STANDARD = board("standard")
SEA = position(
    "F1901M",
    {
        "ENGLAND": ["A LON", "F NTH", "F NWG", "F MAO", "A YOR"],
        "FRANCE": ["A PAR", "A MAR", "F GAS", "A BEL"],
        "RUSSIA": ["F STP/SC", "A WAR"],
    },
    {"FRANCE": ["BRE", "MAR", "PAR"]},
)


@pytest.mark.rule("DI-20", "DI-21", "DI-30", "DI-31", "DI-40", "DI-90")
@pytest.mark.parametrize(
    ("seat", "written", "canonical"),
    [
        ("England", "A LON H", "A LON H"),
        ("England", "army london stands", "A LON H"),
        ("England", "Lon hold", "A LON H"),
        ("England", "a lon - yor", "A LON - YOR"),
        ("England", "A Lon-Wal", "A LON - WAL"),
        ("England", "A Lon -> Wal.", "A LON - WAL"),
        ("England", "A Lon → Wal", "A LON - WAL"),
        ("England", "Army London moves to Wales", "A LON - WAL"),
        ("England", "Army from London to Wales", "A LON - WAL"),
        ("England", "from London to Wales", "A LON - WAL"),
        ("England", "* London to Wales;", "A LON - WAL"),
        ("England", "F NTH C A LON - BEL", "F NTH C A LON - BEL"),
        ("England", "North Sea convoys London to Belgium", "F NTH C A LON - BEL"),
        ("England", "f nth t lon-bel", "F NTH C A LON - BEL"),
        ("England", "F Nth transports Army London to Belgium", "F NTH C A LON - BEL"),
        ("England", "Army London to Belgium via convoy", "A LON - BEL VIA"),
        ("England", "A LON - BEL VIA", "A LON - BEL VIA"),
        ("England", "A Lon - Bel by convoy", "A LON - BEL VIA"),
        ("England", "A Lon - Bel", "A LON - BEL"),
        ("England", "A Lon - Hold", "A LON H"),
        ("England", "A Lon—Wal", "A LON - WAL"),
        ("England", "A Lon ― Wal", "A LON - WAL"),
        ("England", "A Lon - Bel (via convoy)", "A LON - BEL VIA"),
        ("England", "A Lon - Bel (convoy)", "A LON - BEL VIA"),
        ("England", "Fleet (North Sea) convoys Army (London) to (Belgium)", "F NTH C A LON - BEL"),
        ("England", "F(NTH)-NWY", "F NTH - NWY"),
        ("England", "England: A Lon - Wal", "A LON - WAL"),
        ("England", "Army London attacks Wales", "A LON - WAL"),
        ("England", "F Mao S French F Gas - Bre", "F MAO S F GAS - BRE"),
        ("France", "Army Par supports army Mar into Bur", "A PAR S A MAR - BUR"),
        ("France", "A Mar S France's A Par - Bur", "A MAR S A PAR - BUR"),
        ("France", "A MAR S A PAR - BUR", "A MAR S A PAR - BUR"),
        ("France", "mar supports par-bur", "A MAR S A PAR - BUR"),
        ("France", "A Mar support Army Paris moves to Burgundy", "A MAR S A PAR - BUR"),
        ("France", "A Mar S F Gas", "A MAR S F GAS"),
        ("France", "A Mar supports F Gas holding", "A MAR S F GAS"),
    ],
)
def test_orders_are_taken_in_all_the_ways_in_which_people_write_them(seat: str, written: str, canonical: str) -> None:
    assert understood(SEA, seat, written) == canonical


@pytest.mark.rule("DI-91")
@pytest.mark.parametrize("province", STANDARD.provinces, ids=lambda province: province.id)
def test_a_province_is_known_by_its_id_name_and_aliases_and_by_beginnings_that_fit_no_other(province) -> None:
    kind = "F" if province.kind == "sea" else "A"
    here = position("F1901M", {"FRANCE": [f"{kind} {province.id}"]})
    aliases = [alias.replace("+", " ") for alias in province.aliases]
    for name in (province.id, province.id.lower(), province.name, province.name.upper(), *aliases):
        assert understood(here, "France", f"{kind} {name} H") == f"{kind} {province.id} H"
    others = [
        name.replace("+", " ") for other in STANDARD.provinces if other is not province for name in (other.name, *other.aliases)
    ]
    beginnings = [province.name[:end] for end in range(4, len(province.name) + 1)]
    short = next(
        each
        for each in beginnings  # a letter alone may be a word, as in "North S"
        if len(re.split("[ -]", each)[-1]) > 2 and not any(other.casefold().startswith(each.casefold()) for other in others)
    )
    assert understood(here, "France", f"{kind} {short} H") == f"{kind} {province.id} H"


@pytest.mark.rule("DI-12", "DI-24", "DI-92")
@pytest.mark.parametrize(
    "coast", ["/NC", "/nc", "(nc)", " (NC)", "/north coast", " (north coast)", " nc", " north coast", "/ nc"]
)
def test_a_coast_is_known_however_it_stands_behind_the_name(coast: str) -> None:
    assert understood(SEA, "England", f"F Mid - Spa{coast}") == "F MAO - SPA/NC"
    assert understood(SEA, "England", f"F Mid - Spain{coast}") == "F MAO - SPA/NC"


@pytest.mark.rule("DI-25")
def test_the_only_coast_that_can_be_reached_is_filled_in_and_that_of_a_fleet_need_not_be_named() -> None:
    assert understood(SEA, "Russia", "F Stp - Bot") == "F STP/SC - BOT"
    assert understood(SEA, "France", "F Gas - Spa") == "F GAS - SPA/NC"
    assert understood(SEA, "England", "F MAO S F Gas - Spa/nc") == "F MAO S F GAS - SPA/NC"


@pytest.mark.rule("DI-26")
def test_a_coast_named_for_an_army_is_passed_over() -> None:
    assert understood(SEA, "France", "A Mar - Spa/sc") == "A MAR - SPA"


@pytest.mark.rule("DI-95")
def test_a_route_by_seas_is_a_move_by_convoy_to_its_end() -> None:
    assert understood(SEA, "England", "A Lon-Nth-Nwy") == "A LON - NWY VIA"
    assert understood(SEA, "England", "A Yor - Nth - Nwg - Cly") == "A YOR - CLY VIA"
    assert "Wales is none" in answered(SEA, "England", "A Lon - Wal - Iri - Nwy").message
    assert "one step" in answered(SEA, "England", "F Nth - Nwg - Bar").message


@pytest.mark.rule("DI-93")
def test_orders_in_a_line_are_all_taken() -> None:
    here = begun()
    text = "A Vie-Gal, A Bud-Ser; F Tri-Alb"
    assert filed(here, "Austria", text) == ("A VIE - GAL", "A BUD - SER", "F TRI - ALB")
    assert answered(here, "Austria", text).canonical == "A VIE - GAL; A BUD - SER; F TRI - ALB"
    assert filed(here, "Austria", answered(here, "Austria", text).canonical) == filed(here, "Austria", text)


@pytest.mark.rule("DI-93")
def test_of_two_for_a_unit_the_last_counts_and_that_is_told() -> None:
    text = "A Vie-Gal\nA Bud H\nA Vie-Boh"
    assert filed(begun(), "Austria", text) == ("A BUD H", "A VIE - BOH")
    assert sent(begun(), "Austria", text).verdicts[2].message == "in place of A VIE - GAL"


@pytest.mark.rule("DI-93")
def test_a_mail_takes_the_place_of_the_one_before() -> None:
    first = sent(begun(), "Austria", "A Vie-Gal\nDRAW").position
    second = sent(first, "Austria", "A Bud H", 2).position
    assert [sheet.lines for sheet in second.sheets] == [("A BUD H",)]


@pytest.mark.rule("DI-93", "DI-97")
def test_the_right_ones_stand_beside_a_wrong_one_and_the_wrong_one_is_told() -> None:
    (verdict,) = sent(begun(), "Austria", "A Vie-Gal, A Bud-Atlantis, F Tri-Alb").verdicts
    assert (verdict.status, verdict.canonical) == (Status.WARNING, "A VIE - GAL; F TRI - ALB")
    assert 'not taken is "A Bud-Atlantis": there is no province "Atlantis"' in verdict.message


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "If Italy attacks, A Vie-Tri, otherwise A Vie-Gal", "Unless Italy moves, A Vie-Tri", "A Vie-Tri, otherwise A Vie-Gal",
        "Wenn Italien angreift, A Vie-Tri, sonst A Vie-Gal", "A Vie-Tri if Italy attacks, F Tri-Alb",
    ],
)  # fmt: skip
def test_an_order_that_depends_on_something_is_refused_with_its_line(text: str) -> None:
    (verdict,) = (each for each in sent(begun(), "Austria", text).verdicts if each.line)
    assert (verdict.status, verdict.canonical) == (Status.ERROR, "")
    assert "cannot depend on anything" in verdict.message


@pytest.mark.rule("DI-93")
def test_a_greeting_before_orders_and_thanks_behind_them_cost_none() -> None:
    (verdict,) = sent(begun(), "Austria", "Hi, A Vie-Tri, F Tri-Alb, thanks a lot Max").verdicts
    assert (verdict.status, verdict.canonical) == (Status.WARNING, "A VIE - TRI; F TRI - ALB")


@pytest.mark.rule("DI-83", "DI-84", "DI-85")
def test_votes_are_orders_and_the_last_counts() -> None:
    here = begun()
    for written in ("DRAW", "draw.", "Vote draw", "set draw"):
        assert understood(here, "Austria", written) == "DRAW"
    for written in ("CONCEDE France", "concede to fra", "Concedes to France"):
        assert understood(here, "Austria", written) == "CONCEDE France"
    assert filed(here, "Austria", "DRAW\nConcede Italy") == ("CONCEDE Italy",)
    assert 'did you mean "Germany"' in answered(here, "Austria", "concede germny").message


@pytest.mark.rule("DI-84")
def test_nobody_concedes_to_who_cannot_win() -> None:
    here = position("S1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A BER"], "RUSSIA": ["A MOS"]}, {"TURKEY": ["ANK"]})
    here = replace(here, seats=("France", "Germany", "Italy", "Turkey", "England"), left=("Germany",))
    for power, why in (
        ("France", "you concede to another power, and not to yourself."),
        ("Italy", "nobody can concede to Italy: it is out of the game."),
        ("Russia", "nobody can concede to Russia: nobody plays it."),
        ("Germany", "nobody can concede to Germany: it was given up."),
        ("Turkey", "nobody can concede to Turkey: it has no units left."),
    ):
        assert answered(here, "France", f"CONCEDE {power}").message == why


RETREATS = position(
    "F1901M",
    {"AUSTRIA": ["A VIE"], "ITALY": ["A TYR", "A BOH"], "FRANCE": ["A PAR"]},
    {"AUSTRIA": ["BUD", "TRI"]},
    {"ITALY": ["A TYR - VIE", "A BOH S A TYR - VIE"]},
)


def retreating():
    """Autumn 1901: A VIE is dislodged by A TYR."""
    after = ruleset.resolve(RETREATS, ScriptedDice([])).position
    assert after.phase == "autumn retreats"
    return after


@pytest.mark.rule("DI-60", "DI-94")
@pytest.mark.parametrize(
    "written",
    ["A VIE R BUD", "a vie - bud", "Vienna retreats to Budapest", "Retreat A Vie - Bud", "A Vie-Bud", "R Vie-Bud"],
)
def test_are_written_as_moves_or_with_a_word(written: str) -> None:
    assert understood(retreating(), "Austria", written) == "A VIE R BUD"


@pytest.mark.rule("DI-60", "DI-94")
@pytest.mark.parametrize("written", ["A VIE D", "A Vie disband", "Disband A Vie", "remove Vienna"])
def test_can_be_left(written: str) -> None:
    assert understood(retreating(), "Austria", written) == "A VIE D"


@pytest.mark.rule("DI-60", "DI-61", "DI-94")
def test_retreats_that_are_not_open_are_refused() -> None:
    verdict = answered(retreating(), "Austria", "A Vie - Tyr")
    assert verdict.status is Status.ERROR
    assert verdict.message == "A VIE can retreat to BUD, GAL or TRI only. For example: A VIE R BUD"


def winter(units, centres):
    return position("W1901A", {"RUSSIA": units}, {"RUSSIA": centres})


BUILDS = winter(["A UKR"], ["MOS", "SEV", "STP"])
REMOVALS = winter(["A UKR", "F BLA", "A MOS"], ["MOS"])


@pytest.mark.rule("DI-71", "DI-73", "DI-74", "DI-94")
@pytest.mark.parametrize("written", ["A MOS B", "Build A Mos", "build army in Moscow", "b a mos", "A Mos", "A Mos builds"])
def test_builds(written: str) -> None:
    assert understood(BUILDS, "Russia", written) == "A MOS B"


@pytest.mark.rule("DI-71", "DI-73", "DI-74", "DI-94")
@pytest.mark.parametrize("written", ["F STP/NC B", "Build F Stp(nc)", "fleet St. Petersburg (north coast)"])
def test_builds_on_a_coast(written: str) -> None:
    assert understood(BUILDS, "Russia", written) == "F STP/NC B"


@pytest.mark.rule("DI-71", "DI-73", "DI-74", "DI-94")
@pytest.mark.parametrize("written", ["WAIVE", "w", "waive a build", "Waives"])
def test_waived_builds(written: str) -> None:
    assert understood(BUILDS, "Russia", written) == "WAIVE"


@pytest.mark.rule("DI-71", "DI-73", "DI-74", "DI-94")
@pytest.mark.parametrize("written", ["F BLA D", "Remove F Bla", "r f bla", "disband Black Sea", "F Bla"])
def test_removals(written: str) -> None:
    assert understood(REMOVALS, "Russia", written) == "F BLA D"


@pytest.mark.rule("DI-71", "DI-72", "DI-73", "DI-74", "DI-75", "DI-94")
def test_what_is_too_much_is_told() -> None:
    receipt = sent(BUILDS, "Russia", "A Mos\nWaive\nA Sev")
    assert [verdict.message for verdict in receipt.verdicts] == ["", "", "there can be 2 builds only, and the first count"]
    receipt = sent(REMOVALS, "Russia", "A Ukr\nF Bla\nA Mos")
    assert [verdict.message for verdict in receipt.verdicts][2] == "there can be 2 removals only, and the first count"


@pytest.mark.rule("DI-71", "DI-73", "DI-74", "DI-94")
def test_what_is_left_open_is_told() -> None:
    assert sent(BUILDS, "Russia", "A Mos").defaults == ("You leave 1 build unused, which could be in MOS, SEV or STP.",)
    assert sent(REMOVALS, "Russia", "A Mos").defaults == ("1 more removal not ordered: the farthest units go first.",)


def test_what_units_do_without_orders_is_told() -> None:
    assert sent(begun(), "Austria", "A Vie-Gal").defaults == ("Without orders: A BUD and F TRI, to hold.",)
    assert sent(retreating(), "Austria", "Build A Tri").defaults == (
        "These are orders for later phases only; your orders for this one are still awaited.",
        "Without orders: A VIE, to be disbanded.",
    )


EVERYWHERE = {
    province.id: "F " + next(place for place in STANDARD.fleet_reach if place[:3] == province.id)
    if province.kind != "inland"
    else f"A {province.id}"
    for province in STANDARD.provinces
}
"""A unit in each province."""
places = st.sampled_from([place for province in STANDARD.provinces for place in (province.id, f"{province.id}/NC")])
lines = st.one_of(
    st.builds("{} {} {}".format, st.sampled_from("AF"), places, st.sampled_from("HDB")),
    st.builds("{} {} {} {}".format, st.sampled_from("AF"), places, st.sampled_from("-R"), places),
    st.builds("{} {} {} A {} - {}".format, st.sampled_from("AF"), places, st.sampled_from("SC"), places, places),
)


@pytest.mark.rule("DI-93")
@given(lines)
@SMALL
def test_whatever_is_filed_is_in_the_notation_and_taken_again_as_it_is(line: str) -> None:
    everywhere = position("F1901M", {"FRANCE": [EVERYWHERE[line[2:5]]]})
    verdict = answered(everywhere, "France", line)
    if verdict.canonical:
        assert read_canonical(verdict.canonical) is not None
        assert answered(everywhere, "France", verdict.canonical).canonical == verdict.canonical


@pytest.mark.rule("DI-94", "DI-96")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("Retreats: A Par - Gas, A Mar - Pie\nA Bel H", ("A PAR R GAS", "A MAR R PIE", "A BEL H")),
        ("Retreat A Par - Gas, A Mar - Pie", ("A PAR R GAS", "A MAR R PIE")),
        ("Retreats: A Par - Gas; moves: A Mar - Bur", ("A PAR R GAS", "A MAR - BUR")),
        ("Builds: A Par, F Bre\nA Mar - Bur", ("A PAR B", "F BRE B", "A MAR - BUR")),
        ("Build A Par, F Bre, A Mar - Bur", ("A PAR B", "F BRE B", "A MAR - BUR")),
        ("Remove A Bel, F Gas", ("A BEL D", "F GAS D")),
        ("France\nMoves: A Mar - Bur, A Par - Pic", ("A MAR - BUR", "A PAR - PIC")),
        ("FRANCE: Builds: A Par", ("A PAR B",)),
    ],
)
def test_what_a_line_begins_with_counts_for_all_of_its_orders_and_for_no_other_line(
    written: str, orders: tuple[str, ...]
) -> None:
    (sheet,) = sent(SEA, "France", written).position.sheets
    assert sheet.lines == orders
