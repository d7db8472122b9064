#!/bin/sh
# Installs the build into a prefix of its own, moves that prefix elsewhere (packages are relocated),
# and uses what is there as others would: with find_package, with pkg-config, from C, from the
# command line.
#
#   install_test.sh CMAKE BUILD SOURCE CC CXX
set -eu
cmake=$1 build=$2 source=$3 cc=$4 cxx=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$work/first" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "cmake --install failed"; }
mv "$work/first" "$work/prefix"
prefix=$work/prefix
library=$(dirname "$(find "$prefix" -name libparid.so)")
include=$prefix/include

# find_package
"$cmake" -S "$source/tests/install" -B "$work/guest" -DEXAMPLES="$source/examples" \
  -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "find_package(parid) failed"; }
"$cmake" --build "$work/guest" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "the CMake project does not build"; }
"$work/guest/ten_lines" >"$work/by_cmake"
"$work/guest/c_api" >"$work/c_by_cmake"
"$work/guest/motion" | grep -q "N m" || fail "the example motion.cpp does not run"
"$work/guest/control_and_code" | grep -q "multiplications" ||
  fail "control_and_code.cpp does not run"
"$work/guest/schedule" | grep -q "optimal" || fail "schedule.cpp does not run"
"$work/guest/eigen" | grep -q "N m" || fail "the example eigen.cpp does not run"
"$work/guest/own_number" | grep -q "in half precision" || fail "own_number.cpp does not run"

# Components and versions that are not there are refused with a reason.
refused() {  # WORDS-OF-FIND_PACKAGE EXPECTED
  mkdir -p "$work/refused"
  printf 'cmake_minimum_required(VERSION 3.16)\nproject(x LANGUAGES CXX)\nfind_package(%s)\n' "$1" \
    >"$work/refused/CMakeLists.txt"
  ! "$cmake" -S "$work/refused" -B "$work/refused/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 || fail "find_package($1) succeeds"
  grep -q "$2" "$work/log" || { cat "$work/log"; fail "find_package($1) does not say '$2'"; }
  rm -rf "$work/refused"
}
refused "parid REQUIRED COMPONENTS eignen" "there is no component 'eignen'"
refused "parid 99.0 REQUIRED" "version"

# pkg-config
export PKG_CONFIG_PATH=$library/pkgconfig
[ "$(pkg-config --variable=prefix parid | xargs realpath)" = "$(realpath "$prefix")" ] ||
  fail "parid.pc does not move with its prefix"
"$cxx" -std=c++20 "$source/examples/ten_lines.cpp" $(pkg-config --cflags --libs parid) -o \
  "$work/ten_lines"
"$cc" -std=c99 -Wall -Wextra -pedantic -Werror "$source/examples/c_api.c" \
  $(pkg-config --cflags --libs parid) -o "$work/c_api"
export LD_LIBRARY_PATH=$library
"$work/ten_lines" >"$work/by_pkg_config"
"$work/c_api" >"$work/c_by_pkg_config"
cmp "$work/by_cmake" "$work/by_pkg_config"
cmp "$work/c_by_cmake" "$work/c_by_pkg_config"
grep -q "joint" "$work/by_cmake" || fail "ten_lines printed $(cat "$work/by_cmake")"
grep -q "did you mean 'puma560'?" "$work/c_by_cmake" ||
  fail "c_api printed $(cat "$work/c_by_cmake")"

# Headers stand alone, with no include path but the prefix; the public ones also without templates
# or other libraries.
cd "$include"
find parid -name '*.hpp' ! -name eigen.hpp | sort | while read -r header; do echo "#include \"$header\""; done \
  >"$work/all.cpp"
public=$(ls parid/*.hpp | grep -v '^parid/eigen.hpp$')  # which is for those who have Eigen
for header in $public; do
  echo "#include \"$header\"" >"$work/one.cpp"
  "$cxx" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "$include" "$work/one.cpp" ||
    fail "$header does not compile alone"
  ! grep -nE '^ *template|#include <(Eigen|fmt|tbb|toml|tinyxml2|zip|nlohmann|CLI)' "$header" ||
    fail "$header is public"
done
for header in $public; do
  grep -o '#include "[^"]*"' "$header" | sed 's/#include "\(.*\)"/\1/' | while read -r used; do
    case " $(echo $public) parid/export.h " in
      *" $used "*) ;;
      *) fail "$header is public and includes $used, which is not" ;;
    esac
  done
done
if grep -rnE --exclude=eigen.hpp '#include <(Eigen|fmt|tbb|toml|tinyxml2|zip|nlohmann|CLI)' parid
then fail \
  "installed headers need other libraries"; fi
"$cxx" -std=c++20 -fsyntax-only -I "$include" "$work/all.cpp" ||
  fail "the installed headers do not compile together"
echo '#include "parid/parid.h"' >"$work/one.c"
"$cc" -std=c89 -pedantic -Wall -Wextra -Werror -fsyntax-only -I "$include" "$work/one.c" ||
  fail "parid.h is not C"

# The program
"$prefix/bin/parid" torque puma560 -o "$work/tau.csv"
[ "$(wc -l <"$work/tau.csv")" = 202 ] || fail "parid torque wrote $(wc -l <"$work/tau.csv") lines"
echo "install: find_package, pkg-config, C and the program work"
