"""Courier IMAP: a Maildir into which others deliver, folders below the INBOX, no MOVE."""

from contextlib import contextmanager

from tests.mailservers import PASSWORD, free_ports, wait_for
from tests.room import open_room, version_of
from tests.servers.kinds import MAIL_GID, MAIL_UID, USER, ImapRun, ImapServer, Maildir

PACKAGE = "courier-imap"
NOTE = "letters of the same second may be read in another order; all get other numbers when `courierimapuiddb` is lost"

_START = f"""\
echo 'courier:x:{MAIL_UID}:{MAIL_GID}::/:/bin/false' >>/etc/passwd
echo 'courier:x:{MAIL_GID}:' >>/etc/group
mkdir -p /run/courier/authdaemon /var/lib/courier {{base}}/home
sed -i 's/^authmodulelist=.*/authmodulelist=authuserdb/; s/^daemons=.*/daemons=1/' /etc/courier/authdaemonrc
sed -i 's/^ADDRESS=.*/ADDRESS=127.0.0.1/; s/^PORT=.*/PORT={{port}}/; s/^IMAP_ULIMITD=.*/IMAP_ULIMITD=/' /etc/courier/imapd
sed -i '/^TLS_DHPARAMS/d; /^TLS_TRUSTCERTS/d' /etc/courier/imapd-ssl
cat {{base}}/key.pem {{base}}/cert.pem >/etc/courier/imapd.pem
password=$(openssl passwd -6 {PASSWORD})
printf '{USER}\\tuid={MAIL_UID}|gid={MAIL_GID}|home={{base}}/home|systempw=%s\\n' "$password" >/etc/courier/userdb
chmod 600 /etc/courier/imapd.pem
chmod 700 /etc/courier/userdb
makeuserdb
touch /etc/courier/imapaccess.dat
maildirmake.courier {{base}}/home/Maildir
chown -R courier:courier /run/courier /var/lib/courier /etc/courier/imapd.pem {{base}}/home
authdaemond start
/usr/sbin/imapd start
exec sleep infinity
"""


@contextmanager
def running() -> ImapRun:
    """Start it, with STARTTLS."""
    version = version_of(PACKAGE)
    [port] = free_ports(1)
    with open_room(PACKAGE, _START.replace("{port}", str(port)), {}) as room:
        wait_for(port, b"* OK", room.told)
        maildir = room.base / "home" / "Maildir"
        yield ImapServer(
            version=version,
            port=port,
            tls="starttls",
            ca_file=room.base / "cert.pem",
            delivery=Maildir(maildir),
            renumber=(maildir / "courierimapuiddb").unlink,  # as this file is lost, or left behind when the mail is moved
            told=room.told,
        )
