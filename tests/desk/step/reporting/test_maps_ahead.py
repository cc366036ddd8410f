"""The maps of a turn are drawn before the transaction that resolves it begins, and that goes by nothing but the ledger."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.desk.books.server_key import KEY
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.due.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import TRIES
from pbmd.ledger.tables import Report, StepRecord
from pbmd.rendering import drawing_pool, picture
from rulesets.cosmic_conquest import ruleset
from tests.desk.step.reporting.gate import GATE, behind_the_gate
from tests.desk.world import BEGIN, NAMES, World
from tests.rules import relay
from tests.rulesets.cosmic_conquest.desk import GAME, conquest

pytestmark = pytest.mark.usefixtures("small_pictures")

DEADLINE = timedelta(hours=72)
PATIENCE = 120
SETTINGS = """
rulesets = [{rulesets}]

[server]
address = "games@pbmd.test"
gm = "gm@pbmd.test"
data = "{folder}"

[imap]
host = "localhost"
user = "games"
password = "hunter2"

[smtp]
host = "localhost"
"""


@dataclass
class Drawing:
    """Who draws: how often a picture was laid out or rendered, how often nobody could have written to the ledger meanwhile,
    and what happens while the first is drawn."""

    ledger: Path
    meanwhile: Callable[[], object] = field(default=lambda: None)
    drawn: int = 0
    locked: int = 0

    def look(self) -> None:
        """Try to write to the ledger, as another process would."""
        self.drawn += 1
        happens, self.meanwhile = self.meanwhile, lambda: None
        happens()
        other = sqlite3.connect(self.ledger, timeout=0, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        except sqlite3.OperationalError:
            self.locked += 1
        finally:
            other.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with Red, Purple and Green, whose first turn is over but for the reading of the mailbox; Red has sent nothing."""
    world = conquest(World(tmp_path))
    world.send("Purple", "Defend Solaria with 5 units")
    world.send("Green", "Pass")
    world.now = BEGIN + DEADLINE + timedelta(minutes=1)
    world.read_mailbox()
    yield world
    world.close()


@pytest.fixture
def drawing(world: World, monkeypatch: pytest.MonkeyPatch) -> Drawing:
    """No picture is remembered from before."""
    if world.database:
        pytest.skip("it looks whether the file of a ledger is locked")
    picture.svg_of.cache_clear()
    picture.svg_png.cache_clear()
    drawing = Drawing(world.folder / "ledger.sqlite")
    for name in ("chart_drawing", "svg_to_bytes"):
        original = getattr(picture, name)

        def watched(*given: Any, _original: Callable[..., Any] = original, **more: Any) -> Any:
            drawing.look()
            return _original(*given, **more)

        monkeypatch.setattr(picture, name, watched)
    return drawing


def late_orders(world: World) -> None:
    """Orders of Red that arrived in time come to the ledger only now."""
    world.arrive(world.letter("Red", "Defend Sol with 7 units"), BEGIN + DEADLINE - timedelta(minutes=1))


def used(world: World) -> dict[str, str]:
    """The orders with which the turn was resolved, by seat."""
    (record,) = world.rows(StepRecord)
    return {sheet.seat: "; ".join(sheet.lines) for sheet in ruleset.sheets(ruleset.load(json.loads(record.before)))}


def test_the_ledger_is_nobodys_while_the_maps_of_a_turn_are_drawn(world: World, drawing: Drawing) -> None:
    assert advance_games(world.desk) == 1
    assert (drawing.drawn, drawing.locked) == (7, 0)  # SVG for three and the public, PNG for three
    maps = [row.html.count("<svg ") for row in world.rows(Report) if row.step == 0]
    assert maps == [1, 1, 1, 1]
    assert all(b"image/png" in mail.raw for mail in world.outbox("report"))


def test_nor_while_they_are_drawn_for_a_turn_that_the_gm_resolves(world: World, drawing: Drawing) -> None:
    pbmd(world, "resolve", GAME, "--yes")
    assert (drawing.drawn, drawing.locked) == (7, 0)
    assert len(world.rows(StepRecord)) == 1


def test_nor_while_they_are_drawn_for_moves_that_waited_until_the_gm_lets_a_game_go_on(world: World, drawing: Drawing) -> None:
    rulesets = (*world.desk.settings.rulesets, Path(relay.__file__).parent)
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": rulesets}))
    world.start("other", options={"die": False, "map": True}, ruleset="relay", reminders=())
    for seat in NAMES:
        world.send(seat, "Add 1", game="other")
        world.now += timedelta(minutes=1)
    world.act("other", pauses.pause)
    world.send("Altair", "Add 2", game="other")
    drawing.drawn, drawing.locked = 0, 0
    before = len(world.rows(StepRecord))
    pbmd(world, "resume", "other")
    assert len(world.rows(StepRecord)) == before + 1
    assert (drawing.drawn > 0, drawing.locked) == (True, 0)


def pbmd(world: World, *arguments: str) -> None:
    """Run a command at this desk, which must succeed."""
    settings = world.folder / "pbmd.toml"
    (world.folder / KEY).write_bytes(world.desk.key)
    rulesets = ", ".join(f'"{folder}"' for folder in world.desk.settings.rulesets)
    settings.write_text(SETTINGS.format(folder=world.folder, rulesets=rulesets))
    done = CliRunner().invoke(app, [*arguments, "--settings", str(settings)])
    assert done.exit_code == 0, done.output


def test_looking_ahead_leaves_no_trace(world: World, drawing: Drawing) -> None:
    def stop() -> None:
        raise KeyboardInterrupt  # as good as a SIGKILL: nothing is done after it

    drawing.meanwhile = stop
    before = world.position(), world.journal(), len(world.outbox()), world.log()
    with pytest.raises(KeyboardInterrupt):
        advance_games(world.desk)
    assert (world.position(), world.journal(), len(world.outbox()), world.log()) == before
    assert advance_games(world.desk) == 1


def test_a_letter_that_comes_in_while_they_are_drawn_is_dealt_with_first(world: World, drawing: Drawing) -> None:
    drawing.meanwhile = lambda: late_orders(world)
    assert advance_games(world.desk) == 0
    assert world.rows(StepRecord) == []
    assert world.pass_time() == 1
    assert used(world)["Red"] == "Defend Sol with 7 units"
    assert world.log("nmr") == []


def test_orders_that_another_process_takes_meanwhile_count(world: World, drawing: Drawing) -> None:
    def taken() -> None:
        late_orders(world)
        process_letters(world.desk)

    drawing.meanwhile = taken
    assert advance_games(world.desk) == 1
    assert used(world)["Red"] == "Defend Sol with 7 units"
    assert world.log("nmr") == []


def test_a_turn_that_another_process_resolves_meanwhile_is_resolved_once(world: World, drawing: Drawing) -> None:
    drawing.meanwhile = lambda: world.act(GAME, deadline_changes.resolve_now)
    assert advance_games(world.desk) == 0
    (record,) = world.rows(StepRecord)
    assert record.cause == "the game master decided so"
    assert world.game().step == 1
    assert len(world.outbox("report")) == 6


@pytest.fixture
def gate(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The desk has a process that draws, as soon as this file is there."""
    monkeypatch.setattr(drawing_pool, "draw", behind_the_gate)
    monkeypatch.setenv(GATE, str(tmp_path / "open"))
    drawers = drawing_pool.Studio(1)
    world.desk = replace(world.desk, studio=drawers)
    yield tmp_path / "open"
    drawers.stop()


def wait_for_pictures(world: World, game: str = GAME) -> None:
    begun, ends = world.desk.studio.begun(world.game(game).id or 0), time.monotonic() + PATIENCE
    assert begun is not None
    while not begun.done:
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_the_desk_goes_on_with_other_games_while_maps_are_drawn(world: World, gate: Path) -> None:
    world.start("other")
    assert advance_games(world.desk) == 0
    world.arrive(world.letter("Altair", "Add 3", game="other"))
    assert process_letters(world.desk) == 1
    assert len(world.outbox("acknowledgement", "Altair")) == 1
    assert advance_games(world.desk) == 0
    assert world.rows(StepRecord) == []
    gate.touch()
    wait_for_pictures(world)
    assert advance_games(world.desk) == 1
    assert all(b"image/png" in mail.raw for mail in world.outbox("report", "Red"))
    assert world.desk.studio.begun(world.game().id or 0) is None


def test_orders_that_come_while_they_are_drawn_count_and_others_are_drawn(world: World, gate: Path) -> None:
    assert advance_games(world.desk) == 0
    late_orders(world)
    process_letters(world.desk)
    gate.touch()
    for _ in range(3):
        wait_for_pictures(world)
        if advance_games(world.desk):
            break
    assert used(world)["Red"] == "Defend Sol with 7 units"
    assert world.log("no-map") == []


def test_maps_of_games_that_are_paused_meanwhile_keep_no_other_game_waiting(world: World, gate: Path) -> None:
    others = [f"other-{number}" for number in range(drawing_pool.MOST_AT_ONCE)]
    for other in others:
        conquest(world, game=other)
    world.now += DEADLINE + timedelta(minutes=1)
    world.read_mailbox()
    assert advance_games(world.desk) == 0
    for paused in (GAME, *others[:-1]):
        assert world.desk.studio.begun(world.game(paused).id or 0)
        world.act(paused, pauses.pause)
    gate.touch()
    for paused in (GAME, *others[:-1]):
        wait_for_pictures(world, paused)
    assert advance_games(world.desk) == 0
    wait_for_pictures(world, others[-1])
    assert advance_games(world.desk) == 1
    assert [report.game_id for report in world.rows(Report, col(Report.step) == 0)] == [world.game(others[-1]).id] * 4


def test_a_game_that_moves_whenever_its_maps_are_drawn_goes_on_without(world: World, drawing: Drawing) -> None:
    for draws in range(TRIES + 1):
        drawing.meanwhile = lambda draws=draws: other_orders(world, draws)
        if advance_games(world.desk):
            break
    assert len(world.rows(StepRecord)) == 1


def other_orders(world: World, number: int) -> None:
    """Other orders of Red that arrived in time, so that another map is wanted."""
    letter = world.letter("Red", f"Defend Sol with {number + 1} units")
    world.arrive(letter, BEGIN + DEADLINE - timedelta(minutes=30 - number))
    process_letters(world.desk)
