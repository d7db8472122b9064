"""Projects for microcontrollers: a generated program with its build, tests and cost."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._results import FirmwareCost, Program

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._robot import Robot

    Array = NDArray[np.float64]

_FOLDER = Path(__file__).parent / "firmware"
_CPU = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]
_TOOLS = ("arm-none-eabi-gcc", "arm-none-eabi-nm", "qemu-system-arm")
_SAMPLES, _MOST_OUTPUTS = 8, 1024  # main.c has room for so many

#: method for the expected values, and the tolerance relative to the largest number of a sample
_REFERENCES: Dict[str, Tuple[str, float]] = {
    "inverse": ("inverse_dynamics", 2e-5),
    "forward": ("forward_dynamics", 5e-4),
    "mass": ("mass_matrix", 2e-5),
    "bias": ("bias", 2e-5),
    "gravity": ("gravity_torques", 2e-5),
    "jacobian": ("jacobian", 2e-5),
    "kinematics": ("kinematics", 2e-5),
    "inverse_gradient": ("inverse_gradient", 1e-4),
    "forward_gradient": ("forward_gradient", 2e-3),
}


def reference(robot: Robot, what: str, friction: bool,
              link: Optional[str]) -> Tuple[Callable[..., Any], float]:
    """The method that computes the expected values in double precision."""
    if what not in _REFERENCES or (friction and what != "inverse"):
        raise ValueError(f"target: there are no tests for {what!r}{' with friction' * friction}; "
                         f"choose from {', '.join(_REFERENCES)}, or generate without target")
    name, tolerance = _REFERENCES[what]
    method = getattr(robot, "inverse_dynamics_with_friction" if friction else name)
    if what in ("jacobian", "kinematics"):
        return lambda q: method(q, link), tolerance
    return method, tolerance


def _states(robot: Robot, names: List[str]) -> List[Dict[str, Array]]:
    random = np.random.default_rng(1)
    found = []
    for _ in range(_SAMPLES):
        q = robot.integrate(robot.neutral, random.uniform(-1, 1, robot.nv))
        if robot.nq == robot.nv:
            q = np.clip(q, robot.lower, robot.upper)
        state = {"q": q}
        state.update({n: random.uniform(-1, 1, robot.nv) for n in names if n != "q"})
        # the numbers that the program gets
        found.append({n: x.astype(np.float32).astype(float) for n, x in state.items()})
    return found


def _c_numbers(x: Array) -> str:
    return "".join(f"  {float(np.float32(v)).hex()}f,\n" for v in x.ravel())


def _samples(name: str, takes: Dict[str, int], gives: Dict[str, int], inputs: Array,
             outputs: Array, tolerance: float) -> str:
    arguments, at = [], 0
    for count in takes.values():
        arguments.append(f"in + {at}")
        at += count
    at = 0
    for count in gives.values():
        arguments.append(f"out + {at}")
        at += count
    errors = np.max(np.abs(outputs), axis=1) * tolerance + 1e-6
    return f"""/* Samples of {name} and their results by Parid in double precision. */

#include "{name}.h"
#include <stdint.h>

const uint32_t sample_count = {len(inputs)}, input_count = {inputs.shape[1]};
const uint32_t output_count = {outputs.shape[1]};
const float samples[] = {{
{_c_numbers(inputs)}}};
static const float expected[] = {{
{_c_numbers(outputs)}}};
static const float tolerances[] = {{
{_c_numbers(errors)}}};

void evaluate(const float* in, float* out);
void evaluate(const float* in, float* out) {{
  {name}({", ".join(arguments)});
  const uint32_t s = (uint32_t)(in - samples) / input_count;
  for (uint32_t k = 0; k < output_count; ++k) {{
    const float error = out[k] - expected[s * output_count + k];
    if (!(error <= tolerances[s] && -error <= tolerances[s])) __builtin_trap();
  }}
}}
"""


def project(robot: Robot, program: Program, friction: bool, link: Optional[str]) -> Program:
    """The program with a build for a Cortex-M4F, tests, and its cost where it can be measured."""
    compute, tolerance = reference(robot, program.what, friction, link)
    states = _states(robot, list(program.takes))
    for name, count in program.takes.items():
        if name not in ("q", "v", "a", "tau") or len(states[0][name]) != count:
            raise ValueError(f"target: there are no tests for the input {name!r}; leave inputs= out")
    inputs = np.array([np.concatenate([s[n] for n in program.takes]) for s in states])
    results = [compute(*(s[n] for n in program.takes)) for s in states]
    parts = [r if isinstance(r, tuple) else (r,) for r in results]
    outputs = np.array([np.concatenate([np.ravel(x) for x in p]) for p in parts])
    if outputs.shape[1] != sum(program.gives.values()) or outputs.shape[1] > _MOST_OUTPUTS:
        raise ValueError(f"target: {program.what!r} has {sum(program.gives.values())} results, "
                         f"at most {_MOST_OUTPUTS} can be tested")
    source = next(f for f in program.files if f.endswith(".c"))
    name = source[:-2]
    files = dict(program.files)
    files["samples.c"] = _samples(name, program.takes, program.gives, inputs, outputs, tolerance)
    for path in sorted(_FOLDER.iterdir()):
        if path.suffix in (".c", ".ld", ".cmake", ".txt"):
            files[path.name] = path.read_text(encoding="utf-8").replace("@NAME@", name)
    # CMake names objects after their sources
    files["cortex_m4.ld"] = files["cortex_m4.ld"].replace("*program.o(", f"*{name}.c.obj(")
    made = replace(program, files=files, target="cortex-m4")
    cost = measured(made, name) if all(map(shutil.which, _TOOLS)) else None
    files["README.md"] = _readme(made, name, cost)
    return replace(made, files=files, cost=cost)


def _readme(program: Program, name: str, cost: Optional[FirmwareCost]) -> str:
    figures = (f"{cost.instructions} instructions, {cost.code} bytes of code and constants, "
               f"{cost.stack} bytes of stack, {cost.data} bytes of static data ({cost.compiler}, "
               "-O2), measured under QEMU." if cost else
               "The cost was not measured: arm-none-eabi-gcc or qemu-system-arm was not installed.")
    return f"""# {name}

Generated by Parid for a Cortex-M4F: `{name}.c` and `{name}.h` are the program, the other files are
its build and its tests. {program.multiplications} multiplications, {program.additions} additions.

One evaluation: {figures}

    cmake -B build && cmake --build build && ctest --test-dir build
    cmake -B board -DCMAKE_TOOLCHAIN_FILE=cortex_m4.cmake && cmake --build board
    ctest --test-dir board
"""


def _ran(folder: str, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr  # semihosting writes to either


def measured(program: Program, name: str) -> FirmwareCost:
    """The cost of an evaluation: compiled, and run by QEMU one instruction at a time."""
    with tempfile.TemporaryDirectory() as folder:
        program.write(folder)
        gcc = ["arm-none-eabi-gcc", *_CPU, "-std=c99", "-O2"]
        _ran(folder, *gcc, "-c", f"{name}.c", "-o", f"{name}.c.obj")
        _ran(folder, *gcc, "-ffreestanding", "-c", "samples.c", "main.c")
        _ran(folder, *gcc, "-nostdlib", "-T", "cortex_m4.ld", f"{name}.c.obj", "samples.o",
             "main.o", "-o", "firmware.elf")
        symbols = {words[2]: int(words[0], 16)
                   for words in map(str.split, _ran(folder, "arm-none-eabi-nm",
                                                    "firmware.elf").splitlines())
                   if len(words) == 3}
        begin, end = symbols["program_begin"], symbols["program_end"]
        newer = "one-insn-per-tb" in _ran(folder, "qemu-system-arm", "--help")
        one_by_one = ["-accel", "tcg,one-insn-per-tb=on"] if newer else ["-singlestep"]
        said = _ran(folder, "qemu-system-arm", *one_by_one, "-M", "mps2-an386", "-display", "none",
                    "-monitor", "none", "-serial", "none", "-semihosting-config",
                    "enable=on,target=native", "-d", "exec,nochain", "-D", "trace", "-dfilter",
                    f"{begin}+{end - begin}", "-kernel", "firmware.elf")
        counts: List[int] = []
        for line in (Path(folder) / "trace").read_text().splitlines():
            at = re.match(r"Trace.*\[[0-9a-f]+/([0-9a-f]+)/", line)
            if at is None or not begin <= int(at[1], 16) < end:
                continue
            if int(at[1], 16) == symbols[name]:
                counts.append(0)
            counts[-1] += 1
        version = _ran(folder, "arm-none-eabi-gcc", "-dumpfullversion").strip()
        return FirmwareCost(
            instructions=max(counts),
            code=end - begin,
            data=symbols["program_data_end"] - symbols["program_data_begin"],
            stack=max(int(line.split()[0], 16) for line in said.splitlines()),
            compiler=f"gcc {version}",
        )
