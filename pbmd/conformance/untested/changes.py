"""Small changes of a ruleset's code, each of which some test should notice: a comparison turned round, a number one higher."""

import ast
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

_TURNED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OTHERWISE: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
_SWAPPED = {"max": "min", "min": "max", "any": "all", "all": "any"}
_OF_RULES = ("setup", "receive", "awaiting", "miss", "resolve", "outcome", "places", "ready", "resign", "withdraw")
"""The functions whose rules are in the handbook. Forms and random players only have to be taken."""
_NOT_OF_GAMES = frozenset({"tests", "stories", "templates", "__pycache__"})


class Change(NamedTuple):
    """A part of a function of that file (a node of its syntax tree), an attribute of it, and another value for that."""

    file: str
    function: ast.FunctionDef
    node: ast.AST
    attribute: str
    value: Any

    @property
    def line(self) -> int:
        """Where it is made."""
        return getattr(self.node, "lineno", self.function.lineno)

    @property
    def begins(self) -> tuple[str, str, int]:
        """File, name and line of the function as its code has them: that of the first decorator."""
        first = min([self.function.lineno, *(each.lineno for each in self.function.decorator_list)])
        return self.file, self.function.name, first


def changes(folder: Path) -> list[Change]:
    """Of all functions that decide something, in an order in which each function comes soon."""
    modules = {
        str(file): ast.parse(file.read_text(encoding="utf-8"))
        for file in sorted(folder.rglob("*.py"))
        if not _NOT_OF_GAMES & {*file.relative_to(folder).parts}
    }
    reached = {id(function) for function in _reached(modules)}
    found = [
        sorted((Change(file, function, node, *other) for node, other in _places(function.body)), key=_rank)
        for file, tree in modules.items()
        for function in _functions(tree)
        if id(function) in reached
    ]
    return [each for rank in range(max(map(len, found), default=0)) for some in found for each in some[rank : rank + 1]]


_RANKS = (ast.Compare, ast.Name, ast.BoolOp, ast.BinOp)


def _rank(change: Change) -> int:
    """Comparisons first: they are what rules are about."""
    return next((rank for rank, kind in enumerate(_RANKS) if isinstance(change.node, kind)), len(_RANKS))


def changed_code(change: Change) -> CodeType:
    """The code of the function with that change."""
    with _made(change):
        module = compile(ast.Module([change.function], []), change.file, "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType) and each.co_name == change.function.name)


def in_words(change: Change) -> tuple[str, str]:
    """What stands there, and what would stand there instead."""
    whole = _statement_of(change.function, change.node)
    was = ast.unparse(whole)
    with _made(change):
        return _briefly(was, ast.unparse(whole))


@contextmanager
def _made(change: Change) -> Generator[None]:
    before = getattr(change.node, change.attribute)
    setattr(change.node, change.attribute, change.value)
    try:
        yield
    finally:
        setattr(change.node, change.attribute, before)


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Those of the module, and the methods of its classes; what is within a function belongs to it."""
    bodies: list[Sequence[ast.stmt]] = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return [node for body in bodies for node in body if isinstance(node, ast.FunctionDef)]


def _reached(modules: Mapping[str, ast.Module]) -> list[ast.FunctionDef]:
    """The functions that setting up, reading letters and resolving lead to, by the names that stand in them."""
    named: dict[str, list[ast.FunctionDef]] = {}
    for tree in modules.values():
        for function in _functions(tree):
            named.setdefault(function.name, []).append(function)
    reached: dict[str, None] = {}
    names = [name for tree in modules.values() for name in _handed_over(tree)]
    while names:
        if (name := names.pop()) in named and name not in reached:
            reached[name] = None
            names += [used for function in named[name] for used in _names_in(function)]
    return [function for name in reached for function in named[name]]


def _handed_over(tree: ast.Module) -> Iterator[str]:
    """The names that stand in the arguments of ``Ruleset(…)`` for functions of the rules, and these functions' own."""
    yield from _OF_RULES
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id == "Ruleset":
            for keyword in call.keywords:
                if keyword.arg in _OF_RULES:
                    yield from _names_in(keyword.value)


def _names_in(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


# --- Changes ----------------------------------------------------------------------------------------------------------------


def _places(body: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, tuple[str, Any]]]:
    """The nodes that can be changed, each with an attribute and another value of it."""
    for node in _without_words(body):
        match node:
            case ast.Compare(ops=ops):
                for place, op in enumerate(ops):
                    if other := _TURNED.get(type(op)):
                        yield node, ("ops", [*ops[:place], other(), *ops[place + 1 :]])
            case ast.BinOp(op=op) if type(op) in _OTHERWISE and not _is_text(node):
                yield node, ("op", _OTHERWISE[type(op)]())
            case ast.BoolOp(op=op):
                yield node, ("op", ast.Or() if isinstance(op, ast.And) else ast.And())
            case ast.Constant(value=bool(value)):
                yield node, ("value", not value)
            case ast.Constant(value=int(value)):
                yield node, ("value", value + 1)
            case ast.Name(id=name) if name in _SWAPPED:
                yield node, ("id", _SWAPPED[name])
            case _:
                pass


def _without_words(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes but those of annotations, texts to be shown, and what is raised or asserted."""
    for node in body:
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.arg) or _only_asserts(node):
            continue
        yield node
        yield from _without_words(each for each in ast.iter_child_nodes(node) if each is not getattr(node, "annotation", None))


def _only_asserts(node: ast.AST) -> bool:
    """As `strict` of `zip` does."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_text(node: ast.BinOp) -> bool:
    """Texts and lists are joined with a plus."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.ListComp | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _statement_of(function: ast.FunctionDef, node: ast.AST) -> ast.AST:
    """The smallest part with that node that a reader of the code takes in at a glance: a condition, or a simple statement."""
    whole: ast.AST = function
    for each in ast.walk(function):
        inner = each.test if isinstance(each, ast.If | ast.While | ast.IfExp) else each
        if isinstance(inner, ast.expr | ast.Return | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.comprehension):
            size = len(ast.unparse(inner)) if any(part is node for part in ast.walk(inner)) else 0
            if size >= _ENOUGH and (whole is function or size < len(ast.unparse(whole))):
                whole = inner
    return node if whole is function else whole


_ENOUGH = 8
_AROUND = 24


def _briefly(was: str, now: str) -> tuple[str, str]:
    """Of both only what is around the difference, in whole words."""
    begins = next((place for place, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), 0)
    first = was.rfind(" ", 0, max(0, begins - _AROUND)) + 1 if begins > _AROUND else 0
    return tuple(_cut(text[first:], bool(first)) for text in (was, now))  # type: ignore[return-value]


def _cut(text: str, within: bool) -> str:
    line = text.partition("\n")[0]
    short = line if len(line) <= 3 * _AROUND else f"{line[: 3 * _AROUND].rpartition(' ')[0]} …"
    return f"… {short}" if within else short
