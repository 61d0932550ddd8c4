"""The documentation: the tutorial runs, the reference is what the code says."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "python.md"


def test_the_tutorial_runs(tmp_path, monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", TUTORIAL.read_text(), re.S | re.M)
    assert len(blocks) > 8
    names = {"__name__": "tutorial"}
    for block in blocks:
        exec(compile(block, str(TUTORIAL), "exec"), names)


def test_the_reference_is_up_to_date(monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    monkeypatch.setitem(sys.modules, "thixis", sys.modules["thixis"])
    import reference
    text = (ROOT / "docs" / "python-reference.md").read_text()
    assert text == reference.reference(), "run python python/reference.py > docs/python-reference.md"


def test_every_array_and_parameter_has_a_docstring():
    import thixis
    for cls in (thixis.Sim, thixis.Model):
        for name in dir(cls):
            member = getattr(cls, name)
            if isinstance(member, property) and not name.startswith("_"):
                assert name in ("model", "envs", "threads", "name") or member.__doc__, name
