"""Processes of pbmd that tests start are forked from one that has loaded pbmd already: that takes most of a second of the
processor, more than what many of them do.

In all else they are what ``python -m pbmd`` is: with arguments, folder, environment and streams of their own, and children of
the process that started them. Whatever is started in another way (`pbmd`, ``python -c``) still loads all by itself.
"""

import atexit
import ctypes
import gc
import io
import json
import multiprocessing.process
import os
import runpy
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

PROGRAMS = frozenset({"pbmd", "tests.daemon_shared.slow_worker", "tests.torture.pbmd_with_clock"})
"""The modules that are run so."""
_LOADED = ("cli.desk", "cli.hints", "cli.run", "cli.verify", "daemon.threads", "daemon.tick", "desk.publish.damage_alarm")
"""The modules of pbmd that are loaded in advance, and all that they need."""
_INTERPRETER = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "MALLOC_")
"""How variables begin that the interpreter reads when it starts: with others of these, another process is prepared."""
_USUAL = [True, None, None, None, -1, False, -1]
"""Signals restored; no other group, groups, user or mask; neither session nor group of its own."""
_LONGEST = 200_000
"""The longest task, in bytes."""
_ADOPT = 36
"""PR_SET_CHILD_SUBREAPER of `prctl`: whose parent ends becomes a child of the caller."""
_start = getattr(subprocess.Popen, "_execute_child")  # noqa: B009 – its types are private
_one_at_a_time = Lock()


def share() -> None:
    """Let the processes that are started from now on be forked, where the system can have them adopted."""
    if sys.platform == "linux":
        setattr(subprocess.Popen, "_execute_child", _start_prepared)  # noqa: B010 – as above


def _start_prepared(process: Any, args: Any, *rest: Any) -> None:
    executable, before, closing, passed, folder, environment, _, _, shell, *streams_and_more = rest
    streams, more = streams_and_more[:6], streams_and_more[6:]
    unusual = executable or before or passed or shell or not closing or more != _USUAL
    if unusual or not _is_of_pbmd(args):
        _start(process, args, *rest)
        return
    p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite = streams
    variables = dict(os.environ if environment is None else environment)
    task = {
        "program": args[2],
        "arguments": [os.fspath(each) for each in args[3:]],
        "folder": os.fspath(folder or Path.cwd()),
        "environment": variables,
    }
    handles = [own if handle == -1 else handle for own, handle in enumerate((p2cread, c2pwrite, errwrite))]
    try:
        process.pid = _forked(_of_the_interpreter(variables), task, handles)
        process._child_created = True
    finally:
        process._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)


def _is_of_pbmd(args: Any) -> bool:
    command = list(args) if isinstance(args, Sequence) and not isinstance(args, str | bytes) else []
    return len(command) > 3 and command[:2] == [sys.executable, "-m"] and command[2] in PROGRAMS


def _of_the_interpreter(variables: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in variables.items() if name.startswith(_INTERPRETER))


def _forked(interpreter: frozenset[tuple[str, str]], task: Mapping[str, Any], handles: Sequence[int]) -> int:
    """The number of a new process, which is a child of this one."""
    with _one_at_a_time:
        tasks = _prepared(interpreter)
        _adopt(True)
        try:
            socket.send_fds(tasks, [json.dumps(task).encode()], handles)
            return int(tasks.recv(100))
        finally:
            _adopt(False)


def _adopt(whether: bool) -> None:
    if ctypes.CDLL(None).prctl(_ADOPT, int(whether), 0, 0, 0):
        raise OSError("processes cannot be adopted")


@cache
def _prepared(interpreter: frozenset[tuple[str, str]]) -> socket.socket:
    """Where a process that has loaded pbmd takes tasks. It ends with this one."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    others = {name: value for name, value in os.environ.items() if not name.startswith(_INTERPRETER)}
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(there.fileno())],
            cwd=Path(__file__).parents[1],
            env=others | dict(interpreter),
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    atexit.register(_end, here, process)
    return here


def _end(tasks: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    tasks.close()
    process.wait()


def main() -> None:
    """Load pbmd, take tasks, and be each of them in a process of its own."""
    gc.disable()
    _load()
    gc.freeze()
    gc.enable()
    with socket.socket(fileno=int(sys.argv[1])) as tasks:
        task, handles = _taken(tasks)
    _take_streams(handles)
    os.chdir(task["folder"])
    os.environ.clear()
    os.environ.update(task["environment"])
    multiprocessing.process.ORIGINAL_DIR = task["folder"]  # pyright: ignore[reportAttributeAccessIssue]
    sys.path[0] = task["folder"]
    sys.argv[1:] = task["arguments"]
    runpy.run_module(task["program"], run_name="__main__", alter_sys=True)


def _load() -> None:
    """Modules, and what they make of tables, of the rulesets that come with pbmd, and of templates."""
    from sqlalchemy.orm import configure_mappers

    from pbmd.rendering.render import load_templates
    from pbmd.rules.registry import get, slugs

    for name in _LOADED:
        import_module(f"pbmd.{name}")
    configure_mappers()
    load_templates([get(slug).info for slug in slugs()])


def _taken(tasks: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The task of this process: it comes back only in those that were forked for one."""
    while True:
        message, handles, *_ = socket.recv_fds(tasks, _LONGEST, 3)
        if not message:
            sys.exit()
        told, tell = os.pipe()
        if not (between := os.fork()):
            number = os.fork()
            if not number:
                os.close(told)
                os.close(tell)
                return json.loads(message), handles
            os.write(tell, str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)  # from here on, its child is one of the process that asked
        tasks.send(os.read(told, 100))
        for handle in (*handles, told, tell):
            os.close(handle)


def _take_streams(handles: Sequence[int]) -> None:
    """Make these the standard streams, as the interpreter does when it starts."""
    bare = bool(os.environ.get("PYTHONUNBUFFERED"))
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        before, writes = getattr(sys, name), number > 0
        stream = io.TextIOWrapper(
            open(number, "wb" if writes else "rb", 0 if bare and writes else -1, closefd=False),  # noqa: SIM115
            before.encoding,
            before.errors,
            newline="\n" if writes else None,
            line_buffering=name == "stderr",
            write_through=bare and writes,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    main()
