"""OpenSMTPD, without TLS and login: as of 6.8, which Debian 12 has, its TLS fails with any key, since OpenSSL is 3.0 there
(github.com/OpenSMTPD/OpenSMTPD/issues/1171)."""

from contextlib import contextmanager

from tests.mailservers import DOMAIN, free_ports, wait_for
from tests.room import open_room, version_of
from tests.servers.kinds import MAIL_GID, MAIL_UID, Lmtp, Maildir, SmtpRun, SmtpServer

PACKAGE = "opensmtpd"
NOTE = "its TLS fails with OpenSSL 3, as in Debian 12, so it is for the same machine only"

_CONF = """\
table everybody {{ "@" = "mailfiles" }}
listen on 127.0.0.1 port {port} hostname mail.{domain}
action "mailbox" {mailbox} user mailfiles virtual <everybody>
action "world" relay host smtp+notls://127.0.0.1:{world}
match from any for domain "{domain}" action "mailbox"
match from local for any action "world"
"""

_START = f"""\
cat >>/etc/passwd <<END
opensmtpd:x:47113:47113::/:/bin/false
opensmtpq:x:47114:47114::/:/bin/false
mailfiles:x:{MAIL_UID}:{MAIL_GID}::/:/bin/false
END
cat >>/etc/group <<END
opensmtpd:x:47113:
opensmtpq:x:47114:
mailfiles:x:{MAIL_GID}:
END
mkdir -p /var/lib/opensmtpd/empty /var/spool/smtpd
chmod 711 /var/spool/smtpd
exec /usr/sbin/smtpd -d
"""


@contextmanager
def running(delivery: Lmtp | Maildir, world_port: int) -> SmtpRun:
    """Start it."""
    version = version_of(PACKAGE)
    [port] = free_ports(1)
    mailbox = f'lmtp "127.0.0.1:{delivery.port}" rcpt-to' if isinstance(delivery, Lmtp) else f'maildir "{delivery.folder}"'
    conf = _CONF.format(port=port, mailbox=mailbox, world=world_port, domain=DOMAIN)
    with open_room(PACKAGE, _START, {"/etc/smtpd.conf": conf}) as room:
        wait_for(port, b"220 mail.", room.told)
        yield SmtpServer(version, port, "none", None, "", room.told)
