"""`pbmd play`: a game in one terminal, without mail."""

import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from pbmd.cli.authors import looked_at, told_of
from pbmd.cli.common import SETTINGS, TRACE, WENT_WRONG, examples, fail, is_path
from pbmd.cli.rulesets import typed_options
from pbmd.conformance.watched_ruleset import typed
from pbmd.files import write_file
from pbmd.play.browser import pages
from pbmd.play.game import NotSavedError, Plan, PlayedGame, begin, load, saved_in
from pbmd.play.local_desk import LocalDesk
from pbmd.play.pictures import can_show_pictures
from pbmd.play.recording import Rolled, story_of
from pbmd.play.seat_names import NoSuchSeatError, seats_of
from pbmd.play.terminal import Terminal
from pbmd.play.typed_lines import play, prompted, with_newlines_gone
from pbmd.rules import OptionError, Refused, Ruleset
from pbmd.rules.options import Options, complete
from pbmd.rules.registry import UnknownRuleset, reread, slugs
from pbmd.rules.troubles import BrokenGame
from pbmd.rules.words import listing
from pbmd.simulate import must_be_for, signups, usual_players

app = typer.Typer(**SETTINGS)
_SEED = 1


@app.command(
    "play",
    epilog=examples(
        "pbmd play",
        "pbmd play diplomacy --seat France",
        "pbmd play galactic_overlord --players 4 --seed 7 --browser",
        "pbmd play ./count --reload",
        "pbmd play --load friday.pbmd",
    ),
)
def command(
    ruleset: Annotated[str | None, typer.Argument(help="A ruleset, or the path of its folder.", metavar="RULESET")] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(help="A seat that you play; give it as often as you like. Without it, the first.", metavar="NAME"),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, help="How many play. Without it, as many as is usual for the game.", metavar="NUMBER")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game, as often as needed.", metavar="KEY=VALUE")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Another number gives another game. Without it, 1.", metavar="NUMBER")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open the pages of your seat in a browser, too.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where the pages are; 0: any free port.", metavar="PORT")] = 0,
    reload: Annotated[
        bool, typer.Option("--reload", help="Take in the files of the ruleset's folder whenever they are saved.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(help="Write what is played as a story, for the folder `stories` of a ruleset.", metavar="FILE"),
    ] = None,
    saved: Annotated[
        Path | None, typer.Option("--load", help="Go on with a game that was kept by `save`.", metavar="FILE")
    ] = None,
) -> None:
    """Play a game in this terminal: no mail, no server, nothing to set up. You take one seat or several, random players the
    rest.

    What you type goes the way of a letter, and what you read is what would be mailed: acknowledgement, report, map. Nothing is
    kept unless you say `save`.
    """
    if saved:
        chosen = {"RULESET": ruleset, "--seat": seat, "--players": players, "--option": option, "--seed": seed}
        _must_go_on_as_kept(chosen, recorded=bool(record))
    console = Console(highlight=False)
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="pbmd-play-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        path = "" if saved else _lasting(ruleset or _chosen(console))
        with _told_in_a_line(saved):
            if saved:
                game, path = _loaded(stack, folder, saved)
            else:
                game = _begun(stack, folder, path, seat or [], players, option or [], seed, recorded=bool(record))
        refresh = _refreshed(path) if reload else _never
        terminal = Terminal(
            game,
            path,
            console,
            load=lambda file: _loaded_again(stack, folder, file, is_bound=bool(reload or record)),
            refresh=refresh,
            explain=lambda trouble: told_of(terminal.game.rules, trouble),
            begins=not saved,
            typed_by_hand=sys.stdin.isatty(),
        )
        if browser:
            terminal.address = stack.enter_context(_pages(terminal, port))
            typer.echo(f"The pages of your seat are at {terminal.address(terminal.seat)}")
            typer.launch(terminal.address(terminal.seat))
        lines = prompted(terminal) if sys.stdin.isatty() else with_newlines_gone(sys.stdin)
        _play(terminal, lines)
        if record:
            _record(record, terminal.game, option or [])


def _must_go_on_as_kept(chosen: Mapping[str, object], *, recorded: bool) -> None:
    """Ends the command if something is asked for that a game which goes on cannot have."""
    if recorded:
        fail("--record writes down a game from its beginning, and --load goes on with one")
    if ignored := [name for name, value in chosen.items() if value is not None]:
        fail(f"--load goes on with a game as it was kept, so that {listing(ignored)} cannot be given with it")


def _loaded_again(stack: ExitStack, folder: Path, file: Path, *, is_bound: bool) -> tuple[PlayedGame, str]:
    """A saved game in place of the one that is played. `is_bound`: a story of this one is recorded, or the files of its rules
    are watched. Raises `NotSavedError`, `OSError`, `Refused` and `UnknownRuleset`."""
    if is_bound:
        raise Refused("no other game is loaded while one is recorded, or its files are taken in: begin with pbmd play --load")
    return _loaded(stack, folder, file)


@contextmanager
def _told_in_a_line(saved: Path | None) -> Generator[None]:
    """Why there is no game ends the command with a sentence."""
    try:
        yield
    except (UnknownRuleset, OptionError, Refused, NotSavedError, NoSuchSeatError) as problem:
        fail(problem)
    except OSError as problem:
        fail(f"{saved}: {problem.strerror or problem}" if saved else problem)


def _record(file: Path, game: PlayedGame, options: list[str]) -> None:
    """Write the story; its author gives it a title, and takes out what is not to the point."""
    told = story_of("What this story is about", game.seats, [text.replace("=", " = ", 1) for text in options], game.acts)
    try:
        write_file(file, told, lasting=True)
    except OSError as problem:
        fail(f"--record: {file}: {problem.strerror or problem}")
    typer.echo(f"The story is in {file}: give it a title, and take out what is not to the point.")


def _play(terminal: Terminal, lines: Iterable[str]) -> None:
    if sys.stdin.isatty():
        with suppress(ImportError):
            importlib.import_module("readline")  # what is typed can be edited, where Python has it
    try:
        play(terminal, lines)
    except KeyboardInterrupt:
        terminal.console.print()
    except BrokenGame as problem:
        if os.environ.get(TRACE):
            raise
        fail(told_of(terminal.game.rules, problem), WENT_WRONG)


@contextmanager
def _pages(terminal: Terminal, port: int) -> Generator[Callable[[str], str]]:
    try:
        with pages(lambda: terminal.game, terminal.lock, port) as address:
            yield address
    except OSError as problem:
        fail(f"--port {port}: {problem.strerror or problem}")


def _chosen(console: Console) -> str:
    """Which of the games that come with pbmd is played, as its user says."""
    listed = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    titles = dict[str, str]()
    for number, slug in enumerate(slugs(), start=1):
        info = looked_at(slug).info
        titles[slug] = info.title
        listed.add_row(str(number), info.title, f"{slug}: {info.summary}")
    console.print(listed)
    if not sys.stdin.isatty():
        fail("say which: pbmd play RULESET")
    return _asked(console, titles)


_HOW_TO_CHOOSE = "Type a number, a name or its beginning; q leaves."


def _asked(console: Console, titles: Mapping[str, str]) -> str:
    """Ask for one of these rulesets, until it is clear which; to leave ends the command."""
    console.print(_HOW_TO_CHOOSE)
    while True:
        try:
            said = console.input("Which? ").strip()
        except EOFError:
            said = "q"
        if said.casefold() in ("q", "quit", "exit"):
            raise typer.Exit
        found = games_called(said, titles)
        if len(found) == 1:
            return found[0]
        problem = f"This may be {listing([titles[slug] for slug in found], 'or')}." if found else "There is no such game."
        console.print(f"{problem} {_HOW_TO_CHOOSE}" if said else _HOW_TO_CHOOSE)


def games_called(said: str, titles: Mapping[str, str]) -> list[str]:
    """The rulesets, each with its title, that are meant by a number in their list, by a name, or by the beginning of one."""
    by_number = {str(number): slug for number, slug in enumerate(titles, 1)}
    if said in by_number:
        return [by_number[said]]
    names = {slug: (slug, title.casefold()) for slug, title in titles.items()}
    called = [slug for slug, known in names.items() if said.casefold() in known]
    begin = [slug for slug, known in names.items() if any(name.startswith(said.casefold()) for name in known)]
    return called or (begin if said else [])


def _begun(
    stack: ExitStack,
    folder: Path,
    path: str,
    seats: list[str],
    players: int | None,
    typed: list[str],
    seed: int | None,
    *,
    recorded: bool,
) -> PlayedGame:
    rules = looked_at(path)
    options = typed_options(rules.info, typed)
    chosen = complete(rules.info.options, options)
    if players:
        must_be_for(rules, players)
    people = signups(rules, players or _usual(rules, chosen), chosen)
    names = [signup.seat for signup in people]
    mine = seats_of(seats, names) or (names[0],)
    rolled = Rolled() if recorded else None
    chance = _SEED if seed is None else seed
    desk = LocalDesk(folder, {_name(path): rolled.noted(rules) if rolled else rules}, chance)
    stack.callback(desk.close)
    return begin(desk, Plan(_name(path), path, rules, options, people, mine, chance, can_show_pictures(Console())), rolled)


_TABLE = 7
"""At a table sit at most so many, where the game itself has no number."""


def _usual(rules: Ruleset[Any], options: Options) -> int:
    """All seats of a game that has a number of them, else as many as random games have."""
    most = rules.room(options)
    return most if most and most <= _TABLE else usual_players(rules, options)


def _loaded(stack: ExitStack, folder: Path, file: Path) -> tuple[PlayedGame, str]:
    saved, ledger = saved_in(file)
    rules = looked_at(saved.path)
    own = Path(tempfile.mkdtemp(dir=folder))
    desk = LocalDesk(own, {saved.ruleset: rules}, saved.seed)
    stack.callback(desk.close)
    return load(desk, saved, ledger, pictures=can_show_pictures(Console())), saved.path


def _lasting(path: str) -> str:
    """A path that leads to the ruleset from anywhere, for a game that is saved; the name of one that comes with pbmd."""
    return str(Path(path).resolve()) if is_path(path) else path


def _name(path: str) -> str:
    return Path(path).name if is_path(path) else path


def _refreshed(path: str) -> "_Refreshed":
    if not is_path(path):
        fail("--reload is for the folder of a ruleset: name it like ./count")
    return _Refreshed(Path(path))


def _never(_game: PlayedGame) -> str:
    return ""


class _Refreshed:
    """A ruleset's folder that is looked at before anything is done, and read anew if a file of it has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen = self._times()
        sys.dont_write_bytecode = True  # a file that is saved twice in a second would be taken for the first

    def __call__(self, game: PlayedGame) -> str:
        """What came of it, in a sentence."""
        if (times := self._times()) == self.seen:
            return ""
        self.seen = times
        try:
            rules = typed(reread(self.folder))
        except UnknownRuleset as problem:
            return f"{problem}\nThe game goes on by the rules as they were."
        trouble = game.reload(rules)
        if trouble:
            return f"The position does not load by the new rules ({trouble}); the game goes on by the rules as they were."
        return "The rules were read anew."

    def _times(self) -> dict[Path, int]:
        files = (path for path in self.folder.rglob("*") if "__pycache__" not in path.parts and path.is_file())
        return {path: path.stat().st_mtime_ns for path in files}
