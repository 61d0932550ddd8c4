"""Models: loading, arrays, names, diagnostics, pickling."""

import pickle

import numpy as np
import pytest

import thixis

BAD = """<mujoco>
  <worldbody>
    <body><joint type="twist"/><geom size="1" colour="red"/></body>
    <body><joint name="a"/><joint name="a"/><geom size="-1"/></body>
  </worldbody>
</mujoco>"""


def test_sizes_and_arrays(model):
    assert (model.nq, model.nv, model.nu, model.nbody) == (9, 8, 2, 5)
    assert model.body_mass.shape == (5,) and model.body_pos.shape == (5, 3) and model.jnt_type.dtype == np.int32
    assert model.key_qpos.shape == (2, 9)
    # capsule: density 1000, radius .04, half length .2 along its axis
    volume = np.pi * 0.04**2 * 0.4 + 4 / 3 * np.pi * 0.04**3
    assert model.body("arm").mass == pytest.approx(1000 * volume, rel=1e-12)
    assert model.options.timestep == 0.002 and model.options.solver == "newton"


def test_arrays_are_constant_and_outlive_the_model():
    local = thixis.Model.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    mass = local.body_mass
    with pytest.raises(ValueError):
        mass[1] = 3
    expected = mass.copy()
    del local
    junk = [np.ones(1000) for _ in range(100)]
    assert np.array_equal(mass, expected) and junk


def test_names(model):
    assert model.names("joint") == ["shoulder", "elbow", "fall"]
    assert model.id("body", "hand") == 2 and model.id("body", -1) == 4
    assert model.joint("elbow").qposadr == 1 and model.joint("fall").armature.shape == (6,)
    with pytest.raises(thixis.UnknownName, match="did you mean 'hand'"):
        model.body("hnd")
    with pytest.raises(KeyError):
        model.geom("hand\0")
    with pytest.raises(IndexError, match="there are 3"):
        model.joint(3)
    with pytest.raises(TypeError):
        model.joint(1.5)
    with pytest.raises(AttributeError, match="constant"):
        model.body("hand").mass = 3
    with pytest.raises(AttributeError, match="body_mass|mass"):
        model.body("hand").mas


def test_every_problem_of_a_file_is_in_the_exception():
    with pytest.raises(thixis.ModelError) as caught:
        thixis.Model.from_xml_string(BAD, "bad.xml")
    errors = [m for m in caught.value.messages if m.severity == "error"]
    assert len(errors) >= 3
    assert {(m.file, m.line) for m in errors} >= {("bad.xml", 3)}
    assert all(str(m) in str(caught.value) for m in caught.value.messages)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.messages == caught.value.messages


def test_missing_file(tmp_path):
    with pytest.raises(thixis.ModelError, match="nothing.xml"):
        thixis.Model.from_xml_path(tmp_path / "nothing.xml")
    with pytest.raises(TypeError):
        thixis.Model.from_xml_path(3)
    with pytest.raises(ValueError, match="null character"):
        thixis.Model.from_xml_path("a\0b")


def test_bytes_and_files(model, tmp_path):
    again = pickle.loads(pickle.dumps(model))
    assert again.to_bytes() == model.to_bytes() and again.names("geom") == model.names("geom")
    model.save(tmp_path / "m.thixis")
    assert thixis.Model.from_xml_path(tmp_path / "m.thixis").to_bytes() == model.to_bytes()
    model.save_xml(tmp_path / "m.xml")
    assert np.array_equal(thixis.Model.from_xml_path(tmp_path / "m.xml").body_mass, model.body_mass)
    with pytest.raises(thixis.ModelError):
        thixis.Model.from_bytes(model.to_bytes()[:-8])
    with pytest.raises(TypeError):
        thixis.Model()
