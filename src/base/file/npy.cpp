#include "base/file/npy.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

#include "base/file/atomic_file.hpp"
#include "base/file/input_file.hpp"
#include "base/file/large_pages.hpp"
#include "base/file/npy_header.hpp"
#include "base/text/shown.hpp"

namespace parid::base {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t chunk = std::size_t{1} << 20;
constexpr bool little = std::endian::native == std::endian::little;

// Converts values up to the first one that no finite double represents, and returns how many.
// Integers above 2^53 would be rounded, and results must be exact.
template <class Stored>
std::size_t decode(const char* from, std::size_t count, bool swapped, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    char bytes[sizeof(Stored)];
    std::memcpy(bytes, from + i * sizeof(Stored), sizeof(Stored));
    if (swapped) std::reverse(bytes, bytes + sizeof(Stored));
    Stored value;
    std::memcpy(&value, bytes, sizeof(Stored));
    to[i] = static_cast<double>(value);
    if constexpr (std::is_floating_point_v<Stored>) {
      if (!std::isfinite(value)) return i;
    } else if constexpr (sizeof(Stored) == 8) {
      if (std::abs(to[i]) > 0x1p53) return i;
    }
  }
  return count;
}

// Whether no exponent is all ones. Written for the compiler's vectors: no branch, and integers
// only.
bool all_finite(const double* x, std::size_t count) {
  constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t ones = std::bit_cast<std::uint64_t>(x[i]) & exponent;
    // carries into the top bit if all are ones
    bad |= ones + (std::uint64_t{1} << 52);
  }
  return bad >> 63 == 0;
}

std::size_t first_not_finite(const double* x, std::size_t count) {
  return static_cast<std::size_t>(
      std::find_if(x, x + count, [](double each) { return !std::isfinite(each); }) - x);
}

struct Type {
  std::string_view name;
  std::size_t size;
  std::size_t (*decode)(const char*, std::size_t, bool, double*);
};

constexpr Type types[] = {
    {"f8", 8, decode<double>},        {"f4", 4, decode<float>},
    {"i8", 8, decode<std::int64_t>},  {"i4", 4, decode<std::int32_t>},
    {"i2", 2, decode<std::int16_t>},  {"i1", 1, decode<std::int8_t>},
    {"u8", 8, decode<std::uint64_t>}, {"u4", 4, decode<std::uint32_t>},
    {"u2", 2, decode<std::uint16_t>}, {"u1", 1, decode<std::uint8_t>},
};

const Type& type_of(const std::string& descr, const Place& place) {
  static const std::string remedy = "save it as float64, for example with array.astype('f8')";
  if (descr.empty()) throw Error(place, "the array has named fields", remedy);
  if (descr.find('O') != std::string::npos) {
    throw Error(place,
                "the array holds Python objects, which Parid does not read because reading them "
                "can execute code",
                remedy);
  }
  const std::string_view name = std::string_view(descr).substr(1);
  for (const Type& type : types) {
    if (type.name == name && std::strchr("<>|", descr[0]) != nullptr) return type;
  }
  throw Error(place, "values of type " + shown(descr) + " are not supported", remedy);
}

class NpyParser {
 public:
  explicit NpyParser(const NpyBytes& bytes) : bytes_(bytes) {}

  Array parse() {
    const NpyHeader header = parse_npy_header(header_text(), bytes_.place);
    const Type& type = type_of(header.descr, bytes_.place);
    const std::size_t count = checked_count(header.shape, type);
    Array array{{header.shape.begin(), header.shape.end()}, {}};
    fortran_ = header.fortran_order && array.columns() > 1 && array.rows() > 1;
    read_data(array, count, type, little == (header.descr[0] == '>'));
    if (fortran_) transpose(array);
    return array;
  }

 private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw Error(bytes_.place, wrong, right);
  }

  std::size_t read_some(char* to, std::size_t most) {
    std::size_t got = 0;
    while (got < most) {
      const std::size_t more = bytes_.read(to + got, most - got);
      if (more == 0) break;
      got += more;
    }
    read_ += got;
    return got;
  }

  void read_all(char* to, std::size_t count) {
    if (read_some(to, count) < count) {
      fail("the file is truncated after " + std::to_string(read_) + " bytes",
           "save or copy it again");
    }
  }

  std::string header_text() {
    char start[8];
    const std::size_t got = read_some(start, sizeof start);
    if (std::string_view(start, std::min(got, magic.size())) != magic.substr(0, got) || got == 0) {
      fail(got == 0 ? "the file is empty" : "this is not an .npy file", "save it with numpy.save");
    }
    if (got < sizeof start) read_all(start, 1);
    const int major = static_cast<unsigned char>(start[6]);
    const int minor = static_cast<unsigned char>(start[7]);
    if (major < 1 || major > 3 || minor != 0) {
      fail("version " + std::to_string(major) + "." + std::to_string(minor) + " is not supported",
           "save it as .npy version 1.0, 2.0 or 3.0");
    }
    unsigned char length[4] = {};
    read_all(reinterpret_cast<char*>(length), major == 1 ? 2 : 4);
    const std::size_t size =
        length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::size_t>(length[3]) << 24;
    if (size > longest_header) fail("its header is longer than 1 MiB", "save the array again");
    std::string text(size, '\0');
    read_all(text.data(), size);
    return text;
  }

  // Number of values, after shape, limit and file size have been checked against each other.
  std::size_t checked_count(const std::vector<std::uint64_t>& shape, const Type& type) const {
    std::string text;
    for (std::uint64_t n : shape) text += (text.empty() ? "(" : ", ") + std::to_string(n);
    text = shape.empty() ? "()" : text + (shape.size() == 1 ? ",)" : ")");
    if (shape.size() != 1 && shape.size() != 2) {
      fail("the array has shape " + text, "give one or two dimensions, such as (rows, columns)");
    }
    if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) {
      fail("the array is empty: its shape is " + text, "give at least one row");
    }
    std::uint64_t count = 1;
    for (std::uint64_t n : shape) {
      if (n > most_array_bytes / sizeof(double) / count) {
        fail("an array of shape " + text + " takes more than 8 GiB",
             "split it into several files, or use HDF5 with `parid batch`");
      }
      count *= n;
    }
    const std::uint64_t expected = read_ + count * type.size;
    if (bytes_.size && *bytes_.size != expected) {
      fail("shape " + text + " takes " + std::to_string(expected) + " bytes, but the file has " +
               std::to_string(*bytes_.size),
           *bytes_.size < expected ? "the file is truncated; save or copy it again"
                                   : "keep one array in each file");
    }
    return count;
  }

  // Memory grows with the bytes read, in case the size was not known before.
  void read_data(Array& array, std::size_t count, const Type& type, bool swapped) {
    const bool as_stored = type.decode == decode<double> && !swapped;
    std::vector<char> raw(as_stored ? 0 : std::min(chunk, count * type.size));
    if (bytes_.size) reserve_in_large_pages(array.data, count);
    while (array.data.size() < count) {
      const std::size_t done = array.data.size();
      const std::size_t now = std::min(count - done, chunk / type.size);
      array.data.resize(done + now);
      double* to = array.data.data() + done;
      if (as_stored) {
        read_all(reinterpret_cast<char*>(to), now * type.size);
        if (!all_finite(to, now)) bad_value(array, done + first_not_finite(to, now));
        continue;
      }
      read_all(raw.data(), now * type.size);
      const std::size_t good = type.decode(raw.data(), now, swapped, to);
      if (good < now) bad_value(array, done + good);
    }
    char beyond;
    if (read_some(&beyond, 1) != 0) fail("data follows the array", "keep one array in each file");
  }

  [[noreturn]] void bad_value(const Array& array, std::size_t k) const {
    const std::size_t rows = array.rows(), columns = array.columns();
    const std::size_t row = fortran_ ? k % rows : k / columns;
    const std::size_t column = fortran_ ? k / rows : k % columns;
    const std::string where = "value [" + std::to_string(row) +
                              (array.shape.size() > 1 ? ", " + std::to_string(column) + "]" : "]");
    const double value = array.data[k];
    if (std::isnan(value)) fail(where + " is NaN", "give finite numbers only");
    if (std::isinf(value)) fail(where + " is infinite", "give finite numbers only");
    fail(where + " is an integer above 2^53, which a double cannot represent",
         "save it as float64");
  }

  static void transpose(Array& array) {
    const std::size_t rows = array.rows(), columns = array.columns();
    std::vector<double> by_rows(array.data.size());
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t r = 0; r < rows; ++r) by_rows[r * columns + c] = array.data[c * rows + r];
    }
    array.data = std::move(by_rows);
  }

  const NpyBytes& bytes_;
  std::uint64_t read_ = 0;
  bool fortran_ = false;  // two-dimensional, column-major
};

}  // namespace

Array parse_npy(const NpyBytes& bytes) {
  try {
    return NpyParser(bytes).parse();
  } catch (const std::bad_alloc&) {
    throw Error(bytes.place, "the array does not fit into memory", "split it into several files");
  }
}

Array read_npy(const std::string& path) {
  InputFile file(path);
  return parse_npy({Place{file.name()}, file.size(),
                    [&](char* to, std::size_t most) { return file.read(to, most); }});
}

std::string npy_header(const Array& array) {
  assert(array.shape.size() == 1 || array.shape.size() == 2);
  assert(array.data.size() == array.rows() * array.columns());
  std::string text = "{'descr': '";
  text += little ? "<f8" : ">f8";
  text += "', 'fortran_order': False, 'shape': (" + std::to_string(array.rows()) + ", ";
  if (array.shape.size() == 2) text += std::to_string(array.columns());
  text += "), }";
  // Magic, version, length, text and '\n' together fill whole lines of 64 bytes.
  const std::size_t before = magic.size() + 2 + 2;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header(magic);
  header += {1, 0, static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

void write_npy(const std::string& path, const Array& array) {
  AtomicFile file(path);
  file.write(npy_header(array));
  file.write(
      {reinterpret_cast<const char*>(array.data.data()), array.data.size() * sizeof(double)});
  file.commit();
}

}  // namespace parid::base
