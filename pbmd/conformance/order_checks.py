"""Orders as they are understood: every line gets its own answer, and canonical lines mean what was written."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbmd.conformance.documents import a_position_comes_back
from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene, is_due
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.rules import Line, Mail, Receipt, Refused, Ruleset, Sheet, Status, Verdict
from pbmd.rules.advice import EXAMPLE, RIGHT, is_set_right, shares_a_word
from pbmd.rules.joining import orders_alone
from pbmd.rules.lines import BULLET, order_lines
from pbmd.rules.options import changed
from pbmd.rules.sheets import sheet_of
from pbmd.rules.troubles import difference

LATER = (2**40, 0)
_MOST_MISSPELT = 4
NONSENSE = ("Xyzzy 99999 Harow", "utter nonsense")


def letters(scene: Scene) -> Iterator[tuple[Any, Mail, Receipt[Any]]]:
    """The position that each letter came to, the letter, and its receipt."""
    return zip(scene.played.positions, scene.letters, scene.played.receipts, strict=False)


def filed(scene: Scene) -> Iterator[tuple[Any, Mail, Receipt[Any]]]:
    """Of those only the letters whose orders are on file."""
    return (each for each in letters(scene) if each[2].filed)


def refused(receipt: Receipt[Any]) -> list[Verdict]:
    """What is wrong with the letter."""
    return [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR]


# --- What is said about lines ---------------------------------------------------------------------------------------------


def lines_are_answered_one_by_one(scene: Scene) -> Iterator[Wrong]:
    """A line has one verdict, if any (a heading has none), and a refused one a reason and no canonical form. A letter without
    effect says why. Lines are identified by their numbers: commands between them have been taken out."""
    for before, mail, receipt in letters(scene):
        yield from answered(scene.rules, mail, receipt)
        apart = replace(mail, lines=tuple(replace(line, number=3 * line.number + 4) for line in mail.lines))
        again = scene.rules.receive(before, apart)
        expected = [3 * verdict.line + 4 if verdict.line else 0 for verdict in receipt.verdicts]
        if (found := [verdict.line for verdict in again.verdicts]) != expected:
            words = f"lines numbered {_listed(line.number for line in apart.lines)} are answered as {_listed(found)}"
            yield Wrong("verdict.number", words, "receive")


def _listed(numbers: Any) -> str:
    return ", ".join(map(str, numbers)) or "none"


def answered(rules: Ruleset[Any], mail: Mail, receipt: Receipt[Any]) -> Iterator[Wrong]:
    """What is wrong with the answer to a letter, whatever is in it."""
    texts = {line.number: line.text for line in mail.lines}
    numbers = [verdict.line for verdict in receipt.verdicts if verdict.line]
    for number in {*numbers}:
        if numbers.count(number) > 1 and not rules.info.bold:  # one line may have several bold orders
            yield Wrong("verdict.once", f"line {number} has {numbers.count(number)} verdicts", "receive")
    for verdict in receipt.verdicts:
        yield from _well_said(rules, verdict, texts)
    yield from _effect(rules, mail, receipt)


def _effect(rules: Ruleset[Any], mail: Mail, receipt: Receipt[Any]) -> Iterator[Wrong]:
    if receipt.filed and receipt.granted and not receipt.effects:
        words = "a letter is both filed and granted, and it is not said which of its lines are no orders (effects)"
        yield Wrong("receipt.effect", words, "receive")
    if strange := {*receipt.effects} - {line.number for line in mail.lines}:
        yield Wrong("receipt.effect", f"lines {_listed(sorted(strange))} are said to take effect, and are not there", "receive")
    if not receipt.filed and not receipt.granted and not refused(receipt):
        yield Wrong("receipt.effect", "a letter is not filed, and no verdict says why", "receive")
    if receipt.filed and sheet_of(rules.sheets(receipt.position), mail.seat) is None and not is_due(rules, receipt.position):
        yield Wrong("receipt.effect", "a letter is filed, and its seat has no sheet", "receive")


def _well_said(rules: Ruleset[Any], verdict: Verdict, texts: dict[int, str]) -> Iterator[Wrong]:
    if verdict.line and verdict.line not in texts:
        yield Wrong("verdict.number", f"there is a verdict on line {verdict.line}, and no such line in the letter", "receive")
        return
    if verdict.line and not rules.info.bold and verdict.text.strip() != texts[verdict.line].strip():
        words = f"the verdict on line {verdict.line}, {texts[verdict.line]!r:.60}, is on the text {verdict.text!r:.60}"
        yield Wrong("verdict.text", words, "receive")
    if verdict.status is Status.ERROR and not verdict.message.strip():
        yield Wrong("verdict.reason", f"line {verdict.line} is refused without a word why", "receive")
    if verdict.status is Status.ERROR and verdict.canonical:
        yield Wrong("verdict.canonical", f"line {verdict.line} is refused and has a canonical text all the same", "receive")
    if verdict.status is Status.OK and verdict.line and not verdict.canonical.strip():
        yield Wrong("verdict.canonical", f"line {verdict.line} is taken and has no canonical text", "receive")


def nonsense_is_answered(scene: Scene) -> Iterator[Wrong]:
    """A line that nobody can understand is refused by a verdict of its own, also beside valid ones; unless there are no
    verdicts at all, because no line is accepted."""
    for mail in scene.letters[:2]:
        # Where bold lines are orders, others need not be.
        nonsense = [f"[b]{text}[/b]" if scene.rules.info.bold else text for text in NONSENSE]
        lines = order_lines("\n".join([*(line.text for line in mail.lines), *nonsense]))
        verdicts = scene.rules.receive(scene.position, replace(mail, lines=lines)).verdicts
        said = {verdict.line: verdict for verdict in verdicts if verdict.line}
        for number, text in [(line.number, line.text) for line in lines[len(mail.lines) :] if said]:
            if number not in said:
                yield Wrong("verdict.each", f"nothing is said of the line {text!r}", "receive")
            elif said[number].status is not Status.ERROR:
                yield Wrong(
                    "verdict.each", f"the line {text!r} is taken for an order: {said[number].canonical!r:.60}", "receive"
                )


_ADVICE = re.compile(rf" ({RIGHT}|{EXAMPLE}) ")
TALK = ("Hello all", "Best regards")


_LABEL = re.compile(rf"\s*(?:{BULLET})(?=\S)", re.IGNORECASE)
"""The number or mark of a list before an order."""
_FITS = {RIGHT: is_set_right, EXAMPLE: shares_a_word}


def _stands(rules: Ruleset[Any], before: Any, mail: Mail, number: int, hint: str) -> bool:
    """Whether a hint is accepted in place of the line with that number, beside the others or alone."""
    instead = [replace(line, text=hint) if line.number == number else line for line in mail.lines]
    alone = [line for line in instead if line.number == number]
    return any(_accepts(rules, before, replace(mail, lines=tuple(each)), number) for each in (instead, alone))


def hints_are_orders(scene: Scene) -> Iterator[Wrong]:
    """The line behind "Right:" or "For example:" in a refusal is accepted in place of the wrong one, beside the others or
    alone. "Right:" is the written line with words set right, an example shares a word with it, and talk gets neither. Where a
    line may have several orders, the hint is for one of them only."""
    rules = scene.rules
    if rules.info.bold:
        return
    talk = [Mail(seat, order_lines(text), LATER) for seat in rules.awaiting(scene.position) for text in (NONSENSE[0], *TALK)]
    written = [(scene.position, mail, rules.receive(scene.position, mail)) for mail in talk]
    for before, mail, receipt in (*letters(scene), *written):
        for verdict in refused(receipt):
            _, *advice = _ADVICE.split(verdict.message.removesuffix("."), maxsplit=1)
            if not advice or not verdict.line:
                continue
            kind, hint = advice
            if not _FITS[kind](_LABEL.sub("", verdict.text, count=1), hint):
                yield Wrong("verdict.advice", f"to {verdict.text!r:.60} the answer is {kind} {hint!r:.60}", "receive")
            if not _stands(rules, before, mail, verdict.line, hint):
                words = f"to {verdict.text!r:.60} the answer is {verdict.message!r:.120}, and that is refused, too"
                yield Wrong("verdict.hint", words, "receive")


def misspelt_orders_are_set_right_as_meant(scene: Scene) -> Iterator[Wrong]:
    """An order of the form with a letter left out: the line after "Right:", sent in its place, does what the order does."""
    rules, position = scene.rules, scene.position
    for seat in rules.awaiting(position)[:2]:
        lines = [line.removeprefix("# ") for line in rules.order_form(position, seat).splitlines()]
        for text in [line for line in lines if line.strip() and not line.startswith("#")][:_MOST_MISSPELT]:
            meant = rules.receive(position, Mail(seat, order_lines(written_again(rules, [text])), LATER))
            for place in range(0, len(text), 3) if meant.filed else ():
                wrong = text[:place] + text[place + 1 :]
                said = rules.receive(position, Mail(seat, order_lines(written_again(rules, [wrong])), LATER))
                advice = [verdict.message.partition(f" {RIGHT} ")[2] for verdict in refused(said) if verdict.line]
                for right in filter(None, advice):
                    done = rules.receive(position, Mail(seat, order_lines(written_again(rules, [right])), LATER))
                    if sheet_of(rules.sheets(done.position), seat) != sheet_of(rules.sheets(meant.position), seat):
                        words = (
                            f"{wrong!r:.60}, meant as {text!r:.60}, is set right as {right!r:.60}, which does something else"
                        )
                        yield Wrong("verdict.advice", words, "receive")


def _accepts(rules: Ruleset[Any], position: Any, mail: Mail, line: int) -> bool:
    return not any(verdict.line == line for verdict in refused(rules.receive(position, mail)))


# --- What is on file ------------------------------------------------------------------------------------------------------


def canonical_lines_mean_what_was_written(scene: Scene) -> Iterator[Wrong]:
    """Sent in place of what was written, they make the same sheet: both those on file, and those that the player is shown.
    Where bold type may matter, all of them are bold."""
    rules = scene.rules
    for before, mail, receipt in filed(scene):
        sheet = sheet_of(rules.sheets(receipt.position), mail.seat)
        if sheet is None:
            continue
        if sheet.arrival != mail.arrival:
            yield Wrong("sheet.arrival", f"a letter that arrived at {mail.arrival} is on file as of {sheet.arrival}", "receive")
        yield from _same_sheet(rules, before, mail, sheet, sheet.lines, "the lines on file")
        told = [verdict.canonical for verdict in receipt.verdicts if verdict.line and verdict.canonical]
        if told or sheet.lines:
            yield from _same_sheet(rules, before, mail, sheet, told, "the canonical texts of the verdicts")


def _same_sheet(rules: Ruleset[Any], before: Any, mail: Mail, sheet: Sheet, lines: Sequence[str], what: str) -> Iterator[Wrong]:
    again = rules.receive(before, replace(mail, lines=order_lines(written_again(rules, lines))))
    wrong = refused(again)
    if wrong or not again.filed:
        why = f'{wrong[0].text!r:.60}: "{wrong[0].message:.120}"' if wrong else "nothing is filed"
        yield Wrong("canonical.accepted", f"{what}, sent again, are not accepted: {why}", "receive")
    elif (other := sheet_of(rules.sheets(again.position), mail.seat)) != sheet:
        differs = _first_difference(sheet.lines, other.lines if other else ())
        yield Wrong("canonical.means", f"{what}, sent again, mean something else: {differs}", "receive")


def _first_difference(one: Sequence[str], other: Sequence[str]) -> str:
    for here, there in zip(one, other, strict=False):
        if here != there:
            return f"{here!r:.80} becomes {there!r:.80}"
    return f"{len(one)} lines become {len(other)}"


def written_again(rules: Ruleset[Any], lines: Sequence[str]) -> str:
    """Canonical lines as a player would send them."""
    each = [line for several in lines for line in several.splitlines()]
    return "\n".join(f"[b]{line}[/b]" if rules.info.bold else line for line in each)


_ENDS = ("1", "word")


def orders_are_no_commands(scene: Scene) -> Iterator[Wrong]:
    """Lines that pbmd takes for commands of its own, or leaves out, never reach the rules. A form's line that ends with a blank
    is the beginning of one: it is tried as players complete it, with a word or a number."""
    rules = scene.rules
    for seat in rules.awaiting(scene.position):
        lines = [line.removeprefix("# ") for line in rules.order_form(scene.position, seat).splitlines()]
        offered = [line for line in lines if line.strip() and not line.startswith("#")]
        completed = [line + end for line in offered for end in (_ENDS if line.endswith(" ") else ("",))]
        yield from _not_for_rules(completed, "what the order form offers", "order_form")
    for _, mail, receipt in filed(scene):
        if sheet := sheet_of(rules.sheets(receipt.position), mail.seat):
            yield from _not_for_rules(written_again(rules, sheet.lines).splitlines(), "an order on file", "receive")


def _not_for_rules(texts: Sequence[str], what: str, function: str) -> Iterator[Wrong]:
    for text in texts:
        if not PLAYERS.read([Line(1, text)]).orders:
            yield Wrong("orders.command", f"{what}, {text!r:.60}, is taken by pbmd for a command or a remark", function)


def sheets_are_in_order_of_arrival(scene: Scene) -> Iterator[Wrong]:
    """One for each seat that has any on file; and what one seat writes changes nothing of what others have on file."""
    rules = scene.rules
    for position in scene.played.positions:
        sheets = rules.sheets(position)
        if list(sheets) != sorted(sheets, key=lambda sheet: sheet.arrival):
            yield Wrong("sheet.order", f"the sheets are in the order {_listed(sheet.seat for sheet in sheets)}", "sheets")
        seats = [sheet.seat for sheet in sheets]
        if len(set(seats)) != len(seats):
            yield Wrong("sheet.one", f"a seat has several sheets: {_listed(seats)}", "receive")
        if strangers := set(seats) - set(rules.seats(position)):
            yield Wrong("sheet.one", f"there is a sheet of {_listed(sorted(strangers))}, and no such seat", "receive")
    for before, mail, receipt in letters(scene):
        if sheets_of_others(rules, before, mail.seat) != sheets_of_others(rules, receipt.position, mail.seat):
            yield Wrong("sheet.others", f"a letter of {mail.seat} changes the orders of others", "receive")
        own = [sheet_of(rules.sheets(position), mail.seat) for position in (before, receipt.position)]
        if not receipt.filed and own[0] != own[1]:
            yield Wrong("receipt.effect", "a letter is not filed, and the sheet of its seat is another", "receive")


def sheets_of_others(rules: Ruleset[Any], position: Any, seat: str) -> list[Sheet]:
    """What all but one seat have on file."""
    return [sheet for sheet in rules.sheets(position) if sheet.seat != seat]


def a_refused_letter_changes_nothing_on_file(scene: Scene) -> Iterator[Wrong]:
    """Least of all the orders that its own seat has there."""
    rules = scene.rules
    for _, mail, receipt in [*filed(scene)][:2]:
        if is_due(rules, receipt.position):
            continue
        later = Mail(mail.seat, order_lines("\n".join(NONSENSE)), LATER)
        refusal = rules.receive(receipt.position, later)
        if not refusal.filed and rules.sheets(refusal.position) != rules.sheets(receipt.position):
            yield Wrong("receipt.effect", "a letter of nonsense is not filed, and changes what is on file", "receive")


def wrong_lines_count_as_the_policy_says(scene: Scene) -> Iterator[Wrong]:
    """With the given options, since one of them may set another policy: a letter with a wrong line is refused as a whole."""
    opening, policy = scene.opening, scene.rules.info.sheets.errors
    if policy == "drop_line" or opening is None or changed(scene.rules.info.options, opening.options):
        return
    for _, _, receipt in filed(scene):
        if wrong := [verdict for verdict in refused(receipt) if verdict.line]:
            words = f'with errors = "{policy}" a letter is filed, though its line {wrong[0].text!r:.60} is refused'
            yield Wrong("sheet.policy", words, "receive")


def letters_found_late_are_outdated(scene: Scene) -> Iterator[Wrong]:
    """Whatever the policy: the later arrival counts."""
    rules = scene.rules
    for _, mail, receipt in filed(scene):
        late = rules.receive(receipt.position, replace(mail, arrival=(0, 0)))
        if late.filed or rules.sheets(late.position) != rules.sheets(receipt.position):
            words = "a letter that arrived before the one on file, but is found after it, takes its place"
            yield Wrong("sheet.late", words, "receive")


def later_letters_count_as_the_policy_says(scene: Scene) -> Iterator[Wrong]:
    """They replace the sheet, or the first is final."""
    rules, policy = scene.rules, scene.rules.info.sheets.later
    for _, mail, receipt in filed(scene):
        if not is_due(rules, receipt.position):
            again = replace(orders_alone(mail, receipt), arrival=(mail.arrival[0], mail.arrival[1] + 1))
            later = rules.receive(receipt.position, again)
            if later.filed != (policy == "replace"):
                words = f'with later = "{policy}" a second letter of a seat is {"filed" if later.filed else "not filed"}'
                yield Wrong("sheet.policy", words, "receive")


def a_withdrawn_sheet_is_gone(scene: Scene) -> Iterator[Wrong]:
    """And so is all its effect. Orders that are final, or do not exist, cannot be withdrawn."""
    rules = scene.rules
    for first, mail, receipt in filed(scene):
        before = _with_effects(rules, first, mail, receipt)
        if rules.info.sheets.later == "final":
            if _withdrawn(rules, receipt.position, mail.seat) is not None:
                yield Wrong("withdraw.refused", 'with later = "final" orders can be withdrawn', "withdraw")
            continue
        had_one = sheet_of(rules.sheets(before), mail.seat)
        without = _withdrawn(rules, before, mail.seat) if had_one else before
        after = _withdrawn(rules, receipt.position, mail.seat)
        if after is None or without is None:
            yield Wrong("withdraw.gone", "withdraw refuses to take orders back that are on file", "withdraw")
            continue
        if after != without:
            yield Wrong("withdraw.gone", f"something of withdrawn orders stays{_where(rules, without, after)}", "withdraw")
        if sheets_of_others(rules, after, mail.seat) != sheets_of_others(rules, receipt.position, mail.seat):
            yield Wrong("withdraw.gone", f"when {mail.seat} withdraws orders, those of others change", "withdraw")
        if _withdrawn(rules, without, mail.seat) is not None:
            yield Wrong("withdraw.refused", "orders that are not there can be withdrawn", "withdraw")
        yield from _misses_stay(rules, receipt.position, mail.seat)
        yield from a_position_comes_back(rules, after, "a position after withdraw")


def _with_effects(rules: Ruleset[Any], before: Any, mail: Mail, receipt: Receipt[Any]) -> Any:
    """The position before a letter, with what took effect at once in it: that stays when orders are withdrawn."""
    asking = tuple(line for line in mail.lines if line.number in receipt.effects)
    return rules.receive(before, replace(mail, lines=asking)).position if asking else before


def _misses_stay(rules: Ruleset[Any], position: Any, seat: str) -> Iterator[Wrong]:
    """A seat whose deadline has passed is not awaited again because another withdraws orders."""
    for other in [each for each in rules.awaiting(position) if each != seat][:1]:
        missed = rules.miss(position, other).position
        if not is_due(rules, missed) and other in rules.awaiting(_withdrawn(rules, missed, seat) or missed):
            words = f"when {seat} withdraws orders, {other}, who has missed the deadline, is awaited anew"
            yield Wrong("withdraw.gone", words, "withdraw")


def _where(rules: Ruleset[Any], one: Any, other: Any) -> str:
    place = difference(rules.dump(one), rules.dump(other))
    return f", at {place}" if place else ""


def _withdrawn(rules: Ruleset[Any], position: Any, seat: str) -> Any:
    """The position without the sheet of that seat; None if that is refused."""
    try:
        return rules.withdraw(position, seat)
    except Refused:
        return None
