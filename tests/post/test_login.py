"""What a refused login is about, by what servers say; and in which way a password or token is shown."""

import smtplib

import pytest

from pbmd.post.login import NoWayIn, Refusal, answers, refusal, ways

TEMPORARY = (
    "[OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)",  # Gmail
    "[THROTTLED] Account throttled",
    "[ALERT] Account exceeded command or bandwidth limits. (Failure)",
    "[ALERT] Too many simultaneous connections. (Failure)",
    "Server Unavailable. 15",  # Exchange
    "[SERVERBUG] LOGIN Server error - Please try again later",  # Yahoo
    "[ALERT] LOGIN Rate limit hit",
    "[LIMIT] LOGIN Rate limit hit.",
    "[INUSE] Mailbox in use",
    "Too many login failures, try later",
    "System error. Please try again later.",
    "Too many concurrent IMAP connections",
    "Account is temporarily unavailable",
    "[UNAVAILABLE] Temporary authentication failure.",  # Dovecot
    "Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)",
    "Internal error occurred. Refer to server log for more information.",
    "Please wait and retry in 5 minutes",
    "Try again in a few minutes",
    "could not connect to authentication backend",
    "The mail service is down for maintenance",
    "[SYS/TEMP] try that once more",
    "[unavailable] no",
)
FINAL = (
    "[AUTHENTICATIONFAILED] Invalid credentials (Failure)",
    "[AUTHENTICATIONFAILED] Too many failures, try again later",  # the code weighs more
    "[AUTHORIZATIONFAILED] not this mailbox",
    "[EXPIRED] Password expired",
    "[CONTACTADMIN] Account temporarily suspended",
    "[PRIVACYREQUIRED] use TLS",
    "LOGIN failed.",
    "AUTHENTICATE failed.",
    "authentication failure",
    "Login incorrect",
    "Invalid login or password. Please try again",
    "[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)",
    "[ALERT] Your account is not enabled for IMAP use.",
    "[WEBALERT https://accounts.google.com/x] Web login required. (Failure)",
    "Account is locked",
    "",
)


@pytest.mark.parametrize("said", TEMPORARY)
def test_trouble_of_the_server_and_limits_are_not_the_password(said: str) -> None:
    assert refusal(said) is Refusal.TEMPORARY


@pytest.mark.parametrize("said", FINAL)
def test_what_is_said_of_user_or_password_or_nothing_at_all_is_final(said: str) -> None:
    assert refusal(said) is Refusal.FINAL


@pytest.mark.parametrize(
    ("code", "said", "about"),
    [
        (454, "4.7.0 Temporary authentication failure", Refusal.TEMPORARY),
        (454, "4.7.0 no", Refusal.TEMPORARY),
        (421, "4.7.0 Goodbye", Refusal.TEMPORARY),
        (535, "5.7.8 Error: authentication failed, try again later", Refusal.FINAL),
        (535, "5.7.3 Authentication unsuccessful", Refusal.FINAL),
        (535, "Temporary authentication failure", Refusal.TEMPORARY),
        (534, "5.7.9 Application-specific password required", Refusal.FINAL),
        (432, "4.7.12 A password transition is needed", Refusal.FINAL),
        (432, "A password transition is needed", Refusal.FINAL),
    ],
)
def test_over_smtp_the_code_decides_before_the_words(code: int, said: str, about: Refusal) -> None:
    assert refusal(said, code) is about


def test_an_address_in_what_is_said_is_no_code() -> None:
    assert refusal("login of 5.7.8@example.org refused, server busy") is Refusal.FINAL  # nobody is harmed by a long pause
    assert refusal("no login from 192.0.2.5, server busy") is Refusal.TEMPORARY


@pytest.mark.parametrize(
    ("offered", "is_token", "found"),
    [
        (["LOGIN", "PLAIN"], False, ["PLAIN", "LOGIN"]),
        (["CRAM-MD5", "PLAIN"], False, ["PLAIN", "CRAM-MD5"]),
        (["LOGIN", "XOAUTH2"], False, ["LOGIN"]),
        (["OAUTHBEARER", "XOAUTH2", "PLAIN"], True, ["XOAUTH2", "OAUTHBEARER"]),
        (["OAUTHBEARER"], True, ["OAUTHBEARER"]),
    ],
)
def test_the_ways_are_those_for_a_password_or_a_token(offered: list[str], is_token: bool, found: list[str]) -> None:
    assert ways(offered, is_token=is_token) == found


@pytest.mark.parametrize(
    ("offered", "is_token", "told"),
    [
        (["XOAUTH2"], False, "takes OAuth2 tokens only (XOAUTH2)"),
        (["PLAIN", "LOGIN"], True, "takes no OAuth2 token (it offers PLAIN, LOGIN)"),
        (["GSSAPI", "NTLM"], False, "takes no password in a way that pbmd knows (it offers GSSAPI, NTLM)"),
        ([], False, "offers no way to log in"),
        ([], True, "takes no OAuth2 token (it offers no way to log in)"),
    ],
)
def test_where_there_is_no_way_in_nothing_is_shown_and_what_is_offered_is_told(
    offered: list[str], is_token: bool, told: str
) -> None:
    with pytest.raises(NoWayIn) as caught:
        ways(offered, is_token=is_token)
    assert told in str(caught.value)


def test_what_is_shown_is_as_the_rfcs_have_it() -> None:
    def shown(way: str, user: str = "gm", times: int = 2) -> list[str]:
        answer = answers(way, user, "s3cret")
        return [answer(None), *(answer(b"challenge") for _ in range(times - 1))]

    assert shown("PLAIN") == ["\0gm\0s3cret", ""]
    assert shown("LOGIN") == ["gm", "s3cret"]
    assert shown("XOAUTH2", times=3) == ["user=gm\1auth=Bearer s3cret\1\1", "", ""]
    assert shown("OAUTHBEARER", "a=b,c", times=3) == ["n,a=a=3Db=2Cc,\1auth=Bearer s3cret\1\1", "\1", "\1"]


def test_cram_md5_is_answered_as_in_its_rfc() -> None:
    challenge = b"<1896.697170952@postoffice.reston.mci.net>"
    assert answers("CRAM-MD5", "tim", "tanstaaftanstaaf")(challenge) == "tim b913a602c7eda7a495b4e6e7334d3890"
    server = smtplib.SMTP()
    server.user, server.password = "tim", "tanstaaftanstaaf"
    assert server.auth_cram_md5(challenge) == answers("CRAM-MD5", "tim", "tanstaaftanstaaf")(challenge)
