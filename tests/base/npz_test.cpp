#include "base/file/npz.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Npz, EveryArrayComesBackBitForBit) {
  Scratch scratch;
  const std::string path = scratch.path("out.npz");
  const std::vector<double> values = awkward_doubles(30'000);
  const std::map<std::string, Array> arrays = {{"t", {{10'000}, std::vector<double>(10'000, 0.5)}},
                                               {"q", {{10'000, 3}, values}}};
  write_npz(path, arrays);
  const Npz back(path);
  EXPECT_EQ(back.names(), (std::vector<std::string>{"q", "t"}));
  EXPECT_TRUE(back.has("q") && !back.has("v"));
  for (const auto& [name, array] : arrays) {
    EXPECT_EQ(back.read(name).shape, array.shape);
    EXPECT_TRUE(bits(back.read(name).data) == bits(array.data));
  }
  const std::string first = content(path);
  write_npz(path, arrays);
  EXPECT_TRUE(content(path) == first) << "the same arrays give the same bytes";
}

TEST(Npz, SaysWhatIsWrongAndWhatWouldBeRight) {
  Scratch scratch;
  const std::string path = scratch.path("in.npz");
  const auto refused = [&](const std::string& bytes) {
    scratch.file("in.npz", bytes);
    const std::string full = complaint([&] { Npz(path).read("t"); });
    return full.substr(0, path.size()) == path ? full.substr(path.size()) : full;
  };
  write_npz(path, {{"q", {{1}, {1}}}, {"t", {{2, 2}, {1, 2, 3, 4}}}});
  const std::string good = content(path);
  EXPECT_EQ(refused(good), "");
  EXPECT_EQ(refused(""), ": this is not an .npz file: Not a zip archive; save it with numpy.savez");
  EXPECT_EQ(refused("t,q\n1,2\n"),
            ": this is not an .npz file: Not a zip archive; save it with numpy.savez");
  EXPECT_NE(refused(good.substr(0, good.size() - 30)), "");

  const auto changed = [&](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  // Central directory entries: sizes at 20 and 24, method at 10, name at 46.
  const std::size_t central = good.rfind("PK\x01\x02");
  ASSERT_EQ(good.substr(central + 46, 5), "t.npy");
  EXPECT_EQ(refused(changed(central + 24, bytes_of(std::uint32_t{0xfffffff0}))),
            ": array 't': it unpacks from 160 to 4294967280 bytes, an implausible compression "
            "ratio; if this is intended, save it uncompressed with numpy.savez");
  EXPECT_EQ(refused(changed(central + 24, bytes_of(std::uint32_t{200'000}))),
            ": array 't': it unpacks from 160 to 200000 bytes, an implausible compression ratio; "
            "if this is intended, save it uncompressed with numpy.savez");
  EXPECT_EQ(
      refused(changed(central + 20, bytes_of(std::uint32_t{0x7fffffff}))),
      ": array 't': an entry is larger than the file itself; the file is damaged; save it again");
  EXPECT_EQ(refused(changed(central + 10, bytes_of(std::uint16_t{12}))),
            ": array 't': it uses a compression method that NumPy does not write; save it with "
            "numpy.savez or numpy.savez_compressed");
  EXPECT_EQ(refused(changed(central + 46, "q")),
            ": array 'q' appears twice; save the file again with unique names");
  EXPECT_EQ(refused(changed(central + 46, "x")), ": there is no array 't'; the file has 'q', 'x'");
  const std::size_t value = good.find(bytes_of(3.0, 4.0));
  EXPECT_EQ(
      refused(changed(value, "x")),
      ": array 't': cannot decompress: CRC error; the file is damaged; save or copy it again");

  scratch.file("in.npz", good);
  Array bad{{2, 2}, {1, 2, std::nan(""), 4}};
  write_npz(path, {{"t", bad}});
  EXPECT_EQ(complaint([&] { Npz(path).read("t"); }),
            path + ": array 't': value [1, 0] is NaN; give finite numbers only");
  EXPECT_EQ(complaint([] { Npz("-"); }),
            "standard input: cannot read .npz from a pipe; give a file, or pipe .npy or CSV");
  EXPECT_EQ(complaint([&] { Npz(path + "x"); }), path + "x: there is no such file; check the path");
}

TEST(Npz, JunkNeverCrashes) {
  Scratch scratch;
  const std::string npy_path = scratch.path("junk.npy"), npz_path = scratch.path("junk.npz");
  write_npy(npy_path, {{4, 3}, std::vector<double>(12, 1.5)});
  write_npz(npz_path, {{"q", {{4, 3}, std::vector<double>(12, 1.5)}}, {"t", {{4}, {0, 1, 2, 3}}}});
  const std::string good_npy = content(npy_path), good_npz = content(npz_path);
  const auto read_both = [&](const std::string& npy_bytes, const std::string& npz_bytes) {
    scratch.file("junk.npy", npy_bytes);
    scratch.file("junk.npz", npz_bytes);
    complaint([&] { read_npy(npy_path); });
    complaint([&] {
      const Npz npz(npz_path);
      for (const std::string& name : npz.names()) complaint([&] { npz.read(name); });
    });
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string junk = random_bytes(100'000, seed);
    read_both(good_npy.substr(0, seed % 12) + junk, junk);
  }
  std::mt19937_64 random(1);
  const auto mutated = [&](std::string bytes) {
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    return bytes;
  };
  for (int i = 0; i < 3000; ++i) read_both(mutated(good_npy), mutated(good_npz));
}

}  // namespace
}  // namespace parid::test
