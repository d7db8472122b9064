#!/bin/sh
# Installs the packages into a fresh Debian and tries them there: clean_root.sh FOLDER-OF-DEBS
# SOURCE
set -eu
debs=$(realpath "$1") source=$(realpath "$2")
. "$(dirname "$0")/fresh_debian.sh"
mkdir "$root/packages"
cp "$debs"/*.deb "$root/packages/"
in_root apt-get update -qq
in_root sh -c 'apt-get install -y -qq --no-install-recommends /packages/parid_*.deb' >/dev/null

cp "$source/tests/install/arm.urdf" "$root/tmp/"
in_root parid --version
in_root parid check /tmp/arm.urdf
in_root parid torque /tmp/arm.urdf -o /tmp/torques.csv
[ "$(wc -l <"$root/tmp/torques.csv")" = 202 ] ||
  fail "parid torque wrote $(wc -l <"$root/tmp/torques.csv") lines"

echo "The library, with a compiler"
in_root sh -c \
  'apt-get install -y -qq --no-install-recommends /packages/libparid*.deb g++ pkg-config' >/dev/null
cp "$source/examples/ten_lines.cpp" "$root/tmp/"
in_root sh -c \
  'cd /tmp && g++ -std=c++20 ten_lines.cpp $(pkg-config --cflags --libs parid) -o ten_lines && ./ten_lines'
in_root parid torque puma560 --kernel compiled -o /tmp/compiled.csv

if ls "$debs"/python3-parid_*.deb >/dev/null 2>&1; then
  echo "Python"
  in_root sh -c 'apt-get install -y -qq --no-install-recommends /packages/python3-parid_*.deb' \
    >/dev/null
  in_root python3 -c \
    'import parid; r = parid.load("/tmp/arm.urdf"); print(r.inverse_dynamics([0.5, 1.0], [0, 0], [0, 0]))'
fi
if ls "$debs"/parid-hdf5_*.deb >/dev/null 2>&1; then
  echo "HDF5"
  in_root sh -c '! dpkg -l | grep -i -e hdf5 -e openmpi' ||
    fail "HDF5 or MPI came with the other packages"
  in_root sh -c 'apt-get install -y -qq --no-install-recommends /packages/parid-hdf5_*.deb' \
    >/dev/null
  in_root parid motion planar2 -o /tmp/motion.h5
  in_root parid batch planar2 inverse /tmp/motion.h5 /tmp/tau.h5
fi
in_root sh -c 'dpkg -r $(dpkg-query -W -f "\${Package}\n" "*parid*" 2>/dev/null | grep parid)' \
  >/dev/null || fail "packages cannot be removed"
[ ! -e "$root/usr/lib/python3/dist-packages/parid" ] ||
  fail "python3-parid leaves $(ls -A "$root/usr/lib/python3/dist-packages/parid") behind"
echo "clean root: installed, used, removed"
