"""Thixis: a contact simulator. Many environments of one model step together, with the same bits on any machine.

    import thixis
    model = thixis.Model.from_xml_path("humanoid.xml")
    sim = thixis.Sim(model, envs=1024, threads=2)
    sim.ctrl = 0.1
    sim.step(100)
    print(sim.qpos.mean(axis=0), sim.body("torso").xpos[:5])
"""

from ._fields import VERSION as __version__
from .errors import Closed, Error, Message, ModelError, UnknownName, Unsupported
from .model import Model
from .options import Options
from .sim import CONTACT, RAY_HIT, Sim

__all__ = ["CONTACT", "Closed", "Error", "Message", "Model", "ModelError", "Options", "RAY_HIT", "Sim", "UnknownName",
           "Unsupported", "__version__"]
