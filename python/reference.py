"""Writes docs/python-reference.md: the arrays, sizes, parameters and options from the headers (through _fields.py), the
classes and their calls from the docstrings.

    python reference.py > docs/python-reference.md     with the package installed
"""

from __future__ import annotations

import inspect

import thixis
from thixis import _fields
from thixis.named import Element, Elements, SimElement

INTRODUCTION = """# Python: reference

Made by `python/reference.py` from the public headers and the docstrings; do not edit. The tour is [python.md](python.md).
"""


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def shape(sizes: tuple, lead: str = "") -> str:
    words = [lead] * bool(lead) + [str(s) for s in sizes]
    return "(" + ", ".join(words) + ("," if len(words) == 1 else "") + ")" if words else "1"


def arrays(title: str, table: dict, lead: str = "") -> str:
    text = f"\n### {title}\n| name | shape | meaning |\n|---|---|---|\n"
    return text + "".join(f"| `{n}` | {shape(s, lead)} | {cell(m)} |\n" for n, (_, s, m) in table.items())


def document(thing: object) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def members(cls: type, names: list[str] | None = None) -> str:
    text = ""
    for name, member in vars(cls).items():
        if name.startswith("_") or (names and name not in names):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        if isinstance(member, property) and member.__doc__:
            text += f"* `.{name}`: {document(member)}\n"
        elif inspect.isfunction(member):
            signature = str(inspect.signature(member)).replace("'", "")
            signature = signature.replace("(self, ", "(").replace("(cls, ", "(").replace("(self)", "()")
            text += f"* `{name}{signature}`: {document(member)}\n" if member.__doc__ else f"* `{name}{signature}`\n"
    return text


def reference() -> str:
    text = INTRODUCTION
    for title, cls in [("Model", thixis.Model), ("Sim", thixis.Sim), ("Options", thixis.Options)]:
        text += f"\n## {title}\n{document(cls)}\n\n{members(cls)}"
    text += f"\n## Elements\n{document(Element)}\n{document(SimElement)}\n\n{members(Elements)}"
    try:
        from thixis import gym
    except ImportError:
        pass
    else:
        for cls in (gym.VectorEnv, gym.Env):
            text += f"\n## thixis.gym.{cls.__name__}\n{document(cls)}\n\n{members(cls)}"
    text += "\n## Exceptions\n"
    for name in ("Error", "ModelError", "Message", "UnknownName", "Unsupported", "Closed"):
        text += f"* `thixis.{name}`: {document(getattr(thixis, name))}\n"
    text += "\n## Arrays of a simulation\n" + arrays("State: live, may be written", _fields.STATE, "envs")
    text += arrays("Results: read only", _fields.OUTPUT, "envs")
    text += "\n## A model\n### Sizes\n| name | meaning |\n|---|---|\n"
    text += "".join(f"| `{n}` | {cell(m)} |\n" for n, (_, m) in _fields.SIZES.items())
    text += arrays("Parameters: may differ per environment", _fields.GIVEN)
    text += arrays("Parameters that follow from others", _fields.DERIVED)
    text += arrays("Integers", _fields.INTS) + arrays("Other numbers", _fields.DATA)
    text += "\n## Options\n| name | kind | meaning |\n|---|---|---|\n"
    text += "".join(f"| `{n}` | {kind} | {cell(m)} |\n" for n, (kind, _, _, m) in _fields.OPTIONS.items())
    for name, dtype in [("contact", thixis.CONTACT), ("ray hit", thixis.RAY_HIT)]:
        text += f"\n## Fields of a {name}\n| name | type |\n|---|---|\n"
        text += "".join(f"| `{n}` | `{dtype.fields[n][0]}` |\n" for n in dtype.names)
    return text


if __name__ == "__main__":
    print(reference(), end="")
