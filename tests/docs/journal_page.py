"""`python -m tests.docs.journal_page`: write what is published of the kinds of entries anew, from their types: the tables in
templates/archive/FORMAT.md and docs/journal.md, and what journal.schema.json beside the former says of each kind."""

import json
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from pbmd.ledger.entries.codec import adapter
from pbmd.ledger.entries.kinds import KINDS

_ROOT = Path(__file__).parents[2]
_ARCHIVE = _ROOT / "templates" / "archive"
PAGE, SCHEMA = _ARCHIVE / "FORMAT.md", _ARCHIVE / "schemas" / "journal.schema.json"
SHORT_PAGE = _ROOT / "docs" / "journal.md"
ROWS = re.compile(r"(?<=<!-- kinds -->\n).*?(?=<!-- end -->)", re.DOTALL)
_NULL = {"type": "null"}
Schema = dict[str, Any]
Key = tuple[str, str]
"""A key, and what it is."""
_OFTEN = 2
"""What is so in more kinds is said once."""


def with_kinds(text: str) -> str:
    """The page with what stands between ``<!-- kinds -->`` and ``<!-- end -->`` made from the types."""
    return ROWS.sub(lambda _: "\n".join(_rows()), text)


def with_short_kinds(text: str) -> str:
    """The page for whoever changes pbmd with its table between the same marks: each kind, and the names of its keys."""
    return ROWS.sub(lambda _: "\n".join(_short_rows()), text)


def with_parts(written: str) -> str:
    """The schema of an entry with the parts of each kind made from its type."""
    schema = json.loads(written)
    parts, schema["$defs"] = dict(_parts()), {}
    for defined, *_ in parts.values():
        schema["$defs"] |= defined
    schema["$defs"] = dict(sorted(schema["$defs"].items()))
    schema["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"properties": {"public": public, "secret": sealed}},
        }
        for kind, (_, public, sealed) in parts.items()
    ]
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def schema_of_entries() -> Schema:
    """What is published of an entry of the journal."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def _parts() -> Iterator[tuple[str, tuple[Schema, Schema, Schema]]]:
    """What each kind is made of: the definitions that it needs, its public part, and its sealed part."""
    for kind, of in KINDS.items():
        made = _plain(adapter(of).json_schema())
        defined, properties = made.pop("$defs", {}), made["properties"]
        sealed = properties.pop("sealed", {})
        made["required"] = [key for key in made.get("required", ()) if key != "sealed"]
        yield kind, (defined, {key: made[key] for key in made if made[key] != []}, sealed)


def _plain(schema: Any) -> Any:
    """Without what only the reader of pbmd needs: titles, defaults, null in place of a key that is absent, and unknown keys."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    if _NULL in schema.get("anyOf", ()):
        first, *others = [each for each in schema["anyOf"] if each != _NULL]
        assert not others, "a key that may be absent has one type"
        return _plain(first | {key: schema[key] for key in schema if key != "anyOf"})
    kept = {key: value for key, value in schema.items() if key not in ("title", "default", "discriminator")}
    if "properties" in kept:
        kept["properties"] = {key: value for key, value in kept["properties"].items() if key != "more"}
        return {key: _named(value) if key == "properties" else _plain(value) for key, value in kept.items()}
    return {key: _named(value) if key == "$defs" else _plain(value) for key, value in kept.items()}


def _named(schemas: Mapping[str, Any]) -> Schema:
    """Those below names that are not words of the language of schemas."""
    return {name: _plain(schema) for name, schema in schemas.items()}


def _rows() -> Iterator[str]:
    kinds = [(kind, public, _opened(defined, sealed), defined) for kind, (defined, public, sealed) in _parts()]
    about = Counter(key for _, public, sealed, defined in kinds for key in {*_keys(public, defined), *_keys(sealed, defined)})
    common = {key for key, times in about.items() if times > _OFTEN and key[1]}
    yield from ("", "| key | what it is wherever it stands |", "|---|---|")
    yield from (f"| `{name}` | {told} |" for name, told in sorted(common))
    yield from ("", "| kind | what it tells | public | secret |", "|---|---|---|---|")
    for kind, public, sealed, defined in kinds:
        told = " ".join(public["description"].split())
        yield f"| `{kind}` | {told} | {_listed(public, defined, common)} | {_listed(sealed, defined, common)} |"
    yield "\n"


def _short_rows() -> Iterator[str]:
    yield from ("", "| kind | what it tells | public | secret |", "|---|---|---|---|")
    for kind, (defined, public, sealed) in _parts():
        told = " ".join(public["description"].split())
        parts = (_keys(part, defined) for part in (public, _opened(defined, sealed)))
        public_keys, sealed_keys = (", ".join(f"`{key}`{mark}" for (key, _), mark in keys.items()) for keys in parts)
        yield f"| `{kind}` | {told} | {public_keys} | {sealed_keys} |"
    yield "\n"


def _opened(defined: Schema, sealed: Schema) -> Schema:
    return defined[_name(sealed["$ref"])] if "$ref" in sealed else {}


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _keys(part: Schema, defined: Schema) -> dict[Key, str]:
    """The keys of a part, each with what it is; `?` for those that can be absent."""
    needed, properties = part.get("required", ()), part.get("properties", {})
    told = {key: defined[_name(each["$ref"])] | each if "$ref" in each else each for key, each in properties.items()}
    return {(key, each.get("description", "")): "" if key in needed else "?" for key, each in told.items()}


def _listed(part: Schema, defined: Schema, common: Container[Key]) -> str:
    keys = _keys(part, defined).items()
    return "; ".join(f"`{key[0]}`{mark}" + (f": {key[1]}" if key[1] and key not in common else "") for key, mark in keys)


if __name__ == "__main__":
    for file, made in ((PAGE, with_kinds), (SHORT_PAGE, with_short_kinds), (SCHEMA, with_parts)):
        file.write_text(made(file.read_text(encoding="utf-8")), encoding="utf-8")
