"""The ids of the environments."""

from __future__ import annotations

from gymnasium.envs.registration import register as gymnasium_register
from gymnasium.envs.registration import registry

TASKS = ("Ant", "HalfCheetah", "Hopper", "Humanoid", "Walker2d")


def register() -> None:
    for task in TASKS:
        if f"thixis/{task}-v5" not in registry:
            gymnasium_register(id=f"thixis/{task}-v5", entry_point=f"thixis.gym.tasks:{task}Env",
                               vector_entry_point=f"thixis.gym.tasks:{task}", max_episode_steps=1000)
