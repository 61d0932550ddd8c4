"""Makes thixis/_cdef.py (cffi declarations) and thixis/_fields.py (names, shapes and meanings) from include/thixis/*.h.

    python generate.py --cc cc --include include --out folder

The compiler's preprocessor reads the headers, so that a list of fields stands in one place only: the X-macro lists.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import tempfile
from pathlib import Path

import cffi

# lists of fields: (name here, macro, enumeration that numbers them or None)
LISTS = [
    ("STATE", "TX_STATE", "tx_array"),
    ("OUTPUT", "TX_OUTPUT", "tx_array"),
    ("SIZES", "TX_SIZES", "tx_size"),
    ("INTS", "TX_MODEL_INTS", "tx_model_int"),
    ("GIVEN", "TX_MODEL_GIVEN", "tx_param"),
    ("DERIVED", "TX_MODEL_DERIVED", "tx_param"),
    ("DATA", "TX_MODEL_DATA", "tx_model_data"),
    ("OPTION_NUMBERS", "TX_OPTION_NUMBERS", None),
    ("OPTION_COUNTS", "TX_OPTION_COUNTS", None),
    ("OPTION_OVERRIDES", "TX_OPTION_OVERRIDES", None),
    ("OPTION_SWITCHES", "TX_OPTION_SWITCHES", None),
]
# enumerations whose names users write: without their common prefix, in small letters
CHOICES = ["tx_target_choice", "tx_integrator", "tx_broadphase", "tx_narrowphase", "tx_geom_type", "tx_joint_type",
           "tx_element", "tx_sensor_type"]
SYSTEM_HEADERS = ["stdbool.h", "stddef.h", "stdint.h"]


def preprocess(cc: list[str], include: Path, text: str) -> str:
    """The text after the preprocessor; system headers count as empty, because cffi knows their types."""
    with tempfile.TemporaryDirectory() as empty:
        for name in SYSTEM_HEADERS:
            Path(empty, name).touch()
        command = [*cc, "-E", "-P", "-nostdinc", f"-I{empty}", f"-I{include}", "-x", "c", "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def declarations(cc: list[str], include: Path) -> str:
    text = preprocess(cc, include, '#include "thixis/thixis.h"\n')
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    return re.sub(r"_Static_assert\s*\([^;]*;", "", text)


def split(row: str) -> list[str]:
    """The columns of one row: separated by commas outside strings; neighbouring strings are one."""
    columns = re.findall(r'(?:"(?:[^"\\]|\\.)*"\s*|[^,"])+', row)
    columns = [c.strip() for c in columns]
    return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', c)) if c.startswith('"') else c for c in columns]


def lists(cc: list[str], include: Path) -> dict[str, list[list[str]]]:
    text = '#include "thixis/thixis.h"\n#define X(...) <row>__VA_ARGS__</row>\n'
    text += "".join(f"<list {name}> {macro}(X) </list>\n" for name, macro, _ in LISTS)
    text = preprocess(cc, include, text + "<list VERSION> X(TX_VERSION) </list>\n")
    found = {}
    for name, body in re.findall(r"<list (\w+)>(.*?)</list>", text, re.S):
        found[name] = [split(row) for row in re.findall(r"<row>(.*?)</row>", body, re.S)]
        if not found[name]:
            raise SystemExit(f"generate.py: no rows in {name}")
    return found


def enumeration(ffi: cffi.FFI, name: str) -> dict[str, int]:
    """name -> value, rising."""
    return dict(sorted(ffi.typeof(name).relements.items(), key=lambda member: member[1]))


def prefix_of(members: dict[str, int], first: str) -> str:
    """What stands before the names of a list in its enumeration, seen at the list's first row."""
    names = [n for n in members if n == f"TX_{first}" or n.endswith(f"_{first}")]
    return min(names, key=members.get).removesuffix(first)


def choices(ffi: cffi.FFI, name: str) -> dict[str, int]:
    """{"sphere": 2, ...}: without the count at the end."""
    members = enumeration(ffi, name)
    names = [n for n in members if not n.endswith("_COUNT")]
    prefix = names[0][: names[0].rindex("_") + 1]
    while not all(n.startswith(prefix) for n in names):
        prefix = prefix[: prefix[:-1].rindex("_") + 1]
    return {n.removeprefix(prefix).lower(): members[n] for n in names}


def shape(columns: list[str]) -> tuple[str | int, ...]:
    """Sizes per environment (or of the whole model): names of sizes and numbers."""
    sizes: list[str | int] = []
    for column in columns:
        column = column.replace("m->", "").replace(" ", "")
        if re.fullmatch(r"\d+", column):
            sizes.append(int(column))
        elif re.fullmatch(r"\w+", column):
            sizes.append(column)
        elif match := re.fullmatch(r"(\d+)\*(\w+)", column):
            sizes += [match[2], int(match[1])]
        else:
            sizes.append("*")  # asked of the library
    return tuple(s for s in sizes if s not in (1, "one"))


def numbered(ffi: cffi.FFI, enum: str, rows: list[list[str]], first: str) -> list[tuple]:
    """(name, number, shape, meaning) of each row; first: name of the enumeration's first row."""
    members = enumeration(ffi, enum)
    prefix = prefix_of(members, first)
    return [(r[1], members[prefix + r[0]], shape(r[2:-1]), r[-1]) for r in rows]


def properties(rows: list[tuple], call: str, dtype: str, lead: str) -> str:
    text = ""
    for name, number, sizes, meaning in rows:
        words = ", ".join([lead] * bool(lead) + [str(s) for s in sizes])
        words += "," if words and "," not in words else ""
        text += f'    @property\n    def {name}(self) -> NDArray[np.{dtype}]:\n'
        text += f'        """{meaning}; shape ({words})"""\n        return self.{call}({number})\n\n'
    return text


def fields(ffi: cffi.FFI, found: dict[str, list[list[str]]]) -> str:
    first: dict[str, str] = {}
    for name, _, enum in LISTS:
        if enum:
            first.setdefault(enum, found[name][0][0])
    rows = {name: numbered(ffi, enum, found[name], first[enum]) for name, _, enum in LISTS if enum and name != "SIZES"}
    members = enumeration(ffi, "tx_size")
    prefix = prefix_of(members, found["SIZES"][0][0])
    sizes = [(r[1], members[prefix + r[0]], r[-1]) for r in found["SIZES"]]

    text = '"""Made by python/generate.py from include/thixis: do not edit."""\n'
    text += "from __future__ import annotations\n\nimport numpy as np\nfrom numpy.typing import NDArray\n\n"
    text += f"VERSION = {found['VERSION'][0][0]!r}\n"
    for name, table in rows.items():
        text += f"#: name -> (number, shape, meaning)\n{name} = {{\n"
        text += "".join(f"    {n!r}: ({i}, {s!r}, {m!r}),\n" for n, i, s, m in table) + "}\n"
    text += "SIZES = {\n" + "".join(f"    {n!r}: ({i}, {m!r}),\n" for n, i, m in sizes) + "}\n"
    text += "#: name -> (kind, how many numbers, enumeration or None, meaning)\nOPTIONS = {\n"
    for row in found["OPTION_NUMBERS"] + found["OPTION_OVERRIDES"]:
        text += f"    {row[0]!r}: ('number', {int(row[1])}, None, {row[-1]!r}),\n"
    for row in found["OPTION_COUNTS"]:
        match = re.match(r"(tx_\w+)", row[-1])
        enum = match[1] if match and match[1] in CHOICES else None
        table = re.search(r"(tx_\w+_name)\(\)", row[-1])
        text += f"    {row[0]!r}: ('count', 1, {enum or (table and table[1])!r}, {row[-1]!r}),\n"
    for row in found["OPTION_SWITCHES"]:
        text += f"    {row[0]!r}: ('switch', 1, None, {row[-1]!r}),\n"
    text += "}\nCHOICES = {\n" + "".join(f"    {n!r}: {choices(ffi, n)!r},\n" for n in CHOICES) + "}\n\n\n"

    text += 'class SimArrays:\n    """The arrays of a simulation, a row per environment."""\n\n'
    text += "    def _state(self, number: int) -> NDArray[np.float64]:\n        raise NotImplementedError\n\n"
    text += "    def _output(self, number: int) -> NDArray[np.float64]:\n        raise NotImplementedError\n\n"
    for name, number, sizes_, meaning in rows["STATE"]:
        text += properties([(name, number, sizes_, meaning)], "_state", "float64", "envs")
        text += f"    @{name}.setter\n    def {name}(self, value) -> None:\n        self._state({number})[...] = value\n\n"
    text += properties(rows["OUTPUT"], "_output", "float64", "envs")

    text += '\nclass ModelArrays:\n    """The sizes and arrays of a model, read only."""\n\n'
    for method, kind in [("_size", "int"), ("_int", "NDArray[np.int32]"), ("_real", "NDArray[np.float64]"),
                         ("_data", "NDArray[np.float64]")]:
        text += f"    def {method}(self, number: int) -> {kind}:\n        raise NotImplementedError\n\n"
    for name, number, meaning in sizes:
        text += f'    @property\n    def {name}(self) -> int:\n        """{meaning}"""\n'
        text += f"        return self._size({number})\n\n"
    text += properties(rows["INTS"], "_int", "int32", "")
    text += properties(rows["GIVEN"] + rows["DERIVED"], "_real", "float64", "")
    text += properties(rows["DATA"], "_data", "float64", "")

    text += '\nclass OptionFields:\n    """The options of a simulation."""\n\n'
    text += "    def _get(self, name: str):\n        raise NotImplementedError\n\n"
    text += "    def _set(self, name: str, value) -> None:\n        raise NotImplementedError\n\n"
    for kind, rows_ in [("NUMBERS", found["OPTION_NUMBERS"] + found["OPTION_OVERRIDES"]),
                        ("COUNTS", found["OPTION_COUNTS"]), ("SWITCHES", found["OPTION_SWITCHES"])]:
        for row in rows_:
            bounds = f", {row[-3]} to {row[-2]}" if kind != "SWITCHES" else ""
            text += f"    @property\n    def {attribute(row[0])}(self):\n"
            text += f'        """{row[-1]}{bounds}"""\n        return self._get({row[0]!r})\n\n'
            text += f"    @{attribute(row[0])}.setter\n    def {attribute(row[0])}(self, value) -> None:\n"
            text += f"        self._set({row[0]!r}, value)\n\n"
    return text.rstrip() + "\n"


def attribute(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--include", type=Path, default=Path("include"))
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cc = options.cc.split(";")

    ffi = cffi.FFI()
    text = declarations(cc, options.include)
    ffi.cdef(text)
    ffi.set_source("thixis._cdef", None)
    options.out.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(options.out / "_cdef.py"))
    options.out.joinpath("_fields.py").write_text(fields(ffi, lists(cc, options.include)))


if __name__ == "__main__":
    main()
