// What NumPy writes we read, and the other way round, where it is installed.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

class NumPy : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) {
      GTEST_SKIP() << "no numpy for /usr/bin/python3";
    }
  }

  // Runs `script` with np, d (the scratch directory) and q, a 5 × 3 array of q[i, j] = i + j / 8.
  void run(const std::string& script) {
    const std::string program = "import numpy as np\nd = '" + scratch.path("") +
                                "'\nq = np.arange(5.)[:, None] + np.arange(3.) / 8\n" + script;
    const std::string file = scratch.file("script.py", program);
    ASSERT_EQ(std::system(("/usr/bin/python3 " + file).c_str()), 0) << program;
  }

  static Array grid() {
    Array q{{5, 3}, {}};
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 3; ++j) q.data.push_back(i + j / 8.0);
    }
    return q;
  }

  Scratch scratch;
};

TEST_F(NumPy, ReadsWhatWeWrite) {
  const std::vector<double> values = awkward_doubles(300);
  write_npy(scratch.path("a.npy"), {{100, 3}, values});
  write_npz(scratch.path("a.npz"), {{"q", {{100, 3}, values}}, {"t", {{300}, values}}});
  write_csv(scratch.path("a.csv"), {"a", "b", "c"}, values);
  std::ofstream(scratch.path("a.raw"), std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), 300 * sizeof(double));
  run(R"(
x = np.fromfile(d + 'a.raw')
z = np.load(d + 'a.npz')
same = lambda a, b: a.dtype == 'f8' and a.shape == b.shape and a.tobytes() == b.tobytes()
assert same(np.load(d + 'a.npy'), x.reshape(100, 3))
assert sorted(z.files) == ['q', 't'] and same(z['q'], x.reshape(100, 3)) and same(z['t'], x)
assert same(np.loadtxt(d + 'a.csv', delimiter=',', skiprows=1), x.reshape(100, 3))
)");
}

TEST_F(NumPy, WritesWhatWeRead) {
  run(R"(
np.save(d + 'plain.npy', q)
np.save(d + 'single.npy', q.astype('f4'))
np.save(d + 'swapped.npy', q.astype('>f8'))
np.save(d + 'fortran.npy', np.asfortranarray(q))
np.save(d + 'swapped_fortran.npy', np.asfortranarray(q.astype('>f4')))
np.save(d + 'integers.npy', (8 * q).astype('i4'))
np.save(d + 'objects.npy', np.array([[1], None], dtype=object))
np.savez(d + 'stored.npz', t=q[:, 0], q=q)
np.savez_compressed(d + 'packed.npz', t=q[:, 0], q=np.asfortranarray(q), zeros=np.zeros(10**6))
np.savetxt(d + 'text.csv', q, delimiter=',', header='a,b,c', comments='')
for v in (1, 2, 3):
    with open(d + 'v%d.npy' % v, 'wb') as f: np.lib.format.write_array(f, q, version=(v, 0))
)");
  for (const char* name :
       {"plain", "single", "swapped", "fortran", "swapped_fortran", "v1", "v2", "v3"}) {
    const Array array = read_npy(scratch.path(std::string(name) + ".npy"));
    EXPECT_EQ(array.shape, grid().shape) << name;
    EXPECT_EQ(array.data, grid().data) << name;
  }
  EXPECT_EQ(read_npy(scratch.path("integers.npy")).at(4, 2), 34);
  EXPECT_NE(complaint([&] { read_npy(scratch.path("objects.npy")); }).find("Python objects"),
            std::string::npos);
  for (const char* name : {"stored.npz", "packed.npz"}) {
    const Npz npz(scratch.path(name));
    EXPECT_EQ(npz.read("q").data, grid().data) << name;
    EXPECT_EQ(npz.read("t").data, (std::vector<double>{0, 1, 2, 3, 4})) << name;
  }
  EXPECT_EQ(Npz(scratch.path("packed.npz")).read("zeros").data, std::vector<double>(1'000'000));
  EXPECT_EQ(read_csv(scratch.path("text.csv")).data, grid().data);
}

TEST_F(NumPy, BombsAreRefused) {
  run(R"(
import zipfile
with zipfile.ZipFile(d + 'bomb.npz', 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    with z.open('q.npy', 'w', force_zip64=True) as f:
        head = {'descr': '<f8', 'fortran_order': False, 'shape': (1 << 27 | 1,)}
        np.lib.format.write_array_header_1_0(f, head)
        for i in range(1 << 10): f.write(bytes(1 << 20))
        f.write(bytes(8))
)");
  EXPECT_NE(complaint([&] {
              Npz(scratch.path("bomb.npz")).read("q");
            }).find("an implausible compression ratio"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
