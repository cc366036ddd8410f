"""`pbmd check` at mail servers that were seen to fail: what it says is true, and its advice does not lead astray."""

import json
from collections.abc import Mapping

import pytest

from tests.cli.conftest import Home
from tests.mailservers import letter
from tests.post.scripted.faults import fault
from tests.post.scripted.imap import PASSWORD, ImapServer
from tests.post.scripted.server import Fault
from tests.post.scripted.smtp import SmtpServer
from tests.post.test_explained import PYTHON


def checked(
    home: Home, imap: ImapServer, smtp: SmtpServer | None = None, more: str = ""
) -> Mapping[str, tuple[bool, str, str]]:
    """What is said of each thing that is tried: whether it is ok, what was seen, and how to mend it."""
    home.write_settings(imap.port, smtp.port if smtp else 1, more)
    home.settings.write_text(home.settings.read_text().replace("hunter2", PASSWORD).replace("seconds = 60", "seconds = 2", 1))
    done = home.run("check", "--json")
    assert not PYTHON.search(done.stdout)
    return {check["name"]: (check["ok"], check["detail"], check["mend"]) for check in json.loads(done.stdout)["checks"]}


LOGIN = f'user = "games"\npassword = "{PASSWORD}"\n'


def test_all_is_well_at_servers_without_a_fault(home: Home) -> None:
    with ImapServer() as imap, SmtpServer() as smtp:
        said = checked(home, imap, smtp, LOGIN)
    assert all(ok for name, (ok, _, _) in said.items() if "IMAP" in name or "SMTP" in name)
    assert "new mail is announced (IDLE)" in said["IMAP folder"][1]


def test_that_idle_is_promised_and_never_agreed_to_is_said(home: Home) -> None:
    with ImapServer(fault("idle never agreed to")) as imap:
        said = checked(home, imap)
    assert "IDLE is promised and not agreed to, so it is read every" in said["IMAP folder"][1]
    assert said["IMAP clock"][0]


def test_of_a_connection_that_ends_as_the_folder_is_opened_it_does_not_blame_the_folder(home: Home) -> None:
    with ImapServer(fault("closed at select")) as imap:
        ok, detail, mend = checked(home, imap)["IMAP folder"]
    assert not ok
    assert "Connection is closed. 13" in detail
    assert "the server ended the connection" in mend


def test_of_a_connection_that_ends_over_the_sign_it_names_the_folder_of_the_sign(home: Home) -> None:
    with ImapServer(Fault("UID FETCH", then="closes", part="<0.4000>")) as imap:
        said = checked(home, imap)
    assert said["IMAP folder"][0]
    assert not said["IMAP clock"][0]
    assert "delete all that is in the folder pbmd-lock" in said["IMAP clock"][2]


def test_how_many_letters_were_not_tried_is_said_and_how_to_go_on_with_them(home: Home) -> None:
    with ImapServer(*(fault("no at a letter", uid=uid) for uid in range(2, 14))) as imap:
        for number in range(1, 16):
            imap.deliver(letter(f"letter {number}"))
        checked(home, imap)
        first = home.run("check", "--letters").stdout
        assert [f"FAILED  letters     message {uid} of the folder: " in first for uid in (2, 11, 12)] == [True, True, False]
        assert "FAILED  letters     4 more unread, not tried" in first
        assert "To mend it: pbmd check --letters --after 11 goes on with them" in first
        rest = home.run("check", "--letters", "--after", "11").stdout
    assert [f"message {uid} of the folder: " in rest for uid in (11, 12, 13, 14)] == [False, True, True, False]
    assert "ok      letters     2 unread, and can be fetched" in rest
    assert "not tried" not in rest


@pytest.mark.parametrize(
    ("at", "says", "advice"),
    [
        ("GREETING", "* BYE Too many connections", "other programs hold all connections"),
        ("AUTHENTICATE", "{tag} NO Server Unavailable. 15", "wait: "),
        ("AUTHENTICATE", "{tag} NO [CONTACTADMIN] locked", "the account is locked"),
        ("AUTHENTICATE", "{tag} NO [AUTHENTICATIONFAILED] no", "check user and password in [imap]"),
    ],
)
def test_of_a_refused_imap_login_it_advises_by_what_was_said(home: Home, at: str, says: str, advice: str) -> None:
    with ImapServer(Fault(at, (says,), "closes" if at == "GREETING" else "goes on")) as imap:
        ok, detail, mend = checked(home, imap)["IMAP login"]
    assert not ok
    assert says.removeprefix("{tag} NO ").removeprefix("* BYE ") in detail
    assert mend.startswith(advice)


@pytest.mark.parametrize(
    ("faults", "offered", "user", "seen", "advice"),
    [
        (["smtp too many logins"], "PLAIN", LOGIN, "421 4.7.0 Too many login attempts", "wait: "),
        (["smtp login later"], "PLAIN", LOGIN, "454 4.7.0 Temporary authentication failure", "wait: "),
        (["smtp wrong password"], "PLAIN", LOGIN, "535 5.7.8 Error", "check user and password in [smtp]"),
        ([], "XOAUTH2", LOGIN, "takes OAuth2 tokens only (XOAUTH2)", "in [smtp] set oauth2_command"),
        (["smtp login wanted"], "PLAIN", "", "530 5.7.0 Authentication required", "set user and password in [smtp]"),
    ],
)
def test_of_a_refused_smtp_login_it_advises_by_what_was_said(
    home: Home, faults: list[str], offered: str, user: str, seen: str, advice: str
) -> None:
    with ImapServer() as imap, SmtpServer(*map(fault, faults), extensions=(f"AUTH {offered}",)) as smtp:
        ok, detail, mend = checked(home, imap, smtp, user)["SMTP login"]
    assert not ok
    assert seen in detail
    assert mend.startswith(advice)
