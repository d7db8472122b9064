// NumPy's .npz files: several named arrays, a zip archive of .npy files.
//
// Read    as numpy.savez and numpy.savez_compressed write them. Arrays are read on request, so the
//         file may contain others. Implausible compression ratios are refused.
// Written stored, not compressed: doubles hardly compress. The same arrays give the same bytes.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file/npy.hpp"
#include "base/layer.hpp"

struct zip;

namespace parid::base {

class Npz {
 public:
  explicit Npz(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }  // in the order of the file
  bool has(const std::string& name) const;
  Array read(const std::string& name) const;  // throws if it does not exist

 private:
  struct Close {
    void operator()(zip* archive) const;
  };

  std::string file_;
  std::uint64_t size_ = 0;
  std::unique_ptr<zip, Close> archive_;
  std::vector<std::string> names_;
};

void write_npz(const std::string& path, const std::map<std::string, Array>& arrays);

}  // namespace parid::base
