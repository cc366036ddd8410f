"""How to mend a connection to a mail server that does not work: from what went wrong to a sentence for the GM."""

import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pbmd.cli.symptoms import Symptom, more
from pbmd.post.accounts import AccountError, ImapAccount, SecretError, SmtpAccount
from pbmd.post.imap.connection import ConnectionEnded, LoginPutOff, LoginRefused
from pbmd.post.login import NoWayIn
from pbmd.post.smtp.client import SmtpLoginPutOff


@dataclass(frozen=True, slots=True)
class Server:
    """The server that was asked, and the table of the settings that names it."""

    table: Literal["imap", "smtp"]
    host: str
    port: int
    tls: str
    token: bool = False
    """Whether an OAuth2 access token is shown to it, and no password."""

    @classmethod
    def of(cls, account: ImapAccount | SmtpAccount) -> "Server":
        """The server of an account."""
        table = "imap" if isinstance(account, ImapAccount) else "smtp"
        token = account.secret is not None and account.secret.is_token
        return cls(table, account.host, account.port, account.tls, token)

    def is_of(self, domains: tuple[str, ...]) -> bool:
        """Whether it is a host of one of these domains."""
        return any(self.host == domain or self.host.endswith(f".{domain}") for domain in domains)

    @property
    def ports(self) -> str:
        """Which port goes with which kind of TLS."""
        return {"imap": '993 with tls = "tls", 143 with "starttls"', "smtp": '465 with tls = "tls", 587 with "starttls"'}[
            self.table
        ]


def mend(problem: BaseException, server: Server) -> str:
    """What to do about a failed connection or login; the first row of `_HINTS` that fits anything in its chain of causes."""
    usual = f"compare [{server.table}] in the settings with what your mail provider says; usual ports: {server.ports}"
    return _hint(problem, server) or usual


def mend_folder(problem: BaseException, server: Server) -> str:
    """What to do about a folder that cannot be opened after a login that worked."""
    if (hint := _hint(problem, server)) or not isinstance(problem, ConnectionEnded):
        return hint or "set folder in [imap] to one that exists; INBOX always does"
    return (
        "user, password and folder are not what is wrong: the server ended the connection. Try again in some minutes; if it "
        "stays so, ask your mail provider, with what the server said"
    )


def about_login(problem: BaseException) -> str:
    """Which command tells more, if it is the login that was refused, or a certificate has run out; else empty."""
    refused, causes = (LoginRefused, smtplib.SMTPAuthenticationError, ssl.SSLCertVerificationError), tuple(_causes(problem))
    if any(isinstance(cause, (LoginPutOff, SmtpLoginPutOff, NoWayIn)) for cause in causes):
        return ""
    return more(Symptom.LOGIN) if any(isinstance(cause, refused) for cause in causes) else ""


def _hint(problem: BaseException, server: Server) -> str:
    chain = tuple(_causes(problem))
    return next((hint(server) for fits, hint in _HINTS if any(fits(cause) for cause in chain)), "")


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__


def _login(server: Server) -> str:
    """Providers that have their own ways, then the usual one."""
    for domains, advice in _TOKENS if server.token else _PROVIDERS:
        if server.is_of(domains):
            return advice
    if server.token:
        return (
            f"the access token was refused: see that the command of oauth2_command in [{server.table}] prints one that is for "
            "this user, has the scopes that your provider wants for IMAP and SMTP, and has not run out"
        )
    return (
        f"check user and password in [{server.table}]; the user is often the whole address, and many providers want "
        "an app password, made in their web mail's security settings"
    )


def _privacy(server: Server) -> str:
    """The server takes no password over a connection like this one."""
    where = "without TLS" if server.tls == "none" else f"on port {server.port}"
    return f"the server takes no password {where}: usual are {server.ports}; else ask your mail provider for the port"


_GOOGLE = ("gmail.com", "googlemail.com")
_MICROSOFT = ("outlook.com", "office365.com", "hotmail.com")
_PROVIDERS = (
    (
        _GOOGLE,
        (
            "Gmail does not take the ordinary password: switch on 2-step verification, make an app password at "
            "https://myaccount.google.com/apppasswords and use that, or set oauth2_command"
        ),
    ),
    (
        _MICROSOFT,
        "Microsoft takes OAuth2 only: set oauth2_command to a program that prints an access token",
    ),
    (("yahoo.com", "aol.com"), "Yahoo wants an app password: make one under Account security in your account"),
    (("icloud.com", "me.com", "mac.com"), "Apple wants an app-specific password: make one at https://account.apple.com"),
    (("fastmail.com",), "Fastmail wants an app password: make one under Settings, Privacy & Security"),
    (("gmx.net", "gmx.com", "web.de"), "switch on access by IMAP in the settings of the web mail; it is off at first"),
)

_TOKENS = (
    (
        _GOOGLE,
        (
            "Gmail refused the access token: it must be for this user, with the scope https://mail.google.com/; the refresh "
            "token of a Google project that is still in testing ends after 7 days"
        ),
    ),
    (
        _MICROSOFT,
        (
            "Microsoft refused the access token: it must be for this user, with IMAP.AccessAsUser.All and SMTP.Send (for an "
            "application IMAP.AccessAsApp and SMTP.SendAsApp, and full access to the mailbox); see that IMAP and Authenticated "
            "SMTP are switched on for the mailbox"
        ),
    ),
)


def _said(*words: str) -> Callable[[BaseException], bool]:
    """Whether one of these patterns is in what was said."""
    return lambda problem: re.search("|".join(words), str(problem), re.IGNORECASE) is not None


def _certificate(*codes: int) -> Callable[[BaseException], bool]:
    return lambda problem: isinstance(problem, ssl.SSLCertVerificationError) and problem.verify_code in codes


def _is(*kinds: type[BaseException]) -> Callable[[BaseException], bool]:
    return lambda problem: isinstance(problem, kinds)


_HINTS: tuple[tuple[Callable[[BaseException], bool], Callable[[Server], str]], ...] = (
    (_is(AccountError), lambda server: f"change it in [{server.table}]"),
    # Verification codes of OpenSSL (X509_V_ERR_…): the name, the dates, the authority.
    (
        _certificate(62, 64),
        lambda server: f"the certificate is for other names than {server.host}: set host to the name your provider gives",
    ),
    (_certificate(9, 10), lambda _: "the certificate is out of date: tell the provider, and check the clock of this machine"),
    (
        _is(ssl.SSLCertVerificationError),
        lambda server: (
            "the server's certificate is not from an authority this machine knows: "
            f"put its certificate into a file and set ca_file in [{server.table}], or install ca-certificates"
        ),
    ),
    (
        lambda problem: isinstance(problem, ssl.SSLError) and problem.reason in ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL"),
        lambda server: f"port {server.port} does not begin with TLS; usual are {server.ports}",
    ),
    (
        lambda problem: isinstance(problem, socket.gaierror) and problem.errno == socket.EAI_AGAIN,
        lambda _: "no name server answers: see that this machine is online, and that it can look up names",
    ),
    (
        _is(socket.gaierror),
        lambda server: f'there is no host "{server.host}": look up its name at your provider, and see that you are online',
    ),
    (
        _is(ConnectionRefusedError),
        lambda server: f"no server answers on port {server.port} of {server.host}; usual are {server.ports}",
    ),
    (
        _is(TimeoutError),
        lambda server: f"a firewall may block port {server.port}, or the server waits for TLS; usual are {server.ports}",
    ),
    (
        _is(SecretError),
        lambda server: (
            f"see that the file or command that [{server.table}] names gives the password in one line, or use another of "
            "password, password_file, password_command and oauth2_command"
        ),
    ),
    # What providers say when the password or token is not what is wrong.
    (
        _said(r"too many (?:\w+ ){0,3}connections", "concurrent connections", "maximum number of connections"),
        lambda _: "other programs hold all connections that the account may have: end them, or wait some minutes",
    ),
    (
        _said("not enabled for imap", "imap access is disabled", "imap is disabled"),
        lambda _: "switch on access by IMAP in the settings of the web mail, or ask the administrator to",
    ),
    (
        _said("authenticated but not connected"),
        lambda _: (
            "Microsoft took the token and gives no mailbox for it: see that user is the address of the mailbox, that the token "
            "has rights to it, and that IMAP is switched on for it"
        ),
    ),
    (
        _said("smtpclientauthentication is disabled"),
        lambda _: (
            'let this mailbox send: Microsoft 365 admin center, Users, the user, Mail, Manage email apps, "Authenticated '
            'SMTP"; security defaults of the organisation may forbid it, too'
        ),
    ),
    (
        _said("web login required", "web browser"),
        lambda _: "log in once with a web browser from the same network, and confirm that it was you",
    ),
    # What a server says of the login itself (RFC 5530, RFC 4954), and what it offers.
    (
        _said(r"\[expired\]", r"\b4\.7\.12\b"),
        lambda server: f"the password has run out: set a new one at your mail provider, and write that into [{server.table}]",
    ),
    (
        _said(r"\[contactadmin\]"),
        lambda _: "the account is locked, or something is wrong that only the mail provider can mend: ask there",
    ),
    (
        _said(r"\[privacyrequired\]", "logindisabled", r"\b5\.7\.11\b"),
        _privacy,
    ),
    (
        _said("takes oauth2 tokens only"),
        lambda server: (
            f"in [{server.table}] set oauth2_command, in place of a password, to a program that prints an access token"
        ),
    ),
    (
        _said("takes no oauth2 token"),
        lambda server: f"set password_file in [{server.table}] in place of oauth2_command",
    ),
    (
        _said("in a way that pbmd knows"),
        lambda _: "pbmd logs in by PLAIN, LOGIN, CRAM-MD5 or an OAuth2 token: ask your mail provider for one of these",
    ),
    (
        _is(LoginPutOff, SmtpLoginPutOff),
        lambda _: (
            "wait: the server lets nobody in just now, or not so often, and says nothing against the password. pbmd goes on "
            "trying by itself; if it lasts for a day, ask your mail provider which limit was reached"
        ),
    ),
    (_is(smtplib.SMTPAuthenticationError, LoginRefused), _login),
    (
        _is(smtplib.SMTPNotSupportedError),
        lambda server: f'the server offers no login or no STARTTLS as tls = "{server.tls}" is set; usual are {server.ports}',
    ),
)
