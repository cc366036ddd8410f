"""`pbmd check`, `tick` and `run` against mail servers: the local post office, Dovecot, and servers that fail."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from pbmd.cli.hints import Server, mend
from pbmd.daemon.refusals import SMTP_REFUSALS
from pbmd.demo.office import LocalOffice
from pbmd.ledger.tables import Letter, Outbox, OutboxState
from pbmd.post.imap.connection import LoginRefused
from tests.cli.conftest import Home
from tests.mailservers import PASSWORD, Dovecot, free_ports, letter
from tests.rules import count

PATIENCE_SECONDS = 120.0


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna"], password="hunter2") as office:
        yield office


@pytest.fixture
def served(home: Home, office: LocalOffice) -> Home:
    """A home whose mail servers work."""
    home.write_settings(office.imap_port, office.smtp_port)
    return home


def use_dovecot(home: Home, dovecot: Dovecot, **changes: str) -> None:
    """Read a mailbox of Dovecot over TLS; `changes` are other values than those that work."""
    values = {
        "host": '"localhost"',
        "port": str(dovecot.imaps_port),
        "tls": '"tls"',
        "ca_file": f'"{dovecot.ca_file}"',
        "user": f'"{dovecot.new_user()}"',
        "password": f'"{PASSWORD}"',
        "timeout_seconds": "60",
        **changes,
    }
    head, _, rest = home.settings.read_text().partition("[imap]")
    table = "".join(f"{key} = {value}\n" for key, value in values.items() if value)
    home.settings.write_text(f"{head}[imap]\n{table}\n[smtp]{rest.partition('[smtp]')[2]}")


def failed(home: Home, name: str) -> tuple[str, str]:
    """What is wrong with one thing that is checked, and how to mend it."""
    return all_failed(home)[name]


def all_failed(home: Home) -> dict[str, tuple[str, str]]:
    """What is wrong with all things that are not as they should be, and how to mend them."""
    done = home.run("check", "--json")
    assert done.exit_code == 1
    result = json.loads(done.stdout)
    assert result["ok"] is False
    wrong = [check for check in result["checks"] if check["ok"] is False]
    found = {check["name"]: (check["detail"], check["mend"]) for check in wrong}
    assert len(found) == len(wrong)
    return found


class TestCheck:
    def test_says_that_all_is_well(self, served: Home, office: LocalOffice) -> None:
        office.deliver("games@pbmd.test", letter())
        lines, _, seen = served.good("check").partition("\n\nWhat players will see:\n")
        lines = lines.splitlines()
        assert "games@pbmd.test" in seen
        assert [line.split()[0] for line in lines] == ["ok"] * 12
        assert "data can be written" in lines[1]
        assert "0 games not finished" in lines[2]
        assert "all can be read" in lines[3]
        assert "0 games, as they were written" in lines[4]
        assert "0 entries, as they were written" in lines[5]
        assert "count" in lines[6]
        assert "0 can be read" in lines[7]
        assert f"games at 127.0.0.1:{office.imap_port}" in lines[8]
        assert "INBOX has 1 letter; " in lines[9]
        assert "the server's clock and this machine's agree" in lines[10]
        assert "no mail was sent" in lines[11]

    @pytest.mark.parametrize(("wrong", "told"), [(-900, "ahead of"), (900, "behind")])
    def test_tells_when_the_clocks_differ(self, served: Home, monkeypatch: pytest.MonkeyPatch, wrong: int, told: str) -> None:
        monkeypatch.setattr("pbmd.cli.check.utc_now", lambda: datetime.now(UTC) + timedelta(seconds=wrong))
        detail, mend = failed(served, "IMAP clock")
        assert "the mail server's clock is " in detail
        assert f"{told} this machine's" in detail
        assert "NTP" in mend

    @pytest.mark.usefixtures("no_pictures")
    def test_tells_in_a_line_that_maps_are_no_pictures(self, served: Home) -> None:
        [line] = [line for line in served.good("check").splitlines() if "pictures" in line]
        assert line.split()[:2] == ["ok", "pictures"]
        assert line.endswith("pip install 'pbmd-games[pictures]'")

    def test_sends_a_test_mail_when_asked(self, served: Home) -> None:
        assert "a test mail to games@pbmd.test was taken by" in served.good("check", "--send-to", "games@pbmd.test")
        assert "INBOX has 1 letter" in served.good("check")

    def test_lets_tick_send_at_once_when_the_test_mail_is_taken(self, served: Home) -> None:
        served.good("check")
        waits = served.folder / "data" / SMTP_REFUSALS
        waits.write_text("{}")
        served.good("check")
        assert waits.exists()
        served.good("check", "--send-to", "anna@pbmd.test")
        assert not waits.exists()

    def test_tells_when_the_test_mail_is_not_taken(self, served: Home) -> None:
        done = served.run("check", "--send-to", "nobody@elsewhere.test")
        assert done.exit_code == 1
        assert "did not take the test mail to nobody@elsewhere.test: 550 " in done.stdout

    def test_sends_nothing_to_what_is_no_address(self, home: Home) -> None:
        assert home.problem("check", "--send-to", "you") == '--send-to takes an e-mail address like you@example.org, not "you"'

    def test_of_settings_that_cannot_be_used_is_wrong_use(self, home: Home) -> None:
        home.settings.write_text("[server]\n")
        assert home.run("check").exit_code == 2

    def test_never_shows_the_password(self, home: Home) -> None:
        done = home.run("check")
        assert "hunter2" not in done.stdout + done.stderr

    def test_goes_on_after_a_failure_and_says_how_to_mend_each(self, home: Home) -> None:
        done = home.run("check")
        assert done.exit_code == 1
        marks = [line.split()[0] for line in done.stdout.partition("\n\n")[0].splitlines()]
        assert marks == ["ok"] * 8 + ["FAILED", "To"] * 2


class TestMending:
    def test_of_a_port_that_is_closed_names_the_usual_ones(self, home: Home) -> None:
        found = all_failed(home)
        detail, hint = found["IMAP login"]
        assert detail == "127.0.0.1:1, connecting: Connection refused"
        assert hint == 'no server answers on port 1 of 127.0.0.1; usual are 993 with tls = "tls", 143 with "starttls"'
        detail, hint = found["SMTP login"]
        assert "Connection refused" in detail
        assert hint == 'no server answers on port 1 of 127.0.0.1; usual are 465 with tls = "tls", 587 with "starttls"'

    def test_of_a_server_that_says_nothing_thinks_of_firewalls(self, home: Home) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            home.write_settings(silent.getsockname()[1], silent.getsockname()[1])
            text = home.settings.read_text().replace("timeout_seconds = 60", "timeout_seconds = 1")
            home.settings.write_text(text)
            found = all_failed(home)
        assert all("a firewall may block port" in found[name][1] for name in ("IMAP login", "SMTP login"))

    def test_of_a_wrong_password_speaks_of_the_password(self, served: Home) -> None:
        served.settings.write_text(served.settings.read_text().replace("hunter2", "wrong"))
        detail, hint = failed(served, "IMAP login")
        assert detail.startswith("127.0.0.1 refused the login of games")
        assert hint.startswith("check user and password in [imap]")

    def test_of_a_password_file_that_is_not_there_names_it(self, served: Home) -> None:
        text = served.settings.read_text().replace('password = "hunter2"', 'password_file = "none"')
        served.settings.write_text(text)
        detail, hint = failed(served, "IMAP login")
        assert detail == f"the password file {served.folder / 'none'} cannot be read: No such file or directory"
        assert hint.startswith("see that the file or command that [imap] names gives the password in one line")

    def test_of_a_folder_that_is_not_there_speaks_of_the_folder(self, served: Home) -> None:
        served.settings.write_text(served.settings.read_text().replace('user = "games"', 'user = "games"\nfolder = "Orders"'))
        detail, hint = failed(served, "IMAP folder")
        assert "opening Orders" in detail
        assert hint == "set folder in [imap] to one that exists; INBOX always does"

    def test_of_a_data_folder_that_cannot_be_written_names_it(self, home: Home) -> None:
        (home.folder / "data").write_text("a file is in the way")
        detail, hint = failed(home, "data")
        assert str(home.folder / "data") in detail
        assert "make the folder writable" in hint

    def test_of_a_broken_ledger_says_what_the_database_said(self, home: Home) -> None:
        (home.folder / "data").mkdir()
        (home.folder / "data" / "ledger.sqlite").write_text("no database" * 100)
        assert failed(home, "ledger")[0] == "it is damaged: SQLite says: file is not a database"

    def test_of_a_ruleset_that_does_not_load_names_it(self, home: Home) -> None:
        home.settings.write_text(home.settings.read_text().replace("tests/rules/count", "tests/rules/none"))
        assert "none: " in failed(home, "rulesets")[0]
        assert "is no ruleset: there is no such folder" in failed(home, "rulesets")[0]

    def test_of_a_ruleset_that_cannot_be_read_names_file_and_line(self, home: Home) -> None:
        folder = home.folder / "broken"
        shutil.copytree(COUNT, folder)
        (folder / "ruleset.toml").write_text((folder / "ruleset.toml").read_text().replace("min_seats", "min_seat"))
        home.settings.write_text(home.settings.read_text().replace(str(COUNT), str(folder)))
        detail, hint = failed(home, "rulesets")
        assert f'broken: {folder}/ruleset.toml, line 7: there is no key "min_seat"; did you mean "min_seats"?' in detail
        assert "pbmd try" in hint

    def test_of_a_strict_game_without_a_server_to_believe_names_it(self, served: Home) -> None:
        plain = served.settings.read_text()
        served.settings.write_text(f'{plain}\n[mail]\nauthserv_id = "mx.pbmd.test"\n')
        served.start_game("galaxy-7", "--trust", "strict")
        served.good("check")
        served.settings.write_text(plain)
        said, hint = failed(served, "senders")
        assert "galaxy-7 is strict" in said
        assert "authserv_id" in hint

    def test_of_new_games_that_are_to_be_strict_without_a_server_to_believe(self, served: Home) -> None:
        served.settings.write_text(f'{served.settings.read_text()}\n[game]\ntrust = "strict"\n')
        assert "new games are to be strict" in failed(served, "senders")[0]

    def test_of_a_certificate_file_that_is_not_there_names_it(self, home: Home) -> None:
        home.settings.write_text(home.settings.read_text().rpartition("tls =")[0] + 'ca_file = "none.pem"\n')
        detail, hint = failed(home, "SMTP login")
        assert detail.endswith(f"the certificate file {home.folder / 'none.pem'} cannot be used: No such file or directory")
        assert hint == "change it in [smtp]"

    def test_of_a_password_that_smtp_cannot_send_says_so_and_does_not_show_it(self, home: Home) -> None:
        [port] = free_ports(1)
        login = Controller(
            object(), "127.0.0.1", port, auth_require_tls=False, authenticator=lambda *_: AuthResult(success=True)
        )
        login.start()
        try:
            home.write_settings(smtp_port=port, more='user = "games"\npassword = "pässword"\n')
            assert failed(home, "SMTP login")[0].endswith("user and password must be plain ASCII for SMTP")
        finally:
            login.stop()

    def test_of_a_host_that_does_not_exist_speaks_of_its_name(self) -> None:
        server = Server("smtp", "smpt.example.org", 465, "tls")
        assert mend(socket.gaierror(-2, "Name or service not known"), server).startswith('there is no host "smpt.example.org"')

    @pytest.mark.parametrize(
        ("host", "said"),
        [
            ("imap.gmail.com", "https://myaccount.google.com/apppasswords"),
            ("outlook.office365.com", "oauth2_command"),
            ("imap.mail.me.com", "app-specific password"),
            ("imap.gmx.net", "switch on access by IMAP"),
            ("notgmail.com.example.org", "check user and password"),
        ],
    )
    def test_of_a_refused_login_knows_the_ways_of_providers(self, host: str, said: str) -> None:
        assert said in mend(LoginRefused("no"), Server("imap", host, 993, "tls"))


@pytest.mark.dovecot
class TestTls:
    def test_works_with_a_certificate_that_is_trusted(self, served: Home, dovecot: Dovecot) -> None:
        use_dovecot(served, dovecot)
        assert "new mail is announced (IDLE)" in served.good("check")

    def test_with_an_unknown_authority_says_so(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, ca_file="")
        detail, hint = failed(home, "IMAP login")
        assert "its certificate is not trusted" in detail
        assert "set ca_file in [imap]" in hint

    def test_with_another_name_in_the_certificate_says_so(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, host='"0.0.0.0"')  # which leads to this machine as well
        assert "the certificate is for other names than 0.0.0.0" in failed(home, "IMAP login")[1]

    def test_on_a_port_without_says_so(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, port=str(dovecot.imap_port))
        assert f"port {dovecot.imap_port} does not begin with TLS" in failed(home, "IMAP login")[1]

    def test_missing_on_a_port_with_it_says_so(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, tls='"none"', timeout_seconds="1")
        assert "the server waits for TLS" in failed(home, "IMAP login")[1]

    def test_tells_of_a_wrong_password(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, password='"wrong"')
        assert "refused the login" in failed(home, "IMAP login")[0]


class TestTick:
    def test_reads_mail_and_sends_what_is_due(self, served: Home, office: LocalOffice) -> None:
        players = served.write("p.toml", '[[players]]\nseat = "A"\naddress = "anna@pbmd.test"\n' * 2)
        served.write("p.toml", Path(players).read_text().replace('"A"', '"B"', 1))
        served.good("new", "g", "--ruleset", "count", "--players", players, "--digest", "off")
        office.deliver("games@pbmd.test", letter())
        served.good("tick")
        assert [mail.state for mail in served.rows(Outbox)] == [OutboxState.SENT] * 2
        assert len(served.rows(Letter)) == 1

    def test_tells_in_one_line_when_the_mailbox_cannot_be_read(self, home: Home) -> None:
        said = home.problem("tick", code=1)
        assert said.startswith("the mailbox could not be read: 127.0.0.1:1, connecting: ")
        assert "imap-lost" in home.log

    def test_tells_in_one_line_when_mail_cannot_be_sent(self, home: Home, office: LocalOffice) -> None:
        home.write_settings(imap_port=office.imap_port)
        home.start_game()
        assert home.problem("tick", code=1).startswith("mail could not be sent: 127.0.0.1:1: ")

    def test_of_a_refused_login_names_the_chapter_on_it(self, served: Home) -> None:
        served.settings.write_text(served.settings.read_text().replace("hunter2", "wrong"))
        assert served.problem("tick", code=1).endswith("; all else was done. More: pbmd docs did-not-arrive 2")

    def test_leaves_the_work_to_a_daemon_that_runs(self, home: Home) -> None:
        with running(home) as daemon:
            told = home.problem("tick", code=3)
            assert told == f"another pbmd is at work on {home.folder / 'data'} (process {daemon.pid}); stop it first"


class TestRun:
    def test_works_until_it_is_stopped(self, served: Home) -> None:
        served.start_game()
        with running(served) as daemon:
            wait_for(served, "  unsent  ")  # the players of this game have no mailbox here
            daemon.send_signal(signal.SIGTERM)
            assert daemon.wait(PATIENCE_SECONDS) == 0
            assert daemon.stderr is not None
            assert daemon.stderr.read() == "pbmd reads INBOX of games at 127.0.0.1; Ctrl-C ends it\n"
        assert "stopped" in served.log

    def test_sees_within_moments_what_the_game_master_decides(self, served: Home) -> None:
        served.start_game()
        with running(served):
            served.good("extend", "galaxy-7", "24h")
            wait_until("a try to send the notice", lambda: served.rows(Outbox)[-1].tries)

    def test_is_refused_beside_another(self, served: Home) -> None:
        with running(served):
            done = served.run("run")
            assert done.exit_code == 3
            assert "another pbmd is at work" in done.stderr


COUNT = Path(count.__file__).parent


@contextmanager
def running(home: Home) -> Iterator["subprocess.Popen[str]"]:
    """`pbmd run` in a process of its own, that has begun its work."""
    command = [sys.executable, "-m", "pbmd", "run", "--settings", str(home.settings)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_for(home, "pbmd runs")
            yield process
        finally:
            process.terminate()


def wait_for(home: Home, what: str) -> None:
    """Wait until the dashboard log tells of it."""
    wait_until(f"{what} in the log", lambda: home.log_file.exists() and what in home.log)


def wait_until(what: str, condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < ends, f"waited in vain for {what}"
        time.sleep(0.05)
