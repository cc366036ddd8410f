"""How a letter joins the sheet that is on file: in place of it, order by order, or added to it.

Rulesets only say which orders are for the same thing (`Ruleset.order_keys`): `receive` is given all lines that are to be on
file, those that are kept first, and the journal has them. So a game is played again from it without asking how they came
together.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pbmd.rules.protocol import Line, Mail, Receipt, Ruleset, Sheet, Status, Verdict
from pbmd.rules.sheets import sheet_of

How = Literal["", "add", "only"]
"""What a letter says about the sheet on file: nothing, that it adds to it, or that it replaces it."""
_NEITHER: How = ""
_HOWS: Mapping[str, How] = {"add": "add", "only": "only"}
_NONE_ACCEPTED = "No line of this mail was accepted, so what you had sent stands."
_NO_ORDER = "None of your orders was accepted, so what you had sent stands."
_LINE = re.compile(r"\bline (\d{1,6})\b")


@dataclass(frozen=True, slots=True)
class Joined:
    """What came of a letter. The first `kept` lines of the `mail` that the rules were given are of the sheet on file; if it is
    `dropped`, nothing of it stands, and the rules are to be told nothing of it when the game is played again. `beside` is what
    they said of lines that are not in the `mail`: orders that were to join the sheet, and none of which was accepted."""

    mail: Mail
    receipt: Receipt[Any]
    kept: int = 0
    beside: tuple[Verdict, ...] = ()

    @property
    def dropped(self) -> bool:
        """Whether it was to join what is on file, and none of it was accepted."""
        return bool(self.kept) and not (self.receipt.filed or self.receipt.granted)

    @property
    def own(self) -> Receipt[Any]:
        """The receipt as the letter's writer gets to see it: about the lines of the letter, by their numbers there."""
        if not (self.kept or self.beside or self.receipt.effects):
            return self.receipt
        effects = tuple([line - self.kept for line in self.receipt.effects if line > self.kept])
        return replace(self.receipt, verdicts=self.own_verdicts, effects=effects)

    @property
    def own_verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts on the letter's own lines, by their numbers in the letter, and on the letter as a whole."""
        if self.beside:
            return tuple(sorted((*self.receipt.verdicts, *self.beside), key=lambda each: (not each.line, each.line)))
        if not self.kept:
            return self.receipt.verdicts
        own = (verdict for verdict in self.receipt.verdicts if not verdict.line or verdict.line > self.kept)
        return tuple([_numbered_back(verdict, self.kept) for verdict in own])


def how_of(word: str) -> How:
    """What a letter's word says about the sheet on file: nothing, unless it is ADD or ONLY, in upper or lower case."""
    return _HOWS.get(word.lower(), _NEITHER)


def received(ruleset: Ruleset[Any], position: Any, mail: Mail, how: How = "") -> Joined:
    """Let the rules check a letter together with what it leaves of its seat's sheet, and file that.

    A letter of which no line is accepted leaves the sheet as it is, with the arrival that it has.
    """
    kept = _kept(ruleset, position, mail, how)
    if not kept:
        return Joined(mail, ruleset.receive(position, mail))
    first = tuple(Line(number, text) for number, text in enumerate(kept, start=1))
    own = tuple(Line(line.number + len(kept), line.text) for line in mail.lines)
    whole = replace(mail, lines=(*first, *own))
    receipt = ruleset.receive(position, whole)
    right = (each.line for each in receipt.verdicts if each.status is not Status.ERROR)
    stands = any(line > len(kept) and line not in receipt.effects for line in right)
    if receipt.filed and not stands:
        if receipt.granted:
            why = Verdict(0, "", Status.ERROR, _NO_ORDER)
            return effects_alone(ruleset, position, mail, Joined(whole, receipt, len(kept)), why)
        why = Verdict(0, "", Status.ERROR, _NONE_ACCEPTED)
        receipt = Receipt(position, (*receipt.verdicts, why), filed=False)
    return Joined(whole, receipt, len(kept))


def orders_alone(mail: Mail, receipt: Receipt[Any]) -> Mail:
    """The letter without the lines that took effect at once, or were to: for filing its orders once more."""
    effects = frozenset(receipt.effects)
    return replace(mail, lines=tuple([line for line in mail.lines if line.number not in effects])) if effects else mail


def effects_alone(ruleset: Ruleset[Any], position: Any, mail: Mail, joined: Joined, why: Verdict) -> Joined:
    """What comes of a letter none of whose orders is filed, `why` says, while something takes effect at once: the sheet stays
    as it is, with its arrival. The rules are given what takes effect, and nothing else; its orders are answered all the same.
    """
    effects = frozenset(joined.own.effects)
    asking = replace(mail, lines=tuple([line for line in mail.lines if line.number in effects]))
    refused = tuple([each for each in joined.own_verdicts if each.line and each.line not in effects])
    return Joined(asking, ruleset.receive(position, asking), beside=(*refused, *((why,) if refused else ())))


def _kept(ruleset: Ruleset[Any], position: Any, mail: Mail, how: How) -> tuple[str, ...]:
    """The lines on file that remain beside those of a letter. One without lines is an empty sheet, and one that arrived before
    the sheet, or where orders are final, is refused as it is."""
    may_keep = how == "add" or (not how and ruleset.order_keys is not None)
    if not may_keep or not mail.lines or ruleset.info.sheets.later == "final":
        return ()
    sheet = sheet_of(ruleset.sheets(position), mail.seat)
    if sheet is None or sheet.arrival > mail.arrival:
        return ()
    return sheet.lines if how == "add" else _not_replaced(ruleset, position, sheet, mail)


def _not_replaced(ruleset: Ruleset[Any], position: Any, sheet: Sheet, mail: Mail) -> tuple[str, ...]:
    """The lines of the sheet for which the letter has no order; none where it says that nothing is ordered."""
    if ruleset.order_keys is None:
        return ()
    alone = ruleset.receive(position, mail)
    new = sheet_of(ruleset.sheets(alone.position), mail.seat) if alone.filed else None
    if new is None or not new.lines:
        return ()
    keys = frozenset(ruleset.order_keys(position, new.lines))
    on_file = zip(sheet.lines, ruleset.order_keys(position, sheet.lines), strict=True)
    return tuple([line for line, key in on_file if key not in keys])


def _numbered_back(verdict: Verdict, kept: int) -> Verdict:
    """The verdict with the numbers that lines have in the letter."""

    def number(found: re.Match[str]) -> str:
        return f"line {int(found[1]) - kept}" if int(found[1]) > kept else "what you had sent"

    line = max(verdict.line - kept, 0)
    return verdict._replace(line=line, message=_LINE.sub(number, verdict.message))
