"""Logging in to servers that refuse it, put it off, or offer other ways than the usual ones, over IMAP and SMTP."""

import base64
from dataclasses import replace

import pytest

from pbmd.daemon.refusals import failure
from pbmd.post.accounts import ImapAccount, Secret, SmtpAccount
from pbmd.post.imap.connection import Connection, InboxLost, LoginPutOff, LoginRefused
from pbmd.post.outage import Failure
from pbmd.post.smtp.client import Sent, Smtp, SmtpError, SmtpLoginPutOff, SmtpLoginRefused
from tests.post.scripted.faults import fault
from tests.post.scripted.imap import PASSWORD, ImapServer
from tests.post.scripted.server import ALWAYS, Fault
from tests.post.scripted.smtp import SmtpServer
from tests.post.test_explained import PYTHON
from tests.post.test_login import FINAL, TEMPORARY

MAIL = b"Subject: a\r\n\r\ntext\r\n"
TOKEN = Secret.token_from_command(["printf", PASSWORD])


def imap_account(server: ImapServer, secret: Secret | None = None) -> ImapAccount:
    secret = secret or Secret.literal(PASSWORD)
    return ImapAccount(host="127.0.0.1", port=server.port, tls="none", user="gm", secret=secret, timeout_seconds=60)


def smtp_account(server: SmtpServer, secret: Secret | None = None) -> SmtpAccount:
    secret = secret or Secret.literal(PASSWORD)
    return SmtpAccount(host="127.0.0.1", port=server.port, tls="none", user="gm", secret=secret, timeout_seconds=60)


def over_imap(server: ImapServer, secret: Secret | None = None) -> None:
    connection = Connection(imap_account(server, secret))
    try:
        connection.connect()
    finally:
        connection.close()


def over_smtp(server: SmtpServer, secret: Secret | None = None) -> None:
    with Smtp(smtp_account(server, secret)) as smtp:
        assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Sent()


def logins(server: ImapServer | SmtpServer) -> list[str]:
    return [line for line in server.heard if line.upper().startswith(("LOGIN", "AUTH"))]


@pytest.mark.parametrize("capabilities", ["IMAP4rev1", "IMAP4rev1 AUTH=PLAIN", "IMAP4rev1 AUTH=LOGIN LOGINDISABLED"])
@pytest.mark.parametrize("said", [*TEMPORARY[:4], *FINAL[:4]])
def test_an_imap_login_is_put_off_or_refused_by_what_the_server_says(capabilities: str, said: str) -> None:
    refuses = (Fault("LOGIN", (f"{{tag}} NO {said}",)), Fault("AUTHENTICATE", (f"{{tag}} NO {said}",)))
    kind = LoginPutOff if said in TEMPORARY else LoginRefused
    with ImapServer(*refuses, capabilities=capabilities) as server, pytest.raises((InboxLost, LoginRefused)) as caught:
        over_imap(server)
    assert type(caught.value) is kind
    assert said in str(caught.value)
    assert failure(caught.value) is (Failure.PUT_OFF if said in TEMPORARY else Failure.REFUSED)


@pytest.mark.parametrize("command", ["LOGIN", "AUTHENTICATE"])
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("[AUTHENTICATIONFAILED] Invalid credentials", LoginRefused),
        ("[EXPIRED] The password has expired", LoginRefused),
        ("[UNAVAILABLE] Temporary authentication failure", LoginPutOff),
        ("[OVERQUOTA] Account exceeded command or bandwidth limits", LoginPutOff),
        ("System Error", InboxLost),
        ("Autologout; idle for too long", InboxLost),
    ],
)
def test_a_connection_that_ends_at_the_login_is_a_refused_login_where_the_server_says_so(
    command: str, said: str, kind: type[Exception]
) -> None:
    capabilities = "IMAP4rev1 AUTH=PLAIN" if command == "AUTHENTICATE" else "IMAP4rev1"
    ends = fault("login ended", at=command, says=(f"* BYE {said}",))
    with ImapServer(ends, capabilities=capabilities) as server, pytest.raises((InboxLost, LoginRefused)) as caught:
        over_imap(server)
    assert issubclass(type(caught.value), kind)
    assert said in str(caught.value)
    assert PASSWORD not in str(caught.value)
    kept_apart = {LoginRefused: Failure.REFUSED, LoginPutOff: Failure.PUT_OFF, InboxLost: Failure.LOST}
    assert failure(caught.value) is kept_apart[kind]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("454 4.7.0 Temporary authentication failure", SmtpLoginPutOff),
        ("421 4.7.0 Too many login attempts, please try again later", SmtpLoginPutOff),
        ("535 5.7.8 Error: authentication failed", SmtpLoginRefused),
        ("534 5.7.9 Application-specific password required", SmtpLoginRefused),
        ("432 4.7.12 A password transition is needed", SmtpLoginRefused),
    ],
)
def test_an_smtp_login_is_put_off_or_refused_by_what_the_server_says(reply: str, kind: type[SmtpError]) -> None:
    closes = "closes" if reply.startswith("421") else "goes on"
    with SmtpServer(Fault("AUTH", (reply,), closes)) as server, pytest.raises(SmtpError) as caught:
        over_smtp(server)
    assert type(caught.value) is kind
    assert reply in str(caught.value)
    assert not PYTHON.search(str(caught.value))
    assert failure(caught.value) is (Failure.PUT_OFF if kind is SmtpLoginPutOff else Failure.REFUSED)
    assert len(logins(server)) == (1 if kind is SmtpLoginPutOff else 2), "who is in trouble is not asked in another way"


def test_a_password_is_not_shown_by_login_where_that_is_disabled() -> None:
    with ImapServer(capabilities="IMAP4rev1 LOGINDISABLED") as server, pytest.raises(LoginRefused, match="LOGINDISABLED"):
        over_imap(server)
    assert logins(server) == []


@pytest.mark.parametrize(
    ("capabilities", "begins"),
    [
        ("IMAP4rev1 AUTH=LOGIN LOGINDISABLED", "AUTHENTICATE LOGIN"),
        ("IMAP4rev1 AUTH=PLAIN LOGINDISABLED", "AUTHENTICATE PLAIN"),
        ("IMAP4rev1 AUTH=LOGIN", "LOGIN"),
        ("IMAP4rev1", "LOGIN"),
    ],
)
def test_a_password_is_shown_over_imap_in_the_way_that_the_server_offers(capabilities: str, begins: str) -> None:
    with ImapServer(capabilities=capabilities) as server:
        over_imap(server)
        [login] = logins(server)
    assert login.startswith(begins)


@pytest.mark.parametrize("ways", ["LOGIN", "PLAIN", "LOGIN PLAIN", "GSSAPI LOGIN"])
def test_a_password_is_shown_over_smtp_in_the_way_that_the_server_offers(ways: str) -> None:
    with SmtpServer(extensions=(f"AUTH {ways}",)) as server:
        over_smtp(server)
    assert len(logins(server)) == 1


def test_a_way_that_is_offered_and_broken_is_not_the_last_that_is_tried() -> None:
    broken = Fault("AUTH PLAIN", ("504 5.5.4 unknown mechanism",), times=ALWAYS)
    with SmtpServer(broken) as server:
        over_smtp(server)


@pytest.mark.parametrize(("offered", "way"), [("XOAUTH2 PLAIN", "XOAUTH2"), ("OAUTHBEARER", "OAUTHBEARER")])
def test_a_token_is_shown_in_the_way_that_the_server_offers(offered: str, way: str) -> None:
    with ImapServer(capabilities=" ".join(["IMAP4rev1", *(f"AUTH={each}" for each in offered.split())])) as server:
        over_imap(server, TOKEN)
    assert [login.split()[:2] for login in logins(server)] == [["AUTHENTICATE", way]]
    with SmtpServer(extensions=(f"AUTH {offered}",)) as server:
        over_smtp(server, TOKEN)
    [login] = logins(server)
    assert login.split()[:2] == ["AUTH", way]
    shown = base64.b64decode(login.split()[2])
    begins = b"n,a=gm,\1" if way == "OAUTHBEARER" else b"user=gm\1"
    assert shown == begins + b"auth=Bearer s3cret\1\1"


@pytest.mark.parametrize("way", ["XOAUTH2", "OAUTHBEARER"])
def test_a_wrong_token_is_refused_and_shown_once(way: str) -> None:
    wrong = Secret.token_from_command(["printf", "0ther"])
    with ImapServer(capabilities=f"IMAP4rev1 AUTH={way}") as server, pytest.raises(LoginRefused):
        over_imap(server, wrong)
    with SmtpServer(extensions=(f"AUTH {way}",)) as server, pytest.raises(SmtpLoginRefused, match="535"):
        over_smtp(server, wrong)
    assert len(logins(server)) == 1


@pytest.mark.parametrize(
    ("offered", "secret", "told"),
    [
        ("XOAUTH2", None, "takes OAuth2 tokens only"),
        ("PLAIN LOGIN", TOKEN, "takes no OAuth2 token"),
        ("GSSAPI", None, "in a way that pbmd knows"),
    ],
)
def test_where_there_is_no_way_in_nothing_is_shown(offered: str, secret: Secret | None, told: str) -> None:
    listed = " ".join(f"AUTH={each}" for each in offered.split())
    with ImapServer(capabilities=f"IMAP4rev1 LOGINDISABLED {listed}") as server, pytest.raises(LoginRefused, match=told):
        over_imap(server, secret)
    assert logins(server) == []
    with SmtpServer(extensions=(f"AUTH {offered}",)) as server, pytest.raises(SmtpLoginRefused, match=told):
        over_smtp(server, secret)
    assert logins(server) == []


def test_what_a_server_says_that_has_too_many_connections_is_told_as_it_said_it() -> None:
    with ImapServer(fault("too many connections")) as server, pytest.raises(InboxLost) as caught:
        over_imap(server)
    assert "Too many connections" in str(caught.value)
    assert not PYTHON.search(str(caught.value))
    with SmtpServer(fault("smtp too many")) as server, pytest.raises(SmtpError) as refused:
        over_smtp(server)
    assert str(refused.value).endswith("421 4.7.0 Too many connections")


@pytest.mark.parametrize("then", ["closes", "resets"])
@pytest.mark.parametrize("step", ["GREETING", "EHLO", "AUTH", "MAIL", "DATA", "."])
def test_of_a_connection_that_is_cut_nothing_is_told_that_only_python_says(step: str, then: str) -> None:
    cut = replace(Fault(step, ()), then=then)
    with SmtpServer(cut, extensions=("AUTH PLAIN",)) as server:
        try:
            with Smtp(smtp_account(server)) as smtp:
                told = str(smtp.send("gm@pbmd.test", "ada@players.test", MAIL))
        except SmtpError as problem:
            told = str(problem)
    assert told
    assert not PYTHON.search(told)


@pytest.mark.parametrize("wanted", ["530 5.7.0 Authentication required", "550 5.7.1 Client was not authenticated"])
def test_without_a_user_it_is_seen_whether_the_server_wants_a_login(wanted: str) -> None:
    def account(server: SmtpServer) -> SmtpAccount:
        return replace(smtp_account(server), user=None, secret=None)

    with SmtpServer(Fault("RCPT", (wanted,))) as server, Smtp(account(server)) as smtp:
        assert smtp.login_wanted("gm@pbmd.test", "gm@pbmd.test") == wanted
    with SmtpServer() as server, Smtp(account(server)) as smtp:
        assert smtp.login_wanted("gm@pbmd.test", "gm@pbmd.test") == ""
        assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Sent()
    assert len(server.taken) == 1


ECHOED = [
    f"LOGIN gm {PASSWORD}",
    base64.b64encode(f"\0gm\0{PASSWORD}".encode()).decode(),
    base64.b64encode(PASSWORD.encode()).decode(),
]


@pytest.mark.parametrize("said", ECHOED)
@pytest.mark.parametrize("status", ["{tag} NO", "{tag} BAD", "* BYE [AUTHENTICATIONFAILED]", "* BYE"])
def test_an_imap_server_that_repeats_the_login_shows_no_password(status: str, said: str) -> None:
    line = f"{status} cannot do {said}"
    refuses = (Fault("LOGIN", (line,)), Fault("AUTHENTICATE", (line,)))
    with ImapServer(*refuses, capabilities="IMAP4rev1") as server, pytest.raises((InboxLost, LoginRefused)) as caught:
        over_imap(server)
    assert PASSWORD not in str(caught.value)
    assert "cannot do" in str(caught.value)
    assert not any(code in str(caught.value) for code in ECHOED)


@pytest.mark.parametrize("said", ECHOED)
def test_nor_does_an_smtp_server(said: str) -> None:
    refuses = Fault("AUTH", (f"535 5.7.8 cannot do {said}",), times=ALWAYS)
    with SmtpServer(refuses) as server, pytest.raises(SmtpError) as caught:
        over_smtp(server)
    assert "cannot do" in str(caught.value)
    assert not any(code in str(caught.value) for code in (PASSWORD, *ECHOED))
