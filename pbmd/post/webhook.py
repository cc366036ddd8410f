"""A short text posted to a web address, as group chats accept it: Slack, Mattermost, Matrix by hookshot, Discord.

The address is a secret: whoever has it may write there. So our messages show no more of it than the host, and nothing that the
server says is passed on. Redirects are not followed: they would lead wherever the server, or whoever has taken its name, likes.
The standard library is enough: one request, and `Breaker` to end it, which no HTTP library has.
"""

import http.client
import ipaddress
import json
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import urlsplit

from pbmd.post.accounts import tls_context
from pbmd.post.breaker import Breaker
from pbmd.post.explained import explained

_LONGEST = 2000
"""No address is longer, and no text for Discord either."""
LONGEST_TEXT = 1900
_PRINTABLE = re.compile(r"[!-~]+")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*|[0-9A-Fa-f:]{{2,45}}")
"""What is not a host name, such as one with an empty part, the libraries would refuse in ways of their own."""
_DISCORD, _SLACK = ("discord.com", "discordapp.com"), ("slack.com", "slack-gov.com")
_LONGEST_PAUSE = timedelta(days=1)
_ANSWER_BYTES = 1 << 16


class HookError(Exception):
    """The text did not arrive; the message says why and has nothing secret. `pause` is how long the server wants to be left
    alone."""

    def __init__(self, words: str, pause: timedelta = timedelta(0)) -> None:
        super().__init__(words)
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Hook:
    """Where to post to; `target` is the secret part."""

    host: str
    port: int | None
    target: str
    tls: bool

    def __repr__(self) -> str:
        return f"Hook({self.host!r})"


def read_hook(address: str) -> Hook:
    """An address as it is written: https, or http on this machine. Raises `HookError`."""
    if len(address) > _LONGEST or not _PRINTABLE.fullmatch(address):
        raise HookError(f"the address must be one line of at most {_LONGEST} letters without blanks")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise HookError("the address cannot be read; write it like https://chat.example.org/hooks/…") from None
    if not _HOST.fullmatch(host) or "@" in parts.netloc or parts.scheme not in ("https", "http"):
        raise HookError("the address must be like https://chat.example.org/hooks/…, without a user in it")
    if parts.scheme == "http" and not _is_here(host):
        raise HookError(f"{host}: only https goes to another machine")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Hook(host, port, target, parts.scheme == "https")


def _is_here(host: str) -> bool:
    """Whether a host is this machine, without looking it up."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def body(hook: Hook, text: str) -> bytes:
    """What is posted, in this server's form. A name in the text notifies nobody."""
    said = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
    if _is_of(hook, _DISCORD):
        content: Mapping[str, object] = {"content": said, "allowed_mentions": {"parse": []}}
    elif _is_of(hook, _SLACK):
        content = {"text": said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}
    else:
        content = {"text": said.replace("@", "@\u200b")}
    return json.dumps(content).encode()


def _is_of(hook: Hook, domains: tuple[str, ...]) -> bool:
    return any(hook.host == domain or hook.host.endswith(f".{domain}") for domain in domains)


def post(hook: Hook, text: str, seconds: float) -> None:
    """Post a text; this takes at most this many seconds, plus the look-up of the host's name. Raises `HookError`."""
    breaker = Breaker()
    try:
        with breaker.deadline(seconds):
            status, retry_after = _asked(hook, body(hook, text), seconds, breaker)
    except ssl.SSLCertVerificationError as problem:
        raise HookError(f"{hook.host}: its certificate is not good: {problem.verify_message}") from None
    except (OSError, http.client.HTTPException) as problem:
        late = breaker.tripped or isinstance(problem, TimeoutError)
        why = f"no answer within {seconds:g} s" if late else explained(problem)
        raise HookError(f"{hook.host}: {why}") from None
    finally:
        breaker.release()
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise HookError(f"{hook.host} says {_words(status)}", _pause(retry_after))


def _asked(hook: Hook, content: bytes, seconds: float, breaker: Breaker) -> tuple[int, str]:
    """The status of the answer, and when to ask again."""
    kind = http.client.HTTPSConnection if hook.tls else http.client.HTTPConnection
    connection = kind(f"[{hook.host}]" if ":" in hook.host else hook.host, hook.port, timeout=seconds)
    try:
        plain = socket.create_connection((hook.host, hook.port or connection.default_port), seconds)
        connection.sock = plain
        breaker.hold(plain)
        if hook.tls:
            connection.sock = tls_context(None).wrap_socket(plain, server_hostname=hook.host)
        connection.request("POST", hook.target, content, {"Content-Type": "application/json", "User-Agent": "pbmd"})
        answer = connection.getresponse()
        answer.read(_ANSWER_BYTES)  # hanging up earlier may look as if nothing had been asked
        return answer.status, answer.getheader("Retry-After") or ""
    finally:
        connection.close()


def _words(status: int) -> str:
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return f"{status}: it sends on to another address, which is not followed"
    phrase = next((each.phrase for each in HTTPStatus if each == status), "")
    return f"{status} {phrase}".strip()


def _pause(retry_after: str) -> timedelta:
    known = re.fullmatch(r"\d{1,9}", retry_after.strip())
    return min(timedelta(seconds=int(known[0])), _LONGEST_PAUSE) if known else timedelta(0)
