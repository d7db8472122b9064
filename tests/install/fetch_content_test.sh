#!/bin/sh
# A project that fetches Parid's source tarball with FetchContent, without a network: it configures,
# has the targets, none of Parid's tests and benchmarks, and its sources compile against them. The
# library itself is not compiled once more.
#
#   fetch_content_test.sh CMAKE SOURCE CC CXX
set -eu
cmake=$1 source=$2 cc=$3 cxx=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "fetch_content: $*" >&2; exit 1; }
command -v ninja >/dev/null || { echo "fetch_content: ninja is not installed"; exit 77; }

tar -C "$source" --exclude=./build --exclude=./.git --exclude=node_modules \
  --transform 's|^\.|parid-source|' -czf "$work/parid.tar.gz" .
mkdir "$work/guest"
cp "$source/examples/ten_lines.cpp" "$source/examples/eigen.cpp" "$work/guest"
cat >"$work/guest/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.23)
project(guest LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(parid URL file://$work/parid.tar.gz
                     URL_HASH SHA256=$(sha256sum "$work/parid.tar.gz" | cut -d' ' -f1)
                     DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_MakeAvailable(parid)
add_executable(guest ten_lines.cpp)
target_link_libraries(guest PRIVATE parid::parid)
add_executable(with_eigen eigen.cpp)
target_link_libraries(with_eigen PRIVATE parid::eigen)
get_property(tests DIRECTORY \${parid_SOURCE_DIR} PROPERTY TESTS)
foreach(target eigen_test parid_bench _parid)
  if(TARGET \${target})
    message(FATAL_ERROR "a guest gets \${target}")
  endif()
endforeach()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  message(FATAL_ERROR "the guest's build type became \${CMAKE_BUILD_TYPE}")
endif()
TEXT
# A proxy that refuses everything, so that a download fails.
export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 CMAKE_CXX_COMPILER_LAUNCHER=
"$cmake" -G Ninja -S "$work/guest" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DPARID_PAGE=plain \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "FetchContent does not configure"; }
ninja -C "$work/build" -n guest with_eigen >"$work/log" ||
  { cat "$work/log"; fail "the targets cannot be built"; }
ninja -C "$work/build" -t query guest | grep -q "libparid" || fail "the guest does not link libparid"
# By their commands alone: ninja would compile the library first.
for object in CMakeFiles/guest.dir/ten_lines.cpp.o CMakeFiles/with_eigen.dir/eigen.cpp.o; do
  (cd "$work/build" && ninja -t commands -s "$object" >"$work/command" &&
    sh "$work/command" && [ -s "$object" ]) || fail "$object does not compile"
done
echo "fetch_content: the tarball configures and its users compile"
