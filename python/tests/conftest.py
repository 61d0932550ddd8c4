"""Models that the tests share."""

import pytest

import thixis

PENDULUM = """
<mujoco model="pendulum">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 2">
      <joint name="shoulder" axis="0 1 0" damping="0.1" range="-170 170" limited="true"/>
      <geom name="upper" type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      <body name="hand" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom name="lower" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <site name="tip" pos=".3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 .5">
      <freejoint name="fall"/>
      <geom name="ball" size=".1" friction=".8 .005 .0001"/>
    </body>
    <body name="target" mocap="true" pos="0 1 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="shoulder" gear="2" ctrlrange="-1 1"/>
    <position name="servo" joint="elbow" kp="5"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="where" objtype="site" objname="tip"/>
  </sensor>
  <keyframe>
    <key name="up" qpos="1 .5 1 0 .5 1 0 0 0" ctrl=".1 .2"/>
    <key name="down" qpos="-1 0 1 0 .5 1 0 0 0"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture(scope="session")
def model() -> thixis.Model:
    return thixis.Model.from_xml_string(PENDULUM, "pendulum.xml")


@pytest.fixture
def sim(model):
    return thixis.Sim(model, envs=5)
