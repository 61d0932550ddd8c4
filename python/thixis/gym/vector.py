"""Gymnasium environments that step together in one simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

import gymnasium
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ..model import Model
from ..sim import Sim


class VectorEnv(gymnasium.vector.VectorEnv):
    """`num_envs` environments of one model. A task is a subclass that says what is seen, what is rewarded, when an
    episode ends and how one begins: observe(), reward(), terminated(), start().

    autoreset_mode: NEXT_STEP (the default), SAME_STEP or DISABLED, as gymnasium.vector.AutoresetMode defines them.
    threads: of the simulation; results do not depend on it. max_episode_steps: after so many an episode is truncated.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    #: whether observe() of a fresh episode needs the results of forward(); qpos and qvel are there without
    needs_forward = False
    #: where the camera stands, see Sim.render()
    camera: dict[str, Any] = {}

    def __init__(self, model: Model, num_envs: int = 1, frame_skip: int = 1, max_episode_steps: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, threads: int = 1,
                 target: str = "auto", render_mode: str | None = None, width: int = 480, height: int = 480):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        if frame_skip < 1:
            raise ValueError(f"frame_skip must be at least 1, not {frame_skip}")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ValueError(f"max_episode_steps must be at least 1, not {max_episode_steps}")
        self.sim = Sim(model, envs=num_envs, threads=threads, target=target)
        self.num_envs, self.frame_skip, self.max_episode_steps = num_envs, frame_skip, max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode, self.width, self.height = render_mode, width, height
        self.dt = self.sim.options.timestep * frame_skip
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode,
                         "render_fps": int(np.round(1 / self.dt))}
        low, high = model.actuator_ctrlrange.astype(np.float32).T
        self.single_action_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, self.observe().shape[1:], np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._random: list[np.random.Generator | None] = [None] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._done = np.zeros(num_envs, bool)
        self._ready = False

    # ---- the task -----------------------------------------------------------------------------------------------------

    def observe(self) -> np.ndarray:
        """Observations (num_envs, …), a new array."""
        return np.concatenate([self.sim.qpos, self.sim.qvel], axis=1)

    def before_step(self) -> None:
        """Called before the simulation steps, with the controls set: remember what the reward needs."""

    def reward(self, actions: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """(rewards, infos) of the step that was taken."""
        return np.zeros(self.num_envs), {}

    def terminated(self) -> np.ndarray:
        """Which episodes have ended by their own rules."""
        return np.zeros(self.num_envs, bool)

    def start(self, env: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """(qpos, qvel) of a new episode of one environment."""
        return self.sim.model.qpos0, np.zeros(self.sim.model.nv)

    def started(self, mask: np.ndarray) -> None:
        """Called after the episodes in `mask` have begun."""

    def reset_infos(self) -> dict[str, np.ndarray]:
        """Infos of fresh episodes."""
        return {}

    # ---- Gymnasium ----------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None):
        """Begins new episodes: all, or those in options["reset_mask"]. A seed s gives environment i the random numbers
        of seed s + i, as SyncVectorEnv does."""
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = options["reset_mask"]
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
                raise TypeError("options['reset_mask'] must be an array of booleans")
            if mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"options['reset_mask'] must have shape ({self.num_envs},) and choose an environment")
            if not self._ready and not mask.all():
                raise gymnasium.error.ResetNeeded("the first reset is of all environments")
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"{self.num_envs} seeds are needed, not {len(seeds)}")
        for i in np.flatnonzero(mask):
            if seeds[i] is not None or self._random[i] is None:
                self._random[i], _ = seeding.np_random(seeds[i])
        self._ready = True
        self._begin(mask)
        return self.observe(), self._masked(self.reset_infos(), mask)

    def step(self, actions: np.ndarray):
        if not self._ready:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        actions, controls = np.asarray(actions), self.sim.ctrl
        if actions.shape != controls.shape:
            raise ValueError(f"actions must have shape {controls.shape}, not {actions.shape}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._done.any():
            raise gymnasium.error.ResetNeeded(f"environments {np.flatnonzero(self._done).tolist()} have ended: reset them")
        sim, mode, fresh = self.sim, self.autoreset_mode, self._done
        controls[...] = actions
        self.before_step()
        # whatever can be done before is done before: the simulation leaves nothing of Python in the processor's memory
        begins = mode is AutoresetMode.NEXT_STEP and bool(fresh.any())
        every, never = np.ones(self.num_envs, bool), np.zeros(self.num_envs, bool)
        sim.step(self.frame_skip)
        rewards, infos = self.reward(controls)
        terminated = self.terminated()
        if sim.any_diverged:
            terminated = terminated | sim.diverged
        if self.max_episode_steps:
            self._elapsed += 1
            truncated = self._elapsed >= self.max_episode_steps
        else:
            truncated = never
        if begins:
            # their episodes ended in the last step: this one begins the next
            observations = self.observe()
            self._begin(fresh)
            observations[fresh] = self.observe()[fresh]
            rewards = np.where(fresh, 0.0, rewards)
            terminated, truncated = terminated & ~fresh, truncated & ~fresh
            infos = self._mixed(infos, self.reset_infos(), fresh)
        else:
            observations = self.observe()
            infos = self._masked(infos, every)
        self._done = terminated | truncated
        if mode is AutoresetMode.SAME_STEP and self._done.any():
            done = self._done
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(done):
                final[i] = observations[i].copy()
            ended = {k: v for k, v in infos.items() if not k.startswith("_")}
            self._begin(done)
            observations[done] = self.observe()[done]
            infos = self._mixed(ended, self.reset_infos(), done)
            infos.update(final_obs=final, _final_obs=done.copy(), final_info=self._masked(ended, done),
                         _final_info=done.copy())
        return observations, np.asarray(rewards, np.float64), terminated, truncated, infos

    def _begin(self, mask: np.ndarray) -> None:
        """New episodes of the environments in `mask`."""
        sim = self.sim
        sim.reset(None if mask.all() else mask)
        for i in np.flatnonzero(mask):
            sim.qpos[i], sim.qvel[i] = self.start(int(i), self._random[i])
        if self.needs_forward:
            sim.forward()
        self._elapsed[mask] = 0
        self._done = self._done & ~mask
        self.started(mask)

    def _masked(self, infos: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, Any]:
        """Infos with the mask of each, as Gymnasium's have."""
        return {key: value for name, array in infos.items() for key, value in ((name, array), (f"_{name}", mask))}

    def _mixed(self, infos: dict[str, np.ndarray], fresh_infos: dict[str, np.ndarray], fresh: np.ndarray) -> dict[str, Any]:
        """Infos of the step, and of the beginning where episodes are fresh."""
        mixed = {} if fresh.all() else self._masked(infos, ~fresh)
        for name, array in fresh_infos.items():
            if name in infos:
                where = fresh.reshape(-1, *[1] * (array.ndim - 1))
                mixed[name], mixed[f"_{name}"] = np.where(where, array, infos[name]), np.ones(self.num_envs, bool)
            else:
                mixed[name], mixed[f"_{name}"] = array, fresh
        return mixed

    def render(self) -> tuple[np.ndarray, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(self.sim.render(e, self.width, self.height, self.camera) for e in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        self.sim.close()


class Env(gymnasium.Env):
    """One environment of a vectorised task, for programs that want just one."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}
    #: the vectorised task
    task: type[VectorEnv] = VectorEnv

    def __init__(self, render_mode: str | None = None, **arguments: Any):
        self._vector = self.task(num_envs=1, render_mode=render_mode, autoreset_mode=AutoresetMode.DISABLED, **arguments)
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.render_mode = render_mode
        self.metadata = {k: v for k, v in self._vector.metadata.items() if k != "autoreset_mode"}

    @property
    def sim(self) -> Sim:
        return self._vector.sim

    @staticmethod
    def _one(infos: dict[str, Any]) -> dict[str, Any]:
        return {name: value[0] for name, value in infos.items() if not name.startswith("_")}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self._vector._random = [self.np_random]
        observations, infos = self._vector.reset()
        return observations[0], self._one(infos)

    def step(self, action: np.ndarray):
        action = np.asarray(action)
        if action.shape != self.action_space.shape:
            raise ValueError(f"the action must have shape {self.action_space.shape}, not {action.shape}")
        self._vector._done[:] = False  # the caller may step on: Gymnasium's own environments allow it
        observations, rewards, terminated, truncated, infos = self._vector.step(action[None])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._one(infos)

    def render(self) -> np.ndarray | None:
        frames = self._vector.render()
        return None if frames is None else frames[0]

    def close(self) -> None:
        self._vector.close()
