"""Whether an archive is what it says: the bag whole, the journal one chain, every commitment kept, and every turn, played again
from the first position with nothing but the journal, the same to the byte.

An archive may be anybody's. It is read by fixed names below its folder, in bounded pieces, and nothing in it is run; a ruleset
that stumbles over what it is given is a finding like any other. Neither ledger nor mail nor network is asked.

What cannot be checked is said: of the views of a seat or of the public all that needs the sealed parts of the journal, and of
each page the words around the report (deadlines, receipts), which the rules do not make.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbmd import __version__
from pbmd.archive.alone import check_alone
from pbmd.archive.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.findings import GAME, JOURNAL, Archive, Findings, Problem, Progress, plain
from pbmd.archive.receipt import books_of_archive
from pbmd.archive.rules import ruleset_digest, ruleset_version
from pbmd.archive.seals import damages, files_of
from pbmd.archive.turn_by_turn import check_turns
from pbmd.rules import Ruleset, commitment
from pbmd.rules.registry import UnknownRuleset

_MOST_NAMED = 20
_LONGEST = 300
"""Entries of the journal in one sentence."""


def verify(folder: Path, ruleset_named: Callable[[str], Ruleset[Any]], progress: Progress) -> Findings:
    """Check an archive. Raises `NotReadable` for what is none, and `OSError`; all else is in the findings."""
    findings = Findings(str(folder))
    files = files_of(folder)
    _check_bag(folder, files, findings, progress)
    archive = Archive(folder, files, findings)
    game = archive.game()
    if game is None:
        return findings
    entries = _check_chain(archive, game, progress)
    if entries is None:
        return findings
    anonymised = bool(game.get("anonymised"))
    if findings.view != "all":
        findings.unchecked.append(
            f"This archive shows what {findings.view} may know, so the orders of all are not in it and no turn can be resolved "
            "again: positions, events, rolls, reports and maps were checked against their checksums only."
        )
        if findings.view != "public":
            _check_sheets(archive)
        return findings
    try:
        ruleset = ruleset_named(findings.ruleset)
    except UnknownRuleset as problem:
        findings.add(Problem(GAME, f"no turn can be resolved again without its rules: {problem}"))
        findings.needs = _version(game)
        return findings
    before = len(findings.problems)
    try:
        if anonymised:
            check_alone(archive, ruleset, game, entries())
        else:
            check_turns(archive, ruleset, entries, progress)
    except Exception as trouble:  # an archive may be anybody's, and make a ruleset stumble in any way
        findings.add(Problem(JOURNAL, f"a game like that cannot be: {type(trouble).__name__}: {trouble}"[:_LONGEST]))
    if len(findings.problems) > before and ruleset_digest(ruleset) != game.get("ruleset_digest"):
        findings.needs = f"{_version(game)}; this is {_own_version(ruleset)}"
    return findings


def _check_sheets(archive: Archive) -> None:
    """What a seat's own sheets.json say, held against what the journal shows of the letters in them."""
    archive.findings.unchecked.append(
        "Of each sheets.json the digests, and receipts, seats and arrivals as far as the journal shows them, were checked; how "
        "orders were understood and what became of them was not."
    )
    books = books_of_archive(archive.folder / "data")
    if books.broken:
        path, line = books.where
        turn = path.removeprefix("turns/").removesuffix("/sheets.json")
        archive.findings.add(Problem(f"data/{path}", books.broken, turn, line=line))


def _version(game: Mapping[str, Any]) -> str:
    """What it was made with."""
    version = f", version {game['ruleset_version']}" if game.get("ruleset_version") else ""
    return plain(f"pbmd {game.get('pbmd')} with {game.get('ruleset')}{version} (digest {str(game.get('ruleset_digest'))[:16]})")


def _own_version(ruleset: Ruleset[Any]) -> str:
    version = f", version {ruleset_version(ruleset)}" if ruleset_version(ruleset) else ""
    return f"pbmd {__version__} with {ruleset.info.slug}{version} (digest {ruleset_digest(ruleset)[:16]})"


# The bag and the files in it


def _check_bag(folder: Path, files: Mapping[str, int], findings: Findings, progress: Progress) -> None:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        findings.count("files")
        progress("files", count, len(files))

    for damage in damages(folder, files, done):
        findings.add(Problem(damage.path, damage.problem, line=damage.line))


# The chain, and the commitments in it


def _check_chain(archive: Archive, game: Mapping[str, Any], progress: Progress) -> Callable[[], Iterator[Entry]] | None:
    """Check the journal; gives how to read it again, None if it does not hold."""
    findings, path = archive.findings, archive.folder / JOURNAL
    if JOURNAL not in archive.files:
        findings.add(Problem(JOURNAL, "it is missing"))
        return None
    said = game["journal"]
    total = said["entries"] if isinstance(said.get("entries"), int) else 0
    count, commitments = 0, _Commitments(findings)
    blanked: list[int] = []
    withheld: list[int] = []
    try:
        for entry in read_entries(path):
            count, findings.head = entry.number, entry.hash
            findings.count("entries")
            if not entry.sure or not entry.bound:
                findings.count("entries of which not all is shown")
                (blanked if entry.bound else withheld).append(entry.number)
            commitments.take(entry)
            progress("journal", count, total)
    except BrokenJournal as problem:
        findings.add(Problem(JOURNAL, str(problem), line=problem.line))
        findings.unchecked.append("No turn was resolved again, since the journal does not hold.")
        return None
    if (count, findings.head) != (said.get("entries"), said.get("head")):
        wanted = f"{said.get('entries')} entries with the head {said.get('head')}"
        findings.add(
            Problem(GAME, "its journal has another head", expected=f"{count} entries with {findings.head}", found=wanted)
        )
    _say_what_is_not_bound(findings, blanked, withheld)
    return lambda: read_entries(path)


def _say_what_is_not_bound(findings: Findings, blanked: Sequence[int], withheld: Sequence[int]) -> None:
    """A forger could call anything blanked or withheld, so that heads that players hold would fit another game."""
    if blanked:
        findings.unbound.append(
            f"In {_numbered(blanked)} of the journal a token was blanked, so what is shown there cannot be held against the "
            "chain: take it for the word of whoever made this archive."
        )
    if withheld:
        findings.unbound.append(
            f"Of {_numbered(withheld)} of the journal the public part is withheld, or the hash, by which one could guess at "
            "such a part, so the chain begins anew there: a head that you hold proves only what stands between the last of "
            "these before it and itself."
        )


def _numbered(entries: Sequence[int]) -> str:
    shown = ", ".join(map(str, entries[:_MOST_NAMED])) + (" and more" if len(entries) > _MOST_NAMED else "")
    return f"entry {shown}" if len(entries) == 1 else f"entries {shown}"


@dataclass
class _Commitments:
    """Whether each dice secret that the journal opens is the one that was promised before."""

    findings: Findings
    promised: str | None = ""
    """None where it is withheld."""
    last: str = ""

    def take(self, entry: Entry) -> None:
        """The next entry."""
        if entry.kind == "orders":
            self.last = ""  # whoever has read a letter since must not know the dice
        if entry.kind not in ("started", "resolved", "rolled-back", "finished", "imported"):
            return
        if entry.public is None:
            self.promised, self.last = None, ""
            return
        secret, promise = str(entry.public.get("secret", "")), str(entry.public.get("commitment", ""))
        # What is carried out in one go has one secret, and the next is promised once.
        goes_on = entry.kind == "resolved" and secret == self.last and promise == self.promised
        opens = entry.kind in ("resolved", "rolled-back") or entry.public.get("abandoned")
        if opens and not goes_on and self.promised is not None and (secret or self.promised):
            self.findings.count("dice secrets")
            try:
                kept = commitment(bytes.fromhex(secret)) == self.promised
            except ValueError:
                kept = False
            if not kept:
                problem = f"the dice secret of entry {entry.number} is not the one that was promised"
                turn = str(entry.public.get("turn", ""))
                self.findings.add(Problem(JOURNAL, problem, turn, line=entry.number))
        if entry.kind != "finished" or entry.public.get("abandoned"):
            self.promised = promise
        self.last = secret if entry.kind == "resolved" else ""
