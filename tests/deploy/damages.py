"""Random damage to an archive: bytes, lines and files that are changed, lost or doubled, with checksums that fit or do not."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from tests.archive.made import seal_again

Damage = Callable[[Random, bytes], bytes]


def flipped(random: Random, content: bytes) -> bytes:
    """With one bit that is another."""
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def without_bytes(random: Random, content: bytes) -> bytes:
    """Without a few bytes."""
    at = random.randrange(len(content))
    return content[:at] + content[at + random.randint(1, 9) :]


def with_bytes_twice(random: Random, content: bytes) -> bytes:
    """With a few bytes twice."""
    at = random.randrange(len(content))
    return content[: at + random.randint(1, 9)] + content[at:]


def other_digit(random: Random, content: bytes) -> bytes:
    """With another digit or letter in place of one, as in a number that was mistyped."""
    places = [at for at, byte in enumerate(content) if chr(byte).isalnum()]
    at = random.choice(places or [0])
    return content[:at] + random.choice(b"0123456789abcdefxyz").to_bytes(1, "big") + content[at + 1 :]


def without_line(random: Random, content: bytes) -> bytes:
    """Without one line."""
    lines = content.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def with_line_twice(random: Random, content: bytes) -> bytes:
    """With one line twice."""
    lines = content.splitlines(keepends=True)
    at = random.randrange(len(lines))
    return b"".join([*lines[:at], lines[at], *lines[at:]])


def cut_short(random: Random, content: bytes) -> bytes:
    """Without its end."""
    return content[: random.randrange(len(content))]


DAMAGES = (flipped, without_bytes, with_bytes_twice, other_digit, without_line, with_line_twice, cut_short)
_LIKED = ("journal.jsonl", "dice.json", "sheets.json", "manifest-sha256.txt", "tagmanifest-sha512.txt", "bagit.txt")


def damaged(random: Random, whole: Mapping[str, bytes], folder: Path) -> str:
    """Writes the archive into the folder with one damage, and says which; half of the time the checksums are made to fit."""
    paths = [path for path in whole if path.endswith(_LIKED)] if random.random() < 0.85 else [*whole]
    path, kind = random.choice(sorted(paths)), random.random()
    files = dict(whole)
    if kind < 0.06:
        del files[path]
        what = "gone"
    elif kind < 0.12:
        files[random.choice((f"{path}.old", f"data/turns/002/{Path(path).name}", f"data/turns/old/{Path(path).name}"))] = files[
            path
        ]
        what = "twice"
    else:
        damage = random.choice(DAMAGES)
        files[path] = damage(random, files[path]) if files[path] else b"\n"
        what = damage.__name__
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    fits = path.startswith("data/") and random.random() < 0.8
    if fits:
        seal_again(folder)
    return f"{path}: {what}{', with checksums that fit' if fits else ''}"
