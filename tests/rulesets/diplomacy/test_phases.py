"""The course of a game: phases, those that are left out, absence, orders sent ahead, centres, and the end."""

from dataclasses import replace

import pytest

from pbmd.rules import Outcome, Refused, Signup, Status
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Dislodged, Position
from rulesets.diplomacy.world.units import Unit
from tests.rulesets.diplomacy.harness import NO_DICE, POWERS, dislodged, position, resolved, sheets, units
from tests.rulesets.played import mail

OPTIONS = complete(ruleset.info.options, {})


def begun(*names: str, **options: object) -> Position:
    chosen = complete(ruleset.info.options, options)
    return ruleset.setup([Signup(name) for name in names or POWERS], chosen, NO_DICE)


def send(before: Position, power: str, text: str, place: int = 1) -> Position:
    receipt = ruleset.receive(before, mail(power, text, place))
    assert receipt.filed, receipt.verdicts
    return receipt.position


def kinds(before: Position) -> list[str]:
    return [event.kind for event in resolved(before)[1]]


# --- Sign-up ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-02")
def test_a_power_is_chosen_by_the_beginning_of_its_name_and_whoever_comes_first_has_it() -> None:
    (verdict,) = ruleset.check_signup(Signup("ger"), [], OPTIONS)
    assert (verdict.status, verdict.canonical) == (Status.OK, "Germany")
    (verdict,) = ruleset.check_signup(Signup("GERMANY"), [Signup("Germany")], OPTIONS)
    assert verdict.status is Status.ERROR
    assert "Germany is taken; free are Austria, England" in verdict.message
    assert begun("Turkey", "France").seats == ("Turkey", "France")


@pytest.mark.rule("DI-02")
def test_there_is_no_other_power_than_those_of_the_map() -> None:
    small = complete(ruleset.info.options, {"map": "france_austria"})
    (verdict,) = ruleset.check_signup(Signup("Turkey"), [], small)
    assert "there are France and Austria" in verdict.message
    with pytest.raises(Refused, match="full"):
        ruleset.setup([Signup("France"), Signup("Austria"), Signup("Italy")], small, NO_DICE)


# --- Phases -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-01", "DI-03", "DI-07")
def test_a_year_goes_from_spring_to_winter_and_phases_without_anybody_to_act_are_left_out() -> None:
    spring = begun()
    autumn, _ = resolved(spring)
    next_spring, _ = resolved(autumn)
    steps = [(each.turn, each.phase, each.code) for each in (spring, autumn, next_spring)]
    assert steps == [(1, "spring moves", "S1901M"), (1, "autumn moves", "F1901M"), (2, "spring moves", "S1902M")]


@pytest.mark.rule("DI-01", "DI-03", "DI-70")
def test_a_winter_waits_for_those_who_can_build_and_no_others() -> None:
    autumn = position("F1901M", {"FRANCE": ["A SPA"], "ITALY": ["A ROM"]}, {"FRANCE": ["PAR"], "ITALY": ["ROM"]})
    winter, _ = resolved(autumn)
    assert (winter.phase, ruleset.awaiting(winter)) == ("winter", ("France",))


@pytest.mark.rule("DI-03", "DI-71")
def test_a_winter_in_which_no_home_centre_is_free_is_left_out() -> None:
    autumn = position("F1901M", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR", "SPA"]})
    assert resolved(autumn)[0].phase == "spring moves"


@pytest.mark.rule("DI-03", "DI-62")
def test_retreats_wait_for_those_who_have_the_choice() -> None:
    spring = position(
        "S1901M",
        {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"], "ITALY": ["A TYR"]},
        orders={"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]},
    )
    after, _ = resolved(spring)
    assert (after.phase, ruleset.awaiting(after)) == ("spring retreats", ("Germany",))
    assert dislodged(after) == {"GERMANY A MUN": ("BER", "BOH", "KIE", "SIL")}


@pytest.mark.rule("DI-62")
def test_a_unit_that_can_go_nowhere_is_disbanded_at_once() -> None:
    around = ["A RUH", "A BER", "A KIE", "A BOH", "A SIL", "A TYR", "A BUR"]
    orders = ["A BUR - MUN", *(f"{unit} S A BUR - MUN" for unit in around if unit != "A BUR")]
    before = position("S1901M", {"FRANCE": around, "GERMANY": ["A MUN", "A PIC"]}, orders={"FRANCE": orders})
    after, _ = resolved(before)
    assert after.phase == "autumn moves"
    assert "GERMANY A MUN" not in units(after)


# --- Absence ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-04")
def test_a_power_that_nobody_plays_holds_builds_nothing_and_is_not_awaited() -> None:
    before = begun("France", "Germany")
    assert ruleset.awaiting(before) == ("France", "Germany")
    after, _ = resolved(resolved(before)[0])
    assert [unit for unit in units(after) if unit.startswith("ITALY")] == ["ITALY A ROM", "ITALY A VEN", "ITALY F NAP"]


@pytest.mark.rule("DI-04")
def test_a_power_that_was_given_up_holds_until_somebody_takes_it_over() -> None:
    before = send(begun(), "France", "A PAR - BUR")
    assert ruleset.resign is not None
    assert ruleset.take_over is not None
    left = ruleset.resign(before, "France").position
    assert "France" not in ruleset.awaiting(left)
    assert "FRANCE A PAR" in units(resolved(left)[0])
    again = ruleset.take_over(left, "France", "Ann")
    assert "France" in ruleset.awaiting(again)
    assert "FRANCE A BUR" in units(resolved(send(again, "France", "A PAR - BUR"))[0])


@pytest.mark.rule("DI-05", "DI-20")
def test_units_of_a_power_that_misses_the_deadline_hold_and_all_are_told() -> None:
    before = send(begun(), "France", "A PAR - BUR")
    for name in ruleset.awaiting(before):
        before = ruleset.miss(before, name).position
    assert ruleset.awaiting(before) == ()
    after, events = resolved(before)
    assert "FRANCE A BUR" in units(after)
    assert "ENGLAND F LON" in units(after)
    assert [event.data["power"] for event in events if event.kind == "absent"] == [name for name in POWERS if name != "France"]


@pytest.mark.rule("DI-05", "DI-60", "DI-76")
def test_who_is_absent_loses_what_is_dislodged_and_what_is_too_many() -> None:
    before = replace(
        position("F1901M", {"GERMANY": ["A PRU", "A BOH"], "FRANCE": ["A MUN"]}, {"GERMANY": ["BER"], "FRANCE": ["MUN"]}),
        phase="autumn retreats",
    )
    germany = replace(before.by_power["Germany"], dislodged=(Dislodged(Unit("A", "BER"), "MUN", ("KIE", "SIL")),))
    before = replace(before, powers=tuple(germany if each.name == "Germany" else each for each in before.powers))
    assert ruleset.awaiting(before) == ("Germany",)
    winter, _ = resolved(before)
    assert (winter.phase, units(winter)) == ("winter", ["FRANCE A MUN", "GERMANY A BOH", "GERMANY A PRU"])
    assert units(resolved(winter)[0]) == ["FRANCE A MUN", "GERMANY A PRU"]


# --- Ahead --------------------------------------------------------------------------------------------------------------------


def _attack(*lines: str) -> Position:
    return position(
        "F1901M",
        {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "KIE", "MUN"]},
        {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"], "GERMANY": list(lines)},
    )


@pytest.mark.rule("DI-06")
def test_orders_sent_ahead_are_used_and_nobody_waits_for_whoever_has_said_all() -> None:
    after, _ = resolved(_attack("A MUN H", "A MUN R BOH", "A KIE B", "F BER B"))
    assert after.phase == "winter"  # for the build of France; the retreats were not waited for
    assert "GERMANY A BOH" in units(after)
    assert ruleset.awaiting(after) == ("France",)
    done, _ = resolved(after)
    assert [unit for unit in units(done) if unit.startswith("GERMANY")] == ["GERMANY A BOH", "GERMANY A KIE"]


@pytest.mark.rule("DI-06")
def test_orders_sent_ahead_that_do_not_apply_are_none() -> None:
    after, _ = resolved(_attack("A MUN H", "A MUN R RUH"))
    assert (after.phase, ruleset.awaiting(after)) == ("autumn retreats", ("Germany",))


@pytest.mark.rule("DI-06")
def test_orders_for_the_phase_itself_go_before_those_sent_ahead() -> None:
    before = _attack("A MUN H", "A KIE B")
    after, _ = resolved(before)
    assert after.phase == "autumn retreats"
    after, _ = resolved(replace(after, sheets=sheets({"GERMANY": ["A MUN R SIL", "F BER B"]})))
    done, _ = resolved(after)
    assert [unit for unit in units(done) if unit.startswith("GERMANY")] == ["GERMANY A SIL", "GERMANY F BER"]


@pytest.mark.rule("DI-06")
def test_orders_sent_ahead_are_gone_with_the_next_moves() -> None:
    after, _ = resolved(_attack("A MUN D", "WAIVE", "WAIVE", "A MUN H"))
    while after.phase != "spring moves":
        after, _ = resolved(after)
    assert after.ahead == ()


@pytest.mark.rule("DI-06")
def test_a_position_with_orders_sent_ahead_is_written_and_read() -> None:
    after, _ = resolved(_attack("A MUN H", "A KIE B"))
    assert [sheet.lines for sheet in after.ahead] == [("A KIE B",)]
    assert ruleset.load(ruleset.dump(after)) == after


# --- Retreats and centres -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-63")
def test_units_that_retreat_to_the_same_province_are_disbanded() -> None:
    before = replace(position("S1901R", {"FRANCE": ["A MUN", "A VIE"]}), seats=("France", "Germany", "Austria"))
    lost = {
        "Germany": Dislodged(Unit("A", "MUN"), "BUR", ("BOH", "SIL")),
        "Austria": Dislodged(Unit("A", "VIE"), "TYR", ("BOH", "GAL")),
    }
    powers = tuple(replace(each, dislodged=(lost[each.name],)) if each.name in lost else each for each in before.powers)
    before = replace(before, powers=powers)
    meeting = replace(before, sheets=sheets({"GERMANY": ["A MUN R BOH"], "AUSTRIA": ["A VIE R BOH"]}))
    assert units(resolved(meeting)[0]) == ["FRANCE A MUN", "FRANCE A VIE"]
    apart = replace(before, sheets=sheets({"GERMANY": ["A MUN R BOH"], "AUSTRIA": ["A VIE R GAL"]}))
    assert units(resolved(apart)[0]) == ["AUSTRIA A GAL", "FRANCE A MUN", "FRANCE A VIE", "GERMANY A BOH"]


@pytest.mark.rule("DI-65")
def test_centres_change_hands_after_autumn_only() -> None:
    spring = position("S1901M", {"FRANCE": ["A GAS"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["A GAS - SPA"]})
    autumn, events = resolved(spring)
    assert autumn.by_power["France"].centres == ("PAR",)
    assert "centres" not in [event.kind for event in events]
    winter, events = resolved(replace(autumn, sheets=sheets({"FRANCE": ["A SPA - POR"]})))
    assert winter.by_power["France"].centres == ("PAR", "POR")
    assert events[-1].data["centres"]["France"] == ["PAR", "POR"]


@pytest.mark.rule("DI-65")
def test_a_centre_that_is_left_stays_with_its_power_until_another_stands_there() -> None:
    before = position("F1901M", {"FRANCE": ["A MAR"], "ITALY": ["A PIE"]}, {"FRANCE": ["MAR"]}, {"FRANCE": ["A MAR - SPA"]})
    after, _ = resolved(before)
    assert after.by_power["France"].centres == ("MAR", "SPA")
    before = replace(before, sheets=sheets({"FRANCE": ["A MAR - SPA"], "ITALY": ["A PIE - MAR"]}))
    after, _ = resolved(before)
    assert (after.by_power["France"].centres, after.by_power["Italy"].centres) == (("SPA",), ("MAR",))


# --- Winter -------------------------------------------------------------------------------------------------------------------


def winter(units_of: list[str], centres: list[str], *orders: str) -> list[str]:
    """The units of Russia after a winter with these orders."""
    before = position("W1901A", {"RUSSIA": units_of}, {"RUSSIA": centres}, {"RUSSIA": list(orders)})
    return [unit.removeprefix("RUSSIA ") for unit in units(resolved(before)[0])]


@pytest.mark.rule("DI-71")
def test_a_fleet_is_built_on_a_coast() -> None:
    assert winter([], ["STP"], "F STP/NC B") == ["F STP/NC"]
    assert winter([], ["STP"], "F STP B") == []
    assert winter([], ["MOS"], "F MOS B") == []


@pytest.mark.rule("DI-71", "DI-72")
def test_what_cannot_be_built_does_not_count() -> None:
    assert winter(["A UKR"], ["MOS", "SEV"], "A RUM B", "A STP B", "F SEV B", "A MOS B") == ["A UKR", "F SEV"]


@pytest.mark.rule("DI-73")
def test_a_build_can_be_waived() -> None:
    assert winter([], ["MOS", "SEV"], "WAIVE", "A MOS B", "A SEV B") == ["A MOS"]
    assert winter([], ["MOS", "SEV"]) == []


@pytest.mark.rule("DI-74", "DI-75")
def test_the_first_removals_count() -> None:
    assert winter(["A UKR", "A GAL", "F BLA"], ["MOS"], "A GAL D", "A RUM D", "F UKR D", "F BLA D", "A UKR D") == ["A UKR"]


@pytest.mark.rule("DI-76")
def test_what_nobody_removes_goes_by_distance() -> None:
    assert winter(["A MUN", "A UKR"], ["MOS"]) == ["A UKR"]
    assert winter(["A LVN", "A UKR", "F BOT"], ["STP", "MOS"]) == ["A LVN", "A UKR"]  # all next to a centre: fleets first
    assert winter(["A LVN", "A UKR"], ["MOS"]) == ["A UKR"]  # by name, Livonia before Ukraine


@pytest.mark.rule("DI-76")
def test_distance_can_count_from_home_centres_by_option() -> None:
    before = {"RUSSIA": ["A SPA", "A SEV", "F ANK"]}
    centres = {"RUSSIA": ["SPA", "SEV"]}
    assert "RUSSIA A SPA" in units(resolved(position("W1901A", before, centres))[0])
    assert "RUSSIA A SPA" not in units(resolved(position("W1901A", before, centres, removal_distance="home"))[0])


@pytest.mark.rule("DI-77")
def test_nobody_builds_where_another_is_removed_in_the_same_winter() -> None:
    before = position(
        "W1901A",
        {"RUSSIA": ["A UKR"], "TURKEY": ["A SEV", "A ARM"]},
        {"RUSSIA": ["SEV", "RUM"], "TURKEY": ["ANK"]},
        {"RUSSIA": ["A SEV B"], "TURKEY": ["A SEV D"]},
    )
    assert units(resolved(before)[0]) == ["RUSSIA A UKR", "TURKEY A ARM"]


# --- The end ------------------------------------------------------------------------------------------------------------------

OTHERS = [centre for centre in begun().board.centres if centre not in ("PAR", "TUN")]


@pytest.mark.rule("DI-80")
def test_who_has_eighteen_centres_after_autumn_has_won() -> None:
    held = {"ITALY": ["A TUN"], "FRANCE": ["A PAR"]}
    assert ruleset.outcome(resolved(position("F1905M", held, {"ITALY": OTHERS[:16]}))[0]) is None
    assert ruleset.outcome(resolved(position("S1905M", held, {"ITALY": OTHERS[:17]}))[0]) is None
    after, _ = resolved(position("F1905M", held, {"ITALY": OTHERS[:17]}))
    assert ruleset.outcome(after) == Outcome(("Italy",), "Italy has won, with 18 centres.")
    assert ruleset.awaiting(after) == ()
    assert ruleset.load(ruleset.dump(after)) == after


@pytest.mark.rule("DI-82")
def test_a_game_without_units_that_anybody_plays_is_over_and_nobody_has_won() -> None:
    before = begun("France", "Italy")
    assert ruleset.resign is not None
    for name in before.seats:
        before = ruleset.resign(before, name).position
    after, _ = resolved(before)
    assert ruleset.outcome(after) == Outcome((), "Nobody is left to play; nobody has won.")


@pytest.mark.rule("DI-81", "DI-83")
def test_a_draw_takes_the_votes_of_all_that_have_units_and_is_shared_by_all_that_are_left() -> None:
    before = position("S1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, {"TURKEY": ["CON"], "FRANCE": ["PAR"]})
    some = replace(before, sheets=sheets({"FRANCE": ["DRAW"]}))
    assert ruleset.outcome(resolved(some)[0]) is None
    both = replace(before, sheets=sheets({"FRANCE": ["A PAR - BUR", "DRAW"], "ITALY": ["DRAW"]}))
    after, events = resolved(both)
    assert ruleset.outcome(after) == Outcome((), "All have agreed to a draw of France, Italy and Turkey.")
    assert after.winners == ("France", "Italy", "Turkey")
    assert "FRANCE A PAR" in units(after)  # no order is carried out any more
    assert "moves" not in [event.kind for event in events]


@pytest.mark.rule("DI-84")
def test_all_others_can_concede() -> None:
    before = position("S1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"], "TURKEY": ["A CON"]})
    one = replace(before, sheets=sheets({"ITALY": ["CONCEDE France"], "TURKEY": ["CONCEDE Italy"]}))
    assert ruleset.outcome(resolved(one)[0]) is None
    all_others = replace(before, sheets=sheets({"ITALY": ["CONCEDE France"], "TURKEY": ["CONCEDE France"]}))
    assert ruleset.outcome(resolved(all_others)[0]) == Outcome(("France",), "All others have conceded to France.")


@pytest.mark.rule("DI-85")
def test_the_last_vote_counts_and_for_one_phase_only() -> None:
    before = position("S1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]})
    changed = replace(before, sheets=sheets({"FRANCE": ["DRAW"], "ITALY": ["DRAW", "CONCEDE France"]}))
    assert resolved(changed)[0].end == "concession"
    half = replace(before, sheets=sheets({"FRANCE": ["DRAW"]}))
    later = replace(resolved(half)[0], sheets=sheets({"ITALY": ["DRAW"]}))
    assert ruleset.outcome(resolved(later)[0]) is None


@pytest.mark.rule("DI-86")
def test_votes_are_told_only_where_they_are_open() -> None:
    orders = {"FRANCE": ["DRAW"]}
    secret = position("S1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, orders=orders)
    assert "vote" not in kinds(secret)
    votes = [event for event in resolved(replace(secret, given=(("votes", "open"),)))[1] if event.kind == "vote"]
    assert [(event.audience, dict(event.data)) for event in votes] == [(None, {"power": "France", "vote": "DRAW"})]


@pytest.mark.rule("DI-87")
def test_after_the_last_year_it_is_a_draw() -> None:
    before = position("F1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, last_year=1905)
    after, _ = resolved(before)
    assert ruleset.outcome(after) == Outcome((), "The last year is over: a draw of France and Italy.")
    assert resolved(replace(before, given=(("last_year", 1906),)))[0].end == ""
    with pytest.raises(Refused, match="last_year"):
        begun(last_year=1900)


@pytest.mark.rule("DI-88")
def test_places_go_by_the_end_then_by_centres_and_then_by_how_long_there_were_some() -> None:
    after, _ = resolved(position("F1905M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, last_year=1905))
    places = ruleset.places
    assert places is not None
    powers = after.seats
    assert {places(after)[power] for power in after.winners} == {1}
    column = {power.name: place for place, power in enumerate(after.powers, start=1)}
    out = [power for power in powers if power not in after.winners and not after.by_power[power].centres][:2]
    year = [1904] + [0] * len(after.powers)
    year[column[out[1]]] = 1
    longer = places(replace(after, history=(tuple(year), (1905, *[0] * len(after.powers)))))
    assert longer[out[1]] < longer[out[0]]
    assert places(after)[out[0]] == places(after)[out[1]]
    winner = powers[0]
    won = places(replace(after, end="concession", winners=(winner,)))
    assert [power for power, place in won.items() if place == 1] == [winner]
    centres = {power: len(after.by_power[power].centres) for power in powers if power != winner}
    assert all(won[one] < won[other] for one in centres for other in centres if centres[one] > centres[other])


@pytest.mark.rule("DI-88")
def test_a_power_that_nobody_plays_is_before_all_others_if_it_has_won_and_a_game_left_by_all_has_no_places() -> None:
    over = replace(begun("France", "Italy"), phase="over", end="victory", winners=("Germany",))
    assert ruleset.places is not None
    assert ruleset.places(over) == {"France": 2, "Italy": 2}
    assert ruleset.places(replace(over, end="abandoned", winners=())) == {}
