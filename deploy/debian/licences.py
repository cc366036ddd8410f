"""Usage: python3 deploy/debian/licences.py SITE-PACKAGES [NAME...] >copyright

Writes the licences of all packages that are installed in a folder, or of those alone, with their texts: what Debian wants as
/usr/share/doc/pbmd/copyright, and what goes with a release. It fails if a package brings no text and none is known here.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from inside import inside

OURS = "pbmd-games"
_FILES = ("licen", "copying", "notice", "authors")
"""How the names of files with licences begin, in small letters."""
_WITHOUT_TEXT = {
    "bagit": "Its README says: a work of the government of the USA, in the public domain there; elsewhere by CC0 1.0\n"
    "(https://creativecommons.org/publicdomain/zero/1.0/)."
}
"""Packages that bring no text, and what their authors say of them."""
_ALSO = {"typst": Path(__file__).resolve().parents[2] / "docs" / "licences" / "typst-assets.txt"}
"""Packages that have fonts and data of others in them, and bring no text about those."""
_LONGEST = 60
"""Some write the whole text where the name of a licence belongs."""


@dataclass(frozen=True)
class Package:
    """What is told of one."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]
    inside: tuple[str, ...] = ()
    """What is compiled into it: name, version, licence."""


def package(found: Distribution) -> Package:
    """What its metadata say, and the texts beside them."""
    told = found.metadata
    name, expression, words = told["Name"], told["License-Expression"], told["License"] or ""
    classified = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License :: ")]
    short = words if len(words) <= _LONGEST and "\n" not in words else ""
    texts = tuple(_texts(found)) or tuple(filter(None, [_WITHOUT_TEXT.get(name)]))
    if texts and name in _ALSO:
        texts += (_ALSO[name].read_text(encoding="utf-8").strip(),)
    parts = tuple(_part(each) for each in inside(found))
    return Package(name, told["Version"], expression or short or ", ".join(classified) or "see its text", texts, parts)


def _part(told: dict[str, Any]) -> str:
    licences = [
        each.get("expression") or each["license"].get("id") or each["license"].get("name") for each in told.get("licenses", ())
    ]
    return " ".join(filter(None, [told["name"], told.get("version"), f"({' and '.join(licences)})" if licences else ""]))


def _texts(found: Distribution) -> Iterator[str]:
    for file in sorted(found.files or (), key=str):
        if file.parts[0].endswith(".dist-info") and "sboms" not in file.parts and file.name.lower().startswith(_FILES):
            yield Path(str(file.locate())).read_text(encoding="utf-8", errors="replace").strip()


def without_text(packages: Iterable[Package]) -> list[str]:
    """The names of packages whose licence nobody could read."""
    return [each.name for each in packages if not each.texts]


def written(packages: Iterable[Package]) -> str:
    """The whole file: pbmd's own licence, a list of what comes with it, and the texts, each of them once."""
    own, others = list[Package](), list[Package]()
    for each in sorted(packages, key=lambda each: each.name.lower()):
        (own if each.name == OURS else others).append(each)
    whose: dict[str, list[Package]] = {}
    for each in others:
        for text in each.texts:
            whose.setdefault(text, []).append(each)
    blocks = [_block(f"{each.name} {each.version}", text) for each in own for text in each.texts]
    if others:
        blocks.append(_block("With it come these packages, all of them published at https://pypi.org", _list(others)))
    if compiled := [each for each in others if each.inside]:
        blocks.append(_block("Compiled into them is, by the lists that they bring", _inside(compiled)))
    blocks += [_block(", ".join(f"{each.name} {each.version}" for each in each_of), text) for text, each_of in whose.items()]
    return "\n\n".join(blocks) + "\n"


def _block(heading: str, text: str) -> str:
    return f"{heading}\n{'-' * min(len(heading), 72)}\n\n{text}\n"


def _list(packages: Iterable[Package]) -> str:
    return "\n".join(f"{each.name} {each.version}: {each.licence}" for each in packages)


def _inside(packages: Iterable[Package]) -> str:
    return "\n\n".join(
        "\n".join([f"in {each.name} {each.version}:", *(f"  {part}" for part in each.inside)]) for each in packages
    )


def main(arguments: list[str]) -> int:
    """See the module."""
    if not arguments or not Path(arguments[0]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    folder, *names = arguments
    packages = [package(found) for found in distributions(path=[folder]) if not names or found.metadata["Name"] in names]
    if unknown := sorted({*names} - {each.name for each in packages}):
        print(f"licences: {', '.join(unknown)}: not installed in {folder}", file=sys.stderr)
        return 1
    if missing := without_text(packages):
        print(f"licences: no text of a licence in {', '.join(missing)}: look it up, and add it to {__file__}", file=sys.stderr)
        return 1
    print(written(packages), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
