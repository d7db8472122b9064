#!/bin/sh
# Installs the wheel into a fresh Debian that has Python, pip and NumPy and no compiler, and uses it
# there; then once more with a compiler: wheel_root.sh WHEEL SOURCE
set -eu
wheel=$(realpath "$1") source=$(realpath "$2")
. "$(dirname "$0")/fresh_debian.sh"
in_root apt-get update -qq
in_root apt-get install -y -qq --no-install-recommends python3 python3-numpy python3-pip >/dev/null
for word in cc gcc g++ clang; do
  ! in_root sh -c "command -v $word" || fail "there is a compiler, $word"
done
cp "$wheel" "$source/tests/install/arm.urdf" "$root/tmp/"
name=/tmp/$(basename "$wheel")
began=$(date +%s%N)
in_root python3 -m pip install -q --no-index --break-system-packages --root-user-action=ignore \
  "$name"
in_root python3 -c \
  'import parid; r = parid.load("panda"); print(r.inverse_dynamics(r.neutral, [0] * 7, [0] * 7))'
echo "pip install to first torque: $((($(date +%s%N) - began) / 1000000)) ms"

in_root parid --version
in_root python3 -m parid check /tmp/arm.urdf
in_root parid torque /tmp/arm.urdf -o /tmp/torques.csv
[ "$(wc -l <"$root/tmp/torques.csv")" = 202 ] ||
  fail "parid torque wrote $(wc -l <"$root/tmp/torques.csv") lines"
in_root parid report /tmp/arm.urdf -o /tmp/report.html >/dev/null
in_root parid generate panda inverse -o /tmp/generated >/dev/null
compile='import parid; print(parid.load("panda").compile("inverse")["inverse"])'
expected=interpreted
[ "$(uname -m)" = x86_64 ] && expected=machine
[ "$(in_root python3 -c "$compile")" = "$expected" ] ||
  fail "without a compiler the kernel is $(in_root python3 -c "$compile")"
in_root parid torque puma560 --kernel compiled -o /tmp/compiled.csv 2>&1 | grep -q "$expected" ||
  fail "the program does not report its kernel"
in_root apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
[ "$(in_root python3 -c "$compile")" = compiled ] ||
  fail "with a compiler the kernel is $(in_root python3 -c "$compile")"
in_root python3 -m pip uninstall -q -y --break-system-packages --root-user-action=ignore parid
[ -z "$(find "$root/usr/local" -name '*parid*')" ] ||
  fail "uninstalling leaves $(find "$root/usr/local" -name '*parid*') behind"
echo "wheel: installed, used without and with a compiler, removed"
