#include "base/file/npy.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <thread>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string out = "\x93NUMPY" + std::string{version, '\0'};
  const auto size = static_cast<std::uint32_t>(header.size());
  out += bytes_of(size).substr(0, version == 1 ? 2 : 4);
  return out + header + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

Array parsed(const std::string& file) {
  Scratch scratch;
  return read_npy(scratch.file("in.npy", file));
}

std::string refusal(const std::string& file) {
  Scratch scratch;
  const std::string path = scratch.file("in.npy", file);
  const std::string full = complaint([&] { read_npy(path); });
  return full.substr(0, path.size()) == path ? full.substr(path.size() - 6) : full;
}

TEST(Npy, EveryDoubleComesBackBitForBit) {
  const std::vector<double> values = awkward_doubles(300'000);
  Scratch scratch;
  const std::string path = scratch.path("out.npy");
  for (const std::vector<std::size_t>& shape :
       {std::vector<std::size_t>{300'000}, {100'000, 3}, {1, 300'000}, {300'000, 1}}) {
    write_npy(path, {shape, values});
    const Array back = read_npy(path);
    EXPECT_EQ(back.shape, shape);
    EXPECT_TRUE(bits(back.data) == bits(values));
  }
}

TEST(Npy, HeaderFillsWholeLinesOf64Bytes) {
  for (std::size_t n = 1; n < 1'000'000; n *= 3) {
    const std::string header = npy_header({{n, 1}, std::vector<double>(n)});
    EXPECT_EQ(header.size() % 64, 0u);
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(Npy, ReadsEveryTypeInEitherByteOrder) {
  const auto reversed = [](std::string bytes) { return std::string(bytes.rbegin(), bytes.rend()); };
  const auto check = [&](const std::string& type, const auto value) {
    const std::string one = bytes_of(value);
    EXPECT_EQ(parsed(npy(dictionary("<" + type, "(1,)"), one)).data.at(0), double(value)) << type;
    EXPECT_EQ(parsed(npy(dictionary(">" + type, "(1,)"), reversed(one))).data.at(0), double(value));
  };
  check("f8", -0.1);
  check("f4", 0.1f);
  check("i8", std::int64_t{-9007199254740992});
  check("i4", std::int32_t{-123456789});
  check("i2", std::int16_t{-12345});
  check("i1", std::int8_t{-123});
  check("u8", std::uint64_t{9007199254740992});
  check("u4", std::uint32_t{4123456789});
  check("u2", std::uint16_t{65432});
  check("u1", std::uint8_t{234});
  EXPECT_EQ(parsed(npy(dictionary("|u1", "(2,)"), "\x01\x02")).data, (std::vector<double>{1, 2}));
}

TEST(Npy, ReadsEveryVersionAndOrder) {
  const std::string data = bytes_of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  for (const char version : {'\1', '\2', '\3'}) {
    const Array rows = parsed(npy(dictionary("<f8", "(2, 3)"), data, version));
    EXPECT_EQ(rows.data, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(rows.at(1, 0), 4);
    const Array columns = parsed(npy(dictionary("<f8", "(2, 3)", true), data, version));
    EXPECT_EQ(columns.shape, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(columns.data, (std::vector<double>{1, 3, 5, 2, 4, 6}));
  }
  // Keys in any order, double quotes, no last comma, and Python 2's long integers.
  EXPECT_EQ(
      parsed(npy("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<f8\"}", bytes_of(1.0, 2.0)))
          .data,
      (std::vector<double>{1, 2}));
}

TEST(Npy, SaysWhatIsWrongAndWhatWouldBeRight) {
  const std::string two = bytes_of(1.0, 2.0);
  const std::string good = npy(dictionary("<f8", "(2,)"), two);
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::string finite = "; give finite numbers only";
  const std::string f8 = "; save it as float64, for example with array.astype('f8')";
  const std::string damaged = "in.npy: the .npy header is damaged: ",
                    again = "; save the array again";
  const std::pair<std::string, std::string> cases[] = {
      {"", "in.npy: the file is empty; save it with numpy.save"},
      {"PK\x03\x04", "in.npy: this is not an .npy file; save it with numpy.save"},
      {"t,q\n0,1\n2,3\n", "in.npy: this is not an .npy file; save it with numpy.save"},
      {good.substr(0, 4), "in.npy: the file is truncated after 4 bytes; save or copy it again"},
      {good.substr(0, 9), "in.npy: the file is truncated after 9 bytes; save or copy it again"},
      {good.substr(0, 30), "in.npy: the file is truncated after 30 bytes; save or copy it again"},
      {good.substr(0, good.size() - 1),
       "in.npy: shape (2,) takes 84 bytes, but the file has 83; the file is truncated; save or "
       "copy it again"},
      {good + "x",
       "in.npy: shape (2,) takes 84 bytes, but the file has 85; keep one array in each file"},
      {npy(dictionary("<f8", "(2,)"), two, 4),
       "in.npy: version 4.0 is not supported; save it as .npy version 1.0, 2.0 or 3.0"},
      {npy("", "").substr(0, 6) + std::string("\x02\0\xff\xff\xff\xff", 6),
       "in.npy: its header is longer than 1 MiB; save the array again"},
      {npy(dictionary("|O", "(2,)"), two),
       "in.npy: the array holds Python objects, which Parid does not read because reading them can "
       "execute code" +
           f8},
      {npy(dictionary("<c16", "(1,)"), two),
       "in.npy: values of type '<c16' are not supported" + f8},
      {npy(dictionary("<f2", "(8,)"), two), "in.npy: values of type '<f2' are not supported" + f8},
      {npy(dictionary("f8", "(2,)"), two), "in.npy: values of type 'f8' are not supported" + f8},
      {npy("{'descr': [('t', '<f8')], 'fortran_order': False, 'shape': (2,), }", two),
       "in.npy: the array has named fields" + f8},
      {npy(dictionary("<f8", "()"), two),
       "in.npy: the array has shape (); give one or two dimensions, such as (rows, columns)"},
      {npy(dictionary("<f8", "(1, 2, 1)"), two),
       "in.npy: the array has shape (1, 2, 1); give one or two dimensions, such as (rows, "
       "columns)"},
      {npy(dictionary("<f8", "(0, 3)"), ""),
       "in.npy: the array is empty: its shape is (0, 3); give at least one row"},
      {npy(dictionary("<f8", "(4294967296, 4294967296)"), two),
       "in.npy: an array of shape (4294967296, 4294967296) takes more than 8 GiB; split it into "
       "several files, or use HDF5 with `parid batch`"},
      {npy(dictionary("<f8", "(18446744073709551616,)"), two),
       damaged + "a length overflows: '18446744073709551616,), }\\x0a'" + again},
      {npy(dictionary("<f8", "(1000000, 3)"), two),
       "in.npy: shape (1000000, 3) takes 24000076 bytes, but the file has 92; the file is "
       "truncated; save or copy it again"},
      {npy(dictionary("<f8", "(-1,)"), two),
       damaged + "expected a length before '-1,), }\\x0a'" + again},
      {npy("{'descr': '<f8'}", two),
       damaged + "it lacks 'descr', 'fortran_order' or 'shape'" + again},
      {npy("{'descr': '<f8', 'descr': '<f8'}", two), damaged + "'descr' appears twice" + again},
      {npy("{'evil': 1}", two), damaged + "it has the unknown key 'evil'" + again},
      {npy("{'descr", two), damaged + "a quote is not closed" + again},
      {npy("{'descr': 3}", two), damaged + "expected a quote before '3}'" + again},
      {npy("{'fortran_order': 0}", two), damaged + "expected True or False before '0}'" + again},
      {npy("[]", two), damaged + "expected '{' before '[]'" + again},
      {npy(dictionary("<f8", "(2,)") + "import os", two), damaged + "text follows '}'" + again},
      {npy(dictionary("<f8", "(2,)"), bytes_of(1.0, nan)), "in.npy: value [1] is NaN" + finite},
      {npy(dictionary("<f8", "(2, 3)"), bytes_of(1.0, 2.0, 3.0, 4.0, inf, 6.0)),
       "in.npy: value [1, 1] is infinite" + finite},
      {npy(dictionary("<f8", "(2, 3)", true), bytes_of(1.0, 2.0, 3.0, nan, 5.0, 6.0)),
       "in.npy: value [1, 1] is NaN" + finite},
      {npy(dictionary("<i8", "(1,)"), bytes_of(std::int64_t{9007199254740994})),
       "in.npy: value [0] is an integer above 2^53, which a double cannot represent; save it as "
       "float64"},
  };
  for (const auto& [file, expected] : cases) EXPECT_EQ(refusal(file), expected);
}

TEST(Npy, ComesThroughAPipePieceByPiece) {
  const std::vector<double> values = awkward_doubles(30'000);
  const std::string file =
      npy_header({{10'000, 3}, values}) +
      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  Scratch scratch;
  const std::string pipe = scratch.path("in.npy");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    for (std::size_t at = 0; at < file.size(); at += 1001)
      out << file.substr(at, 1001) << std::flush;
  });
  const Array back = read_npy(pipe);
  writer.join();
  EXPECT_EQ(back.shape, (std::vector<std::size_t>{10'000, 3}));
  EXPECT_TRUE(bits(back.data) == bits(values));
}

}  // namespace
}  // namespace parid::test
