"""Pictures as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._native import check, ffi, lib, owned
from .errors import UnknownName

# parts of a camera, and what makes C's number of ours: angles are degrees here and radians there
_CAMERA = {"lookat": 1.0, "distance": 1.0, "azimuth": np.pi / 180, "elevation": np.pi / 180, "fovy": np.pi / 180}


def _free(scene: Any, camera: dict[str, Any], aspect: float) -> Any:
    azimuth, elevation = float(camera.get("azimuth", 135)), float(camera.get("elevation", -20))
    view = lib.tx_scene_camera(scene, np.radians(azimuth), np.radians(elevation), aspect)
    for name, value in camera.items():
        setattr(view, name, [float(v) for v in value] if name == "lookat" else _CAMERA[name] * float(value))
    return view


def _fixed(scene: Any, sim: Any, env: int, camera: int) -> Any:
    view = ffi.new("tx_camera *")
    check(lib.tx_scene_sim_camera(scene, sim, env, camera, view),
          f"camera {camera} cannot be drawn (orthographic, or fovy not 1 to 170 degrees)")
    return view[0]


def picture(sim: Any, env: int, width: int, height: int, camera: dict[str, Any] | int, contacts: bool,
            forces: bool) -> np.ndarray:
    """Environment `env` of a simulation's handle; a number is a camera of the model."""
    for name in camera if isinstance(camera, dict) else ():
        if name not in _CAMERA:
            raise UnknownName("part of a camera", name, _CAMERA)
    scene = owned(lib.tx_scene_create(), lib.tx_scene_destroy)
    if scene == ffi.NULL:
        raise MemoryError("no memory for a picture")
    definition = lib.tx_default_sim_scene_def()
    definition.contacts, definition.forces = bool(contacts), bool(forces)
    check(lib.tx_scene_add_sim(scene, sim, env, ffi.addressof(definition), ffi.NULL), "render")
    view = _free(scene, camera, width / height) if isinstance(camera, dict) else _fixed(scene, sim, env, camera)
    image = ffi.new("tx_image *")
    try:
        check(lib.tx_image_alloc(image, width, height), f"a picture of {width} x {height}")
        check(lib.tx_scene_render(scene, ffi.addressof(view), image), "this camera makes no picture")
        return np.frombuffer(ffi.buffer(image.rgb, 3 * width * height), np.uint8).reshape(height, width, 3).copy()
    finally:
        lib.tx_image_free(image)
