"""What goes wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


class Error(Exception):
    """The root of this package's own exceptions."""


class Unsupported(Error, ValueError):
    """A combination that does not exist: law and solver, or a target that this machine does not have."""


class Closed(Error, RuntimeError):
    """The simulation was closed, or belongs to the process that this one was forked from."""


@dataclass(frozen=True)
class Message:
    """One problem of a model and its place; line and column count from 1, 0 means "not known"."""

    severity: str
    file: str
    line: int
    column: int
    text: str
    hint: str
    via: str
    formatted: str

    def __str__(self) -> str:
        return self.formatted


class ModelError(Error, ValueError):
    """A model with errors. `messages` has every one of them, warnings too, in the order of the file."""

    def __init__(self, messages: Iterable[Message]):
        self.messages = tuple(messages)
        super().__init__("\n".join(str(m) for m in self.messages) or "no model: memory is out")

    def __reduce__(self):
        return type(self), (self.messages,)


class UnknownName(Error, KeyError):
    """There is no element or array of that name."""

    def __init__(self, what: str, name: object, known: Iterable[str] = ()):
        known = [k for k in known if k]
        near = get_close_matches(str(name), known, 3, 0.5)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        if not near and known:
            hint = f"; there are {', '.join(map(repr, known[:12]))}{', …' if len(known) > 12 else ''}"
        self.text = f"no {what} {name!r}{hint}"
        super().__init__(self.text)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self):
        return _unknown_name, (self.text,)


def _unknown_name(text: str) -> UnknownName:
    error = UnknownName("", "")
    error.text, error.args = text, (text,)
    return error
