"""Path patterns: a regular expression over relations becomes an automaton that SQL joins with the graph.

    author                  one edge of that relation, the way it points      'has part'   a name with blanks
    ^author   ~author       against its direction; either way                 any  ^any  ~any   any relation
    paper[paper]            and the node reached is of that kind              a / b    a | b    (a | b) / c
    a{2}  a{1,3}  a?        repeated: always with an upper bound              [author] / a   the first node's kind
    a{1,3}[paper]  (a | b)[paper]          the last node reached is of that kind

A quote inside a quoted name is doubled. A relation that is itself called `any` is written in quotes.
A pattern may accept the empty path (`a?`): then `min_length` is 0 and the start state is accepting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from mosaic_sql.errors import PolicyError, short

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

MAX_LENGTH = 20
MAX_STATES = 400
_MAX_NESTING = 50

_BLANKS = re.compile(r"\s*")
_WORD = re.compile(r"""[^\s^~/|(){}\[\]?*+'",]+""")
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"((?:[^"]|"")*)\"""")
_COUNTS = re.compile(r"\{\s*([0-9]{1,300})\s*(?:(,)\s*([0-9]{1,300})?\s*)?\}")


@dataclass(frozen=True)
class Transition:
    """One step: the edge's `relation` (None: any), its direction (None: either way), the kind of the node reached."""

    state: int
    relation: str | None
    forward: bool | None
    kind: str | None
    next_state: int


@dataclass(frozen=True)
class Automaton:
    """The paths a pattern accepts. The start state is 0, states are numbered breadth first, there is no cycle.

    `start_kind` is the kind that the first node must have (None: any). It need not be deterministic: one path may be
    accepted by several runs, so a walk keeps distinct rows.
    """

    transitions: tuple[Transition, ...]
    accepting: frozenset[int]
    max_length: int
    min_length: int
    start_kind: str | None = None


class _Step(NamedTuple):
    relation: str | None
    forward: bool | None
    kind: str | None


@dataclass(frozen=True)
class _Sequence:
    parts: tuple[_Node, ...]


@dataclass(frozen=True)
class _Choice:
    parts: tuple[_Node, ...]


@dataclass(frozen=True)
class _Repeat:
    body: _Node
    least: int
    most: int


_Node = _Step | _Sequence | _Choice | _Repeat


class _Parser:
    """Recursive descent over the text; every error names the character (counted from 1)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.nesting = 0

    def fail(self, message: str, position: int | None = None, hint: str = "") -> NoReturn:
        at = self.position if position is None else position
        said = f"pattern: {message} at character {at + 1}: {_shown(self.text, at)}".rstrip(" :")
        raise PolicyError(f"{said}; {hint}" if hint else said)

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        blanks = _BLANKS.match(self.text, self.position)
        self.position = blanks.end() if blanks else self.position
        return self.text[self.position : self.position + 1]

    def take(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.position += 1
        return True

    def pattern(self) -> tuple[str | None, _Node]:
        """The kind of the first node, and the pattern."""
        kind = None
        if self.peek() == "[":
            kind = self.kind_test()
            if not self.take("/"):
                self.fail("expected `/` after the first node's kind")
        node = self.choice()
        character = self.peek()
        if character:
            named = _WORD.match(character) or character in "'\""
            hint = "a name with blanks or quotes stands in quotes: 'directed by', \"fan's choice\"" if named else ""
            self.fail("expected `/`, `|` or the end", hint=hint)
        return kind, node

    def choice(self) -> _Node:
        parts = [self.sequence()]
        while self.take("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else _Choice(tuple(parts))

    def sequence(self) -> _Node:
        parts = [self.item()]
        while self.take("/"):
            parts.append(self.item())
        return parts[0] if len(parts) == 1 else _Sequence(tuple(parts))

    def item(self) -> _Node:
        node = self.repeated(self.group() if self.peek() == "(" else self.step())
        if self.peek() != "[":
            return node
        opened = self.position
        return self.ending(node, self.kind_test(), opened)

    def ending(self, node: _Node, kind: str, position: int) -> _Node:
        """The same paths, the last node of that kind."""
        if isinstance(node, _Step):
            if node.kind not in (None, kind):
                self.fail(f"the node is of kind `{node.kind}` already", position)
            return node._replace(kind=kind)
        if _lengths(node)[0] == 0:
            self.fail("a kind test on what may be no step at all", position)
        if isinstance(node, _Choice):
            return _Choice(tuple(self.ending(part, kind, position) for part in node.parts))
        if isinstance(node, _Sequence):
            return _Sequence((*node.parts[:-1], self.ending(node.parts[-1], kind, position)))
        last = self.ending(node.body, kind, position)
        return last if node.most == 1 else _Sequence((_Repeat(node.body, node.least - 1, node.most - 1), last))

    def group(self) -> _Node:
        opened = self.position
        self.nesting += 1
        if self.nesting > _MAX_NESTING:
            self.fail(f"more than {_MAX_NESTING} nested parentheses")
        self.take("(")
        node = self.choice()
        if not self.take(")"):
            self.fail("expected `)`" if self.peek() else "parenthesis not closed", None if self.peek() else opened)
        self.nesting -= 1
        return node

    def step(self) -> _Step:
        forward: bool | None = True
        if self.take("^"):
            forward = False
        elif self.take("~"):
            forward = None
        name, quoted = self.name("a relation")
        kind = self.kind_test() if self.peek() == "[" else None
        return _Step(None if name == "any" and not quoted else name, forward, kind)

    def kind_test(self) -> str:
        self.take("[")
        kind, _ = self.name("a node kind")
        if not self.take("]"):
            self.fail("expected `]`")
        return kind

    def name(self, what: str) -> tuple[str, bool]:
        character = self.peek()
        word = _WORD.match(self.text, self.position)
        quoted = _QUOTED.match(self.text, self.position)
        if word:
            self.position = word.end()
            return word.group(), False
        if not quoted:
            self.fail("quote not closed" if character and character in "'\"" else f"expected {what}")
        name = quoted.group()[1:-1].replace(character * 2, character)
        if not name.strip():
            self.fail(f"expected {what}, not an empty name,")
        self.position = quoted.end()
        return name, True

    def repeated(self, body: _Node) -> _Node:
        character = self.peek()
        if character and character in "*+":
            self.fail(f"`{character}` has no end: give an upper bound, such as {{1,3}},")
        if self.take("?"):
            return _Repeat(body, 0, 1)
        if character != "{":
            return body
        counts = _COUNTS.match(self.text, self.position)
        if not counts:
            self.fail("expected {m} or {m,n}")
        if counts[2] and not counts[3]:
            self.fail("give an upper bound: {m,n}")
        least, most = int(counts[1]), int(counts[3] or counts[1])
        if least > most:
            self.fail(f"{least} is more than {most}")
        if most > MAX_LENGTH:
            self.fail(f"at most {MAX_LENGTH} repetitions")
        self.position = counts.end()
        return _Repeat(body, least, most)


def _shown(text: str, at: int = 0) -> str:
    """A pattern as a message repeats it; of a long one what stands around a place."""
    first = max(0, min(at - 100, len(text) - 194)) if len(text) > 200 else 0
    return ("..." if first else "") + short(text[first:], 200 - 3 * bool(first))


def _lengths(node: _Node) -> tuple[int, int]:
    """The shortest and the longest path of a part, in steps."""
    if isinstance(node, _Step):
        return 1, 1
    if isinstance(node, _Repeat):
        least, most = _lengths(node.body)
        return least * node.least, most * node.most
    lengths = [_lengths(part) for part in node.parts]
    if isinstance(node, _Sequence):
        return sum(least for least, _ in lengths), sum(most for _, most in lengths)
    return min(least for least, _ in lengths), max(most for _, most in lengths)


class _Future(NamedTuple):
    """What may still come: a state, written as whether it accepts and where its steps lead."""

    accepts: bool
    steps: frozenset[tuple[_Step, int]]


class _Builder:
    """Builds from the end to the start, so states with the same future are one state."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.ids: dict[_Future, int] = {}

    def state(self, future: _Future) -> int:
        if len(self.ids) >= MAX_STATES and future not in self.ids:
            raise PolicyError(f"pattern: needs more than {MAX_STATES} states; use fewer parts: {_shown(self.pattern)}")
        return self.ids.setdefault(future, len(self.ids))

    def before(self, node: _Node, rest: _Future) -> _Future:
        """The future of a state from which `node` leads to `rest`."""
        if isinstance(node, _Step):
            return _Future(False, frozenset({(node, self.state(rest))}))
        if isinstance(node, _Choice):
            return _either([self.before(part, rest) for part in node.parts])
        if isinstance(node, _Sequence):
            for part in reversed(node.parts):
                rest = self.before(part, rest)
            return rest
        if _lengths(node)[1] == 0:
            return rest
        future = rest
        for _ in range(node.most - node.least):
            future = _either([rest, self.before(node.body, future)])
        for _ in range(node.least):
            future = self.before(node.body, future)
        return future


def _either(futures: Iterable[_Future]) -> _Future:
    accepts, steps = zip(*futures, strict=True)
    return _Future(any(accepts), frozenset().union(*steps))


def parse(pattern: str) -> Automaton:
    """The automaton of a path pattern.

    Raises:
        PolicyError: the pattern cannot be read (naming the character), has no step, has paths of more than
            20 steps, or needs more than 400 states.
    """
    start_kind, node = _Parser(pattern).pattern()
    least, most = _lengths(node)
    if most == 0:
        raise PolicyError(f"pattern: a pattern must take at least one step: {_shown(pattern)}")
    if most > MAX_LENGTH:
        raise PolicyError(f"pattern: paths of up to {most} steps, at most {MAX_LENGTH} allowed: {_shown(pattern)}")
    builder = _Builder(pattern)
    start = builder.state(builder.before(node, _Future(True, frozenset())))
    steps = {state: future.steps for future, state in builder.ids.items()}
    accepting = [state for future, state in builder.ids.items() if future.accepts]
    return replace(_numbered(start, steps, accepting, (least, most)), start_kind=start_kind)


def _numbered(
    start: int, steps: Mapping[int, Collection[tuple[_Step, int]]], accepting: Collection[int], lengths: tuple[int, int]
) -> Automaton:
    """States reached from `start`, numbered breadth first along sorted steps."""
    numbers = {start: 0}
    queue = [start]
    transitions: list[Transition] = []
    for state in queue:
        for step, following in sorted(steps.get(state, ()), key=_order):
            if following not in numbers:
                numbers[following] = len(numbers)
                queue.append(following)
            transitions.append(Transition(numbers[state], *step, numbers[following]))
    accepted = frozenset(numbers[state] for state in accepting if state in numbers)
    return Automaton(tuple(transitions), accepted, max_length=lengths[1], min_length=lengths[0])


def _order(arrow: tuple[_Step, int]) -> tuple[Hashable, ...]:
    step, following = arrow
    direction = {True: 0, False: 1, None: 2}[step.forward]
    named = [(text is None, text or "") for text in (step.relation, step.kind)]
    return (named[0], direction, named[1], following)


def format_path(steps: Sequence[tuple[str, bool | None]]) -> str:
    """A path as a pattern: `[("author", True), ("paper", False), ("like", None)]` is `author / ^paper / ~like`."""
    return " / ".join({True: "", False: "^", None: "~"}[forward] + quoted(relation) for relation, forward in steps)


def single_steps(text: str) -> list[tuple[str, bool | None]]:
    """The relations of a pattern of one step, each with its direction, None for either; empty for a longer one."""
    automaton = parse(text)
    moves = automaton.transitions if automaton.max_length == automaton.min_length == 1 else ()
    return [(move.relation, move.forward) for move in moves if move.relation is not None]


def quoted(name: str) -> str:
    """A relation or kind as a pattern writes it."""
    if _WORD.fullmatch(name) and name != "any":
        return name
    return "'" + name.replace("'", "''") + "'"
