"""Where a game goes on from another archive: the entry of the old journal that it goes on from, opened in the new one."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import Findings
from pbmd.archive.replay.story import digest_of
from pbmd.ledger.entries.step_entries import ImportedEntry
from pbmd.ledger.journal import chained, seal
from pbmd.rules import Ruleset, canonical_json


def look_at_old_end(entry: Entry, rules: Ruleset[Any], position: Any, findings: Findings) -> None:
    """Note what is wrong with an entry by which a game goes on here, and what cannot be decided."""
    content = entry.content
    if not isinstance(content, ImportedEntry):
        return
    for problem in _problems(entry, content):
        findings.blame(entry, problem)
    if _is_other_position(content, rules, position):
        findings.unchecked.append(
            f"The position with which the game goes on in entry {entry.number} is not the one in the old journal: options, "
            "players or who is asleep had changed there since, or somebody has altered it. The old archive can tell."
        )


def _problems(entry: Entry, content: ImportedEntry) -> Iterator[str]:
    """Whether the entry of the old journal is what was opened of it."""
    opened = content.sealed.opened if content.sealed else None
    if opened is None or not entry.sure:
        return
    named = content.archive.entry
    where = f"entry {entry.number} goes on from entry {named.number} of another journal"
    try:
        at = datetime.fromisoformat(opened.at)
        made = chained(opened.before, named.number, at, opened.kind, canonical_json(opened.public), opened.seal)
        salted = None if opened.salt is None else seal(bytes.fromhex(opened.salt), canonical_json(opened.secret))
    except (TypeError, ValueError) as problem:
        yield f"{where}, and what it opens of that makes no sense: {problem}"
        return
    if made != named.hash:
        yield f"{where}, and what it opens of that has another hash"
    elif salted not in (None, opened.seal):
        yield f"{where}, and what it opens of that is not what was sealed"


def _is_other_position(content: ImportedEntry, rules: Ruleset[Any], position: Any) -> bool:
    """Whether the position is not the one with which the old entry ends a step; where that is not shown, it is not."""
    opened = content.sealed.opened if content.sealed else None
    secret: Mapping[str, object] = (opened.secret or {}) if opened else {}
    kept = secret.get("position")
    return isinstance(kept, str) and kept != digest_of(rules, position)
