// parid batch on the command line: alone and under mpirun, on files that h5py wrote; and .h5
// motions of the other commands.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file/hdf5.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A command line for the shell, and what came of it.
Ran shell(const Scratch& scratch, const std::string& line) {
  const std::string out = scratch.path("shell.out"), err = scratch.path("shell.err");
  const int status = std::system(("(" + line + ") >" + out + " 2>" + err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out),
          content(err)};
}

class BatchProgram : public testing::Test {
 protected:
  // Runs Python with h5py as h5, NumPy as np, and d, the scratch folder.
  void python(const std::string& script) {
    const std::string file = scratch.file(
        "script.py", "import h5py as h5, numpy as np\nd = '" + scratch.path("") + "'\n" + script);
    const Ran ran = shell(scratch, "/usr/bin/python3 " + file);
    ASSERT_EQ(ran.code, 0) << script << ran.err;
  }
  static bool has(const char* command) { return std::system(command) == 0; }
  void need_h5py() {
    if (!has("/usr/bin/python3 -c 'import h5py' 2>/dev/null"))
      GTEST_SKIP() << "no h5py for /usr/bin/python3";
  }

  void write_input(std::size_t rows) {
    std::map<std::string, Array> arrays;
    for (const char* name : {"q", "v", "a", "tau"}) {
      Array x{{rows, 2}, {}};
      for (std::size_t k = 0; k < 2 * rows; ++k)
        x.data.push_back(std::sin(1.0 + 0.1 * static_cast<double>(k) * name[0]));
      arrays[name] = x;
    }
    write_hdf5(in, arrays);
  }

  Scratch scratch;
  const std::string in = scratch.path("in.h5"), out = scratch.path("out.h5");
};

TEST_F(BatchProgram, SaysWhatItDid) {
  write_input(1000);
  const std::string line = "batch planar2 forward " + in + " " + out;
  const nlohmann::json j = json_of(line + " --verify --json --threads 1 --block 100");
  EXPECT_EQ(j["schema"], "parid.batch/1");
  EXPECT_EQ(j["rows"], 1000);
  EXPECT_EQ(j["resumed_rows"], 0);
  EXPECT_EQ(j["bytes_read"], 1000 * 6 * 8);
  EXPECT_EQ(j["bytes_written"], 1000 * 2 * 8);
  EXPECT_EQ(j["ranks"], 1);
  EXPECT_EQ(j["kernel"], "generic");
  EXPECT_EQ(j["verified"]["rows"], 1000);
  EXPECT_LT(j["verified"]["max_relative_error"], 1e-12);
  EXPECT_EQ(j["robot_hash"].get<std::string>().size(), 16u);

  const Ran again = parid_line(line);
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, out + ": the file exists already; use --overwrite to replace it\n");
  EXPECT_EQ(again.out, "");
  const Ran over = parid_line(line + " --overwrite --verify 10");
  EXPECT_EQ(over.code, 0) << over.err;
  EXPECT_TRUE(contains(over.out, out + ": 1000 rows; ")) << over.out;
  EXPECT_TRUE(contains(over.out, "verified: 10 rows recomputed by newton_euler_")) << over.out;
}

TEST_F(BatchProgram, SpeaksPlainlyOfMistakes) {
  write_input(10);
  auto err = [&](const std::string& words, const Around& around = {}) {
    const Ran ran = parid_line("batch " + words, around);
    EXPECT_EQ(ran.code, 2) << words;
    return ran.err;
  };
  EXPECT_TRUE(contains(err("planar2 invers " + in + " " + out), "did you mean 'inverse'?"));
  EXPECT_TRUE(contains(err("planar9 inverse " + in + " " + out), "planar"));
  EXPECT_TRUE(contains(err("planar2 inverse " + in + " " + out + " --link link2"), "--link"));
  EXPECT_TRUE(contains(err("planar2 inverse " + in + " " + out + " --verify 0"), "--verify"));
  EXPECT_TRUE(contains(err("puma560 inverse " + in + " " + out), "dataset 'q' is (10, 2)"));
  const std::string none = err("planar2 inverse " + in + " " + out,
                               {.environment = {{"PARID_HDF5", "/nowhere/libparid-hdf5.so"}}});
  EXPECT_TRUE(contains(none, "libhdf5-openmpi-dev")) << none;
  const std::string motion =
      parid_line("torque planar2 " + in, {.environment = {{"PARID_HDF5", "/nowhere/x.so"}}}).err;
  EXPECT_TRUE(contains(motion, "libhdf5-openmpi-dev")) << motion;
}

// HDF5 must not try again at exit to close files that it could not close before.
TEST_F(BatchProgram, EndsInOrderWhereFilesMayNotGrow) {
  write_input(2000);
  for (const std::string& line :
       {"batch planar2 inverse " + in + " " + out, "torque planar2 " + in + " -o " + out}) {
    const Ran ran =
        shell(scratch, "ulimit -c 0; ulimit -f 20; " + std::string(PARID_PROGRAM " ") + line);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_TRUE(contains(ran.err, ": File too large; choose an existing, writable directory"))
        << ran.err;
    for (const std::string& name : scratch.names())
      EXPECT_FALSE(name.starts_with("out.h5")) << name;
  }
}

TEST_F(BatchProgram, ReadsWhatH5pyWrites) {
  need_h5py();
  python(R"(
rng = np.random.default_rng(1)
x = {n: rng.uniform(-1, 1, (500, 6)).astype('f4') for n in ('q', 'v', 'a')}
with h5.File(d + 'in.h5', 'w') as f:
    for n in x: f[n] = x[n].astype('f8')
with h5.File(d + 'other.h5', 'w') as f:
    f.create_dataset('q', data=x['q'], chunks=(64, 6), compression='gzip')
    f.create_dataset('v', data=x['v'].astype('>f8'))
    f.create_dataset('a', data=x['a'], dtype='f8', maxshape=(None, 6))
    f['words'] = 'beside them'
    f.create_group('more')
)");
  const std::string other = scratch.path("other.h5"), out2 = scratch.path("out2.h5");
  ASSERT_EQ(parid_line("batch puma560 inverse " + in + " " + out).code, 0);
  const Ran ran = parid_line("batch puma560 inverse " + other + " " + out2 + " --block 100");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(out), content(out2));
  ASSERT_EQ(parid_line("batch puma560 inverse " + in + " " + scratch.path("m.h5") +
                       " --float --overwrite")
                .code,
            0);
  ASSERT_EQ(
      parid_line("batch puma560 jacobian " + in + " " + scratch.path("j.h5") + " --link link3")
          .code,
      0);
  python(R"(
with h5.File(d + 'out.h5') as f, h5.File(d + 'm.h5') as m, h5.File(d + 'j.h5') as j:
    assert list(f) == ['tau'] and f['tau'].shape == (500, 6) and f['tau'].dtype == 'f8'
    a = dict(f.attrs)
    assert a['robot'] == 'puma560' and a['what'] == 'inverse' and a['schema'] == 'parid.batch/1', a
    assert len(a['robot_hash']) == 16 and a['kernel'] == 'generic', a
    assert m['tau'].dtype == 'f4' and np.abs(m['tau'][:] - f['tau'][:]).max() < 1e-3
    assert j['J'].shape == (500, 6, 6) and j.attrs['link'] == 'link3'
    assert np.all(j['J'][:, :, 3:] == 0) and np.abs(j['J'][:, 3:, :3]).max() > 0.9
)");
  python("f = h5.File(d + 'text.h5', 'w')\nfor n in 'qva': f[n] = np.full((3, 6), 'x', 'S1')\n");
  const Ran text = parid_line("batch puma560 inverse " + scratch.path("text.h5") + " " + out);
  EXPECT_TRUE(contains(text.err, "dataset 'q' does not contain plain numbers")) << text.err;
}

// A motion from elsewhere must not make us open other files of this machine.
TEST_F(BatchProgram, ReadsOnlyWhatStandsInTheFile) {
  need_h5py();
  python(R"(
x = np.zeros((4, 2))
with h5.File(d + 'other.h5', 'w') as f: f['q'] = x
x.tofile(d + 'raw')
def file(name, q):
    with h5.File(d + name, 'w') as f:
        f['v'], f['a'], f['hard'] = x, x, x
        q(f)
def external(f):
    f.create_dataset('q', (4, 2), 'f8', external=[(d + 'raw', 0, h5.h5f.UNLIMITED)])
def virtual(f):
    layout = h5.VirtualLayout((4, 2), 'f8')
    layout[:] = h5.VirtualSource(d + 'other.h5', 'q', (4, 2))
    f.create_virtual_dataset('q', layout)
def through(f):  # a soft link by way of one to another file
    f['way'] = h5.ExternalLink(d + 'other.h5', '/')
    f['q'] = h5.SoftLink('/way/q')
def hard(f): f['q'] = f['hard']
file('link.h5', lambda f: f.__setitem__('q', h5.ExternalLink(d + 'other.h5', 'q')))
file('external.h5', external)
file('virtual.h5', virtual)
file('through.h5', through)
file('hard.h5', hard)
)");
  for (const char* name : {"link.h5", "external.h5", "virtual.h5", "through.h5"}) {
    const std::string path = scratch.path(name),
                      why =
                          "a link, external storage or a virtual dataset: its data is not in this "
                          "file; copy the data into this file\n";
    const Ran torque = parid_line("torque planar2 " + path),
              batch = parid_line("batch planar2 inverse " + path + " " + out);
    EXPECT_EQ(torque.code, 2) << name;
    EXPECT_EQ(torque.err, path + ": dataset 'q': this is " + why);
    EXPECT_EQ(batch.code, 2) << name;
    EXPECT_EQ(batch.err, path + ": dataset 'q' is " + why);
  }
  EXPECT_EQ(parid_line("torque planar2 " + scratch.path("hard.h5")).code, 0);
}

// Two kilobytes that claim eight gigabytes; and numbers that no double holds.
TEST_F(BatchProgram, WhatIsReadWholeIsThereAndExact) {
  need_h5py();
  python(R"(
def file(name, rows, q):
    with h5.File(d + name, 'w') as f:
        for n in 'qva': q(f, n, rows)
def empty(f, n, rows): f.create_dataset(n, (rows, 2), 'f8', chunks=(100, 2))
file('vast.h5', 5 * 10**8, empty)
file('some.h5', 2 * 10**6, empty)
file('few.h5', 100, empty)
file('zip.h5', 10**6, lambda f, n, rows: f.create_dataset(n, data=np.zeros((rows, 2)), compression='gzip'))
file('whole.h5', 4, lambda f, n, rows: f.create_dataset(n, data=np.full((rows, 2), 2**53 - 1)))
file('round.h5', 4, lambda f, n, rows: f.create_dataset(n, data=np.full((rows, 2), 2**53 + 1)))
)");
  auto read = [&](const char* name) { Hdf5Arrays(scratch.path(name)).read("q"); };
  EXPECT_TRUE(contains(
      complaint([&] { read("vast.h5"); }),
      "dataset 'q': it unpacks from 0 to 8000000000 bytes, an implausible compression ratio; "));
  EXPECT_EQ(complaint([&] { read("few.h5"); }), "");
  EXPECT_EQ(complaint([&] { read("zip.h5"); }), "");
  EXPECT_EQ(complaint([&] { read("whole.h5"); }), "");
  EXPECT_TRUE(contains(complaint([&] { read("round.h5"); }),
                       "dataset 'q', row [0]: the value is an integer of 2^53 or more, which a "
                       "double cannot represent; store it as float64"));
  // Rows that pass by are never held together.
  EXPECT_NE(complaint([&] { read("some.h5"); }), "");
  const Ran some = parid_line("batch planar2 inverse " + scratch.path("some.h5") + " " + out);
  EXPECT_EQ(some.code, 0) << some.err;
}

TEST_F(BatchProgram, MotionsMayBeHdf5) {
  need_h5py();
  const std::string csv = scratch.path("m.csv"), h5 = scratch.path("m.h5"),
                    tau_csv = scratch.path("tau.csv"), tau = scratch.path("tau.h5"),
                    back = scratch.path("back.csv");
  ASSERT_EQ(parid_line("motion puma560 -o " + csv).code, 0);
  ASSERT_EQ(parid_line("motion puma560 -o " + h5).code, 0);
  const Ran by_csv = parid_line("torque puma560 " + csv),
            by_h5 = parid_line("torque puma560 " + h5);
  ASSERT_EQ(by_h5.code, 0) << by_h5.err;
  EXPECT_EQ(by_h5.out, by_csv.out);
  const Ran verified = parid_line("torque puma560 " + h5 + " --verify 50 -o " + tau);
  EXPECT_EQ(verified.code, 0);
  EXPECT_TRUE(contains(verified.err, "verified: 50 rows recomputed by newton_euler_"))
      << verified.err;
  EXPECT_EQ(json_of("torque puma560 --friction --verify --json")["verified"]["rows"], 201);
  const Ran wrong = parid_line("torque puma560 --method without_velocity_terms --verify");
  EXPECT_EQ(wrong.code, 1) << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "differ from newton_euler_")) << wrong.err;
  python(R"(
t = np.loadtxt(d + 'm.csv', delimiter=',', skiprows=1)
with h5.File(d + 'm.h5') as f, h5.File(d + 'tau.h5') as g:
    assert sorted(f) == ['a', 'q', 't', 'v'] and sorted(g) == ['t', 'tau']
    assert np.array_equal(np.column_stack([f['t'], f['q'], f['v'], f['a']]), t)
    assert g['tau'].shape == (201, 6) and np.array_equal(g['t'], f['t'])
)");
  // torques that drive a simulation, and a simulation as HDF5
  EXPECT_EQ(parid_line("simulate puma560 --torque " + tau + " --time 0.01 --limits none -o " +
                       scratch.path("s.h5"))
                .code,
            0);
  // a batch of the same motion, the same torques
  ASSERT_EQ(parid_line("batch puma560 inverse " + h5 + " " + out).code, 0);
  python(R"(
with h5.File(d + 'tau.h5') as g, h5.File(d + 'out.h5') as o:
    assert np.array_equal(g['tau'], o['tau'])
)");
  EXPECT_TRUE(contains(parid_line("torque puma560 " + out).err, "there is no array 'q'"));
}

// ---- under mpirun

// What Open MPI itself does not free is not counted by the address sanitizer, nor in which order it
// takes its own locks by the thread sanitizer.
constexpr const char* mpirun =
    "mpirun --oversubscribe --allow-run-as-root -x ASAN_OPTIONS=detect_leaks=0 "
    "-x TSAN_OPTIONS=detect_deadlocks=0 -n ";

class Ranked : public BatchProgram {
 protected:
  void SetUp() override {
    if (!has("command -v mpirun >/dev/null")) GTEST_SKIP() << "no mpirun";
    write_input(20'000);
  }
  std::string words(const std::string& more = "") const {
    return "batch planar2 inverse " + in + " " + out + " --threads 1 --kernel generic " + more;
  }
  std::string alone() {
    EXPECT_EQ(parid_line(words()).code, 0);
    std::string bytes = content(out);
    std::filesystem::remove(out);
    return bytes;
  }
};

TEST_F(Ranked, ManyProcessesWriteTheSameBytes) {
  const std::string bytes = alone();
  for (const int size : {2, 3}) {
    const Ran ran = shell(scratch, mpirun + std::to_string(size) + " " PARID_PROGRAM " " +
                                       words("--block 700 --verify 20 --json"));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const nlohmann::json j = nlohmann::json::parse(ran.out);
    EXPECT_EQ(j["ranks"], size);
    EXPECT_EQ(j["bytes"], 20'000 * 8 * 8);
    EXPECT_EQ(content(out), bytes);
    std::filesystem::remove(out);
  }
  const Ran wrong = shell(
      scratch, std::string(mpirun) + "2 " PARID_PROGRAM " batch puma560 inverse " + in + " " + out);
  EXPECT_EQ(wrong.code, 2);
  const std::size_t at = wrong.err.find("dataset 'q' is (20000, 2)");
  EXPECT_NE(at, std::string::npos) << wrong.err;
  EXPECT_EQ(wrong.err.find("dataset 'q'", at + 1), std::string::npos) << "told once";
}

// The second process is killed: mpirun ends the job and reports it; the next run continues.
TEST_F(Ranked, AProcessThatIsKilledLosesNothing) {
  const std::string bytes = alone(), program = PARID_PROGRAM;
  const std::string slow = program + " " + words("--block 16 --checkpoint 0");
  // as soon as the journal, whose header is one page, has a block
  const std::string script = scratch.file(
      "killed.sh", "[ $OMPI_COMM_WORLD_RANK = 1 ] || exec " + slow + "\n" + slow +
                       " &\np=$!\nfor k in $(seq 2000); do\n  [ \"$(tail -c +4097 " + out +
                       ".journal 2>/dev/null | tr -d '\\000' | wc -c)\" -gt 0 ] && break\n"
                       "  sleep 0.005\ndone\nkill -9 $p\nkill -9 $$\n");
  const Ran ran = shell(scratch, std::string(mpirun) + "2 sh " + script);
  EXPECT_NE(ran.code, 0);
  EXPECT_TRUE(contains(ran.err, "rank 1")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  const Ran last = shell(scratch, std::string(mpirun) + "3 " + program + " " + words());
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_TRUE(contains(last.out, "of them from an earlier run")) << last.out;
  EXPECT_EQ(content(out), bytes);
}

// Only the second process meets rows that cannot be read.
TEST_F(Ranked, AProcessThatFailsEndsTheJob) {
  need_h5py();
  const std::string bytes = alone();
  python(R"(
with h5.File(d + 'in.h5') as f, h5.File(d + 'bad.h5', 'w') as g:
    for n in ('v', 'a'): g[n] = f[n][:]
    q = g.create_dataset('q', data=f['q'][:], chunks=(1000, 2), compression='gzip')
    at = q.id.get_chunk_info(19).byte_offset
with open(d + 'bad.h5', 'r+b') as f:
    f.seek(at)
    f.write(b'no zlib here')
)");
  const std::string program = std::string(mpirun) + "2 " PARID_PROGRAM " batch planar2 inverse ",
                    more = " " + out + " --threads 1 --kernel generic";
  const Ran ran = shell(scratch, program + scratch.path("bad.h5") + more);
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_TRUE(contains(ran.err, "parid: rank 1 of 2: ")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "dataset 'q', from row [")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_TRUE(contains(shell(scratch, program + in + more).err, "its input has changed"));
  EXPECT_EQ(shell(scratch, program + in + more + " --restart").code, 0);
  EXPECT_EQ(content(out), bytes);
}

}  // namespace
}  // namespace parid::test
