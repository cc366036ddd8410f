"""Which attributes of which classes the code reads, judged by the types that its annotations give, not by names alone.

Many names are common (`host`, `keep`, `map`): that ".keep" stands somewhere says nothing about one setting. All functions of
pbmd have annotations, and the type of nearly every expression follows from them. Where it does not, nothing counts as read.
"""

import ast
import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_MANY = {"tuple", "list", "set", "frozenset", "Sequence", "Iterable", "Iterator", "Collection", "Generator", "deque"}
_MAPS = {"dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"}
_DOCUMENTS = {("pbmd.rules.options", "Options")}
"""Names for mappings whose keys are what attributes are elsewhere."""
_WRITTEN = {"terms": ("pbmd.terms.terms", "Terms")}
"""What `json.loads` makes of an attribute with this name, by its keys."""
_PASSED_ON = {"replace", "sorted", "tuple", "list", "set", "frozenset", "reversed", "iter", "next", "min", "max", "deepcopy"}
"""Functions whose result is of the type of their first argument; of `next`, `min` and `max`, what is in it."""


@dataclass(frozen=True)
class Class:
    """A class by its module and its name."""

    module: str
    name: str


@dataclass(frozen=True)
class Many:
    """Something that holds values of a type; a mapping is iterated by its keys, whose type is not needed."""

    of: "Type"
    by_key: bool = False


@dataclass(frozen=True)
class Several:
    """A tuple of values of different types."""

    of: "tuple[Type, ...]"


@dataclass(frozen=True)
class Result:
    """Something that is called and gives a value of a type."""

    of: "Type"


_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_LEAVES = frozenset(
    kind for of in (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop) for kind in of.__subclasses__()
) | {ast.Name, ast.Constant, ast.alias}
"""In these nothing is read. They are most of all nodes, and to look for more in each takes most of the time."""
Type = Class | Many | Several | Result | None


@dataclass(frozen=True)
class Module:
    """A module: what it defines by name, and which names it has from where (module, name there)."""

    name: str
    tree: ast.Module
    nodes: dict[str, ast.stmt]
    imports: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Read:
    """That an attribute of a class is read, in a module; and in which method, where a class does so of itself."""

    owner: Class
    attribute: str
    module: str
    method: str = ""


class Code:
    """Modules that are looked at together."""

    def __init__(self, sources: Mapping[str, str], packages: Collection[str] = ()) -> None:
        """`sources` are the texts of the modules by their names; `packages` are those of them that are an ``__init__.py``."""
        self.modules = {name: _parsed(name, text, is_package=name in packages) for name, text in sources.items()}
        self._members: dict[tuple[Class, str], tuple[Class, Type] | None] = {}
        self.reads = frozenset(read for module in self.modules.values() for read in _Reader(self, module).reads())
        self._declared = {
            Class(module.name, name): {ast.unparse(part.target) for part in node.body if isinstance(part, ast.AnnAssign)}
            for module in self.modules.values()
            for name, node in module.nodes.items()
            if isinstance(node, ast.ClassDef)
        }
        # Whoever keeps this, as the traceback of a test that fails does, would keep a million nodes, and each look for garbage
        # would go through them.
        self.modules.clear()

    def unread(self, owner: Class, leaves: Collection[str]) -> set[str]:
        """Those leaves of a class that nothing outside its module reads, neither itself nor by a method of the class."""
        reads = [read for read in self.reads if read.owner == owner]
        outside = {read.attribute for read in reads if read.module != owner.module}
        within = [read for read in reads if read.module == owner.module]
        while more := {read.attribute for read in within if read.method in outside} - outside:
            outside |= more
        return {*leaves} - outside

    def keys_read(self, owner: Class, package: str) -> set[str]:
        """The attributes of a class that modules of a package read."""
        return {read.attribute for read in self.reads if read.owner == owner and read.module.startswith(f"{package}.")}

    def leaves(self, owner: Class) -> set[str]:
        """The attributes that a class declares."""
        return self._declared[owner]

    def found(self, module: str, name: str) -> tuple[Module, ast.stmt] | None:
        """Where a name of a module comes from."""
        home = self.modules.get(module)
        if home is None:
            return None
        if name in home.nodes:
            return home, home.nodes[name]
        return self.found(*home.imports[name]) if name in home.imports else None

    def annotated(self, node: ast.expr | None, module: str) -> Type:
        """The type that an annotation means in a module."""
        match node:
            case ast.Constant(value=str() as text):
                return self.annotated(ast.parse(text, mode="eval").body, module)
            case ast.Name(id=name):
                return self._named(name, module)
            case ast.Attribute(value=ast.Name(id=home), attr=name):
                source = self.modules[module].imports.get(home)
                return self._named(name, ".".join(source)) if source else None
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.annotated(left, module) or self.annotated(right, module)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                return self._subscripted(name, [*inner.elts] if isinstance(inner, ast.Tuple) else [inner], module)
        return None

    def _subscripted(self, name: str, inner: Sequence[ast.expr], module: str) -> Type:
        if name in ("Annotated", "Final", "ClassVar"):
            return self.annotated(inner[0], module)
        if name == "Callable":
            return Result(self.annotated(inner[-1], module))
        if name in _MAPS:
            return Many(self.annotated(inner[-1], module), by_key=True)
        if name == "tuple" and len(inner) > 1 and not (isinstance(inner[1], ast.Constant) and inner[1].value is ...):
            return Several(tuple(self.annotated(each, module) for each in inner))
        return Many(self.annotated(inner[0], module)) if name in _MANY else self._named(name, module)

    def _named(self, name: str, module: str) -> Type:
        """The class of that name, or what a name for an annotation means."""
        found = self.found(module, name)
        if found is None:
            return None
        home, node = found
        if isinstance(node, ast.ClassDef):
            return Class(home.name, node.name)
        if (home.name, name) in _DOCUMENTS:
            return Class(home.name, name)
        return self.annotated(node.value, home.name) if isinstance(node, ast.Assign) else None

    def member(self, owner: Class, name: str) -> tuple[Class, Type] | None:
        """The class that has an attribute, be it `owner` or one it is made from, and the type of that attribute."""
        if (owner, name) not in self._members:
            self._members[owner, name] = self._looked_up(owner, name)
        return self._members[owner, name]

    def _looked_up(self, owner: Class, name: str) -> tuple[Class, Type] | None:
        found = self.found(owner.module, owner.name)
        if found is None or not isinstance(found[1], ast.ClassDef):
            return None
        home, node = found
        for part in node.body:
            match part:
                case ast.AnnAssign(target=ast.Name(id=key), annotation=annotation) if key == name:
                    return owner, self.annotated(annotation, home.name)
                case ast.FunctionDef(name=key, returns=returns) if key == name:
                    given = self.annotated(returns, home.name)
                    is_value = any("property" in ast.unparse(each) for each in part.decorator_list)
                    return owner, given if is_value else Result(given)
        bases = (self.annotated(base, home.name) for base in node.bases)
        return next((member for base in bases if isinstance(base, Class) and (member := self.member(base, name))), None)

    def value(self, module: str, name: str) -> Type:
        """What a name of a module is: a class, which gives itself when it is called, a function, or a value."""
        found = self.found(module, name)
        if found is None:
            return None
        home, node = found
        match node:
            case ast.ClassDef():
                return Class(home.name, node.name)
            case ast.FunctionDef(returns=returns):
                return Result(self.annotated(returns, home.name))
            case ast.AnnAssign(annotation=annotation):
                return self.annotated(annotation, home.name)
        return None


def whole_code() -> Code:
    """pbmd and the rulesets."""
    paths = {path.relative_to(ROOT): path for folder in ("pbmd", "rulesets") for path in sorted((ROOT / folder).rglob("*.py"))}
    names = {path: ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths}
    packages = {names[path] for path in paths if path.name == "__init__.py"}
    gc.disable()  # more than half of the time: none of a million nodes is garbage
    try:
        return Code({names[path]: file.read_text(encoding="utf-8") for path, file in paths.items()}, packages)
    finally:
        gc.enable()


def _parsed(name: str, text: str, *, is_package: bool) -> Module:
    module = Module(name, ast.parse(text), {}, {})
    package = name if is_package else name.rpartition(".")[0]
    for node in _statements(module.tree.body):
        if isinstance(node, ast.ImportFrom):
            home = package.rsplit(".", node.level - 1)[0] + "." if node.level else ""
            source = f"{home}{node.module or ''}".rstrip(".")
            module.imports.update({alias.asname or alias.name: (source, alias.name) for alias in node.names})
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            module.nodes[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                module.nodes[ast.unparse(target)] = node
    return module


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, however deep, without what they are made of: that is a quarter of what there would be to go through."""
    for node in body:
        yield node
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, name, ()))


class _Reader(ast.NodeVisitor):
    """Goes through a module and notes what is read, with the types of the names as it goes."""

    def __init__(self, code: Code, module: Module) -> None:
        self.code = code
        self.module, self.names, self.method = module, dict[str, Type](), ""
        self.owner: Class | None = None
        self.found: list[Read] = []

    def reads(self) -> list[Read]:
        self.visit(self.module.tree)
        return self.found

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, _Comprehension):
            self._visit_comprehension(node)
        else:
            super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        """As that of `ast`, in half of the time."""
        for name in node._fields:
            within = getattr(node, name, None)
            for each in within if isinstance(within, list) else (within,):
                if isinstance(each, ast.AST) and type(each) not in _LEAVES:
                    self.visit(each)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.owner = self.owner, Class(self.module.name, node.name)
        self.generic_visit(node)
        self.owner = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        names, method, owner = dict(self.names), self.method, self.owner
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in arguments:
            self.names[argument.arg] = self.code.annotated(argument.annotation, self.module.name)
        if owner and arguments:
            self.names[arguments[0].arg] = owner
            self.method, self.owner = node.name, None
        self.generic_visit(node)
        self.names, self.method, self.owner = names, method, owner

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self._bind(target, self._type(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        self._bind(node.target, self.code.annotated(node.annotation, self.module.name))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self._bind(node.target, self._type(node.value))

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars:
                given = self._type(item.context_expr)
                self._bind(item.optional_vars, given.of if isinstance(given, Many) else given)
        for statement in node.body:
            self.visit(statement)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._bind(node.target, self._each(node.iter))
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def _visit_comprehension(self, node: _Comprehension) -> None:
        names = dict(self.names)
        self._bind_loops(node)
        self.generic_visit(node)
        self.names |= names

    def _bind_loops(self, node: _Comprehension) -> None:
        for loop in node.generators:
            self._bind(loop.target, self._each(loop.iter))
            for condition in loop.ifs:
                self.visit(condition)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        owner = self._type(node.value)
        member = self.code.member(owner, node.attr) if isinstance(owner, Class) else None
        if isinstance(node.ctx, ast.Load) and member:
            self.found.append(Read(member[0], node.attr, self.module.name, self.method))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        self._note_key(node.value, node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
            self._note_key(node.func.value, node.args[0])

    def _note_key(self, document: ast.expr, key: ast.expr) -> None:
        owner = self._type(document)
        if isinstance(owner, Class) and isinstance(key, ast.Constant) and isinstance(key.value, str):
            self.found.append(Read(owner, key.value, self.module.name, self.method))

    def _bind(self, target: ast.expr, given: Type) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = given
            case ast.Tuple(elts=parts):
                for place, part in enumerate(parts):
                    self._bind(part, given.of[place] if isinstance(given, Several) and place < len(given.of) else None)

    def _each(self, node: ast.expr) -> Type:
        """The type of what is in something that is gone through."""
        match node:
            case ast.Tuple(elts=[first, *_]) | ast.List(elts=[first, *_]):
                return self._type(first)
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                return Several((None, self._each(inner)))
            case ast.Call(func=ast.Name(id="zip"), args=several):
                return Several(tuple(self._each(each) for each in several))
            case ast.Call(func=ast.Attribute(value=inner, attr="items")):
                values = self._type(inner)
                return Several((None, values.of if isinstance(values, Many) else None))
            case ast.Call(func=ast.Attribute(value=inner, attr="values")):
                values = self._type(inner)
                return values.of if isinstance(values, Many) else None
        given = self._type(node)
        return given.of if isinstance(given, Many) and not given.by_key else None

    def _type(self, node: ast.expr) -> Type:
        match node:
            case ast.Name(id=name):
                return self.names[name] if name in self.names else self.code.value(self.module.name, name)
            case ast.Attribute(value=value, attr=name):
                owner = self._type(value)
                member = self.code.member(owner, name) if isinstance(owner, Class) else None
                return member[1] if member else self._of_import(value, name)
            case ast.Call(func=function, args=arguments):
                return self._called(function, arguments)
            case ast.Subscript(value=value):
                held = self._type(value)
                return held.of if isinstance(held, Many) else held if isinstance(held, Class) else None
            case ast.IfExp(body=left, orelse=right):
                return self._type(left) or self._type(right)
            case ast.BoolOp(values=values):
                return next((each for value in reversed(values) if (each := self._type(value))), None)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self._type(value)
            case ast.Tuple(elts=parts):
                return Several(tuple(self._type(part) for part in parts))
            case ast.List(elts=[first, *_]) | ast.Set(elts=[first, *_]):
                return Many(self._type(first))
            case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.SetComp(elt=part) | ast.DictComp(value=part):
                return self._in_loop(node, part)
        return None

    def _in_loop(self, node: _Comprehension, part: ast.expr) -> Type:
        names = dict(self.names)
        self._bind_loops(node)
        given = self._type(part)
        self.names |= names
        return Many(given, by_key=isinstance(node, ast.DictComp))

    def _called(self, function: ast.expr, arguments: list[ast.expr]) -> Type:
        match function:
            case ast.Name(id="next" | "min" | "max"):
                return self._each(arguments[0]) if arguments else None
            case ast.Name(id=name) if name in _PASSED_ON and name not in self.module.nodes:
                return self._type(arguments[0]) if arguments else None
            case ast.Attribute(attr="loads") if arguments and isinstance(arguments[0], ast.Attribute):
                written = _WRITTEN.get(arguments[0].attr)
                return Class(*written) if written else None
            case ast.Attribute(value=value, attr="model_copy"):
                return self._type(value)
            case ast.Attribute(value=value, attr="get" | "pop"):
                held = self._type(value)
                if isinstance(held, Many):
                    return held.of
        given = self._type(function)
        return given.of if isinstance(given, Result) else given if isinstance(given, Class) else None

    def _of_import(self, value: ast.expr, name: str) -> Type:
        """What an attribute of an imported module is."""
        source = self.module.imports.get(value.id) if isinstance(value, ast.Name) else None
        return self.code.value(".".join(source), name) if source else None
