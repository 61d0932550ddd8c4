"""Model files that bench/zoo steps and tools/compare_models --zoo compares: where they are, and stand-ins for meshes that a copy lacks."""
import glob
import os
import re
import tempfile
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REFERENCE = os.path.join(os.path.dirname(ROOT), "shared", "reference", "mujoco")
WHEELS = ("gymnasium/envs/mujoco/assets", "dm_control/suite", "dm_control/locomotion", "gymnasium_robotics/envs", "mjlab",
          "mujoco_warp/test_data", "robosuite/models/assets")


def packages():
    return next(iter(sorted(glob.glob(os.path.join(ROOT, ".venv-peers", "lib", "python3*", "site-packages")))), "")


def default_folders():
    """(label, folder) of what is here; says what is not."""
    if os.path.isdir(REFERENCE):
        yield "reference", REFERENCE
    else:
        print(f"SKIPPED: {os.path.relpath(REFERENCE, ROOT)} is not here")
    for name in WHEELS:
        folder = os.path.join(packages(), name)
        if os.path.isdir(folder):
            yield name.split("/")[0] + ("/locomotion" if "locomotion" in name else ""), folder
        else:
            print(f"SKIPPED: no {name} (tools/peers{' --zoo' if 'robosuite' in name else ''} installs it)")


def parse(path):
    """The root of a file with <mujoco>, else None."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not re.search(r"<mujoco[\s>]", text):
        return None
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None


def included(root, folder):
    return {os.path.normpath(os.path.join(folder, element.get("file", ""))) for element in root.iter("include")}


def find_models(label, place, everything):
    """(name, file, folder of the robot): models below a folder, those that others include left out."""
    if os.path.isfile(place):
        yield os.path.splitext(os.path.basename(place))[0], place, os.path.dirname(place)
        return
    roots = {}
    for folder, _, names in os.walk(place):
        for name in names:
            if name.endswith(".xml"):
                path = os.path.join(folder, name)
                root = parse(path)
                if root is not None:
                    roots[os.path.normpath(path)] = root
    parts = set().union(*(included(root, os.path.dirname(path)) for path, root in roots.items())) if roots and not everything else set()
    for path in sorted(roots):
        if path not in parts:
            inside = os.path.relpath(path, place)
            robot = os.path.join(place, inside.split(os.sep)[0])
            yield f"{label}/{os.path.splitext(inside)[0]}", path, robot if os.path.isdir(robot) else place


# ---- missing files ---------------------------------------------------------------------------------------------------

def asset_files(path):
    """Files that meshes, height fields and textures of a model name, by MuJoCo's rules for folders."""
    folders, names, waiting, seen = {}, [], [path], set()
    while waiting:
        current = waiting.pop()
        root = parse(current) if current not in seen and os.path.isfile(current) else None
        seen.add(current)
        if root is None:
            continue
        waiting += included(root, os.path.dirname(path))
        for element in root.iter("compiler"):
            folders.update({k: v for k, v in element.attrib.items() if k in ("assetdir", "meshdir", "texturedir")})
        for tag, kind in (("mesh", "meshdir"), ("hfield", "assetdir"), ("texture", "texturedir")):
            names += [(kind, element.get("file")) for element in root.iter(tag) if element.get("file")]
    for kind, name in names:
        folder = folders.get(kind, folders.get("assetdir", ""))
        yield os.path.normpath(os.path.join(os.path.dirname(path), folder, name))


def link_tree(source, target):
    for folder, _, names in os.walk(source):
        copy = os.path.join(target, os.path.relpath(folder, source))
        os.makedirs(copy, exist_ok=True)
        for name in names:
            os.symlink(os.path.join(folder, name), os.path.join(copy, name))


def largest_other(path, robot):
    """The largest file with the same ending: beside the missing one, else anywhere in the robot's folder."""
    ending = "*" + os.path.splitext(path)[1]
    for pattern in (os.path.join(os.path.dirname(path), ending), os.path.join(robot, "**", ending)):
        found = [f for f in glob.glob(pattern, recursive=True) if os.path.isfile(f)]
        if found:
            return max(found, key=lambda f: (os.path.getsize(f), f))
    return None


def complete(path, robot, work):
    """The file to load, and how many files of the copy it lies in stand for missing ones."""
    missing = sorted({f for f in asset_files(path) if not os.path.exists(f)})
    missing = [f for f in missing if os.path.abspath(f).startswith(os.path.abspath(robot) + os.sep)]
    if not missing:
        return path, 0
    copy = tempfile.mkdtemp(dir=work)
    link_tree(os.path.abspath(robot), copy)
    count = 0
    for name in missing:
        other = largest_other(name, robot)
        place = os.path.join(copy, os.path.relpath(name, robot))
        if other and not os.path.lexists(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.symlink(os.path.abspath(other), place)
            count += 1
    return os.path.join(copy, os.path.relpath(path, robot)), count
