"""Trains a linear policy by augmented random search (Mania, Guy and Recht 2018, version V2-t) in NumPy, on the CPU.

Half of the environments of a batch try a direction in the space of policies, the other half its opposite, and a few the
policy itself; a step goes along the directions that made the largest difference, weighted by it.

    python examples/train.py --task HalfCheetah --seed 0 --minutes 20 --target 2000 --out curve.csv
"""

import argparse
import time

import gymnasium
import numpy as np

import thixis.gym

SETTINGS = {  # directions, kept, step, noise, paid for being alive (left out while searching, as in the paper)
    "HalfCheetah": (30, 8, 0.02, 0.03, 0.0),
    "Hopper": (30, 8, 0.01, 0.025, 1.0),
    "Walker2d": (30, 20, 0.03, 0.025, 1.0),
}
TRIED = 4  # environments with the policy itself


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
    """One episode of every environment with its own policy: (returns, returns without what is paid for being alive)."""
    observations, _ = envs.reset(seed=seed)
    mean, deviation = scale.mean.copy(), scale.deviation
    alive = np.ones(envs.num_envs, bool)
    total, bare = np.zeros(envs.num_envs), np.zeros(envs.num_envs)
    count, sums, squares = 0, 0.0, 0.0
    while alive.any():
        seen = observations[alive]
        count, sums, squares = count + len(seen), sums + seen.sum(axis=0), squares + np.square(seen).sum(axis=0)
        actions = np.einsum("eao,eo->ea", policies, (observations - mean) / deviation)
        actions = np.clip(actions, envs.action_space.low, envs.action_space.high)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        total += alive * rewards
        bare += alive * (rewards - alive_pay)
        alive &= ~(terminated | truncated)
    scale.add(count, sums, squares)
    return total, bare, count


def train(task, seed, minutes, target, threads, report):
    directions, kept, step, noise, alive_pay = SETTINGS[task]
    envs = gymnasium.make_vec(f"thixis/{task}-v5", num_envs=2 * directions + TRIED, threads=threads)
    random = np.random.default_rng(seed)
    shape = (envs.single_action_space.shape[0], envs.single_observation_space.shape[0])
    policy, scale = np.zeros(shape), Scale(shape[1])
    begin, steps, curve = time.perf_counter(), 0, []
    while True:
        tries = random.standard_normal((directions, *shape))
        policies = np.concatenate([policy + noise * tries, policy - noise * tries, np.tile(policy, (TRIED, 1, 1))])
        total, bare, count = episodes(envs, policies, scale, alive_pay, int(random.integers(2**31)))
        steps += count
        earned, seconds = float(total[2 * directions :].mean()), time.perf_counter() - begin
        curve.append((steps, seconds, earned))
        report(f"{steps} steps, {seconds:.0f} s: return {earned:.0f}")
        recent = np.mean([c[2] for c in curve[-5:]])
        if (len(curve) >= 5 and recent >= target) or seconds > 60 * minutes:
            return policy, scale, curve
        plus, minus = bare[:directions], bare[directions : 2 * directions]
        best = np.argsort(-np.maximum(plus, minus))[:kept]
        spread = np.concatenate([plus[best], minus[best]]).std() + 1e-9
        policy = policy + step / (kept * spread) * np.einsum("d,dao->ao", plus[best] - minus[best], tries[best])


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
