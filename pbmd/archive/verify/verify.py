"""Whether an archive is what it says: the bag complete, the journal one chain, every commitment kept, and every turn, played
again from the first position with nothing but the journal, the same to the byte.

An archive may be anybody's. It is read by fixed names below its folder, in bounded pieces, and nothing in it is run; a ruleset
that stumbles over what it gets is a finding like any other. Neither ledger nor mail nor network is used.

Every file is compared with something, and none may be there that pbmd would not have written. What cannot be checked is
reported: in the views of a seat or of the public everything that needs the sealed parts of the journal; on each page the words
around the report (deadlines, receipts), which the rules do not make; and of the letters everything but their checksums.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from pbmd import __version__
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.format.findings import GAME, JOURNAL, Archive, Findings, Problem, Progress, made_with, plain
from pbmd.archive.format.late_steps import late_steps
from pbmd.archive.format.seals import SOURCE, damages, files_of
from pbmd.archive.format.source import BrokenSource, changed_since, read_source
from pbmd.archive.verify.contents import LETTERS, check_contents, check_info, view_of
from pbmd.archive.verify.derived import check_derived
from pbmd.archive.verify.echoed_heads import Heads
from pbmd.archive.verify.game_facts import Facts, check_game
from pbmd.archive.verify.head_signatures import check_signed
from pbmd.archive.verify.isolated_step import check_alone
from pbmd.archive.verify.promised_time import Timing
from pbmd.archive.verify.promises import Promises
from pbmd.archive.verify.replay_pool import ReplayPool
from pbmd.archive.verify.turn_by_turn import Onlookers, check_rest, check_turns
from pbmd.archive.verify.vote_counts import VoteCounts
from pbmd.edition import digest_of_source, ruleset_digest, ruleset_version
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.notes.signed_note import Verifier
from pbmd.rules import Ruleset
from pbmd.rules.registry import UnknownRuleset

_MOST_NAMED = 20
"""How many entries of the journal one sentence names."""
_LONGEST = 300
_CHANGED = (
    "The rules have changed since this archive was made: {} files of {}, and {} of what pbmd does for all rules, are others "
    f"now; those of then are in {SOURCE}, which --trust-rules uses."
)
_OTHERS_INSIDE = (
    f"The rules in {SOURCE} are not those that are installed here: {{}} files of {{}}, and {{}} of what pbmd does for all "
    "rules, are others. Nothing but the word of whoever made this archive says that the game was announced with them."
)
_SAME_INSIDE = f"The rules in {SOURCE} are those of {{}} that are installed here."
_NOT_HELD = f"No rules of {{}} are installed here to hold those in {SOURCE} against."
_NO_LETTERS = "There is no letters.mbox; nothing shows whether there was one."
_BY_CHECKSUM = (
    "Nothing but their checksums was checked of letters.mbox, and of the words of the desk around the reports in the pages of "
    "seats, such as deadlines and receipts."
)


def verify(
    folder: Path,
    ruleset_named: Callable[[str], Ruleset[Any]],
    progress: Progress,
    crew: ReplayPool = ReplayPool(),  # noqa: B008 – it cannot be changed
    known: Sequence[Verifier] = (),
) -> Findings:
    """Check an archive; if it is long, with several processes, which must find the rules under the same name. `known` are keys
    of its host that are known from elsewhere. Raises `NotReadable` if it is no archive, and `OSError`; everything else is in
    the findings."""
    findings = Findings(str(folder))
    files = files_of(folder)
    _check_bag(folder, files, findings, progress)
    damaged = len(findings.problems)
    archive = Archive(folder, files, findings)
    game = archive.game()
    if game is None:
        return findings
    at_hand: Ruleset[Any] | None = None
    unknown = ""
    try:
        at_hand = ruleset_named(findings.ruleset)
    except UnknownRuleset as problem:
        unknown = str(problem)
    _check_source(archive, game, at_hand, trusting=crew.trusts)
    ruleset = None if crew.trusts else at_hand
    try:
        _check(archive, game, _Given(ruleset, unknown, crew, known), progress)
    except Exception as trouble:  # an archive may be anybody's, and make a ruleset stumble in any way
        findings.add(Problem(JOURNAL, f"a game like that cannot be: {type(trouble).__name__}: {trouble}"[:_LONGEST]))
    if (findings.missing or len(findings.problems) > damaged) and not _is_ours(game, ruleset):
        findings.needs = f"{made_with(game)}; this is {_own_version(ruleset)}"
    return findings


class _Given(NamedTuple):
    """The rules to play a game again by, or why there are none; the processes that play it; and known keys of its host."""

    ruleset: Ruleset[Any] | None
    unknown: str
    crew: ReplayPool
    known: Sequence[Verifier]


def _check(archive: Archive, game: ForeignGame, given: _Given, progress: Progress) -> None:
    """Everything but the bag."""
    ruleset, unknown = given.ruleset, given.unknown
    findings, anonymised, view = archive.findings, game.get("anonymised"), view_of(game)
    if view is None or not isinstance(anonymised, bool):
        findings.add(Problem(GAME, f"there is no such view as {findings.view}, or it does not say whether it is anonymised"))
        return
    played = view.everything and not anonymised
    check_contents(archive, game, view, played=played)
    facts = Facts(archive)
    entries = _check_chain(archive, game, facts, progress)
    if entries is None:
        return
    check_signed(archive, game, facts, given.known)
    check_game(archive, game, facts, renamed=not played or LETTERS not in archive.files)
    check_info(archive, game, facts.last_at.date().isoformat())
    if not view.everything:
        reader = f"the {findings.view}".replace(":", " ")  # the public, the seat Altair
        findings.unchecked.append(
            f"This archive shows what {reader} may know, so the orders of all are not in it and no turn can be resolved "
            "again: positions, events, numbers, rolls, reports and maps were checked against their checksums only."
        )
        if view.kind == "seat":
            _check_sheets(archive)
        _check_shown_time(archive, ruleset, entries())
    elif given.crew.trusts:
        given.crew.play_by_rules_inside(archive, str(game.get("ruleset_digest")), progress)
    elif ruleset is None:
        findings.missing = plain(f"No turn was played again, since the rules of this game are not at hand: {unknown}")
        return
    elif anonymised:
        check_alone(archive, ruleset, game, entries())
        _check_shown_time(archive, ruleset, entries())
    else:
        _check_played(archive, game, given, (entries, facts), progress)
    _tell_late_steps(archive, entries())
    check_derived(archive, "" if _is_ours(game, ruleset) else made_with(game), progress)
    findings.unchecked += [facts.by_word, *([_BY_CHECKSUM] if played else [])]
    if played and LETTERS not in archive.files:
        findings.unchecked.append(_NO_LETTERS)


def _check_played(
    archive: Archive, game: ForeignGame, given: _Given, journal: tuple[Callable[[], Iterator[Entry]], Facts], progress: Progress
) -> None:
    """Every turn, by the rules at hand."""
    assert given.ruleset is not None
    if (title := game.get("title")) != given.ruleset.info.title:
        told = given.ruleset.info.title, str(title)
        archive.findings.add(Problem(GAME, "its title is not that of the rules", expected=told[0], found=told[1]))
    if given.crew.is_worth_it(game.get("resolved_steps")):
        given.crew.play(archive, progress)
    else:
        played = check_turns(archive, given.ruleset, *journal, progress)
        if played.files is not None:
            check_rest(archive, played.files)
    archive.findings.whole = True


def _check_source(archive: Archive, game: ForeignGame, at_hand: Ruleset[Any] | None, *, trusting: bool) -> None:
    """The rules inside must be those that game.toml names; and those at hand may differ. Nothing in the journal binds them, so
    somebody who is `trusting` is warned in any case."""
    if SOURCE not in archive.files:
        return
    try:
        source = read_source(archive.folder / SOURCE)
    except BrokenSource as problem:
        archive.findings.add(Problem(SOURCE, str(problem)))
        return
    if (digest := digest_of_source(source)) != (said := str(game.get("ruleset_digest"))):
        archive.findings.add(Problem(SOURCE, "it has not the rules that game.toml names", expected=digest, found=said))
    elif at_hand is None:
        archive.findings.unchecked += [_NOT_HELD.format(archive.findings.ruleset)] if trusting else []
    elif any(changed := changed_since(source, at_hand)):
        words = _OTHERS_INSIDE if trusting else _CHANGED
        archive.findings.changed = words.format(changed[0], archive.findings.ruleset, changed[1])
    elif trusting:
        archive.findings.unchecked.append(_SAME_INSIDE.format(archive.findings.ruleset))


def _tell_late_steps(archive: Archive, entries: Iterator[Entry]) -> None:
    """Late counts like early, but it proves nothing: a host can have been off."""
    shown = [(entry.at, (entry.kind, _content_of(entry))) for entry in entries]
    for number, words in late_steps([content for _, content in shown], [at for at, _ in shown], waits=True):
        archive.findings.unchecked.append(f"Entry {number} was late: {words}.")


def _content_of(entry: Entry) -> Any:
    """None also for what cannot be read: where that matters, it is a problem already."""
    try:
        return None if entry.secret is None else entry.content
    except MalformedEntry:
        return None


def _check_sheets(archive: Archive) -> None:
    """Compare a seat's own sheets.json with what the journal shows of the letters in them."""
    archive.findings.unchecked.append(
        "Of each sheets.json the digests, and receipts, seats and arrivals as far as the journal shows them, were checked; how "
        "orders were understood and what became of them was not."
    )
    books = books_of_archive(archive.folder / "data")
    if books.broken:
        path, line = books.where
        turn = path.removeprefix("turns/").removesuffix("/sheets.json")
        archive.findings.add(Problem(f"data/{path}", books.broken, turn, line=line))


def _check_shown_time(archive: Archive, ruleset: Ruleset[Any] | None, entries: Iterator[Entry]) -> None:
    """The deadlines of the game, and votes, as far as the journal shows them to everybody."""
    if ruleset is None:
        archive.findings.unchecked.append("Deadlines were not checked, since the rules of this game are not known here.")
        return
    onlookers = Onlookers(Timing(archive.findings, ruleset, played=False), VoteCounts(archive.findings, None))
    for entry in entries:
        onlookers.before(entry)
        onlookers.after(entry)
    onlookers.say()


def _is_ours(game: ForeignGame, ruleset: Ruleset[Any] | None) -> bool:
    """Whether it was made by this pbmd with these rules, as far as it says."""
    return game.get("pbmd") == __version__ and ruleset is not None and ruleset_digest(ruleset) == game.get("ruleset_digest")


def _own_version(ruleset: Ruleset[Any] | None) -> str:
    if ruleset is None:
        return f"pbmd {__version__} without these rules"
    version = f", version {ruleset_version(ruleset)}" if ruleset_version(ruleset) else ""
    return f"pbmd {__version__} with {ruleset.info.slug}{version} (digest {ruleset_digest(ruleset)[:16]})"


# The bag and the files in it


def _check_bag(folder: Path, files: Mapping[str, int], findings: Findings, progress: Progress) -> None:
    counted = count(1)

    def done() -> None:
        findings.count("files")
        progress("files", next(counted), len(files))

    for damage in damages(folder, files, done):
        findings.add(Problem(damage.path, damage.problem, line=damage.line))


# The chain, and the commitments in it


def _check_chain(archive: Archive, game: ForeignGame, facts: Facts, progress: Progress) -> Callable[[], Iterator[Entry]] | None:
    """Check the journal; returns how to read it again, None if it is invalid."""
    findings, path = archive.findings, archive.folder / JOURNAL
    if JOURNAL not in archive.files:
        findings.add(Problem(JOURNAL, "it is missing"))
        return None
    said = game["journal"]
    total = entries if isinstance(entries := said.get("entries"), int) else 0
    last, promises, heads = 0, Promises(findings), Heads(findings)
    blanked: list[int] = []
    withheld: list[int] = []
    try:
        for entry in read_entries(path):
            last, findings.head = entry.number, entry.hash
            findings.count("entries")
            if not entry.sure or not entry.bound:
                findings.count("entries of which not all is shown")
                (blanked if entry.bound else withheld).append(entry.number)
            promises.take(entry)
            heads.take(entry)
            facts.take(entry)
            progress("journal", last, total)
    except BrokenJournal as problem:
        findings.add(Problem(JOURNAL, str(problem), line=problem.line))
        findings.unchecked.append("No turn was resolved again, since the journal does not hold.")
        return None
    if (last, findings.head) != (said.get("entries"), said.get("head")):
        wanted = f"{said.get('entries')} entries with the head {said.get('head')}"
        findings.add(
            Problem(GAME, "its journal has another head", expected=f"{last} entries with {findings.head}", found=wanted)
        )
    promises.say()
    heads.say()
    _say_what_is_not_bound(findings, blanked, withheld)
    return lambda: read_entries(path)


def _say_what_is_not_bound(findings: Findings, blanked: Sequence[int], withheld: Sequence[int]) -> None:
    """A forger could call anything blanked or withheld, so that the heads that players have would fit another game."""
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
