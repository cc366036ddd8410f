"""`pbmd demo`: every ruleset can be played by mail, by players who write as people do, through a real post office."""

import mailbox
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.demo import game
from pbmd.demo.game import DemoStuck, Stage, play, stage_of, usual_stage
from pbmd.demo.players import misspelt
from pbmd.ledger.tables import LogLine
from pbmd.rules.registry import from_folder, get
from tests.doses import dose
from tests.rules import count, relay, tides

RULESETS = ("cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")


def mails(folder: Path) -> list[EmailMessage]:
    """All that the players got."""
    parser, found = BytesParser(policy=default), []
    for path in sorted((folder / "mail").glob("*.mbox")):
        with closing(mailbox.mbox(path)) as box:
            found += [parser.parsebytes(mail.as_bytes()) for mail in box]
    return found


def quick(stage: Stage) -> Stage:
    """With little time for those who forget a turn."""
    return replace(stage, deadline="3s", reminder="1s", poll_seconds=1)


@pytest.mark.parametrize("name", dose(("diplomacy", "societies"), RULESETS))
def test_every_ruleset_is_played_by_mail(name: str, tmp_path: Path) -> None:
    told: list[LogLine] = []
    stage = stage_of(get(name), name, None, 1)
    stage = replace(stage, poll_seconds=1, ways=tuple(replace(ways, forgets=0) for ways in stage.ways))
    played = play(stage, tmp_path / "demo", told.append)
    what = [line.what for line in told]
    assert "defect" not in what
    assert {"created", "joined", "press", "resolved", "finished"} <= {*what}
    assert played.steps >= 1
    assert played.letters >= len(stage.signups) + 2
    subjects = [str(mail["Subject"]) for mail in mails(tmp_path / "demo")]
    ends = [subject for subject in subjects if subject.endswith(("the game is over", "the game is abandoned"))]
    assert len(ends) == len(stage.signups)


class TestTheSmallGames:
    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize("module", [count, relay, tides], ids=lambda module: module.info.slug)
    def test_are_played_from_their_folders(self, module, tmp_path: Path) -> None:
        folder = Path(module.__file__).parent
        stage = quick(stage_of(from_folder(folder), folder.name, folder, 3))
        stage = replace(stage, options={"target": 1000} if "target" in stage.rules.info.options else {})
        told: list[LogLine] = []
        play(stage, tmp_path / "demo", told.append)
        assert "defect" not in [line.what for line in told]
        assert "finished" in [line.what for line in told]
        # One forgot their orders, and sent them when it was too late.
        assert any(line.what == "nmr" and line.seat == stage.signups[-1].seat for line in told)
        answers = [mail.get_body(("plain",)).get_content() for mail in mails(tmp_path / "demo")]  # type: ignore[union-attr]
        assert any("Good luck, everybody." in answer for answer in answers)
        if module is not relay:  # where a letter that missed one move is good for the next
            assert any(line.what == "late" and line.seat == stage.signups[-1].seat for line in told)
        assert any("STATUS" in answer for answer in answers)


@pytest.fixture
def a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A copy of a small game with more code at its end; what is to be played is quick."""
    monkeypatch.chdir(tmp_path)

    def copied(more: str = "") -> Path:
        folder = tmp_path / "count"
        shutil.copytree(Path(count.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
        with (folder / "__init__.py").open("a") as init:
            init.write(more)
        return folder

    return copied


def test_the_command_plays_a_ruleset_by_its_path(a_copy: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    a_copy()
    nobody_forgets = tuple(tuple(replace(ways, forgets=0) for ways in several) for several in game._ALL)
    monkeypatch.setattr(game, "_ALL", nobody_forgets)
    done = CliRunner().invoke(app, ["demo", "./count", "--turns", "1", "--to", "played"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        "Four players, one post office, one game. Altair, Borealis, Cygnus and Deneb write their orders"
    )
    assert "Nobody had won after turn 1, and the demo ended the game. 1 turn, " in done.stdout
    assert "played/mail/altair.mbox" in done.stdout
    assert Path("played/archive/data/game.toml").is_file()
    assert CliRunner().invoke(app, ["verify", "played/archive", "--ruleset", "count"]).exit_code == 0
    assert CliRunner().invoke(app, ["status", "--settings", "played/pbmd.toml"]).exit_code == 0


class TestARulesetThatFails:
    MORE = "\nfrom dataclasses import replace as but\nsound = ruleset\n"

    @pytest.fixture
    def failed(self, a_copy: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Result]:
        """What the command says of a game with that code at its end."""

        def played(more: str) -> Result:
            a_copy(self.MORE + more)
            nobody_forgets = tuple(tuple(replace(ways, forgets=0) for ways in several) for several in game._ALL)
            monkeypatch.setattr(game, "_ALL", nobody_forgets)
            return CliRunner().invoke(app, ["demo", "--ruleset", "./count", "--turns", "1", "--to", "played"])

        return played

    @pytest.mark.parametrize(
        ("code", "problem"),
        [
            (
                "def broken(*_):\n    raise KeyError('no such star')  # HERE\nruleset = but(ruleset, resolve=broken)\n",
                "the game cannot go on, because of a defect: HERE, in broken: KeyError: 'no such star'",
            ),
            (
                "ruleset = but(ruleset, receive=lambda position, mail: position)  # HERE\n",
                "the game cannot go on, because of a defect: HERE: what receive gives back: it is Position, and not Receipt",
            ),
            (
                (
                    "def late(document):\n    if document['turn'] < 2:\n        return sound.load(document)\n"
                    "    raise ValueError('too late')  # HERE\nruleset = but(ruleset, load=late)\n"
                ),
                "the game cannot go on, because of a defect: HERE, in late: ValueError: too late",
            ),
            (
                "def never(document):\n    raise ValueError('never')  # HERE\nruleset = but(ruleset, load=never)\n",
                "the game cannot begin: HERE, in never: ValueError: never",
            ),
        ],
        ids=["raises", "gives something else", "does not read a later position", "reads no position"],
    )
    def test_ends_the_demo_with_the_place_and_what_was_raised(
        self, failed: Callable[[str], Result], code: str, problem: str
    ) -> None:
        done = failed(code)
        lines = Path("count/__init__.py").read_text().splitlines()
        line = next(number for number, text in enumerate(lines, start=1) if "# HERE" in text)
        assert done.exit_code == 1
        assert f"pbmd: {problem.replace('HERE', f'count/__init__.py, line {line}')}\n" in done.stderr
        assert done.stderr.endswith("shows the whole trace, and pbmd try ./count looks at the ruleset.\n")

    def test_before_the_game_has_begun_is_told_as_by_other_commands(self, failed: Callable[[str], Result]) -> None:
        done = failed("ruleset = but(ruleset, order_form=lambda position, seat: [])  # HERE\n")
        assert done.exit_code == 1
        assert "what order_form gives back: it is list, and not str\n" in done.stderr

    def test_has_its_trace_if_that_is_wanted(self, failed: Callable[[str], Result], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_TRACE", "1")
        raised = failed(
            "def broken(*_):\n    raise KeyError('no such star')\nruleset = but(ruleset, resolve=broken)\n"
        ).exception
        assert isinstance(raised, DemoStuck)
        assert isinstance(raised.__cause__, KeyError)

    def test_only_with_its_map_is_told_of_it_in_the_end(self, failed: Callable[[str], Result]) -> None:
        done = failed(
            "def mapped(position, events, reader):  # HERE\n"
            "    told = sound.view(position, events, reader)\n"
            "    return but(told, data={**told.data, 'map': {'title': 'A map'}})\n"
            "ruleset = but(ruleset, view=mapped, info=but(ruleset.info, map=True))\n"
        )
        assert done.exit_code == 0, done.output
        assert "maps could not be drawn: the key 'owners' is missing in it (count/__init__.py, line " in done.stdout


def test_a_machine_on_which_nothing_answers_in_time_is_told_of_in_a_line(
    a_copy: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_answers(*_: object) -> None:
        raise TimeoutError("timed out")

    a_copy()
    monkeypatch.setattr("pbmd.demo.players.IMAPClient.noop", never_answers)
    done = CliRunner().invoke(app, ["demo", "./count", "--to", "played"])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "the post office of the demo has not answered for 120 s" in done.stderr


def test_what_the_demo_leaves_behind_is_for_its_owner_alone(tmp_path: Path) -> None:
    stage = quick(stage_of(count.ruleset, "count", Path(count.__file__).parent, 1))
    stage = replace(stage, ways=tuple(replace(ways, forgets=0) for ways in stage.ways))
    play(stage, tmp_path / "demo", lambda _line: None)
    assert (tmp_path / "demo" / "pbmd.toml").stat().st_mode & 0o777 == 0o600


def test_the_usual_demo_is_galactic_overlord_with_four_players() -> None:
    stage = usual_stage(get("galactic_overlord"), "galactic_overlord")
    assert [signup.seat for signup in stage.signups] == ["Altair", "Borealis", "Cygnus", "Deneb"]
    assert stage.mailboxes == ("altair", "borealis", "cygnus", "deneb")
    assert stage.options == {"turn_limit": 40}
    assert [ways.forgets for ways in stage.ways] == [0, 0, 0, 2]
    assert not any(ways.greets or ways.asks or ways.late for ways in stage.ways)


@pytest.mark.parametrize(
    ("orders", "slip"),
    [
        ("Build 2 Carriers", "Biuld 2 Carriers"),
        ("A 7\nAttack all", "Atatck all"),
        ("Go to 0506", ""),
        ("", ""),
    ],
)
def test_a_slip_of_the_pen_changes_two_letters_about(orders: str, slip: str) -> None:
    assert misspelt(orders) == slip


def test_two_rulesets_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["demo", "societies", "--ruleset", "diplomacy", "--to", str(tmp_path / "x")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "you name two rulesets, societies and diplomacy; name one" in done.stderr


@pytest.mark.parametrize("words", [("galactic_overlrd",), ("--ruleset", "galactic_overlrd")])
def test_an_unknown_ruleset_is_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["demo", *words, "--to", str(tmp_path / "x")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert 'Did you mean "galactic_overlord"?' in done.stderr
