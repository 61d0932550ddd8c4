"""A simulation: many environments of one model that step together."""

from __future__ import annotations

import operator
import os
import time as clock
from collections.abc import Iterable
from threading import RLock
from typing import Any

import numpy as np

from ._fields import CHOICES, DERIVED, GIVEN, OUTPUT, STATE, SimArrays
from ._native import OK, check, ffi, forks, formatted, lib, numbers, owned, string, struct_dtype, text, view
from .errors import Closed, Error, Unsupported, UnknownName
from .model import Diag, Model
from .named import Elements, SimElement
from .options import Options

_STATE_BY_NUMBER = {row[0]: (name, row[1]) for name, row in STATE.items()}
_OUTPUT_BY_NUMBER = {row[0]: (name, row[1]) for name, row in OUTPUT.items()}
_TARGETS = CHOICES["tx_target_choice"]
_step_n, _step_some, _sim_array = lib.tx_sim_step_n, lib.tx_sim_step_some, lib.tx_sim_array

#: dtype of contacts: the fields of tx_contact
CONTACT = struct_dtype(ffi.typeof("tx_contact"))
#: dtype of ray hits: the fields of tx_ray_hit
RAY_HIT = struct_dtype(ffi.typeof("tx_ray_hit"))

#: a call into the library takes about this long at most, so that Ctrl-C is answered [s]
_SLICE = 0.05


def _integer(value: Any, what: str, low: int, high: int = 2**31 - 1) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what} must be an integer, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{what} = {number} is not in {low} … {high}")
    return number


def _reals(value: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """A C-contiguous float64 array of that shape; what has less is broadcast."""
    try:
        array = np.asarray(value, dtype=np.float64)
        return np.ascontiguousarray(np.broadcast_to(array, shape))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what} must be numbers of shape {shape}: {error}") from None


class Sim(SimArrays, Elements):
    """`envs` environments of `model`.

    State arrays (`sim.qpos`, `sim.ctrl` …) are live: write them between steps. Results (`sim.xpos` …) are brought up to
    date when the attribute is read and are read only; after a step they belong to the state before its integration, as
    in MuJoCo, and forward() makes them belong to the present one. Rows are environments.

    threads: how many work at once, 0 for all cores; results do not depend on it. target: "auto", "scalar", "avx2" or
    "avx512"; results do not depend on it either. Options may be given by name: `Sim(model, timestep=0.001)`.

    Calls release the interpreter lock; calls of several threads to one simulation wait for each other.
    """

    def __init__(self, model: Model, envs: int = 1, threads: int = 1, target: str = "auto", contact_room: int = 0,
                 **options: Any):
        if not isinstance(model, Model):
            raise TypeError(f"model must be a thixis.Model, not {type(model).__name__}")
        if target not in _TARGETS:
            raise UnknownName("target", target, _TARGETS)
        definition = lib.tx_default_sim_def()
        definition.envs = _integer(envs, "envs", 1)
        threads = _integer(threads, "threads", 0, 1024)
        definition.threads = threads or min(1024, len(os.sched_getaffinity(0)))
        definition.target = _TARGETS[target]
        definition.contact_room = _integer(contact_room, "contact_room", 0, 2**20)
        with Diag() as diag:
            definition.diag = diag.c
            pointer = lib.tx_sim_create(model._handle, ffi.addressof(definition))
            if pointer == ffi.NULL:
                reason = "; ".join(m.text for m in diag.messages()) or "memory is out"
                raise (MemoryError if "memory" in reason else Unsupported)(f"no simulation: {reason}")
        self._handle = owned(pointer, lib.tx_sim_destroy, model._handle)
        self._model, self._threads, self._asked = model, definition.threads, target
        self._envs = definition.envs
        self._born = forks[0]
        self._lock = RLock()
        self._arrays: dict[int, np.ndarray] = {}
        self._params: dict[str, np.ndarray] = {}
        self._step_seconds = 0.0
        self._stale = True  # there are no results of the present state's kind yet
        if options:
            self.options.update(**options)

    # ---- life ---------------------------------------------------------------------------------------------------------

    def _alive(self) -> Any:
        handle = self._handle
        if handle is None:
            raise Closed("this simulation was closed")
        if self._born != forks[0]:
            raise Closed("this simulation belongs to the process that forked; make one here, or send it by pickle")
        return handle

    def close(self) -> None:
        """Ends the simulation. Arrays that are still in use keep their memory."""
        with self._lock:
            self._handle = None
            self._arrays, self._params = {}, {}

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def model(self) -> Model:
        return self._model

    @property
    def envs(self) -> int:
        return self._envs

    @property
    def threads(self) -> int:
        return self._threads

    @property
    def target(self) -> str:
        """The instruction set that is used."""
        return text(lib.tx_sim_target(self._alive()))

    @property
    def options(self) -> Options:
        """Options of this simulation; setting one acts from the next step on."""
        return Options(self._read_options, self._write_options)

    def _read_options(self) -> Any:
        return lib.tx_sim_options(self._alive())

    def _write_options(self, struct: Any, what: str) -> None:
        with self._lock:
            check(lib.tx_sim_set_options(self._alive(), ffi.addressof(struct)), f"options {what} are refused")

    def __repr__(self) -> str:
        if self._handle is None:
            return "<thixis.Sim, closed>"
        return f"<thixis.Sim of {self._model.name!r}: {self._envs} environments, {self._threads} threads>"

    def __reduce__(self):
        params = {name: rows.copy() for name, rows in self._params.items()}
        return _sim_again, (self._model, self._envs, self._threads, self._asked, self.options.as_dict(), params,
                            self.save())

    def __copy__(self) -> Sim:
        function, arguments = self.__reduce__()
        return function(*arguments)

    def __deepcopy__(self, _memo: object) -> Sim:
        return self.__copy__()

    copy = __copy__

    # ---- arrays -------------------------------------------------------------------------------------------------------

    def _shaped(self, number: int, sizes: tuple[str | int, ...], pointer: Any, writable: bool) -> np.ndarray:
        width = lib.tx_sim_array_width(self._handle, number)
        shape = () if width == 1 and not sizes else self._model.shape(sizes, width)
        return view(self._handle, pointer, (self._envs, *shape), np.float64, writable)

    def _state(self, number: int) -> np.ndarray:
        array = self._arrays.get(number)
        if array is None or self._born != forks[0]:
            with self._lock:
                pointer = _sim_array(self._alive(), number)
                array = self._shaped(number, _STATE_BY_NUMBER[number][1], pointer, True)
                self._arrays[number] = array
        return array

    def _output(self, number: int) -> np.ndarray:
        with self._lock:
            pointer = _sim_array(self._alive(), number)  # gathers
            array = self._arrays.get(number)
            if array is None:
                if pointer == ffi.NULL:
                    raise MemoryError(f"no memory for {_OUTPUT_BY_NUMBER[number][0]}")
                array = self._shaped(number, _OUTPUT_BY_NUMBER[number][1], pointer, False)
                self._arrays[number] = array
        return array

    def array(self, name: str) -> np.ndarray:
        """A state array or a result by name."""
        if name not in STATE and name not in OUTPUT:
            raise UnknownName("array", name, [*STATE, *OUTPUT])
        return getattr(self, name)

    def _element(self, kind: str, key: str | int) -> SimElement:
        return SimElement(self, kind, key)

    # ---- parameters per environment -----------------------------------------------------------------------------------

    def _param_number(self, name: str) -> int:
        if name in DERIVED:
            raise ValueError(f"{name} follows from other parameters and cannot be set")
        if name not in GIVEN:
            raise UnknownName("parameter", name, GIVEN)
        return GIVEN[name][0]

    def param(self, name: str) -> np.ndarray:
        """Rows of a parameter, one per environment, live: write them, then call params_changed(). Made from the model
        at the first call."""
        number = self._param_number(name)
        if name not in self._params:
            with self._lock:
                pointer = lib.tx_sim_param(self._alive(), number)
                if pointer == ffi.NULL:
                    raise ValueError(f"no rows of {name}: {self._params_text()}")
                shape = getattr(self._model, name).shape
                self._params[name] = view(self._handle, pointer, (self._envs, *shape), np.float64, True)
        self._alive()
        return self._params[name]

    def param_values(self, name: str) -> np.ndarray:
        """The values of a parameter in all environments, read only; makes no rows."""
        self._param_number(name)
        if name in self._params:
            rows = self._params[name].view()
            rows.flags.writeable = False
            return rows
        values = getattr(self._model, name)
        return np.broadcast_to(values, (self._envs, *values.shape))

    def params_changed(self) -> None:
        """Takes the rows of all parameters; constants that follow from them are computed again. A number out of its
        range raises ValueError, and the simulation goes on with the parameters it had."""
        with self._lock:
            result = lib.tx_sim_params_changed(self._alive())
            if result != OK:
                check(result, f"parameters are refused: {self._params_text()}")

    def _params_text(self) -> str:
        return formatted(lib.tx_sim_params_text, self._handle)

    def set_param(self, name: str, values: Any) -> None:
        """Sets a parameter of all environments and takes it: `sim.set_param("body_mass", masses)`. What is refused
        leaves everything as it was."""
        rows = self.param(name)
        before = rows.copy()
        try:
            rows[...] = _reals(values, rows.shape, name)
            self.params_changed()
        except BaseException:
            rows[...] = before
            raise

    # ---- stepping -----------------------------------------------------------------------------------------------------

    def step(self, n: int = 1, mask: Any = None) -> None:
        """Advances every environment by n time steps, or those in `mask` (booleans, one per environment, or indices): the
        others keep their state, and their results belong to it. Ctrl-C stops between two steps."""
        if n.__class__ is not int or n != 1 or mask is not None:
            return self._step_many(_integer(n, "n", 0), self._mask(mask))
        with self._lock:
            if self._handle is None or self._born != forks[0]:
                self._alive()
            self._stale = False
            result = _step_n(self._handle, 1)
            if result != OK:
                check(result, "step")

    def _step_many(self, n: int, chosen: np.ndarray | None) -> None:
        """Steps in slices, between which Python looks at signals."""
        with self._lock:
            handle = self._alive()
            mask = ffi.NULL if chosen is None else ffi.cast("uint8_t *", chosen.ctypes.data)
            self._stale = self._stale and n == 0
            while n > 0:
                begin = clock.perf_counter()
                part = min(n, max(1, int(_SLICE / self._step_seconds))) if self._step_seconds else 1
                result = _step_some(handle, part, mask)
                if result != OK:
                    check(result, "step")
                self._step_seconds = (clock.perf_counter() - begin) / part
                n -= part

    def forward(self) -> None:
        """Computes everything of a step except the integration: the results belong to the present state."""
        with self._lock:
            check(lib.tx_sim_forward(self._alive()), "forward")
            self._stale = False

    def inverse(self, qacc: Any = None) -> np.ndarray:
        """The generalized force, (envs, nv), that gives the accelerations `qacc`; constraint forces are included."""
        with self._lock:
            shape = (self._envs, self._model.nv)
            qacc = self.qacc.copy() if qacc is None else _reals(qacc, shape, "qacc")
            qfrc = np.empty(shape)
            check(lib.tx_sim_inverse(self._alive(), numbers(qacc), numbers(qfrc)), "inverse")
            return qfrc

    def _mask(self, mask: Any, what: str = "mask") -> np.ndarray | None:
        """Environments as one byte each: from booleans, or from indices."""
        if mask is None:
            return None
        given = np.asarray(mask)
        if given.dtype == np.bool_:
            if given.shape != (self._envs,):
                raise ValueError(f"{what} must have shape ({self._envs},), not {given.shape}")
            return np.ascontiguousarray(given).view(np.uint8)
        if given.size == 0:
            return np.zeros(self._envs, np.uint8)
        if given.ndim > 1 or not np.issubdtype(given.dtype, np.integer):
            raise TypeError(f"{what} must be booleans, one per environment, or a list of indices")
        if given.min() < -self._envs or given.max() >= self._envs:
            raise IndexError(f"{what}: there are {self._envs} environments")
        chosen = np.zeros(self._envs, np.uint8)
        chosen[given] = 1
        return chosen

    def reset(self, mask: Any = None, keyframe: Any = None) -> None:
        """Back to the initial state, or to a keyframe (name, index, or an index per environment, -1 for the initial
        state). mask: booleans, one per environment, or indices; None for all."""
        chosen = self._mask(mask)
        if keyframe is None or isinstance(keyframe, str):
            keys: Any = -1 if keyframe is None else self._model.id("key", keyframe)
        else:
            keys = np.asarray(keyframe)
            if not np.issubdtype(keys.dtype, np.integer) or keys.shape not in ((), (self._envs,)):
                raise ValueError(f"keyframe must be a name, an index or {self._envs} indices")
            if keys.min() < -1 or keys.max() >= self._model.nkey:
                raise IndexError(f"there are {self._model.nkey} keyframes")
        with self._lock:
            handle = self._alive()
            self._stale = True
            if np.ndim(keys) == 0:
                pointer = ffi.NULL if chosen is None else ffi.cast("uint8_t *", chosen.ctypes.data)
                check(lib.tx_sim_reset(handle, int(keys), pointer), "reset")
                return
            for key in np.unique(keys):
                part = (keys == key) if chosen is None else (keys == key) & (chosen != 0)
                part = part.astype(np.uint8)
                check(lib.tx_sim_reset(handle, int(key), ffi.cast("uint8_t *", part.ctypes.data)), "reset")

    def rollout(self, controls: Any = None, steps: int | None = None, record: Iterable[str] = ("qpos", "qvel"),
                every: int = 1) -> dict[str, np.ndarray]:
        """Many steps with given controls, recording any arrays.

        controls: (steps, nu) or (envs, steps, nu); None keeps `sim.ctrl` and needs `steps`. Each control acts for
        `every` time steps. record: names of state arrays and results. Returns name -> (envs, steps, …), each taken
        after its step.
        """
        names = [record] if isinstance(record, str) else list(record)
        for name in names:
            if name not in STATE and name not in OUTPUT:
                raise UnknownName("array", name, [*STATE, *OUTPUT])
        every = _integer(every, "every", 1)
        if controls is None:
            if steps is None:
                raise ValueError("a rollout without controls needs `steps`")
            count = _integer(steps, "steps", 0)
        else:
            controls = np.asarray(controls, dtype=np.float64)
            if controls.ndim not in (2, 3):
                raise ValueError(f"controls must be (steps, nu) or (envs, steps, nu), not {controls.shape}")
            count = controls.shape[-2] if steps is None else _integer(steps, "steps", 0)
            controls = _reals(controls, (self._envs, count, self._model.nu), "controls")
        with self._lock:
            self._alive()
            out = {n: np.empty((self._envs, count, *getattr(self, n).shape[1:])) for n in names}
            ctrl = self.ctrl
            for i in range(count):
                if controls is not None:
                    ctrl[...] = controls[:, i]
                self.step(every)
                for name in names:
                    out[name][:, i] = getattr(self, name)
            return out

    # ---- what happened ------------------------------------------------------------------------------------------------

    @property
    def any_diverged(self) -> bool:
        """Whether any environment stands still because its numbers went wrong."""
        with self._lock:
            return lib.tx_sim_diverged(self._alive()) > 0

    @property
    def diverged(self) -> np.ndarray:
        """Which environments stand still because their numbers went wrong; reset() sets them free."""
        with self._lock:
            handle = self._alive()
            if not lib.tx_sim_diverged(handle):
                return np.zeros(self._envs, bool)
            return np.array([lib.tx_sim_status(handle, e) != OK for e in range(self._envs)])

    def status(self, env: int = 0) -> str:
        """"ok", or which body and joint went wrong, why and when."""
        env = self._env(env)
        with self._lock:
            return formatted(lib.tx_sim_status_text, self._alive(), env)

    @property
    def info(self) -> dict[str, Any]:
        """Counts and times since the start or info_clear(): the fields of tx_info."""
        with self._lock:
            info = lib.tx_sim_info(self._alive())
        found = {n: getattr(info, n) for n, _ in ffi.typeof("tx_info").fields}
        found["stage_seconds"] = {text(lib.tx_stage_name(i)): s for i, s in enumerate(found["stage_seconds"])}
        return found

    def info_clear(self) -> None:
        with self._lock:
            lib.tx_sim_info_clear(self._alive())

    def _env(self, env: Any) -> int:
        if isinstance(env, (bool, np.bool_)) or not isinstance(env, (int, np.integer)):
            raise TypeError(f"an environment is an index, not {env!r}")
        if not -self._envs <= env < self._envs:
            raise IndexError(f"environment {env} is out of range: there are {self._envs}")
        return int(env) % self._envs

    def contacts(self, env: int = 0) -> np.ndarray:
        """Contacts of one environment after the last step or forward(), a copy; fields as in tx_contact."""
        env = self._env(env)
        with self._lock:
            count = ffi.new("int *")
            pointer = lib.tx_sim_contacts(self._alive(), env, count)
            if count[0] <= 0:
                return np.zeros(0, CONTACT)
            return np.frombuffer(ffi.buffer(pointer, count[0] * CONTACT.itemsize), CONTACT).copy()

    def all_contacts(self) -> tuple[np.ndarray, np.ndarray]:
        """(contacts of all environments, offsets): those of environment e are contacts[offsets[e]:offsets[e + 1]]."""
        offsets = np.zeros(self._envs + 1, np.int64)
        where = ffi.cast("long long *", offsets.ctypes.data)
        with self._lock:
            count = lib.tx_sim_all_contacts(self._alive(), where, ffi.NULL, 0)
            contacts = np.zeros(count, CONTACT)
            lib.tx_sim_all_contacts(self._handle, where, ffi.cast("tx_contact *", contacts.ctypes.data), count)
        return contacts, offsets

    def mass_matrix(self, env: int = 0) -> np.ndarray:
        """Dense mass matrix (nv, nv) of the last step or forward()."""
        env, nv = self._env(env), self._model.nv
        matrix = np.zeros((nv, nv))
        with self._lock:
            check(lib.tx_sim_mass_matrix(self._alive(), env, numbers(matrix)), "mass_matrix")
        return matrix

    def jacobian(self, body: str | int, point: Any, env: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """(velocity, angular velocity), 3 x nv each, of a world point fixed to a body."""
        env, index = self._env(env), self._model.id("body", body)
        point = _reals(point, (3,), "point")
        jacp, jacr = np.zeros((3, self._model.nv)), np.zeros((3, self._model.nv))
        with self._lock:
            check(lib.tx_sim_jacobian(self._alive(), env, index, numbers(point), numbers(jacp), numbers(jacr)),
                  "jacobian")
        return jacp, jacr

    def rays(self, origins: Any, directions: Any, env: int = 0, groups: int | None = None,
             exclude_body: str | int | None = None, fixed: bool = True) -> np.ndarray:
        """Where rays meet geoms first, as records with geom (-1: none), distance, point and normal. origins and
        directions: (3,) or (n, 3). groups: bits of the geom groups that are seen."""
        env = self._env(env)
        origins, directions = np.atleast_2d(origins), np.atleast_2d(directions)
        count = max(len(origins), len(directions))
        origins, directions = _reals(origins, (count, 3), "origins"), _reals(directions, (count, 3), "directions")
        query = lib.tx_default_query_filter()
        if groups is not None:
            query.groups = _integer(groups, "groups", 0, 2**32 - 1)
        if exclude_body is not None:
            query.exclude_body = self._model.id("body", exclude_body)
        query.fixed = bool(fixed)
        hits = np.zeros(count, RAY_HIT)
        with self._lock:
            self._fresh()
            check(lib.tx_sim_rays(self._alive(), env, count, numbers(origins), numbers(directions),
                                  ffi.addressof(query), ffi.cast("tx_ray_hit *", hits.ctypes.data)), "rays")
        return hits

    def distance(self, geom1: str | int, geom2: str | int, env: int = 0, most: float = np.inf) -> float:
        """Signed distance of two geoms [m]; not more than `most`."""
        env, a, b = self._env(env), self._model.id("geom", geom1), self._model.id("geom", geom2)
        answer = ffi.new("tx_distance *")
        with self._lock:
            self._fresh()
            check(lib.tx_sim_distance(self._alive(), env, a, b, float(most), answer), "distance")
        return answer.distance

    def _fresh(self) -> None:
        """Queries and pictures look at the results of the last step or forward(); after a reset there are none."""
        if self._stale:
            self.forward()

    # ---- state --------------------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The whole state of all environments. Restored and stepped, it gives the same bits."""
        with self._lock:
            size = lib.tx_sim_state_size(self._alive())
            blob = bytearray(size)
            check(lib.tx_sim_save(self._handle, ffi.from_buffer(blob), size), "save")
        return bytes(blob)

    def restore(self, blob: bytes) -> None:
        """Takes a state that save() gave; wrong bytes are refused and change nothing."""
        data = bytes(memoryview(blob))
        with self._lock:
            check(lib.tx_sim_restore(self._alive(), data, len(data)), "this is no state of this simulation")
            self._stale = True

    def hash(self) -> int:
        """One number for all states: equal states have equal hashes."""
        with self._lock:
            return lib.tx_sim_hash(self._alive())

    def write_problem(self, path: str | os.PathLike, env: int = 0) -> None:
        """Writes the contact problem that the next step begins with, for `thixis solve`."""
        env = self._env(env)
        with self._lock:
            check(lib.tx_sim_write_problem(self._alive(), env, string(os.fspath(path), "path")),
                  f"cannot write {os.fspath(path)!r}")

    # ---- pictures -----------------------------------------------------------------------------------------------------

    def render(self, env: int = 0, width: int = 640, height: int = 480,
               camera: dict[str, Any] | str | int | None = None, contacts: bool = False,
               forces: bool = False) -> np.ndarray:
        """A picture (height, width, 3) of bytes: the poses of the last step or forward().

        camera: {"lookat": (x, y, z), "distance": m, "azimuth": deg, "elevation": deg, "fovy": deg}; what is not given
        frames the whole scene. Or the name or number of a camera of the model.
        """
        from .render import picture
        env = self._env(env)
        with self._lock:
            self._alive()
            self._fresh()
            view = self.model.id("camera", camera) if isinstance(camera, (str, int)) else camera or {}
            return picture(self._handle, env, _integer(width, "width", 1, 16384), _integer(height, "height", 1, 16384),
                           view, contacts, forces)


def _sim_again(model: Model, envs: int, threads: int, target: str, options: dict[str, Any],
               params: dict[str, np.ndarray], state: bytes) -> Sim:
    try:
        sim = Sim(model, envs, threads, target)
    except Unsupported:
        sim = Sim(model, envs, threads)  # of another machine; results are the same
    sim.options.update(**options)
    for name, rows in params.items():
        sim.param(name)[...] = rows
    if params:
        sim.params_changed()
    sim.restore(state)
    return sim
