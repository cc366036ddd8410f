"""What a ruleset's folder contains besides code: ``ruleset.toml``, handbook, templates."""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError, meta, nodes

from pbmd.conformance.findings import Wrong
from pbmd.conformance.promises import PROMISES
from pbmd.conformance.scenes import Scene
from pbmd.conformance.views import template_problem
from pbmd.conformance.watched_ruleset import is_own, place_of
from pbmd.rendering.render import is_for_both, templates_of
from pbmd.rendering.report_blocks import BLOCKS
from pbmd.rules import Reader, Ruleset, RulesetInfo, View
from pbmd.rules.declared import FILE, PROTOCOL, looked_at
from pbmd.rules.options import changed
from pbmd.rules.troubles import PlaceInFile

_GIVEN = {"txt": {"view", "info", *BLOCKS["txt"]}, "html": {"view", "info", "picture", *BLOCKS["html"]}}
"""What a template gets. That for both has the picture in text, too, where there is none."""


def declared_wrongly(folder: Traversable) -> Iterator[tuple[str, str, PlaceInFile]]:
    """What is wrong in the ``ruleset.toml`` there: the promise that it breaks, the words, and the line."""
    content, problems = looked_at(folder)
    asked = content.get("protocol")
    newer = type(asked) is int and asked > PROTOCOL
    for problem in problems:
        yield "toml.protocol" if newer else "toml.read", problem.problem, PlaceInFile(problem.file, problem.line)


def files_are_there(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """The handbook exists; and what ``ruleset.toml`` says is true."""
    folder, info = Path(str(rules.info.folder)), rules.info
    for promise, words, place in declared_wrongly(info.folder):
        yield Wrong(promise, words, place)
    yield from _silenced(info)
    yield from _handbook(info, str(folder / "RULES.md"))
    yield from _timing(rules, folder)
    if bool(rules.rulings) != bool(rules.rule):
        have, lack = ("rulings", "rule") if rules.rulings else ("rule", "rulings")
        yield Wrong("functions.together", f"there is a function {have}, and no function {lack}", have)
    if (rules.info.letters == "amend") != bool(rules.order_keys):
        there = f"is {'a' if rules.order_keys else 'no'} function order_keys"
        place = PlaceInFile(str(folder / FILE), _line(folder / FILE, "letters"))
        yield Wrong("functions.together", f'letters is "{rules.info.letters}", and there {there}', place)


def _silenced(info: RulesetInfo) -> Iterator[Wrong]:
    file = Path(str(info.folder)) / FILE
    for promise in info.silenced:
        if promise not in PROMISES:
            near = difflib.get_close_matches(promise, PROMISES, n=1)
            meant = f'; did you mean "{near[0]}"?' if near else ""
            place = PlaceInFile(str(file), _line(file, f'"{re.escape(promise)}"'))
            yield Wrong("toml.read", f'there is no promise "{promise:.40}"{meant}', place)


def _handbook(info: RulesetInfo, file: str) -> Iterator[Wrong]:
    try:
        handbook = info.handbook
    except (OSError, UnicodeDecodeError) as problem:
        yield Wrong("files.handbook", f"there is no handbook: {problem}", PlaceInFile(file, 0))
        return
    if not handbook.strip():
        yield Wrong("files.handbook", "the handbook is empty", PlaceInFile(file, 0))
    elif not re.search(rf"\b{info.prefix}-\d", handbook):
        yield Wrong("files.handbook", f"no rule in the handbook has an id, such as {info.prefix}-1", PlaceInFile(file, 0))


def _timing(rules: Ruleset[Any], folder: Path) -> Iterator[Wrong]:
    timing, place = rules.info.timing, PlaceInFile(str(folder / FILE), _line(folder / FILE, "timing"))
    if timing == "sequential" and not rules.sequential:
        yield Wrong("functions.together", 'timing is "sequential", and there is no function ready', place)
    if timing != "sequential" and rules.sequential:
        yield Wrong("functions.together", f'timing is "{timing}", and there is a function ready, as in sequential games', place)
    if timing == "phased" and place_of(rules, "step_name") == place_of_default():
        yield Wrong("functions.together", 'timing is "phased", and there is no function step_name', place)
    if rules.info.phases and not is_own(rules, "phase"):
        there = PlaceInFile(str(folder / FILE), _line(folder / FILE, "phases"))
        yield Wrong("functions.together", "phases are named, and there is no function phase", there)


def phases_are_declared(scene: Scene) -> Iterator[Wrong]:
    """A turn has one step, unless `timing` says otherwise, or an option that somebody chose."""
    rules, after, opening = scene.rules, scene.played.resolution.position, scene.opening
    if opening is None or rules.info.timing != "simultaneous" or changed(rules.info.options, opening.options):
        return
    names = [rules.step_name(position) for position in (scene.position, after)]
    if rules.outcome(after) is None and rules.turn(scene.position) == rules.turn(after) and names[0] != names[1]:
        file = Path(str(rules.info.folder)) / FILE
        words = f'timing is "simultaneous", and turn {rules.turn(after)} has several steps: {", ".join(names)}'
        yield Wrong("functions.together", words, PlaceInFile(str(file), _line(file, "timing")))


def place_of_default() -> PlaceInFile | None:
    """Where the `step_name` of rulesets without phases is defined: in pbmd."""
    code = Ruleset.step_name.__code__
    return PlaceInFile(code.co_filename, code.co_firstlineno, code.co_name)


def _line(file: Path, key: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if re.match(rf"\s*{key}\s*=", line)), 1)


# --- Templates --------------------------------------------------------------------------------------------------------------


def templates_can_be_read(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """Both; and they use no name that they do not get."""
    templates = templates_of(rules.info)
    for form, given in _GIVEN.items():
        name = f"reports/{rules.info.slug}/report.{form}.j2"
        try:
            templates.get_template(name)
            tree = _tree(templates, name)
        except TemplateError as problem:
            yield template_problem(rules, problem, "a reader", form)
            continue
        file = _file(templates, name)
        given = _GIVEN["html"] if is_for_both(file) else given
        made = {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
        made |= {macro.name for macro in tree.find_all(nodes.Macro)}
        for unknown in sorted(meta.find_undeclared_variables(tree) - {*templates.globals, *given, *made}):
            line = min((node.lineno for node in tree.find_all(nodes.Name) if node.name == unknown), default=1)
            yield Wrong("template.names", f'the template uses "{unknown}", which it is not handed', PlaceInFile(file, line))
        for what, line in _unknown_attributes(tree, made):
            yield Wrong("template.names", f"the template uses {what}", PlaceInFile(file, line))


_PARTS: Mapping[tuple[str, ...], type] = {("view",): View, ("view", "reader"): Reader, ("info",): RulesetInfo}
"""The attributes of what a template gets."""


def _unknown_attributes(tree: nodes.Template, made: Collection[str]) -> Iterator[tuple[str, int]]:
    """Those that a view, its reader or the ruleset's info do not have, also in branches that no reader reaches."""
    for node in tree.find_all(nodes.Getattr):
        way = _way(node.node)
        kind = _PARTS.get(way) if way and way[0] not in made else None
        if kind is not None and not hasattr(kind, node.attr):
            near = difflib.get_close_matches(node.attr, [field.name for field in fields(kind)], n=1)
            meant = f'; did you mean "{near[0]}"?' if near else ""
            yield f"{'.'.join(way)}.{node.attr}, and there is no such thing{meant}", node.lineno


def _way(node: nodes.Node) -> tuple[str, ...]:
    """A name and the names after it ("view", "reader"); empty if it is anything else."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    inner = _way(node.node) if isinstance(node, nodes.Getattr) else ()
    return (*inner, node.attr) if inner and isinstance(node, nodes.Getattr) else ()


def templates_use_what_views_have(rules: Ruleset[Any], keys: Collection[str]) -> Iterator[Wrong]:
    """No misspelt key of a view, also in branches that no reader of any game has reached; `keys` are those of the views that
    there were."""
    templates = templates_of(rules.info)
    for form in _GIVEN:
        name = f"reports/{rules.info.slug}/report.{form}.j2"
        try:
            tree = _tree(templates, name)
        except TemplateError:
            continue
        for key, line in _keys_of_view(tree):
            near = difflib.get_close_matches(key, keys, n=1, cutoff=0.75)
            if key not in keys and near:
                words = f'the template uses view.data.{key}, which no view has; did you mean "{near[0]}"?'
                yield Wrong("template.names", words, PlaceInFile(_file(templates, name), line))


def _keys_of_view(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    for node in tree.find_all((nodes.Getattr, nodes.Getitem)):
        inner = node.node  # type: ignore[attr-defined]
        if (
            isinstance(inner, nodes.Getattr)
            and inner.attr == "data"
            and isinstance(inner.node, nodes.Name)
            and inner.node.name == "view"
        ):
            if isinstance(node, nodes.Getattr) and not hasattr(dict, node.attr):
                yield node.attr, node.lineno
            elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
                yield node.arg.value, node.lineno


def _tree(templates: Environment, name: str) -> nodes.Template:
    assert templates.loader is not None
    source, file, _ = templates.loader.get_source(templates, name)
    return templates.parse(source, name, file)


def _file(templates: Environment, name: str) -> str:
    assert templates.loader is not None
    return templates.loader.get_source(templates, name)[1] or name
