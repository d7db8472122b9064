#!/bin/sh
# Makes .deb packages of the build, unpacks them into a folder, and uses what is there as it would
# be used at
# its place: the program, the library from C++, the manual pages, the completions.
#
#   package_test.sh CPACK BUILD SOURCE CXX
set -eu
cpack=$1 build=$2 source=$3 cxx=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "package: $*" >&2; exit 1; }

"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$work/debs" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "cpack failed"; }
# The Python module and the one for HDF5 are packaged where they were built.
extra=
ls "$build"/python/parid/_parid*.so >/dev/null 2>&1 && extra="$extra python3-parid"
[ -e "$build/libparid-hdf5.so" ] && extra="$extra parid-hdf5"
for name in parid libparid1 libparid-dev $extra; do
  deb=$(ls "$work"/debs/${name}_*.deb) || fail "there is no package $name"
  dpkg-deb --info "$deb" control >"$work/$name.control"
  for field in Package Version Architecture Maintainer Section Description; do
    grep -q "^$field: " "$work/$name.control" || fail "$name has no $field"
  done
  dpkg-deb -x "$deb" "$work/root"
  [ -s "$work/root/usr/share/doc/$name/copyright" ] || fail "$name has no copyright"
done
grep -q '^Depends: .*libc6 (>= .*libfmt9' "$work/parid.control" ||
  fail "parid depends on $(grep ^Depends "$work/parid.control")"
! grep -q '^Depends: .*libparid' "$work/parid.control" || fail "parid needs no library package"
grep -q '^Depends: .*libc6' "$work/libparid1.control" ||
  fail "libparid1 depends on $(grep ^Depends "$work/libparid1.control")"
grep -q '^Depends: .*libparid1 (= ' "$work/libparid-dev.control" ||
  fail "libparid-dev does not depend on libparid1"
for name in parid libparid1; do
  ! grep -Eq '^(Depends|Recommends): .*(hdf5|mpi)' "$work/$name.control" ||
    fail "$name needs HDF5 or MPI: $(grep -E '^(Depends|Recommends)' "$work/$name.control")"
done
if [ -e "$work/root/usr/bin/parid-bench" ]; then fail "the benchmarks are not to be packaged"; fi

usr=$work/root/usr
"$usr/bin/parid" torque puma560 -o "$work/tau.csv"
[ "$(wc -l <"$work/tau.csv")" = 202 ] || fail "parid torque wrote $(wc -l <"$work/tau.csv") lines"
for page in parid parid-torque parid-generate; do
  [ -e "$usr/share/man/man1/$page.1.gz" ] || [ -e "$usr/share/man/man1/$page.1" ] ||
    fail "there is no page $page(1)"
done
bash -c "source '$usr/share/bash-completion/completions/parid' && complete -p parid" >/dev/null ||
  fail "bash does not take the completion"
[ -s "$usr/share/fish/vendor_completions.d/parid.fish" ] || fail "there is no completion for fish"
[ -n "$(find "$usr/share/zsh" -name _parid)" ] || fail "there is no completion for zsh"

library=$(dirname "$(find "$usr" -name 'libparid.so')")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
"$cxx" -std=c++20 "$source/examples/ten_lines.cpp" $(pkg-config --cflags --libs parid) -o \
  "$work/ten_lines"
"$work/ten_lines" | grep -q joint || fail "ten_lines does not run"

if [ -e "$work/parid-hdf5.control" ]; then
  grep -q '^Depends: .*libhdf5' "$work/parid-hdf5.control" ||
    fail "parid-hdf5 depends on $(grep ^Depends "$work/parid-hdf5.control")"
  # found from where the packages put it, by the program and by the library
  "$usr/bin/parid" motion planar2 -o "$work/motion.h5"
  "$usr/bin/parid" batch planar2 inverse "$work/motion.h5" "$work/tau.h5" ||
    fail "parid batch does not find its module"
  mv "$usr/lib" "$usr/elsewhere"
  if "$usr/bin/parid" torque planar2 "$work/motion.h5" >/dev/null 2>"$work/err"; then fail \
    "the module came from elsewhere"; fi
  grep -q 'parid-hdf5' "$work/err" || fail "without its module parid says $(cat "$work/err")"
  mv "$usr/elsewhere" "$usr/lib"
fi

if [ -e "$work/python3-parid.control" ]; then
  grep -q '^Depends: .*python3 (>= 3\.[0-9]*), python3 (<< 3\.' "$work/python3-parid.control" ||
    fail "python3-parid depends on $(grep ^Depends "$work/python3-parid.control")"
  for script in postinst prerm; do
    dpkg-deb --info "$(ls "$work"/debs/python3-parid_*.deb)" $script | sh -n ||
      fail "python3-parid has no $script"
  done
  PYTHONPATH=$(dirname "$(dirname "$(find "$usr" -path '*-packages/parid/__init__.py')")") \
    /usr/bin/python3 -c \
    'import parid; assert parid.load("puma560").nv == 6' || fail "python3-parid does not work"
fi
echo "package: $(ls "$work/debs" | grep -c '\.deb$') packages work"
