"""`pbmd verify`: is this archive what it says?"""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from pbmd.archive.format.findings import Findings, plain
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.seals import NotReadable
from pbmd.archive.verify.replay_pool import ReplayPool, cores
from pbmd.archive.verify.verify import verify
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.kept_mails import keys_typed
from pbmd.cli.options import RulesetSettings
from pbmd.cli.progress import on_terminal
from pbmd.cli.rulesets import folders_named
from pbmd.rules import Ruleset
from pbmd.rules.registry import find, from_folder

app = typer.Typer(**SETTINGS)

Archive = Annotated[
    Path, typer.Argument(help="An archive: the folder that `pbmd export` wrote, or that as a zip or tar file.", metavar="PATH")
]
RulesetFolder = Annotated[
    Path | None, typer.Option("--ruleset", help="The folder of the rules, if pbmd has not brought them along.", metavar="DIR")
]


_ALL_SOUND = "All of it is as it was written."
_SINGLE = {
    "deadlines": "deadline",
    "entries": "entry",
    "files": "file",
    "heads": "head",
    "pages,": "set of pages,",
    "secrets": "secret",
    "signatures": "signature",
    "steps": "step",
    "turns": "turn",
    "votes": "vote",
}
"""The words for what is counted, where it is one."""
_NOTHING_WRONG = "Nothing is wrong in what could be checked; what could not be is said above."


@app.command(
    "verify",
    epilog=examples(
        "pbmd verify galaxy-7",
        "pbmd verify galaxy-7.zip",
        "pbmd verify galaxy-7 --key example.org/games/galaxy-7+1f2e3d4c+AQ…",
        "pbmd verify galaxy-7 --trust-rules",
        "pbmd verify galaxy-7 --json",
    ),
)
def command(
    path: Archive,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as one JSON object.")] = False,
    ruleset: RulesetFolder = None,
    settings: RulesetSettings = None,
    key: Annotated[
        str, typer.Option(help="The key of the game as its host tells it; the archive must be signed with it.", metavar="KEY")
    ] = "",
    trusting: Annotated[
        bool,
        typer.Option(
            "--trust-rules", help="Play by the rules inside the archive, which are anybody's: in a process with few rights."
        ),
    ] = False,
    uncaged: Annotated[
        bool, typer.Option("--uncaged", help="With --trust-rules: also where this system cannot keep them from changing files.")
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", help="How many processes play a long game; else one a processor.", metavar="N", min=0)
    ] = 0,
) -> None:
    """Check an archive, and play its game again from the beginning to see whether everything comes out the same, byte for
    byte.

    That is: the checksums of all files, the chain of the journal, the dice secrets against what was promised, and every turn
    with its dice, positions, events, numbers, reports and maps; and game.toml, pages and database against all of that; and who
    has signed the journal up to where. It needs neither mail nor database nor network. If the rules have changed since, it says
    so; --trust-rules plays by those inside the archive, which then have nobody's word but their own, locked up so that they can
    only compute; where that cannot be done they are not run. What could not be checked is said, not passed over. Exit code 1 if
    anything is wrong.
    """
    if trusting and ruleset:
        fail("give --ruleset or --trust-rules, not both")
    if uncaged and not trusting:
        fail("--uncaged is for --trust-rules")
    try:
        folders = folders_named(settings, path)
        with unpacked(path) as folder, progress() as told:
            crew = ReplayPool(workers or cores(), _whole(ruleset), trusts=trusting, uncaged=uncaged, folders=folders)
            findings = verify(folder, rules_from(ruleset, folders), told, crew, keys_typed([key] if key else []))
        findings.path = str(path)
    except NotReadable as problem:
        fail(f"{path}: {problem}", WENT_WRONG)
    except OSError as problem:
        fail(f"{path}: {problem.strerror or problem}")
    if as_json:
        print(json.dumps(findings.document(), ensure_ascii=False, indent=2))
    else:
        print(_words(findings))
    if not findings.ok:
        raise typer.Exit(WENT_WRONG)


def _whole(folder: Path | None) -> str:
    return str(folder.resolve()) if folder else ""


def rules_from(folder: Path | None, folders: tuple[Path, ...]) -> Callable[[str], Ruleset[Any]]:
    """Where the rules of an archive come from: those in a folder, or else those of the settings (`folders`) and those
    installed. Raises `UnknownRuleset`; a folder with other rules ends the command."""
    return (lambda slug: find(slug, folders)) if folder is None else (lambda slug: _of_folder(folder, slug))


def _of_folder(folder: Path, slug: str) -> Ruleset[Any]:
    ruleset = from_folder(folder)
    if ruleset.info.slug != slug:
        fail(
            f"{folder} has the rules of {ruleset.info.slug}, and the game of this archive was played by those of {plain(slug)}"
        )
    return ruleset


@contextmanager
def progress() -> Generator[Callable[[str, int, int], None]]:
    """A progress bar on a terminal: what is being done, how much of it, of how much."""
    with on_terminal(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as shown:
        task = shown.add_task("", total=None)
        yield lambda what, done, total: shown.update(task, description=what, completed=done, total=total)


def _words(findings: Findings) -> str:
    checked = ", ".join(_number(count, what) for what, count in findings.checked.items())
    game = f"{findings.game} ({findings.ruleset}), {findings.view}" if findings.game else "no game"
    lines = [f"{findings.path}: {game}", f"Checked: {checked or 'nothing'}.", *_signed(findings)]
    lines += [*findings.remarks, *filter(None, [findings.changed])]
    if findings.ok:
        lines.append(_NOTHING_WRONG if findings.remarks else _ALL_SOUND)
        return "\n".join([*lines, f"Head of the journal: {findings.head or 'not shown'}"])
    lines += filter(None, [findings.missing])
    if not findings.problems:
        made = f" (It was made with {findings.needs}.)" if findings.needs else ""
        again = f"give the folder of its rules: pbmd verify {findings.path} --ruleset DIR"
        return "\n".join([*lines, f"Nothing is wrong in the rest. To have the turns played again, {again}{made}"])
    lines += [str(problem) for problem in findings.problems]
    if findings.needs:
        lines.append(f"It may be sound, and only the version be another: verify it with {findings.needs}.")
    count = len(findings.problems)
    many = f"More than {count} problems" if findings.unnamed else "1 problem" if count == 1 else f"{count} problems"
    return "\n".join([*lines, f"{many}: this is not what was written."])


def _number(count: int, what: str) -> str:
    """How many things of a kind were checked: "37 entries", "1 entry"."""
    many = next((word for word in what.split() if word in _SINGLE), "")
    return f"{count} {what.replace(many, _SINGLE[many], 1) if count == 1 and many else what}"


def _signed(findings: Findings) -> list[str]:
    """Who has signed the journal."""
    signed = [f"Signed by its host {findings.signed}."] if findings.signed else []
    return [*signed, *(f"Vouched for {each}." for each in findings.vouched)]
