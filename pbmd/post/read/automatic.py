"""Which mail must not be answered, and which must not even be read: the header rule (RFC 3834, RFC 5230, and common
practice)."""

from collections.abc import Iterator

from pbmd.post.read.headers import Headers, uncommented

MAX_RECEIVED = 25
"""More Received fields than this mean a loop."""

_BULK = ("bulk", "junk", "list", "auto_reply")
_MACHINE_FIELDS = (
    # Field, and whether mail that has it is a vacation reply or a bounce, whose text is never read for orders.
    ("x-autoreply", True),
    ("x-autorespond", True),
    ("x-autoresponder", True),
    ("x-auto-reply-from", True),
    ("x-mail-autoreply", True),
    ("x-failed-recipients", True),
    ("x-ms-exchange-inbox-rules-loop", True),
    ("x-vacation", True),
    ("x-loop", False),
    ("x-mlserver", False),
    ("x-ml-name", False),
    ("x-auto-response-suppress", False),
    ("feedback-id", False),
    ("x-csa-complaints", False),
)
_MACHINE_SENDERS = (
    "mailer-daemon",
    "postmaster",
    "post_master",
    "no-reply",
    "noreply",
    "no_reply",
    "do-not-reply",
    "donotreply",
    "bounce",
    "bounces",
)
_BOUNCE_SENDERS = ("mailer-daemon", "postmaster", "post_master")
_VACATION_SUBJECTS = (
    "automatic reply:", "auto reply:", "auto-reply:", "autoreply:", "auto response:", "autoresponse:",
    "out of office autoreply:", "out of office reply:", "out of office:", "out of the office:", "automatische antwort:",
    "abwesenheitsnotiz", "abwesenheit:", "réponse automatique", "absence du bureau", "respuesta automática",
    "fuera de la oficina", "risposta automatica", "fuori sede", "resposta automática", "automatisch antwoord:",
    "afwezigheidsbericht", "autosvar", "automatiskt svar", "automatisk svar", "automaattinen vastaus",
    "automatyczna odpowiedź", "automatická odpověď", "automatikus válasz", "otomatik yanıt", "răspuns automat", "автоответ",
    "автоматический ответ", "автоматична відповідь", "自動返信", "自動回覆", "自动答复", "자동 회신",
)  # fmt: skip


_FROM_CHARS = 500
_MAX_FIELDS = 10


def _names_nobody(value: str) -> bool:
    """Whether a From field is one of those without an address that mail servers write (RFC 5321, 6.1); people have one."""
    return "<>" in value or "mailer-daemon" in value


def _values(headers: Headers, name: str) -> set[str]:
    """What the fields of a name say, in lower case. A relay may add a field that is there already: the milder value does not
    cancel the other."""
    return {uncommented(value).strip().lower() for value in headers.all(name)[:_MAX_FIELDS]}


def automatic(headers: Headers, sender: str, subject: str, content_type: str) -> tuple[str, bool]:
    """Why this mail must not be answered ("" if it may be), and whether it is a vacation reply or a bounce.

    `sender` is the From address or "", `subject` the decoded Subject, `content_type` the lower-case type of the whole message.
    """
    marks = list(_marks(headers, sender, subject, content_type))
    return (marks[0][0] if marks else ""), any(unread for _, unread in marks)


def _marks(headers: Headers, sender: str, subject: str, content_type: str) -> Iterator[tuple[str, bool]]:
    """Every sign that nobody wrote this mail by hand, strongest first: the reason, and whether the text must not be read."""
    submitted = {value.partition(";")[0].strip() for value in _values(headers, "auto-submitted")} - {"", "no"}
    for said in sorted(submitted):
        # A script of a player may send orders as "auto-generated"; every other value is an answer to something.
        yield f"Auto-Submitted: {said[:40]}", said != "auto-generated"
    if "".join(uncommented(headers.first("return-path")).split()) == "<>":
        yield "it has an empty Return-Path", True
    if content_type == "multipart/report":
        yield "it is a delivery report", True
    from_list = headers.from_list
    for precedence in sorted(_values(headers, "precedence").intersection(_BULK)):
        # Old vacation programs say bulk or junk; so do mailing lists, whose mail is a person's.
        yield f"Precedence: {precedence}", precedence != "list" and not from_list
    if from_list:
        yield "it comes from a mailing list", False
    for field, unread in _MACHINE_FIELDS:
        if field in headers.fields:
            yield f"it has {field}", unread
    local = sender.partition("@")[0].partition("+")[0]
    if local in _MACHINE_SENDERS:
        yield f"it comes from {local}", local in _BOUNCE_SENDERS
    if not sender and _names_nobody(headers.first("from")[:_FROM_CHARS].lower()):
        yield "it names no sender, as bounces do", True
    if subject.lower().startswith(_VACATION_SUBJECTS):
        yield "its subject is that of a vacation reply", True
    if len(headers.all("received")) > MAX_RECEIVED:
        yield "it has been passed on too often", False
