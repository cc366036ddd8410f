"""`python -m tests.docs.kit_page`: write the signatures in docs/ruleset-kit.md anew, from the code of the kit.

Between ``<!-- kit: MODULE: NAMES -->`` and ``<!-- end -->`` stand the names of that module of `pbmd.rules`, each with what its
source says of types and meaning.
"""

import ast
import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "ruleset-kit.md"
KIT = Path(__file__).parents[2] / "pbmd" / "rules"
PART = re.compile(r"(?<=<!-- kit: )(?P<module>\w+): (?P<names>[^>]*?) -->\n(?P<text>.*?)(?=<!-- end -->)", re.DOTALL)
_PRIVATE = re.compile(r"(?<==)_\w+|(?<== )_\w+")
"""Defaults that are constants of the module's own."""


def with_parts(text: str) -> str:
    """The page with what stands between its marks made from the code."""

    def part(found: re.Match[str]) -> str:
        return f"{found['module']}: {found['names']} -->\n{written(found['module'], found['names'].split())}"

    return PART.sub(part, text)


def written(module: str, names: list[str]) -> str:
    """What the page says of these names."""
    return "\n".join(f"{_PRIVATE.sub('…', _entry(module, name)).rstrip()}\n" for name in names)


def public(module: str) -> list[str]:
    """All public names that a module defines itself."""
    found: list[str] = []
    for node in _tree(module).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.append(name)
            case _:
                pass
    return [name for name in found if not name.startswith("_")]


def functions() -> dict[str, tuple[int, str]]:
    """The functions of a ruleset: how many arguments each has, and the type of what it gives, without the position's."""
    (node,) = (node for node in _tree("protocol").body if isinstance(node, ast.ClassDef) and node.name == "Ruleset")
    fields = [field for field in node.body if isinstance(field, ast.AnnAssign) and "Callable" in ast.unparse(field.annotation)]
    return {ast.unparse(field.target): _callable(field.annotation) for field in fields}


def _callable(annotation: ast.expr) -> tuple[int, str]:
    """Of ``Callable[[…], …]``, perhaps ``| None``."""
    if isinstance(annotation, ast.BinOp):
        annotation = annotation.left
    assert isinstance(annotation, ast.Subscript)
    assert isinstance(annotation.slice, ast.Tuple)
    given, gives = annotation.slice.elts
    assert isinstance(given, ast.List)
    return len(given.elts), re.sub(r"^P$", "Position", ast.unparse(gives)).replace("[P]", "")


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((KIT / f"{module}.py").read_text(encoding="utf-8"))


def _entry(module: str, name: str) -> str:
    body = _tree(module).body
    for place, node in enumerate(body):
        match node:
            case ast.FunctionDef(name=found) if found == name:
                return _of_function(node)
            case ast.ClassDef(name=found) if found == name:
                return _of_class(node)
            case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)) if found == name:
                below = body[place + 1] if place + 1 < len(body) else None
                about = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
                value = "" if node.value is None else ast.unparse(node.value)
                what = "" if re.search(r"\b_\w", value) else f" is `{value}`"
                return f"**`{name}`**{what}. {_markdown(' '.join(str(about).split()))}"
            case _:
                pass
    raise AssertionError(f"pbmd.rules.{module} has no {name}")


def _of_function(node: ast.FunctionDef) -> str:
    return f"**`{_signature(node)}`**\n\n{_prose(node)}\n"


def _signature(node: ast.FunctionDef) -> str:
    return f"{node.name}({_arguments(node)}) → {ast.unparse(node.returns) if node.returns else 'None'}"


def _arguments(node: ast.FunctionDef) -> str:
    return re.sub(r"^self(?:, )?", "", ast.unparse(node.args))


def _of_class(node: ast.ClassDef) -> str:
    fields = [child for child in node.body if isinstance(child, ast.AnnAssign)]
    methods = [child for child in node.body if isinstance(child, ast.FunctionDef) and not child.name.startswith("_")]
    made = next((child for child in node.body if isinstance(child, ast.FunctionDef) and child.name == "__init__"), None)
    lines = [f"**`{node.name}{f'({_arguments(made)})' if made else ''}`**{_kind(node)}\n", f"{_prose(node)}\n"]
    for field in fields:
        default = f" = {ast.unparse(field.value)}" if field.value else ""
        lines.append(f"- `{ast.unparse(field.target)}: {ast.unparse(field.annotation)}{default}`")
    lines += [f"- {entry}" for entry in _values(node)]
    for method in methods:
        is_value = any(ast.unparse(decorator).endswith("property") for decorator in method.decorator_list)
        returns = ast.unparse(method.returns) if method.returns else "None"
        head = f"{method.name}: {returns}" if is_value else _signature(method)
        lines.append(f"- `{head}`: {_markdown(' '.join(_docstring(method).split()))}")
    return "\n".join(lines) + "\n"


def _kind(node: ast.ClassDef) -> str:
    """Which sort of class it is, where that is not said by its fields."""
    bases = [ast.unparse(base) for base in node.bases]
    return ", an exception" if any(base.endswith(("Error", "Exception")) for base in bases) else ""


def _values(node: ast.ClassDef) -> list[str]:
    """The members of an enumeration."""
    is_enum = any(ast.unparse(base).endswith("Enum") for base in node.bases)
    assigned = [child for child in node.body if isinstance(child, ast.Assign)]
    return [f"`{node.name}.{ast.unparse(child.targets[0])}`" for child in assigned] if is_enum else []


def _prose(node: ast.FunctionDef | ast.ClassDef) -> str:
    return "\n\n".join(" ".join(_markdown(part).split()) for part in _docstring(node).split("\n\n"))


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> str:
    text = ast.get_docstring(node)
    assert text, f"{node.name} has no docstring"
    return text


def _markdown(text: str) -> str:
    """The docstring of the source, whose literals have two backticks, for a page."""
    return text.replace("``", "`").replace("|", r"\|")


if __name__ == "__main__":
    FILE.write_text(with_parts(FILE.read_text(encoding="utf-8")), encoding="utf-8")
