"""What the auditor asks of what is told in the middle of a turn of Cosmic Conquest: each Insight is answered once, to who asked
and with the orders that were used then; published orders go to all; and both are in the journal."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from typing import Any, NamedTuple

from pbmd.ledger.tables import Game, Outbox, StepRecord, SubmissionState
from pbmd.rules import registry
from tests.torture.evidence import Evidence

RULESET = "cosmic_conquest"
_HEADING = re.compile(r"(?P<what>Telepathic Insight|Published orders), turn (?P<turn>\d+) – orders of (?P<of>\w+)")


class _Shown(NamedTuple):
    """Orders shown by a mail: of whom, in which turn, to whom, and why."""

    game: int
    turn: int
    what: str
    of: str
    to: str


def reveals_are_mailed_once(evidence: Evidence) -> Iterator[str]:
    """Who asked gets one mail, nobody else gets any, and it shows what was then carried out; so do published orders."""
    shown: dict[_Shown, list[tuple[str, ...]]] = defaultdict(list)
    for found, lines in _revealing(evidence):
        shown[found].append(lines)
    expected = dict(_expected(evidence))
    for key in {**expected, **shown}:
        words = f"reveal: {key.what} of {key.of} in turn {key.turn} of game {key.game}, to {key.to}:"
        mails = shown.get(key, [])
        if key not in expected:
            yield f"{words} {len(mails)} mails, and nothing was to be shown"
        elif len(mails) != 1:
            yield f"{words} {len(mails)} mails, not 1"
        elif expected[key] not in (None, mails[0]):
            yield f"{words} it shows other orders than those that were used"


def reveals_are_in_the_journal(evidence: Evidence) -> Iterator[str]:
    """The entry of a resolution has each request and each answer of its turn, and the books call the request granted."""
    for game in _games(evidence):
        kept = {
            json.loads(entry.public)["step"]: json.loads(entry.secret).get("meanwhile", [])
            for entry in evidence.books.journal
            if entry.game_id == game.id and entry.kind == "resolved"
        }
        seats = {seat.id: seat.name for seat in evidence.books.seats}
        for record in _steps(evidence, game):
            asked = Counter(insight["by"] for insight in _insights(record.before))
            told = Counter((insight["target"], insight["by"]) for insight in _insights(record.before))
            what = f"journal of {game.name}: step {record.step}"
            entries = kept.get(record.step, [])
            if Counter(entry["seat"] for entry in entries if "lines" in entry) != asked:
                yield f"{what} has not the requests that were granted"
            events = [entry["told"] for entry in entries if "told" in entry]
            if Counter((event["data"]["target"], *event["audience"]) for event in events) != told:
                yield f"{what} has not what was told in it"
            granted = Counter(
                seats[submission.seat_id]
                for submission in evidence.books.submissions
                if (submission.game_id, submission.step) == (game.id, record.step)
                and submission.state is SubmissionState.GRANTED
            )
            if granted != asked:
                yield f"the requests granted in step {record.step} of {game.name} are not those that were answered"


def reveals_leave_no_trace(evidence: Evidence) -> Iterator[str]:
    """The log tells of no Insight."""
    for line in evidence.log_file.splitlines():
        if "nsight" in line:
            yield f"log file: it tells of an Insight: {line[:80]}"


def reveals(evidence: Evidence) -> int:
    """How many Insights were answered."""
    return sum(found.what == "Telepathic Insight" for found, _ in _revealing(evidence))


def _expected(evidence: Evidence) -> Iterator[tuple[_Shown, tuple[str, ...] | None]]:
    """What must have been shown, and which lines, None where only the end of the turn will tell."""
    for game in _games(evidence):
        seats = [seat.name for seat in evidence.books.seats if seat.game_id == game.id]
        for record in _steps(evidence, game):
            yield from _expected_in(game.id or 0, record.turn, record.before, seats, _defaults(record))
        yield from _expected_in(game.id or 0, game.turn, game.position, seats, {})


def _expected_in(
    game: int, turn: int, document: str, seats: list[str], defaults: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[_Shown, tuple[str, ...] | None]]:
    rules = registry.get(RULESET)
    position = rules.load(json.loads(document))
    sheets = {sheet.seat: sheet.lines for sheet in rules.sheets(position)}
    final = {**dict.fromkeys(position.missed), **defaults, **sheets}
    for insight in _insights(document):
        if insight["target"] in final:
            yield _Shown(game, turn, "Telepathic Insight", insight["target"], insight["by"]), final[insight["target"]]
    for colour, lines in sheets.items():
        if "Publish orders" in lines:
            yield from ((_Shown(game, turn, "Published orders", colour, seat), lines) for seat in seats)


def _defaults(record: StepRecord) -> dict[str, tuple[str, ...]]:
    """The default orders that were carried out, by faction."""
    events = json.loads(record.events)
    return {event["data"]["colour"]: tuple(event["data"]["lines"]) for event in events if event["kind"] == "default_orders"}


def _insights(document: str) -> list[dict[str, Any]]:
    return json.loads(document).get("insights", [])


def _games(evidence: Evidence) -> list[Game]:
    return [game for game in evidence.books.games if game.ruleset == RULESET and game.position]


def _steps(evidence: Evidence, game: Game) -> list[StepRecord]:
    return [record for record in evidence.books.steps if record.game_id == game.id]


def _revealing(evidence: Evidence) -> Iterator[tuple[_Shown, tuple[str, ...]]]:
    """What a mail shows, and the orders: a mail may show those of several, if letters have come within a minute."""
    names = {seat.id: seat.name for seat in evidence.books.seats}
    games = {game.id for game in _games(evidence)}
    for mail in evidence.books.outbox:
        if mail.kind != "notice" or mail.game_id not in games:
            continue
        seat = names[mail.seat_id] if mail.seat_id else ""
        quoted = (line.removeprefix("|").strip() for line in _text(mail).splitlines() if line.startswith("|"))
        parts: list[tuple[re.Match[str], list[str]]] = []
        for line in filter(None, quoted):
            if found := _HEADING.match(line):
                parts.append((found, []))
            elif parts:
                parts[-1][1].append(line)
        for found, lines in parts:
            yield _Shown(mail.game_id or 0, int(found["turn"]), found["what"], found["of"], seat), tuple(lines)


def _text(mail: Outbox) -> str:
    part = message_from_bytes(mail.raw, policy=policy.default).get_body(("plain",))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")
