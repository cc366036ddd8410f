"""Faults of mail servers that were seen, by name. How one comes here stands in `tests.post.scripted`."""

from dataclasses import replace
from typing import Any

from tests.post.scripted.server import GREETING, Fault

TEXTS = "BODY.PEEK"


def fault(name: str, **changes: Any) -> Fault:
    """The fault of that name, with these of its fields changed."""
    return replace(FAULTS[name], **changes)


def _no(at: str, words: str, **more: Any) -> Fault:
    return Fault(at, (f"{{tag}} NO {words}",), **more)


def _one_letter(*says: str, **more: Any) -> Fault:
    """At one letter: give it another `uid`."""
    return Fault("UID FETCH", says, part=TEXTS, uid=1, **more)


FAULTS: dict[str, Fault] = {
    # Coming and logging in
    "too many connections": Fault(GREETING, ("* BYE Too many connections",), "closes"),
    "closed at once": Fault(GREETING, (), "closes"),
    "no greeting": Fault(GREETING, (), "is silent"),
    "known already": Fault(GREETING, ("* PREAUTH welcome back",)),
    "no capabilities": Fault("CAPABILITY", ("{tag} BAD unknown command",)),
    "wrong password": _no("LOGIN", "[AUTHENTICATIONFAILED] Invalid credentials"),
    "login over quota": _no("LOGIN", "[OVERQUOTA] Account exceeded command or bandwidth limits."),  # Gmail
    "login throttled": _no("LOGIN", "[THROTTLED] Account exceeded command or bandwidth limits."),  # Gmail
    "login unavailable": _no("LOGIN", "Server Unavailable. 15"),  # Exchange
    "login bug": _no("LOGIN", "[SERVERBUG] LOGIN Server error - Please try again later"),  # Yahoo
    "login ended": Fault("LOGIN", ("* BYE [AUTHENTICATIONFAILED] Invalid credentials",), "closes"),
    "login disabled": _no("LOGIN", "[PRIVACYREQUIRED] Plaintext authentication disallowed"),
    # Folders
    "not connected": Fault("", ("{tag} BAD User is authenticated but not connected.",)),  # Exchange: give it `at`
    "closed at select": Fault("SELECT", ("* BYE Connection is closed. 13",), "closes"),  # Exchange
    # Searching
    "search in lines": Fault("UID SEARCH", ("* SEARCH {each}", "{tag} OK done")),  # mox, EIMS
    "esearch only": Fault("UID SEARCH", ('* ESEARCH (TAG "{tag}") UID ALL {uids}', "{tag} OK done")),
    "search refused": Fault("UID SEARCH", ("{tag} BAD Error in IMAP command UID SEARCH: Invalid messageset",)),
    "search bug": _no("UID SEARCH", "[SERVERBUG] SEARCH Server error - Please try again later"),  # Yahoo
    # All letters
    "throttled": _no("UID FETCH", "[OVERQUOTA] Account exceeded command or bandwidth limits.", part=TEXTS),  # Gmail
    "unavailable": _no("UID FETCH", "[UNAVAILABLE] UID FETCH Server error - Please try again later", part=TEXTS),  # Yahoo
    "no texts": _no("UID FETCH", "some messages could not be fetched", part=TEXTS),
    # One letter
    "no at a letter": _one_letter("{tag} NO could not be fetched"),
    "unavailable at a letter": _one_letter("{tag} NO [UNAVAILABLE] UID FETCH Server error - Please try again later"),
    "bad at a letter": _one_letter("{tag} BAD Command Error. 12"),  # Exchange
    "bye at a letter": _one_letter("* BYE System Error", then="closes"),  # Gmail
    "closed at a letter": _one_letter(then="closes"),  # Dovecot, with a file longer than its name says
    "silent at a letter": _one_letter(then="is silent"),
    "unreadable at a letter": _one_letter("unexpected response"),  # Xeams
    "literal too long": _one_letter(longer=2),
    "literal too short": _one_letter(longer=-4),
    "nil at a letter": _one_letter(told={"BODY": "NIL"}),
    "empty at a letter": _one_letter(told={"BODY": '""'}),
    "no date at a letter": _one_letter(told={"INTERNALDATE": ""}),
    "date of a letter": _one_letter(told={"INTERNALDATE": '"01-Jan-2100 00:00:00 +0000"'}),
    "size of a letter": Fault("UID FETCH", uid=1, told={"RFC822.SIZE": "0"}),
    # Waiting
    "idle never agreed to": Fault("IDLE", (), "is silent"),
    "idle refused": _no("IDLE", "not now"),
    "idle ended": Fault("IDLE", ("+ idling", "* BYE Session expired"), "closes"),  # Stalwart
    # Writing
    "append over quota": _no("APPEND", "[OVERQUOTA] Quota exceeded"),
    "append lost": Fault("APPEND", (), "closes"),
    # Sending
    "smtp too many": Fault(GREETING, ("421 4.7.0 Too many connections",), "closes"),
    "smtp login later": Fault("AUTH", ("454 4.7.0 Temporary authentication failure",)),
    "smtp too many logins": Fault("AUTH", ("421 4.7.0 Too many login attempts",), "closes"),
    "smtp wrong password": Fault("AUTH", ("535 5.7.8 Error: authentication failed",)),
    "smtp login wanted": Fault("MAIL", ("530 5.7.0 Authentication required",)),
    "smtp daily limit": Fault("MAIL", ("550 5.4.5 Daily user sending limit exceeded.",)),  # Gmail
    "smtp full": Fault("RCPT", ("552 5.2.2 mailbox full",)),
    "smtp later": Fault("RCPT", ("421 4.3.2 try again later",), "closes"),
    "smtp answer lost": Fault(".", (), "closes"),
}
