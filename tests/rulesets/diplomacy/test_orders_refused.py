"""What cannot be is refused with a right line; what can be written but not be carried out is taken with a warning."""

from __future__ import annotations

from itertools import islice, permutations

import pytest

from pbmd.rules import Status
from rulesets.diplomacy.checking.interpretation import trials
from tests.processor_time import takes_at_most
from tests.rulesets.diplomacy.harness import position
from tests.rulesets.diplomacy.letters import answered, begun, sent

HERE = position(
    "S1901M",
    {"AUSTRIA": ["A VIE", "F TRI", "A BUD"], "ITALY": ["A VEN", "F NAP"], "ENGLAND": ["F NTH", "A LON", "F MAO"]},
)


@pytest.mark.rule("DI-97", "DI-91")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A Vie - T", "there is more than one"),
        ("A Par - Bur", "you have no unit in Paris; you have A BUD, F TRI and A VIE."),
        ("A Vie", "an order is missing behind the unit. For example: A VIE H"),
        ("A Vie - Tyr - Ven", "a route of a convoy goes by seas, and Tyrolia is none. For example: A VIE H"),
        ("A Vie - Gal or Boh", "it could mean A VIE - GAL or A VIE - BOH; write more of the names. For example: A VIE H"),
        ("A Vie - Gal if Boh is free", 'an order cannot depend on anything ("A Vie - Gal if Boh is free"); write what is'),
        ("Build A Vie", "it is spring; builds are taken from autumn on"),
        ("waive", "it is spring; builds are taken from autumn on"),
        ("A Vie S", "this is no order. For example: A VIE H"),
        ("A Vie C A Bud", "this is no order. For example: A VIE H"),
        ("Hello all", "this is no order."),
        ("Sing a song of sixpence", "this is no order"),
    ],
)
def test_what_cannot_be_is_refused_and_a_right_line_is_told(line: str, message: str) -> None:
    verdict = answered(HERE, "Austria", line)
    assert (verdict.status, verdict.canonical) == (Status.ERROR, "")
    if message == "there is more than one":
        assert verdict.message.startswith('"T" could be "')
    else:
        assert verdict.message.startswith(message)


@pytest.mark.rule("DI-97", "DI-22")
@pytest.mark.parametrize(
    ("seat", "line", "canonical", "message"),
    [
        ("Austria", "A Vie - Par", "A VIE - PAR", "it cannot go there; it will hold"),
        ("Austria", "A Vie - Adr", "A VIE - ADR", "it cannot go there; it will hold"),
        ("Austria", "A Vie - Vie", "A VIE - VIE", "it is there already; it will hold"),
        ("Austria", "F Tri - Vie", "F TRI - VIE", "it cannot go there; it will hold"),
        (
            "Austria", "F Tri S A Vie - Tyr", "F TRI S A VIE - TYR",
            "it could not go there itself, so it cannot support there; it will hold",
        ),
        ("Austria", "A Vie S A Mun - Boh", "A VIE S A MUN - BOH", "there is no unit to support; it will hold"),
        ("Austria", "A Vie S A Ven - Boh", "A VIE S A VEN - BOH", "A VEN cannot go to BOH; the support will be void"),
        ("Austria", "A Vie S A Vie - Tyr", "A VIE S A VIE - TYR", "no unit supports itself; it will hold"),
        ("Austria", "F Tri C A Vie - Ven", "F TRI C A VIE - VEN", "only fleets at sea convoy; it will hold"),
        ("England", "F Nth C A Edi - Nwy", "F NTH C A EDI - NWY", "there is no army to convoy; it will hold"),
        (
            "England", "A Lon - Tun", "A LON - TUN",
            "it cannot go there by land, and there are no fleets for a convoy; it will hold",
        ),
        ("England", "F Mao - Spa", "F MAO - SPA", "it could go to more than one coast, so one must be named; it will hold"),
        ("England", "F Mao - Por/sc", "F MAO - POR/SC", "it cannot go there; it will hold"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_out_is_taken_with_a_warning(seat: str, line: str, canonical: str, message: str) -> None:
    verdict = answered(HERE, seat, line)
    assert (verdict.status, verdict.canonical, verdict.message) == (Status.WARNING, canonical, message)


@pytest.mark.rule("DI-24")
def test_a_fleet_with_two_coasts_before_it_is_asked_for_one() -> None:
    assert answered(HERE, "England", "F Mao - Spa/sc").status is Status.OK
    assert answered(HERE, "England", "F Mao - Spa").status is Status.WARNING


@pytest.mark.rule("DI-71")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("F Mos B", "there can be no fleet in Moscow. For example: A MOS B"),
        ("F Stp B", "say on which coast: STP/NC or STP/SC."),
        ("Build Stp", "say whether it is an army or a fleet."),
        ("A Ukr B", "you cannot build in Ukraine; your free home centres are Moscow and St Petersburg."),
        ("A Sev B", "you cannot build in Sevastopol; your free home centres are Moscow and St Petersburg"),
        ("A War B", "you cannot build in Warsaw; your free home centres are Moscow and St Petersburg"),
        ("Remove A Sev", "you have no unit to remove"),
        ("A Sev - Arm", "that is an order for moves, and now it is winter"),
        ("A Sev R Arm", "that is a retreat, and now it is winter"),
    ],
)
def test_what_cannot_be_built_is_refused(line: str, message: str) -> None:
    here = position("W1901A", {"RUSSIA": ["A SEV"]}, {"RUSSIA": ["MOS", "SEV", "STP"]})
    verdict = answered(here, "Russia", line)
    assert verdict.status is Status.ERROR
    assert verdict.message.startswith(message)


@pytest.mark.rule("DI-71")
def test_who_has_nothing_to_build_is_told() -> None:
    here = position("W1901A", {"RUSSIA": ["A SEV"]}, {"RUSSIA": ["SEV"]})
    assert answered(here, "Russia", "A Mos B").message.startswith("you have nothing to build")
    assert answered(here, "Russia", "waive").message.startswith("you have nothing to build")


@pytest.mark.rule("DI-81")
def test_who_is_out_of_the_game_has_no_orders() -> None:
    receipt = sent(HERE, "Turkey", "DRAW")
    assert not receipt.filed
    assert "Turkey has no units and no centres left" in receipt.verdicts[-1].message


@pytest.mark.rule("DI-08")
def test_what_is_said_of_a_line_does_not_depend_on_what_others_have_sent() -> None:
    alone, beside = begun(), sent(begun(), "Italy", "A Ven - Tri\nDRAW").position
    for line in ("A Vie - Tri", "F Tri - Ven", "A Bud S A Ven - Tri", "DRAW", "nonsense"):
        one, other = sent(alone, "Austria", line), sent(beside, "Austria", line)
        assert (one.verdicts, one.defaults, one.filed) == (other.verdicts, other.defaults, other.filed)


def test_a_letter_of_thousands_of_misspelt_names_is_answered_soon() -> None:
    """What may be meant is looked for in the first of them only; right orders among them are taken all the same."""
    line = ", ".join(f"A Qrs{number} - Xyz{number}" for number in range(28))
    text = "\n".join([*(f"{line}, F W{number}x H" for number in range(200)), "A Vie - Gal"])
    with takes_at_most(2):
        receipt = sent(begun(), "Austria", text)
    assert receipt.position.sheets[0].lines == ("A VIE - GAL",)
    assert answered(begun(), "Austria", "A Viena - Gal").canonical == "A VIE - GAL"


# --- Letters that take long -----------------------------------------------------------------------------------------------

_UNCLEAR = ("nor", "bor", "mie", "bes", "nar", "bol", "wer", "nri")
"""What may be the name of eight provinces each."""


def _unclear(lines: int, a_line: int) -> str:
    """A letter of so many lines, each with several orders that may mean hundreds of things."""
    every = [*islice((f"A Vie S A {a} - {b}" for a, b in permutations(_UNCLEAR, 2)), a_line)]
    return "\n".join(", ".join(every) + f", A W{number} H" for number in range(lines))


def _meanings(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many meanings are tried of a letter."""
    tried = 0
    known = trials.meant

    def counted(*words: object) -> object:
        nonlocal tried
        tried += 1
        return known(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(trials, "meant", counted)
    sent(begun(), "Austria", text)
    monkeypatch.setattr(trials, "meant", known)
    return tried


def test_of_a_letter_with_endless_meanings_only_so_many_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    some, many = (_meanings(_unclear(lines, 20), monkeypatch) for lines in (50, 450))
    assert 1_000 < some <= many < 16_000, (some, many)


def test_of_each_order_that_may_be_anything_a_line_is_not_tried_in_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (_meanings(_unclear(1, a_line), monkeypatch) for a_line in (3, 12))
    assert 100 < few <= many < 3_000, (few, many)


def test_what_is_not_tried_is_told_in_a_line_and_right_orders_below_it_are_taken() -> None:
    receipt = sent(begun(), "Austria", _unclear(80, 20) + "\nA Vie - Gal\nA Bud - Gallicia")
    told = [verdict.message for verdict in receipt.verdicts if not verdict.line]
    assert receipt.position.sheets[0].lines == ("A VIE - GAL",)
    assert [each.split(":")[0] for each in told] == ["Too much of this letter is unclear"]
    assert not any("unclear" in each.message for each in sent(begun(), "Austria", "A Vie - Gal\nA Bud - Gallicia").verdicts)


def test_below_very_many_orders_a_line_is_read_if_it_has_one() -> None:
    lines = [", ".join(f"A Q{line}x{place} - Xyz" for place in range(100)) for line in range(20)]
    receipt = sent(begun(), "Austria", "\n".join([*lines, "A Vie - Gal, A Bud - Rum", "A Bud - Ser"]))
    assert receipt.position.sheets[0].lines == ("A BUD - SER",)
    refused = next(verdict for verdict in receipt.verdicts if verdict.text.startswith("A Vie"))
    assert refused.message == "this was not read, as 500 orders stand above it; write one order a line. For example: A VIE H"


def test_of_a_letter_of_talk_only_so_many_words_are_looked_at() -> None:
    def words(line: int) -> str:
        return " ".join(f"w{chr(97 + line % 26)}{chr(97 + line // 26 % 26)}{chr(97 + each)}qxz" for each in range(26))

    with takes_at_most(4):
        receipt = sent(begun(), "Austria", "\n".join(f"A Vie - Gal. {words(line)}. F Tri - Alb" for line in range(600)))
    assert receipt.position.sheets[0].lines == ("A VIE - GAL", "F TRI - ALB")
