"""The news of games posted to where the settings say, such as the group's chat: outside any transaction, in a thread of its
own, and in nobody's way. Failures are retried at longer and longer intervals; the ledger records how far it got.

The news are those in the game's Atom feed, and they are posted when that has them: whatever else happens in a game neither
changes a word of them nor makes them come sooner or later.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.desk.publish.dashboard import News, news_after
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.tables import Game, LogLine, Webhook
from pbmd.post.webhook import LONGEST_TEXT, HookError, post, read_hook

_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 360, 1440))
"""The pauses before each further try; the last of them from then on. What is to wait for longer was put off by a clock that was
ahead."""
_ALARMING = 3
"""After this many vain tries the game master gets an alarm."""
_AT_ONCE_SECONDS = 30.0
"""How long one round over all games takes at most: the others have theirs in the next."""
_LARGEST_FILE = 4096


@despite_unreadable
def post_news(desk: Desk) -> int:
    """Post what is due, and return for how many games."""
    begun, told = time.monotonic(), 0
    for name, file in desk.settings.webhook.files.items():
        if time.monotonic() - begun > _AT_ONCE_SECONDS:
            break
        told += _post_of(desk, name.lower(), file)
    return told


@dataclass(frozen=True, slots=True)
class Way:
    """Where the news of a game go: the host, and what is wrong with it, if anything is."""

    game: str
    host: str
    trouble: str = ""


def ways(desk: Desk) -> list[Way]:
    """Where the settings send the news of games. Nothing is posted."""
    with Transaction(desk, reads=True) as work:
        names = set(work.session.exec(select(Game.name)))
    return [_way(name, file, known=name.lower() in names) for name, file in desk.settings.webhook.files.items()]


def _way(name: str, file: Path, *, known: bool) -> Way:
    try:
        host = read_hook(_address(file)).host
    except HookError as problem:
        return Way(name, "", str(problem))
    return Way(name, host, "" if known else "there is no game of that name")


def _post_of(desk: Desk, name: str, file: Path) -> bool:
    """Post the news of a game, if there are any and it is time."""
    with Transaction(desk, reads=True) as work:
        game = work.session.exec(select(Game.id).where(Game.name == name)).first()
        hook = work.session.get(Webhook, game) if game else None
        waits = hook is not None and hook.next_try_at is not None and work.now < hook.next_try_at <= work.now + _PAUSES[-1]
    if game is None or waits:
        return False
    if hook is None:
        _begin(desk, game)
        return False
    news = news_after(desk, name, hook.through)
    if not news:
        return False
    trouble = _trouble(desk, name, file, news)
    _note(desk, game, hook, news[-1].number, trouble)
    return trouble is None


def _begin(desk: Desk, game: int) -> None:
    """What happened before is no news."""
    with Transaction(desk) as work:
        if work.session.get(Webhook, game) is None:
            newest = work.session.exec(select(func.max(col(LogLine.id)))).one() or 0
            work.session.add(Webhook(game_id=game, through=newest))


def _trouble(desk: Desk, name: str, file: Path, news: Sequence[News]) -> HookError | None:
    """Post the news; returns why that was impossible."""
    try:
        post(read_hook(_address(file)), text_of(name, news), desk.settings.webhook.seconds)
    except HookError as problem:
        return problem
    return None


def _address(file: Path) -> str:
    """The address in the file. Raises `HookError`."""
    try:
        with file.open("rb") as content:
            return content.read(_LARGEST_FILE).decode("ascii", "replace").strip()
    except OSError as problem:
        raise HookError(f"{file} cannot be read: {problem.strerror}") from None


def text_of(game: str, news: Sequence[News]) -> str:
    """The news in lines: the last of them, if there are more than fit."""
    lines = [f"{game}: {each.title}" + (f" – {each.detail}" if each.detail else "") for each in news]
    shown = lines[-1:]
    for line in reversed(lines[:-1]):
        if sum(map(len, shown)) + len(shown) + len(line) > LONGEST_TEXT - len(_more(game, len(lines))):
            break
        shown.insert(0, line)
    left = len(lines) - len(shown)
    return "\n".join([*([_more(game, left)] if left else []), *shown])


def _more(game: str, count: int) -> str:
    return f"{game}: {count} earlier news are in its feed"


def _note(desk: Desk, game: int, before: Webhook, through: int, trouble: HookError | None) -> None:
    with Transaction(desk) as work:
        hook, played = work.session.get(Webhook, game), work.session.get(Game, game)
        if hook is None or played is None or (hook.through, hook.tries) != (before.through, before.tries):
            return  # another process has done it meanwhile
        if trouble is None:
            if hook.tries >= _ALARMING and not _another_fails(work, game):  # one alarm is for all games
                all_clear(work, "webhook", f"the news of {played.name} are posted again")
            hook.through, hook.tries, hook.next_try_at = through, 0, None
            return
        pause = max(_PAUSES[min(hook.tries, len(_PAUSES) - 1)], trouble.pause)
        hook.tries, hook.next_try_at = hook.tries + 1, work.now + pause
        if hook.tries == _ALARMING:
            alarm(work, "webhook", f"{played.name}: {trouble}")


def _another_fails(work: Transaction, game: int) -> bool:
    """Whether the news of another game that the settings name cannot be posted."""
    named = [name.lower() for name in work.desk.settings.webhook.files]
    failing = select(Webhook.game_id).join(Game, col(Game.id) == Webhook.game_id).where(Webhook.tries >= _ALARMING)
    others = failing.where(col(Game.name).in_(named), Webhook.game_id != game)
    return work.session.exec(others.limit(1)).first() is not None
