"""Orders as people write them: what can only have one meaning is followed, and no refusal is answered with another order."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pbmd.rules import ScriptedDice, Status
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.checking.interpretation.candidates import candidates, plain
from rulesets.diplomacy.orders import read_canonical
from rulesets.diplomacy.world.board import board
from rulesets.diplomacy.world.state import Dislodged, Position
from rulesets.diplomacy.world.units import Unit
from tests.rulesets.diplomacy.harness import position
from tests.rulesets.diplomacy.letters import answered, begun, filed, sent

SPRING = begun()
SEA = position("S1902M", {"ENGLAND": ["A WAL", "F ENG", "F MAO"], "FRANCE": ["A PAR"]})
BUILDS = position("W1901A", {"TURKEY": ["A ANK"]}, {"RUSSIA": ["MOS", "SEV", "STP", "WAR"], "TURKEY": ["ANK"]})
REMOVALS = position("W1901A", {"AUSTRIA": ["A GRE", "A SER", "A VIE"]}, {"AUSTRIA": ["VIE"]})


def retreats(*dislodged: tuple[str, str, tuple[str, ...]]) -> Position:
    """Autumn 1901, in which these armies of Austria have to retreat."""
    here = position("F1901R", {"AUSTRIA": ["F TRI"], "ITALY": ["A VIE"]}, {"AUSTRIA": ["BUD", "TRI", "VIE"]})
    forced = tuple(Dislodged(Unit("A", place), by, to) for place, by, to in dislodged)
    powers = (replace(power, dislodged=forced) if power.name == "Austria" else power for power in here.powers)
    return replace(here, powers=tuple(powers))


ONE = retreats(("VIE", "TYR", ("BUD", "GAL")))
TWO = retreats(("SER", "GRE", ("ALB", "RUM")), ("VIE", "TYR", ("BOH", "GAL")))


@pytest.mark.rule("DI-90", "DI-91", "DI-93", "DI-97")
@pytest.mark.parametrize(
    ("seat", "written", "orders"),
    [
        ("Austria", "Vie Gal", "A VIE - GAL"),
        ("Austria", "Vie → Gal, Bud S Vie → Gal", "A VIE - GAL; A BUD S A VIE - GAL"),
        ("Austria", "The army at Budapest move to Serbia", "A BUD - SER"),
        ("Austria", "The army at Budapest support hold to Vienna", "A BUD S A VIE"),
        ("Austria", "The army at Budapest support move to Galicia from Vienna", "A BUD S A VIE - GAL"),
        ("Austria", "The army at Budapest support move from Vienna to Galicia", "A BUD S A VIE - GAL"),
        ("Austria", "A Bud support-hold A Vie", "A BUD S A VIE"),
        ("Austria", "AVie-Gal ABud-Ser FTri-Alb", "A VIE - GAL; A BUD - SER; F TRI - ALB"),
        ("Austria", "A Vie-Gal. Bud-Ser. F Tri H.", "A VIE - GAL; A BUD - SER; F TRI H"),
        ("Austria", "A Vie-Gal and F Tri-Alb", "A VIE - GAL; F TRI - ALB"),
        ("Austria", "Vie-Gal / Bud-Ser", "A VIE - GAL; A BUD - SER"),
        ("Austria", "F Triest - Albanien", "F TRI - ALB"),
        ("Austria", "F Tri S (I) A Ven", "F TRI S A VEN"),
        ("Austria", "F Vie-Gal", "A VIE - GAL"),
        ("Austria", "A Viena - Galicja please", "A VIE - GAL"),
        ("Austria", "[F] Tri-Alb (supported by Bud)", "F TRI - ALB"),
        ("Austria", "move Vienna to Galicia", "A VIE - GAL"),
        ("Austria", "A Bud suports A Vie - Gal", "A BUD S A VIE - GAL"),
        ("England", "A Liv - Yor", "A LVP - YOR"),
        ("England", "A L'pool - Yor", "A LVP - YOR"),
        ("England", "F Lon - N. Sea", "F LON - NTH"),
        ("England", "F Edi - Norw. Sea", "F EDI - NWG"),
        ("England", "F Lon - E. Channel", "F LON - ENG"),
        ("France", "F Brest - Manche", "F BRE - ENG"),
        ("France", "F Bre - Atlantic", "F BRE - MAO"),
        ("France", "A Per - Bur", "A PAR - BUR"),
        ("Germany", "A München - Ruhr", "A MUN - RUH"),
        ("Germany", "F Kie - Hol/Bel", "F KIE - HOL"),
        ("Russia", "F St.P (s.c.) - G. of Bothnia", "F STP/SC - BOT"),
        ("Russia", "A Moscow - St Pete's", "A MOS - STP"),
        ("Russia", "F Sev - Blk", "F SEV - BLA"),
    ],
)
def test_what_can_only_have_one_meaning_is_followed(seat: str, written: str, orders: str) -> None:
    assert "; ".join(filed(SPRING, seat, written)) == orders


@pytest.mark.rule("DI-97")
def test_a_name_that_ends_in_via_is_no_convoy_to_what_stands_before_it() -> None:
    assert filed(SPRING, "Austria", "A Bud - Servia") == ("A BUD - SER",)
    assert filed(SEA, "England", "A Wal - Belvia") == ("A WAL - BEL VIA",)


@pytest.mark.rule("DI-92", "DI-95", "DI-97")
@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("F MAO - Spain(North)", "F MAO - SPA/NC"),
        ("F MAO - SpaNC", "F MAO - SPA/NC"),
        ("F MAO - Spa-nc", "F MAO - SPA/NC"),
        ("F MAO - north coast of Spain", "F MAO - SPA/NC"),
        ("F MAO - Spanien (Nordküste)", "F MAO - SPA/NC"),
        ("A Wal - Bel via Eng", "A WAL - BEL VIA"),
        ("A Wal - Bel (C)", "A WAL - BEL VIA"),
        ("A Wal convoy to Bel", "A WAL - BEL VIA"),
        ("The fleet at English Channel convoy to Belgium from Wales", "F ENG C A WAL - BEL"),
        ("F Eng convoys Wal Bel", "F ENG C A WAL - BEL"),
    ],
)
def test_coasts_and_convoys(written: str, order: str) -> None:
    assert filed(SEA, "England", written) == (order,)


@pytest.mark.rule("DI-91", "DI-97")
@pytest.mark.parametrize(
    ("seat", "written", "says"),
    [
        (
            "England",
            "F Edi - N. Sea",
            "it could mean F EDI - NTH or F EDI - NWG; write more of the names. For example: F EDI H",
        ),
        ("Austria", "A Vie - Gal or Boh", "it could mean A VIE - GAL or A VIE - BOH; write more of the names."),
        ("Turkey", "F Ank - Bal", 'it cannot go there; did you mean "F ANK - BLA"? Right: F ANK - BLA'),
        ("Austria", "A Vie-Gal (not if Russia moves there)", "an order cannot depend on anything"),
        ("Austria", "A Vie - Gal unless Russia does", "an order cannot depend on anything"),
    ],
)
def test_what_could_be_several_things_is_asked(seat: str, written: str, says: str) -> None:
    verdict = answered(SPRING, seat, written)
    assert (verdict.status, verdict.canonical) == (Status.ERROR, "")
    assert verdict.message.startswith(says)


@pytest.mark.rule("DI-91", "DI-97")
def test_what_was_guessed_is_told() -> None:
    assert answered(SPRING, "England", "A Liv - Yor").message == '"Liv" is taken for Liverpool'
    assert answered(SPRING, "Germany", "F Mun H").message == "your unit is A MUN"
    assert answered(SPRING, "Austria", "A Vie-Gal (thanks to Bud)").message == 'not read: "(thanks to Bud)"'
    assert answered(SPRING, "Austria", "A Bud suports A Vie").message == '"suports" is taken for "supports"'


@pytest.mark.rule("DI-91")
@pytest.mark.parametrize("province", board("standard").provinces, ids=lambda province: province.id)
def test_names_of_other_languages_name_one_province(province) -> None:
    for name in province.abroad:
        if len(name) > 3:
            assert candidates("standard", "-".join(plain(part) for part in name.split("-"))).named == province.id, name
        kind = "F" if province.kind == "sea" else "A"
        here = position("S1901M", {"FRANCE": [f"{kind} {province.id}"]})
        assert filed(here, "France", f"{kind} {name} H") == (f"{kind} {province.id} H",)


@pytest.mark.rule("DI-93", "DI-20", "DI-73")
@pytest.mark.parametrize(
    "written", ["All units hold", "all hold", "PASS", "Nothing", "NO ORDERS", "I will do nothing this turn"]
)
def test_to_do_nothing_is_an_order(written: str) -> None:
    receipt = sent(SPRING, "Austria", written)
    assert "Austria" not in ruleset.awaiting(receipt.position)
    assert filed(SPRING, "Austria", written) == ("A BUD H", "A VIE H", "F TRI H")
    assert filed(SPRING, "Austria", f"A Vie - Gal\n{written}") == ("A VIE - GAL", "A BUD H", "F TRI H")


@pytest.mark.rule("DI-93", "DI-73")
@pytest.mark.parametrize(
    ("written", "waived"),
    [("waive all", 4), ("no builds", 4), ("PASS", 4), ("waive one build", 1), ("No build", 1), ("waive 2", 2)],
)
def test_builds_are_waived_in_words(written: str, waived: int) -> None:
    assert filed(BUILDS, "Russia", written) == ("WAIVE",) * waived
    assert filed(BUILDS, "Russia", f"A Mos B\n{written}")[1:] == ("WAIVE",) * min(waived, 3)


@pytest.mark.rule("DI-93")
def test_where_nothing_is_no_order_the_answer_names_the_word() -> None:
    assert answered(ONE, "Austria", "PASS").message == "a unit that does not retreat is disbanded; to say so, write A VIE D."
    assert answered(REMOVALS, "Austria", "nothing").message == "you must remove 2 units; write which, as in A GRE D."


@pytest.mark.rule("DI-94", "DI-60")
@pytest.mark.parametrize(
    ("written", "order"),
    [
        *(
            (line, "A VIE R GAL")
            for line in ("Retreat to Galicia", "Retreat Galicia", "R Gal", "Galicia", "to Gal", "Vie ret Gal")
        ),
        *(
            (line, "A VIE R GAL")
            for line in ("A Vie R Boh, Gal", "A Vie retreats Tyr/Gal", "The army at Vienna retreat to Galicia")
        ),
        *(
            (line, "A VIE D")
            for line in ("A Vie OTB", "A Vie R OTB", "off the board", "Destroy A Vie", "A Vie destroyed", "disband")
        ),
    ],
)
def test_a_retreat_needs_no_unit_where_only_one_can_go_there(written: str, order: str) -> None:
    assert filed(ONE, "Austria", written) == (order,)


@pytest.mark.rule("DI-94", "DI-60")
def test_of_two_units_that_retreat_the_one_that_can_go_there_is_meant() -> None:
    assert filed(TWO, "Austria", "R Gal\nRetreat to Rumania") == ("A VIE R GAL", "A SER R RUM")
    both = retreats(("SER", "GRE", ("ALB", "BUD")), ("VIE", "TYR", ("BUD", "GAL")))
    assert answered(both, "Austria", "R Bud").message.startswith("A SER or A VIE could retreat there; say which")
    assert answered(ONE, "Austria", "R Vie").message.startswith("where A VIE retreats to is missing")
    assert answered(ONE, "Austria", "Retreat Trieste").message == "no unit of yours can retreat to Trieste."


@pytest.mark.rule("DI-94")
def test_sent_with_the_moves_a_goal_alone_needs_the_word_for_retreats() -> None:
    here = position("S1901M", {"AUSTRIA": ["A BUD", "F TRI"]})
    assert filed(here, "Austria", "R Ser") == filed(here, "Austria", "Retreat to Serbia") == ("A BUD R SER",)
    assert filed(here, "Austria", "If dislodged: to Serbia") == ("A BUD R SER",)
    assert answered(here, "Austria", "to Serbia").message.startswith("say which unit goes there")


AHEAD = position("S1901M", {"AUSTRIA": ["A BUD", "A TRI", "A VIE"]})


@pytest.mark.rule("DI-94", "DI-96")
@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("A Bud H, if dislodged to Ser", ("A BUD H", "A BUD R SER")),
        ("A Bud H. If dislodged retreats to Ser.", ("A BUD H", "A BUD R SER")),
        ("A Bud H (if dislodged: Ser)", ("A BUD H", "A BUD R SER")),
        ("A Bud H, if dislodged to Serbia or Rumania", ("A BUD H", "A BUD R SER RUM")),
        ("A Tri - Ven if dislodged Tyr", ("A TRI - VEN", "A TRI R TYR")),
        ("A Vie - Gal, if it is dislodged it will retreat to Boh", ("A VIE - GAL", "A VIE R BOH")),
        ("A Vie H, A Bud H, if dislodged to Gal", ("A VIE H", "A BUD H", "A BUD R GAL")),
        ("A Vie H; if dislodged to Boh; A Bud H; if dislodged to Gal", ("A VIE H", "A VIE R BOH", "A BUD H", "A BUD R GAL")),
        ("If dislodged A Bud R Ser", ("A BUD R SER",)),
        ("If dislodged, A Bud - Ser", ("A BUD R SER",)),
        ("If dislodged: A Bud - Ser, A Vie - Boh", ("A BUD R SER", "A VIE R BOH")),
        ("If Budapest is dislodged, retreat to Serbia", ("A BUD R SER",)),
        ("If A Bud is dislodged it retreats to Ser", ("A BUD R SER",)),
    ],
)
def test_where_a_unit_goes_if_it_is_dislodged_stands_beside_its_order(written: str, orders: tuple[str, ...]) -> None:
    assert filed(AHEAD, "Austria", written) == orders


@pytest.mark.rule("DI-96", "DI-60")
@pytest.mark.parametrize("written", ["If dislodged: A Bud D", "Retreats: A Bud disbands", "A Bud H, if dislodged disband"])
def test_a_disbandment_sent_ahead_for_retreats_is_none_of_winter(written: str) -> None:
    receipt = sent(AHEAD, "Austria", written)
    assert not any("A BUD D" in sheet.lines for sheet in receipt.position.sheets)
    assert "disbanded anyway" in "".join(verdict.message for verdict in receipt.verdicts)


@pytest.mark.rule("DI-97")
@pytest.mark.parametrize("written", ["If Budapest is dislodged, A Vie - Bud", "A Bud H if not dislodged, else Ser"])
def test_an_order_that_depends_on_a_dislodgement_is_none(written: str) -> None:
    assert sent(AHEAD, "Austria", written).position.sheets == ()


@pytest.mark.rule("DI-94", "DI-60", "DI-06")
def test_retreats_in_order_of_preference_are_kept_and_the_first_open_one_counts() -> None:
    orders = {"ITALY": ["A TYR - VIE", "A BOH S A TYR - VIE"], "AUSTRIA": []}
    held = {"AUSTRIA": ["A VIE"], "ITALY": ["A TYR", "A BOH"], "RUSSIA": ["A GAL"]}
    here = position("S1901M", held, orders={"ITALY": orders["ITALY"]})
    receipt = sent(here, "Austria", "A Vie stands (Retreats: Gal, Boh, Bud)", 9)
    sheet = next(sheet for sheet in receipt.position.sheets if sheet.seat == "Austria")
    assert sheet.lines == ("A VIE H", "A VIE R GAL BOH BUD")
    assert "A VIE R GAL BOH BUD: kept for the retreats" in receipt.verdicts[0].message
    after = ruleset.resolve(receipt.position, ScriptedDice([])).position
    assert after.phase == "autumn moves"
    assert [unit.text for unit in after.by_power["Austria"].units] == ["A BUD"]


@pytest.mark.rule("DI-94", "DI-71", "DI-74")
@pytest.mark.parametrize(
    ("here", "seat", "written", "orders"),
    [
        (BUILDS, "Russia", "+ A Mos + A War", ("A MOS B", "A WAR B")),
        (BUILDS, "Russia", "+ F StP(nc)", ("F STP/NC B",)),
        (BUILDS, "Russia", "Build Stp/nc", ("F STP/NC B",)),
        (BUILDS, "Russia", "Build Mos", ("A MOS B",)),
        (BUILDS, "Russia", "Build 1 army in Moscow", ("A MOS B",)),
        (BUILDS, "Russia", "BLD A Mos", ("A MOS B",)),
        (REMOVALS, "Austria", "- A Ser", ("A SER D",)),
        (REMOVALS, "Austria", "Disband Serbia and Greece", ("A SER D", "A GRE D")),
        (REMOVALS, "Austria", "REM A SER", ("A SER D",)),
        (REMOVALS, "Austria", "R Ser", ("A SER D",)),
    ],
)
def test_winters(here: Position, seat: str, written: str, orders: tuple[str, ...]) -> None:
    assert filed(here, seat, written) == orders


@pytest.mark.rule("DI-72")
def test_of_two_builds_in_one_place_the_first_counts() -> None:
    receipt = sent(BUILDS, "Russia", "F Stp/nc B\nF Stp/sc B\nA Stp B")
    assert receipt.position.sheets[0].lines == ("F STP/NC B",)
    assert "the first counts" in receipt.verdicts[1].message


# --- Slips of the pen --------------------------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slip(chance: Random, text: str) -> str:
    """The text with one letter wrong, missing, too much, or out of place."""
    at = chance.randrange(len(text))
    way = chance.randrange(4)
    if way == 3:
        return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]
    return text[:at] + ("" if way == 0 else chance.choice(_LETTERS)) + text[at + (way != 2) :]


class _Chance:
    """Dice of a seeded generator, for the random player."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def roll(self, sides: int, *_more: object, **_others: object) -> int:
        return self._random.randint(1, sides)


def _phases() -> list[tuple[Position, str, str]]:
    """Lines of random players in the phases of two years, with their positions and seats."""
    found: list[tuple[Position, str, str]] = []
    here = begun()
    for step in range(16):
        before = here
        for seat in ruleset.awaiting(here):
            text = ruleset.random_orders(here, seat, _Chance(1000 * step + len(found)))
            found += [(before, seat, line) for line in text.splitlines() if ";" not in line]
            here = sent(here, seat, text, step + 1).position
        here = ruleset.resolve(here, ScriptedDice([])).position
    return found


@pytest.mark.rule("DI-97")
def test_a_slip_of_the_pen_never_makes_another_order_nor_an_advice_about_another_unit() -> None:
    chance, tried, taken = Random(34), 0, 0
    for here, seat, line in _phases():
        (meant,) = sent(here, seat, line).verdicts
        if meant.status is not Status.OK:
            continue
        for _ in range(2):
            written = slip(chance, line)
            verdicts = [verdict for verdict in sent(here, seat, written).verdicts if verdict.line]
            if (
                not verdicts
                or read_canonical(written.upper())
                or " r" in written.casefold()
                or written.casefold().endswith(" d")
            ):
                continue  # these are orders of their own
            verdict, tried = verdicts[0], tried + 1
            unit = meant.canonical[:5]
            if verdict.canonical == meant.canonical:
                taken += 1
            elif verdict.canonical:
                assert _is_strict(here, seat, written), (line, written, verdict)
            elif "Right: " in verdict.message:
                advice = verdict.message.rpartition("Right: ")[2]
                assert answered(here, seat, advice).canonical == meant.canonical, (line, written, verdict)
            elif "For example: " in verdict.message:
                assert verdict.message.rpartition("For example: ")[2][:5] == unit, (line, written, verdict)
    assert taken > tried / 4 > 50


def _is_strict(here: Position, seat: str, written: str) -> bool:
    """Whether every province is written as one that there is, or as the beginning of only one: then it is another order."""
    words = [word for word in plain(written.replace("/", " ")).split() if len(word) > 1]
    return all(candidates("standard", word).named or len(candidates("standard", word).parts) == 1 for word in words)
