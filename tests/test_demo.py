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
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.demo import game
from pbmd.demo.game import DemoStuck, Stage, play, stage_of, usual_stage
from pbmd.demo.players import misspelt
from pbmd.ledger.tables import LogLine
from pbmd.rules.registry import from_folder, get
from tests.rules import count, relay, tides

RULESETS = ("cosmic_conquest", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")


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


@pytest.mark.parametrize("name", RULESETS)
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
    done = CliRunner().invoke(app, ["demo", "--ruleset", "./count", "--turns", "1", "--to", "played"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Four players, one post office, one game. Altair, Borealis, Cygnus, Deneb write their orders")
    assert "Nobody had won after turn 1, and the demo ended the game. 1 turn, " in done.stdout
    assert "played/mail/altair.mbox" in done.stdout
    assert Path("played/archive/data/game.toml").is_file()
    assert CliRunner().invoke(app, ["verify", "played/archive", "--ruleset", "count"]).exit_code == 0
    assert CliRunner().invoke(app, ["status", "--settings", "played/pbmd.toml"]).exit_code == 0


def test_a_ruleset_that_fails_ends_the_demo_with_the_place(a_copy: Callable[..., Path]) -> None:
    broken = "def broken(*_):\n    raise KeyError(1)\nruleset = but(ruleset, resolve=broken)\n"
    folder = a_copy(f"\nfrom dataclasses import replace as but\n{broken}")
    stage = replace(stage_of(from_folder(folder), "count", folder, 3), ways=usual_stage(count.ruleset, "count").ways[:4])
    with pytest.raises(DemoStuck, match=rf"defect; paused: KeyError in {folder / '__init__.py'}, line \d+, in broken"):
        play(stage, folder.parent / "demo", lambda _line: None)


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


def test_an_unknown_ruleset_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["demo", "--ruleset", "galactic_overlrd", "--to", str(tmp_path / "x")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert 'Did you mean "galactic_overlord"?' in done.stderr
