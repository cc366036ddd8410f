"""The tables of pbmd.toml, each with its settings, what they mean and what they may be."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pbmd.ledger.address import address_problem
from pbmd.post.accounts import Secret
from pbmd.terms.times import zone

MOST_LOCAL = 64
"""So many characters may stand before the @ (RFC 5321, 4.5.3.1.1)."""
_ADDRESS = re.compile(rf"[A-Za-z0-9.!#$%&'*/=?^_`{{|}}~-]{{1,{MOST_LOCAL}}}@[A-Za-z0-9.-]{{1,253}}")
_PUBLIC_URL = re.compile(r"https?://[A-Za-z0-9.-]{1,200}(:\d{1,5})?(/[A-Za-z0-9._~-]{1,60}){0,3}/?")


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise ValueError("must be an e-mail address like games@example.org, without a + in it")
    return text


def _zone(text: str) -> str:
    zone(text)
    return text


def _database(text: str) -> str:
    if text and (problem := address_problem(text)):
        raise ValueError(problem)
    return text


def _public_url(text: str) -> str:
    if text and not _PUBLIC_URL.fullmatch(text):
        raise ValueError("must be an address like https://games.example.org, without anything behind the path")
    return text.rstrip("/")


Database = Annotated[str, AfterValidator(_database)]
Address = Annotated[str, AfterValidator(_address)]
Zone = Annotated[str, AfterValidator(_zone)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Server(_Table):
    """Who pbmd is: the address players write to, the GM, and where data is kept."""

    address: Address = Field(description="the mailbox that pbmd reads; players write to it")
    plus_addresses: bool = Field(True, description="mail to games+anything@ reaches the mailbox, too")
    name: str = Field("pbmd", description="the name in front of that address")
    gm: Address = Field(description="the game master's own address")
    timezone: Zone = Field("UTC", description="the GM's time zone")
    data: Path = Field(Path("data"), description="folder of the ledger, the log and exports, relative to this file")
    database: Database = Field(
        "", repr=False, description="address of the ledger in PostgreSQL; empty: the file data/ledger.sqlite"
    )
    outbox_days: int = Field(
        30, ge=1, description="so long the ledger keeps mails that were sent; of the step that is open, as long as it is"
    )


class Login(_Table):
    """How to log in: exactly one of the four ways to get the secret."""

    password: str = Field("", repr=False, description="the password itself (better: one of the next three)")
    password_file: Path | None = Field(None, description="a file that holds it")
    password_command: str = Field("", description="a command that prints it")
    oauth2_command: str = Field("", description="a command that prints an OAuth2 access token")

    def secret(self) -> Secret | None:
        """The way to the secret, None when none is given. Raises `ValueError` for more than one."""
        ways = {
            "password": (self.password, Secret.literal),
            "password_file": (self.password_file, Secret.from_file),
            "password_command": (self.password_command, Secret.from_command),
            "oauth2_command": (self.oauth2_command, Secret.token_from_command),
        }
        given = [make(value) for value, make in ways.values() if value]  # pyright: ignore[reportArgumentType]
        if len(given) > 1:
            raise ValueError("give only one of " + ", ".join(ways))
        return given[0] if given else None


class Imap(Login):
    """The mailbox that pbmd reads."""

    host: str = Field(description="the IMAP server")
    port: int = Field(993, description="993 goes with tls, 143 with starttls")
    tls: Literal["tls", "starttls", "none"] = Field("tls", description="encryption; none is for servers on this machine only")
    user: str = Field(description="the name to log in with, often the whole address")
    folder: str = Field("INBOX", description="the folder that is read")
    processed: Literal["move", "flag", "leave"] = Field("move", description="what to do with mail that is in the ledger")
    processed_folder: str = Field("pbmd-processed", description="where move puts it; made when needed")
    idle: bool = Field(True, description="let the server announce mail (IMAP IDLE)")
    poll_seconds: int = Field(60, ge=1, description="how often to look besides")
    timeout_seconds: int = Field(30, ge=1, description="how long to wait for an answer of the server")
    clock_tolerance_seconds: int = Field(
        10, ge=0, description="by how far the server's and this machine's clock may differ; turns close so much later"
    )
    ca_file: Path | None = Field(None, description="certificates to trust instead of the system's")


class Smtp(Login):
    """The server that takes pbmd's mail."""

    host: str = Field(description="the SMTP server")
    port: int = Field(465, description="465 goes with tls, 587 with starttls")
    tls: Literal["tls", "starttls", "none"] = Field("tls", description="encryption; none is for servers on this machine only")
    user: str = Field("", description="the name to log in with; empty for a server that asks for no login")
    timeout_seconds: int = Field(30, ge=1, description="how long to wait for an answer of the server")
    ca_file: Path | None = Field(None, description="certificates to trust instead of the system's")
    connections: int = Field(1, ge=1, le=20, description="how many connections to send over at once")
    per_domain_per_minute: int = Field(0, ge=0, description="most mails a minute to one domain; 0: as many as there are")
    null_return_path: bool = Field(False, description="send answers with the empty return path, so that nothing answers them")
    bounce_address: bool = Field(
        False, description="give each mail a return path of its own, by which it is known when it bounces"
    )


class Mail(_Table):
    """What pbmd makes of mail and its senders."""

    authserv_id: str = Field(
        "", description="whose Authentication-Results to believe: the name in it, or microsoft for Microsoft 365"
    )
    answer_strangers: bool = Field(True, description="answer who holds no seat when they ask for HELP or RULES, or how to join")
    hint_strangers: bool = Field(False, description="tell an address that holds no seat, once a week at most, how to play")


class Limits(_Table):
    """What pbmd puts up with."""

    letter_kilobytes: int = Field(1000, ge=16, description="larger letters are refused with an answer")
    confirmations_per_day: int = Field(
        3, ge=0, description="most mails in 24 hours that ask a seat to confirm a mail in its name"
    )
    confirmation_days: int = Field(7, ge=1, description="how long such a question can be answered")
    answers_per_hour: int = Field(10, ge=1, description="most answers to one address in an hour")
    answers_per_day: int = Field(30, ge=1, description="most answers to one address in 24 hours")
    gm_answers_per_hour: int = Field(
        100, ge=1, description="most answers in an hour to your own mail about games, where a token proves it"
    )
    gm_answers_per_day: int = Field(300, ge=1, description="the same in 24 hours")
    strangers_per_hour: int = Field(
        40, ge=0, description="most mails in an hour to people who hold no seat (hints, refused sign-ups), all together"
    )
    strangers_per_domain: int = Field(20, ge=0, description="the same to addresses of one domain")
    press_per_hour: int = Field(
        60, ge=0, description="most mails of press that a seat may cause in an hour, each reader counted"
    )
    press_per_day: int = Field(200, ge=0, description="the same in 24 hours")
    previews_per_hour: int = Field(6, ge=0, description="most answers to PREVIEW that a seat gets in an hour; 0: none")
    series_openings_per_hour: int = Field(
        3, ge=1, description="of games that open themselves one after the other, so many take sign-ups within an hour at most"
    )
    series_openings_per_day: int = Field(10, ge=1, description="the same in 24 hours")
    series_games_per_address: int = Field(
        3, ge=1, description="in so many of these games at once an address may play that joins by mail"
    )
    mails_per_letter: int = Field(50, ge=1, description="most mails to others that one letter may cause, besides reports")
    mails_per_minute: int = Field(
        1000, ge=1, description="when more mails have gone out in a minute, sending pauses and you are told"
    )


class Dashboard(_Table):
    """The pages in the folder dashboard of the data folder."""

    pages: bool = Field(True, description="write the pages whenever something has changed")
    audience: Literal["gm", "public"] = Field(
        "gm",
        description="whom the pages are for; gm: you alone, with names, causes, mails; public: all, with what players may know",
    )


class Pages(_Table):
    """What `pbmd serve --public` shows to players and observers, behind a web server."""

    public_url: PublicUrl = Field(
        "", description="where players reach their pages, like https://games.example.org; empty: no report has a link"
    )
    observers: bool = Field(False, description="show everybody the public pages of all games there, too")


class Alarms(_Table):
    """When to alarm the game master; 0 is never."""

    mailbox_minutes: int = Field(30, ge=0, description="alarm the GM when the mailbox was not read for so long; 0: never")
    outbox_minutes: int = Field(
        60, ge=0, description="alarm the GM when mail waits and none has gone out for so long; 0: never"
    )
    disk_megabytes: int = Field(
        200, ge=0, description="alarm the GM when less room is left where ledger or data folder is; 0: never"
    )


class Backups(_Table):
    """Daily backups that the daemon makes."""

    keep: int = Field(0, ge=0, description="how many daily backups to keep; 0: make none")
    folder: Path = Field(Path("backups"), description="where to put them, from the data folder; best on another disk")


class Stamp(_Table):
    """An outside service that says when a head of a journal was there, such as one of RFC 3161 or OpenTimestamps."""

    command: tuple[str, ...] = Field((), description="program and arguments: a checkpoint goes in, a proof comes out")
    seconds: int = Field(60, ge=1, le=600, description="how long it may take")
    kilobytes: int = Field(64, ge=1, le=1000, description="how large a proof may be")


class Webhook(_Table):
    """Where the news of games are posted to besides, such as the chat of the group."""

    files: dict[str, Path] = Field(
        {}, description="the name of a game, and the file that holds the address to which its news are posted"
    )
    seconds: int = Field(10, ge=1, le=60, description="how long to wait for an answer of the server")
