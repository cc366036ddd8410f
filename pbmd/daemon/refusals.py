"""Servers that refuse us are left alone for a while."""

import smtplib

from pbmd.post.accounts import SecretError
from pbmd.post.imap.connection import LoginRefused
from pbmd.post.smtp.client import SenderRefused, SmtpError

REFUSALS = "imap-refused.json"
SMTP_REFUSALS = "smtp-refused.json"


class LoginWaits(LoginRefused):
    """The mail server has refused our login lately, and was not asked again: that gets accounts locked."""


class SenderWaits(SmtpError):
    """The SMTP server has refused our login or our mail lately, and was not asked again."""


def refuses_us(problem: SmtpError) -> bool:
    """Whether the server is there and wants nothing of us: asking often makes that worse."""
    login = isinstance(problem.__cause__, (smtplib.SMTPAuthenticationError, SecretError))
    return login or isinstance(problem, SenderRefused)
