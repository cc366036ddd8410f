"""`pbmd witness`: vouch for what the host of a game has signed, or keep what others have; `pbmd key`: by which key it is
signed."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlmodel import col, select

from pbmd.archive.format.entries import BrokenJournal
from pbmd.archive.verify.consistency import heads_of, trouble_between
from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.kept_mails import keys_typed, mails_of
from pbmd.cli.new_key import go_on_with_new_key
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.checkpoints import log_of
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.witnesses import endorsements, keep_witnesses
from pbmd.ledger.log_file import printable
from pbmd.ledger.tables import Game
from pbmd.notes.checkpoint import read_checkpoint
from pbmd.notes.memory import Follows, Memory, Refusal, Vouched, locked_memory, new_memory, read_memory, vouch
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import NoNote, Verifier

app = typer.Typer(**SETTINGS)

_NOT_SHOWN = (
    "Whether this head follows from the last one that was signed was not checked, since no archive was given (--archive); "
    "that there are no two heads with one number was."
)
_SHOWN = "That this head follows from the last one that was signed is shown by the archive."
_SHOWS_OTHERWISE = "programs show something else of it than its text says; pbmd compare tells what"
_FIRST = "It is the first of its game: the key was taken as it came, so compare it with what the host tells elsewhere: {key}"


@app.command(
    "witness",
    epilog=examples(
        "pbmd witness --new example.net/alice",
        "pbmd witness report.eml",
        "pbmd witness ~/Maildir --archive galaxy-7 --to signed.txt",
        "pbmd witness --add galaxy-7 signed.txt",
    ),
)
def command(
    mails: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Reports of a game, or checkpoints: files, mbox, Maildir, folders.", metavar="MAIL...", exists=True
        ),
    ] = None,
    new: Annotated[str, typer.Option(help="Become a witness of that name: one word like a web address.", metavar="NAME")] = "",
    memory: Annotated[Path, typer.Option(help="The file with the key and all that was signed.", metavar="FILE")] = Path(
        "witness.json"
    ),
    key: Annotated[
        list[str] | None, typer.Option(help="The key of a game as its host tells it (`pbmd key`).", metavar="KEY")
    ] = None,
    archive: Annotated[
        Path | None, typer.Option(help="An archive that shows that each head follows from the one before.", metavar="DIR")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Write what is signed into a file, too.", metavar="FILE")] = None,
    add: Annotated[str, typer.Option(help="At the host: keep what witnesses have signed of a game.", metavar="GAME")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Vouch for the heads of a game's journal: sign the checkpoints that its host has signed, if they contradict nothing that
    this witness has signed before. What is printed is mailed to the address of a listed game, in a mail of its own.

    A witness needs no settings. It remembers what it has signed, and signs no second head with one number, no lower number, and
    nothing with another key. Whether a head follows from the last one is shown by an archive alone; without one it is said that
    this was not checked.

    Exit code 0: all of it is signed. 1: something is refused, such as a second history; both notes are printed. 2: there is
    nothing to sign.
    """
    if new:
        _become(new, memory, as_json=as_json)
        return
    found = [] if mails is None else [*_found(mails)]
    if not found:
        fail("there is no checkpoint to sign; give a report of a game, or --new NAME to become a witness")
    if add:
        _add(settings, add, found, as_json=as_json)
        return
    _sign(memory, found, _Given(tuple(keys_typed(key or ())), archive, to), as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Read:
    """A checkpoint, where it is, and the keys that came with it."""

    where: str
    found: FoundNote
    keys: tuple[Verifier, ...]


@dataclass(frozen=True, slots=True)
class _Given:
    """What else a witness needs: known keys, an archive, and where to write."""

    keys: tuple[Verifier, ...]
    archive: Path | None
    to: Path | None


def _become(name: str, memory: Path, *, as_json: bool) -> None:
    try:
        made = new_memory(memory, name)
    except FileExistsError:
        fail(f"{memory} is there already; --memory takes another file")
    except (NoNote, OSError) as problem:
        fail(problem)
    told = str(made.signer.verifier)
    if as_json:
        print(json.dumps({"key": told, "memory": str(memory)}, indent=2))
        return
    print(
        f"{told}\nThis is your key as witness. Tell it to those who are to believe you; keep {memory} to yourself, with a copy."
    )


def _found(mails: Sequence[Path]) -> Iterator[_Read]:
    for path in mails:
        for mail, claims in mails_of(path):
            if claims and claims.shows_otherwise:
                typer.echo(printable(f"{mail.where}: {_SHOWS_OTHERWISE}"), err=True)
            for found in claims.checkpoints if claims else ():
                yield _Read(mail.where, found, claims.keys if claims else ())


def _sign(file: Path, found: Sequence[_Read], given: _Given, *, as_json: bool) -> None:
    """Sign all that can be signed, those with lower numbers first; what is signed is remembered before it is shown."""
    follows = _follows(given.archive)
    signed, refused = list[tuple[_Read, Vouched]](), list[tuple[_Read, Refusal]]()
    once = {str(each.found.note): each for each in sorted(found, key=lambda each: each.found.checkpoint.size)}
    try:
        with locked_memory(file) as keep:
            memory = read_memory(file)
            for each in once.values():
                try:
                    memory, vouched = vouch(memory, each.found, _key(each, given.keys, memory), int(time.time()), follows)
                    signed.append((each, vouched))
                except Refusal as refusal:
                    refused.append((each, refusal))
            if signed:
                keep(memory)
    except FileNotFoundError:
        fail(f"there is no {file}; pbmd witness --new NAME makes one")
    except (NoNote, OSError) as problem:
        fail(problem)
    text = "\n".join(_mail(memory, vouched) for _, vouched in signed)
    if given.to and signed:
        given.to.write_text(text, encoding="utf-8")
    if as_json:
        print(json.dumps(_document(memory, signed, refused), ensure_ascii=False, indent=2))
    else:
        _tell(text, signed, refused, is_shown=given.archive is not None)
    if refused:
        raise typer.Exit(WENT_WRONG)


def _follows(archive: Path | None) -> Follows:
    if archive is None:
        return lambda _before, _after: ""
    try:
        heads = heads_of(archive)
    except (BrokenJournal, OSError) as problem:
        fail(f"{archive} is no archive whose journal holds: {problem}", WENT_WRONG)
    return lambda before, after: trouble_between(heads, before, after)


def _key(each: _Read, given: Sequence[Verifier], memory: Memory) -> Verifier:
    """The key by which a checkpoint is checked: the one that was typed, the one that is remembered, or the one beside it."""
    origin = each.found.checkpoint.origin
    known = [memory.logs[origin].key] if origin in memory.logs else []
    key = next((key for key in (*given, *known, *each.keys) if key.name == origin), None)
    if key is None:
        raise Refusal(f"no key of {origin} stands beside it; give it with --key")
    return key


def _mail(memory: Memory, vouched: Vouched) -> str:
    """What is mailed to the game."""
    return f"WITNESS KEY {memory.signer.verifier}\n\n{vouched.note}"


def _tell(
    text: str, signed: Sequence[tuple[_Read, Vouched]], refused: Sequence[tuple[_Read, Refusal]], *, is_shown: bool
) -> None:
    print(printable_text(text), end="")
    for each, vouched in signed:
        words = _FIRST.format(key=vouched.key) if vouched.is_first else _SHOWN if is_shown else _NOT_SHOWN
        typer.echo(printable(f"{each.where}, {each.found.checkpoint.place}: signed. {words}"), err=True)
    for each, refusal in refused:
        typer.echo(printable(f"{each.where}, {each.found.checkpoint.place}: NOT signed: {refusal}"), err=True)
        for note in refusal.proof:
            typer.echo(f"\n{printable_text(note)}", err=True)


def printable_text(text: str) -> str:
    """Lines without control characters that a terminal would obey."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _document(
    memory: Memory, signed: Sequence[tuple[_Read, Vouched]], refused: Sequence[tuple[_Read, Refusal]]
) -> dict[str, Any]:
    return {
        "key": str(memory.signer.verifier),
        "signed": [
            {"mail": each.where, "log": each.found.checkpoint.origin, "number": each.found.checkpoint.size,
             "before": vouched.before, "key": str(vouched.key), "note": str(vouched.note)}
            for each, vouched in signed
        ],
        "refused": [{"mail": each.where, "why": str(refusal), "proof": refusal.proof} for each, refusal in refused],
    }  # fmt: skip


def _add(settings: Path, game: str, found: Sequence[_Read], *, as_json: bool) -> None:
    """At the host: keep what is signed."""
    with at_desk(settings) as desk, writing(desk) as work:
        table = table_of(work, game)
        came = [each for read in found for each in keep_witnesses(work, table, read.found, read.keys)]
    if as_json:
        rows = [{"witness": each.witness, "number": each.checkpoint.size, "new": each.new} for each in came]
        print(json.dumps({"game": game, "witnesses": rows}, ensure_ascii=False, indent=2))
        return
    for each in came:
        print(f"{each.witness} vouches for {game} up to {each.checkpoint.place}{'' if each.new else ', or further'}.")


@app.command("key", epilog=examples("pbmd key", "pbmd key galaxy-7 --json", "pbmd key --new"))
def key(
    game: Annotated[str, typer.Argument(help="The game; else all.", metavar="GAME")] = "",
    new: Annotated[bool, typer.Option("--new", help="Make a new server.key: the old one is lost for good.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show by which key the checkpoints of a game are signed, and who vouches for them up to where. The key is public: have it
    stand where players find it without you.

    With --new the server gets another key, from which the keys of all games and all tokens in mails come; no daemon must run.
    It is refused as long as the right one, or its copy beside the backups, is there.
    """
    if new and game:
        fail("--new is for all games: give none")
    if new:
        told = go_on_with_new_key(settings)
        print(json.dumps(told, default=str, ensure_ascii=False, indent=2) if as_json else "\n".join(told["words"]))
        return
    with at_desk(settings) as desk, Transaction(desk, reads=True) as work:
        games = work.session.exec(select(Game).order_by(col(Game.id))).all()
        if game and game not in {each.name for each in games}:
            table_of(work, game)  # says which there are
        told = [_of_game(work, each) for each in games if game in ("", each.name)]
    if as_json:
        print(json.dumps({"games": told}, ensure_ascii=False, indent=2))
        return
    for each in told:
        print(f"{each['game']}\n    {each['key']}")
        for witness in each["witnesses"]:
            print(f"    vouched for up to {witness['place']} by {witness['key']}")
    if not told:
        print("There is no game yet.")


def _of_game(work: Transaction, game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "key": str(log_of(work.desk, game).verifier),
        "witnesses": [
            {"key": each.key, "place": read_checkpoint(each.note)[1].place, "number": each.entry}
            for each in endorsements(work, game.id)
        ],
    }
