"""The rules that an archive brings along: checked, said to have changed, and used in a process without rights."""

import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.format.findings import MOST_PROBLEMS
from pbmd.archive.format.source import packed_source, read_source
from pbmd.archive.verify.replay_pool import ReplayPool
from pbmd.archive.verify.time_limits import TimeLimits
from pbmd.archive.verify.verify import verify as verify_archive
from pbmd.cli import app
from pbmd.edition import digest_of_source, ruleset_digest
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
        monkeypatch.setattr("pbmd.cli.verify.find", lambda _slug, _folders: count.ruleset)

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
    "open({there!r}, 'a')",
    "open({there!r}, 'r+')",
    "os.open({there!r}, os.O_RDONLY | os.O_TRUNC)",
    "os.open({inside!r}, os.O_RDONLY | os.O_TRUNC)",
    "open({there!r}).read()",
    "os.listdir(os.path.dirname({there!r}))",
    "os.unlink({there!r})",
    "os.truncate({there!r}, 0)",
    "os.rename({there!r}, {there!r} + '.old')",
    "os.mkdir({there!r} + '.d')",
    "os.chmod({there!r}, 0o666)",
    "os.chmod({inside!r}, 0o666)",
    "os.chown({there!r}, os.getuid(), os.getgid())",
    "os.chown({inside!r}, os.getuid(), os.getgid())",
    "os.utime({there!r}, (1, 1))",
    "os.utime({inside!r}, (1, 1))",
    "os.setxattr({there!r}, 'user.mine', b'x')",
    "os.setxattr({inside!r}, 'user.mine', b'x')",
    "os.fchmod(os.open({inside!r}, os.O_RDONLY), 0o666)",
    "fcntl.ioctl(os.open({inside!r}, os.O_RDONLY), 0x40086602, b'\\0' * 8)",
    "fcntl.fcntl(os.open({inside!r}, os.O_RDONLY), fcntl.F_SETOWN, {process})",
    "fcntl.flock(os.open({inside!r}, os.O_RDONLY), fcntl.LOCK_EX)",
    "os.link({inside!r}, {there!r} + '.link')",
    "os.symlink({inside!r}, {there!r} + '.symlink')",
    "os.mkfifo({there!r} + '.fifo')",
    "subprocess.run(['/bin/sh', '-c', 'exit 0'], check=True)",
    "os.execv('/bin/true', ['true'])",
    "os.fork()",
    "os.posix_spawn('/bin/true', ['true'], {{}})",
    "os.setsid()",
    "threading.Thread(target=print).start()",
    "socket.socket().connect(('127.0.0.1', {port}))",
    "socket.socketpair()",
    "socket.socket(socket.AF_UNIX)",
    "os.kill({process}, 0)",
    "os.kill(-1, 0)",
    "os.nice(19)",
    "os.setpriority(os.PRIO_PROCESS, {process}, 19)",
    "os.sched_setaffinity({process}, {{0}})",
    "resource.prlimit({process}, resource.RLIMIT_CORE, (0, 0))",
    "os.pidfd_open({process})",
    "os.memfd_create('x')",
    "os.pipe()",
    "os.chdir('/tmp')",
    "os.chroot('/')",
    "bytearray(8 << 30)",
    "call('ptrace', 16, {process}, 0, 0)",
    "call('process_vm_writev', {process}, 0, 0, 0, 0, 0)",
    "call('io_uring_setup', 8, bytes(120))",
    "call('unshare', 0x10000000)",
    "call('mount', b'none', b'/tmp', b'tmpfs', 0, 0)",
    "call('bpf', 0, 0, 0)",
    "call('perf_event_open', bytes(120), 0, -1, -1, 0)",
    "call('keyctl', 0, -3, 1)",
    "call('userfaultfd', 0)",
    "call('openat2', -100, {inside!r}.encode(), bytes(24), 24)",
    "call('open_by_handle_at', -100, bytes(8), 0)",
    "call('clone3', bytes(88), 88)",
    "call('msgget', 0, 0o1600)",
    "call('shmget', 0, 4096, 0o1600)",
    "call('seccomp', 2, 0, bytes(4))",
    "call('personality', 0xFFFFFFFF)",
    "call('syslog', 10, 0, 0)",
    "call('fchmodat2', -100, {inside!r}.encode(), 0o666, 0)",
    "call('memfd_secret', 0)",
)
"""What must not go well: `there` is a file of whoever verifies, `inside` one of the archive, which may be read; `process` is
whoever verifies."""
NUMBERS = {
    "ptrace": (101, 117), "process_vm_writev": (311, 271), "io_uring_setup": (425, 425), "unshare": (272, 97),
    "mount": (165, 40), "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219), "userfaultfd": (323, 282),
    "openat2": (437, 437), "open_by_handle_at": (304, 265), "clone3": (435, 435), "msgget": (68, 186), "shmget": (29, 194),
    "seccomp": (317, 277), "personality": (135, 92), "syslog": (103, 116), "fchmodat2": (452, 452), "memfd_secret": (447, 447),
}  # fmt: skip
"""What Python has no name for: the numbers on x86-64 and on ARM64."""
IMPORTS = "import ctypes, fcntl, os, resource, socket, subprocess, threading"
TRY_ALL = """\
went, libc = [], ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if libc.syscall({numbers!r}[name][os.uname().machine == "aarch64"], *arguments) == -1:
        raise OSError(ctypes.get_errno(), name)
for deed in {deeds!r}:
    try:
        exec(deed)
    except (OSError, MemoryError, RuntimeError):
        continue
    went.append(deed)
"""
LINUX = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine not in ("x86_64", "aarch64"), reason="elsewhere they are not run at all"
)


def trying(deeds: Sequence[str], there: Path, inside: Path, port: int) -> str:
    """A program that tries all of it; `went` is what went well."""
    told = {"there": str(there), "inside": str(inside), "port": port, "process": os.getpid()}
    return TRY_ALL.format(deeds=[deed.format(**told) for deed in deeds], numbers=NUMBERS)


@LINUX
def test_they_can_do_nothing_but_compute(archive: Path, tmp_path: Path) -> None:
    """Rules that try it, and cannot be read if anything went well."""
    there, inside = tmp_path / "mine.txt", archive / "data" / "journal.jsonl"
    there.write_text("mine")
    before = [(path.stat(), path.read_bytes()) for path in (there, inside)]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        code = trying(DEEDS, there, inside, listener.getsockname()[1])
        repack(archive, with_code(f"{IMPORTS}\n{code}if went:\n    raise ValueError(str(went))\ndel went, libc, call, deed"))
        done = verify(archive, "--trust-rules")
    assert done.exit_code == 0, done.output
    assert "could still" not in done.stdout
    for path, (about, content) in zip((there, inside), before, strict=True):
        now = path.stat()
        assert (now.st_mode, now.st_uid, now.st_nlink) == (about.st_mode, about.st_uid, about.st_nlink)
        assert (now.st_mtime_ns, now.st_ctime_ns) == (about.st_mtime_ns, about.st_ctime_ns)
        assert path.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["galaxy-7", "mine.txt"]


OTHER = 54321
SOMEBODY = f"os.setgroups([]); os.setgid({OTHER}); os.setuid({OTHER}); sandbox._python = list"
"""Where Python is may be closed to that somebody, so all that is needed is imported before."""
NO_LANDLOCK = "sandbox._landlock = lambda *_: True"
NO_NAMESPACES = "sandbox._NEW_USER = sandbox._NEW_IPC = sandbox._NEW_NET = 0"
"""As where nobody but root may have them, and in many containers."""
READING = ("open({there!r}).read()", "os.listdir(os.path.dirname({there!r}))")
"""What Landlock alone forbids."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that everybody can get into."""
    with TemporaryDirectory(dir="/dev/shm") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def of_somebody(home: Path, *, is_other: bool) -> tuple[Path, Path]:
    """Two files of whoever is to be locked up, who can do with them as they like."""
    if is_other and os.getuid():
        pytest.skip("to become somebody else takes rights")
    there, inside = home / "mine.txt", home / "inside"
    for path in (there, inside):
        path.write_text("mine")
    for path in (there, inside, home) if is_other else ():
        os.chown(path, OTHER, OTHER)
    return there, inside


@LINUX
@pytest.mark.parametrize("is_other", [False, True], ids=["whoever runs the tests", "somebody else"])
@pytest.mark.parametrize(
    "lacks",
    ["", NO_LANDLOCK, NO_NAMESPACES, f"{NO_LANDLOCK}; {NO_NAMESPACES}"],
    ids=["all of it", "no Landlock", "no namespaces", "neither"],
)
def test_nobody_can_do_anything_in_the_cage_also_where_parts_of_it_are_missing(is_other: bool, lacks: str, home: Path) -> None:
    there, inside = of_somebody(home, is_other=is_other)
    deeds = [deed for deed in DEEDS if NO_LANDLOCK not in lacks or deed not in READING]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        code = trying(deeds, there, inside, listener.getsockname()[1])
        before = "; ".join(filter(None, [SOMEBODY if is_other else "", lacks or "pass"]))
        lock = f"may = sandbox.lock_up([Path({str(inside)!r})])\nassert not may, may\nopen({str(inside)!r}).read()"
        program = (
            f"{IMPORTS}\nfrom pathlib import Path\nfrom pbmd.archive.verify import sandbox\n"
            f"{before}\n{lock}\n{code}\nprint(went)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
    assert sorted(path.name for path in home.iterdir()) == ["inside", "mine.txt"]


@LINUX
@pytest.mark.parametrize("is_other", [False, True], ids=["whoever runs the tests", "somebody else"])
def test_outside_of_the_cage_the_same_goes_well(is_other: bool, home: Path) -> None:
    """So that what is refused in it is refused by it."""
    there, inside = of_somebody(home, is_other=is_other)
    rest = (
        "unlink",
        "rename",
        "exec",
        "fork",
        "kill",
        "nice",
        "priority",
        "sid",
        "8 << 30",
        "chroot",
        "ioctl",
        "call(",
        "spawn",
    )
    deeds = [deed for deed in DEEDS if not any(word in deed for word in (*rest, "affinity", "prlimit", "pidfd"))]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        code = trying(deeds, there, inside, listener.getsockname()[1])
        before = SOMEBODY if is_other else "pass"
        program = (
            f"{IMPORTS}\nfrom pbmd.archive.verify import sandbox\n{before}\n{code}\nprint(len(went), set({deeds!r}) and went)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split(" ")[0].strip() == str(len(deeds)), (done.stdout, done.stderr)


@LINUX
def test_a_call_by_another_table_of_the_machine_ends_the_process() -> None:
    """x86-64 has all calls once more, with numbers above 2³⁰."""
    code = "import ctypes; from pbmd.archive.verify import sandbox; sandbox.lock_up([]); "
    code += "ctypes.CDLL(None).syscall(0x40000000 + 39)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGSYS


class TestWhereASystemCannotLockThemUp:
    @pytest.fixture(autouse=True)
    def without(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No filter of calls: as on another machine than the two whose numbers are known."""
        code = "from pbmd.archive.verify import sandbox; sandbox.keep_to_reading = lambda _: False; "
        code += "import pbmd.archive.verify.replay_worker as worker; worker.main()"
        monkeypatch.setattr("pbmd.archive.verify.replay_pool._COMMAND", (sys.executable, "-P", "-c", code))

    def test_they_are_not_run(self, archive: Path) -> None:
        repack(archive, with_code("raise ValueError('they were run')"))
        done = verify(archive, "--trust-rules")
        assert (done.exit_code, "they were run" in done.output) == (1, False)
        assert (
            "rules.zip: nothing was played by them, since this system cannot keep them from more than computing: they could "
            "change files, run programs, use the network."
        ) in " ".join(done.output.split())

    def test_they_are_run_for_whoever_says_so_once_more(self, archive: Path) -> None:
        done = verify(archive, "--trust-rules", "--uncaged")
        assert done.exit_code == 0, done.output
        assert "which could still change files, run programs, use the network" in " ".join(done.stdout.split())


def test_that_they_are_run_all_the_same_is_said_only_of_rules_inside(archive: Path) -> None:
    done = verify(archive, "--uncaged", *RULES)
    assert (done.exit_code, "--uncaged is for --trust-rules" in done.output) == (2, True)


class TestRulesThatAreNotAsTold:
    """Nothing of them is run."""

    def change(self, archive: Path) -> None:
        """As somebody does who changes the file alone."""
        path = archive / "rules.zip"
        source = read_source(path)
        with_code("raise ValueError('they were run')")(source)
        with zipfile.ZipFile(path, "w") as packed:
            for name, text in source.items():
                packed.writestr(name, text)

    def must_not_run(self, archive: Path) -> None:
        done = verify(archive, "--trust-rules")
        assert (done.exit_code, "they were run" in done.output) == (1, False), done.output
        findings = verify_archive(archive, get, lambda *_: None, ReplayPool(trusts=True))
        assert findings.unnamed or any("nothing was played by them" in each.problem for each in findings.problems)

    def test_because_the_file_was_changed(self, archive: Path) -> None:
        self.change(archive)
        self.must_not_run(archive)

    def test_because_game_toml_was_changed_with_it(self, archive: Path) -> None:
        old = digest_of_source(read_source(archive / "rules.zip"))
        self.change(archive)
        game = archive / "data" / "game.toml"
        game.write_text(game.read_text().replace(old, digest_of_source(read_source(archive / "rules.zip"))))
        self.must_not_run(archive)

    def test_because_game_toml_names_others(self, archive: Path) -> None:
        self.change(archive)
        seal_again(archive)
        self.must_not_run(archive)

    @pytest.mark.parametrize("name", ["manifest-sha256.txt", "tagmanifest-sha512.txt"])
    def test_because_a_manifest_was_changed(self, name: str, archive: Path) -> None:
        repack(archive, with_code("raise ValueError('they were run')"))
        path = archive / name
        path.write_text(path.read_text().replace("0", "1"))
        self.must_not_run(archive)

    def test_also_where_too_much_else_is_wrong_to_name_it_all(self, archive: Path) -> None:
        self.change(archive)
        for number in range(MOST_PROBLEMS + 10):
            (archive / "data" / f"a{number}").touch()
        self.must_not_run(archive)


ANSWER = """\
import gc, io
for each in gc.get_objects():
    if isinstance(each, io.BufferedWriter):
        each.write({answer!r})
raise SystemExit"""


@pytest.mark.in_turn(2)
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
        (SLEEP, TimeLimits(2, 60), "it made no progress for 2 seconds, and was ended"),
        (BUSY, TimeLimits(60, 2), "it took more than 2 seconds, and was ended"),
    ],
    ids=["silent", "tells of progress for ever"],
)
def test_those_that_never_end_are_ended(code: str, patience: TimeLimits, words: str, archive: Path) -> None:
    repack(archive, with_code(code))
    findings = verify_archive(archive, get, lambda *_: None, ReplayPool(trusts=True, patience=patience))
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
