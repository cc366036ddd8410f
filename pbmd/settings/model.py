"""All tables of pbmd.toml together, and what depends on several of them."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.engine import make_url

from pbmd.post.accounts import ImapAccount, SmtpAccount
from pbmd.settings.alarms import Alarms
from pbmd.settings.backups import Backups
from pbmd.settings.dashboard import Dashboard
from pbmd.settings.forms import MOST_LOCAL
from pbmd.settings.imap import Imap
from pbmd.settings.limits import Limits
from pbmd.settings.mail import Mail
from pbmd.settings.pages import Pages
from pbmd.settings.server import Server
from pbmd.settings.smtp import Smtp
from pbmd.settings.webhook import Webhook
from pbmd.terms.terms import Terms

_MOST_TAG = len("+g99999p999.") + 16


class Settings(BaseModel):
    """All of pbmd.toml. Environment variables such as ``PBMD_IMAP__PASSWORD`` go before the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: Server
    imap: Imap
    smtp: Smtp
    mail: Mail = Mail()  # pyright: ignore[reportCallIssue]
    limits: Limits = Limits()  # pyright: ignore[reportCallIssue]
    dashboard: Dashboard = Dashboard()  # pyright: ignore[reportCallIssue]
    pages: Pages = Pages()  # pyright: ignore[reportCallIssue]
    alarms: Alarms = Alarms()  # pyright: ignore[reportCallIssue]
    backups: Backups = Backups()  # pyright: ignore[reportCallIssue]
    webhook: Webhook = Webhook()  # pyright: ignore[reportCallIssue]
    game: Terms = Terms()  # pyright: ignore[reportCallIssue]
    rulesets: tuple[Path, ...] = Field((), description="folders of rulesets outside the package")

    @property
    def data(self) -> Path:
        """Folder of everything pbmd writes."""
        return self.server.data

    @property
    def database_url(self) -> str:
        """SQLAlchemy address of the ledger."""
        return self.server.database or f"sqlite:///{self.data / 'ledger.sqlite'}"

    @property
    def log_file(self) -> Path:
        """The dashboard log."""
        return self.data / "dashboard.log"

    def imap_account(self) -> ImapAccount:
        """The inbox's connection. Raises `ValueError` when no secret is set."""
        secret = self.imap.secret()
        if secret is None:
            raise ValueError("it needs one of password, password_file, password_command and oauth2_command")
        return ImapAccount(
            host=self.imap.host,
            port=self.imap.port,
            tls=self.imap.tls,
            user=self.imap.user,
            secret=secret,
            folder=self.imap.folder,
            processed=self.imap.processed,
            processed_folder=self.imap.processed_folder,
            idle=self.imap.idle,
            poll_seconds=self.imap.poll_seconds,
            timeout_seconds=self.imap.timeout_seconds,
            ca_file=self.imap.ca_file,
            max_letter_bytes=self.limits.letter_kilobytes * 1000,
        )

    def check_room_for_tags(self) -> None:
        """Raises `ValueError` when the address is too long to be extended by a tag."""
        most = MOST_LOCAL - _MOST_TAG
        if self.server.plus_addresses and len(self.server.address.partition("@")[0]) > most:
            raise ValueError(
                f"address has more than {most} characters before the @, which leaves no room for plus addresses: "
                "take a shorter one, or set plus_addresses = false"
            )

    def daily_backups(self) -> int:
        """How many daily backups to keep. Raises `ValueError` where pbmd cannot make any."""
        if self.backups.keep and make_url(self.database_url).get_backend_name() != "sqlite":
            raise ValueError("pbmd makes none of a ledger in PostgreSQL: have pg_dump run daily, and take keep out")
        return self.backups.keep

    def smtp_account(self) -> SmtpAccount:
        """The outbox's connection. Raises `ValueError` when the settings of sending contradict each other."""
        if self.smtp.bounce_address and not self.server.plus_addresses:
            raise ValueError("bounce_address needs plus addresses; take it out, or plus_addresses = false in [server]")
        return SmtpAccount(
            host=self.smtp.host,
            port=self.smtp.port,
            tls=self.smtp.tls,
            user=self.smtp.user or None,
            secret=self.smtp.secret(),
            timeout_seconds=self.smtp.timeout_seconds,
            ca_file=self.smtp.ca_file,
        )
