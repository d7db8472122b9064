"""A program that a type checker must accept, and mistakes that it must see."""

from typing import List, Literal

import numpy as np
from numpy.typing import NDArray

import parid


def torques(path: str) -> NDArray[np.float64]:
    r = parid.load(path)
    m: parid.Motion = r.motion(rate=100)
    return r.inverse_dynamics(m.q, m.v, m.a, threads=2)


r: parid.Robot = parid.load("puma560").with_payload(2.0)
n: int = r.nv
names: List[str] = list(r.velocity_names)
M: NDArray[np.float64] = r.crba([0.0] * n)
g = r.inverse_gradient(np.zeros(n), np.zeros(n), np.zeros(n))
dq: NDArray[np.float64] = g.dq
findings: List[parid.Finding] = parid.check("puma560")
code: str = findings[0].code
files = r.generate("inverse", inputs=["gravity"]).files
text: str = files["puma560_inverse.c"]
length: int = r.schedule(4).makespan
safe: float = r.stability("exact")["exact"].safe

severity: Literal["error", "warning"] = findings[0].severity
r.compile("inverse", "forward_gradient")
what: Literal["mass", "bias"] = "mass"
r.generate(what, casadi=True)
r.schedule(2, "orin", tasks="stages", scheduler="heft")

r.generate("masses")  # type: ignore[arg-type]
r.compile("ik")  # type: ignore[arg-type]
r.schedule(2, scheduler="fastest")  # type: ignore[arg-type]
r.inverse_dynamics(np.zeros(n), np.zeros(n))  # type: ignore[call-arg]
r.generate(inputs=3)  # type: ignore[arg-type]
x: str = r.nq  # type: ignore[assignment]
