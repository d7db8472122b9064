#!/bin/sh
# What README.md tells a newcomer, in a fresh Debian and in its order: first_steps.sh SOURCE
#
# CCACHE_ROOT names a folder with objects compiled before, for those who do this twice.
set -eu
source=$(realpath "$1")
. "$(dirname "$0")/fresh_debian.sh"
git clone -q "$source" "$root/root/parid"
cp "$source/tests/install/arm.urdf" "$root/root/"
environment=
if [ -n "${CCACHE_ROOT:-}" ]; then
  mkdir "$root/cache"
  mount --bind "$CCACHE_ROOT" "$root/cache"
  in_root sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends ccache' \
    >/dev/null 2>&1
  environment="-u LC_ALL LANG=C.UTF-8 CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DIR=/cache CCACHE_BASEDIR=/root/parid"
fi
there() \
  { in_root env $environment sh -c "set -e; cd /root/parid; PATH=\$PWD/build/release:\$PATH; $1"; }
step() { echo; echo "== $(($(date +%s) - began)) s: $1"; there "$1"; }

began=$(date +%s)
step './run demo'
test -s "$root/root/parid/build/demo/puma560-report.html" || fail "the demo wrote no page"
step 'parid check ../arm.urdf'
step 'parid torque ../arm.urdf -o torques.csv'
[ "$(wc -l <"$root/root/parid/torques.csv")" = 202 ] ||
  fail "parid torque wrote $(wc -l <"$root/root/parid/torques.csv") lines"
step \
  'parid motion ../arm.urdf -o motion.csv; parid torque ../arm.urdf motion.csv --plot torques.svg >again.csv; cmp torques.csv again.csv; ls -l torques.svg'
step 'parid report ../arm.urdf; ls -l *.html'
cat >"$root/root/five.py" <<'PY'
import parid
r = parid.load("../arm.urdf")
m = r.motion()
tau = r.inverse_dynamics(m.q, m.v, m.a)
print(tau.shape, tau[0])
PY
step './run python ../five.py'
there 'tail -n +2 torques.csv | head -1'
echo
echo "first steps: demo, own robot, Python, $(($(date +%s) - began)) s in all"
