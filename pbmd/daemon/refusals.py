"""Servers that refuse us are left alone for a while."""

from pbmd.post.imap.connection import InboxLost, LoginPutOff, LoginRefused
from pbmd.post.outage import Failure
from pbmd.post.smtp.client import SenderRefused, SmtpError, SmtpLoginPutOff, SmtpLoginRefused

REFUSALS = "imap-refused.json"
SMTP_REFUSALS = "smtp-refused.json"


class LoginWaits(LoginRefused):
    """The mail server has refused our login lately, and was not tried again: that gets accounts locked."""


class SenderWaits(SmtpError):
    """The SMTP server has refused our login or our mail lately, and was not tried again."""


def failure(problem: InboxLost | LoginRefused | SmtpError) -> Failure:
    """What kind of failure of a mail server this is: if it is up and refuses us, trying often makes that worse."""
    match problem:
        case LoginRefused() | SmtpLoginRefused() | SenderRefused():
            return Failure.REFUSED
        case LoginPutOff() | SmtpLoginPutOff():
            return Failure.PUT_OFF
        case _:
            return Failure.LOST
