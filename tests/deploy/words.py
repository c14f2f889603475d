"""Extract every translatable message from the sources, without gettext's tools."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template import engines
from django.template.base import FilterExpression, Node, Template, Variable
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils import translation
from django.utils.functional import Promise

ROOT = Path(settings.BASE_DIR)
FLOORS = ("matches", "characters", "league", "deploy")
ONE = {"gettext", "gettext_lazy", "gettext_noop", "_"}
MANY = {"ngettext", "ngettext_lazy"}

WORD = re.compile(r"[A-Za-z]{3}")

Message = tuple[str, str]  # text and plural, "" without one


def messages() -> dict[str, str]:
    """Return the plural of every message, or "" if it has none."""
    found: dict[str, str] = {}
    with translation.override("en"):
        for text, plural in _all():
            found[text] = found.get(text) or plural
    return found


def _all() -> Iterator[Message]:
    engine = engines["django"].engine
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in (".html", ".txt"):
            yield from _of_template(engine.from_string(path.read_text()))
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            yield from _of_module(ast.parse(path.read_text()))


def _of_template(template: Template) -> Iterator[Message]:
    for node in template.nodelist.get_nodes_by_type(Node):
        if isinstance(node, TranslateNode):
            yield str(getattr(node.filter_expression.var, "literal", "")), ""
        elif isinstance(node, BlockTranslateNode):
            one, _ = node.render_token_list(node.singular)
            yield one, node.render_token_list(node.plural)[0] if node.plural else ""
        yield from _of_arguments([vars(node)])


def _of_arguments(waiting: list[Any]) -> Iterator[Message]:
    """Yield the messages marked by `_("…")` in the arguments and filters of a tag."""
    while waiting:
        held = waiting.pop()
        for value in held.values() if isinstance(held, dict) else held:
            if isinstance(value, FilterExpression):
                for part in (value.var, *(arg for _, args in value.filters for _, arg in args)):
                    if isinstance(part, Promise) or (isinstance(part, Variable) and part.translate):
                        yield str(getattr(part, "literal", part)), ""
            elif isinstance(value, dict | list | tuple):
                waiting.append(value)


def _of_module(tree: ast.Module) -> Iterator[Message]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
        if node.func.id in ONE and texts:
            yield texts[0], ""
        elif node.func.id in MANY:
            yield texts[0], texts[1]


def english_fillings() -> Iterator[str]:
    """Yield every call of `format` that fills a message with literal words of the source.

    Those words are never translated: readers of another language see half a sentence in English.
    """
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            for function in _functions(ast.parse(path.read_text())):
                bound = _bound(function)
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and _is_format(call.func):
                        for filled in call.keywords:
                            if _is_english(filled.value, bound):
                                yield f"{path.relative_to(ROOT)}:{call.lineno} {filled.arg}"


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _bound(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return the expression last assigned to each local name of a function."""
    return {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _is_format(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr == "format"


def _is_english(value: ast.expr, bound: dict[str, ast.expr]) -> bool:
    match value:
        case ast.Constant(value=str(text)):
            return bool(WORD.search(text))
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            return any(_is_english(part, bound) for part in parts)
        case ast.IfExp(body=one, orelse=other):
            return _is_english(one, bound) or _is_english(other, bound)
        case ast.Name(id=name) if name in bound:
            return _is_english(bound[name], {})
    return False
