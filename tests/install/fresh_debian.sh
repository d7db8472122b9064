# Sourced: a fresh Debian in $root, gone at the end, with `in_root COMMAND…` to do something there.
#
# Needs root, debootstrap and a mirror (the machine's own, as apt has it; DEBIAN_MIRROR names
# another);
# DEBIAN_ROOT names a folder that debootstrap has filled before.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Suite: bookworm' 2>/dev/null | head -1)}
suite=${DEBIAN_SUITE:-bookworm}
root=$(mktemp -d)
cleanup() {
  umount "$root/proc" "$root/cache" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT
in_root() {
  chroot "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
fail() { echo "$(basename "$0" .sh): $*" >&2; exit 1; }

if [ -n "${DEBIAN_ROOT:-}" ]; then
  echo "A copy of $DEBIAN_ROOT in $root"
  cp -a --one-file-system "$DEBIAN_ROOT/." "$root"  # not a /proc that is mounted there
else
  echo "A minimal $suite from ${mirror:-the default mirror} in $root"
  debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
    { tail -20 "$root.log"; fail "debootstrap failed"; }
  rm -f "$root.log"
fi
mount -t proc proc "$root/proc" 2>/dev/null || echo "(without /proc)"
# how this machine reaches its mirror
for file in $(grep -ls '^ *Acquire' /etc/apt/apt.conf /etc/apt/apt.conf.d/* ||
  true); do cp "$file" "$root/etc/apt/apt.conf.d/"; done
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
