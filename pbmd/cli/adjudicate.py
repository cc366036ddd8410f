"""`pbmd adjudicate`: what becomes of these orders on this position? No mail, no database."""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import tomli_w
import typer

from pbmd.adjudicate import Adjudication, Entry, StepDice, adjudicate
from pbmd.cli.authors import not_read_back
from pbmd.cli.common import SETTINGS, WENT_WRONG, FileProblem, PositionRules, examples, fail
from pbmd.cli.files import read_entries, read_position, read_salts, read_words
from pbmd.rendering.render import report_text
from pbmd.rules import DiceError, Event, HmacDice, Ruleset, ScriptedDice, Sheet, Status, Verdict, View
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.salts import Salts
from pbmd.rules.sheets import bound

app = typer.Typer(**SETTINGS)

_SECRET_BYTES = 32


@app.command(
    "adjudicate",
    epilog=examples(
        "pbmd adjudicate position.toml orders.toml",
        'pbmd adjudicate position.toml orders.toml --dice "7 3 10" --json',
        "pbmd adjudicate turn4.toml orders4.toml --write-position turn5.toml",
        "pbmd adjudicate position.toml orders.toml --ruleset ./count",
    ),
)
def command(
    position: Annotated[Path, typer.Argument(help="The position document of the ruleset.", metavar="POSITION.toml")],
    orders: Annotated[Path, typer.Argument(help="The letters: entries with player, received and text.", metavar="ORDERS.toml")],
    dice: Annotated[
        str | None, typer.Option(help="The rolls to use, in the order in which the rules draw them.", metavar='"7 3 10"')
    ] = None,
    secret: Annotated[
        str | None, typer.Option(help="The secret of the dice, as pbmd reveals it after a turn.", metavar="HEX")
    ] = None,
    salts: Annotated[
        Path | None, typer.Option(help="With --secret: the dice.json of the turn in an archive.", metavar="DICE.json")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object, not just the reports.")] = False,
    write_position: Annotated[
        Path | None, typer.Option(help="Write the new position to this file, as TOML.", metavar="FILE")
    ] = None,
    ruleset: PositionRules = None,
) -> None:
    """Carry out orders on a position and print the reports. Needs neither mail nor database.

    Letters are taken in order of "received", then of the file. The deadline passes after the last entry, and players
    without an entry miss it; an entry with "deadline = true" marks a deadline in between, so that there may be several turns or
    phases. Where one moves after the other, only such marks are deadlines.

    Where the game is over then, it says who has won; and that the new position could be kept and read again is looked at, too.

    Without --dice and --secret a secret is drawn and shown on standard error, so that the same rolls can be had again. In a
    game the rolls come from its secret and from the salts of all seats, which its archive has.
    """
    try:
        rules, document, entries = _read(position, orders, ruleset)
        step_dice, remark = _dice(dice, secret, salts, rules.seats(rules.load(document)))
        result = adjudicate(rules, document, entries, step_dice)
        if write_position:
            _write(write_position, result)
    except (FileProblem, UnknownRuleset) as problem:
        fail(problem)
    except DiceError as problem:
        fail(problem if str(problem).startswith("--") else f"--dice: {problem}")
    if remark():
        typer.echo(remark(), err=True)
    if as_json:
        print(json.dumps(_as_json(rules, result), ensure_ascii=False, indent=2))
    else:
        _print_reports(rules, result)
    if wrong := not_read_back(rules, result.position, result.document):
        fail(f"this cannot be kept: {wrong}", WENT_WRONG)


def _read(position: Path, orders: Path, rules: str | None) -> tuple[Ruleset[Any], dict[str, Any], tuple[Entry, ...]]:
    """Both files, checked. Raises `FileProblem` and `UnknownRuleset`."""
    ruleset, loaded, document = read_position(position, rules)
    seats = ruleset.seats(loaded)
    return ruleset, document, read_entries(orders, seats, ruleset.info.seat_word)


def _dice(
    script: str | None, secret: str | None, salts: Path | None, seats: tuple[str, ...]
) -> tuple[StepDice, Callable[[], str]]:
    """The dice for each step, and what to tell the user about them afterwards. Raises `DiceError` and `FileProblem`."""
    if script is not None and secret is not None:
        raise DiceError("--dice and --secret exclude each other; give one of them")
    if salts and secret is None:
        raise DiceError("--salts goes with --secret: rolls are made of both")
    if script is not None:
        scripted = ScriptedDice(_rolls(script))
        return lambda _step, _sheets: scripted, lambda: _unused(scripted)
    if secret is not None:
        made_of = (read_salts(salts, seats), read_words(salts)) if salts else ((), {})
        return _from_secret(_secret_bytes(secret), *made_of), str
    drawn = secrets.token_bytes(_SECRET_BYTES)
    told = f"The dice came from a new secret; to have the same rolls again: --secret {drawn.hex()}"
    return _from_secret(drawn, (), {}), lambda: told


def _unused(dice: ScriptedDice) -> str:
    return f"Not used of --dice: {' '.join(map(str, dice.unused))}" if dice.unused else ""


def _rolls(script: str) -> list[int]:
    words = script.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and int(word) for word in words):
        raise DiceError(f'--dice takes whole numbers from 1 on such as "7 3 10", not "{script}"')
    return [int(word) for word in words]


def _secret_bytes(secret: str) -> bytes:
    try:
        key = bytes.fromhex(secret)
    except ValueError:
        raise DiceError("--secret takes an even number of hexadecimal digits") from None
    if not key:
        raise DiceError("--secret is empty")
    return key


def _from_secret(secret: bytes, salts: Salts, words: Mapping[str, str]) -> StepDice:
    """The secret itself for the first step, since a game has one for each; secrets derived from it for the later ones."""

    def step_dice(step: int, sheets: tuple[Sheet, ...]) -> HmacDice:
        own = hashlib.sha256(secret + step.to_bytes(8, "big")).digest() if step else secret
        return HmacDice(own, bound(sheets, salts, words=words))

    return step_dice


def _write(path: Path, result: Adjudication) -> None:
    try:
        path.write_text(tomli_w.dumps(result.document), encoding="utf-8")
    except OSError as problem:
        raise FileProblem(path, "", problem.strerror or str(problem)) from None


def _reports(ruleset: Ruleset[Any], result: Adjudication) -> dict[str, str]:
    """A text for each seat and the public one; those of several steps one after the other."""

    def text(views: list[View]) -> str:
        return "\n".join(report_text(ruleset, view) for view in views)

    seats = {seat: text([views.seats[seat] for views in result.views]) for seat in result.views[-1].seats}
    return seats | {"public": text([views.public for views in result.views])}


def _as_json(ruleset: Ruleset[Any], result: Adjudication) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "position": result.document,
        "verdicts": [_verdict(seat, verdict) for seat, verdict in result.verdicts],
        "events": [_event(event) for event in result.events],
        "reports": _reports(ruleset, result),
        "dice": [list(roll) for roll in result.dice],
        "outcome": outcome and {"winners": list(outcome.winners), "reason": outcome.reason},
    }


def _verdict(seat: str, verdict: Verdict) -> dict[str, Any]:
    code = {"code": verdict.code} if verdict.code else {}
    return {
        "player": seat,
        "line": verdict.line,
        "text": verdict.text,
        "status": str(verdict.status),
        **code,
        "message": verdict.message,
        "canonical": verdict.canonical,
    }


def _event(event: Event) -> dict[str, Any]:
    audience = "all" if event.audience is None else list(event.audience)
    content = {"kind": event.kind, "audience": audience, "data": _plain(event.data)}
    if event.detail:
        content |= {"detail": _plain(event.detail), "insiders": list(event.insiders)}
    return content


def _plain(value: Any) -> Any:
    """Read-only mappings and tuples as something that `json` can write."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _print_reports(ruleset: Ruleset[Any], result: Adjudication) -> None:
    for seat, verdict in result.verdicts:
        if verdict.status is not Status.OK:
            place = f", line {verdict.line}" if verdict.line else ""
            typer.echo(f"{seat}{place}: {verdict.status}: {verdict.message}", err=True)
    for reader, text in _reports(ruleset, result).items():
        print(f"=== {reader} ===\n\n{text.rstrip()}\n")
    if result.outcome:
        print(f"The game is over: {result.outcome.told(ruleset.seats(result.position))}")
