#!/bin/sh
# Unpacks Debian packages of another architecture, with all that they depend on, into a folder: the
# headers and libraries to cross-compile with, and the programs to run under QEMU. It needs neither
# root nor a foreign architecture in dpkg, because apt works on lists of its own.
#
#   foreign_root.sh ARCHITECTURE FOLDER PACKAGE…
set -eu
architecture=$1 root=$2
shift 2
mkdir -p "$root"
root=$(realpath "$root")
wanted="$architecture $*"
[ "$(cat "$root/.packages" 2>/dev/null)" != "$wanted" ] || exit 0

state=$root/.apt
mkdir -p "$state/lists/partial" "$state/archives/partial"
: >"$state/status"
apt() {
  apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" \
    -o Dir::State="$state" -o Dir::State::status="$state/status" \
    -o Dir::State::lists="$state/lists" -o Dir::Cache="$state" \
    -o Dir::Cache::archives="$state/archives" -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
    "$@"
}
apt update
apt install --download-only --yes --no-install-recommends "$@"
for package in "$state"/archives/*.deb; do dpkg -x "$package" "$root"; done
rm -rf "$state"
echo "$wanted" >"$root/.packages"
