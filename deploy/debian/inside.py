"""Usage: python3 deploy/debian/inside.py SITE-PACKAGES BILL.json

Adds to a CycloneDX document about the packages that are installed in a folder what is compiled into each of them: libraries in
Rust and C, which their authors list in files beside the package (PEP 770).
"""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

_KEPT = ("type", "name", "version", "licenses", "purl")
"""What is told of each: what they say besides is about the machine on which it was built."""


def inside(found: Distribution) -> list[dict[str, Any]]:
    """What is in a package by the lists that it brings, each once, in the order of names."""
    own = _plain(found.metadata["Name"])
    told = {
        (str(part["name"]), str(part.get("version", "")), str(part.get("purl", ""))): part
        for file in found.files or ()
        if file.parts[0].endswith(".dist-info") and "sboms" in file.parts and file.suffix == ".json"
        for part in _parts(json.loads(Path(str(file.locate())).read_text(encoding="utf-8")))
        if _plain(part["name"]) != own
    }
    return [part for _, part in sorted(told.items())]


def _parts(of: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in of.get("components", ()):
        part = {name: each[name] for name in _KEPT if name in each}
        if "purl" in part:
            part["purl"] = part["purl"].partition("?")[0]  # where it was on the machine on which it was built
        yield part
        yield from _parts(each)


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")


def main(arguments: list[str]) -> int:
    """See the module."""
    if len(arguments) != 2 or not all(Path(each).exists() for each in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    bill = Path(arguments[1])
    document = json.loads(bill.read_text(encoding="utf-8"))
    packages = {_plain(found.metadata["Name"]): found for found in distributions(path=arguments[:1])}
    for part in document["components"]:
        if parts := inside(packages[_plain(part["name"])]):
            part["components"] = parts
    bill.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
