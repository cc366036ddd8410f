"""What `pbmd check` advises, from what providers say."""

import smtplib
import socket
from pathlib import Path

import pytest

from pbmd.cli.hints import Server, about_login, mend, mend_folder
from pbmd.post.accounts import ImapAccount, Secret, SmtpAccount
from pbmd.post.imap.connection import ConnectionEnded, InboxLost, LoginPutOff, LoginRefused
from pbmd.post.smtp.client import SmtpError, SmtpLoginPutOff

TOKEN = Secret.token_from_command("print-token")


def refused(said: str) -> LoginRefused:
    """As the inbox tells of it."""
    return LoginRefused(f"imap.example.org refused the login of games: {said}")


def not_sent(code: int, said: bytes) -> SmtpError:
    """As the outbox tells of it: with the answer of the server in the cause."""
    try:
        raise SmtpError("smtp.example.org:465") from smtplib.SMTPAuthenticationError(code, said)
    except SmtpError as problem:
        return problem


def imap(host: str, *, token: bool = False) -> Server:
    return Server("imap", host, 993, "tls", token)


def smtp(host: str, *, token: bool = False) -> Server:
    return Server("smtp", host, 587, "starttls", token)


def test_a_server_knows_from_its_account_whether_it_gets_a_token() -> None:
    assert Server.of(ImapAccount(host="imap.gmail.com", user="a", secret=TOKEN)).token
    assert not Server.of(ImapAccount(host="imap.gmail.com", user="a", secret=Secret.from_file(Path("p")))).token
    assert not Server.of(SmtpAccount(host="localhost")).token


@pytest.mark.parametrize(
    ("host", "advice"),
    [
        ("imap.gmail.com", "with the scope https://mail.google.com/"),
        ("outlook.office365.com", "IMAP.AccessAsUser.All and SMTP.Send"),
        ("imap.example.org", "see that the command of oauth2_command in [imap] prints one that is for this user"),
    ],
)
def test_of_a_refused_token_it_speaks_of_the_token_and_not_of_passwords(host: str, advice: str) -> None:
    hint = mend(refused("[AUTHENTICATIONFAILED] Invalid credentials (Failure)"), imap(host, token=True))
    assert advice in hint
    assert "app password" not in hint


def test_of_a_refused_password_it_names_the_app_password_of_the_provider() -> None:
    said = "[ALERT] Application-specific password required"
    assert "https://myaccount.google.com/apppasswords" in mend(refused(said), imap("imap.gmail.com"))
    said_by_smtp = not_sent(535, b"5.7.8 Username and Password not accepted")
    assert "https://myaccount.google.com/apppasswords" in mend(said_by_smtp, smtp("smtp.gmail.com"))
    assert "Fastmail wants an app password" in mend(refused("Authentication failed"), imap("imap.fastmail.com"))


def test_of_a_password_for_microsoft_it_says_that_none_is_taken() -> None:
    problem = not_sent(550, b"5.7.30 Basic authentication is not supported for Client Submission.")
    assert mend(problem, smtp("smtp.office365.com")).startswith("Microsoft takes OAuth2 only")


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("[ALERT] Too many simultaneous connections. (Failure)", "other programs hold all connections"),
        ("[ALERT] Your account is not enabled for IMAP use.", "switch on access by IMAP"),
        ("[WEBALERT https://accounts.google.com/x] Web login required. (Failure)", "log in once with a web browser"),
    ],
)
def test_it_does_not_blame_the_password_for_what_the_provider_says_is_something_else(said: str, advice: str) -> None:
    for token in (False, True):
        assert mend(refused(said), imap("imap.gmail.com", token=token)).startswith(advice)


def test_of_sending_that_is_switched_off_for_a_mailbox_it_says_where_to_switch_it_on() -> None:
    said = b"5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."
    assert '"Authenticated SMTP"' in mend(not_sent(535, said), smtp("smtp.office365.com", token=True))


def test_of_a_mailbox_that_is_not_behind_a_good_token_it_does_not_speak_of_folders() -> None:
    problem = InboxLost("outlook.office365.com:993, opening INBOX: User is authenticated but not connected.")
    assert mend_folder(problem, imap("outlook.office365.com", token=True)).startswith("Microsoft took the token")


def test_of_a_folder_that_is_not_there_it_names_one_that_always_is() -> None:
    problem = InboxLost("imap.example.org:993, opening Orders: Mailbox doesn't exist: Orders")
    assert mend_folder(problem, imap("imap.example.org")) == "set folder in [imap] to one that exists; INBOX always does"


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("[EXPIRED] Password expired", "the password has run out"),
        ("[CONTACTADMIN] Account suspended", "the account is locked"),
        ("[PRIVACYREQUIRED] Plaintext authentication disallowed", "the server takes no password on port 993"),
        ("the server lets nobody log in over this connection (LOGINDISABLED)", "the server takes no password on port 993"),
        ("the server takes OAuth2 tokens only (XOAUTH2), and the settings give a password", "in [imap] set oauth2_command"),
    ],
)
def test_what_a_server_says_of_the_login_itself_has_advice_of_its_own(said: str, advice: str) -> None:
    assert mend(refused(said), imap("imap.example.org")).startswith(advice)


@pytest.mark.parametrize("said", ["Server Unavailable. 15", "[SERVERBUG] LOGIN Server error - Please try again later"])
def test_of_a_login_that_is_put_off_it_does_not_blame_the_password(said: str) -> None:
    problem = LoginPutOff(f"imap.gmail.com puts off the login of games: {said}")
    assert mend(problem, imap("imap.gmail.com")).startswith("wait: ")
    assert about_login(problem) == ""
    over_smtp = SmtpLoginPutOff("smtp.example.org:465: 454 4.7.0 later")
    over_smtp.__cause__ = smtplib.SMTPAuthenticationError(454, b"later")
    assert mend(over_smtp, smtp("smtp.example.org")).startswith("wait: ")
    assert about_login(over_smtp) == ""


def test_of_a_connection_that_ends_behind_the_login_it_does_not_speak_of_folders() -> None:
    problem = ConnectionEnded("outlook.office365.com:993, opening INBOX: Connection is closed. 13")
    assert "the server ended the connection" in mend_folder(problem, imap("outlook.office365.com"))


def test_of_too_many_connections_it_does_not_speak_of_ports() -> None:
    problem = InboxLost("imap.example.org:993, connecting: the server said: BYE Too many connections")
    assert mend(problem, imap("imap.example.org")).startswith("other programs hold all connections")


def test_of_names_that_cannot_be_looked_up_just_now_it_does_not_say_that_there_is_no_host() -> None:
    problem = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    assert mend(problem, imap("imap.example.org")).startswith("no name server answers")
