"""Exim, with STARTTLS and a login before anything goes to other domains."""

from contextlib import contextmanager

from tests.mailservers import DOMAIN, PASSWORD, free_ports, wait_for
from tests.room import open_room, version_of
from tests.servers.kinds import MAIL_GID, MAIL_UID, USER, Lmtp, Maildir, SmtpRun, SmtpServer

PACKAGE = "exim4-daemon-light"

_CONF = """\
primary_hostname = mail.DOMAIN
domainlist ours = DOMAIN
local_interfaces = <; [127.0.0.1]:PORT
tls_advertise_hosts = *
tls_certificate = {base}/cert.pem
tls_privatekey = {base}/key.pem
log_file_path = syslog
syslog_timestamp = false
smtp_accept_queue_per_connection = 0
acl_smtp_rcpt = recipient

begin acl
recipient:
  accept domains = +ours
  accept authenticated = *
  deny   message = relay not permitted

begin routers
mailbox:
  ROUTER
  domains = +ours
  transport = mailbox
world:
  driver = manualroute
  domains = ! +ours
  route_list = * 127.0.0.1
  self = send
  transport = world

begin transports
mailbox:
  TRANSPORT
world:
  driver = smtp
  port = WORLD
  allow_localhost
  hosts_avoid_tls = *

begin retry
* * F,1h,1s

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_advertise_condition = ${if def:tls_in_cipher}
  server_prompts = :
  server_condition = ${if and{{eq{$auth2}{USER}}{eq{$auth3}{PASSWORD}}}}
  server_set_id = $auth2
"""

_BY_LMTP = """\
driver = smtp
  protocol = lmtp
  port = LMTP
  allow_localhost
  hosts_avoid_tls = *
  rcpt_include_affixes"""

_INTO_MAILDIR = f"""\
driver = appendfile
  directory = FOLDER
  maildir_format
  user = {MAIL_UID}
  group = {MAIL_GID}
  delivery_date_add
  envelope_to_add
  return_path_add"""

_START = """\
echo 'Debian-exim:x:47112:47112::/:/bin/false' >>/etc/passwd
echo 'Debian-exim:x:47112:' >>/etc/group
mkdir -p /var/spool/exim4 /var/log/exim4 /run/exim4
chown Debian-exim:Debian-exim /var/spool/exim4 /var/log/exim4 /run/exim4 {base}/key.pem
chmod 640 /etc/exim4/exim4.conf
chgrp Debian-exim /etc/exim4/exim4.conf
exec /usr/sbin/exim4 -bdf -q5s
"""


@contextmanager
def running(delivery: Lmtp | Maildir, world_port: int) -> SmtpRun:
    """Start it."""
    version = version_of(PACKAGE)
    [port] = free_ports(1)
    if isinstance(delivery, Lmtp):
        router, transport = "driver = manualroute\n  route_list = * 127.0.0.1\n  self = send", _BY_LMTP
        transport = transport.replace("LMTP", str(delivery.port))
    else:
        router, transport = "driver = accept", _INTO_MAILDIR.replace("FOLDER", str(delivery.folder))
    words = {"ROUTER": router, "TRANSPORT": transport, "PORT": str(port), "WORLD": str(world_port)}
    conf = _CONF
    for word, value in {**words, "DOMAIN": DOMAIN, "USER": USER, "PASSWORD": PASSWORD}.items():
        conf = conf.replace(word, value)
    with open_room(PACKAGE, _START, {"/etc/exim4/exim4.conf": conf}) as room:
        wait_for(port, b"220 mail.", room.told)
        yield SmtpServer(version, port, "starttls", room.base / "cert.pem", USER, room.told)
