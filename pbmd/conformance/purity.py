"""Whether the code of a ruleset is pure, as far as its source shows: it imports nothing, and calls nothing, that may differ at
another time or on another machine."""

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.rules import Ruleset
from pbmd.rules.troubles import PlaceInFile

_NOT_PURE = {
    "chance of its own": ("random", "secrets", "uuid"),
    "a clock": ("time", "datetime", "calendar", "zoneinfo", "sched"),
    "the machine": ("os", "platform", "locale", "gettext", "getpass", "pwd", "signal", "resource", "ctypes"),
    "files": ("glob", "shutil", "sqlite3", "tempfile", "fileinput", "shelve", "dbm", "mmap"),
    "the network": ("socket", "ssl", "urllib", "http", "ftplib", "smtplib", "imaplib", "requests", "httpx", "aiohttp"),
    "other threads and processes": ("asyncio", "threading", "multiprocessing", "subprocess", "concurrent"),
    "what is printed and logged": ("logging",),
}
_WHAT = {module: what for what, modules in _NOT_PURE.items() for module in modules}
_CALLS = {
    "open": "files",
    "input": "what somebody types",
    "print": "what is printed",
    "hash": "the hash seed of the interpreter",
    "breakpoint": "a debugger",
}
_PBMD = "pbmd.rules"
_DICE = {"HmacDice", "RecordedDice"}


def code_is_pure(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """For all loaded modules of the ruleset."""
    for module in modules_of(rules):
        file = str(module.__file__)
        tree = ast.parse(Path(file).read_text(encoding="utf-8"), file)
        yield from _imports(tree, file)
        yield from _calls(tree, file)
        yield from _own_dice(tree, file)
        yield from _kept_between_calls(tree, file)


def modules_of(rules: Ruleset[Any]) -> list[ModuleType]:
    """The loaded modules in the folder of the ruleset, sorted by their files."""
    folder = f"{rules.info.folder}/"
    loaded = [(getattr(module, "__file__", None), module) for module in [*sys.modules.values()]]
    of_folder = {
        file: module for file, module in loaded if isinstance(file, str) and file.startswith(folder) and file.endswith(".py")
    }
    return [of_folder[file] for file in sorted(of_folder)]


def _imports(tree: ast.AST, file: str) -> Iterator[Wrong]:
    for node, module in _imported(tree):
        what = _WHAT.get(module.partition(".")[0])
        if what:
            words = f"the module {module} is imported: a ruleset does not depend on {what}"
            yield Wrong("code.pure", words, PlaceInFile(file, node.lineno))
        elif module.partition(".")[0] == "pbmd" and module != _PBMD and not module.startswith(f"{_PBMD}."):
            yield Wrong(
                "code.imports", f"{module} is imported: of pbmd, a ruleset imports {_PBMD} only", PlaceInFile(file, node.lineno)
            )


def _imported(tree: ast.AST) -> Iterator[tuple[ast.Import | ast.ImportFrom | ast.Call, str]]:
    """What is imported where, except for type checkers only."""
    for node in _without_typing(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield from ((node, name) for name in _from(node.module, node.names))
        elif isinstance(node, ast.Call) and _called(node) in ("__import__", "import_module"):
            yield from (
                (node, each.value) for each in node.args[:1] if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def _from(module: str, names: Sequence[ast.alias]) -> Iterator[str]:
    """For pbmd itself the imported parts count, for everything else the module."""
    yield from (f"{module}.{alias.name}" for alias in names) if module == "pbmd" else (module,)


def _without_typing(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _without_typing(node)


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _calls(tree: ast.AST, file: str) -> Iterator[Wrong]:
    """Calls of Python's own functions; a name that the module defines is its own."""
    own = {name for node in ast.walk(tree) for name in _names_given(node)}
    for node in _outside_of_hash(tree):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name in _CALLS and name not in own:
            words = f"{name}() is called: a ruleset does not depend on {_CALLS[name]}"
            yield Wrong("code.pure", words, PlaceInFile(file, getattr(node, "lineno", 1)))


def _own_dice(tree: ast.AST, file: str) -> Iterator[Wrong]:
    """Dice that a ruleset makes itself can be predicted by everybody who knows what it makes them from."""
    for node in _without_typing(tree):
        names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else {getattr(node, "attr", "")}
        for name in sorted(names & _DICE):
            words = f"{name} is used: a ruleset makes no dice, and its chance is that of the dice that it is handed"
            yield Wrong("code.pure", words, PlaceInFile(file, getattr(node, "lineno", 1)))


_CHANGES = {"append", "extend", "insert", "remove", "add", "discard"}
"""On lists and sets; a table may remember what was computed before."""


def _kept_between_calls(tree: ast.Module, file: str) -> Iterator[Wrong]:
    """Functions must not change variables of their module; but they may keep results in a table, by key."""
    of_module = {each.id for node in tree.body for each in _assigned(node) if isinstance(each, ast.Name)}
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]:
        own = {name for node in ast.walk(function) for name in _names_given(node)}
        for node in ast.walk(function):
            changed = node.names if isinstance(node, ast.Global) else [_changed_by(node)]
            for name in changed:
                if name in of_module and (isinstance(node, ast.Global) or name not in own):
                    words = (
                        f"the variable {name} of the module is changed by a function: what is kept there counts in other games"
                    )
                    yield Wrong("code.keeps", words, PlaceInFile(file, getattr(node, "lineno", 1)))


_CHANGES_OF_TABLES = {"setdefault", "update", "pop", "popitem", "clear"}


def changed_table(rules: Ruleset[Any]) -> PlaceInFile | None:
    """The first place at which a function changes a table of its module, or keeps what it returns; None if none is seen."""
    for module in modules_of(rules):
        file = str(module.__file__)
        tree = ast.parse(Path(file).read_text(encoding="utf-8"), file)
        of_module = {each.id for node in tree.body for each in _assigned(node) if isinstance(each, ast.Name)}
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            if any("cache" in ast.dump(decorator) for decorator in function.decorator_list):
                return PlaceInFile(file, function.lineno, function.name)
            for node in ast.walk(function):
                if _table_changed_by(node) in of_module:
                    return PlaceInFile(file, getattr(node, "lineno", 1), function.name)
    return None


def _table_changed_by(node: ast.AST) -> str:
    """The name of the variable in which something is stored by key; empty if there is none."""
    table = node.value if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES_OF_TABLES:
        table = node.func.value
    return table.id if isinstance(table, ast.Name) else ""


def _assigned(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else []


def _changed_by(node: ast.AST) -> str:
    """The name of the variable that a method call changes; empty if there is none."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        return node.func.value.id if isinstance(node.func.value, ast.Name) else ""
    return ""


def _names_given(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg


def _outside_of_hash(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything except the body of `__hash__`, which has to use it."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.FunctionDef) and node.name == "__hash__"):
            yield node
            yield from _outside_of_hash(node)


_IN_ORDER = ("tuple", "list", "next", "iter", "enumerate", "join", "pop")


def _chooses(node: ast.Call) -> bool:
    """Of equal ones the first is taken."""
    return _called(node) in ("max", "min") and any(keyword.arg == "key" for keyword in node.keywords)


def set_order(rules: Ruleset[Any]) -> PlaceInFile | None:
    """The first place at which something is done in the order of a set, which depends on the hash seed; None if none is
    seen."""
    for module in modules_of(rules):
        file = str(module.__file__)
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"), file)):
            gone_through = [node.iter] if isinstance(node, ast.For | ast.comprehension) else []
            if isinstance(node, ast.Call) and (_called(node) in _IN_ORDER or _chooses(node)):
                gone_through = node.args[:1]
            for each in gone_through:
                if isinstance(each, ast.Set | ast.SetComp) or (
                    isinstance(each, ast.Call) and _called(each) in ("set", "frozenset")
                ):
                    return PlaceInFile(file, each.lineno)
    return None
