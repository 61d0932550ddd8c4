"""Pictures as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._native import check, ffi, lib, owned
from .errors import Error, UnknownName

_CAMERA = {"lookat": "lookat", "distance": "distance", "azimuth": "azimuth_deg", "elevation": "elevation_deg",
           "fovy": "fovy_deg"}


def picture(sim: Any, env: int, width: int, height: int, camera: dict[str, Any], contacts: bool,
            forces: bool) -> np.ndarray:
    """Environment `env` of a simulation's handle."""
    for name in camera:
        if name not in _CAMERA:
            raise UnknownName("part of a camera", name, _CAMERA)
    scene = owned(lib.tx_scene_create(), lib.tx_scene_destroy)
    if scene == ffi.NULL:
        raise MemoryError("no memory for a picture")
    definition = lib.tx_default_sim_scene_def()
    definition.contacts, definition.forces = bool(contacts), bool(forces)
    check(lib.tx_scene_add_sim(scene, sim, env, ffi.addressof(definition), ffi.NULL), "render")
    view = lib.tx_camera_fit_aspect(scene, float(camera.get("azimuth", 135)), float(camera.get("elevation", -20)),
                                    width / height)
    for name, value in camera.items():
        setattr(view, _CAMERA[name], [float(v) for v in value] if name == "lookat" else float(value))
    image = ffi.new("tx_image *")
    try:
        if not lib.tx_image_create(image, width, height):
            raise MemoryError(f"no memory for a picture of {width} x {height}")
        if not lib.tx_render(scene, ffi.addressof(view), image):
            raise Error("this camera makes no picture")
        return np.frombuffer(ffi.buffer(image.rgb, 3 * width * height), np.uint8).reshape(height, width, 3).copy()
    finally:
        lib.tx_image_free(image)
