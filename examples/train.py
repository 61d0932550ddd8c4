"""Trains a linear policy by augmented random search (Mania, Guy and Recht 2018, version V2-t) with JAX, on the CPU.

Half of the environments of a batch try a direction in the space of policies, the other half its opposite, and a few the
policy itself; a step goes along the directions that made the largest difference, weighted by it.

    python examples/train.py --task HalfCheetah --seed 0 --minutes 20 --target 2000 --out curve.csv
"""

import argparse
import time

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np

import thixis.gym  # its environments: thixis/HalfCheetah-v5 and so on

jax.config.update("jax_platforms", "cpu")

SETTINGS = {  # directions, kept, step, noise, paid for being alive (left out while searching, as in the paper)
    "HalfCheetah": (30, 8, 0.02, 0.03, 0.0),
    "Hopper": (30, 8, 0.01, 0.025, 1.0),
    "Walker2d": (30, 20, 0.03, 0.025, 1.0),
}
TRIED = 4  # environments with the policy itself


@jax.jit
def act(policies, observations, mean, deviation, low, high):
    """The action of every environment's own policy."""
    return jnp.clip(jnp.einsum("eao,eo->ea", policies, (observations - mean) / deviation), low, high)


@jax.jit
def statistics(observations, alive):
    """Number, sum and squares of the observations of those that still run."""
    seen = jnp.where(alive[:, None], observations, 0.0)
    return alive.sum(), seen.sum(axis=0), jnp.square(seen).sum(axis=0)


@jax.jit
def policies_around(policy, tries, noise):
    return jnp.concatenate([policy + noise * tries, policy - noise * tries, jnp.tile(policy, (TRIED, 1, 1))])


def improve(policy, tries, plus, minus, kept, step):
    """A step along the directions that earned most, weighted by the difference they made."""
    best = jnp.argsort(-jnp.maximum(plus, minus))[:kept]
    spread = jnp.concatenate([plus[best], minus[best]]).std() + 1e-9
    return policy + step / (kept * spread) * jnp.einsum("d,dao->ao", plus[best] - minus[best], tries[best])


class Scale:
    """Running mean and deviation of the observations."""

    def __init__(self, size):
        self.count, self.mean, self.square = 0, np.zeros(size), np.zeros(size)

    def add(self, count, total, squares):
        mean = total / count
        both = self.count + count
        self.square += squares - count * mean**2 + (mean - self.mean) ** 2 * self.count * count / both
        self.mean += (mean - self.mean) * count / both
        self.count = both

    @property
    def deviation(self):
        return np.sqrt(np.maximum(self.square / max(self.count, 1), 1e-12)) if self.count else np.ones_like(self.mean)


def episodes(envs, policies, scale, alive_pay, seed):
    """One episode of every environment: (returns, returns without what is paid for being alive, steps)."""
    observations, _ = envs.reset(seed=seed)
    mean, deviation = jnp.asarray(scale.mean), jnp.asarray(scale.deviation)
    low, high = jnp.asarray(envs.single_action_space.low), jnp.asarray(envs.single_action_space.high)
    alive = np.ones(envs.num_envs, bool)
    total, bare = np.zeros(envs.num_envs), np.zeros(envs.num_envs)
    size = len(scale.mean)
    count, sums, squares = 0, np.zeros(size), np.zeros(size)
    while alive.any():
        n, sum_now, squares_now = statistics(observations, alive)
        actions = act(policies, observations, mean, deviation, low, high)
        count, sums, squares = count + int(n), sums + np.asarray(sum_now), squares + np.asarray(squares_now)
        observations, rewards, terminated, truncated, _ = envs.step(np.asarray(actions))
        total += alive * rewards
        bare += alive * (rewards - alive_pay)
        alive &= ~(terminated | truncated)
    scale.add(count, sums, squares)
    return total, bare, count


def train(task, seed, minutes, target, threads, report):
    directions, kept, step, noise, alive_pay = SETTINGS[task]
    envs = gymnasium.make_vec(f"thixis/{task}-v5", num_envs=2 * directions + TRIED, threads=threads)
    key = jax.random.key(seed)
    shape = (envs.single_action_space.shape[0], envs.single_observation_space.shape[0])
    policy, scale = jnp.zeros(shape), Scale(shape[1])
    begin, steps, curve = time.perf_counter(), 0, []
    while True:
        key, of_tries, of_start = jax.random.split(key, 3)
        tries = jax.random.normal(of_tries, (directions, *shape))
        policies = policies_around(policy, tries, noise)
        total, bare, count = episodes(envs, policies, scale, alive_pay, int(jax.random.randint(of_start, (), 0, 2**31 - 1)))
        steps += count
        earned, seconds = float(total[2 * directions :].mean()), time.perf_counter() - begin
        curve.append((steps, seconds, earned))
        report(f"{steps} steps, {seconds:.0f} s: return {earned:.0f}")
        recent = np.mean([c[2] for c in curve[-5:]])
        if (len(curve) >= 5 and recent >= target) or seconds > 60 * minutes:
            return policy, scale, curve
        plus, minus = jnp.asarray(bare[:directions]), jnp.asarray(bare[directions : 2 * directions])
        policy = improve(policy, tries, plus, minus, kept, step)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", choices=SETTINGS, default="HalfCheetah")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=20, help="stop after this time (20)")
    parser.add_argument("--target", type=float, default=np.inf, help="stop when five iterations in a row earn this on average")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="write the curve: steps, seconds, return")
    options = parser.parse_args()
    _, _, curve = train(options.task, options.seed, options.minutes, options.target, options.threads,
                        lambda line: print(line, flush=True))
    if options.out:
        np.savetxt(options.out, curve, fmt=["%d", "%.2f", "%.2f"], delimiter=",", header="steps,seconds,return")


if __name__ == "__main__":
    main()
