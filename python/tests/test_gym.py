"""Gymnasium environments against Gymnasium's own."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import thixis  # noqa: E402
import thixis.gym  # noqa: E402

TASKS = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "Walker2d"]


def reference(task, **arguments):
    pytest.importorskip("mujoco")
    return gymnasium.make(f"{task}-v5", **arguments)


@pytest.mark.parametrize("task", TASKS)
def test_the_checker_is_content(task):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env = gymnasium.make(f"thixis/{task}-v5", render_mode="rgb_array")
        check_env(env.unwrapped, skip_render_check=False)
    # Gymnasium's own environments get the same remarks about unbounded observations
    unexpected = [str(w.message) for w in caught if "infinity" not in str(w.message)]
    assert not [w for w in unexpected if "WARN" in w], unexpected
    assert env.unwrapped.render().shape == (480, 480, 3)
    env.close()


@pytest.mark.parametrize("task", TASKS)
def test_the_same_numbers_as_gymnasium(task):
    """50 physics steps from the same seed with the same actions, both solvers to the end. What remains is rounding; ctrl
    costs are summed in single precision there."""
    arguments = {} if task == "HalfCheetah" else {"terminate_when_unhealthy": False}
    ours = getattr(thixis.gym, task)(num_envs=3, **arguments)
    ours.sim.options.update(tolerance=0.0, iterations=1000)
    theirs = [reference(task, **arguments).unwrapped for _ in range(3)]
    for env in theirs:
        env.model.opt.tolerance, env.model.opt.iterations = 0, 1000  # PGS of the humanoid needs them
    observations, infos = ours.reset(seed=5)
    for i, env in enumerate(theirs):
        expected, info = env.reset(seed=5 + i)
        assert np.abs(observations[i] - expected).max() < 1e-13
        assert {k for k in infos if not k.startswith("_")} == set(info)
    random = np.random.default_rng(1)
    for _ in range(-(-50 // ours.frame_skip)):
        actions = random.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        observations, rewards, _, _, infos = ours.step(actions)
        for i, env in enumerate(theirs):
            expected, reward, _, _, info = env.step(actions[i])
            assert np.abs(observations[i] - expected).max() < 1e-8
            assert abs(rewards[i] - reward) < 1e-6
            assert {k for k in infos if not k.startswith("_")} == set(info)
            for key, value in info.items():
                assert np.allclose(infos[key][i], value, rtol=1e-6, atol=1e-6), key


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("task", ["Hopper", "Ant"])
def test_episodes_end_and_begin_as_in_sync_vector_env(task, mode):
    # a time limit of 7 makes the episodes of Ant end too; random hoppers fall after about 20 steps
    limit, count, steps = 7 if task == "Ant" else 30, 4, 45
    ours = getattr(thixis.gym, task)(num_envs=count, max_episode_steps=limit, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: reference(task, max_episode_steps=limit)] * count, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    observations, _ = ours.reset(seed=3)
    expected, _ = theirs.reset(seed=3)
    assert np.allclose(observations, expected, atol=1e-12)
    random, ended = np.random.default_rng(2), 0
    for _ in range(steps):
        actions = random.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        got, want = ours.step(actions), theirs.step(actions)
        assert np.allclose(got[0], want[0], atol=1e-6) and np.allclose(got[1], want[1], atol=1e-6)
        assert np.array_equal(got[2], want[2]) and np.array_equal(got[3], want[3])
        assert set(got[4]) == set(want[4])
        for key in want[4]:
            if key.startswith("_"):
                assert np.array_equal(got[4][key], want[4][key]), key
        done = want[2] | want[3]
        ended += done.sum()
        if mode == AutoresetMode.SAME_STEP and done.any():
            for i in np.flatnonzero(done):
                assert np.allclose(got[4]["final_obs"][i], want[4]["final_obs"][i], atol=1e-6)
                assert got[4]["final_info"]["x_position"][i] == pytest.approx(want[4]["final_info"]["x_position"][i])
        if mode == AutoresetMode.DISABLED and done.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                ours.step(actions)
            observations, _ = ours.reset(options={"reset_mask": done.copy()})
            expected, _ = theirs.reset(options={"reset_mask": done.copy()})
            assert np.allclose(observations, expected, atol=1e-6)
    assert ended >= 4


def returns(envs, seed, episodes, steps=None):
    """Sums of rewards of whole episodes under a random policy."""
    random = np.random.default_rng(seed)
    envs.reset(seed=seed)
    total, length, found = np.zeros(envs.num_envs), np.zeros(envs.num_envs, int), []
    while len(found) < episodes:
        actions = random.uniform(envs.action_space.low, envs.action_space.high).astype(np.float32)
        _, rewards, terminated, truncated, _ = envs.step(actions)
        total, length = total + rewards, length + 1
        for i in np.flatnonzero(terminated | truncated):
            found.append(total[i])
            total[i] = 0
    return found[:episodes]


@pytest.mark.parametrize("task, limit", [("Ant", 15), ("HalfCheetah", 40), ("Hopper", 1000), ("Humanoid", 1000),
                                         ("Walker2d", 1000)])
def test_random_policies_earn_the_same(task, limit):
    stats = pytest.importorskip("scipy.stats")
    ours = getattr(thixis.gym, task)(num_envs=20, max_episode_steps=limit, autoreset_mode="SameStep")
    theirs = SyncVectorEnv([lambda: reference(task, max_episode_steps=limit)] * 20,
                           autoreset_mode=AutoresetMode.SAME_STEP)
    a, b = returns(ours, 100, 100), returns(theirs, 4000, 100)
    assert stats.ttest_ind(a, b, equal_var=False).pvalue > 0.01


def test_make_vec_and_threads():
    envs = gymnasium.make_vec("thixis/HalfCheetah-v5", num_envs=16, threads=2)
    alone = gymnasium.make_vec("thixis/HalfCheetah-v5", num_envs=16, autoreset_mode="NextStep")
    assert envs.max_episode_steps == 1000 and envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    envs.reset(seed=1), alone.reset(seed=1)
    for _ in range(5):
        actions = envs.action_space.sample()
        assert np.array_equal(envs.step(actions)[0], alone.step(actions)[0])
    envs.close()
    with pytest.raises(thixis.Closed):
        envs.step(actions)


def test_wrong_use():
    envs = thixis.gym.Hopper(num_envs=3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(envs.action_space.sample())
    envs.reset(seed=[1, None, 3])
    for wrong in (np.zeros(3), np.zeros((2, 3)), np.zeros((3, 4)), "stay"):
        with pytest.raises(ValueError):
            envs.step(wrong)
    with pytest.raises(ValueError):
        envs.reset(seed=[1, 2])
    with pytest.raises(TypeError):
        envs.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(ValueError):
        envs.reset(options={"reset_mask": np.zeros(3, bool)})
    for wrong in (dict(frame_skip=0), dict(render_mode="human"), dict(max_episode_steps=0), dict(autoreset_mode="Soon"),
                  dict(num_envs=0)):
        with pytest.raises(ValueError):
            thixis.gym.Hopper(**wrong)


def test_an_environment_that_diverges_ends():
    envs = thixis.gym.HalfCheetah(num_envs=4)
    envs.reset(seed=1)
    envs.sim.qvel[2, 0] = 1e12
    terminated = envs.step(np.zeros((4, 6)))[2]
    assert terminated.tolist() == [False, False, True, False]
    observations, _, terminated, _, _ = envs.step(np.zeros((4, 6)))
    assert not terminated.any() and np.isfinite(observations).all()


def test_a_task_of_ones_own(model):
    class Swing(thixis.gym.VectorEnv):
        """Paid for the height of the hand."""

        needs_forward = True

        def reward(self, actions):
            return self.sim.body("hand").xpos[:, 2].copy(), {}

        def start(self, env, random):
            return self.sim.model.qpos0 + 0.01 * random.standard_normal(self.sim.model.nq), np.zeros(self.sim.model.nv)

    envs = Swing(model, num_envs=5, frame_skip=2, max_episode_steps=10)
    first, _ = envs.reset(seed=0)
    for _ in range(10):
        _, rewards, _, truncated, _ = envs.step(np.zeros((5, 2)))
    assert truncated.all() and rewards.shape == (5,) and first.shape == (5, 17)
