"""Reports: each order with what became of it and why, the course of the game, and the state for programs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

import pytest

from pbmd.rendering.render import map_text, report_html, report_text, text_parts
from pbmd.rules import GM, PUBLIC, seat_reader
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import NO_DICE, position
from tests.rulesets.diplomacy.letters import begun
from tests.rulesets.random_games import steps


def told(here: Position, seat: str = "") -> str:
    """The report on the phase that comes, as text."""
    found = ruleset.resolve(here, NO_DICE)
    return report_text(ruleset, ruleset.view(found.position, found.events, seat_reader(seat) if seat else PUBLIC))


def you(here: Position, seat: str) -> str:
    """What the report on the phase that comes says of its reader, in a line."""
    found = ruleset.resolve(here, NO_DICE)
    return " ".join(text_parts(ruleset, ruleset.view(found.position, found.events, seat_reader(seat))).you.split())


def moves(units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]], code: str = "S1901M") -> str:
    return told(position(code, units, orders=orders))


def line(report: str, order: str) -> str:
    """What stands behind an order."""
    rows = report.split("\n\nNOW:")[0].split("\n")
    place = next(place for place, row in enumerate(rows) if f" {order}  " in f"{row}  ")
    more = itertools.takewhile(lambda row: row.startswith(" " * 30), rows[place + 1 :])
    return " ".join([rows[place].partition(order)[2].strip(), *map(str.strip, more)])


@pytest.mark.rule("DI-100")
def test_moves_and_bounces_with_whom() -> None:
    found = moves(
        {"FRANCE": ["A PAR", "A BRE"], "GERMANY": ["A MUN"], "ITALY": ["A PIE"]},
        {"FRANCE": ["A PAR - BUR", "A BRE - PIC"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A PIE - MAR"]},
    )
    assert line(found, "A PAR - BUR") == "bounced with A MUN (Germany)"
    assert line(found, "A MUN - BUR") == "bounced with A PAR (France)"
    assert line(found, "A BRE - PIC") == "moved"


@pytest.mark.rule("DI-100")
def test_who_cut_a_support_and_from_where_a_unit_was_dislodged() -> None:
    found = moves(
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR", "A RUH"], "ITALY": ["A PIE"], "ENGLAND": ["A PIC"]},
        {
            "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
            "ENGLAND": ["A PIC S A PAR - BUR"],
            "ITALY": ["A PIE - MAR"],
        },
    )
    assert line(found, "A MAR S A PAR - BUR") == "support cut by A PIE (Italy)"
    assert line(found, "A PIC S A PAR - BUR") == "supported"
    assert line(found, "A BUR H") == "held; dislodged by A PAR (France)"
    assert "Germany: A BUR was dislodged by an attack from PAR and can retreat to BEL, GAS or MUN." in " ".join(found.split())
    assert "NOW: SPRING 1901, RETREATS" in found


@pytest.mark.rule("DI-100")
def test_convoys_and_what_broke_them() -> None:
    units = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG", "F BEL"], "GERMANY": ["F HOL"]}
    orders = {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"]}
    found = moves(units, orders)
    assert (line(found, "A LON - NWY"), line(found, "F NTH C A LON - NWY")) == ("moved", "convoyed")
    found = moves(units, orders | {"FRANCE": ["F ENG - NTH", "F BEL S F ENG - NTH"]})
    assert line(found, "A LON - NWY") == "did not move: its convoy lost F NTH (England)"
    assert line(found, "F NTH C A LON - NWY") == "convoy disrupted; dislodged by F ENG (France)"


@pytest.mark.rule("DI-100")
def test_what_could_not_be_and_what_was_in_vain() -> None:
    found = moves({"FRANCE": ["A PAR", "A MAR", "A GAS"]}, {"FRANCE": ["A PAR - MUN", "A MAR S A GAS - BUR", "A GAS H"]})
    assert line(found, "A PAR - MUN") == "held: it cannot go there"
    assert line(found, "A MAR S A GAS - BUR") == "void: A GAS was ordered otherwise"
    assert "  holds: A GAS\n" in found


@pytest.mark.rule("DI-100")
def test_who_sent_nothing() -> None:
    here = ruleset.miss(begun(), "Turkey").position
    assert "Turkey sent no orders." in told(here)


@pytest.mark.rule("DI-100")
def test_a_reader_who_sent_nothing_reads_what_the_units_did() -> None:
    here = ruleset.miss(ruleset.miss(begun(), "Turkey").position, "Italy").position
    assert you(here, "Turkey") == "Your units held: F ANK, A CON and A SMY."
    assert "Italy sent no orders." in told(here, "Turkey")


BATTLE = position(
    "S1901M",
    {"FRANCE": ["A PAR", "A MAR", "A BRE"], "GERMANY": ["A BUR"], "ITALY": ["A PIE"]},
    orders={
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A BRE - PIC"],
        "GERMANY": ["A BUR - PAR"],
        "ITALY": ["A PIE - MAR"],
    },
)


@pytest.mark.rule("DI-100")
def test_each_power_reads_first_what_became_of_its_own_orders_and_below_of_those_of_others() -> None:
    assert you(BATTLE, "France") == (
        "A BRE - PIC moved A MAR S A PAR - BUR support cut by A PIE (Italy) A PAR - BUR bounced: A BUR (Germany) stayed"
    )
    assert you(BATTLE, "Italy") == "A PIE - MAR bounced: A MAR (France) stayed"
    for seat, order in (("France", "A BRE - PIC"), ("Germany", "A BUR - PAR"), ("Italy", "A PIE - MAR")):
        assert told(BATTLE, seat).count(f"{order} ") == 1


@pytest.mark.rule("DI-100")
def test_whose_unit_was_dislodged_reads_it_in_the_first_line() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A BEL S A PAR - BUR"]}
    assert you(position("F1901M", UNITS, orders=orders), "Germany") == (
        "A BUR was dislodged. A BUR H held; dislodged by A PAR (France) A KIE H held"
    )


@pytest.mark.rule("DI-101")
def test_marks_the_units_on_supply_centres_and_says_which_have_none() -> None:
    here = position("S1901M", {"FRANCE": ["A PAR", "A BUR", "A BEL"]}, {"FRANCE": ["BRE", "MAR", "PAR"]})
    assert "\n  France   A BEL+  A BUR  A PAR*  also holds BRE, MAR\n" in report_text(ruleset, ruleset.view(here, (), PUBLIC))


UNITS = {"FRANCE": ["A PAR", "A BEL"], "GERMANY": ["A BUR", "A KIE"], "ITALY": ["A MUN"]}


@pytest.mark.rule("DI-100")
def test_retreats_that_are_open_then_what_came_of_them() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A BEL S A PAR - BUR"]}
    here = ruleset.resolve(position("F1901M", UNITS, orders=orders), NO_DICE).position
    shown = report_text(ruleset, ruleset.view(here, (), seat_reader("Germany")))
    assert "Germany: A BUR, dislodged by an attack from PAR, to GAS, MAR, PIC or RUH" in " ".join(shown.split())
    assert "You have 1 unit to retreat or to disband." in shown
    after = ruleset.receive(here, _mail("Germany", "A Bur - Ruh")).position
    assert "Germany: A BUR retreated to RUH." in told(after)
    assert "Germany: A BUR was disbanded." in told(ruleset.miss(here, "Germany").position)


@pytest.mark.rule("DI-100")
def test_builds_and_removals() -> None:
    here = position(
        "W1901A",
        {"FRANCE": ["A SPA"], "GERMANY": ["A BUR", "A RUH"], "ITALY": ["A TYR", "A PIE"]},
        {"FRANCE": ["PAR", "SPA"], "GERMANY": ["BER"], "ITALY": ["ROM"]},
    )
    shown = report_text(ruleset, ruleset.view(here, (), PUBLIC))
    assert "France: 1 build, in PAR" in shown
    assert "Italy: 1 removal" in shown
    own = report_text(ruleset, ruleset.view(here, (), seat_reader("France")))
    assert "You can build 1 unit, in PAR." in own
    assert "France: 1 build" not in own
    here = ruleset.receive(here, _mail("France", "A Par")).position
    here = ruleset.receive(here, _mail("Germany", "A Ruh")).position
    found = told(ruleset.miss(here, "Italy").position)
    assert "France built A PAR." in found
    assert "Germany removed A RUH." in found
    assert "for want of an order." in found


@pytest.mark.rule("DI-100")
def test_centres_by_years() -> None:
    counted = [step for step in steps(ruleset, 5, 14) if any(event.kind == "centres" for event in step.events)]
    last = counted[-1]
    text = report_text(ruleset, ruleset.view(last.position, last.events, PUBLIC))
    years = [str(row[0]) for row in last.position.history]
    assert len(years) >= 2
    assert next(row for row in text.splitlines() if row.split()[:1] == years[:1]).split() == years
    for place, power in enumerate(last.position.powers, start=1):
        row = next(row for row in text.splitlines() if re.fullmatch(rf"  {power.name}[ \d]+", row))
        assert row.split()[1:] == [str(year[place]) for year in last.position.history]
    assert "SUPPLY CENTRES" not in report_text(ruleset, ruleset.view(last.position, (), PUBLIC))


@pytest.mark.rule("DI-100")
def test_of_others_who_did_something_comes_first_and_who_held_stands_in_one_line() -> None:
    found = told(BATTLE, "England")
    assert "\n\nEVERYBODY ELSE\n  France   " in found
    orders = {"FRANCE": ["A PAR - BUR"]}
    found = told(position("S1901M", {**UNITS, "GERMANY": ["A KIE"]}, orders=orders), "Austria")
    assert (
        "  France   A PAR - BUR            moved\n           holds: A BEL\n  All units of Germany and Italy held.\n"
    ) in found
    assert "All other units held." in told(position("S1901M", UNITS), "Germany")


@pytest.mark.rule("DI-101")
def test_the_reader_stands_first_on_the_map_and_then_who_has_most() -> None:
    view = ruleset.view(begun(), (), seat_reader("Turkey"))
    assert [power["name"] for power in view.data["powers"]][:3] == ["Turkey", "Russia", "Austria"]


@pytest.mark.rule("DI-101")
def test_the_map_in_words_says_of_each_province_what_borders_on_it_and_who_is_there() -> None:
    text = " ".join(map_text(ruleset, ruleset.view(begun(), (), seat_reader("Turkey"))).split())
    assert "STP* St Petersburg (Russia; Russia F) A FIN LVN MOS NWY F from NC: BAR NWY" in text
    assert "BUR Burgundy A BEL GAS MAR MUN PAR PIC RUH" in text


@pytest.mark.rule("DI-100")
def test_the_end() -> None:
    here = position("S1901M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, orders={"FRANCE": ["DRAW"], "ITALY": ["DRAW"]})
    assert "The game is over. All have agreed to a draw of France and Italy." in told(here)


def _mail(seat: str, text: str):
    from pbmd.rules import Mail
    from pbmd.rules.lines import order_lines

    return Mail(seat, order_lines(text), (len(seat), 0))


@pytest.mark.rule("DI-86")
def test_votes_are_told_only_where_they_are_open() -> None:
    units, orders = {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, {"FRANCE": ["DRAW"], "ITALY": ["CONCEDE France"]}
    assert "vote" not in told(position("S1901M", units, orders=orders)).lower()
    shown = told(position("S1901M", units, orders=orders, votes="open"))
    assert "France voted: DRAW." in shown
    assert "Italy voted: CONCEDE France." in shown


def lines(here: Position) -> list[str]:
    return ruleset.view(here, (), PUBLIC).data["state"]


@pytest.mark.rule("DI-101")
def test_says_units_and_centres_of_each_power_in_the_notation() -> None:
    found = lines(begun())
    assert "S1901M units RUSSIA: A MOS, F SEV, F STP/SC, A WAR" in found
    assert "S1901M centres RUSSIA: MOS, SEV, STP, WAR" in found
    assert len(found) == 14


@pytest.mark.rule("DI-101")
def test_says_who_is_dislodged_and_where_it_can_go() -> None:
    units = {"FRANCE": ["A PAR", "A BEL"], "GERMANY": ["A BUR"]}
    orders = {"FRANCE": ["A PAR - BUR", "A BEL S A PAR - BUR"]}
    here = ruleset.resolve(position("S1901M", units, orders=orders), NO_DICE).position
    assert "S1901R dislodged GERMANY: A BUR < PAR -> GAS MAR MUN PIC RUH" in lines(here)


@pytest.mark.rule("DI-101")
def test_all_of_it_can_be_read_back_however_long_lists_are() -> None:
    for here, _ in steps(ruleset, 3, 30):
        if ruleset.outcome(here):
            break
        found: dict[str, list[str]] = {}
        for row in lines(here):
            head, _, things = row.partition(": ")
            found.setdefault(head, []).extend(things.split(", "))
            assert len(row) <= 76
        for power in here.powers:
            assert found.get(f"{here.code} units {power.name.upper()}", []) == [unit.text for unit in power.units]
            assert found.get(f"{here.code} centres {power.name.upper()}", []) == list(power.centres)


def test_html_has_what_the_text_has() -> None:
    for here, events in steps(ruleset, 2, 8):
        for reader in (PUBLIC, GM, seat_reader("France")):
            view = ruleset.view(here, events, reader)
            text = report_text(ruleset, view)
            words = re.sub(r"<[^>]+>", " ", report_html(ruleset, view)).split()
            for phase in view.data["news"]:
                for power in phase["powers"]:
                    for order in power["orders"]:
                        assert order["text"] in text
                        assert set(order["text"].split()) <= set(words)
            assert set(view.data["state"]).isdisjoint(text.splitlines())
            assert "None" not in words
