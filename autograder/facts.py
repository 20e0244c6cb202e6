"""What one cell says, by its text alone: which names it binds to what, and whether anything in it may be kept.

Whatever is not known to keep nothing is taken to keep something; what follows for a whole notebook, `traces` decides.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

LONGEST = 20_000
"""Characters of a cell that is looked into: a longer one may keep anything."""

FORGETFUL = frozenset(
    """
    __future__ abc cmath collections copy dataclasses enum functools itertools math numbers numpy operator random
    statistics string time torch typing typing_extensions warnings
    """.split()
)
"""Modules whose functions keep nothing that the grader does not put back before each call."""

BUSY = frozenset("_thread asyncio atexit concurrent gc multiprocessing signal threading".split())
"""Modules by which a cell can leave something at work."""

BINDING = frozenset("delattr exec get_ipython globals locals setattr vars".split())
"""Builtins that may bind any name, wherever they are used."""

_HARMLESS_MAGIC = re.compile(
    r"""
    (?m: ^ ([ \t]*) (?: % (?:autoreload|config|load_ext|matplotlib|pip|precision|timeit) \b .* | !pip \b .* ) $ )
    | \A %%time [ \t]* $
    """,
    re.X,
)
_TIMED = re.compile(r"(?m:^([ \t]*)%time[ \t]+)")
_MORE_THAN_LINES = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]|'''|\"\"\"")
"""What may make IPython and us take different lines for magics."""

_READING_FILES = frozenset("DataSource from_file fromfile fromregex genfromtxt load loadtxt memmap open_memmap".split())
_SETTING = re.compile(r"(set|enable|register)_|seterrcall$")
_PUT_BACK = frozenset(
    """
    enable_grad register_buffer register_parameter set_default_device set_default_dtype set_grad_enabled
    set_num_threads
    """.split()
)
"""What is called like a setting that lasts, and is none, or is put back before each call."""

_DECORATORS = frozenset(
    """
    abstractmethod classmethod dataclass enable_grad getter inference_mode no_grad override property setter
    staticmethod
    """.split()
)
_OF_NUMBERS = {"math": None, "np": frozenset("e exp float32 float64 inf log log2 nan pi sqrt tanh".split())}
"""Modules by the names that they go by, and what makes numbers of numbers in them; None: everything."""


@dataclass
class Definition:
    """What is said of a name by all that defines it: names that this reads, and whether it keeps what it is given."""

    reads: set[str] = field(default_factory=set)
    keeps: bool = False


@dataclass
class Facts:
    """What one cell says: names that it binds to what cannot change (definitions, modules, numbers), names that it
    binds to anything else, and whether it may have any call keep something."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    keeps: bool = False


@lru_cache(512)
def facts_of(source: str) -> Facts:
    """The facts of one cell; many cells of a class are the same."""
    try:
        reader = _Reader()
        reader.visit(_parsed(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # other magics than harmless ones may do anything
        return Facts(keeps=True)
    return reader.facts


def _parsed(source: str) -> ast.Module:
    if len(source) > LONGEST:
        raise ValueError
    plain = _HARMLESS_MAGIC.sub(r"\1pass", _TIMED.sub(r"\1", source))
    if plain != source and _MORE_THAN_LINES.search(source):
        raise ValueError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(plain)


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TELLING = (ast.expr, ast.stmt, ast.comprehension, ast.arguments, ast.pattern)


@dataclass
class _Scope:
    """The names that a function, a class or a comprehension binds, and those that are read in it.

    `itself` is a method's name for its object; `is_own` says that a walrus binds its name here.
    """

    binds: set[str] = field(default_factory=set)
    itself: str = ""
    is_own: bool = True
    reads: set[str] = field(default_factory=set)


class _Reader(ast.NodeVisitor):
    """Gathers a cell's facts. What the cell itself does is done once: hardly anything of it matters but names."""

    def __init__(self) -> None:
        self.facts = Facts()
        self.current = Definition()
        """The definition that is being read; of no name where none is."""
        self.scopes: list[_Scope] = []
        self.functions = 0
        """How many functions the visited node lies in."""

    def generic_visit(self, node: ast.AST) -> None:
        """As the visitor's own, but without a look at what says nothing: operators and how a name is used."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)
            elif isinstance(value, _TELLING):
                self.visit(value)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Nothing in it either."""

    # --- names ---

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._read(node.id)
        else:
            self._bind(node.id)

    def visit_Global(self, node: ast.Global) -> None:
        self.facts.keeps = True

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        own = next((scope for scope in reversed(self.scopes) if scope.is_own), None)
        (own.binds if own else self.facts.loose).add(node.target.id)
        self.visit(node.value)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._bind_if(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self._bind_if(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._bind_if(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._bind_if(node.rest)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import(alias.name, alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.facts.keeps |= _lasts(alias.name) or alias.name in _READING_FILES
            self._import("." * node.level + (node.module or ""), alias.asname or alias.name)

    def _import(self, path: str, name: str) -> None:
        module = path.partition(".")[0]
        is_known = module in FORGETFUL
        self.facts.keeps |= module in BUSY or (name == "*" and not is_known)
        self.current.keeps |= self.functions > 0 and not is_known
        if is_known and not self.scopes:
            self.facts.definitions.setdefault(name, Definition())
        else:
            self._bind(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, node.value)
            self.visit(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.current.keeps |= self.functions > 0 and (_lasts(node.attr) or node.attr in _READING_FILES)
        self.facts.keeps |= not (isinstance(node.ctx, ast.Load) or self._is_itself(node.value))
        self._uncover(node.attr)
        self.visit(node.value)

    # --- definitions ---

    def visit_FunctionDef(self, node: _Function) -> None:
        with self._defining(node.name):
            self._decorated(node)
            self._function(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        with self._defining(node.name):
            self._decorated(node)
            self.current.keeps |= bool(node.keywords) or not all(map(self._is_fixed, node.bases))
            with self._scope(_Scope()):  # methods do not see the names of their class
                for statement in node.body:
                    self._in_class(statement)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node.args, [node.body])

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        self._comprehension(node.generators, [node.elt])

    visit_SetComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node.generators, [node.key, node.value])

    def _comprehension(self, generators: list[ast.comprehension], items: list[ast.expr]) -> None:
        first, *others = generators
        self.visit(first.iter)
        with self._scope(_Scope(is_own=False)):
            for node in (first.target, *first.ifs, *others, *items):
                self.visit(node)

    def _in_class(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                is_plain = not {_name_of(it) for it in statement.decorator_list} & {"classmethod", "staticmethod"}
                self._decorated(statement)
                self._function(statement.args, statement.body, is_method=is_plain)
            case ast.Assign(targets=targets, value=value):
                are_names = all(isinstance(target, ast.Name) for target in targets)
                self.current.keeps |= not (are_names and self._is_fixed(value))
            case ast.AnnAssign(value=ast.expr() as value) | ast.Expr(value=value):
                self.current.keeps |= not self._is_fixed(value)
            case ast.AnnAssign() | ast.Pass():
                pass
            case _:
                self.current.keeps = True

    def _function(
        self, arguments: ast.arguments, body: list[ast.stmt] | list[ast.expr], is_method: bool = False
    ) -> None:
        defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        self.current.keeps |= not all(map(self._is_fixed, defaults))
        stars = filter(None, (arguments.vararg, arguments.kwarg))
        names = [it.arg for it in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars)]
        self.functions += 1
        with self._scope(_Scope(set(names), names[0] if is_method and names else "")):
            for node in body:
                self.visit(node)
        self.functions -= 1

    @contextmanager
    def _defining(self, name: str) -> Iterator[None]:
        """While what a name of the notebook's stands for is read."""
        around = self.current
        if self.scopes:
            self._bind(name)
        else:
            self.current = self.facts.definitions.setdefault(name, Definition())
        yield
        self.current = around

    @contextmanager
    def _scope(self, scope: _Scope) -> Iterator[None]:
        """What is read in a scope and not bound in it, is read in the one around it."""
        self.scopes.append(scope)
        yield
        self.scopes.pop()
        around = self.scopes[-1] if self.scopes else self.current
        around.reads |= scope.reads - scope.binds

    # --- what cannot change ---

    def _read(self, name: str) -> None:
        self.facts.keeps |= name in BINDING
        if self.functions:
            self.current.keeps |= name in _READING_FILES
            self.scopes[-1].reads.add(name)

    def _uncover(self, attribute: str) -> None:
        """Behind names with two underscores lies whatever a function or a class holds."""
        self.facts.keeps |= attribute.startswith("__") and attribute not in ("__init__", "__name__", "__version__")

    def _bind(self, name: str) -> None:
        (self.scopes[-1].binds if self.scopes else self.facts.loose).add(name)

    def _bind_if(self, name: str | None) -> None:
        if name is not None:
            self._bind(name)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for one, its in zip(targets, values, strict=True):
                    self._assign(one, its)
            case ast.Name(id=name), _ if not self.scopes:
                with self._defining(name):
                    if not self._is_fixed(value):
                        self.facts.loose.add(name)
            case ast.Attribute(value=owner), ast.Constant() if not self.scopes:
                self.visit(owner)
            case _:
                self.visit(target)

    def _is_fixed(self, value: ast.expr) -> bool:
        """Whether a value is one that nobody can put anything into: a definition, a type, a number, a text, or a tuple
        of such. The names in it are noted as read."""
        match value:
            case ast.Constant():
                return True
            case ast.Lambda():
                self.visit(value)
                return True
            case ast.Tuple(elts=items):
                return all(map(self._is_fixed, items))
            case ast.Attribute(value=inner, attr=name):
                self._uncover(name)
                return self._is_fixed(inner)
            case ast.Subscript(value=ast.Name() | ast.Attribute() as type_, slice=of):
                return _name_of(type_)[:1].isupper() and self._is_fixed(type_) and self._is_fixed(of)
        return self._is_number(value)

    def _is_number(self, value: ast.expr, of: str = "") -> bool:
        """NumPy makes an array of a tuple: what a name stands for may be one, so there is to be none in its calls."""
        match value:
            case ast.Constant(value=int() | float()):
                return True
            case ast.Name(id=name) if of != "np":
                (self.scopes[-1] if self.scopes else self.current).reads.add(name)
                return True
            case ast.UnaryOp(operand=inner):
                return self._is_number(inner, of)
            case ast.BinOp(left=left, right=right):
                return self._is_number(left, of) and self._is_number(right, of)
            case ast.Attribute():
                return self._makes_numbers(value)
            case ast.Call(func=ast.Attribute() as function, args=items, keywords=[]):
                module = of or _name_of(function.value)
                return self._makes_numbers(function) and all(self._is_number(item, module) for item in items)
        return False

    def _makes_numbers(self, value: ast.Attribute) -> bool:
        module = _name_of(value.value)
        among = _OF_NUMBERS.get(module, frozenset[str]())
        return (among is None or value.attr in among) and self._is_fixed(value.value)

    def _is_itself(self, value: ast.expr) -> bool:
        """Whether it is the object whose method this is, which does not outlive the call."""
        return isinstance(value, ast.Name) and value.id in {scope.itself for scope in self.scopes}

    def _decorated(self, node: _Function | ast.ClassDef) -> None:
        self.current.keeps |= not {_name_of(decorator) for decorator in node.decorator_list} <= _DECORATORS


def _lasts(name: str) -> bool:
    """Whether what is called so sets something for all that comes after it."""
    return _SETTING.match(name) is not None and name not in _PUT_BACK


def _name_of(node: ast.expr) -> str:
    """The last name of what is called, or named: `no_grad` of `@torch.no_grad()`."""
    match node:
        case ast.Call(func=function):
            return _name_of(function)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
