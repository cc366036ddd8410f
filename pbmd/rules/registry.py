"""Where rulesets come from: those that come with pbmd, the entry points of other installed packages, or a folder."""

import difflib
import hashlib
import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from pbmd.rules.declared import RulesetError
from pbmd.rules.nothing import understanding_nothing
from pbmd.rules.protocol import Ruleset

GROUP = "pbmd.rulesets"
"""The entry points by which other packages make their rulesets known."""
_IN_FOLDER = "pbmd_ruleset_"
"""How the names of modules of rulesets in folders begin."""
_DIGEST = re.compile(rf"(?<=^{_IN_FOLDER})[0-9a-f]{{8}}_")
_LONGEST_NAME = 60
_NAME = re.compile(rf"[\w.-]{{1,{_LONGEST_NAME}}}")
"""What may be meant for a ruleset."""


class UnknownRuleset(LookupError):
    """There is no ruleset of that name; the message lists those there are."""


class UnusableRuleset(UnknownRuleset):
    """A ruleset that exists and cannot be read. The message names its file, the line and the error, and any host may see it:
    nothing of a game is known while a ruleset is read. `line` is 0 for a file as a whole."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}, line {line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


def slugs() -> tuple[str, ...]:
    """The names of all installed rulesets, sorted."""
    return tuple(sorted({*_slugs_of_pbmd(), *(point.name for point in entry_points(group=GROUP))}))


@cache
def get(slug: str) -> Ruleset[Any]:
    """The installed ruleset of that name, which may come out of anybody's document. Raises `UnknownRuleset`, and
    `UnusableRuleset` if it cannot be read."""
    if slug in _slugs_of_pbmd():
        return _read(f"the ruleset {slug}", lambda: importlib.import_module(f"{_of_pbmd().__name__}.{slug}").ruleset)
    for point in entry_points(group=GROUP):
        if point.name == slug:
            return _read(f"the ruleset {slug}", point.load)
    near = difflib.get_close_matches(slug, slugs(), n=1) if _NAME.fullmatch(slug) else []
    hint = f' Did you mean "{near[0]}"?' if near else f" There are: {', '.join(slugs())}."
    raise UnknownRuleset(f'there is no ruleset "{_shown(slug)}".{hint}')


def find(slug: str, folders: Iterable[Path]) -> Ruleset[Any]:
    """The ruleset of that name: in one of these folders, which is called so, or else installed. Raises as `get`."""
    folder = folder_of(slug, folders)
    return get(slug) if folder is None else from_folder(folder)


def folder_of(slug: str, folders: Iterable[Path]) -> Path | None:
    """The first of these folders that has the ruleset of that name; None if none has."""
    return next((folder for folder in folders if folder.name == slug), None)


def _shown(slug: str) -> str:
    """A name as far as it can be one, so that no document can write what it likes to a terminal or a log."""
    shown = "".join(character if character.isprintable() else "…" for character in slug[:_LONGEST_NAME])
    return shown if len(slug) <= _LONGEST_NAME else f"{shown}…"


@cache
def _of_pbmd() -> ModuleType:
    """The package of the rulesets that come with pbmd: within it in a wheel, beside it in a checkout.

    They have no entry points: those are the same in a wheel and in a checkout, and the package is not.
    """
    inside = f"{__name__.partition('.')[0]}.rulesets"
    return importlib.import_module(inside if importlib.util.find_spec(inside) else "rulesets")


@cache
def _slugs_of_pbmd() -> tuple[str, ...]:
    return tuple(module.name for module in iter_modules(_of_pbmd().__path__) if module.ispkg)


def is_folder_of_ruleset(folder: Path) -> bool:
    """Whether a ruleset may be read from there, that is, whether it is a package. An impossible path is none."""
    try:
        return (folder / "__init__.py").is_file()
    except OSError:  # it may be longer than the system allows
        return False


def from_folder(folder: Path) -> Ruleset[Any]:
    """The ruleset in a folder outside the installed packages; its ``__init__.py`` has `ruleset`.

    Raises `UnknownRuleset` if there is none, and `UnusableRuleset` if it cannot be read.
    """
    return _from_folder(folder.resolve())


def reread(folder: Path) -> Ruleset[Any]:
    """The ruleset in a folder as its files are now; one that was read before goes on as it was. Raises as `from_folder`."""
    _from_folder.cache_clear()
    _forget(_package_of(folder.resolve()))
    importlib.invalidate_caches()
    return from_folder(folder)


def _package_of(folder: Path) -> str:
    """The name of its package. Folders of the same name are different packages, even while both are used."""
    digest = hashlib.sha256(str(folder).encode(errors="surrogateescape")).hexdigest()[:8]
    return f"{_IN_FOLDER}{digest}_{re.sub(r'[^a-z0-9_]', '_', folder.name.lower())}"


def _exists(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # it may be longer than the system allows
        return False


@cache
def _from_folder(folder: Path) -> Ruleset[Any]:
    init = folder / "__init__.py"
    if not is_folder_of_ruleset(folder):
        why = "it has no __init__.py" if _exists(folder) else "there is no such folder"
        raise UnknownRuleset(f"{folder} is no ruleset: {why}")
    name = _package_of(folder)
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise UnknownRuleset(f"{init} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    execute = spec.loader.exec_module

    def load() -> Any:
        execute(module)
        return getattr(module, "ruleset", None)

    try:
        return _read(str(init), load)
    except UnusableRuleset:
        _forget(name)
        raise


def _forget(name: str) -> None:
    """What was imported under that name is of a folder that could not be loaded as a whole."""
    for module in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
        del sys.modules[module]


def _read(file: str, load: Callable[[], Any]) -> Ruleset[Any]:
    """What `load` gives if it is a ruleset. Raises `UnusableRuleset` with the place of whatever is wrong."""
    try:
        found = load()
    except RulesetError as problem:
        raise UnusableRuleset(problem.file, problem.line, problem.problem) from problem
    except SyntaxError as problem:
        raise UnusableRuleset(problem.filename or file, problem.lineno or 0, f"SyntaxError: {problem.msg}") from problem
    except (Exception, SystemExit) as problem:  # a ruleset may be foreign code, which may fail in any way
        where, line = _place_of(problem) or (file, 0)
        raise UnusableRuleset(where, line, " ".join(traceback.format_exception_only(problem)[-1].split())) from problem
    if not isinstance(found, Ruleset):
        raise UnusableRuleset(file, 0, "it has no ruleset = Ruleset(…)")
    return understanding_nothing(found)


def _place_of(problem: BaseException) -> tuple[str, int] | None:
    """The last file of a ruleset, and its line, that the problem came from or passed through."""
    frames = traceback.walk_tb(problem.__traceback__)
    of_rules = [(frame, line) for frame, line in frames if is_of_rules(str(frame.f_globals.get("__name__", "")))]
    return (of_rules[-1][0].f_code.co_filename, of_rules[-1][1]) if of_rules else None


def shown_module(module: str) -> str:
    """A module's name for people: for a ruleset in a folder, without what distinguishes it from other folders of the same
    name."""
    return _DIGEST.sub("", module)


def is_of_rules(module: str) -> bool:
    """Whether the module of that name belongs to a ruleset, be it installed or in a folder."""
    return module.startswith(_IN_FOLDER) or any(
        module == package or module.startswith(f"{package}.") for package in _packages()
    )


def comes_with_pbmd(package: str) -> bool:
    """Whether it is the package of a ruleset that comes with pbmd, whose tests prove that it can be read."""
    return package.startswith(f"{_of_pbmd().__name__}.")


@cache
def _packages() -> tuple[str, ...]:
    return (_of_pbmd().__name__, *{point.module for point in entry_points(group=GROUP)})
