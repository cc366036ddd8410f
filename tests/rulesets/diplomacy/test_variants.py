"""What differs on some maps: where is built, when the game begins, islands whose fleets convoy."""

from dataclasses import replace

import pytest

from pbmd.rules import PUBLIC, Signup, Status
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import board
from rulesets.diplomacy.world.state import Position
from rulesets.diplomacy.world.units import read_unit
from tests.rulesets.diplomacy.harness import NO_DICE, dislodged, resolved, sheets, units
from tests.rulesets.diplomacy.letters import answered, filed, sent, understood


def begun(name: str) -> Position:
    signups = [Signup(power) for power in board(name).by_power]
    return ruleset.setup(signups, complete(ruleset.info.options, {"map": name}), NO_DICE)


def with_units(before: Position, **wanted: list[str]) -> Position:
    """The position with these units, and no others, of the powers that are named."""
    powers = tuple(
        replace(power, units=tuple(sorted((read_unit(text) for text in wanted[power.name]), key=lambda unit: unit.place)))
        if power.name in wanted
        else replace(power, units=())
        for power in before.powers
    )
    return replace(before, powers=powers)


# --- Chaos: a first winter ------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-14", "DI-71")
def test_chaos_begins_with_a_build_in_winter_and_goes_on_in_spring() -> None:
    before = begun("chaos")
    assert understood(before, "Sevastopol", "Build F Sev") == "F SEV B"
    assert understood(before, "St Petersburg", "F StP/nc B") == "F STP/NC B"
    built = replace(before, sheets=sheets({"SEVASTOPOL": ["F SEV B"], "MUNICH": ["A MUN B"], "KIEL": ["WAIVE"]}))
    spring, _ = resolved(built)
    assert (ruleset.step_name(spring), ruleset.turn(spring)) == ("spring 1901 moves", 2)
    assert units(spring) == ["MUNICH A MUN", "SEVASTOPOL F SEV"]
    assert spring.by_power["Kiel"].survives, "it has a centre, and can build in the next winter"
    assert ruleset.awaiting(spring) == ("Munich", "Sevastopol")


@pytest.mark.rule("DI-14")
def test_the_report_before_the_first_winter_says_what_there_is_to_build() -> None:
    data = ruleset.view(begun("chaos"), (), PUBLIC).data
    assert data["phase"] == "Winter 1900"
    assert "Munich: 1 build, in MUN" in data["to_do"]
    assert "free centres: MUN" in ruleset.order_form(begun("chaos"), "Munich").replace("\n## ", " ")


# --- Builds in any centre of one's own ------------------------------------------------------------------------------------


def in_winter(name: str, power: str, centres: tuple[str, ...], there: list[str]) -> Position:
    """A winter in which a power has these centres and units, and nobody else any."""
    before = with_units(begun(name), **{power: there})
    powers = tuple(replace(each, centres=centres if each.name == power else ()) for each in before.powers)
    return replace(before, phase="winter", powers=powers)


@pytest.mark.parametrize("name", ["chaos", "hundred"])
@pytest.mark.rule("DI-71")
def test_on_some_maps_a_power_builds_in_any_free_centre_that_it_owns(name: str) -> None:
    power = {"chaos": "London", "hundred": "France"}[name]
    winter = in_winter(name, power, ("LON", "PAR"), [])
    assert filed(winter, power, "A Par B\nF Lon B") == ("A PAR B", "F LON B")
    after, _ = resolved(replace(winter, sheets=sheets({power.upper(): ["A PAR B", "F LON B"]})))
    assert units(after) == [f"{power.upper()} A PAR", f"{power.upper()} F LON"]


@pytest.mark.rule("DI-71")
def test_a_centre_of_others_is_no_place_to_build_on_any_map() -> None:
    verdict = answered(in_winter("hundred", "France", ("PAR",), []), "France", "A Dau B")
    assert verdict.status is Status.ERROR
    assert verdict.message == "you cannot build in Dauphine; your free centres are Paris."


@pytest.mark.rule("DI-71")
def test_on_the_other_maps_only_home_centres_count() -> None:
    verdict = answered(in_winter("ancient_mediterranean", "Rome", ("ROM", "CAR"), []), "Rome", "A Car B")
    assert verdict.message == "you cannot build in Carthage; your free home centres are Rome."


@pytest.mark.rule("DI-73", "DI-93")
def test_builds_that_are_waived_ahead_are_as_many_as_there_can_be() -> None:
    autumn = replace(with_units(begun("hundred"), France=["A PAR"]), phase="autumn moves")
    orders = filed(autumn, "France", "A Par H\nBuilds\nno builds")
    assert orders.count("WAIVE") == 5, "four centres and one that the army could take"


@pytest.mark.rule("DI-15", "DI-70")
def test_france_has_an_army_too_many_in_hundred() -> None:
    autumn = replace(begun("hundred"), phase="autumn moves")
    winter, _ = resolved(autumn)
    assert winter.phase == "winter"
    assert winter.by_power["France"].builds == -1
    assert ruleset.awaiting(winter) == ("France",)


# --- London and Calais, rivers and islands --------------------------------------------------------------------------------


@pytest.mark.rule("DI-11", "DI-15", "DI-51")
def test_an_army_goes_from_london_to_calais_without_a_fleet() -> None:
    before = with_units(begun("hundred"), England=["A LON", "F DOV"], Burgundy=["A FLA"])
    orders = {"ENGLAND": ["A LON - CAL", "F DOV S A LON - CAL"], "BURGUNDY": ["A FLA - CAL"]}
    after, _ = resolved(replace(before, sheets=sheets(orders)))
    assert units(after) == ["BURGUNDY A FLA", "ENGLAND A CAL", "ENGLAND F DOV"]


@pytest.mark.rule("DI-11", "DI-15")
def test_fleets_go_up_the_nile_to_where_no_sea_is() -> None:
    before = with_units(begun("ancient_mediterranean"), Egypt=["F ALE"])
    after, _ = resolved(replace(before, sheets=sheets({"EGYPT": ["F ALE - MEM"]})))
    assert units(after) == ["EGYPT F MEM"]


@pytest.mark.rule("DI-40")
def test_a_fleet_in_baleares_convoys_and_one_on_another_coast_does_not() -> None:
    before = with_units(begun("ancient_mediterranean"), Rome=["A TAR", "F BAL", "F BER", "F SAG"])
    assert answered(before, "Rome", "F Sag C A Tar - Mau").message == "only fleets at sea convoy; it will hold"
    before = with_units(before, Rome=["A TAR", "F BAL", "F BER"])
    orders = {"ROME": ["A TAR - MAU VIA", "F BAL C A TAR - MAU", "F BER C A TAR - MAU"]}
    after, _ = resolved(replace(before, sheets=sheets(orders)))
    assert units(after) == ["ROME A MAU", "ROME F BAL", "ROME F BER"]


@pytest.mark.rule("DI-40")
def test_an_army_in_baleares_is_no_part_of_a_route() -> None:
    before = with_units(begun("ancient_mediterranean"), Rome=["A TAR", "A BAL", "F BER"])
    verdict = answered(before, "Rome", "A Tar - Mau via convoy")
    assert verdict.status is Status.WARNING
    orders = {"ROME": ["A TAR - MAU VIA", "F BER C A TAR - MAU"]}
    after, _ = resolved(replace(before, sheets=sheets(orders)))
    assert units(after) == ["ROME A BAL", "ROME A TAR", "ROME F BER"]


@pytest.mark.rule("DI-40", "DI-15")
def test_an_army_reaches_an_island_by_convoy_only() -> None:
    before = with_units(begun("ancient_mediterranean"), Rome=["A SAG", "F BER"])
    after, _ = resolved(replace(before, sheets=sheets({"ROME": ["A SAG - BAL", "F BER C A SAG - BAL"]})))
    assert units(after) == ["ROME A BAL", "ROME F BER"]
    alone = with_units(before, Rome=["A SAG"])
    after, _ = resolved(replace(alone, sheets=sheets({"ROME": ["A SAG - BAL"]})))
    assert (units(after), dislodged(after)) == (["ROME A SAG"], {})


@pytest.mark.rule("DI-95")
def test_a_route_can_be_written_by_way_of_baleares() -> None:
    before = with_units(begun("ancient_mediterranean"), Rome=["A TAR", "F BAL", "F BER"])
    assert sent(before, "Rome", "A Tar - Bal - Ber - Mau").verdicts[0].canonical == "A TAR - MAU VIA"
