"""Options of a model or of a simulation, by name."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ._fields import CHOICES, OPTIONS, OptionFields
from ._native import ffi, lib, text
from .errors import UnknownName


def _table(name: str) -> dict[str, int]:
    """{"soft": 0, ...} of an enumeration or of a function that gives names."""
    if name in CHOICES:
        return CHOICES[name]
    call, names = getattr(lib, name), {}
    while (chars := call(len(names))) != ffi.NULL:
        names[text(chars)] = len(names)
    return names


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}") from None


def _encode(name: str, value: Any) -> Any:
    kind, size, table, _ = OPTIONS[name]
    if kind == "number" and size == 1:
        return _number(value, name)
    if kind == "number":
        values = np.asarray(value, dtype=np.float64)
        if values.shape != (size,):
            raise ValueError(f"{name} must have {size} numbers, not shape {values.shape}")
        return values.tolist()
    if kind == "switch":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be True or False, not {value!r}")
        return bool(value)
    if table and isinstance(value, str):
        names = _table(table)
        if value not in names:
            raise UnknownName(name, value, names)
        return names[value]
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {'a name or ' if table else ''}an integer, not {value!r}") from None
    if not -(2**31) <= count < 2**31:
        raise ValueError(f"{name} = {count} is out of range")
    return count


def _decode(name: str, value: Any) -> Any:
    kind, size, table, _ = OPTIONS[name]
    if kind == "number" and size > 1:
        return tuple(value)
    if table:
        return next((n for n, i in _table(table).items() if i == value), value)
    return value


class Options(OptionFields):
    """Options as attributes: `sim.options.timestep = 0.002`, `sim.options.solver = "newton"`. What is not a Python name
    has an underscore behind it. A model's cannot be set."""

    def __init__(self, read: Callable[[], Any], write: Callable[[Any, str], None] | None = None):
        object.__setattr__(self, "_read", read)
        object.__setattr__(self, "_write", write)

    def _get(self, name: str) -> Any:
        return _decode(name, getattr(self._read(), name))

    def _set(self, name: str, value: Any) -> None:
        self.update(**{name: value})

    def __setattr__(self, name: str, value: Any) -> None:
        if name.removesuffix("_") not in OPTIONS:
            raise AttributeError(str(UnknownName("option", name, OPTIONS)))
        self._set(name.removesuffix("_"), value)

    def update(self, **options: Any) -> None:
        """Sets several options at once: all of them or, where one is refused, none."""
        if self._write is None:
            raise AttributeError("the options of a model are constant; set those of a simulation")
        struct = self._read()
        for name, value in options.items():
            if name not in OPTIONS:
                raise UnknownName("option", name, OPTIONS)
            setattr(struct, name, _encode(name, value))
        self._write(struct, ", ".join(f"{n} = {v!r}" for n, v in options.items()))

    def as_dict(self) -> dict[str, Any]:
        struct = self._read()
        return {name: _decode(name, getattr(struct, name)) for name in OPTIONS}

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{n}={v!r}' for n, v in self.as_dict().items())})"

    def __dir__(self) -> list[str]:
        return [*OPTIONS, "update", "as_dict"]
