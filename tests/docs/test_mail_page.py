"""docs/mail.md: its settings are whole files that pbmd takes, and its advice is that of `pbmd check`."""

import re
import smtplib
import ssl
from pathlib import Path

import pytest

from pbmd.cli import hints
from pbmd.cli.hints import Server, mend, mend_folder
from pbmd.post.imap.connection import ConnectionEnded, InboxLost, LoginPutOff, LoginRefused
from pbmd.settings import read_settings
from tests.docs import mail_programs
from tests.docs.pages import ROOT, Block, blocks, read
from tests.docs.test_completeness import words_of

PAGE = ROOT / "docs" / "mail.md"
FILES = blocks("toml pbmd.toml", PAGE)
OWN = Server("imap", "mail.example.org", 993, "tls")


def refused(said: str = "no") -> LoginRefused:
    return LoginRefused(f"refused the login: {said}")


def certificate(code: int) -> ssl.SSLCertVerificationError:
    problem = ssl.SSLCertVerificationError("certificate verify failed")
    problem.verify_code = code
    return problem


def imap(host: str, *, token: bool = False) -> Server:
    return Server("imap", host, 993, "tls", token)


PROMISED = [
    mend(refused(), imap("imap.gmail.com")),
    mend(refused(), imap("imap.gmail.com", token=True)),
    mend(refused("Web login required"), imap("imap.gmail.com")),
    mend(refused("Your account is not enabled for IMAP use"), imap("imap.gmail.com")),
    mend(refused("Too many simultaneous connections"), imap("imap.gmail.com")),
    mend(refused(), imap("outlook.office365.com")),
    mend(refused(), imap("outlook.office365.com", token=True)),
    mend(InboxLost("User is authenticated but not connected"), imap("outlook.office365.com", token=True)),
    mend(smtplib.SMTPAuthenticationError(535, "SmtpClientAuthentication is disabled"), imap("smtp.office365.com", token=True)),
    mend(refused(), imap("imap.fastmail.com")),
    mend(refused(), OWN),
    mend(LoginPutOff("puts off the login"), OWN),
    mend(refused("[EXPIRED] Password expired"), OWN),
    mend(refused("[CONTACTADMIN] ask"), OWN),
    mend(refused("[PRIVACYREQUIRED] not in the clear"), OWN),
    mend(refused("the server takes OAuth2 tokens only (XOAUTH2)"), OWN),
    mend(refused("the server takes no OAuth2 token"), OWN),
    mend(refused("the server takes no password in a way that pbmd knows"), OWN),
    mend_folder(ConnectionEnded("BYE Connection is closed. 13"), OWN),
    mend(certificate(20), OWN),
    mend(certificate(62), OWN),
    mend(certificate(10), OWN),
    mend(ConnectionRefusedError(), OWN),
    mend(TimeoutError(), OWN),
]


@pytest.mark.parametrize("block", FILES, ids=lambda block: block.place)
def test_each_file_of_settings_can_be_used_as_it_stands(block: Block, tmp_path: Path) -> None:
    (tmp_path / "pbmd.toml").write_text(block.text)
    settings = read_settings(tmp_path / "pbmd.toml")
    assert settings.imap_account().host
    assert settings.smtp_account().secret is not None


def test_there_is_a_file_for_each_kind_of_provider() -> None:
    hosts = re.findall(r'^host = "([^"]+)"', "".join(block.text for block in FILES), re.MULTILINE)
    assert {"imap.gmail.com", "outlook.office365.com", "imap.fastmail.com", "mail.example.org", "localhost"} <= set(hosts)


@pytest.mark.parametrize("hint", PROMISED, ids=range(len(PROMISED)))
def test_the_advice_that_it_quotes_is_that_of_pbmd_check(hint: str) -> None:
    assert f"| {hint} |" in read(PAGE)


def test_all_that_pbmd_check_knows_of_what_servers_say_is_quoted() -> None:
    usual = mend(ValueError(), OWN)
    known = {hint(OWN) for fits, hint in hints._HINTS if fits.__qualname__.startswith("_said")}
    assert known
    assert known <= {*PROMISED} - {usual}


def test_what_the_game_master_sees_when_something_goes_wrong_is_a_word_of_the_log() -> None:
    _, _, table = read(PAGE).partition("## When something goes wrong")
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 10
    seen = {word for row in rows for word in re.findall(r"`([a-z]+(?:-[a-z]+)?)`", row[2])}
    assert seen <= set(words_of("log", "_note"))


def test_the_mail_programs_are_those_that_are_tried() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert mail_programs.with_table(page) == page, "python -m tests.docs.mail_programs writes the table anew"
    assert "| Gmail | Afrikaans, " in page
