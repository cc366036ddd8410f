"""Orders as they are understood: every line is answered for itself, and canonical lines mean what was written."""

# pyright: reportUnknownLambdaType=false
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbmd.adjudicate import order_lines
from pbmd.rules import Mail, Receipt, Refused, Ruleset, Sheet, SheetPolicy, Status, Verdict
from pbmd.rules.sheets import sheet_of
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import Promise, changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, is_due, played, scenes


def letters(scene: Scene) -> Iterator[tuple[Any, Mail, Receipt[Any]]]:
    """The position to which each letter came, the letter, and its receipt."""
    return zip(played(scene).positions, scene.letters, played(scene).receipts, strict=False)


def filed(scene: Scene) -> Iterator[tuple[Any, Mail, Receipt[Any]]]:
    """Of those only the letters that are orders on file."""
    return (each for each in letters(scene) if each[2].filed)


def canonical_lines_mean_what_was_written(scene: Scene) -> None:
    """Sent in place of what was written, they are the same sheet. Where it may matter what is bold, all of it is."""
    rules = scene.rules
    for before, mail, receipt in filed(scene):
        sheet = sheet_of(rules.sheets(receipt.position), mail.seat)
        assert sheet is not None
        assert sheet.arrival == mail.arrival
        again = rules.receive(before, replace(mail, lines=order_lines(written_again(rules, sheet))))
        assert again.filed, again.verdicts
        assert sheet_of(rules.sheets(again.position), mail.seat) == sheet
        assert not refused(again)


def written_again(rules: Ruleset[Any], sheet: Sheet) -> str:
    lines = [line for lines in sheet.lines for line in lines.splitlines()]
    return "\n".join(f"[b]{line}[/b]" if rules.info.bold else line for line in lines)


def refused(receipt: Receipt[Any]) -> list[Verdict]:
    return [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR]


def lines_are_answered_one_by_one(scene: Scene) -> None:
    """A line has one verdict, if any (a heading has none), and a refused one a reason and no canonical form. A letter without
    effect says why it has none."""
    for _, mail, receipt in letters(scene):
        numbers = [verdict.line for verdict in receipt.verdicts if verdict.line]
        assert len(set(numbers)) == len(numbers), receipt.verdicts
        assert set(numbers) <= {line.number for line in mail.lines}, receipt.verdicts
        for verdict in refused(receipt):
            assert (bool(verdict.message), verdict.canonical) == (True, ""), verdict
        assert receipt.filed or receipt.granted or refused(receipt), mail
        assert not (receipt.filed and receipt.granted), mail


def sheets_are_in_order_of_arrival(scene: Scene) -> None:
    """One for each seat that has any on file."""
    for position in played(scene).positions:
        sheets = scene.rules.sheets(position)
        assert list(sheets) == sorted(sheets, key=lambda sheet: sheet.arrival)
        seats = [sheet.seat for sheet in sheets]
        assert len(set(seats)) == len(seats)
        assert set(seats) <= set(scene.rules.seats(position))


def letters_found_late_are_outdated(scene: Scene) -> None:
    """Whatever the policy: what arrived later counts."""
    rules = scene.rules
    for _, mail, receipt in filed(scene):
        late = rules.receive(receipt.position, replace(mail, arrival=(0, 0)))
        assert not late.filed
        assert rules.sheets(late.position) == rules.sheets(receipt.position)


def later_letters_count_as_the_policy_says(scene: Scene) -> None:
    """They replace the sheet, or the first is final."""
    rules = scene.rules
    for _, mail, receipt in filed(scene):
        if not is_due(rules, receipt.position):
            later = rules.receive(receipt.position, replace(mail, arrival=(mail.arrival[0], 1)))
            assert later.filed == (rules.info.sheets.later == "replace")


def a_withdrawn_sheet_is_gone(scene: Scene) -> None:
    """And with it all that it was. Orders that are final, or not there, cannot be withdrawn."""
    rules = scene.rules
    for before, mail, receipt in filed(scene):
        if rules.info.sheets.later == "final":
            with pytest.raises(Refused):
                rules.withdraw(receipt.position, mail.seat)
            continue
        without = rules.withdraw(before, mail.seat) if sheet_of(rules.sheets(before), mail.seat) else before
        assert rules.withdraw(receipt.position, mail.seat) == without
        with pytest.raises(Refused):
            rules.withdraw(without, mail.seat)


PROMISES: tuple[Promise, ...] = (
    canonical_lines_mean_what_was_written,
    lines_are_answered_one_by_one,
    sheets_are_in_order_of_arrival,
    letters_found_late_are_outdated,
    later_letters_count_as_the_policy_says,
    a_withdrawn_sheet_is_gone,
)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", NAMES)
def test_sheets(name: str, promise: Promise) -> None:
    is_kept(promise, scenes(name))


def answers(change: Any) -> Ruleset[Any]:
    """Count, whose receipts are changed."""
    return changed(count, receive=lambda position, mail: change(count.receive(position, mail)))


def with_lines(change: Any) -> Any:
    """A receipt that has other lines on file."""

    def changed_lines(receipt: Receipt[Any]) -> Receipt[Any]:
        sheets = tuple(replace(sheet, lines=tuple(map(change, sheet.lines))) for sheet in receipt.position.sheets)
        return replace(receipt, position=replace(receipt.position, sheets=sheets))

    return changed_lines


def with_verdicts(change: Any) -> Any:
    """A receipt that has other verdicts."""
    return lambda receipt: replace(receipt, verdicts=tuple(each for old in receipt.verdicts for each in change(old)))


def turned(receipt: Receipt[Any]) -> Receipt[Any]:
    return replace(receipt, position=replace(receipt.position, sheets=receipt.position.sheets[::-1]))


def as_if_now(position: Any, mail: Mail) -> Any:
    return count.receive(position, replace(mail, arrival=(2**40, 0)))


def forgetting_all(position: Any, seat: str) -> Any:
    return replace(count.withdraw(position, seat), sheets=())


NUMBERS = str.maketrans("123456789", "234567891")
FINAL = replace(count, info=replace(count.info, sheets=SheetPolicy(later="final")))


@pytest.mark.parametrize(
    ("promise", "wrong"),
    [
        (canonical_lines_mean_what_was_written, answers(with_lines(lambda line: line.translate(NUMBERS)))),
        (canonical_lines_mean_what_was_written, answers(with_lines(lambda line: f"{line} points"))),
        (canonical_lines_mean_what_was_written, changed(count, receive=as_if_now)),
        (lines_are_answered_one_by_one, answers(with_verdicts(lambda verdict: (verdict, verdict)))),
        (lines_are_answered_one_by_one, answers(with_verdicts(lambda verdict: (verdict._replace(line=verdict.line + 1),)))),
        (lines_are_answered_one_by_one, answers(with_verdicts(lambda verdict: (verdict._replace(message=""),)))),
        (lines_are_answered_one_by_one, answers(lambda receipt: replace(receipt, granted=True))),
        (lines_are_answered_one_by_one, answers(lambda receipt: replace(receipt, filed=False))),
        (sheets_are_in_order_of_arrival, answers(turned)),
        (letters_found_late_are_outdated, changed(count, receive=as_if_now)),
        (later_letters_count_as_the_policy_says, FINAL),
        (a_withdrawn_sheet_is_gone, changed(count, withdraw=forgetting_all)),
        (a_withdrawn_sheet_is_gone, changed(count, withdraw=lambda position, _seat: position)),
    ],
)
def test_a_ruleset_that_takes_orders_otherwise_is_found(promise: Promise, wrong: Ruleset[Any]) -> None:
    is_found_broken(promise, wrong)


def test_a_ruleset_whose_final_orders_can_be_withdrawn_is_found() -> None:
    with pytest.raises(pytest.fail.Exception):
        is_found_broken(a_withdrawn_sheet_is_gone, FINAL)
