"""Archives for tests: exported from a desk, damaged, or forged with all checksums right."""

import email
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from email.policy import default
from pathlib import Path
from typing import Any

from pbmd.archive.evidence.against_books import examine, examine_books
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.statements import Statement, Value
from pbmd.archive.evidence.verdict import Finding, is_about, of_another_game
from pbmd.archive.format.audience import ALL, Audience
from pbmd.archive.format.books import Books
from pbmd.archive.format.findings import Findings
from pbmd.archive.format.plan import plan_export
from pbmd.archive.verify.replay_pool import ReplayPool
from pbmd.archive.verify.verify import verify
from pbmd.archive.write.export import write_archive
from pbmd.archive.write.reader import Archive as Payload
from pbmd.archive.write.site import write_site
from pbmd.archive.write.sqlite_file import write_database
from pbmd.desk.books.checkpoints import journal_name, signer_of
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tokens import tokens_at_hand
from pbmd.ledger.journal import FIRST_HASH, chained, seal
from pbmd.notes.signed_note import Verifier
from pbmd.post.blank import Blanker
from pbmd.post.proof_file import words_digest
from pbmd.rules import Ruleset, canonical_json
from pbmd.rules.nothing import understanding_nothing
from pbmd.rules.registry import get
from tests.desk.world import World
from tests.rules import count, relay, tides, village

_SETTINGS = """\
rulesets = ["{rulesets}"]
[server]
address = "games@pbmd.test"
gm = "gm@pbmd.test"
data = "."
[imap]
host = "localhost"
user = "games"
password = "secret"
[smtp]
host = "localhost"
"""
_SMALL: dict[str, Ruleset[Any]] = {
    rules.info.slug: understanding_nothing(rules) for rules in (count.ruleset, relay.ruleset, tides.ruleset, village.ruleset)
}


def write_settings(home: Path) -> Path:
    """A settings file by which the command line opens the desk in that folder, with Count among its rules."""
    file = home / "pbmd.toml"
    file.write_text(_SETTINGS.format(rulesets=Path(count.__file__).parent))
    return file


def world_of_commands(home: Path) -> World:
    """A desk in that folder, which is made, that the command line can open, too."""
    home.mkdir()
    write_settings(home)
    world = World(home)
    (home / "server.key").write_bytes(world.desk.key)
    return world


def export(
    world: World,
    folder: Path,
    game: str = "galaxy-7",
    audience: Audience = ALL,
    *,
    anonymised: bool = False,
    signed: bool = False,
) -> Path:
    """The archive of a game, in `folder`; with `signed` the end of its journal is signed, as `pbmd export` does."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(game)
        assert table is not None
        plan = plan_export(work.session, table.game, table.ruleset, audience, anonymised=anonymised)
        plan = replace(plan, signer=signer_of(world.desk, journal_name(table.game))) if signed else plan
        blanker = Blanker(tokens_at_hand(work, table.id, work.desk.settings.server.gm))
        write_archive(work.session, plan, folder, blanker, lambda: None)
    return folder


_KEPT: dict[str, dict[str, bytes]] = {}


def kept(name: str, make: Callable[[], Path], to: Path) -> Path:
    """A copy, in `to`, of an archive that many tests begin with; it is made once a process."""
    if name not in _KEPT:
        made = make()
        _KEPT[name] = {str(path.relative_to(made)): path.read_bytes() for path in made.rglob("*") if path.is_file()}
    for path, content in _KEPT[name].items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes(content)
    return to


def rules_of(slug: str) -> Ruleset[Any]:
    """The rules of the tests, and those that are installed."""
    return _SMALL.get(slug) or get(slug)


def verified(archive: Path, known: Sequence[Verifier] = (), *, trusting: bool = False) -> Findings:
    """What `verify` finds; `known` are keys of the host. `trusting`: by the rules inside."""
    return verify(archive, rules_of, lambda _what, _done, _total: None, ReplayPool(trusts=trusting), known)


def verify_by_itself(archive: Path) -> None:
    """The program in an archive finds nothing wrong with it."""
    command = [sys.executable, "-I", "-S", archive / "verify.py", archive]
    done = subprocess.run(command, cwd=archive, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def examined(claims: Claims, books: Books) -> list[Finding]:
    """What `pbmd receipt` finds out about one mail, first about the books themselves."""
    of_books = examine_books(books)
    if not of_books.holds:
        return [of_books]
    if not any(is_about(statement, books) for statement in claims.statements):
        return [of_books, of_another_game(claims, books)]
    return [of_books, *examine(claims, books)]


def claimed(what: str, value: str) -> Claims:
    """A claim of one value."""
    return Claims((Statement((Value(what, value),)),))


def forge(archive: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the entries of the journal, and make chain, game.toml and checksums fit again."""
    path = archive / "data" / "journal.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    old = entries[-1]["hash"]
    change(entries)
    head = FIRST_HASH
    for number, entry in enumerate(entries, 1):
        entry["number"] = number
        if "salt" in entry:
            entry["sealed"] = seal(bytes.fromhex(entry["salt"]), canonical_json(entry["secret"]))
        at = datetime.fromisoformat(entry["at"])
        head = entry["hash"] = chained(head, number, at, entry["kind"], canonical_json(entry["public"]), entry["sealed"])
    path.write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))
    game = archive / "data" / "game.toml"
    said = game.read_text().replace(old, head)
    game.write_text(said.replace(f"entries = {_count(said)}", f"entries = {len(entries)}"))
    info = archive / "bag-info.txt"
    info.write_text(info.read_text().replace(old, head))
    seal_again(archive)


def derive_again(archive: Path) -> None:
    """Make pages and database anew from what is there, and the checksums fit."""
    payload = archive / "data"
    shutil.rmtree(payload / "assets")
    (payload / "game.sqlite").unlink()
    write_database(Payload(payload), payload / "game.sqlite", lambda: None)
    write_site(Payload(payload), lambda: None)
    seal_again(archive)


def seal_again(archive: Path) -> None:
    """Make the checksums fit what is there (RFC 8493); the library that makes bags takes ten times as long for it."""
    payload = {path.relative_to(archive).as_posix(): path.read_bytes() for path in _files(archive / "data")}
    info = archive / "bag-info.txt"
    oxum = f"Payload-Oxum: {sum(map(len, payload.values()))}.{len(payload)}"
    info.write_text(re.sub(r"^Payload-Oxum: .*$", oxum, info.read_text(encoding="utf-8"), flags=re.MULTILINE), encoding="utf-8")
    algorithms = [path.stem.partition("-")[2] for path in archive.glob("manifest-*.txt")]
    for algorithm in algorithms:
        _write_sums(archive / f"manifest-{algorithm}.txt", algorithm, payload)
    tags = {path.name: path.read_bytes() for path in sorted(archive.iterdir()) if path.is_file()}
    listed = {name: content for name, content in tags.items() if not name.startswith("tagmanifest-")}
    for algorithm in algorithms:
        _write_sums(archive / f"tagmanifest-{algorithm}.txt", algorithm, listed)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _write_sums(manifest: Path, algorithm: str, files: dict[str, bytes]) -> None:
    names = {name: name.replace("\r", "%0D").replace("\n", "%0A") for name in files}
    sums = (f"{hashlib.new(algorithm, content).hexdigest()}  {names[name]}\n" for name, content in files.items())
    manifest.write_text("".join(sums), encoding="utf-8")


def _count(said: str) -> str:
    return next(line.removeprefix("entries = ") for line in said.splitlines() if line.startswith("entries = "))


def fitted(mail: bytes) -> bytes:
    """A mail that was changed, with the digest in its file, if there is one, made to fit its words: a host makes both. The file
    must be `opened`."""
    body = email.message_from_bytes(mail, policy=default).get_body(("plain",))
    assert body is not None
    words = words_digest(body.get_content())
    return re.sub(rb"(\(the words of the mail\):\s+)[0-9a-f]{64}", rb"\g<1>" + words.encode(), mail)
