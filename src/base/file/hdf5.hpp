// HDF5 files, by a module that is loaded when the first one is met.
//
// HDF5 and MPI are large, start slowly and are not everywhere, so neither the library nor the
// program links them: libparid-hdf5.so does (parid/hdf5/), and is opened from beside the program,
// from the folder of the library, or from the path in the environment variable PARID_HDF5. What
// crosses that door is below: plain classes without members. docs/decisions/hdf5.md says why.
//
// Read    float64, float32 and every integer type, either byte order, any layout or compression
//         that HDF5 itself reads; datasets of the root group that stand in the file itself. A
//         motion that comes from elsewhere shall not name files here: links other than hard ones,
//         external storage and virtual datasets are refused.
// Written contiguous, without times or anything else that would make two runs differ: the same
// arrays give
//         the same bytes.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/file/npy.hpp"
#include "base/layer.hpp"

namespace parid::base {

// elsewhere: its numbers stand in other files, or its name leads on to another; such are never
// read.
enum class Hdf5Kind { float32, float64, integer, other, elsewhere };

struct Hdf5Array {
  std::string name;
  std::vector<std::uint64_t> shape;  // rows first
  Hdf5Kind kind = Hdf5Kind::float64;
  // Where it begins in the file, if its rows stand there one after another.
  std::optional<std::uint64_t> offset = {};
  std::uint64_t stored = 0;  // bytes that it takes in the file: fewer where it is compressed

  std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
  std::uint64_t numbers_per_row() const {
    std::uint64_t n = 1;
    for (std::size_t k = 1; k < shape.size(); ++k) n *= shape[k];
    return n;
  }
};

using Hdf5Attributes = std::vector<std::pair<std::string, std::variant<std::string, std::int64_t>>>;

// One at a time: HDF5 is not made for threads.
class Hdf5File {
 public:
  virtual ~Hdf5File() = default;
  virtual const std::vector<Hdf5Array>& arrays() const = 0;
  virtual void read(const std::string& name, std::uint64_t first, std::uint64_t rows,
                    double* to) = 0;
  virtual void read(const std::string& name, std::uint64_t first, std::uint64_t rows,
                    float* to) = 0;
  virtual void write(const std::string& name, std::uint64_t first, std::uint64_t rows,
                     const double* from) = 0;
  virtual void write(const std::string& name, std::uint64_t first, std::uint64_t rows,
                     const float* from) = 0;
  virtual void close() = 0;  // says what went wrong, which a destructor cannot

  const Hdf5Array* find(const std::string& name) const {
    for (const Hdf5Array& a : arrays())
      if (a.name == name) return &a;
    return nullptr;
  }
};

// The processes that `mpirun` started together. All of them call each function, in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void meet() = 0;  // returns when all are here
  virtual std::uint64_t sum(std::uint64_t) = 0;
  virtual std::vector<std::string> gather(const std::string&) = 0;  // everyone's, for everyone
  [[noreturn]] virtual void abort(int code) = 0;                    // ends all of them
};

class Hdf5Module {
 public:
  virtual ~Hdf5Module() = default;
  // Throws Error. With `ranks`, all of them open it together, through MPI-IO.
  virtual std::unique_ptr<Hdf5File> open(const std::string& path, bool to_write,
                                         Ranks* ranks) const = 0;
  // A new file; throws where there is one. The arrays with room for their rows, which are not
  // written yet, and attributes of the root group.
  virtual void create(const std::string& path, std::span<const Hdf5Array>,
                      const Hdf5Attributes&) const = 0;
  // Starts MPI; nothing where the module was built without.
  virtual std::unique_ptr<Ranks> ranks() const = 0;
};

// The module; throws Error, with what to install, where it cannot be loaded.
const Hdf5Module& hdf5();

std::string hdf5_module_path();  // its file, which is not opened; "" where there is none

bool is_hdf5_name(const std::string& path);  // ends in .h5 or .hdf5
bool started_by_mpirun();

// Several named arrays, as Npz has them. Values must be finite and there must be at least one;
// integers past 2^53 are refused, as are arrays that would unpack from next to nothing.
class Hdf5Arrays {
 public:
  explicit Hdf5Arrays(const std::string& path);
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return file_->find(name) != nullptr; }
  Array read(const std::string& name) const;  // throws where there is none

 private:
  std::string path_;
  std::uint64_t size_ = 0;  // of the file
  std::unique_ptr<Hdf5File> file_;
  std::vector<std::string> names_;
};

// What to say, and to do, about a dataset that stands elsewhere.
inline constexpr const char* elsewhere_wrong =
    "a link, external storage or a virtual dataset: its data is not in this file";
inline constexpr const char* elsewhere_right = "copy the data into this file";

// Whole or not at all.
void write_hdf5(const std::string& path, const std::map<std::string, Array>& arrays);

}  // namespace parid::base
