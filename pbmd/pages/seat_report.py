"""A report as it was mailed, as part of a page: mails have their style in each element, and pages have a policy that allows
none there. So it goes into a style sheet."""

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser


@dataclass(frozen=True, slots=True)
class Article:
    """The body of a report, and its style sheet."""

    html: str
    css: str


def article(page: str) -> Article:
    """The report that was stored as this page."""
    body = LexborHTMLParser(page).body
    if body is None:
        return Article("", "")
    classes: dict[str, str] = {}
    for node in body.css("[style]"):
        style = node.attributes.get("style") or ""
        name = classes.setdefault(style, f"s-{len(classes)}")
        given = node.attributes.get("class") or ""
        node.attrs["class"] = f"{given} {name}".strip()
        del node.attrs["style"]
    inner = "".join(node.html or "" for node in body.iter(include_text=True))
    return Article(inner, "".join(f".report .{name}{{{_declarations(style)}}}\n" for style, name in classes.items()))


def _declarations(style: str) -> str:
    """The declarations of a style attribute; nothing in it can end the rule."""
    return "" if "{" in style or "}" in style else style
