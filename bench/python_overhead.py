"""What a call from Python costs over the C++ call: one sample, `out` given.

    ./run python bench/python_overhead.py

Prints nanoseconds per call, the best of many short rounds that take turns.
"""

import sys
import timeit

import numpy as np

import parid



def measure(name, compiled, calls=2000, rounds=60):
    r = parid.load(name)
    if compiled and r.compile() != {"inverse": "compiled"}:
        return None
    rng = np.random.default_rng(1)
    q, v, a = r.neutral, rng.uniform(-1, 1, r.nv), rng.uniform(-1, 1, r.nv)
    out, ask = np.empty(r.nv), r.inverse_dynamics
    with_out = timeit.Timer("ask(q, v, a, out=out)", globals=dict(ask=ask, q=q, v=v, a=a, out=out))
    without = timeit.Timer("ask(q, v, a)", globals=dict(ask=ask, q=q, v=v, a=a))
    cpp, given, new = [], [], []
    for _ in range(rounds):  # in turns, so that all meet the same machine
        cpp.append(r._nanoseconds(q, v, a, calls))
        given.append(with_out.timeit(calls) / calls * 1e9)
        new.append(without.timeit(calls) / calls * 1e9)
    return min(cpp), min(given), min(new)


def main():
    print(f"{'robot':<12}{'kernel':<10}{'C++':>9}{'out=':>9}{'over':>8}{'new array':>11}   (ns)")
    for name in sys.argv[1:] or ["puma560", "panda", "quadruped", "humanoid"]:
        for compiled in (False, True):
            figures = measure(name, compiled)
            if figures is None:
                continue
            cpp, given, new = figures
            kind = "compiled" if compiled else "generic"
            print(f"{name:<12}{kind:<10}{cpp:9.0f}{given:9.0f}{given - cpp:8.0f}{new:11.0f}")


if __name__ == "__main__":
    main()
