"""The shared library: loading it, results to exceptions, memory that arrays look into."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ._cdef import ffi
from ._fields import VERSION
from .errors import Error, Unsupported

lib = ffi.dlopen(os.environ.get("THIXIS_LIBRARY") or str(Path(__file__).with_name("libthixis.so")))

if ffi.string(lib.tx_version()).split(b".")[:2] != VERSION.encode().split(b".")[:2]:
    raise ImportError(f"libthixis is {ffi.string(lib.tx_version()).decode()}, this package needs {VERSION}")

#: how often this process was forked; objects made before belong to the parent
forks = [0]
os.register_at_fork(after_in_child=lambda: forks.__setitem__(0, forks[0] + 1))

_RESULTS = ffi.typeof("tx_result").relements
OK = _RESULTS["TX_OK"]
_EXCEPTIONS = {
    _RESULTS["TX_ERROR_ARGUMENT"]: ValueError,
    _RESULTS["TX_ERROR_MEMORY"]: MemoryError,
    _RESULTS["TX_ERROR_FILE"]: OSError,
    _RESULTS["TX_ERROR_UNSUPPORTED"]: Unsupported,
}


def check(result: int, what: str) -> None:
    """Raises what a result code stands for; `what` says what was tried."""
    if result != OK:
        raise _EXCEPTIONS.get(result, Error)(f"{what}: {text(lib.tx_result_text(result))}")


def text(chars: Any) -> str:
    return "" if chars == ffi.NULL else ffi.string(chars).decode("utf-8", "replace")


def formatted(call: Any, *arguments: Any) -> str:
    """What a function writes that answers like snprintf."""
    buffer = ffi.new("char[]", 512)
    needed = call(*arguments, buffer, len(buffer))
    if needed >= len(buffer):
        buffer = ffi.new("char[]", needed + 1)
        call(*arguments, buffer, len(buffer))
    return text(buffer)


def string(value: str | bytes | os.PathLike, what: str) -> bytes:
    """A string for C: no byte 0 inside."""
    encoded = os.fsencode(value) if isinstance(value, os.PathLike) else value
    if isinstance(encoded, str):
        encoded = encoded.encode("utf-8", "surrogateescape")
    if not isinstance(encoded, bytes):
        raise TypeError(f"{what} must be a string, not {type(value).__name__}")
    if b"\0" in encoded:
        raise ValueError(f"{what} has a null character inside")
    return encoded


def owned(pointer: Any, destroy: Any, keeps: Any = None) -> Any:
    """A pointer that is destroyed with its last user; `keeps` lives as long. A forked child leaves the memory alone:
    the threads that belong to it exist in the parent only."""
    born = forks[0]

    def release(p: Any, _keeps: Any = keeps) -> None:
        if forks[0] == born:
            destroy(p)

    return ffi.gc(pointer, release)


class _Memory:
    """Memory of the library as NumPy sees it; the array keeps `owner` alive."""

    def __init__(self, owner: Any, pointer: Any, shape: tuple[int, ...], dtype: np.dtype, writable: bool):
        self.owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {
            "version": 3, "data": (address, not writable), "shape": shape, "typestr": dtype.str,
        }


def view(owner: Any, pointer: Any, shape: tuple[int, ...], dtype: Any = np.float64, writable: bool = False) -> np.ndarray:
    """An array over memory of the library, without a copy."""
    if 0 in shape or pointer == ffi.NULL:
        array = np.zeros(shape, dtype)
        array.flags.writeable = writable
        return array
    return np.asarray(_Memory(owner, pointer, shape, np.dtype(dtype), writable))


def numbers(array: np.ndarray) -> Any:
    """The doubles of a C-contiguous float64 array."""
    return ffi.cast("double *", array.ctypes.data)


def struct_dtype(kind: Any) -> np.dtype:
    """The dtype of a C structure, as the compiler lays it out."""
    if kind.kind == "struct":
        fields = kind.fields
        return np.dtype({
            "names": [n for n, _ in fields],
            "formats": [struct_dtype(f.type) for _, f in fields],
            "offsets": [f.offset for _, f in fields],
            "itemsize": ffi.sizeof(kind),
        })
    if kind.kind == "array":
        return np.dtype((struct_dtype(kind.item), (kind.length,)))
    if kind.kind == "enum":
        return np.dtype(np.int32)
    if kind.cname in ("double", "float"):
        return np.dtype(f"f{ffi.sizeof(kind)}")
    if kind.cname == "_Bool":
        return np.dtype(np.bool_)
    return np.dtype(("u" if kind.cname.startswith(("u", "size")) else "i") + str(ffi.sizeof(kind)))
