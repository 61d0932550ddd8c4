"""Wrong input of every kind: an exception that says something, never a crash, and the simulation goes on.

Everything that hypothesis calls runs in this process: a crash of the interpreter fails the whole run.
"""

import gc

import numpy as np
import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import thixis  # noqa: E402

from conftest import PENDULUM  # noqa: E402

MODEL = thixis.Model.from_xml_string(PENDULUM)
EXPECTED = (thixis.Error, ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError, OSError,
            OverflowError)
quick = settings(max_examples=150, deadline=None, derandomize=True,
                 suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])

odd_numbers = st.one_of(st.integers(-(2**70), 2**70), st.floats(), st.booleans(), st.none(), st.text(max_size=8),
                        st.complex_numbers(), st.binary(max_size=8), st.lists(st.integers(-3, 9), max_size=4),
                        st.just(object()), st.just(np.float32(1.5)), st.just(np.int8(3)))
dtypes = st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_, np.complex128, object, "S3", "U2",
                          "datetime64[s]", [("a", "f8")]])
shapes = st.lists(st.integers(0, 6), max_size=4).map(tuple)


@st.composite
def odd_arrays(draw):
    array = np.zeros(draw(shapes), draw(dtypes))
    if array.dtype.kind == "f" and array.size and draw(st.booleans()):
        array.flat[draw(st.integers(0, array.size - 1))] = draw(st.floats())
    if draw(st.booleans()):
        array = array.T
    return array[::-1] if array.ndim and draw(st.booleans()) else array


anything = st.one_of(odd_numbers, odd_arrays())
METHODS = ["step", "forward", "inverse", "reset", "rollout", "param", "param_values", "set_param", "status", "contacts",
           "mass_matrix", "jacobian", "rays", "distance", "restore", "array", "render", "body", "joint", "geom", "site",
           "actuator", "tendon", "sensor", "equality", "key"]
NAMES = st.sampled_from(["qpos", "ctrl", "xpos", "body_mass", "gravity", "dof_invweight0", "hand", "elbow", "ball", "up"])


def tried(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except EXPECTED as error:
        assert str(error) or isinstance(error, (MemoryError, KeyError)), error


@given(st.sampled_from(METHODS), st.lists(st.one_of(anything, NAMES), max_size=4))
@settings(quick, max_examples=250)
def test_methods_with_anything(method, arguments):
    sim = thixis.Sim(MODEL, envs=3)
    if method == "step" and arguments and isinstance(arguments[0], int) and arguments[0] > 1000:
        arguments = [1000]  # more is right, and takes its time
    if method == "render":
        arguments = arguments[:1]
    if method == "rollout":
        arguments = arguments[:1] + [10]
    tried(getattr(sim, method), *arguments)
    before = sim.time.copy()
    sim.reset()
    sim.step()
    assert np.all(sim.time == 0.002) and before.shape == (3,)


@given(st.sampled_from(["qpos", "qvel", "ctrl", "time", "xfrc_applied", "mocap_quat", "eq_active", "qacc_warmstart",
                        "act", "xpos"]), anything)
@quick
def test_arrays_take_anything_or_refuse(name, value):
    sim = thixis.Sim(MODEL, envs=3)
    tried(setattr, sim, name, value)
    sim.step(3)
    sim.forward()
    assert sim.xpos.shape == (3, 5, 3)
    sim.contacts(0), sim.diverged, sim.status(1), sim.save()


@given(st.sampled_from(list(thixis.Sim(MODEL).options.as_dict())), anything)
@quick
def test_options_take_anything_or_refuse(name, value):
    sim = thixis.Sim(MODEL, envs=2)
    tried(sim.options.update, **{name: value})
    sim.step()


@given(st.sampled_from(["envs", "threads", "target", "contact_room", "timestep"]), anything)
@quick
def test_definitions_take_anything_or_refuse(name, value):
    if name in ("envs", "threads", "contact_room") and isinstance(value, int) and 100 < value < 2**40:
        value = 2**40  # a few thousand environments are right
    tried(lambda: thixis.Sim(MODEL, **{name: value}).step())


@given(st.binary(max_size=400), st.integers(0, 2**20), st.integers(0, 255))
@quick
def test_bytes_are_refused_or_run(junk, at, byte):
    tried(thixis.Model.from_bytes, junk)
    tried(thixis.Model.from_xml_string, junk)
    data = bytearray(MODEL.to_bytes())
    data[at % len(data)] = byte
    tried(lambda: thixis.Sim(thixis.Model.from_bytes(bytes(data))).step(2))
    sim = thixis.Sim(MODEL, envs=2)
    state = bytearray(sim.save())
    state[at % len(state)] = byte
    tried(sim.restore, bytes(state))
    sim.step(2)


@given(st.lists(st.sampled_from(["step", "array", "drop", "close", "new", "use", "param", "collect"]), max_size=14))
@settings(quick, max_examples=40)
def test_arrays_may_live_longer_than_anything(actions):
    model = thixis.Model.from_xml_string(PENDULUM)
    sim, kept = thixis.Sim(model, envs=2, threads=2), []
    for action in actions:
        if action == "step":
            tried(sim.step, 2)
        elif action == "array":
            tried(lambda: kept.extend([sim.qpos, sim.xpos, model.body_mass, sim.joint("fall").qpos]))
        elif action == "param":
            tried(lambda: kept.append(sim.param("body_mass")))
        elif action == "drop":
            kept = kept[::2]
        elif action == "close":
            sim.close()
        elif action == "new":
            model = thixis.Model.from_xml_string(PENDULUM)
            sim = thixis.Sim(model, envs=2)
        elif action == "collect":
            gc.collect()
        for array in kept:
            assert np.isfinite(array).all()
            if array.flags.writeable:
                array[...] = array + 0.0
