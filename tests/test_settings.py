"""pbmd.toml: what is read from it, and how it is said what is wrong in it."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy.engine import make_url

from pbmd.ledger.address import address_problem
from pbmd.post.accounts import Secret
from pbmd.resources import folder
from pbmd.settings import Settings, SettingsError, holds_password, read_settings, unused_tables

TOML = """\
[server]
address = "games@example.org"
gm = "gm@example.org"

[imap]
host = "imap.example.org"
user = "games"
password = "hunter2"

[smtp]
host = "smtp.example.org"
"""


IN_POSTGRESQL = TOML.replace("[server]\n", '[server]\ndatabase = "postgresql+psycopg://pbmd:hunter2@host/pbmd"\n')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pbmd.toml"


def read(file: Path, text: str) -> Settings:
    file.write_text(text)
    return read_settings(file)


def problem(file: Path, text: str) -> str:
    """What is said about the file, its own name left out."""
    with pytest.raises(SettingsError) as caught:
        read(file, text)
    return str(caught.value).replace(str(file), "FILE")


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (TOML + "prot = 465\n", "FILE, line 12: smtp.prot: there is no such setting"),
            (TOML.replace('gm = "gm@example.org"\n', ""), "FILE, line 1: server.gm: this setting is missing"),
            (
                TOML.replace("[imap]\n", "[imap]\ntimeout_seconds = 10000000000\n"),
                "FILE, line 6: imap.timeout_seconds: Input should be less than or equal to 3600",
            ),
            (
                TOML + "[alarms]\noutbox_minutes = 9999999999\n",
                "FILE, line 13: alarms.outbox_minutes: Input should be less than or equal to 525600",
            ),
            (
                TOML + f"[limits]\nseries_openings_per_hour = {10**20}\n",
                "FILE, line 13: limits.series_openings_per_hour: must be at most 2147483647",
            ),
            (
                TOML + "[limits]\nletter_kilobytes = 5000000\n",
                "FILE, line 13: limits.letter_kilobytes: Input should be less than or equal to 1000000",
            ),
            (TOML.replace("[imap]\n", '[imap]\nfolder = ""\n'), "FILE, line 6: imap.folder: must be the name of a folder"),
            (TOML.replace("[imap]\n", '[imap]\nfolder = "a\\tb"\n'), "FILE, line 6: imap.folder: must be the name of a folder"),
            (TOML.replace("[smtp]\n", "[smpt]\n"), "FILE: smtp: this setting is missing"),
            (TOML.replace('"games"', "3"), "FILE, line 7: imap.user: Input should be a valid string"),
            (TOML.replace("games@ex", "games ex"), "FILE, line 2: server.address: must be an e-mail address like"),
            (TOML.replace("games@", "games+x@"), "FILE, line 2: server.address: must be an e-mail address like"),
            (TOML.replace("games@", f"{'g' * 65}@"), "FILE, line 2: server.address: must be an e-mail address like"),
            (TOML + '[game]\ndeadline = "soon"\n', 'FILE, line 13: game.deadline: "soon" is not a length of time'),
            (TOML + '[game]\nreminders = ["1d", "x"]\n', 'FILE, line 13: game.reminders.1: "x" is not a length of time'),
            (TOML + 'tls = "ssl"\n', "FILE, line 12: smtp.tls: Input should be 'tls', 'starttls' or 'none'"),
            (
                TOML + f"port = {'9' * 5000}\n",
                "FILE: this is not TOML: A number has more than 4300 digits (at line 12, column 8)",
            ),
            (TOML + f"port = {'[' * 5000}{']' * 5000}\n", "FILE: this is not TOML: Too many brackets within brackets"),
            (
                "[server\n" + TOML,
                "FILE: this is not TOML: Expected ']' at the end of a table declaration (at line 1, column 8)",
            ),
        ],
    )
    def test_name_the_file_the_line_and_the_key(self, file: Path, text: str, said: str) -> None:
        assert said in problem(file, text)

    def test_are_told_all_at_once_one_a_line(self, file: Path) -> None:
        told = problem(file, TOML.replace("imap.example.org", "").replace('"games"', "3") + "x = 1\n").splitlines()
        assert [line.partition(": ")[0] for line in told] == ["FILE, line 7", "FILE, line 12"]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (TOML.replace('password = "hunter2"\n', ""), "FILE, line 5: imap: it needs one of password, password_file"),
            (TOML.replace("[smtp]", 'password_file = "x"\n[smtp]'), "FILE, line 5: imap: give only one of password,"),
            (TOML.replace("games@", f"{'g' * 37}@"), "FILE, line 1: server: address has more than 36 characters before the @"),
            (TOML + 'user = "games"\n', "FILE, line 10: smtp: a login needs both a user and a password"),
            (TOML + 'tls = "none"\n', 'FILE, line 10: smtp: tls = "none" would send the password'),
            (
                TOML.replace("[imap]", "plus_addresses = false\n[imap]") + "bounce_address = true\n",
                "FILE, line 11: smtp: bounce_address needs plus addresses",
            ),
        ],
    )
    def test_of_a_login_name_its_table(self, file: Path, text: str, said: str) -> None:
        assert problem(file, text).startswith(said)

    @pytest.mark.parametrize(
        "address", ["my password: hunter2", "mysql://pbmd:hunter2@host/pbmd", "postgresql://pbmd:hunter2@h/d"]
    )
    def test_of_the_database_say_what_it_must_be_and_show_no_password(self, file: Path, address: str) -> None:
        said = problem(file, TOML.replace("[server]\n", f'[server]\ndatabase = "{address}"\n'))
        assert said.startswith("FILE, line 2: server.database: must be")
        assert "postgresql+psycopg://" in said
        assert "hunter2" not in said

    def test_of_the_database_name_the_driver_that_is_missing(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmd.ledger.address.find_spec", lambda _name: None)
        assert "line 2: server.database: PostgreSQL needs a driver: pip install 'pbmd-games[postgres]'" in problem(
            file, IN_POSTGRESQL
        )

    def test_of_backups_say_that_none_are_made_of_a_ledger_in_postgresql(self, file: Path) -> None:
        said = problem(file, IN_POSTGRESQL + "[backups]\nkeep = 7\n")
        assert said.startswith("FILE, line 13: backups: pbmd makes none of a ledger in PostgreSQL: have pg_dump run daily")

    def test_never_show_a_password(self, file: Path) -> None:
        assert "hunter2" not in problem(file, TOML.replace("[smtp]", 'password_file = "x"\n[smtp]') + "x = 1\n")
        assert "hunter2" not in problem(file, TOML.replace('"hunter2"', '["hunter2"]'))

    def test_of_a_file_that_is_not_there_say_how_to_make_one(self, file: Path) -> None:
        with pytest.raises(SettingsError, match=r"there is no such file; `pbmd init DIR` writes one"):
            read_settings(file)

    def test_none_is_the_mark_that_some_editors_begin_a_file_with(self, file: Path) -> None:
        file.write_text("\ufeff" + TOML, encoding="utf-8")
        assert read_settings(file).imap.user == "games"
        assert holds_password(file)

    def test_of_a_folder_say_what_it_is_once(self, tmp_path: Path) -> None:
        with pytest.raises(SettingsError) as caught:
            read_settings(tmp_path)
        assert str(caught.value) == f"{tmp_path}: Is a directory"

    def test_of_a_file_that_is_no_text_are_settings_errors(self, file: Path) -> None:
        file.write_bytes(b"\xff\xfe")
        with pytest.raises(SettingsError, match="utf-8"):
            read_settings(file)


class TestPaths:
    def test_are_taken_from_the_folder_of_the_file(self, file: Path) -> None:
        logins = TOML.replace('password = "hunter2"', 'password_file = "secret"\nca_file = "ca.pem"')
        settings = read(file, 'rulesets = ["mine"]\n' + logins.replace("[imap]", 'data = "games"\n[imap]'))
        home = file.parent
        assert settings.data == home / "games"
        assert settings.log_file == home / "games" / "dashboard.log"
        assert settings.database_url == f"sqlite:///{home}/games/ledger.sqlite"
        assert settings.rulesets == (home / "mine",)
        assert settings.imap_account().secret == Secret.from_file(home / "secret")
        assert settings.imap_account().ca_file == home / "ca.pem"

    def test_that_are_absolute_stay(self, file: Path) -> None:
        assert read(file, TOML.replace("[imap]", 'data = "/srv/pbmd"\n[imap]')).data == Path("/srv/pbmd")


class TestTheDatabase:
    def test_is_a_file_where_nothing_is_said(self, file: Path) -> None:
        assert read(file, TOML).database_url == f"sqlite:///{file.parent}/data/ledger.sqlite"

    def test_stands_in_no_text_of_the_settings(self, file: Path) -> None:
        settings = read(file, IN_POSTGRESQL)
        assert "hunter2" in settings.database_url
        assert "hunter2" not in repr(settings) + str(settings)

    def test_may_be_told_by_the_environment(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_SERVER__DATABASE", "postgresql+psycopg://pbmd:other@host/pbmd")
        assert read(file, IN_POSTGRESQL).database_url.endswith(":other@host/pbmd")


class TestEnvironment:
    def test_goes_before_the_file(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_IMAP__PASSWORD", "other")
        assert read(file, TOML).imap.password == "other"

    def test_may_name_the_settings_file_without_being_one(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_SETTINGS", str(file))
        assert read(file, TOML).imap.user == "games"


class TestErrorsOfTheEnvironment:
    @pytest.mark.parametrize(
        ("name", "value", "said"),
        [
            ("PBMD_GAME", "galaxy-7", "PBMD_GAME: game has several values, which must be written as JSON here; environment"),
            ("PBMD_GAME__REMINDERS", "1d", "PBMD_GAME__REMINDERS: game.reminders has several values, which must be written as"),
            ("PBMD_RULESETS", "mine", "PBMD_RULESETS: rulesets has several values, which must be written as JSON here"),
            ("pbmd_game__deadline", "soon", 'PBMD_GAME__DEADLINE: game.deadline: "soon" is not a length of time'),
            ("PBMD_GAME", '{"deadline": "soon"}', 'PBMD_GAME: game.deadline: "soon" is not a length of time'),
            ("PBMD_GAME__REMINDERS", '["1d", "x"]', 'PBMD_GAME__REMINDERS: game.reminders.1: "x" is not a length of time'),
            ("PBMD_IMAP__PORT", "imaps", "PBMD_IMAP__PORT: imap.port: Input should be a valid integer"),
            ("PBMD_SMTP__PROT", "465", "PBMD_SMTP__PROT: smtp.prot: there is no such setting"),
            ("PBMD_SERVER", "7", "PBMD_SERVER: server: Input should be a valid dictionary"),
        ],
    )
    def test_name_the_variable_and_no_line_of_the_file(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
    ) -> None:
        monkeypatch.setenv(name, value)
        (told,) = problem(file, TOML).splitlines()
        assert told.startswith(f"environment variable {said}")
        assert "FILE" not in told

    def test_leave_wrong_values_of_the_file_to_the_file(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_GAME", '{"early": false}')
        monkeypatch.setenv("PBMD_GAME__GRACE", "1h")
        told = problem(file, TOML + '[game]\ndeadline = "soon"\n')
        assert told.startswith("FILE, line 13: game.deadline")

    def test_of_a_login_name_what_had_a_part_in_it(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_IMAP__PASSWORD_FILE", "secret")
        told = problem(file, TOML)
        assert told.startswith("FILE, line 5 and environment variable PBMD_IMAP__PASSWORD_FILE: imap: give only one of")

    def test_never_show_a_password(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBMD_IMAP", "{hunter2")
        assert "hunter2" not in problem(file, TOML)


class TestTemplate:
    """deploy/pbmd.toml, which `pbmd init` writes."""

    TEXT = (folder("deploy") / "pbmd.toml").read_text()

    def test_can_be_read_as_it_is(self, file: Path) -> None:
        assert read(file, self.TEXT).server.address == "games@example.org"

    def test_shows_every_setting_and_its_default(self) -> None:
        shown = tomllib.loads(re.sub(r"^#(?=[a-z0-9_]+ = )", "", self.TEXT, flags=re.MULTILINE))
        for name, field in Settings.model_fields.items():
            if name == "rulesets":
                assert shown.pop(name) == list(field.default)
                continue
            table = shown.pop(name)
            for key, setting in field.annotation.model_fields.items():  # pyright: ignore[reportOptionalMemberAccess]
                value = table.pop(key)
                if key not in ("address", "gm", "host", "user", "password_file", "ca_file"):
                    default = setting.default
                    plain = list(default) if isinstance(default, tuple) else default
                    assert value == (str(plain) if isinstance(plain, Path) else plain), f"{name}.{key}"
            assert not table, f"[{name}] has settings that do not exist"
        assert not shown


# Passwords of databases

_SECRETS = ("hunter2", "Tr0ub4dor")
_SPECIAL = "@:/?#[]%&=+ ,;'\"\\!$*()|~^<>{}`-_."


@st.composite
def passwords(draw: st.DrawFn) -> str:
    """Two words that stand in nothing that pbmd says, with any signs around and between them."""
    signs = st.text(
        st.one_of(st.sampled_from(_SPECIAL), st.characters(min_codepoint=32, exclude_categories=["Cs"])), max_size=4
    )
    return f"{draw(signs)}{_SECRETS[0]}{draw(signs)}{_SECRETS[1]}{draw(signs)}"


_WRITTEN = (
    "postgresql+psycopg://pbmd:{}@db.example.org/pbmd",
    "postgresql+psycopg://pbmd:{}@db.example.org:5433/pbmd?sslmode=require",
    "postgresql+psycopg://pbmd@example:{}@db.example.org/pbmd",
    "postgresql+psycopg://pbmd:{}@[::1/pbmd",
    "postgresql+psycopg://pbmd:{}@db.example.org:port/pbmd",
    "postgresql+psycopg://db.example.org/pbmd?password={}",
    "postgresql+psycopg:/pbmd:{}@db.example.org/pbmd",
    "postgresql://pbmd:{}@db.example.org/pbmd",
    "postgresql+psycopg//pbmd:{}@db.example.org/pbmd",
    "pbmd:{}@db.example.org/pbmd",
    "{}",
)


@pytest.mark.parametrize("written", _WRITTEN)
@given(password=passwords())
@example(password="&hunter2Tr0ub4dor")
def test_no_part_of_a_password_of_a_database_is_said(written: str, password: str) -> None:
    """Whatever it has in it: the address is refused without a word of it, or all of it is the password, which nobody names."""
    address = written.format(password)
    problem = address_problem(address)
    if problem:
        assert not [secret for secret in _SECRETS if secret in problem]
        return
    url = make_url(address)
    assert url.password is not None
    shown = f"{url.username} {url.host} {url.port} {url.database} {dict(url.query)} {url}"
    assert not [secret for secret in _SECRETS if secret in shown], shown


@pytest.mark.parametrize("written", _WRITTEN)
@pytest.mark.parametrize(
    "password", ["hunter2", "hunter2@Tr0ub4dor", "hunter2/Tr0ub4dor", "hunter2:Tr0ub4dor", "hunter2%Tr0ub4dor"]
)
def test_no_part_of_it_stands_in_what_is_said_of_the_settings(file: Path, written: str, password: str) -> None:
    file.write_text(TOML.replace("[server]\n", f'[server]\ndatabase = "{written.format(password)}"\n'), encoding="utf-8")
    try:
        settings = read_settings(file)
    except SettingsError as problem:
        said = str(problem)
    else:
        assert holds_password(file)
        said = repr(make_url(settings.database_url))
    assert said
    assert not [secret for secret in _SECRETS if secret in said]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql+psycopg://pbmd:p@ss@host/pbmd", "must be an address with one @, before the host: any other"),
        ("postgresql+psycopg://pbmd:hunter2/pbmd", "must be an address like postgresql+psycopg://user@host/name"),
        ("postgresql+psycopg://host/pbmd?password=x", "must have its password before the host, or in a file"),
        ("postgresql+psycopg://pbmd:p%40ss@host/pbmd", ""),
    ],
)
def test_an_address_that_is_not_clear_is_refused_with_what_to_do(address: str, said: str) -> None:
    problem = address_problem(address)
    assert problem.startswith(said)
    assert bool(problem) == bool(said)


class TestWhatIsNoLongerUsed:
    STAMP = '\n[stamp]\ncommand = ["/usr/local/bin/stamp"]\nseconds = 3\n'

    def test_a_table_that_an_older_pbmd_read_stops_nothing(self, file: Path) -> None:
        assert read(file, TOML + self.STAMP) == read(file, TOML)

    def test_it_is_told_with_its_line(self, file: Path) -> None:
        file.write_text(TOML + self.STAMP)
        [told] = unused_tables(file)
        assert told.startswith(f"{file}, line 13: [stamp] is no longer used: ")
        file.write_text(TOML)
        assert unused_tables(file) == []
