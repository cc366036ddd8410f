"""Postfix, with STARTTLS and without a login, as on a machine of the game master's own."""

from contextlib import contextmanager

from tests.mailservers import DOMAIN, postconf, postfix_with
from tests.servers.kinds import MAIL_GID, MAIL_UID, Lmtp, Maildir, SmtpRun, SmtpServer

_TLS = """\
smtpd_tls_security_level = may
smtpd_tls_cert_file = {base}/cert.pem
smtpd_tls_key_file = {base}/key.pem
"""


@contextmanager
def running(delivery: Lmtp | Maildir, world_port: int) -> SmtpRun:
    """Start it."""
    routes = f"{_TLS}default_transport = smtp:[127.0.0.1]:{world_port}\n{_into(delivery)}"
    with postfix_with(routes) as (port, base):
        yield SmtpServer(
            version=postconf("mail_version"),
            port=port,
            tls="starttls",
            ca_file=base / "cert.pem",
            user="",
            told=lambda: (base / "postfix.log").read_text(errors="replace"),
        )


def _into(delivery: Lmtp | Maildir) -> str:
    if isinstance(delivery, Lmtp):
        return f"virtual_transport = lmtp:inet:127.0.0.1:{delivery.port}"
    return f"""\
virtual_mailbox_base = {delivery.folder.parent}
virtual_mailbox_maps = static:{delivery.folder.name}/
virtual_uid_maps = static:{MAIL_UID}
virtual_gid_maps = static:{MAIL_GID}
virtual_mailbox_domains = {DOMAIN}
"""
