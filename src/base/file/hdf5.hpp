// HDF5 files, through a module that is loaded on first use.
//
// HDF5 and MPI are large, start slowly and are not always installed, so neither the library nor
// the program links them. libparid-hdf5.so (src/cluster/hdf5/) does; it is opened from the
// directory of the program, from the directory of the library, or from the path in the environment
// variable PARID_HDF5. The interface to it is below: plain abstract classes. Why:
// docs/decisions/hdf5.md.
//
// Read    float64, float32 and every integer type, either byte order, any layout or compression
//         that HDF5 itself reads; datasets of the root group whose data is in the file itself. An
//         untrusted file must not name other files: links other than hard ones, external storage
//         and virtual datasets are refused.
// Written contiguous, without times or other content that differs between runs: the same arrays
//         give the same bytes.

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

// elsewhere: its data is in other files, or its name is a link; such datasets are never
// read.
enum class Hdf5Kind { float32, float64, integer, other, elsewhere };

struct Hdf5Array {
  std::string name;
  std::vector<std::uint64_t> shape;  // rows first
  Hdf5Kind kind = Hdf5Kind::float64;
  // Offset of the data in the file, if the rows are contiguous.
  std::optional<std::uint64_t> offset = {};
  std::uint64_t stored = 0;  // bytes in the file; fewer if compressed

  std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
  std::uint64_t numbers_per_row() const {
    std::uint64_t n = 1;
    for (std::size_t k = 1; k < shape.size(); ++k) n *= shape[k];
    return n;
  }
};

using Hdf5Attributes = std::vector<std::pair<std::string, std::variant<std::string, std::int64_t>>>;

// Not thread-safe: HDF5 does not support threads.
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
  virtual void close() = 0;  // reports errors, which a destructor cannot

  const Hdf5Array* find(const std::string& name) const {
    for (const Hdf5Array& a : arrays())
      if (a.name == name) return &a;
    return nullptr;
  }
};

// The processes that `mpirun` started. All of them must call each function, in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void meet() = 0;  // barrier
  virtual std::uint64_t sum(std::uint64_t) = 0;
  virtual std::vector<std::string> gather(const std::string&) = 0;  // gathers from all, to all
  [[noreturn]] virtual void abort(int code) = 0;                    // ends all processes
};

class Hdf5Module {
 public:
  virtual ~Hdf5Module() = default;
  // Throws Error. With `ranks`, all of them open the file together, through MPI-IO.
  virtual std::unique_ptr<Hdf5File> open(const std::string& path, bool to_write,
                                         Ranks* ranks) const = 0;
  // Creates a file; throws if it exists. Allocates the arrays without writing their rows, and
  // writes the attributes of the root group.
  virtual void create(const std::string& path, std::span<const Hdf5Array>,
                      const Hdf5Attributes&) const = 0;
  // Starts MPI; does nothing if the module was built without it.
  virtual std::unique_ptr<Ranks> ranks() const = 0;
};

// Returns the module; throws Error, with the packages to install, if it cannot be loaded.
const Hdf5Module& hdf5();

std::string hdf5_module_path();  // its path, not opened; "" if not found

bool is_hdf5_name(const std::string& path);  // ends in .h5 or .hdf5
bool started_by_mpirun();

// Several named arrays, like Npz. Values must be finite, with at least one per array; integers
// above 2^53 and arrays with implausible compression ratios are refused.
class Hdf5Arrays {
 public:
  explicit Hdf5Arrays(const std::string& path);
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return file_->find(name) != nullptr; }
  Array read(const std::string& name) const;  // throws if it does not exist

 private:
  std::string path_;
  std::uint64_t size_ = 0;  // of the file
  std::unique_ptr<Hdf5File> file_;
  std::vector<std::string> names_;
};

// Message and remedy for a dataset whose data is elsewhere.
inline constexpr const char* elsewhere_wrong =
    "a link, external storage or a virtual dataset: its data is not in this file";
inline constexpr const char* elsewhere_right = "copy the data into this file";

// Complete or not at all.
void write_hdf5(const std::string& path, const std::map<std::string, Array>& arrays);

}  // namespace parid::base
