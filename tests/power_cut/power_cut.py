#!/usr/bin/python3
"""Simulates power cuts while parid writes files.

    power_cut.py PROGRAM FOLDER STATES

Each command runs once under strace, which records every change to files. A power cut after any of
them
leaves what has been synchronised, and any subset of the other writes, cut at sectors, in any order;
changes of
names (create, rename, link, unlink) that were not synchronised survive up to some point. The test
builds such
states and requires of each: an output is what it was before the command, or the whole new one; and
a batch
that is started again gives the bytes of an undisturbed run. After the command has ended, the new
output must
survive even if nothing that was not synchronised does.
"""

import os
import random
import re
import shutil
import subprocess
import sys

SECTOR = 512
CALLS = ("openat,open,creat,close,write,pwrite64,writev,pwritev,lseek,ftruncate,fallocate,rename,renameat,"
         "renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,mkdir,mkdirat,dup,dup2,dup3")


def traced(command, folder, log, environment):
    """Lines of strace, those that were interrupted joined, in the order in which calls ended."""
    run = subprocess.run(["strace", "-f", "-xx", "-s", "100000000", "-e", "trace=" + CALLS, "-o",
                          log] + command,
                         cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {run.returncode}: {run.stderr}")
    begun, lines = {}, []
    for line in open(log):
        pid, rest = line.rstrip("\n").split(None, 1)
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest[: -len("<unfinished ...>")]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", rest)
        if resumed:
            rest = begun.pop(pid) + resumed.group(1)
        lines.append(rest)
    return lines


def text_of(hexadecimal):
    return bytes.fromhex(hexadecimal.replace("\\x", ""))


class Inode:
    def __init__(self, content=b""):
        # synchronised; since then: (offset, bytes) or a new size
        self.content, self.changes = content, []


def applied(content, change):
    if isinstance(change, int):
        return content[:change].ljust(change, b"\0")
    offset, data = change
    return content.ljust(offset, b"\0")[:offset] + data + content[offset + len(data):]


class Disk:
    """What a folder holds: names and files as synchronised, and what has happened since."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {n: Inode(open(os.path.join(folder, n), "rb").read())
                      for n in os.listdir(folder)
                      if os.path.isfile(os.path.join(folder, n))}
        self.times = {n: os.stat(os.path.join(folder, n)).st_mtime_ns for n in self.names}
        # as programs see it; (name, inode or None) since
        self.seen, self.renamings = dict(self.names), []
        self.open_files = {}  # descriptor: [inode, offset]; the folder itself: None

    def name(self, path):
        full = os.path.normpath(os.path.join(self.folder, path))
        inside = os.path.dirname(full) == self.folder or full == self.folder
        return os.path.relpath(full, self.folder) if inside else None

    def set(self, name, inode):
        self.renamings.append((name, inode))
        if inode is None:
            self.seen.pop(name, None)
        else:
            self.seen[name] = inode

    def step(self, line):
        """True where the call changed something here."""
        call = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", line)
        if not call or int(call.group(3)) < 0:
            return False
        what, arguments, result = call.group(1), call.group(2), int(call.group(3))
        strings = [text_of(s) for s in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
        first = arguments.split(",")[0].strip()
        file = self.open_files.get(int(first)) if first.isdigit() else None
        if what in ("openat", "open", "creat"):
            name = self.name(strings[0].decode())
            self.open_files.pop(result, None)
            if name is None:
                return False
            if name == ".":
                self.open_files[result] = [None, 0]
                return False
            new = name not in self.seen
            if new and "O_CREAT" in arguments:
                self.set(name, Inode())
            if name not in self.seen:
                return False
            inode = self.seen[name]
            if "O_TRUNC" in arguments and not new:
                inode.changes.append(0)
            self.open_files[result] = [inode, 0]
            return new or "O_TRUNC" in arguments
        if what.startswith("rename"):
            old, to = self.name(strings[0].decode()), self.name(strings[1].decode())
            if old not in self.seen:
                return False
            inode = self.seen[old]
            self.renamings.append((to, inode, old))
            self.seen[to] = self.seen.pop(old)
            return True
        if what.startswith("link"):
            self.set(self.name(strings[1].decode()), self.seen[self.name(strings[0].decode())])
            return True
        if what.startswith("unlink"):
            name = self.name(strings[0].decode())
            if name not in self.seen:
                return False
            self.set(name, None)
            return True
        if what == "close":
            self.open_files.pop(int(first), None)
            return False
        if file is None:
            return False
        inode = file[0]
        if what in ("fsync", "fdatasync"):
            if inode is None:
                for change in self.renamings:
                    self.rename(self.names, change)
                self.renamings = []
            else:
                for change in inode.changes:
                    inode.content = applied(inode.content, change)
                inode.changes = []
            return True
        if inode is None:
            return False
        if what == "lseek":
            file[1] = result
            return False
        if what in ("write", "writev"):
            data = b"".join(strings)[:result]
            inode.changes.append((file[1], data))
            file[1] += result
            return True
        if what in ("pwrite64", "pwritev"):
            inode.changes.append((int(arguments.rsplit(",", 1)[1]), b"".join(strings)[:result]))
            return True
        if what == "ftruncate":
            inode.changes.append(int(arguments.rsplit(",", 1)[1]))
            return True
        if what == "fallocate":
            numbers = [int(x) for x in arguments.split(",")[-2:]]
            size = len(self.now(inode))
            if sum(numbers) > size:
                inode.changes.append(sum(numbers))
            return True
        return False

    @staticmethod
    def now(inode):
        content = inode.content
        for change in inode.changes:
            content = applied(content, change)
        return content

    @staticmethod
    def rename(names, change):
        if len(change) == 3:
            names.pop(change[2], None)
        if change[1] is None:
            names.pop(change[0], None)
        else:
            names[change[0]] = change[1]

    def after_cut(self, chance, folder, nothing_more=False):
        """Writes into `folder` what is left. A write may be cut at a sector; later ones may be
        there without."""
        names = dict(self.names)
        kept = 0 if nothing_more else chance.randint(0, len(self.renamings))
        for change in self.renamings[:kept]:
            self.rename(names, change)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, inode in names.items():
            content = inode.content
            for change in [] if nothing_more else inode.changes:
                if chance.random() < 0.5:
                    continue
                if not isinstance(change, int) and chance.random() < 0.5:
                    offset, data = change
                    cut = chance.randint(0, len(data) // SECTOR) * SECTOR
                    change = (offset, data[:cut] if chance.random() < 0.5 else data)
                content = applied(content, change)
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            if self.names.get(name) is inode and name in self.times and not inode.changes:
                os.utime(path, ns=(self.times[name], self.times[name]))


def read(path):
    return open(path, "rb").read() if os.path.exists(path) else None


def states(command, folder, chance, count, environment):
    """Some states that a power cut can leave, each built in its own turn; at last the one after the
    end."""
    disk = Disk(folder)
    lines = traced(command, folder, folder + ".log", environment)
    changes = []
    for number, line in enumerate(lines):
        if disk.step(line):
            changes.append(number)
    if not changes:
        sys.exit(f"{' '.join(command)}: strace saw no change to a file")
    cuts = sorted(chance.choice(changes) for _ in range(count))
    return lines, cuts


def check(name, prepare, command, outputs, again, count, base, environment):
    chance = random.Random(name)
    folder, left = os.path.join(base, name), os.path.join(base, name + ".left")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    prepare(folder)
    old = {o: read(os.path.join(folder, o)) for o in outputs}
    disk = Disk(folder)
    lines, cuts = states(command, folder, chance, count, environment)
    new = {o: read(os.path.join(folder, o)) for o in outputs}
    if any(new[o] is None or new[o] == old[o] for o in outputs):
        sys.exit(f"{name}: the command does not write its output")
    tried, seen_old, seen_new, resumed = 0, 0, 0, 0

    def look(what):
        nonlocal seen_old, seen_new, resumed
        for o in outputs:
            found = read(os.path.join(left, o))
            if found not in (old[o], new[o]):
                sys.exit(f"{name}: after a power cut {what}, {o} is neither the old one nor the new one")
            seen_old, seen_new = seen_old + (found == old[o]), seen_new + (found == new[o])
        if again and read(os.path.join(left, outputs[0])) is None:
            run = subprocess.run(command, cwd=left, env=environment, capture_output=True, text=True)
            if run.returncode == 2 and "--restart" in run.stderr:
                run = subprocess.run(command + ["--restart"], cwd=left, env=environment,
                                     capture_output=True, text=True)
            else:
                resumed += 1
            if run.returncode != 0 or read(os.path.join(left, outputs[0])) != new[outputs[0]]:
                sys.exit(f"{name}: started again after a power cut {what}: exit code {run.returncode}, "
                         f"not the same bytes: {run.stderr}")

    at = 0
    for number, line in enumerate(lines):
        disk.step(line)
        while at < len(cuts) and cuts[at] == number:
            disk.after_cut(chance, left)
            look(f"after call {number} of {len(lines)}")
            at, tried = at + 1, tried + 1
    disk.after_cut(chance, left, nothing_more=True)
    seen_new += 1
    for o in outputs:
        if read(os.path.join(left, o)) != new[o]:
            sys.exit(f"{name}: the command has ended, and a power cut loses {o}")
    if seen_old == 0 or seen_new == 0:
        sys.exit(f"{name}: {tried} states never showed the old and the new output: the test sees too little")
    print(f"{name}: {tried} states, {seen_old} outputs as before, {seen_new} whole"
          + (f", {resumed} batches went on without --restart" if again else ""), flush=True)
    return tried


def main():
    program, base = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    count = int(sys.argv[3])
    if not shutil.which("strace"):
        print("SKIPPED: strace is not installed")
        return 77
    if subprocess.run(["strace", "-o", os.devnull, "true"],
                      stderr=subprocess.DEVNULL).returncode != 0:
        print("SKIPPED: strace may not trace here")
        return 77
    shutil.rmtree(base, ignore_errors=True)
    os.makedirs(base)
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(base, "cache"))

    def nothing(folder):
        pass

    def old_files(*names):
        def prepare(folder):
            for n in names:
                with open(os.path.join(folder, n), "w") as file:
                    file.write("old\n")
        return prepare

    def motion(folder):
        subprocess.run([program, "motion", "planar2", "--rate", "2000", "-o", "in.h5"], cwd=folder,
                       check=True,
                       stdout=subprocess.DEVNULL)

    total = 0
    for name, prepare, command, outputs, again in (
            ("csv", old_files("out.csv"), ["torque", "puma560", "-o", "out.csv"], ["out.csv"],
             False),
            ("new-csv", nothing, ["torque", "puma560", "-o", "out.csv"], ["out.csv"], False),
            ("npz", old_files("out.npz"), ["torque", "puma560", "-o", "out.npz"], ["out.npz"],
             False),
            ("toml", old_files("out.toml"), ["convert", "panda", "out.toml"], ["out.toml"], False),
            ("report", old_files("out.html"), ["report", "planar2", "-o", "out.html"], ["out.html"],
             False),
            ("generate", old_files("planar2_inverse.c", "planar2_inverse.h"),
             ["generate", "planar2", "inverse", "-o", "."],
             ["planar2_inverse.c", "planar2_inverse.h"], False),
            ("batch", motion, ["batch", "planar2", "inverse", "in.h5", "out.h5", "--block", "200",
                               "--checkpoint", "0",
                               "--threads", "1", "--kernel", "generic"], ["out.h5"], True)):
        total += check(name, prepare, [program] + command, outputs, again, count, base, environment)
    print(f"{total} power cuts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
