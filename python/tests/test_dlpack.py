"""Arrays handed to other libraries without a copy (DLPack)."""

import numpy as np
import pytest


def test_numpy_shares_the_memory(sim):
    shared = np.from_dlpack(sim.qpos)
    shared[0, 0] = 0.25
    assert sim.qpos[0, 0] == 0.25
    assert sim.qpos.__dlpack_device__()[0] == 1  # the CPU


def test_jax_on_the_cpu(sim):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    sim.qpos[:] = np.arange(45).reshape(5, 9) / 45
    qpos = jax.numpy.from_dlpack(sim.qpos)
    assert qpos.dtype == np.float64 and np.array_equal(qpos, sim.qpos)
    # a policy in JAX: its answer goes back into the simulation
    policy = jax.jit(lambda q: jax.numpy.tanh(q[:, :2]))
    sim.ctrl = policy(qpos)
    assert np.allclose(sim.ctrl, np.tanh(sim.qpos[:, :2]), atol=1e-15)
    sim.step()
    results = jax.numpy.from_dlpack(sim.xpos.copy())
    assert np.array_equal(results, sim.xpos)
    gradient = jax.grad(lambda q: (q**2).sum())(jax.numpy.asarray(sim.qvel))
    assert np.allclose(gradient, 2 * sim.qvel)
