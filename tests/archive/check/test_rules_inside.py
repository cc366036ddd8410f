"""The rules that an archive brings along: checked, said to have changed, and used in a process without rights."""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.check.crew import Crew
from pbmd.archive.check.patience import Patience
from pbmd.archive.check.verify import verify as verify_archive
from pbmd.archive.ground.source import digest_of_source, packed_source, read_source
from pbmd.cli import app
from pbmd.edition import ruleset_digest
from pbmd.rules.registry import get
from tests.archive.made import export, seal_again
from tests.desk.world import World
from tests.rules import count

RULES = ("--ruleset", str(Path(count.__file__).parent))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "home").mkdir()
    world = World(folder / "home")
    world.start(options={"target": 99}, ruleset="count", reminders=())
    for number in (3, 5):
        world.send("Altair", f"Add {number}")
        world.pass_time(timedelta(days=4))
    export(world, folder / "galaxy-7")
    world.close()
    return folder / "galaxy-7"


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "galaxy-7"))


def verify(archive: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["verify", str(archive), *more])


def repack(archive: Path, change: Callable[[dict[str, bytes]], object], *, said: bool = True) -> Path:
    """Other rules inside; game.toml says so, if it is to be `said`."""
    path = archive / "rules.zip"
    source = read_source(path)
    old = digest_of_source(source)
    change(source)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, text in source.items():
            packed.writestr(name, text)
    path.write_bytes(content.getvalue())
    if said:
        game = archive / "data" / "game.toml"
        game.write_text(game.read_text().replace(old, digest_of_source(source)))
    seal_again(archive)
    return archive


def with_code(code: str) -> Callable[[dict[str, bytes]], object]:
    """Rules that do something before they are rules."""
    return lambda source: source.update({"rules/__init__.py": code.encode() + b"\n" + source["rules/__init__.py"]})


def test_an_archive_has_the_rules_as_they_were(archive: Path) -> None:
    source = read_source(archive / "rules.zip")
    assert digest_of_source(source) == ruleset_digest(count.ruleset)
    assert f'ruleset_digest = "{digest_of_source(source)}"\n' in (archive / "data" / "game.toml").read_text()
    assert source["rules/__init__.py"] == Path(count.__file__).read_bytes()
    assert packed_source(count.ruleset) == (archive / "rules.zip").read_bytes()


def test_with_the_rules_of_then_nothing_is_said_of_them(archive: Path) -> None:
    done = verify(archive, *RULES)
    assert (done.exit_code, "have changed" in done.stdout) == (0, False), done.output


def test_that_they_have_changed_is_said_in_a_sentence(archive: Path) -> None:
    repack(archive, lambda source: source.update({"rules/old.py": b"", "pbmd/rules/dice.py": b""}))
    done = verify(archive, *RULES)
    (line,) = [line for line in done.stdout.splitlines() if "have changed" in line]
    assert line == (
        "The rules have changed since this archive was made: 1 files of count, and 1 of what pbmd does for all rules, are "
        "others now; those of then are in rules.zip, which --trust-rules uses."
    )
    assert json.loads(verify(archive, *RULES, "--json").stdout)["changed"] == line


def test_others_than_game_toml_names_are_a_problem(archive: Path) -> None:
    repack(archive, lambda source: source.update({"rules/more.py": b"x = 1\n"}), said=False)
    done = verify(archive, *RULES)
    assert (done.exit_code, "rules.zip: it has not the rules that game.toml names" in done.stdout) == (1, True), done.output


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06", b"no zip file at all", b"PK\x03\x04" + b"x" * 400])
def test_what_is_no_zip_file_is_a_problem(content: bytes, archive: Path) -> None:
    (archive / "rules.zip").write_bytes(content)
    seal_again(archive)
    done = verify(archive, *RULES)
    assert (done.exit_code, "\nrules.zip: " in done.stdout) == (1, True), done.output


@pytest.mark.parametrize(
    ("name", "compression", "words"),
    [
        ("../../evil.py", zipfile.ZIP_STORED, "it has a file that none has"),
        ("rules/bomb.py", zipfile.ZIP_DEFLATED, "or compressed"),
        ("rules/__init__.py", zipfile.ZIP_STORED, "it has a file twice"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_hostile_ones_are_neither_read_nor_used(name: str, compression: int, words: str, archive: Path) -> None:
    with zipfile.ZipFile(archive / "rules.zip", "a") as packed:
        packed.writestr(name, b"0" * 1000, compression)
    seal_again(archive)
    for more in (RULES, ("--trust-rules",)):
        done = verify(archive, *more)
        assert (done.exit_code, words in done.stdout) == (1, True), done.output
    assert not list(archive.parent.rglob("evil.py"))


def test_the_turns_are_played_by_them_where_nothing_else_has_them(archive: Path) -> None:
    assert verify(archive).exit_code == 1, "count is none of the rules that are installed"
    done = verify(archive, "--trust-rules")
    assert done.exit_code == 0, done.output
    assert " 3 steps," in done.stdout
    assert "in a process without rights: that they come out the same is the word of those rules." in done.stdout


class TestRulesThatAreTrusted:
    """Nothing in the journal holds them, so they may be anything."""

    @pytest.fixture(autouse=True)
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmd.cli.verify.get", lambda _slug: count.ruleset)

    def test_are_held_against_those_that_are_installed(self, archive: Path) -> None:
        done = verify(archive, "--trust-rules")
        assert (done.exit_code, "The rules in rules.zip are those of count that are installed here." in done.stdout) == (
            0,
            True,
        )

    def test_are_said_to_be_others(self, archive: Path) -> None:
        repack(archive, lambda source: source.update({"rules/more.py": b""}))
        done = verify(archive, "--trust-rules")
        words = "\nThe rules in rules.zip are not those that are installed here: 1 files of count, and 0 of "
        assert (done.exit_code, words in done.stdout) == (0, True), done.stdout
        assert "Nothing but the word of whoever made this archive says" in done.stdout


def test_where_there_are_none_to_hold_them_against_it_is_said(archive: Path) -> None:
    told = verify(archive, "--trust-rules").stdout
    assert "No rules of count are installed here to hold those in rules.zip against." in told


def test_what_comes_out_differently_by_them_is_found(archive: Path) -> None:
    path = archive / "data" / "turns" / "002" / "after.toml"
    path.write_text(path.read_text() + "# more\n")
    seal_again(archive)
    done = verify(archive, "--trust-rules")
    assert (done.exit_code, "turn 002, data/turns/002/after.toml" in done.stdout) == (1, True), done.output


def test_they_are_not_run_unless_somebody_says_so(archive: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    repack(archive, with_code(f"open({str(trace)!r}, 'w').close()"))
    for more in ((), RULES, ("--json",)):
        verify(archive, *more)
        assert not trace.exists()


DEEDS = (
    "open({there!r}, 'w').write('x')",
    "open({there!r}).read()",
    "os.listdir({there!r}[:-8])",
    "os.unlink({there!r})",
    "os.truncate({there!r}, 0)",
    "os.rename({there!r}, {there!r} + '.old')",
    "os.mkdir({there!r} + '.d')",
    "subprocess.run(['/bin/sh', '-c', 'exit 0'], check=True)",
    "socket.create_connection(('127.0.0.1', {port}), 2)",
    "os.kill({process}, 0)",
    "bytearray(8 << 30)",
)
TRY_ALL = """\
import os, socket, subprocess
went = []
for deed in {deeds!r}:
    try:
        exec(deed)
    except (OSError, MemoryError):
        continue
    went.append(deed)
if went:
    raise ValueError(f"not refused: {{went}}")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="what can be forbidden elsewhere is less, and said")
def test_they_can_do_nothing_but_compute(archive: Path, tmp_path: Path) -> None:
    """Rules that try it, and cannot be read if anything went well."""
    there = tmp_path / "mine.txt"
    there.write_text("mine")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        deeds = [deed.format(there=str(there), port=listener.getsockname()[1], process=os.getpid()) for deed in DEEDS]
        repack(archive, with_code(TRY_ALL.format(deeds=deeds)))
        done = verify(archive, "--trust-rules")
    if "could still" in done.stdout:
        pytest.skip("this system does not let a process give up all rights, and verify says so")
    assert done.exit_code == 0, done.output
    assert there.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["galaxy-7", "mine.txt"]


ANSWER = """\
import gc, io
for each in gc.get_objects():
    if isinstance(each, io.BufferedWriter):
        each.write({answer!r})
raise SystemExit"""


@pytest.mark.parametrize(
    "code",
    [
        "import os; os._exit(0)",
        ANSWER.format(answer=b"[" * 99_999 + b"\n"),
        ANSWER.format(answer=b'{"files": 7}\n'),
        "raise ValueError('\\x1b[31m')",
    ],
)
def test_those_that_lie_or_break_off_are_findings(code: str, archive: Path) -> None:
    repack(archive, with_code(code))
    done = verify(archive, "--trust-rules")
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert (done.exit_code, "the game could not be played again" in done.stdout) == (1, True), done.output
    assert "\x1b" not in done.stdout


SLEEP = "import time; time.sleep(10**6)"
BUSY = """\
import gc, io, itertools, time
each = [each for each in gc.get_objects() if isinstance(each, io.BufferedWriter)]
for number in itertools.count(1):
    for one in each:
        one.write(b'{"done": %d, "of": 9}\\n' % number)
        one.flush()
    time.sleep(0.1)"""


@pytest.mark.parametrize(
    ("code", "patience", "words"),
    [
        (SLEEP, Patience(2, 60), "it made no progress for 2 seconds, and was ended"),
        (BUSY, Patience(60, 2), "it took more than 2 seconds, and was ended"),
    ],
    ids=["silent", "tells of progress for ever"],
)
def test_those_that_never_end_are_ended(code: str, patience: Patience, words: str, archive: Path) -> None:
    repack(archive, with_code(code))
    findings = verify_archive(archive, get, lambda *_: None, Crew(trusts=True, patience=patience))
    assert [words in problem.problem for problem in findings.problems] == [True], findings.problems


FORK = """\
import os, time
try:
    child = os.fork()
except OSError:
    raise ValueError("no child") from None
if not child:
    time.sleep(10**6)
raise ValueError(f"child {child}.")"""


def test_they_leave_no_process_behind(archive: Path) -> None:
    repack(archive, with_code(FORK))
    told = verify(archive, "--trust-rules").stdout
    child = re.search(r"no child|child (\d+)\.", told)
    assert child is not None, told
    for _ in range(50):
        if not child[1] or not _lives(int(child[1])):
            break
        time.sleep(0.05)
    else:
        pytest.fail(f"process {child[1]} lives on")


def _lives(process: int) -> bool:
    """Whether there is such a process that is not over already."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="to become somebody else takes rights")
def test_nobody_but_root_can_start_processes_in_the_cage() -> None:
    # Where Python is may be closed to that somebody.
    code = "import os; from pbmd.archive.check import cage; cage._python = list; os.setuid(54321); cage.lock_up([]); os.fork()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "BlockingIOError" in done.stderr, done.stderr


def test_old_archives_say_that_they_have_none(archive: Path) -> None:
    for name in ("rules.zip", "FORMAT.md", "verify.py"):
        (archive / name).unlink()
    game = archive / "data" / "game.toml"
    game.write_text(game.read_text().replace("format = 4", "format = 3"))
    seal_again(archive)
    assert verify(archive, *RULES).exit_code == 0
    done = verify(archive, "--trust-rules")
    assert (done.exit_code, "only archives of format 4 and later have the rules" in done.stdout) == (1, True), done.output


@pytest.mark.parametrize("name", ["rules.zip", "FORMAT.md", "verify.py"])
def test_what_is_brought_along_is_missed_and_compared(name: str, archive: Path) -> None:
    path = archive / name
    path.write_bytes(path.read_bytes() + b"\n")
    seal_again(archive)
    done = verify(archive, *RULES)
    assert (done.exit_code, f"\n{name}, line " in done.stdout or name == "rules.zip") == (int(name != "rules.zip"), True), (
        done.output
    )
    path.unlink()
    seal_again(archive)
    done = verify(archive, *RULES)
    assert (done.exit_code, f"\n{name}: it is missing\n" in done.stdout) == (1, True), done.output
