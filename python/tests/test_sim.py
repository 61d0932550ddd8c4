"""Simulations: arrays, names, stepping, reset, rollouts, parameters, contacts, state, pictures."""

import copy
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import thixis

from conftest import PENDULUM


def test_state_arrays_are_live(sim):
    qpos = sim.qpos
    assert qpos.shape == (5, 9) and sim.time.shape == (5,) and sim.xfrc_applied.shape == (5, 5, 6)
    qpos[:, 0] = np.arange(5) / 10
    sim.step()
    assert qpos is sim.qpos
    # after one step of 2 ms the arm has hardly moved from where it was put
    assert np.allclose(qpos[:, 0], np.arange(5) / 10, atol=1e-3)
    assert np.all(sim.time == 0.002)
    sim.ctrl = 0.5
    assert np.all(sim.ctrl == 0.5)


def test_results_are_read_only_and_of_the_present_state_after_forward(sim):
    sim.qpos[:, 0] = [0, 0.5, 1, -1, 2]
    sim.forward()
    xpos = sim.body("hand").xpos
    # closed form: the hand hangs 0.4 m along the arm
    assert np.allclose(xpos[:, 0], 0.4 * np.cos(sim.qpos[:, 0]), atol=1e-15)
    assert np.allclose(xpos[:, 2], 2 - 0.4 * np.sin(sim.qpos[:, 0]), atol=1e-15)
    with pytest.raises(ValueError):
        sim.xpos[0] = 0
    with pytest.raises(AttributeError):
        sim.xpos = 0


def test_arrays_outlive_the_simulation(model):
    sim = thixis.Sim(model, envs=3)
    sim.step(3)
    qpos, expected = sim.qpos, sim.qpos.copy()
    sim.close()
    del sim
    thixis.Sim(model, envs=3).step(5)
    assert np.array_equal(qpos, expected)


def test_named_access(sim):
    sim.reset(keyframe="up")
    sim.forward()
    assert sim.joint("elbow").qpos.shape == (5, 1) and np.all(sim.joint("elbow").qpos == 0.5)
    assert sim.joint("fall").qvel.shape == (5, 6)
    sim.joint("elbow").qpos = 0.25
    assert np.all(sim.qpos[:, 1] == 0.25)
    assert sim.actuator("motor").ctrl.shape == (5,) and np.all(sim.actuator("motor").ctrl == 0.1)
    sim.forward()
    assert np.array_equal(sim.sensor("where").data, sim.site("tip").xpos)
    assert np.all(sim.sensor("angle").data == 0.25)
    sim.body("target").mocap_pos = [1, 2, 3]
    sim.forward()
    assert np.array_equal(sim.body("target").xpos, np.tile([1.0, 2, 3], (5, 1)))
    with pytest.raises(AttributeError, match="no mocap body"):
        sim.body("hand").mocap_pos
    with pytest.raises(AttributeError, match="result"):
        sim.body("hand").xpos = 1
    with pytest.raises(AttributeError, match="did you mean 'xpos'"):
        sim.body("hand").xpo


def test_steps_of_n_are_n_steps(model):
    one, many = thixis.Sim(model, envs=9), thixis.Sim(model, envs=9, threads=2, target="scalar")
    for s in (one, many):
        s.ctrl[:] = np.linspace(-1, 1, 18).reshape(9, 2)
    for _ in range(40):
        one.step()
    many.step(17)
    many.step(0)
    many.step(23)
    assert one.hash() == many.hash() and np.array_equal(one.qpos, many.qpos)


def test_some_step_and_others_stay(model):
    all_, some = thixis.Sim(model, envs=9), thixis.Sim(model, envs=9)
    for s in (all_, some):
        s.qvel[:] = np.linspace(-1, 1, 72).reshape(9, 8)
    start, mask = some.qpos.copy(), np.arange(9) % 3 == 0
    all_.step(5)
    some.step(5, mask)
    assert np.array_equal(some.qpos[mask], all_.qpos[mask]) and np.array_equal(some.qpos[~mask], start[~mask])
    some.step(5, np.flatnonzero(~mask))
    assert some.hash() == all_.hash()
    for wrong in ([True], [9], [0.5], "all"):
        with pytest.raises((ValueError, IndexError, TypeError)):
            some.step(1, wrong)


def test_reset(sim):
    start = sim.qpos.copy()
    sim.step(20)
    moved = sim.qpos.copy()
    sim.reset([True, False, False, False, True])
    assert np.array_equal(sim.qpos[[0, 4]], start[[0, 4]]) and np.array_equal(sim.qpos[1:4], moved[1:4])
    sim.reset([1], keyframe="down")
    assert sim.qpos[1, 0] == -1 and np.array_equal(sim.qpos[2:4], moved[2:4])
    sim.reset(keyframe=[0, 1, -1, 0, 1])
    assert sim.qpos[:, 0].tolist() == [1, -1, 0, 1, -1]
    for wrong in ([True], np.ones((5, 1), bool), [7], [0.5], "all"):
        with pytest.raises((ValueError, IndexError, TypeError)):
            sim.reset(wrong)
    for wrong in ("side", 2, -2, [0, 1], 0.5):
        with pytest.raises((ValueError, IndexError, KeyError)):
            sim.reset(keyframe=wrong)


def test_rollout_equals_a_loop(model):
    controls = np.random.default_rng(3).uniform(-1, 1, (5, 12, 2))
    sim, loop = thixis.Sim(model, envs=5), thixis.Sim(model, envs=5)
    out = sim.rollout(controls, record=("qpos", "time", "xpos", "sensordata"), every=2)
    assert out["xpos"].shape == (5, 12, 5, 3) and out["time"].shape == (5, 12)
    for i in range(12):
        loop.ctrl[:] = controls[:, i]
        loop.step(2)
        assert np.array_equal(out["qpos"][:, i], loop.qpos) and np.array_equal(out["xpos"][:, i], loop.xpos)
        assert np.array_equal(out["sensordata"][:, i], loop.sensordata)
    assert sim.rollout(controls[0], record="qvel")["qvel"].shape == (5, 12, 8)
    assert sim.rollout(steps=3)["qpos"].shape == (5, 3, 9)
    for wrong in (dict(), dict(controls=np.zeros(2)), dict(controls=np.zeros((4, 3, 2))), dict(steps=-1),
                  dict(steps=2, record=["qposs"]), dict(controls="x", steps=2), dict(steps=2, every=0)):
        with pytest.raises((ValueError, KeyError)):
            sim.rollout(**wrong)


def test_parameters_per_environment(model):
    sim = thixis.Sim(model, envs=4)
    assert np.all(sim.body("ball").mass == model.body("ball").mass)
    # a ball in free fall without gravity of its own: one environment floats
    gravity = np.tile([0, 0, -9.81], (4, 1))
    gravity[2] = 0
    sim.set_param("gravity", gravity)
    sim.step(10)
    z = sim.joint("fall").qpos[:, 2]
    # semi-implicit Euler: z = z0 - g h^2 n (n + 1) / 2
    assert z[2] == 0.5 and np.allclose(z[[0, 1, 3]], 0.5 - 9.81 * 0.002**2 * 55, atol=1e-14)
    sim.body("ball").mass = [1, 2, 3, 4]
    sim.forward()
    assert np.allclose(sim.mass_matrix(3)[2, 2], 4)
    rows = sim.param("geom_friction")
    assert rows.shape == (4, model.ngeom, 3)
    rows[:, 0, 0] = 0.5
    sim.params_changed()
    before = sim.param_values("body_mass").copy()
    with pytest.raises(ValueError, match="body_mass"):
        sim.set_param("body_mass", np.full((4, 5), np.nan))
    assert np.array_equal(sim.param_values("body_mass"), before)
    sim.step()
    with pytest.raises(ValueError, match="follows from"):
        sim.param("dof_invweight0")
    with pytest.raises(KeyError, match="body_mass"):
        sim.param("body_mas")
    with pytest.raises(ValueError, match="shape"):
        sim.set_param("body_mass", np.ones((3, 5)))


def test_contacts(model):
    sim = thixis.Sim(model, envs=3)
    sim.joint("fall").qpos[:, 2] = [0.0999, 1, 0.0998]
    sim.forward()
    contacts, offsets = sim.all_contacts()
    assert offsets.tolist() == [0, 1, 1, 2] and len(sim.contacts(1)) == 0
    # a ball of radius 0.1 above a plane
    assert np.allclose(contacts["dist"], [-0.0001, -0.0002], atol=1e-15)
    assert np.array_equal(contacts["frame"][0, :3], [0, 0, 1]) and contacts["friction"][0, 0] == 1
    sim.step(400)
    weight = 9.81 * model.body("ball").mass
    assert sim.contacts(0)["force"][0, 0] == pytest.approx(weight, rel=1e-3)
    with pytest.raises(IndexError):
        sim.contacts(3)


def test_queries(sim):
    hits = sim.rays([[1, 0, 3], [3, 0, 3]], [0, 0, -1])
    # the ball's top is 0.6 m high
    assert np.allclose(hits["distance"], [2.4, 3], atol=1e-14)
    assert hits["geom"].tolist() == [sim.model.id("geom", "ball"), sim.model.id("geom", "floor")]
    assert sim.distance("ball", "floor") == pytest.approx(0.4, abs=1e-14)
    jacp, _ = sim.jacobian("hand", sim.body("hand").xpos[0])
    assert np.allclose(jacp[:, 0], [0, 0, -0.4], atol=1e-15)
    sim.qvel[:] = 0.3
    sim.forward()
    # inverse dynamics of forward dynamics: applied and actuator forces
    assert np.allclose(sim.inverse(), sim.qfrc_applied + sim.qfrc_actuator, atol=1e-8)
    with pytest.raises(ValueError):
        sim.rays([0, 0, 1], [0, 0, 0])
    with pytest.raises(ValueError):
        sim.rays([0, 0], [0, 0, 1])


def test_options(sim):
    sim.options.timestep = 0.001
    sim.step()
    assert np.all(sim.time == 0.001) and sim.model.options.timestep == 0.002
    sim.options.update(integrator="rk4", gravity=False, iterations=7)
    assert sim.options.integrator == "rk4" and sim.options.gravity is False
    before = sim.options.as_dict()
    for name, value, error in [("timestep", -1, ValueError), ("timestep", "x", TypeError), ("solver", "magic", KeyError),
                               ("iterations", 1.5, TypeError), ("iterations", 2**40, ValueError),
                               ("gravity", 3, TypeError), ("timestep", float("nan"), ValueError),
                               ("o_solref", [1, 2, 3], ValueError)]:
        with pytest.raises(error):
            setattr(sim.options, name, value)
    with pytest.raises(AttributeError, match="did you mean 'timestep'"):
        sim.options.timestp = 1
    with pytest.raises(AttributeError, match="constant"):
        sim.model.options.timestep = 1
    assert sim.options.as_dict() == before
    assert thixis.Sim(sim.model, timestep=0.005).options.timestep == 0.005


def test_state_goes_on_with_the_same_bits(model):
    sim = thixis.Sim(model, envs=6)
    sim.ctrl[:] = 0.3
    sim.set_param("body_mass", sim.param_values("body_mass") * np.linspace(1, 2, 6)[:, None])
    sim.options.timestep = 0.003
    sim.step(30)
    blob = sim.save()
    others = [pickle.loads(pickle.dumps(sim)), copy.deepcopy(sim), sim.copy()]
    sim.step(50)
    for other in others:
        other.step(50)
        assert other.hash() == sim.hash()
    end = sim.hash()
    sim.restore(blob)
    sim.step(50)
    assert sim.hash() == end
    with pytest.raises(ValueError):
        sim.restore(blob[:-1])
    with pytest.raises(ValueError):
        sim.restore(b"")
    with pytest.raises(TypeError):
        sim.restore("text")
    assert sim.hash() == end


def test_divergence_is_per_environment(model):
    sim = thixis.Sim(model, envs=4)
    sim.qvel[2, 0] = np.nan
    sim.step(3)
    assert sim.diverged.tolist() == [False, False, True, False]
    assert sim.status(2) != sim.status(0)
    sim.reset(sim.diverged)
    sim.step()
    assert not sim.diverged.any()
    assert sim.info["env_steps"] > 0 and "solve" in sim.info["stage_seconds"]


def test_pictures(sim):
    sim.step()
    picture = sim.render(width=80, height=60)
    assert picture.shape == (60, 80, 3) and picture.dtype == np.uint8 and picture.std() > 5
    assert np.array_equal(picture, sim.render(width=80, height=60))
    assert not np.array_equal(picture, sim.render(width=80, height=60, camera={"azimuth": 20}))
    for wrong in (dict(width=0), dict(height=10**6), dict(camera={"zoom": 2}), dict(env=9), dict(camera="none"),
                  dict(camera={"distance": -1})):
        with pytest.raises((ValueError, KeyError, IndexError, thixis.Error)):
            sim.render(**wrong)


def test_interrupt_stops_between_steps(model):
    sim = thixis.Sim(model, envs=64)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with it ignored
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            sim.step(2**31 - 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 10
    # every environment stands after the same whole number of steps
    steps = sim.time / 0.002
    assert np.all(sim.time == sim.time[0]) and abs(steps[0] - round(steps[0])) < 1e-6
    sim.step()


def test_other_threads_run_while_a_simulation_steps(model):
    sim = thixis.Sim(model, envs=64)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    sim.step(300)
    during = counted[0] - before
    stop.set()
    thread.join()
    assert during > 10


def test_threads_on_one_simulation_wait_for_each_other(model):
    sim, alone = thixis.Sim(model, envs=8), thixis.Sim(model, envs=8)
    threads = [threading.Thread(target=lambda: [(sim.step(), sim.xpos) for _ in range(50)]) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    alone.step(200)
    assert sim.hash() == alone.hash()


def test_wrong_definitions(model):
    for wrong, error in [(dict(envs=0), ValueError), (dict(envs=1.5), TypeError), (dict(threads=-1), ValueError),
                         (dict(target="gpu"), KeyError), (dict(envs=2**31), ValueError), (dict(envs=True), TypeError),
                         (dict(envs=2**31 - 1), MemoryError), (dict(timestep=-1), ValueError),
                         (dict(timestp=1), KeyError)]:
        with pytest.raises(error):
            thixis.Sim(model, **wrong)
    with pytest.raises(TypeError, match="thixis.Model"):
        thixis.Sim(PENDULUM)


def test_closed(model):
    with thixis.Sim(model) as sim:
        sim.step()
    for use in (sim.step, sim.forward, sim.save, sim.hash, sim.reset, lambda: sim.qpos, lambda: sim.xpos,
                sim.contacts, sim.render, lambda: sim.options.timestep, lambda: sim.step(3), lambda: pickle.dumps(sim),
                lambda: sim.param("body_mass"), lambda: sim.joint("elbow").qpos, lambda: sim.rollout(steps=1)):
        with pytest.raises(thixis.Closed, match="closed"):
            use()
    assert "closed" in repr(sim)
    sim.close()


FORK = """
import os
import sys
sys.path.insert(0, sys.argv[1])
import thixis
from conftest import PENDULUM
model = thixis.Model.from_xml_string(PENDULUM)
sim = thixis.Sim(model, envs=4, threads=2)
sim.step()
pid = os.fork()
if pid == 0:
    said = False
    try:
        sim.step()
    except thixis.Closed as error:
        said = "fork" in str(error)
    fresh = thixis.Sim(model, envs=4, threads=2)
    fresh.step(2)
    del sim  # must not wait for threads that only the parent has
    os._exit(0 if said else 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
sim.step()
"""


def test_after_a_fork_a_simulation_says_so():
    subprocess.run([sys.executable, "-c", FORK, str(Path(__file__).parent)], check=True, timeout=60)
