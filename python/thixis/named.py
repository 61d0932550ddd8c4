"""Named access: `model.body("hand").mass`, `sim.joint("knee").qpos`, `sim.geom("foot").friction = 0.8`."""

from __future__ import annotations

from functools import cache
from typing import Any


from ._fields import DATA, DERIVED, GIVEN, INTS, OUTPUT, STATE

#: kind -> (sizes that count it, prefixes that its fields may go without)
_KINDS = {
    "body": (("nbody",), ("body_",)),
    "joint": (("njnt", "nq", "nv"), ("jnt_", "dof_", "joint_")),
    "geom": (("ngeom",), ("geom_",)),
    "site": (("nsite",), ("site_",)),
    "actuator": (("nu", "nactuator", "na"), ("actuator_",)),
    "tendon": (("ntendon",), ("tendon_",)),
    "sensor": (("nsensor", "nsensordata"), ("sensor_",)),
    "equality": (("neq",), ("eq_",)),
    "key": (("nkey",), ("key_",)),
    "camera": (("ncam",), ("cam_",)),
}


@cache
def _attributes(kind: str, tables: str) -> dict[str, tuple[str, str]]:
    """attribute -> (field, size that it is counted by). Where a short name stands for two fields, the first has it."""
    sizes, prefixes = _KINDS[kind]
    fields: list[dict] = [STATE, OUTPUT] if tables == "sim" else [GIVEN, DERIVED, INTS, DATA]
    found: dict[str, tuple[str, str]] = {}
    for table in fields:
        for name, (_, shape, _) in table.items():
            if not shape or shape[0] not in sizes:
                if not (kind == "body" and shape and shape[0] == "nmocap"):
                    continue
            found[name] = (name, shape[0])
            for prefix in prefixes:
                if name.startswith(prefix):
                    found.setdefault(name.removeprefix(prefix), (name, shape[0]))
    if kind == "sensor" and tables == "sim":
        found["data"] = ("sensordata", "nsensordata")
    return found


class Element:
    """One element of a model. Its attributes are the fields of the model that have a row per element, with or without
    the prefix: `model.geom("foot").friction` is a row of `model.geom_friction`."""

    __slots__ = ("_model", "_kind", "id")

    def __init__(self, model: Any, kind: str, key: str | int):
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "id", model.id(kind, key))

    @property
    def name(self) -> str:
        return self._model.names(self._kind)[self.id]

    def _columns(self, size: str) -> int | slice:
        """Which entries along a size are this element's: one number, or a range where there may be several."""
        m, i = self._model, self.id
        if size == "nq":
            return slice(int(m.jnt_qposadr[i]), int(m.jnt_qposadr[i + 1]) if i + 1 < m.njnt else m.nq)
        if size == "nv":
            return slice(int(m.jnt_dofadr[i]), int(m.jnt_dofadr[i + 1]) if i + 1 < m.njnt else m.nv)
        if size == "nsensordata":
            return slice(int(m.sensor_adr[i]), int(m.sensor_adr[i + 1]) if i + 1 < m.nsensor else m.nsensordata)
        if size == "na":
            at = int(m.actuator_act[i])
            return slice(at, at + int(m.actuator_actnum[i])) if at >= 0 else slice(0, 0)
        if size == "nu":
            at, count = int(m.actuator_ctrladr[i]), int(m.actuator_ctrlnum[i])
            return at if count == 1 else slice(at, at + count)
        if size == "nmocap":
            at = int(m.body_mocap[i])
            if at < 0:
                raise AttributeError(f"body {self.name!r} is no mocap body")
            return at
        return i

    def _unknown(self, attribute: str, known: Any) -> AttributeError:
        from .errors import UnknownName
        return AttributeError(str(UnknownName(f"attribute of a {self._kind}", attribute, sorted(known))))

    def __getattr__(self, attribute: str) -> Any:
        table = _attributes(self._kind, "model")
        if attribute not in table:
            raise self._unknown(attribute, table)
        field, size = table[attribute]
        return getattr(self._model, field)[self._columns(size)]

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise AttributeError("a model is constant; set parameters per environment in a simulation")

    def __dir__(self) -> list[str]:
        return ["id", "name", *_attributes(self._kind, "model")]

    def __repr__(self) -> str:
        return f"<{self._kind} {self.id} {self.name!r}>"


class SimElement(Element):
    """One element in all environments: `sim.joint("knee").qpos` is (envs, 1) and live, `sim.body("hand").xpos` is
    (envs, 3). Physical parameters are here too: `sim.body("hand").mass = masses` gives every environment its own."""

    __slots__ = ("_sim",)

    def __init__(self, sim: Any, kind: str, key: str | int):
        super().__init__(sim.model, kind, key)
        object.__setattr__(self, "_sim", sim)

    def __getattr__(self, attribute: str) -> Any:
        table = _attributes(self._kind, "sim")
        if attribute in table:
            field, size = table[attribute]
            return getattr(self._sim, field)[:, self._columns(size)]
        table = _attributes(self._kind, "model")
        if attribute not in table:
            raise self._unknown(attribute, {*table, *_attributes(self._kind, "sim")})
        field, size = table[attribute]
        if field in GIVEN:
            return self._sim.param_values(field)[:, self._columns(size)]
        return getattr(self._model, field)[self._columns(size)]

    def __setattr__(self, attribute: str, value: Any) -> None:
        table = _attributes(self._kind, "sim")
        if attribute in table:
            field, size = table[attribute]
            if field not in STATE:
                raise AttributeError(f"{field} is a result, it cannot be set")
            getattr(self._sim, field)[:, self._columns(size)] = value
            return
        table = _attributes(self._kind, "model")
        if attribute not in table or table[attribute][0] not in GIVEN:
            raise self._unknown(attribute, {n for n, (f, _) in table.items() if f in GIVEN})
        field, size = table[attribute]
        rows = self._sim.param_values(field).copy()
        rows[:, self._columns(size)] = value
        self._sim.set_param(field, rows)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_attributes(self._kind, "sim")]


class Elements:
    """Access by name or index, for models and simulations."""

    def _element(self, kind: str, key: str | int) -> Element:
        return Element(self, kind, key)

    def body(self, key: str | int) -> Element:
        return self._element("body", key)

    def joint(self, key: str | int) -> Element:
        return self._element("joint", key)

    def geom(self, key: str | int) -> Element:
        return self._element("geom", key)

    def site(self, key: str | int) -> Element:
        return self._element("site", key)

    def actuator(self, key: str | int) -> Element:
        return self._element("actuator", key)

    def tendon(self, key: str | int) -> Element:
        return self._element("tendon", key)

    def sensor(self, key: str | int) -> Element:
        return self._element("sensor", key)

    def equality(self, key: str | int) -> Element:
        return self._element("equality", key)

    def camera(self, key: str | int) -> Element:
        return self._element("camera", key)

    def key(self, key: str | int) -> Element:
        return self._element("key", key)
