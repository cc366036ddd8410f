"""Exporting a long game: how long it takes, and that its memory does not grow with the game."""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks import long_game
from tests.benchmarks.estate import ROOT, scratch
from tests.benchmarks.measure import NotMeasured, Result

SHORT, LONG = 50, 200
_EXPORT = (
    "import json, sys, time\n"
    "from pathlib import Path\n"
    "from pbmd.cli.exporting import export_plan\n"
    "from pbmd.desk.books.desk import open_desk\n"
    "from pbmd.settings import read_settings\n"
    "desk = open_desk(read_settings(Path(sys.argv[1])))\n"
    "began = time.process_time()\n"
    "plan = export_plan(desk, sys.argv[2], Path(sys.argv[3]), 'all')\n"
    "took = time.process_time() - began\n"
    "status = Path('/proc/self/status').read_text()\n"
    "most = next(int(line.split()[1]) for line in status.splitlines() if line.startswith('VmHWM:'))\n"
    "print(json.dumps([took, most * 1024 / 1e6, len(plan.steps) - 1, len(plan.letters)]))\n"
)


def measure(repeats: int) -> list[Result]:
    """Exports in processes of their own, in seconds of the processor and MB (the high-water mark of the resident memory)."""
    if not Path("/proc/self/status").exists():
        raise NotMeasured("there is no /proc here")
    with scratch() as folder:
        short, long = (_made(folder / str(turns), turns) for turns in (SHORT, LONG))
        small = [_exported(short, SHORT) for _ in range(min(repeats, 2))]
        large = [_exported(long, LONG) for _ in range(min(repeats, 3))]
        files = [path for path in (long.parent / "archive").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
    note = f"{LONG} turns of Cosmic Conquest, {long_game.PLAYERS} players, {LONG * long_game.LETTERS_A_TURN:,} letters"
    note += f"; {len(files):,} files, {size:,.0f} MB, the bag's sums, database and pages included"
    most, most_small = max(each[1] for each in large), min(each[1] for each in small)
    return [
        Result(
            "export",
            "a long game as an archive",
            "an amount of the processor's time",
            "s",
            60,
            tuple(each[0] for each in large),
            note=note,
        ),
        Result("export memory", f"the most, {LONG} turns", f"{SHORT} turns", "MB", 1.25, (most,), (most_small,), note=note),
    ]


def _made(folder: Path, turns: int) -> Path:
    folder.mkdir()
    return long_game.make(folder, turns)


def _exported(settings: Path, turns: int) -> tuple[float, float]:
    """Seconds of the processor and MB (10⁶ bytes) of an export."""
    to = settings.parent / "archive"
    if to.exists():
        to.rename(settings.parent / f"archive {time.monotonic_ns()}")
    command = [sys.executable, "-c", _EXPORT, str(settings), long_game.GAME, str(to)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    took, most, steps, letters = json.loads(told)
    assert (steps, letters) == (turns, turns * long_game.LETTERS_A_TURN), "something is missing in the archive"
    return took, most
