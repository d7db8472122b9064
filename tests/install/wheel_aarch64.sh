#!/bin/sh
# Unpacks the wheel for aarch64 beside the Python of a foreign root and uses both under QEMU;
# torques are compared with those of the program of this machine:
#
#   wheel_aarch64.sh WHEEL ROOT PROGRAM
set -eu
wheel=$(realpath "$1") root=$(realpath "$2") program=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "wheel_aarch64: $*" >&2; exit 1; }

/usr/bin/python3 -m zipfile -e "$wheel" "$work/packages"
chmod +x "$work/packages/parid/bin/parid"
export PYTHONPATH="$work/packages:$root/usr/lib/python3/dist-packages" QEMU_LD_PREFIX="$root"
export PYTHONHOME="$root/usr" PYTHONDONTWRITEBYTECODE=1
# BLAS, which NumPy needs, is in a folder that Debian's alternatives choose
export QEMU_SET_ENV="LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu/blas:$root/usr/lib/aarch64-linux-gnu/lapack"
there() { qemu-aarch64 -L "$root" "$@"; }

there "$work/packages/parid/bin/parid" --version
there "$work/packages/parid/bin/parid" torque puma560 -o "$work/there.csv"
"$program" torque puma560 -o "$work/here.csv"
cat >"$work/compare.py" <<'PY'
import sys
def numbers(path):
    with open(path) as file:
        return [float(x) for line in list(file)[1:] for x in line.split(",")]
there, here = numbers(sys.argv[1]), numbers(sys.argv[2])
assert len(there) == len(here) == 201 * 7, (len(there), len(here))
worst = max(abs(x - y) for x, y in zip(there, here))
assert worst <= 1e-12 * max(map(abs, here)), worst
print(f"largest difference of torques from this machine's: {worst:.1e} N m")
PY
/usr/bin/env -u PYTHONPATH -u PYTHONHOME /usr/bin/python3 "$work/compare.py" "$work/there.csv" \
  "$work/here.csv"
cat >"$work/first.py" <<'PY'
import platform
import numpy as np
import parid
assert platform.machine() == "aarch64"
r = parid.load("panda")
q = np.random.default_rng(1).uniform(r.lower, r.upper, (1000, 7))
zero = np.zeros_like(q)
tau = r.inverse_dynamics(q, zero, zero)
assert np.allclose(tau, r.gravity_torques(q), rtol=1e-12, atol=1e-12)
assert np.allclose(r.forward_dynamics(q, zero, tau), 0, atol=1e-9)
print(parid.__version__, parid.instruction_set(), tau[0])
PY
there "$root/usr/bin/python3.11" "$work/first.py" || fail "the module does not work"
echo "wheel for aarch64: the program and the module work under QEMU"
