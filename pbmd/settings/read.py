"""pbmd.toml and the environment → typed settings, with errors that name line and key."""

import os
import tomllib
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.engine import make_url

from pbmd.rules.toml import parse_toml
from pbmd.settings.model import Settings
from pbmd.settings.places import DELIMITER, PREFIX, explained, named, place_of
from pbmd.settings.retired import retired_in, without_retired

if TYPE_CHECKING:
    from pydantic_settings import BaseSettings

_RULESETS = "rulesets"
_FOLDERS = TypeAdapter(tuple[Path, ...])
_Environment = dict[tuple[str, ...], dict[str, Any]]
"""The keys that the name of an environment variable says → what it sets, as a document."""


class SettingsError(ValueError):
    """Settings that cannot be used; the message names the file, the line and the key, or the environment variable, and says
    what to change."""


def read_settings(path: Path) -> Settings:
    """Read and check a settings file; paths in it are relative to it. Raises `SettingsError`."""
    text, content = _text_of(path)
    environment = _environment()
    try:
        settings = Settings(**_over(without_retired(content), environment))
    except ValidationError as problem:
        raise SettingsError(
            "\n".join(explained(path, text, _values(environment), error) for error in problem.errors())
        ) from None
    accounts = (("imap", settings.imap_account), ("smtp", settings.smtp_account))
    for table, usable in (("server", settings.check_room_for_tags), *accounts, ("backups", settings.daily_backups)):
        try:
            usable()
        except ValueError as problem:
            also = [named(keys) for keys in environment if keys[0] == table]
            place = " and ".join([place_of(path, text, [table]), *also])
            raise SettingsError(f"{place}: {table}: {problem}") from None
    return _from_its_folder(settings, path.resolve().parent)


def unused_tables(path: Path) -> list[str]:
    """A sentence for each table of a settings file that nothing reads any more. Raises `SettingsError`."""
    return retired_in(path, *_text_of(path))


def ruleset_folders(path: Path) -> tuple[Path, ...]:
    """The folders of rulesets that a settings file names. The rest of it is not looked at: rules are found also where it is not
    filled in yet, or a password is not at hand. Raises `SettingsError`."""
    text, content = _text_of(path)
    environment = _environment()
    named_folders: Any = _values(environment).get((_RULESETS,), content.get(_RULESETS, ()))
    try:
        folders = _FOLDERS.validate_python(named_folders)
    except ValidationError as problem:
        errors = ({**error, "loc": (_RULESETS, *error["loc"])} for error in problem.errors())
        raise SettingsError("\n".join(explained(path, text, _values(environment), error) for error in errors)) from None
    return tuple(path.resolve().parent / folder for folder in folders)


def _text_of(path: Path) -> tuple[str, dict[str, Any]]:
    """A settings file as it is, and what is in it. Raises `SettingsError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors write a byte order mark
    except FileNotFoundError:
        raise SettingsError(f"{path}: there is no such file; `pbmd init DIR` writes one to start from") from None
    except OSError as problem:
        raise SettingsError(f"{path}: {problem.strerror or problem}") from None
    except UnicodeDecodeError as problem:
        raise SettingsError(f"{path}: {problem}") from None
    try:
        return text, parse_toml(text)
    except tomllib.TOMLDecodeError as problem:
        raise SettingsError(f"{path}: this is not TOML: {problem}") from None


def holds_password(path: Path) -> bool:
    """Whether a settings file itself contains a password. Raises `OSError` and `ValueError`."""
    content = parse_toml(path.read_text(encoding="utf-8-sig"))
    logins = (content.get(table, {}).get("password") for table in ("imap", "smtp"))
    database: str = content.get("server", {}).get("database", "")
    return any(logins) or bool(database and make_url(database).password)


def _from_its_folder(settings: Settings, home: Path) -> Settings:
    """The settings with every path in them relative to `home`, wherever pbmd was started."""
    server = settings.server.model_copy(update={"data": home / settings.server.data})
    imap, smtp = (
        login.model_copy(
            update={
                "password_file": login.password_file and home / login.password_file.expanduser(),
                "ca_file": login.ca_file and home / login.ca_file.expanduser(),
            }
        )
        for login in (settings.imap, settings.smtp)
    )
    folders = tuple(home / folder for folder in settings.rulesets)
    files = {name: home / file.expanduser() for name, file in settings.webhook.files.items()}
    webhook = settings.webhook.model_copy(update={"files": files})
    changed = {"server": server, "imap": imap, "smtp": smtp, _RULESETS: folders, "webhook": webhook}
    return settings.model_copy(update=changed)


def _environment() -> _Environment:
    """What each environment variable sets. Raises `SettingsError`."""
    found: _Environment = {}
    problems: list[str] = []
    prefix = PREFIX.lower()
    for name, value in os.environ.items():
        keys = tuple(name.lower().removeprefix(prefix).split(DELIMITER))
        if not name.lower().startswith(prefix) or keys[0] not in Settings.model_fields:
            continue
        try:
            found[keys] = _read_variable(keys, name, value)
        except ValueError as problem:
            problems.append(str(problem))
    if problems:
        raise SettingsError("\n".join(problems))
    return found


def _read_variable(keys: tuple[str, ...], name: str, value: str) -> dict[str, Any]:
    """What an environment variable sets, as a document. Raises `ValueError`, with what to change."""
    from pydantic_settings import EnvSettingsSource  # most have all of it in the file
    from pydantic_settings import SettingsError as Unreadable

    # It looks at the fields alone.
    source = EnvSettingsSource(cast("type[BaseSettings]", Settings), env_prefix=PREFIX, env_nested_delimiter=DELIMITER)
    source.env_vars = {name.lower(): value}
    try:
        return source()
    except Unreadable:
        hint = f"; {named(keys)}{DELIMITER}KEY sets one of its keys" if keys[0] != _RULESETS and len(keys) == 1 else ""
        setting = ".".join(keys)
        raise ValueError(f"{named(keys)}: {setting} has several values, which must be written as JSON here{hint}") from None


def _values(environment: _Environment) -> dict[tuple[str, ...], Any]:
    """What each environment variable sets its keys to."""

    def value(given: Any, key: str) -> Any:
        return given.get(key) if isinstance(given, dict) else None

    return {keys: reduce(value, keys, given) for keys, given in environment.items()}


def _over(content: dict[str, Any], environment: _Environment) -> dict[str, Any]:
    """What the file says, and over it what environment variables set: first those of a whole table, then those of its keys."""
    longest_last = sorted(environment.items(), key=lambda each: len(each[0]))
    return reduce(_merged, (given for _, given in longest_last), content)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    def value(key: str) -> Any:
        mine, over = below.get(key), above[key]
        return _merged(mine, over) if isinstance(mine, dict) and isinstance(over, dict) else over

    return {**below, **{key: value(key) for key in above}}
