"""What the auditor asks of the books: journal, steps and log hold what they should, and the daemons ended well."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from pbmd.ledger.journal import ChainError, Link, verify
from pbmd.ledger.log_file import format_line
from pbmd.ledger.tables import JournalEntry, StepRecord
from pbmd.rules import canonical_json, sheets
from pbmd.rules.dice import HmacDice, commitment
from pbmd.rules.protocol import Event
from pbmd.rules.salts import salts_of
from tests.torture.evidence import Evidence, rules_of


def journal_holds(evidence: Evidence) -> Iterator[str]:
    """Each game's chain is whole and ends at the head that the game knows; a step's dice were committed to before."""
    chains: dict[int, list[JournalEntry]] = defaultdict(list)
    for entry in evidence.books.journal:
        chains[entry.game_id].append(entry)
    for game in evidence.books.games:
        entries = sorted(chains[game.id or 0], key=lambda entry: entry.number)
        try:
            head = verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries)
        except ChainError as problem:
            yield f"journal of {game.name}: {problem}"
            continue
        if head != game.chain_head:
            yield f"journal of {game.name}: it ends otherwise than the game says"
        if game.name in evidence.archives:
            continue  # moves that are carried out together have one secret: see `archives_verify`
        opening = [json.loads(entry.public) for entry in entries if entry.kind in ("started", "resolved")]
        for before, after in pairwise(opening):
            if commitment(bytes.fromhex(after["secret"])) != before["commitment"]:
                yield f"journal of {game.name}: the dice of step {after['step']} are not those committed to"
        sealed = [json.loads(entry.secret) for entry in entries if entry.kind in ("started", "resolved")]
        for before, after in zip(opening, sealed[1:], strict=False):
            if commitment(bytes.fromhex(after["salts"])) != before["salts_commitment"]:
                yield f"journal of {game.name}: salts are not those committed to in {before}"


def archives_verify(evidence: Evidence) -> Iterator[str]:
    """What a sequential game has come to can be played again from its archive."""
    for name, problems in evidence.archives.items():
        for problem in problems:
            yield f"archive of {name}: {problem}"


def _stood_before(other: StepRecord, record: StepRecord) -> bool:
    """Whether that step was one of the game's, and not taken back, when the other was carried out."""
    taken_back = other.rolled_back > 0 and not 0 < record.rolled_back <= other.rolled_back
    return other.game_id == record.game_id and other.step < record.step and not taken_back


def steps_come_out_again(evidence: Evidence) -> Iterator[str]:
    """Each resolution, done again from what was kept of it, gives the same position, events and dice."""
    rulesets = {game.id: rules_of(game.ruleset) for game in evidence.by_steps.games}
    for record in evidence.by_steps.steps:
        rules = rulesets[record.game_id]
        position = rules.load(json.loads(record.before))
        seats = [(seat.number, seat.name) for seat in evidence.by_steps.seats if seat.game_id == record.game_id]
        words = json.loads(record.words)
        dice = HmacDice(record.secret, sheets.bound(rules.sheets(position), salts_of(record.salts, seats), words=words))
        before = (rules.load(json.loads(other.before)) for other in evidence.by_steps.steps if _stood_before(other, record))
        resolution = sheets.resolved(rules, position, dice, (sheets.past_step(rules, other) for other in before))
        what = f"game {record.game_id} step {record.step}"
        if canonical_json(rules.dump(resolution.position)) != canonical_json(json.loads(record.after)):
            yield f"replay: {what} comes to another position"
        if [list(roll) for roll in dice.drawn] != json.loads(record.dice):
            yield f"replay: {what} draws other dice"
        if [_event(event) for event in resolution.events] != json.loads(record.events):
            yield f"replay: {what} has other events"
    for game in evidence.by_steps.games:
        digests = {
            json.loads(entry.public)["step"]: json.loads(entry.secret)["position"]
            for entry in evidence.by_steps.journal
            if entry.game_id == game.id and entry.kind == "resolved"
        }
        for record in evidence.by_steps.steps:
            if record.game_id == game.id and digests.get(record.step) != _digest(record):
                yield f"replay: the journal of {game.name} has another position for step {record.step}"


def log_is_complete(evidence: Evidence) -> Iterator[str]:
    """The log file of each host has every line of the ledger, once, in order, as it is."""
    expected = [format_line(line) for line in evidence.books.log]
    for file in (evidence.log_file, *evidence.other_log_files):
        if (written := file.splitlines()) != expected:
            yield from _differences(written, expected)


def _differences(written: list[str], expected: list[str]) -> Iterator[str]:
    missing, added = Counter(expected) - Counter(written), Counter(written) - Counter(expected)
    for line in (*missing, *added):
        yield f"log file: a line is {'missing' if line in missing else 'there once too often'}: {line[:80]}"
    if not missing and not added:
        yield "log file: its lines are not in order"


def daemons_ended_as_asked(evidence: Evidence) -> Iterator[str]:
    """Nothing but a SIGKILL of ours ended the daemon, and it never called anything its own defect."""
    for what, told in evidence.ending.items():
        yield f"daemon: {what}: {told}"


def _event(event: Event) -> dict[str, object]:
    kept = {
        "kind": event.kind,
        "audience": event.audience,
        "data": dict(event.data),
        "detail": dict(event.detail),
        "insiders": event.insiders,
    }
    return json.loads(json.dumps(kept))


def _digest(record: StepRecord) -> str:
    return hashlib.sha256(canonical_json(json.loads(record.after))).hexdigest()
