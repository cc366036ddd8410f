"""What views say of maps of every kind, checked: words, lists that have an end, and owners with their colours."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MOST_OWNERS = 40
MOST_NOTES = 3
TEXT_CHARS = 60
NOTE_CHARS = 200
_CODE_CHARS = 2
COLOUR = re.compile(r"#[0-9a-f]{6}")


class MapError(ValueError):
    """A map that cannot be drawn; the message names the place in it and says why, in words of pbmd's own."""


class Owner(NamedTuple):
    """A name of `owners`; `ink` is the colour in which letters can be read on `colour`."""

    name: str
    colour: str
    code: str
    note: str
    ink: str

    @property
    def pale(self) -> bool:
        """Whether a stroke in this colour would hardly be seen on paper."""
        return luminance(*_shares(self.colour)) > _PALE


def plain(text: str, most: int = TEXT_CHARS) -> str:
    """One line of what can be shown and written in XML, shortened."""
    printable = text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
    shown = " ".join(printable.split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def entries(data: Mapping[str, Any], key: str, most: int) -> Sequence[Any]:
    """A list in the data. Raises `MapError` when it is too long."""
    told = data[key]
    if len(told) > most:
        raise MapError(f"{key}: {len(told)} are more than the {most} that can be drawn")
    return told


def entries_if_any(data: Mapping[str, Any], key: str, most: int) -> Sequence[Any]:
    """The same of a list that may be left out."""
    return entries(data, key, most) if key in data else ()


def read_owners(data: Mapping[str, Any]) -> tuple[Owner, ...]:
    """All owners. Raises `MapError`."""
    return tuple(_owner(entry, place) for place, entry in enumerate(entries(data, "owners", MOST_OWNERS)))


def owner_of(entry: Mapping[str, Any], where: str, owners: Mapping[str, Owner]) -> Owner | None:
    """The owner that an entry names, None for "". Raises `MapError` for one that there is not."""
    name = entry["owner"]
    if not name:
        return None
    owner = owners.get(name) or owners.get(plain(name))
    if owner is None:
        raise MapError(f"{where}.owner: there is no such owner")
    return owner


def read_colour(colour: str, where: str) -> str:
    """A colour as it is written. Raises `MapError` for what is none."""
    if not COLOUR.fullmatch(colour):
        raise MapError(f'{where}: a colour is written as "#rrggbb", with small letters')
    return colour


def _owner(entry: Mapping[str, Any], place: int) -> Owner:
    colour = read_colour(entry["colour"], f"owners[{place}].colour")
    code, note = plain(entry["code"], _CODE_CHARS), plain(entry["note"])
    return Owner(plain(entry["name"]), colour, code, note, ink_on(colour))


def ink_on(colour: str) -> str:
    """The colour, black or white, in which letters can be read on this one."""
    return "#000000" if luminance(*_shares(colour)) > _MIDDLE else "#ffffff"


_MIDDLE = 0.18
"""Of this luminance black and white letters have the same contrast (WCAG 2)."""
_PALE = 0.3
"""Above it the contrast to white is less than 3."""


def _shares(colour: str) -> Iterator[int]:
    return (int(colour[at : at + 2], 16) for at in (1, 3, 5))


def luminance(*shares: int) -> float:
    """The relative luminance of WCAG 2, 0 to 1, of a colour of red, green and blue, each of 255."""
    parts = (share / 255 for share in shares)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
