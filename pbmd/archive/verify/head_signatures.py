"""The signatures under the heads of the journal: the host's, and in archives of pbmd 1.0 those of witnesses, and what an
outside service was given."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.findings import GAME, Archive, Problem, plain
from pbmd.archive.verify.game_facts import Facts
from pbmd.notes.checkpoint import Checkpoint, cosignature_of, is_of_log, read_checkpoint
from pbmd.notes.signed_note import NoNote, Note, Verifier, verifier_of

CHECKPOINT = "data/checkpoint.txt"
OF_SIGNATURES = re.compile(r"data/(?:checkpoint\.txt|witnessed/\d{3,6}\.txt|stamps/\d{6,9}\.(?:txt|proof))", re.ASCII)
_NO_OTHER = "its key is not the one that was given"
_TWO = "two histories, signed with one key: this is the checkpoint of another journal"
_MOST_WITNESSES = 100


def check_signed(archive: Archive, game: ForeignGame, facts: Facts, known: Sequence[Verifier]) -> None:
    """Note what is wrong with them, who vouches up to where, and what was not looked at. `known` are keys that are known from
    elsewhere than this archive."""
    findings = archive.findings
    files = sorted(path for path in archive.files if OF_SIGNATURES.fullmatch(path))
    said = game["journal"].get("key")
    if said is None and not files:
        if known:
            findings.add(Problem(GAME, "it has no signed checkpoint, so a key shows nothing of it"))
        return
    try:
        key = verifier_of(str(said))
        if any(each.name == key.name and each != key for each in known) or (known and key.public not in _public(known)):
            findings.add(Problem(GAME, _NO_OTHER, expected=str(known[0]), found=str(key)))
        witnesses = [verifier_of(str(each)) for each in _listed(game["journal"].get("witnesses", []))]
    except NoNote as problem:
        findings.add(Problem(GAME, str(problem)))
        return
    _check_last(archive, game, key)
    for path in files:
        if path.startswith("data/witnessed/"):
            _check_witnessed(archive, path, facts, key, witnesses)
    _check_stamps(archive, files, facts, key)


def _public(keys: Sequence[Verifier]) -> frozenset[bytes]:
    return frozenset(key.public for key in keys)


def _listed(said: Any) -> list[Any]:
    if not isinstance(said, list) or len(said) > _MOST_WITNESSES:
        raise NoNote("its witnesses are not a list of keys")
    return said


def _check_last(archive: Archive, game: ForeignGame, key: Verifier) -> None:
    """The host must have signed the end of the journal."""
    read = _read(archive, CHECKPOINT, key)
    if read is None:
        return
    checkpoint, there = read[1], (game["journal"].get("entries"), archive.findings.head)
    if (checkpoint.size, checkpoint.head) != there or checkpoint.origin != key.name or checkpoint.game != game["name"]:
        told = f"{game['name']}, entry {there[0]}, {there[1]}"
        found = f"{checkpoint.origin}, {checkpoint.place}, {checkpoint.head}"
        archive.findings.add(Problem(CHECKPOINT, "it is not that of the end of this journal", expected=told, found=found))
        return
    archive.findings.signed = plain(f"up to {checkpoint.place}, with {key}")


def _check_witnessed(archive: Archive, path: str, facts: Facts, key: Verifier, witnesses: Sequence[Verifier]) -> None:
    read = _read(archive, path, key)
    if read is None or not _is_ours(archive, path, read[1], facts):
        return
    note, checkpoint = read
    try:
        for seen in filter(None, (cosignature_of(note, witness) for witness in witnesses)):
            at = f"{datetime.fromtimestamp(seen.at, UTC):%Y-%m-%d %H:%M:%S} UTC" if seen.at < 2**36 else "a time that cannot be"
            archive.findings.vouched.append(plain(f"up to {checkpoint.place}: {seen.witness}, who says that it was {at}"))
    except NoNote as problem:
        archive.findings.add(Problem(path, str(problem)))
    owned = {line for witness in witnesses for line in note.signatures if witness.owns(line)}
    if others := len(note.signatures) - len(owned) - 1:
        archive.findings.unchecked.append(f"{others} signatures in {path} are of keys that game.toml does not have.")


def _check_stamps(archive: Archive, files: Sequence[str], facts: Facts, key: Verifier) -> None:
    """A stamp must be for a head of this journal. What the service says about it is for the service's own program to check."""
    given = [path for path in files if path.startswith("data/stamps/") and path.endswith(".txt")]
    proofs = {path.removesuffix(".proof") for path in files if path.endswith(".proof")}
    for path in sorted(proofs ^ {path.removesuffix(".txt") for path in given}):
        archive.findings.add(Problem(f"{path}.proof", "a proof, or what it is of, is missing"))
    fits = [path for path in given if (read := _read(archive, path, key)) and _is_ours(archive, path, read[1], facts)]
    if fits:
        many = f"{fits[0]} and {len(fits) - 1} more" if len(fits) > 1 else fits[0]
        archive.findings.unchecked.append(
            f"Beside {many} stands the proof of an outside service of when it was there (.proof): that is checked by "
            "the program of the service, such as openssl ts -verify or ots verify."
        )


def _read(archive: Archive, path: str, key: Verifier) -> tuple[Note, Checkpoint] | None:
    """A checkpoint that the host has signed; None, with a note, if it is not one."""
    archive.findings.count("signatures")
    try:
        note, checkpoint = read_checkpoint(archive.text(path) or "")
        if not is_of_log(note, key):
            raise NoNote(f"it is not signed with the key of this archive, {key}")
    except NoNote as problem:
        archive.findings.add(Problem(path, str(problem) if path in archive.files else "it is missing"))
        return None
    return note, checkpoint


def _is_ours(archive: Archive, path: str, checkpoint: Checkpoint, facts: Facts) -> bool:
    """Whether it is a head of this journal; if not, that is noted."""
    at = facts.heads.get(checkpoint.head, 0)
    if at and (checkpoint.by_report or at == checkpoint.size):
        return True
    heads = (f"entry {number} with {head}" for head, number in facts.heads.items() if number == checkpoint.size)
    words = f"{checkpoint.place} with {checkpoint.head}"
    archive.findings.add(
        Problem(path, _TWO, expected="a head of this journal" if checkpoint.by_report else next(heads, "none"), found=words)
    )
    return False
