"""From the text of a mail to its order lines (6.1)."""

import pytest

from pbmd.rules import HmacDice, Line, Status
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.checking.bold import NESTED, NOT_MARKED, UNBALANCED, Bold, order_lines
from tests.rulesets.cosmic_conquest.example import RED, RED_SHEET, example
from tests.rulesets.cosmic_conquest.harness import faction, messages, position, receive, sheet


def found(text: str, bold: Bold = "auto") -> list[tuple[int, str]]:
    """The order lines of a text with their numbers."""
    picked = order_lines([Line(n, line) for n, line in enumerate(text.splitlines(), start=1)], bold)
    assert picked.problem == ""
    return [(line.number, line.text) for line in picked.lines]


def problem(text: str, bold: Bold = "auto") -> str:
    return order_lines([Line(n, line) for n, line in enumerate(text.splitlines(), start=1)], bold).problem


@pytest.mark.rule("CC-43", "CC-R74")
def test_only_what_is_between_the_marks_counts_and_a_pair_may_span_lines() -> None:
    text = "Hello\n[b]one\ntwo[/b] and talk [B]three[/B] more [b]four[/b]\nfive"
    assert found(text) == [(2, "one"), (3, "two"), (3, "three"), (3, "four")]


@pytest.mark.rule("CC-R74")
def test_without_marks_every_line_is_an_order() -> None:
    assert found("one\n\n  two  \n*three*\n* four") == [(1, "one"), (3, "two"), (4, "three"), (5, "* four")]


@pytest.mark.rule("CC-R74")
@pytest.mark.parametrize("bold", ["auto", "required"])
def test_marks_must_be_balanced_and_not_nested(bold: Bold) -> None:
    for text in ("[b]one", "one[/b]", "[b]one[/b]\n[b]two", "[/b]one[b]"):
        assert problem(text, bold) == UNBALANCED
    assert problem("[b]one [b]two[/b][/b]", bold) == NESTED


@pytest.mark.rule("CC-R74")
def test_marks_can_be_required_or_ignored() -> None:
    assert problem("one\ntwo", "required") == NOT_MARKED
    assert found("x [b]one[/b]", "required") == [(1, "one")]
    assert found("x [b]one\ntwo[/b]\n[b]", "off") == [(1, "x one"), (2, "two")]
    assert found("*three*", "off") == [(1, "*three*")]


def test_quotes_signatures_comments_and_other_tags_are_left_out() -> None:
    text = "> quoted [b]no[/b]\n# a comment\n[i]one[/i]\n[color=red]two[/color] [size=3]x[/size]\n--\nthree"
    assert found(text) == [(3, "one"), (4, "two x")]
    assert found("[b][i]one[/i]\n\n[/b]") == [(1, "one")]
    assert problem("[b]one\n-- \nname[/b]") == UNBALANCED


@pytest.mark.rule("CC-43")
def test_the_sample_mail_gives_the_sheet_of_the_specification() -> None:
    assert sheet(example(), "Red", RED) == RED_SHEET


@pytest.mark.rule("CC-R74")
def test_an_unmarked_line_that_would_be_an_order_is_pointed_out() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    receipt = receive(start, "Red", "Hello Green\nInvest 5 units in Sol\n[b]Defend Sol with 1 unit[/b]")
    assert receipt.filed
    hints = [(v.line, v.text) for v in receipt.verdicts if v.status is Status.WARNING]
    assert hints == [(2, "Invest 5 units in Sol")]


@pytest.mark.rule("CC-43", "CC-R74")
@pytest.mark.parametrize("bold", ["auto", "required", "off"])
def test_the_order_form_is_marked_where_marks_are_required(bold: Bold) -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red", "psionic"), faction("Green"), bold=bold)
    lines = [line[2:] for line in ruleset.order_form(ruleset.load(start), "Red").splitlines() if line.startswith("# ")]
    *orders, insight = lines
    assert receive(start, "Red", "\n".join(orders)).filed
    assert receive(start, "Red", insight).granted
    assert ("[b]" in insight) == (bold == "required")


@pytest.mark.rule("CC-43", "CC-R74")
@pytest.mark.parametrize("bold", ["auto", "required", "off"])
def test_random_players_mark_their_orders_as_the_game_wants_it(bold: Bold) -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red", "psionic"), faction("Green"), bold=bold)
    for number in range(40):
        receipt = receive(start, "Red", ruleset.random_orders(ruleset.load(start), "Red", HmacDice(b"bold", bytes([number]))))
        assert receipt.filed or receipt.granted, receipt.verdicts


def test_a_mail_without_any_order_line_is_no_submission() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    for text in ("", "[b] [/b] Good luck to all", "> Pass"):
        receipt = receive(start, "Red", text)
        assert not receipt.filed
        assert "there is no order in your mail. To let the turn pass, write: Pass." in messages(receipt)
