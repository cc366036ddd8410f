"""Cyrus IMAP, with folders below the INBOX and a dot between the names, as it is by default until 3.0."""

from contextlib import contextmanager

from imapclient import IMAPClient

from tests.mailservers import PASSWORD, free_ports, wait_for
from tests.room import open_room, version_of
from tests.servers.kinds import USER, ImapRun, ImapServer, Lmtp

PACKAGE = "cyrus-imapd"
NOTE = "letters that had been moved away come back when an index is made anew (`reconstruct`); pbmd knows them"
_ADMIN = "admin"
_AS_CYRUS = "setpriv --reuid=cyrus --regid=mail --clear-groups"

_IMAPD_CONF = f"""\
configdirectory: /var/lib/cyrus
partition-default: /var/spool/cyrus/mail
defaultpartition: default
admins: {_ADMIN}
servername: localhost
altnamespace: no
unixhierarchysep: no
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: /etc/sasldb2
sasl_mech_list: PLAIN
tls_server_cert: {{base}}/cert.pem
tls_server_key: {{base}}/key.pem
"""

_CYRUS_CONF = """\
START {{
  recover cmd="/usr/lib/cyrus/bin/ctl_cyrusdb -r"
}}
SERVICES {{
  imap cmd="/usr/lib/cyrus/bin/imapd -U 30" listen="127.0.0.1:{imap}"
  imaps cmd="/usr/lib/cyrus/bin/imapd -s -U 30" listen="127.0.0.1:{imaps}"
  lmtp cmd="/usr/lib/cyrus/bin/lmtpd -a" listen="127.0.0.1:{lmtp}"
}}
DAEMON {{
  idled cmd="/usr/lib/cyrus/bin/idled"
}}
"""

_START = f"""\
echo 'cyrus:x:47111:8::/:/bin/false' >>/etc/passwd
mkdir -p /var/lib/cyrus/db /var/lib/cyrus/socket /var/spool/cyrus/mail /run/cyrus/socket
chown -R cyrus:mail /var/lib/cyrus /var/spool/cyrus /run/cyrus
for user in {USER} {_ADMIN}; do
    printf %s {PASSWORD} | saslpasswd2 -c -p -f /etc/sasldb2 -u localhost $user
done
chown cyrus /etc/sasldb2 {{base}}/key.pem
exec /usr/lib/cyrus/bin/master -D
"""

_RENUMBER = f"""\
set -e
cd "$({_AS_CYRUS} /usr/lib/cyrus/bin/mbpath user.{USER})"
rm cyrus.index
{_AS_CYRUS} /usr/lib/cyrus/bin/reconstruct user.{USER}
"""
"""As the index is lost and made anew."""


@contextmanager
def running() -> ImapRun:
    """Start it, and give USER a mailbox into which anybody may deliver, with a plus-tag, too."""
    version = version_of(PACKAGE)
    imap, imaps, lmtp = free_ports(3)
    files = {"/etc/imapd.conf": _IMAPD_CONF, "/etc/cyrus.conf": _CYRUS_CONF.format(imap=imap, imaps=imaps, lmtp=lmtp)}
    with open_room(PACKAGE, _START, files) as room:
        wait_for(imap, b"* OK", room.told)
        _new_mailbox(imap)
        yield ImapServer(
            version=version,
            port=imaps,
            tls="tls",
            ca_file=room.base / "cert.pem",
            delivery=Lmtp(lmtp),
            renumber=lambda: room.run("sh", "-c", _RENUMBER),
            told=room.told,
        )


def _new_mailbox(port: int) -> None:
    with IMAPClient("localhost", port, ssl=False) as client:
        client.login(_ADMIN, PASSWORD)
        client.create_folder(f"user.{USER}")
        client.setacl(f"user.{USER}", "anyone", "p")
