"""A compiled model."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._fields import CHOICES, DATA, DERIVED, GIVEN, INTS, SIZES, ModelArrays
from ._native import check, ffi, formatted, lib, owned, string, text, view
from .errors import Message, ModelError, UnknownName
from .named import Elements
from .options import Options

_ELEMENTS = CHOICES["tx_element"]
#: size that counts the elements of a kind
ELEMENT_SIZES = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "actuator": "nactuator", "key": "nkey",
                 "tendon": "ntendon", "equality": "neq", "site": "nsite", "sensor": "nsensor", "mesh": "nmesh",
                 "hfield": "nhfield", "camera": "ncam"}


class Diag:
    """Diagnostics of one call."""

    def __enter__(self) -> Diag:
        self.c = ffi.new("tx_diag *")
        return self

    def __exit__(self, *_: object) -> None:
        lib.tx_diag_free(self.c)

    def messages(self) -> tuple[Message, ...]:
        severities = {v: n.removeprefix("TX_").removeprefix("SEVERITY_").lower()
                      for n, v in ffi.typeof("tx_severity").relements.items()}
        found = []
        for i in range(self.c.count):
            m = self.c.messages[i]
            found.append(Message(severities[int(ffi.cast("int", m.severity))], text(m.file), m.line, m.column,
                                 text(m.text), text(m.hint), text(m.via), formatted(lib.tx_diag_format, self.c, i)))
        return tuple(found)


class Model(ModelArrays, Elements):
    """A compiled model: sizes (`model.nq`), arrays (`model.body_mass`) and names. It never changes, so any number of
    simulations and threads may share it. Make one with from_xml_path(), from_xml_string() or from_bytes()."""

    def __init__(self, *_: object, **__: object):
        raise TypeError("make a model with Model.from_xml_path(), Model.from_xml_string() or Model.from_bytes()")

    @classmethod
    def _adopt(cls, pointer: Any, diag: Diag) -> Model:
        messages = diag.messages()
        if pointer == ffi.NULL:
            raise ModelError(messages)
        self = object.__new__(cls)
        self._handle = owned(pointer, lib.tx_model_destroy)
        self._arrays: dict[tuple[str, int], np.ndarray] = {}
        #: what the loader remarked
        self.messages = messages
        return self

    @classmethod
    def from_xml_path(cls, path: str | os.PathLike, packages: dict[str, str] | None = None, **switches: bool) -> Model:
        """Loads an MJCF or URDF file, or a compiled model; the content decides which.

        packages: where `package://NAME/` of a URDF is, folder by name. switches: those of tx_load_options, such as
        `strict=True` or `visuals=True`.
        Raises ModelError with every problem of the file.
        """
        path = string(path if isinstance(path, (str, bytes)) else os.fspath(path), "path")
        entries = [ffi.new("char[]", string(f"{k}={v}", "package")) for k, v in (packages or {}).items()]
        names = ffi.new("const char *[]", entries)
        options = lib.tx_default_load_options()
        options.packages, options.package_count = names, len(entries)
        known = [n for n, f in ffi.typeof("tx_load_options").fields if f.type.cname == "_Bool"]
        for name, value in switches.items():
            if name not in known:
                raise UnknownName("switch", name, known)
            setattr(options, name, bool(value))
        with Diag() as diag:
            return cls._adopt(lib.tx_load_file_with(path, ffi.addressof(options), diag.c), diag)

    @classmethod
    def from_xml_string(cls, xml: str | bytes, name: str = "") -> Model:
        """Loads MJCF or URDF text. `name` stands where messages name a file."""
        data = xml.encode("utf-8", "surrogateescape") if isinstance(xml, str) else xml
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"xml must be a string, not {type(xml).__name__}")
        data = bytes(data)
        with Diag() as diag:
            return cls._adopt(lib.tx_load_string(data, len(data), string(name, "name"), diag.c), diag)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """A model that to_bytes() has written. Wrong bytes raise ModelError."""
        data = bytes(memoryview(data))
        with Diag() as diag:
            return cls._adopt(lib.tx_model_from_bytes(data, len(data), diag.c), diag)

    def to_bytes(self) -> bytes:
        """The whole model as one buffer."""
        size = ffi.new("size_t *")
        return bytes(ffi.buffer(lib.tx_model_bytes(self._handle, size), size[0]))

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    def __deepcopy__(self, _memo: object) -> Model:
        return self

    def __copy__(self) -> Model:
        return self

    def save(self, path: str | os.PathLike) -> None:
        """Writes the compiled model; from_xml_path() reads it again."""
        check(lib.tx_model_write(self._handle, string(os.fspath(path), "path")), f"cannot write {os.fspath(path)!r}")

    def save_xml(self, path: str | os.PathLike) -> None:
        """Writes the model as MJCF that MuJoCo reads too."""
        with Diag() as diag:
            result = lib.tx_save_mjcf(self._handle, string(os.fspath(path), "path"), diag.c)
            if messages := diag.messages():
                raise ModelError(messages)
            check(result, f"cannot write {os.fspath(path)!r}")

    # ---- arrays -------------------------------------------------------------------------------------------------------

    def _size(self, number: int) -> int:
        return lib.tx_model_size(self._handle, number)

    def shape(self, sizes: tuple[str | int, ...], count: int) -> tuple[int, ...]:
        """Sizes by name as numbers; where they do not give `count` numbers, just those."""
        known = [s if isinstance(s, int) else self._size(SIZES[s][0]) if s in SIZES else -1 for s in sizes]
        return tuple(known) if -1 not in known and int(np.prod(known)) == count else (count,)

    def _array(self, kind: str, number: int, call: Any, table: tuple, dtype: Any) -> np.ndarray:
        key = (kind, number)
        if key not in self._arrays:
            count = ffi.new("int *")
            pointer = call(self._handle, number, count)
            sizes = next(row[1] for t in table for row in t.values() if row[0] == number)
            self._arrays[key] = view(self._handle, pointer, self.shape(sizes, count[0]), dtype)
        return self._arrays[key]

    def _int(self, number: int) -> np.ndarray:
        return self._array("int", number, lib.tx_model_ints, (INTS,), np.int32)

    def _real(self, number: int) -> np.ndarray:
        return self._array("real", number, lib.tx_model_params, (GIVEN, DERIVED), np.float64)

    def _data(self, number: int) -> np.ndarray:
        return self._array("data", number, lib.tx_model_data_array, (DATA,), np.float64)

    @property
    def options(self) -> Options:
        """The options that the file gives; a simulation starts with a copy."""
        return Options(lambda: ffi.new("tx_options *", lib.tx_model_options(self._handle)[0])[0])

    @property
    def name(self) -> str:
        return text(lib.tx_model_name(self._handle))

    # ---- names --------------------------------------------------------------------------------------------------------

    def count(self, kind: str) -> int:
        """How many elements of a kind there are: "body", "joint", "geom" …"""
        if kind not in ELEMENT_SIZES:
            raise UnknownName("kind of element", kind, ELEMENT_SIZES)
        size = ELEMENT_SIZES[kind]
        if kind == "actuator" and "nactuator" in SIZES:
            size = "nactuator"
        return self._size(SIZES[size][0])

    def names(self, kind: str) -> list[str]:
        """Names of all elements of a kind, "" where one has none."""
        return [text(lib.tx_element_name(self._handle, _ELEMENTS[kind], i)) for i in range(self.count(kind))]

    def id(self, kind: str, key: str | int) -> int:
        """Index of an element by name; an index is checked and handed back."""
        count = self.count(kind)
        if isinstance(key, str):
            found = lib.tx_element_find(self._handle, _ELEMENTS[kind], string(key, "name")) if "\0" not in key else -1
            if found < 0:
                raise UnknownName(kind, key, self.names(kind))
            return found
        if isinstance(key, (bool, np.bool_)) or not isinstance(key, (int, np.integer)):
            raise TypeError(f"a {kind} is named by a string or an index, not by {key!r}")
        if not -count <= key < count:
            raise IndexError(f"{kind} {key} is out of range: there are {count}")
        return int(key) % count

    def __repr__(self) -> str:
        return f"<thixis.Model {self.name!r}: nq {self.nq}, nv {self.nv}, nu {self.nu}, nbody {self.nbody}>"

