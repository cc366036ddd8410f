"""Accounts and secrets: what is refused, where a password may come from, and that it is never shown."""

import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from pbmd.post import accounts
from pbmd.post.accounts import AccountError, ImapAccount, Secret, SecretError, SmtpAccount, tls_context

PRINTS_TWO_LINES = [sys.executable, "-c", "print('s3cret'); print('user: anna')"]


def imap(**values: object) -> ImapAccount:
    return ImapAccount(**{"host": "mail.example.org", "user": "gm", "secret": Secret.literal("s3cret"), **values})


def test_an_account_is_safe_by_default():
    account = imap()
    assert (account.port, account.tls, account.folder, account.processed) == (993, "tls", "INBOX", "move")
    with pytest.raises(FrozenInstanceError):
        account.host = "other"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_a_connection_without_tls_is_allowed_to_this_machine(host: str):
    assert imap(host=host, tls="none").tls == "none"
    assert SmtpAccount(host=host, tls="none").tls == "none"


@pytest.mark.parametrize("host", ["mail.example.org", "10.0.0.1", "localhost.example.org", "0.0.0.0"])
def test_a_connection_without_tls_is_refused_to_any_other(host: str):
    with pytest.raises(AccountError, match=f"in the clear to {host}"):
        imap(host=host, tls="none")
    with pytest.raises(AccountError, match="starttls"):
        SmtpAccount(host=host, tls="none")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"host": ""}, "host is missing"),
        ({"port": 0}, "port 0"),
        ({"port": 70000}, "port 70000"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"poll_seconds": 0}, "poll_seconds"),
        ({"max_letter_bytes": 0}, "max_letter_bytes"),
        ({"processed_folder": "INBOX"}, "another folder than INBOX"),
    ],
)
def test_values_that_cannot_work_are_refused_by_name(values: dict[str, object], words: str):
    with pytest.raises(AccountError, match=words):
        imap(**values)


def test_a_login_needs_both_user_and_password():
    with pytest.raises(AccountError, match="both or neither"):
        SmtpAccount(host="mail.example.org", user="gm")


def test_a_password_can_be_given_as_it_is():
    assert Secret.literal('a b\\c"ü').reveal() == 'a b\\c"ü'


def test_a_password_file_gives_its_first_line(tmp_path: Path):
    path = tmp_path / "password"
    path.write_text("s3cret\r\nnotes\n")
    assert Secret.from_file(path).reveal() == "s3cret"


def test_a_password_command_gives_its_first_line_without_a_shell(tmp_path: Path):
    assert Secret.from_command(PRINTS_TWO_LINES).reveal() == "s3cret"
    assert Secret.from_command(f"{sys.executable} -c 'print(\"a; b\")'").reveal() == "a; b"


def test_a_token_command_is_asked_anew_each_time(tmp_path: Path):
    count = tmp_path / "count"
    program = "import sys; log = open(sys.argv[1], 'a+'); log.write('x'); print('token', log.tell(), sep='')"
    secret = Secret.token_from_command([sys.executable, "-c", program, str(count)])
    assert secret.is_token
    assert [secret.reveal(), secret.reveal()] == ["token1", "token2"]


def test_a_secret_is_never_shown():
    shown = repr(imap()) + str(Secret.from_command(["pass", "s3cret"]))
    assert "s3cret" not in shown


def test_a_failing_command_is_named_but_not_what_it_printed():
    secret = Secret.from_command(
        [sys.executable, "-c", "import sys; print('s3cret'); print('s3cret', file=sys.stderr); sys.exit(3)"]
    )
    with pytest.raises(SecretError, match="exit code 3") as caught:
        secret.reveal()
    assert "s3cret" not in str(caught.value)


def test_a_command_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(accounts, "COMMAND_SECONDS", 0.1)
    with pytest.raises(SecretError, match="did not finish within"):
        Secret.from_command([sys.executable, "-c", "import time; time.sleep(30)"]).reveal()


@pytest.mark.parametrize(
    ("secret", "words"),
    [
        (Secret.from_file(Path("/no/such/file")), "/no/such/file cannot be read: No such file"),
        (Secret.from_command("/no/such/program --x"), "'/no/such/program' cannot be run"),
        (Secret.from_command("true"), "is empty"),
        (Secret.literal(""), "is empty"),
        (Secret.literal("a\r\nA1 LOGOUT"), "control characters"),
        (Secret.from_command([sys.executable, "-c", "import os; os.write(1, b'\\xff')"]), "not UTF-8"),
    ],
)
def test_a_secret_that_cannot_be_had_says_why(secret: Secret, words: str):
    with pytest.raises(SecretError, match=words):
        secret.reveal()


def test_a_password_file_that_is_not_text_says_so(tmp_path: Path):
    (tmp_path / "password").write_bytes(b"\xff\xfe")
    with pytest.raises(SecretError, match="not UTF-8"):
        Secret.from_file(tmp_path / "password").reveal()


@pytest.mark.parametrize(("command", "words"), [("", "is empty"), ([], "is empty"), ("say 'hi", "cannot be read")])
def test_a_command_that_makes_no_sense_is_refused_at_once(command: str | list[str], words: str):
    with pytest.raises(AccountError, match=words):
        Secret.from_command(command)


def test_a_certificate_file_that_cannot_be_used_is_named(tmp_path: Path):
    with pytest.raises(AccountError, match=r"ca\.pem cannot be used"):
        tls_context(tmp_path / "ca.pem")
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(AccountError, match=r"ca\.pem cannot be used"):
        tls_context(tmp_path / "ca.pem")
