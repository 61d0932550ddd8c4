"""Ant, Humanoid, HalfCheetah, Hopper and Walker2d: the observations, rewards and starts of Gymnasium's v5
environments, on the model files of its wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gymnasium

from ..model import Model
from .vector import Env, VectorEnv


@cache
def _model(name: str) -> Model:
    path = Path(name)
    if not path.is_absolute() and len(path.parts) == 1:
        path = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / name
    return Model.from_xml_path(path)


class Locomotion(VectorEnv):
    """A robot that is paid for running along x: what the five have in common."""

    #: how many of the first coordinates are not seen
    hidden = 1

    def __init__(self, xml_file: str, num_envs: int = 1, frame_skip: int = 5, forward_reward_weight: float = 1.0,
                 ctrl_cost_weight: float = 0.1, reset_noise_scale: float = 0.1, normal_velocity: bool = False,
                 exclude_current_positions_from_observation: bool = True, healthy_reward: float = 0.0,
                 terminate_when_unhealthy: bool = False, **arguments: Any):
        self._forward_reward_weight, self._ctrl_cost_weight = forward_reward_weight, ctrl_cost_weight
        self._reset_noise_scale, self._normal_velocity = reset_noise_scale, normal_velocity
        self._skip = self.hidden if exclude_current_positions_from_observation else 0
        self._healthy_reward, self._terminate_when_unhealthy = healthy_reward, terminate_when_unhealthy
        super().__init__(_model(str(xml_file)), num_envs, frame_skip, **arguments)

    def start(self, env: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        model, scale = self.sim.model, self._reset_noise_scale
        qpos = model.qpos0 + random.uniform(-scale, scale, model.nq)
        if self._normal_velocity:
            return qpos, scale * random.standard_normal(model.nv)
        return qpos, random.uniform(-scale, scale, model.nv)

    def where(self) -> np.ndarray:
        """What is measured from step to step: x, or x and y."""
        return self.sim.qpos[:, 0].copy()

    def before_step(self) -> None:
        controls = self.sim.ctrl
        self._before = self.where()
        self._control_reward = -self._ctrl_cost_weight * (controls * controls).sum(axis=1)

    def velocity(self) -> np.ndarray:
        return (self.where() - self._before) / self.dt

    def healthy(self) -> np.ndarray:
        return np.ones(self.num_envs, bool)

    def terminated(self) -> np.ndarray:
        return ~self.healthy() if self._terminate_when_unhealthy else np.zeros(self.num_envs, bool)


class HalfCheetah(Locomotion):
    def __init__(self, num_envs: int = 1, xml_file: str = "half_cheetah.xml", **arguments: Any):
        super().__init__(xml_file, num_envs, normal_velocity=True, **arguments)

    def observe(self) -> np.ndarray:
        return np.concatenate([self.sim.qpos[:, self._skip :], self.sim.qvel], axis=1)

    def reward(self, actions: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        now = self.where()
        velocity = (now - self._before) / self.dt
        forward, control = self._forward_reward_weight * velocity, self._control_reward
        return forward + control, {"x_position": now, "x_velocity": velocity, "reward_forward": forward,
                                   "reward_ctrl": control}

    def reset_infos(self) -> dict[str, np.ndarray]:
        return {"x_position": self.where()}


class _Planar(Locomotion):
    """Hopper and Walker2d."""

    def __init__(self, xml_file: str, num_envs: int, healthy_z_range: tuple[float, float],
                 healthy_angle_range: tuple[float, float], frame_skip: int = 4, ctrl_cost_weight: float = 1e-3,
                 healthy_reward: float = 1.0, terminate_when_unhealthy: bool = True, reset_noise_scale: float = 5e-3,
                 **arguments: Any):
        self._z_range, self._angle_range = healthy_z_range, healthy_angle_range
        super().__init__(xml_file, num_envs, frame_skip, ctrl_cost_weight=ctrl_cost_weight,
                         healthy_reward=healthy_reward, terminate_when_unhealthy=terminate_when_unhealthy,
                         reset_noise_scale=reset_noise_scale, **arguments)

    def observe(self) -> np.ndarray:
        return np.concatenate([self.sim.qpos[:, self._skip :], np.clip(self.sim.qvel, -10, 10)], axis=1)

    def healthy(self) -> np.ndarray:
        z, angle = self.sim.qpos[:, 1], self.sim.qpos[:, 2]
        (low, high), (left, right) = self._z_range, self._angle_range
        return (low < z) & (z < high) & (left < angle) & (angle < right)

    def reward(self, actions: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        velocity, survive = self.velocity(), self.healthy() * self._healthy_reward
        forward, control = self._forward_reward_weight * velocity, self._control_reward
        return forward + survive + control, {"x_velocity": velocity, "reward_forward": forward, "reward_ctrl": control,
                                             "reward_survive": survive, **self.reset_infos()}

    def reset_infos(self) -> dict[str, np.ndarray]:
        return {"x_position": self.where(),
                "z_distance_from_origin": self.sim.qpos[:, 1] - self.sim.model.qpos0[1]}


class Hopper(_Planar):
    def __init__(self, num_envs: int = 1, xml_file: str = "hopper.xml",
                 healthy_state_range: tuple[float, float] = (-100.0, 100.0),
                 healthy_z_range: tuple[float, float] = (0.7, np.inf),
                 healthy_angle_range: tuple[float, float] = (-0.2, 0.2), **arguments: Any):
        self._state_range = healthy_state_range
        super().__init__(xml_file, num_envs, healthy_z_range, healthy_angle_range, **arguments)

    def healthy(self) -> np.ndarray:
        low, high = self._state_range
        within = [((low < a) & (a < high)).all(axis=1) for a in (self.sim.qpos[:, 2:], self.sim.qvel)]
        return super().healthy() & within[0] & within[1]


class Walker2d(_Planar):
    def __init__(self, num_envs: int = 1, xml_file: str = "walker2d_v5.xml",
                 healthy_z_range: tuple[float, float] = (0.8, 2.0),
                 healthy_angle_range: tuple[float, float] = (-1.0, 1.0), **arguments: Any):
        super().__init__(xml_file, num_envs, healthy_z_range, healthy_angle_range, **arguments)


class _Spatial(Locomotion):
    """Ant and Humanoid: contact forces are seen and cost something; places are those of the last results, as in
    Gymnasium's, so they are remembered from step to step."""

    hidden = 2
    needs_forward = True

    def __init__(self, *arguments: Any, **named: Any):
        self._place: np.ndarray | None = None
        self._forces: np.ndarray | None = None
        super().__init__(*arguments, **named)

    def measure(self) -> np.ndarray:
        """x and y of what is paid for, from the last results."""
        raise NotImplementedError

    def where(self) -> np.ndarray:
        return self._place

    def started(self, mask: np.ndarray) -> None:
        place = self.measure()
        if self._place is None:
            self._place, self._forces = place, np.zeros(self.sim.cfrc_ext.shape)
        self._place = np.where(mask[:, None], place, self._place)
        self._forces = np.where(mask[:, None, None], 0.0, self._forces)  # none are known before the first step

    def contact_forces(self) -> np.ndarray:
        if self._forces is None:
            return np.zeros((self.num_envs, self.sim.model.nbody, 6))
        return self._forces

    def paid(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Rewards and infos but for the contact cost."""
        self._place, self._forces = self.measure(), self.sim.cfrc_ext.copy()
        velocity = (self._place - self._before) / self.dt
        forward, survive = self._forward_reward_weight * velocity[:, 0], self.healthy() * self._healthy_reward
        control = self._control_reward
        return forward + survive + control, {
            "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_forward": forward,
            "reward_ctrl": control, "reward_survive": survive, **self.reset_infos()}

    def reset_infos(self) -> dict[str, np.ndarray]:
        qpos = self.sim.qpos
        return {"x_position": qpos[:, 0].copy(), "y_position": qpos[:, 1].copy(),
                "distance_from_origin": np.hypot(qpos[:, 0], qpos[:, 1])}


class Ant(_Spatial):
    camera = {"distance": 6.0}

    def __init__(self, num_envs: int = 1, xml_file: str = "ant.xml", ctrl_cost_weight: float = 0.5,
                 contact_cost_weight: float = 5e-4, healthy_reward: float = 1.0, main_body: int | str = 1,
                 terminate_when_unhealthy: bool = True, healthy_z_range: tuple[float, float] = (0.2, 1.0),
                 contact_force_range: tuple[float, float] = (-1.0, 1.0),
                 include_cfrc_ext_in_observation: bool = True, **arguments: Any):
        self._contact_cost_weight, self._main_body = contact_cost_weight, main_body
        self._z_range, self._force_range = healthy_z_range, contact_force_range
        self._see_forces = include_cfrc_ext_in_observation
        super().__init__(xml_file, num_envs, normal_velocity=True, ctrl_cost_weight=ctrl_cost_weight,
                         healthy_reward=healthy_reward, terminate_when_unhealthy=terminate_when_unhealthy, **arguments)

    def measure(self) -> np.ndarray:
        return self.sim.body(self._main_body).xpos[:, :2].copy()

    def healthy(self) -> np.ndarray:
        z = self.sim.qpos[:, 2]
        finite = np.isfinite(self.sim.qpos).all(axis=1) & np.isfinite(self.sim.qvel).all(axis=1)
        return finite & (self._z_range[0] <= z) & (z <= self._z_range[1])

    def observe(self) -> np.ndarray:
        parts = [self.sim.qpos[:, self._skip :], self.sim.qvel]
        if self._see_forces:
            forces = np.clip(self.contact_forces()[:, 1:], *self._force_range)
            parts.append(forces.reshape(self.num_envs, -1))
        return np.concatenate(parts, axis=1)

    def reward(self, actions: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        rewards, infos = self.paid()
        forces = np.clip(self._forces, *self._force_range)
        cost = self._contact_cost_weight * np.square(forces).sum(axis=(1, 2))
        return rewards - cost, {**infos, "reward_contact": -cost}


class Humanoid(_Spatial):
    camera = {"distance": 6.0}

    def __init__(self, num_envs: int = 1, xml_file: str = "humanoid.xml", forward_reward_weight: float = 1.25,
                 contact_cost_weight: float = 5e-7, contact_cost_range: tuple[float, float] = (-np.inf, 10.0),
                 healthy_reward: float = 5.0, terminate_when_unhealthy: bool = True,
                 healthy_z_range: tuple[float, float] = (1.0, 2.0), reset_noise_scale: float = 1e-2,
                 include_cinert_in_observation: bool = True, include_cvel_in_observation: bool = True,
                 include_qfrc_actuator_in_observation: bool = True, include_cfrc_ext_in_observation: bool = True,
                 **arguments: Any):
        self._contact_cost_weight, self._cost_range = contact_cost_weight, contact_cost_range
        self._z_range = healthy_z_range
        self._see = (include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation,
                     include_cfrc_ext_in_observation)
        super().__init__(xml_file, num_envs, forward_reward_weight=forward_reward_weight,
                         healthy_reward=healthy_reward, terminate_when_unhealthy=terminate_when_unhealthy,
                         reset_noise_scale=reset_noise_scale, **arguments)

    def measure(self) -> np.ndarray:
        mass = self.sim.model.body_mass
        return np.einsum("b,ebj->ej", mass, self.sim.xipos)[:, :2] / mass.sum()

    def healthy(self) -> np.ndarray:
        z = self.sim.qpos[:, 2]
        return (self._z_range[0] < z) & (z < self._z_range[1])

    def observe(self) -> np.ndarray:
        sim, n = self.sim, self.num_envs
        parts = [sim.qpos[:, self._skip :], sim.qvel]
        inertia, velocity, force, contact = self._see
        if inertia:
            parts.append(sim.cinert[:, 1:].reshape(n, -1))
        if velocity:
            parts.append(sim.cvel[:, 1:].reshape(n, -1))
        if force:
            parts.append(sim.qfrc_actuator[:, 6:])
        if contact:
            parts.append(self.contact_forces()[:, 1:].reshape(n, -1))
        return np.concatenate(parts, axis=1)

    def reward(self, actions: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        rewards, infos = self.paid()
        cost = self._contact_cost_weight * np.square(self._forces).sum(axis=(1, 2))
        cost = np.clip(cost, *self._cost_range)
        return rewards - cost, {**infos, "reward_contact": -cost}

    def reset_infos(self) -> dict[str, np.ndarray]:
        return {**super().reset_infos(), "tendon_length": self.sim.tendon_length.copy(),
                "tendon_velocity": self.sim.tendon_velocity.copy()}


class HalfCheetahEnv(Env):
    """One HalfCheetah."""

    task = HalfCheetah


class HopperEnv(Env):
    """One Hopper."""

    task = Hopper


class Walker2dEnv(Env):
    """One Walker2d."""

    task = Walker2d


class AntEnv(Env):
    """One Ant."""

    task = Ant


class HumanoidEnv(Env):
    """One Humanoid."""

    task = Humanoid
