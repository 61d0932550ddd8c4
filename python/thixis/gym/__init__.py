"""Gymnasium environments. `import thixis.gym`, then `gymnasium.make_vec("thixis/HalfCheetah-v5", num_envs=256)`."""

from __future__ import annotations

from .ids import register as _register
from .tasks import (Ant, AntEnv, HalfCheetah, HalfCheetahEnv, Hopper, HopperEnv, Humanoid, HumanoidEnv, Locomotion,
                    Walker2d, Walker2dEnv)
from .vector import Env, VectorEnv

__all__ = ["Ant", "AntEnv", "Env", "HalfCheetah", "HalfCheetahEnv", "Hopper", "HopperEnv", "Humanoid", "HumanoidEnv",
           "Locomotion", "VectorEnv", "Walker2d", "Walker2dEnv"]

_register()
