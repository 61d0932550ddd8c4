#!/usr/bin/env python3
"""Work of a step: counted from the algorithms, counted by instruction, and measured.

  bench/count.py MODEL                 flops and bytes per stage, from the model's topology (thixis info --json)
  bench/count.py MODEL --callgrind     beside it what valgrind counts for one environment: instructions and flops per function
  bench/count.py MODEL --measure       beside it time, GF/s and part of the core's peak, for 1, 4 and 8 lanes
Options: --build DIR (build)  --steps N (1000, for --measure).  Output is Markdown, as in docs/performance.md.

A flop is one addition, subtraction or multiplication of doubles; divisions and square roots are listed apart. Products
that the source writes twice count once where a compiler may share them without changing a bit. Bytes are the numbers a stage
reads and writes, each once: its footprint for one environment. Formulas follow src/dynamics, src/linalg and
src/step/integrate.inl function by function; Euler with joint damping, no constraints.
"""
import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FREE, BALL, SLIDE, HINGE = range(4)

# flops of the functions of src/lane/vec.h and trig.h
DOT6, CROSS3, MAT_VEC, QUAT_MUL, QUAT_MAT, ROTATE = 11, 9, 15, 28, 31, 30
INERTIA_MUL, CROSS6, SINCOS = 42, 30, 50
PLACE = MAT_VEC + 3 + QUAT_MUL + QUAT_MAT


class Work:
    """flops, divisions, square roots and numbers touched, of one stage"""

    def __init__(self):
        self.flops = self.div = self.sqrt = self.numbers = 0
        self.parts = collections.OrderedDict()

    def add(self, part, flops, div=0, sqrt=0, numbers=0):
        self.flops, self.div, self.sqrt = self.flops + flops, self.div + div, self.sqrt + sqrt
        self.numbers += numbers
        self.parts[part] = self.parts.get(part, 0) + flops


class Model:
    def __init__(self, info):
        size, t = info["sizes"], info["topology"]
        self.nq, self.nv, self.nu = size["nq"], size["nv"], size["nu"]
        self.nbody, self.njnt, self.ngeom, self.nm = size["nbody"], size["njnt"], size["ngeom"], size["nm"]
        self.parent, self.jnt_type, self.jnt_body = t["body_parent"], t["jnt_type"], t["jnt_body"]
        self.dof_parent = t["dof_parent"]
        self.offset = [any(t["jnt_pos"][3 * j:3 * j + 3]) for j in range(self.njnt)]
        self.springs = sum(k != 0 for k in t["jnt_stiffness"])
        self.damped = any(t["dof_damping"])
        self.euler = info["options"]["integrator"] == "Euler"
        # entries of each row of the mass matrix: the dof and its ancestors
        self.row = []
        for d in range(self.nv):
            self.row.append(1 + (self.row[self.dof_parent[d]] if self.dof_parent[d] >= 0 else 0))
        assert sum(self.row) == self.nm
        # of them, dofs of a free root that only shift
        free = {self.jnt_body[j] for j in range(self.njnt) if self.jnt_type[j] == FREE}
        self.shifts, root = [], 0
        for d in range(self.nv):
            root = d if self.dof_parent[d] < 0 else root
            self.shifts.append(min(3, self.row[d]) if t["dof_body"][root] in free else 0)
        self.inner = sum(1 for i in range(1, self.nbody) if self.parent[i] != 0)
        self.roots = self.nbody - 1 - self.inner

    def joints(self, *types):
        return sum(self.jnt_type[j] in types for j in range(self.njnt))


def factor(m):
    return sum(n * n - 1 for n in m.row), m.nv


def solve(m):
    return sum(4 * (n - 1) + 1 for n in m.row)


def kinematics(m):
    w = Work()
    free_bodies = {m.jnt_body[j] for j in range(m.njnt) if m.jnt_type[j] == FREE}
    chained = m.nbody - 1 - len(free_bodies)
    w.add("body_poses", chained * (MAT_VEC + 3 + QUAT_MUL) + m.nbody * (QUAT_MAT + PLACE), numbers=m.nbody * (3 + 4 + 3 + 4) + m.nq)
    for j in range(m.njnt):
        kind, turn = m.jnt_type[j], 2 * (ROTATE + 3) if m.offset[j] else 0
        if kind == FREE:
            w.add("body_poses", 11, 1, 1)
        elif kind == SLIDE:
            w.add("body_poses", ROTATE + 7 + turn // 2)
        else:
            one = (ROTATE + 2 + SINCOS + 3 + QUAT_MUL, 0) if kind == HINGE else (ROTATE + 11 + QUAT_MUL, 1)
            w.add("body_poses", one[0] + turn, one[1], one[1])
    w.add("body_poses", 0, numbers=m.nbody * (3 + 4 + 9 + 3 + 9) + m.njnt * (3 + 3 + 1 + 3 + 3))
    w.add("tree_centres", 7 * (m.nbody - 1) + 3 * m.roots, m.roots, numbers=m.nbody * (1 + 3 + 1))
    w.add("body_inertias", 63 * (m.nbody - 1), numbers=m.nbody * (3 + 10))
    w.add("motion_axes", 12 * m.joints(HINGE) + 30 * m.joints(FREE, BALL), numbers=6 * m.nv)
    return w


def free_motion(m):
    w = Work()
    w.add("mass_matrix", 10 * m.inner + sum(INERTIA_MUL + DOT6 * (n - s) + 1 for n, s in zip(m.row, m.shifts)), numbers=20 * m.nbody + m.nm + 7 * m.nv)
    f, div = factor(m)
    w.add("tree_factor", f, div, numbers=m.nm + m.nv)
    translations = 3 * m.joints(FREE)
    w.add("velocities", translations + (CROSS6 + 12) * (m.nv - translations), numbers=6 * m.nbody + 6 * m.nv + m.nv)
    w.add("bias_force", 12 * m.nv + (2 * INERTIA_MUL + CROSS6 + 6) * (m.nbody - 1) + 6 * m.inner + DOT6 * m.nv,
          numbers=12 * m.nbody + m.nv)
    w.add("forces", 2 * m.nv + 3 * m.springs + 14 * m.nu + 3 * m.nv, numbers=9 * m.nv + 12 * m.nu + 6 * m.nbody)
    w.add("tree_solve", solve(m), numbers=m.nv)
    return w


def integrate(m):
    w = Work()
    if m.damped and m.euler:
        f, div = factor(m)
        w.add("tree_factor", f, div, numbers=2 * m.nm + m.nv)
        w.add("tree_solve", solve(m), numbers=m.nv)
        w.add("right side", 3 * m.nv, numbers=4 * m.nv)
    spins = m.joints(FREE, BALL)
    w.add("positions", 2 * m.nv + 2 * m.joints(SLIDE, HINGE) + 6 * m.joints(FREE) + spins * (11 + 9 + SINCOS + 5 + QUAT_MUL),
          2 * spins, 2 * spins, numbers=4 * m.nv + 3 * m.nq)
    return w


STAGES = {"kinematics": kinematics, "free_motion": free_motion, "integrate": integrate}


def command(*words, **more):
    return subprocess.run([str(x) for x in words], check=True, capture_output=True, text=True, **more).stdout


def compile_tool(build, name, folder):
    out = Path(folder) / name
    libraries = command("pkg-config", "--libs", "expat", "libpng", "zlib").split()
    for optional in ("qhull_r", "assimp"):
        if subprocess.run(["pkg-config", "--exists", optional]).returncode == 0:
            libraries += command("pkg-config", "--libs", optional).split()
    objects = [build / "libthixis.a"] if name != "peak" else []
    command("cc", "-std=gnu17", "-O2", "-no-pie", "-I", ROOT / "include", "-o", out, ROOT / "bench" / f"{name}.c", *objects,
            *libraries, "-lpthread", "-lm")
    return out


# ---- counted from the text -------------------------------------------------------------------------------------------

def print_counts(m, work):
    print("| stage | part | flops | / and √ | footprint [B] |\n|---|---|---:|---:|---:|")
    total = Work()
    for stage, w in work.items():
        for part, flops in w.parts.items():
            print(f"| | {part} | {flops} | | |")
        print(f"| **{stage}** | | **{w.flops}** | {w.div + w.sqrt} | {8 * w.numbers} |")
        total.add(stage, w.flops, w.div, w.sqrt, w.numbers)
    print(f"| **step** | | **{total.flops}** | {total.div + total.sqrt} | {8 * total.numbers} |")


# ---- counted by valgrind ---------------------------------------------------------------------------------------------

FLOP = re.compile(r"^v?(add|sub|mul)(sd|pd)$")
ROOT_OR_DIVISION = re.compile(r"^v?(div|sqrt)(sd|pd)$")


def mnemonics(binary):
    table = {}
    for line in command("objdump", "-d", "--no-show-raw-insn", binary).splitlines():
        found = re.match(r"^ *([0-9a-f]+):\s+(\S+)(.*)", line)
        if found:
            table[int(found[1], 16)] = (found[2], found[3])
    return table


def callgrind(binary, model, steps, folder):
    """function -> [instructions, flops, divisions and roots, memory operands]"""
    out = Path(folder) / f"callgrind.{steps}"
    command("valgrind", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no", f"--callgrind-out-file={out}", binary, model,
            steps, "dynamics")
    table, names = mnemonics(binary), {}
    count = collections.defaultdict(lambda: [0, 0, 0, 0])
    function, skip, here = "", False, 0
    for line in out.read_text().splitlines():
        named = re.match(r"^(c?fn)=\((\d+)\)(?: (.*))?", line)
        if named:
            if named[3]:
                names[named[2]] = named[3]
            if named[1] == "fn":
                function = names[named[2]]
            continue
        if line.startswith("calls="):
            skip = True  # the next line is the cost of the callee
            continue
        cost = re.match(r"^(0x[0-9a-f]+|\+\d+|-\d+|\*)(?: \S+)? (\d+)$", line)
        if not cost:
            continue
        here = here if cost[1] == "*" else here + int(cost[1]) if cost[1][0] in "+-" else int(cost[1], 16)
        if skip:
            skip = False
            continue
        n, (name, operands) = int(cost[2]), table.get(here, ("", ""))
        c = count[function]
        c[0] += n
        lanes = 2 if name.endswith("pd") else 1
        c[1] += n * lanes if FLOP.match(name) else 0
        c[2] += n * lanes if ROOT_OR_DIVISION.match(name) else 0
        c[3] += n if "(" in operands and not name.startswith(("lea", "nop")) else 0
    return count


def print_callgrind(build, model):
    with tempfile.TemporaryDirectory() as folder:
        binary = compile_tool(build, "steps", folder)
        few, many, steps = callgrind(binary, model, 20, folder), callgrind(binary, model, 120, folder), 100
    rows = []
    for name in many:
        rows.append((name, [(many[name][i] - few[name][i]) / steps for i in range(4)]))
    total = [sum(c[i] for _, c in rows) for i in range(4)]
    print("\n| function | instructions | flops | / and √ | memory operands | instructions per flop |\n|---|---:|---:|---:|---:|---:|")
    other = list(total)
    for name, c in sorted(rows, key=lambda r: -r[1][0])[:14]:
        if c[0] < 0.004 * total[0]:
            continue
        other = [o - x for o, x in zip(other, c)]
        print(f"| `{name}` | {c[0]:.0f} | {c[1]:.0f} | {c[2]:.0f} | {c[3]:.0f} | {c[0] / c[1]:.2f} |" if c[1] else
              f"| `{name}` | {c[0]:.0f} | 0 | 0 | {c[3]:.0f} | |")
    print(f"| others | {other[0]:.0f} | {other[1]:.0f} | {other[2]:.0f} | {other[3]:.0f} | |")
    print(f"| **step** | **{total[0]:.0f}** | **{total[1]:.0f}** | {total[2]:.0f} | {total[3]:.0f} | {total[0] / total[1]:.2f} |")


# ---- measured --------------------------------------------------------------------------------------------------------

def print_measured(build, model, work, steps):
    with tempfile.TemporaryDirectory() as folder:
        peak = dict((int(a), float(b)) for a, b in (line.split() for line in command(compile_tool(build, "peak", folder)).splitlines()))
    print("\n| lanes | stage | flops | ns | GF/s | of peak |\n|---:|---|---:|---:|---:|---:|")
    for lanes, target, envs in ((1, "auto", 1), (4, "avx2", 16), (8, "avx512", 32)):
        if lanes not in peak:
            print(f"| {lanes} | SKIPPED: no {target} here | | | | |")
            continue
        text = command(build / "thixis", "bench", model, "--json", "--no-constraint", "--envs", envs, "--target", target, "--steps",
                       steps, "--repeats", 9)
        result = json.loads(text)["results"][0]
        stages = {s: 1e3 * result["stages_us"][s] for s in result["stages_us"]}
        total, rest = 1e3 * result["us_per_step"], 1e3 * result["us_per_step"]
        for stage, w in work.items():
            rate = w.flops / stages[stage]
            rest -= stages[stage]
            print(f"| {lanes} | {stage} | {w.flops} | {stages[stage]:.0f} | {rate:.1f} | {100 * rate / peak[lanes]:.0f} % |")
        flops = sum(w.flops for w in work.values())
        print(f"| {lanes} | the rest (clock, detect, account, …) | 0 | {max(rest, 0):.0f} | | |")
        print(f"| {lanes} | **step** (peak {peak[lanes]:.1f} GF/s) | **{flops}** | **{total:.0f}** | **{flops / total:.1f}** | **{100 * flops / total / peak[lanes]:.0f} %** |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--build", default=ROOT / "build", type=Path)
    parser.add_argument("--callgrind", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--steps", default=1000, type=int)
    a = parser.parse_args()
    m = Model(json.loads(command(a.build / "thixis", "info", a.model, "--json")))
    work = {name: stage(m) for name, stage in STAGES.items()}
    print(f"{a.model}: nv {m.nv}, {m.nbody} bodies, {m.njnt} joints, {m.nm} entries of M\n")
    print_counts(m, work)
    if a.callgrind:
        print_callgrind(a.build, a.model)
    if a.measure:
        print_measured(a.build, a.model, work, a.steps)


if __name__ == "__main__":
    sys.exit(main())
